"""One step of backing up, against the solvers that back up whole trees."""

import pytest
from hypothesis import given

from grader.base.numbers import INFINITY
from grader.solvers.backup import back_up
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.maxn import maxn
from grader.solvers.minimax import minimax
from grader.trees.notation.reading import tree_of
from grader.trees.tree import Tree
from tests.solvers.test_values import CHANCE, MAX, MIN, build_tree
from tests.strategies import TIED, trees


@given(trees(payoffs=TIED))
def test_it_is_minimax(tree: Tree) -> None:
    """Backing up the minimax values of the children gives the minimax value of every inner node."""
    values = minimax(tree)
    for node in tree.internal:
        assert back_up(tree, node, [values[child] for child in tree.children[node]]) == values[node]


@given(trees(chance=True))
def test_it_is_expectiminimax(tree: Tree) -> None:
    """The same with chance, and whole numbers stay `int`."""
    values = expectiminimax(tree)
    for node in tree.internal:
        found = back_up(tree, node, [values[child] for child in tree.children[node]])
        assert (found, type(found)) == (values[node], type(values[node]))


@given(trees(chance=True, seats=3, payoffs=TIED))
def test_it_is_maxn(tree: Tree) -> None:
    """The same with vectors, where the leftmost of equals counts."""
    values = maxn(tree)
    for node in tree.internal:
        assert back_up(tree, node, [values[child] for child in tree.children[node]]) == values[node]


def test_what_is_not_known_is_infinite() -> None:
    """An infinite outcome makes the expectation infinite, unless it never happens."""
    tree = tree_of("CHANCE (1/2: 1, 1/2: 5, 0: 9)")
    assert back_up(tree, 0, [1, INFINITY, 9]) == INFINITY
    assert back_up(tree, 0, [-INFINITY, 5, 9]) == -INFINITY
    assert back_up(tree, 0, [1, 5, INFINITY]) == 3


def test_a_player_chooses_among_what_is_left() -> None:
    """Some children may be left out at a player's node, but not at a chance node."""
    assert back_up(build_tree((MAX, [1, 5, 9])), 0, [1, 5]) == 5
    assert back_up(build_tree((MIN, [1, 5, 9])), 0, [5, 9]) == 5
    with pytest.raises(ValueError, match="shorter"):
        back_up(build_tree((CHANCE, [1, 5, 9])), 0, [1, 5])


def test_nothing_is_backed_up_to_a_leaf() -> None:
    """A leaf has no children to take a value from."""
    with pytest.raises(ValueError, match="is a leaf"):
        back_up(build_tree((MAX, [1, 5])), 1, [1])
