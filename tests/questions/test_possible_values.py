"""What nodes can still be worth, as a question, and the older convention of alpha and beta."""

import pytest

from grader.exercises.exercise import make_exercise
from grader.exercises.marking import mark
from grader.questions import kind_by_code
from grader.questions.case import Case
from grader.questions.given import Given
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from tests.test_bank import BANK, tree_in

TEXTBOOK = tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))")
"""Russell and Norvig, fig. 5.5; CMSC 421, range of possible values."""

CHANCES = tree_of(
    "@bounds [-3, 3]\nMAX A (CHANCE B (0.4: MIN D (2 3), 0.6: MIN E (1 3)) CHANCE C (0.4: 2, 0.6: 0))"
)
"""ShanghaiTech CS181, fall 2021, midterm Q3.3: B lies in [-1, 2.6] after two leaves."""


@pytest.mark.parametrize(
    ("tree", "node", "leaf", "key"),
    [
        (TEXTBOOK, "A", 1, "always"),
        (TEXTBOOK, "A", 3, "x >= 3"),
        (TEXTBOOK, "A", 4, "[3, inf)"),
        (TEXTBOOK, "A", 7, "[3, 14]"),
        (TEXTBOOK, "A", 8, "3 <= x <= 5"),
        (TEXTBOOK, "A", 9, "x = 3"),
        (TEXTBOOK, "B", 1, "x <= 3"),
        (TEXTBOOK, "B", 3, "[3, 3]"),
        (TEXTBOOK, "C", 4, "(-inf, 2]"),
        (CHANCES, "B", 2, "[-1, 2.6]"),
    ],
)
def test_ranges_of_sources(tree: Tree, node: str, leaf: int, key: str) -> None:
    """The ranges that books, lectures and exams state earn the full mark."""
    beside = Given({"node": node, "leaf": leaf})
    exercise = make_exercise(kind_by_code("possible-values"), tree, tree.rules(), given=beside)
    assert mark(exercise, key).points == 1, exercise.key


@pytest.mark.parametrize(
    ("beside", "why"),
    [
        ({"node": "E"}, "no inner node E"),
        ({"leaf": 5}, "leaf 5 is pruned"),
        ({"leaf": 10}, "from 1 to 9"),
        ({"leaf": "1"}, "from 1 to 9"),
    ],
)
def test_what_cannot_be_asked(beside: dict[str, object], why: str) -> None:
    """A node that is not there and a leaf that is never seen are refused with the reason."""
    reason = kind_by_code("possible-values").objection(Case(TEXTBOOK, Rules(), Given(beside)))
    assert reason is not None
    assert why in reason


def test_the_older_convention() -> None:
    """The start has alpha -1 by A, and B is left with beta -1: Nilsson's tic-tac-toe, CMSC 421."""
    tree = tree_in(BANK / "nilsson-tic-tac-toe.tree")
    kind = kind_by_code("windows.own-values")
    values = {tree.names[node]: said.value for node, said in kind.key(Case(tree, Rules()))}
    assert values[tree.names[0]] == 1
    textbook = make_exercise(kind, TEXTBOOK, Rules())
    assert mark(textbook, "A=3 B=3 C=2 D=2").points == 1
    some = make_exercise(kind, TEXTBOOK, Rules(), given=Given({"nodes": ["C"]}))
    assert some.key == "C=2"
    assert "no inner node E" in str(kind.objection(Case(TEXTBOOK, Rules(), Given({"nodes": ["E"]}))))
    assert "named twice" in str(kind.objection(Case(TEXTBOOK, Rules(), Given({"nodes": ["C", "C"]}))))
