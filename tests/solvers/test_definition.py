"""The searches and the sweep against the definition of a pruned leaf."""

from itertools import product
from random import Random

import pytest
from hypothesis import given

from grader.solvers.alphabeta import value_test, window_test
from grader.solvers.sweep import sweep
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree
from tests.solvers.definition import alternating, shapes, visited_paths
from tests.strategies import TIED, random_tree, rules, trees

BOTH_TIES = (Rules(), Rules(ties="keep"))


def _paths(tree: Tree, visited: tuple[bool, ...]) -> tuple[int, ...]:
    return tuple(tree.paths[leaf] for leaf in tree.leaves if visited[leaf])


def _hold_to_the_definition(tree: Tree, convention: Rules) -> None:
    defined = visited_paths(tree, convention.order, convention.ties)
    assert _paths(tree, value_test(tree, convention, traced=False).visited) == defined
    assert _paths(tree, window_test(tree, convention, traced=False).visited) == defined
    assert _paths(tree, sweep(tree, convention).visited) == defined


@given(trees(payoffs=TIED), rules())
def test_definition(tree: Tree, convention: Rules) -> None:
    """A leaf is visited exactly when the root's value depends on it for some later leaves."""
    _hold_to_the_definition(tree, convention)


def _campaign(seed: int, count: int) -> None:
    random = Random(seed)
    for _ in range(count):
        tree = random_tree(random, payoffs=random.choice(((0, 1), (0, 1, 2, 3), tuple(range(-50, 50)))))
        for convention in BOTH_TIES:
            _hold_to_the_definition(tree, convention)


def test_definition_on_two_hundred_trees() -> None:
    """The definition holds on 200 random trees of up to six plies, ties forced, under both tie rules."""
    _campaign(seed=1, count=200)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_definition_on_a_hundred_thousand_trees(seed: int) -> None:
    """The definition holds on ten times 10,000 random trees, under both tie rules."""
    _campaign(seed=100 + seed, count=10_000)


def _exhaustively(leaves: int) -> int:
    count = 0
    for shape in shapes(leaves):
        for root, payoffs in product((Player.MAX, Player.MIN), product(range(3), repeat=leaves)):
            tree = alternating(shape, root, payoffs)
            count += 1
            for convention in BOTH_TIES:
                _hold_to_the_definition(tree, convention)
    return count


@pytest.mark.parametrize(("leaves", "count"), [(1, 6), (2, 18), (3, 3 * 54), (4, 11 * 162)])
def test_definition_exhaustively(leaves: int, count: int) -> None:
    """The definition holds on every alternating tree of up to four leaves with payoffs 0 to 2."""
    assert _exhaustively(leaves) == count


@pytest.mark.slow
def test_definition_exhaustively_on_five_leaves() -> None:
    """The definition holds on every alternating tree of five leaves with payoffs 0 to 2."""
    assert _exhaustively(5) == 45 * 486
