"""What lectures say of the cost of searches and the size of games, as replies to questions without a tree."""

from typing import Any

import pytest

from grader.exercises.exercise import make_exercise
from grader.exercises.marking import State, mark
from grader.questions import kind_by_code
from grader.questions.given import Given
from grader.trees.rules import Rules
from grader.trees.tree import EMPTY

MINUTES = {"seconds": 100, "rate": 10_000, "branching": 35}
"""A hundred seconds at ten thousand nodes a second: a million nodes for a move in chess."""

SAID: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("search-budget.depth", MINUTES | {"model": "b^(d/2)", "rounded": "nearest"}, "8"),
    ("search-budget.depth", MINUTES | {"model": "b^⌈d/2⌉ + b^⌊d/2⌋ − 1"}, "6"),
    ("search-budget.depth", MINUTES | {"model": "b^d", "rounded": "nearest"}, "4"),
    ("search-budget.branching", {"leaves": 35**2, "depth": 4}, "5.9"),
    ("search-budget.size", {"base": 35, "power": 80}, "123"),
    ("search-budget.size", {"factorial": 361}, "768"),
    ("search-budget.states", {"squares": 9, "counted": "positions"}, "19683"),
    ("search-budget.states", {"squares": 9, "counted": "sequences"}, "362880"),
    ("search-budget.nodes", {"branching": 2, "depth": 3}, "15"),
    ("search-budget.leaves", {"branching": 3, "depth": 2}, "5"),
    ("uct.mean", {"won": 10, "drawn": 0, "lost": 8, "loss": "0"}, "10/18"),
)
"""A kind, what is given, and what the lecture says: about 8 plies, from 35 to about 6, 10^123, 10^768."""


@pytest.mark.parametrize(("kind", "given", "reply"), SAID)
def test_what_a_lecture_says_is_right(kind: str, given: dict[str, Any], reply: str) -> None:
    """The figure that a lecture states earns the full mark."""
    exercise = make_exercise(kind_by_code(kind), EMPTY, Rules(), given=Given(given))
    marked = mark(exercise, reply)
    assert (marked.state, marked.points) == (State.GRADED, 1)
