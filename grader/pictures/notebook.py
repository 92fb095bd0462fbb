"""How trees, solutions, explanations and exercises show themselves in a notebook."""

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
    """Make the records of this package show themselves in the IPython session that is running, if one is.

    The records know nothing of it, and nothing is loaded that IPython has not loaded itself.
    """
    shell = sys.modules["IPython"].get_ipython()
    if shell is not None:
        register(shell.display_formatter)


def register(display: Any) -> None:
    """Tell a display formatter of IPython what to show: a picture or a page, and characters in a terminal."""
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
    # The key is for those who ask for it: a teacher may stand at the projector.
    pages.for_type(Exercise, lambda exercise: question_html(exercise.public))
    characters.for_type(Exercise, lambda exercise, printer, _: printer.text(question_text(exercise.public)))
    pages.for_type(PublicExercise, question_html)
    characters.for_type(PublicExercise, lambda public, printer, _: printer.text(question_text(public)))


def steps_html(account: Account) -> Markup:
    """The steps of a search as a numbered list."""
    items = Markup().join(Markup("<li>{}</li>").format(step.words) for step in account.steps)
    return Markup("<ol>{}</ol>").format(items)


def question_html(public: PublicExercise) -> Markup:
    """A question and its tree, as elements of a page."""
    view = View.question(public.tree, public.terms.language)
    picture = Markup(svg(public.tree, view=view, **label_options(public))) if len(public.tree) else Markup()
    return Markup('<p style="white-space: pre-line">{}</p>{}').format(public.prompt, picture)


def question_text(public: PublicExercise) -> str:
    """A question and its tree in characters."""
    view = View.question(public.tree, public.terms.language)
    picture = text_picture(public.tree, view=view, **label_options(public))
    return f"{public.prompt}\n\n{picture}"
