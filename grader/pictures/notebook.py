"""Display of trees, solutions, explanations and exercises in a notebook."""

import sys
from typing import Any

from markupsafe import Markup

from grader.exercises.exercise import Exercise, PublicExercise
from grader.pictures.label_options import label_options
from grader.pictures.svg import svg
from grader.pictures.text import text_picture
from grader.pictures.view import View
from grader.solvers.explaining.steps import Account
from grader.solvers.solution import Solution
from grader.trees.tree import Tree


def attach() -> None:
    """Register the display of this package's records with the running IPython session, if there is one.

    The records have no display methods, and this loads no module that IPython has not loaded.
    """
    shell = sys.modules["IPython"].get_ipython()
    if shell is not None:
        register(shell.display_formatter)


def register(display: Any) -> None:
    """Register pictures or pages with a display formatter of IPython, and text for terminals."""
    pages = display.formatters["text/html"]
    pictures = display.formatters["image/svg+xml"]
    characters = display.formatters["text/plain"]
    pictures.for_type(Tree, svg)
    characters.for_type(Tree, lambda tree, printer, _: printer.text(text_picture(tree)))
    pictures.for_type(Solution, lambda solution: svg(solution.tree, solution))
    characters.for_type(
        Solution, lambda solution, printer, _: printer.text(text_picture(solution.tree, solution))
    )
    pages.for_type(Account, steps_html)
    characters.for_type(
        Account,
        lambda account, printer, _: printer.text("\n".join(step.words for step in account.steps)),
    )
    # The key is not shown: the screen of a teacher may be on a projector.
    pages.for_type(Exercise, lambda exercise: question_html(exercise.public))
    characters.for_type(Exercise, lambda exercise, printer, _: printer.text(question_text(exercise.public)))
    pages.for_type(PublicExercise, question_html)
    characters.for_type(PublicExercise, lambda public, printer, _: printer.text(question_text(public)))


def steps_html(account: Account) -> Markup:
    """Return the steps of a search as a numbered list."""
    items = Markup().join(Markup("<li>{}</li>").format(step.words) for step in account.steps)
    return Markup("<ol>{}</ol>").format(items)


def question_html(public: PublicExercise) -> Markup:
    """Return a question and its tree as elements of a page."""
    view = View.question(public.tree, public.terms.language)
    picture = Markup(svg(public.tree, view=view, **label_options(public))) if len(public.tree) else Markup()
    return Markup('<p style="white-space: pre-line">{}</p>{}').format(public.prompt, picture)


def question_text(public: PublicExercise) -> str:
    """Return a question and its tree in characters."""
    view = View.question(public.tree, public.terms.language)
    picture = text_picture(public.tree, view=view, **label_options(public))
    return f"{public.prompt}\n\n{picture}"
