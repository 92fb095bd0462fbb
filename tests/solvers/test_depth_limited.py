"""Depth limits, legal evaluations and bounds known at a node."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.base.numbers import INFINITY
from grader.solvers.alphabeta import value_test
from grader.solvers.depth_limit import LimitError
from grader.solvers.limited_decisions import (
    EvaluatedPosition,
    IllegalEvaluation,
    changed_depths,
    decisions_by_depth,
    expected_utility,
    illegal_evaluations,
    search_with_bounds,
)
from grader.solvers.minimax import minimax
from grader.solvers.solvable import Unsolvable
from grader.solvers.trace import Cut
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from tests.strategies import TIED, trees
from tests.test_bank import BANK, tree_in


@pytest.mark.parametrize(
    ("name", "best"), [("quiescence", {1: "A", 2: "B"}), ("two-features", {1: "A", 2: "B"})]
)
def test_decisions_of_the_bank(name: str, best: dict[int, str]) -> None:
    """The depth at which the decision changes is the one that the problem bank states."""
    tree = tree_in(BANK / f"{name}.tree")
    found = decisions_by_depth(tree)
    assert {step.depth: " ".join(tree.names[node] for node in step.best) for step in found} == best
    assert changed_depths(found) == (2,)


def test_values_at_each_depth() -> None:
    """The root at each depth, and the last depth is minimax."""
    tree = tree_of("MAX (MIN A {eval=5} (MAX {eval=1} (2 3) 4) MIN B {eval=4} (6 7))")
    found = decisions_by_depth(tree)
    assert [(step.value, [tree.names[node] for node in step.best]) for step in found] == [
        (5, ["A"]),
        (6, ["B"]),
        (6, ["B"]),
    ]
    assert changed_depths(found) == (2,)
    assert found[-1].value == minimax(tree)[0]
    with pytest.raises(LimitError):
        decisions_by_depth(tree_of("MAX (MIN (1 2) 3)"))


def test_a_category_of_positions() -> None:
    """82 % won, 2 % lost and 16 % drawn is worth 0.90 (Russell and Norvig, section 5.3.1)."""
    shares = [Fraction(82, 100), Fraction(2, 100), Fraction(16, 100)]
    assert expected_utility(list(zip(shares, [1, 0, Fraction(1, 2)], strict=True))) == Fraction(9, 10)
    with pytest.raises(ValueError, match="sum to 1"):
        expected_utility([(Fraction(1, 2), 1)])


def test_legal_evaluations() -> None:
    """An evaluation lies between loss and win, and is the utility where the game is over."""
    positions = [
        EvaluatedPosition(1, 1),
        EvaluatedPosition(Fraction(1, 2)),
        EvaluatedPosition(0, Fraction(1, 2)),
        EvaluatedPosition(2),
    ]
    assert illegal_evaluations(positions, 0, 1) == (
        (2, IllegalEvaluation.NOT_UTILITY),
        (3, IllegalEvaluation.BEYOND),
    )
    assert illegal_evaluations([*positions[:2], EvaluatedPosition(0), EvaluatedPosition(1)], 0, 1) == ()


@given(trees(plies=5, payoffs=TIED), st.sampled_from(("cut", "keep")), st.data())
def test_true_bounds_keep_the_value(tree: Tree, ties: str, data: st.DataObject) -> None:
    """True bounds do not change the value of the root, and never cause more visits."""
    rules, exact = Rules(ties=ties), minimax(tree)
    known = {
        node: (exact[node] - data.draw(st.integers(0, 2)), exact[node] + data.draw(st.integers(0, 2)))
        for node in tree.internal[1:]
        if data.draw(st.booleans())
    }
    done, plain = search_with_bounds(tree, rules, known), value_test(tree, rules)
    assert done.returned[0] == exact[0]
    assert search_with_bounds(tree, rules, {}) == plain
    assert all(before or not after for before, after in zip(plain.visited, done.visited, strict=True))


@pytest.mark.parametrize("text", ["MAX (CHANCE (1 2) 3)", "P1 (P2 (<1, 2> <3, 4>) <5, 6>)"])
def test_bounds_are_for_two_players(text: str) -> None:
    """Trees with chance nodes or several players are refused."""
    tree = tree_of(text)
    with pytest.raises(Unsolvable, match=r"Star1|several players"):
        search_with_bounds(tree, Rules(), dict.fromkeys(tree.children[0], (0, 9)))


def test_an_upper_bound_prunes() -> None:
    """B is known to be at most 2, and MAX has 3: nothing below B is visited (CS7IS2)."""
    tree = tree_of("MAX (MIN A (3 12 8) MIN B (2 4 6))")
    node = tree.index["B"]
    done = search_with_bounds(tree, Rules(), {node: (-INFINITY, 2)})
    assert done.visited[node]
    assert not any(done.visited[child] for child in tree.children[node])
    assert Cut(node, node, 2, 3, INFINITY, tree.children[node]) in done.trace
    tied = search_with_bounds(tree, Rules(ties="keep"), {node: (-INFINITY, 3)})
    assert any(tied.visited[child] for child in tree.children[node])
