"""Iterative deepening as a question: the lecture's example, and what somebody answers who sorts otherwise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exercises.exercise import make_exercise
from grader.exercises.marking import mark
from grader.questions import kind_by_code
from grader.questions.case import Case
from grader.questions.given import Given
from grader.solvers.iterative_deepening import iterative_deepening
from grader.solvers.iterative_deepening_by_values import SortingHabits, iterations_by_values
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from tests.strategies import TIED, trees

EIGHT = "MAX R (MIN A (MAX C (3 4) MAX D (1 2)) MIN B (MAX E (7 8) MAX F (5 6)))"
"""The most favourable nodes last, scored by averages: UC Irvine, CS 171 (2020), iterative deepening."""

BACKED = "MAX R (MIN A {eval=5} (1 9) MIN B {eval=3} (4 6) MIN C {eval=3} (2 7))"


@pytest.mark.parametrize(
    ("ask", "text", "beside", "key"),
    [
        ("order", EIGHT, {}, "R: B A; A: C D; B: F E"),
        ("order", EIGHT, {"depth": 2}, "R: B A"),
        ("pruned", EIGHT, {}, "3 4 6"),
        ("visited", EIGHT, {}, "5"),
        ("move", EIGHT, {"depth": 1}, "B"),
        ("pruned", BACKED, {"scores": "backed-up"}, "6"),
        ("visited", BACKED, {"scores": "backed-up"}, "5"),
        ("move", BACKED, {"depth": 1}, "A"),
        ("move", BACKED, {}, "B"),
    ],
)
def test_what_is_right(ask: str, text: str, beside: dict[str, object], key: str) -> None:
    """The answers worked out by hand earn the full mark, and the key is one of them."""
    exercise = make_exercise(kind_by_code(f"deepening.{ask}"), tree_of(text), Rules(), given=Given(beside))
    assert exercise.key == key
    assert mark(exercise, key).points == 1


@pytest.mark.parametrize(
    ("ask", "beside", "why"),
    [
        ("order", {"depth": 1}, "no node has children"),
        ("order", {"depth": 4}, "from 1 to 3"),
        ("order", {"depth": True}, "from 1 to 3"),
        ("order", {"scores": "best"}, "own or backed-up"),
        ("pruned", {"depth": 2}, "only the last iteration"),
    ],
)
def test_what_cannot_be_asked(ask: str, beside: dict[str, object], why: str) -> None:
    """An iteration that sorts nothing or does not exist is refused with the reason."""
    reason = kind_by_code(f"deepening.{ask}").objection(Case(tree_of(EIGHT), Rules(), Given(beside)))
    assert reason is not None
    assert why in reason


def test_equal_moves_and_missing_evaluations() -> None:
    """Two moves of one value and a node without an evaluation beside one that has one are refused."""
    move, even = kind_by_code("deepening.move"), tree_of("MAX (MIN (1 2) MIN (1 3))")
    assert "equally good" in str(move.objection(Case(even, Rules())))
    half = tree_of("MAX (MIN {eval=2} (1 2) MIN (0 3))")
    assert "neither eval= nor features" in str(move.objection(Case(half, Rules())))


@given(
    trees(plies=5, payoffs=TIED),
    st.sampled_from(("own", "backed-up")),
    st.sampled_from((Rules(), Rules(ties="keep"), Rules(returns="hard"), Rules("right-to-left"))),
)
def test_searching_and_exact_values_agree(tree: Tree, scores: str, rules: Rules) -> None:
    """Scores, orders, visits and moves by real searches are those by exact values, iteration by iteration."""
    depth, way = max(tree.depths), 1 if rules.order == "left-to-right" else -1
    searched = iterative_deepening(tree, rules, scores=scores, evaluations="average")
    exact = iterations_by_values(tree, rules, SortingHabits(scores), "average", depth)
    assert [one.scores for one in searched[:-1]] == [other.scores for other in exact[1:]]
    for one, other in zip(searched, exact, strict=True):
        assert tuple(order[::way] for order in one.orders) == other.orders
        assert set(one.visited) == {node for node, seen in enumerate(other.visited) if seen}
        assert (tuple(sorted(one.frontier)), one.move) == (other.frontier, other.move)


def test_only_averages_count_more_than_the_order_of_payoffs() -> None:
    """Where evaluations are given, the payoffs at leaves are compared and no means taken."""
    for ask in ("order", "pruned", "visited", "move"):
        kind = kind_by_code(f"deepening.{ask}")
        assert kind.takes_averages(Case(tree_of(EIGHT), Rules())) is True
        assert kind.takes_averages(Case(tree_of(BACKED), Rules())) is False
