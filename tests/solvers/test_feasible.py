"""Patterns of crosses, against all orders of payoffs that small shapes can have."""

from collections.abc import Iterator
from itertools import chain, combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.notation.reading import read_tree
from grader.rules import Rules
from grader.solvers.alphabeta import value_test
from grader.solvers.feasible import Infeasible, Why, crossed_pattern
from grader.solvers.lockstep import lockstep
from grader.solvers.payoffs import Unsolvable
from grader.solvers.trace import pruned_branches
from grader.tree import Player, Tree
from tests.solvers.definition import alternating, shapes
from tests.strategies import TIED, trees


def tree_from(text: str) -> Tree:
    """The tree in a text."""
    tree = read_tree(text)
    assert isinstance(tree, Tree), str(tree)
    return tree


def patterns(tree: Tree) -> Iterator[frozenset[int]]:
    """Every set of branches none of which lies below another."""
    nodes = range(1, len(tree))
    for chosen in chain.from_iterable(combinations(nodes, count) for count in range(len(tree))):
        if not any(set(tree.ancestors(node)) & set(chosen) for node in chosen):
            yield frozenset(chosen)


def shaped(leaves: int) -> list[Tree]:
    """Every shape with so many leaves in which MAX and MIN alternate, with either at the root."""
    return [
        alternating(shape, root, tuple(range(leaves)))
        for shape in shapes(leaves)
        for root in (Player.MAX, Player.MIN)
    ]


def ever_pruned(tree: Tree, rules: Rules) -> set[frozenset[int]]:
    """What is pruned under any payoffs: as many numbers as leaves show every order of them, ties included."""
    size = len(tree.leaves)
    payoffs = np.array(list(product(range(size), repeat=size)))
    visited = np.unique(lockstep(tree, payoffs, rules).visited, axis=1)
    return {frozenset(pruned_branches(tree, tuple(column))) for column in visited.T.tolist()}


def hold_to_all_payoffs(leaves: int) -> None:
    """A pattern is possible exactly when some payoffs prune it, under either tie rule and in either order."""
    for tree in shaped(leaves):
        for order, ties in product(("left-to-right", "right-to-left"), ("cut", "keep")):
            pruned = ever_pruned(tree, Rules(ties=ties, order=order))
            for pattern in patterns(tree):
                answer = crossed_pattern(tree, order, pattern)
                assert isinstance(answer, Infeasible) != (pattern in pruned), (tree.parents, pattern)


@pytest.mark.parametrize("leaves", [2, 3, 4])
def test_exactly_what_some_payoffs_prune(leaves: int) -> None:
    """For every small shape, a pattern is possible exactly when some payoffs prune it; ties add nothing."""
    hold_to_all_payoffs(leaves)


@pytest.mark.slow
def test_exactly_what_some_payoffs_prune_in_larger_shapes() -> None:
    """The same for every shape of five leaves."""
    hold_to_all_payoffs(5)


@settings(deadline=None)
@given(trees(plies=6, payoffs=TIED), st.sampled_from(("left-to-right", "right-to-left")))
def test_what_was_pruned_can_be_pruned(tree: Tree, order: str) -> None:
    """What a search prunes is possible, and the payoffs found prune exactly that under either tie rule."""
    for ties in ("cut", "keep"):
        pattern = frozenset(pruned_branches(tree, value_test(tree, Rules(order=order, ties=ties)).visited))
        answer = crossed_pattern(tree, order, pattern)
        assert not isinstance(answer, Infeasible)
        again = tree.with_payoffs(answer)
        for rule in ("cut", "keep"):
            visited = value_test(again, Rules(order=order, ties=rule)).visited
            assert frozenset(pruned_branches(again, visited)) == pattern


@pytest.mark.parametrize(
    ("text", "crossed", "why", "node"),
    [
        ("MAX R (MIN A (1 2) MIN B (3 4))", ["R"], Why.ROOT, "R"),
        ("MAX R (MIN A (1 2) MIN B (b=3 4))", ["b"], Why.FIRST_CHILD, "b"),
        ("MAX R (MIN A (1 2) MIN B (3 b=4 c=5))", ["b"], Why.GAP, "c"),
        ("MAX R (MIN A (1 a=2) MIN B (3 4))", ["a"], Why.NO_BOUND, "A"),
        ("MAX R (MIN A (1 2) MIN B (3 4))", ["B"], Why.NO_BOUND, "R"),
        (
            "MAX R (MIN A (1 2) MIN B (MAX C (MIN D (1 d=2) MIN E (3 e=4)) MAX F (5 6)))",
            ["d", "e"],
            Why.FORCED,
            "B",
        ),
    ],
)
def test_reasons(text: str, crossed: list[str], why: Why, node: str) -> None:
    """Where no payoffs do it, the first reason is told with its node."""
    tree = tree_from(text)
    answer = crossed_pattern(tree, "left-to-right", {tree.index[name] for name in crossed})
    assert answer == Infeasible(why, tree.index[node])


def test_a_conflict() -> None:
    """C cannot be cut by a beta of B and still let B be cut by an alpha of R after it alone."""
    tree = tree_from("MAX R (MIN A (1 2) MIN B (5 MAX C (3 c=4) b=6))")
    crossed = {tree.index["c"], tree.index["b"]}
    answer = crossed_pattern(tree, "left-to-right", crossed)
    assert isinstance(answer, Infeasible)
    assert answer.why is Why.CONFLICT
    for pattern in ({tree.index["c"]}, {tree.index["b"]}):
        assert isinstance(crossed_pattern(tree, "left-to-right", pattern), tuple)


def test_refusals() -> None:
    """Chance nodes are refused."""
    with pytest.raises(Unsolvable):
        crossed_pattern(tree_from("MAX (CHANCE (1 2) 3)"), "left-to-right", set())
