"""What a notebook shows of the records: pictures, steps and questions, and never a key."""

import subprocess
import sys
from typing import Any

import pytest
from IPython.core.formatters import DisplayFormatter

from grader import default_recipe, explain, grow, read_tree, solve, svg
from grader.exercises.exercise import Exercise
from grader.pictures.notebook import register
from grader.questions import all_kinds
from grader.trees.rules import Rules
from grader.trees.tree import Tree

TEXTBOOK = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"


@pytest.fixture(scope="module")
def display() -> DisplayFormatter:
    """IPython's own formatter, told about the records."""
    formatter = DisplayFormatter()
    register(formatter)
    return formatter


def seen(display: DisplayFormatter, thing: object) -> dict[str, str]:
    """What a notebook keeps of a thing in its file, by media type."""
    data: dict[str, Any] = display.format(thing)[0]
    return data


def textbook() -> Tree:
    """The textbook tree."""
    tree = read_tree(TEXTBOOK)
    assert isinstance(tree, Tree)
    return tree


def exercise(kind: str) -> Exercise:
    """An exercise of a kind."""
    return grow(default_recipe(kind), "notebook")


def test_trees_and_solutions_are_pictures(display: DisplayFormatter) -> None:
    """A tree is its picture, a solution the picture with its values; in a terminal both are characters."""
    tree = textbook()
    solution = solve(tree, Rules())
    assert seen(display, tree)["image/svg+xml"] == svg(tree)
    assert seen(display, solution)["image/svg+xml"] == svg(tree, solution)
    assert "▽ C ≤ 2" in seen(display, solution)["text/plain"]
    assert "≤" not in seen(display, tree)["text/plain"]


def test_an_explanation_is_a_list_of_steps(display: DisplayFormatter) -> None:
    """Every step of an explanation is an item of a list."""
    account = explain(solve(textbook(), Rules()))
    shown = seen(display, account)
    assert shown["text/html"].count("<li>") == len(account.steps)
    assert shown["text/plain"].splitlines() == [step.words for step in account.steps]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", [kind.code for kind in all_kinds()])
def test_an_exercise_never_shows_its_key(kind: str, display: DisplayFormatter) -> None:
    """An exercise shows what its public record shows, alone and in a list: another key changes nothing."""
    made = exercise(kind)
    keyless = {name: getattr(made, name) for name in ("details", "beliefs", "profile")}
    other = Exercise(public=made.public, key="a very secret key", seed=made.seed, **keyless)
    assert seen(display, made) == seen(display, other) == seen(display, made.public)
    assert repr(made) == repr(other)
    assert ("<svg " in seen(display, made)["text/html"]) == bool(len(made.public.tree))
    assert made.public.prompt.splitlines()[0] in seen(display, [made])["text/plain"]


def test_importing_the_package_is_enough() -> None:
    """In a session of IPython a tree shows itself once `grader` is imported; elsewhere nothing loads."""
    program = (
        "from IPython.core.interactiveshell import InteractiveShell; shell = InteractiveShell.instance(); "
        "import grader; tree = grader.read_tree('MAX (1 2)'); "
        "print(shell.display_formatter.format(tree)[0]['image/svg+xml'] == grader.svg(tree))"
    )
    run = [sys.executable, "-c", program]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout.endswith("True\n")
    alone = "import sys, grader; print('grader.pictures.notebook' in sys.modules or 'IPython' in sys.modules)"
    run = [sys.executable, "-c", alone]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout == "False\n"
