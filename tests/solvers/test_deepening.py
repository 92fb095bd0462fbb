"""Iterative deepening, against the figures of a lecture and searches done by hand."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.solvers.alphabeta import value_test
from grader.solvers.depth_limit import LimitError
from grader.solvers.iterative_deepening import iterative_deepening, leaf_means
from grader.solvers.minimax import minimax
from grader.solvers.solvable import Unsolvable
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree
from tests.strategies import TIED, trees

EIGHT = "MAX R (MIN A (MAX C (3 4) MAX D (1 2)) MIN B (MAX E (7 8) MAX F (5 6)))"
"""Uniform, the most favourable nodes last: as in the lecture's example."""


def names(tree: Tree, nodes: tuple[int, ...]) -> list[str]:
    """The names of nodes."""
    return [tree.names[node] for node in nodes]


def test_eight_leaves_by_averages() -> None:
    """Averages turn the root at L = 2 and B at L = 3; then 3 leaves are pruned instead of none."""
    tree = tree_of(EIGHT)
    one, two, three = iterative_deepening(tree, Rules(), scores="own", evaluations="average")
    assert names(tree, one.orders[0]) == ["A", "B"]
    assert names(tree, two.orders[0]) == ["B", "A"]
    assert names(tree, two.orders[tree.index["A"]]) == ["C", "D"]
    assert [names(tree, three.orders[tree.index[name]]) for name in "RAB"] == [
        ["B", "A"],
        ["C", "D"],
        ["F", "E"],
    ]
    assert [names(tree, (step.move,)) for step in (one, two, three)] == [["B"], ["B"], ["B"]]
    assert [step.values[0] for step in (one, two, three)] == [Fraction(13, 2), Fraction(11, 2), 6]
    assert [len(step.pruned) for step in (one, two, three)] == [0, 1, 3]
    assert names(tree, two.pruned) == ["D"]


def test_nodes_pruned_keep_their_score() -> None:
    """D is pruned in the search of depth 2 and never scored, so it stays after C; later scores remain."""
    tree = tree_of(EIGHT)
    _, two, three = iterative_deepening(tree, Rules(), evaluations="average")
    assert two.scores[tree.index["D"]] is None
    assert two.scores[tree.index["C"]] == Fraction(7, 2)
    assert three.scores[tree.index["A"]] == Fraction(5, 2)


def test_backed_up_scores() -> None:
    """With `backed-up`, the score of a node is the value it returned in the last search that visited it."""
    tree = tree_of("MAX R (MIN A {eval=5} (1 9) MIN B {eval=3} (4 6) MIN C {eval=3} (2 7))")
    one, two = iterative_deepening(tree, Rules(), scores="backed-up")
    assert names(tree, one.visited) == ["R", "A", "B", "C"]
    assert one.move == tree.index["A"]
    assert names(tree, two.orders[0]) == ["A", "B", "C"]
    assert two.move == tree.index["B"]
    assert [two.scores[tree.index[name]] for name in "ABC"] == [1, 4, 2]
    assert [tree.payoffs[leaf] for leaf in two.pruned] == [7]


def test_equal_scores_keep_their_order() -> None:
    """Children with equal scores stay as they were, under either order of visiting."""
    tree = tree_of("MAX R (MIN A {eval=1} (1 9) MIN B {eval=2} (4 6) MIN C {eval=2} (2 7))")
    last = iterative_deepening(tree, Rules())[-1]
    assert names(tree, last.orders[0]) == ["B", "C", "A"]
    last = iterative_deepening(tree, Rules(order="right-to-left"))[-1]
    assert names(tree, last.orders[0]) == ["A", "B", "C"]


@given(
    trees(plies=5, payoffs=TIED, unary=False),
    st.sampled_from(("own", "backed-up")),
    st.sampled_from(("cut", "keep")),
    st.sampled_from(("left-to-right", "right-to-left")),
)
def test_the_last_search_is_minimax(tree: Tree, scores: str, ties: str, order: str) -> None:
    """The search to the full depth finds the root's value and an optimal move, and orders are orders."""
    rules = Rules(ties=ties, order=order)
    steps = iterative_deepening(tree, rules, scores=scores, evaluations="average")
    assert [step.depth for step in steps] == list(range(1, max(tree.depths) + 1))
    for step in steps:
        assert [sorted(order) for order in step.orders] == [list(children) for children in tree.children]
        assert set(step.frontier) - set(step.pruned) == set(step.frontier) & set(step.visited)
        assert not set(step.pruned) & set(step.visited)
    if steps:
        values = minimax(tree)
        assert steps[-1].values[0] == values[0]
        assert values[steps[-1].move] == values[0]


@given(trees(plies=5, payoffs=TIED))
def test_the_first_search_is_in_the_given_order(tree: Tree) -> None:
    """Before any node is scored, the children are in the given order; depth 1 visits them all."""
    if tree.players[0] is None:
        return
    step = iterative_deepening(tree, Rules(), evaluations="average", depth=1)[0]
    assert step.orders == tree.children
    assert step.visited == (0, *tree.children[0])
    best = max if tree.players[0] is Player.MAX else min
    assert step.values[0] == best(leaf_means(tree)[child] for child in tree.children[0])


def test_without_sorting_nothing_changes() -> None:
    """If the averages do not change the given order, the last search is the plain search."""
    tree = tree_of("MAX (MIN (MAX (9 8) MAX (11 10)) MIN (MAX (5 4) MAX (7 6)))")
    step = iterative_deepening(tree, Rules(), evaluations="average", scores="own")[-1]
    visited = value_test(tree, Rules()).visited
    assert step.orders == tree.children
    assert step.pruned
    assert step.visited == tuple(node for node in range(len(tree)) if visited[node])


def test_a_leaf_has_no_move() -> None:
    """A tree that is a leaf has no move, at any search depth."""
    assert iterative_deepening(tree_of("7"), Rules()) == ()
    (step,) = iterative_deepening(tree_of("7"), Rules(), depth=1)
    assert (step.values, step.move) == ((7,), -1)


def test_refusals() -> None:
    """Chance nodes and several players are refused, and nodes at the limit without an evaluation."""
    for text in ("MAX (CHANCE (1 2) 3)", "P1 (<1, 2> <3, 4>)"):
        with pytest.raises(Unsolvable):
            iterative_deepening(tree_of(text), Rules(), evaluations="average")
    with pytest.raises(LimitError):
        iterative_deepening(tree_of("MAX (MIN (1 2) 3)"), Rules())
    deep = replace(tree_of("MAX (3 4)"))
    assert len(iterative_deepening(deep, Rules())) == 1
