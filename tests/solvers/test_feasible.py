"""Patterns of crosses, against all orders of payoffs that small shapes can have."""

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain, combinations, product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.notation.reading import read_tree
from grader.rules import Rules
from grader.solvers.alphabeta import value_test
from grader.solvers.feasible import Infeasible, Why, crossed_pattern
from grader.solvers.lockstep import lockstep
from grader.solvers.solvable import Unsolvable
from grader.solvers.visited import pruned_branches
from grader.tree import Player, Tree
from tests.solvers.definition import alternating, shapes
from tests.solvers.transformations import mirrored
from tests.strategies import TIED, random_tree, trees


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
    hold_to_searches(tree, order)


def test_what_was_pruned_in_deep_trees() -> None:
    """The same in sixty random trees, where many values have to lie inside a window."""
    random = Random(5)
    for _ in range(60):
        hold_to_searches(random_tree(random), random.choice(("left-to-right", "right-to-left")))


def hold_to_searches(tree: Tree, order: str) -> None:
    """What a search prunes is possible; below a cross more crosses change nothing; payoffs are ranks."""
    for ties in ("cut", "keep"):
        pattern = frozenset(pruned_branches(tree, value_test(tree, Rules(order=order, ties=ties)).visited))
        answer = crossed_pattern(tree, order, pattern)
        assert not isinstance(answer, Infeasible)
        below = {node for node in range(len(tree)) if pattern & set(tree.ancestors(node))}
        assert crossed_pattern(tree, order, pattern | below) == answer
        assert set(answer) == set(range(1, len(set(answer)) + 1))
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
        ("MAX R (MIN A (MAX C (MIN D (1 d=2) 3) 4) 5)", ["d"], Why.NO_BOUND, "D"),
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
    assert answer == Infeasible(Why.CONFLICT, tree.index["C"])
    for pattern in ({tree.index["c"]}, {tree.index["b"]}):
        assert isinstance(crossed_pattern(tree, "left-to-right", pattern), tuple)


@pytest.mark.parametrize("leaves", [4, 5])
def test_a_conflict_in_the_mirror(leaves: int) -> None:
    """The cut at which a pattern becomes impossible is the same one in the mirror, searched from there."""
    for tree in shaped(leaves):
        image, nodes = mirrored(tree)
        for pattern in patterns(tree):
            answer = crossed_pattern(tree, "left-to-right", pattern)
            if isinstance(answer, Infeasible) and answer.why is Why.CONFLICT:
                crossed = {place for place, node in enumerate(nodes) if node in pattern}
                conflict = Infeasible(Why.CONFLICT, nodes.index(answer.node))
                assert crossed_pattern(image, "right-to-left", crossed) == conflict


def test_the_same_payoffs_everywhere() -> None:
    """The payoffs found do not depend on the hashes of a process."""
    code = (
        "from grader.rules import Rules\n"
        "from grader.solvers.feasible import crossed_pattern\n"
        "from grader.solvers.sweep import sweep\n"
        "from grader.solvers.visited import pruned_branches\n"
        "from tests.solvers.transformations import uniform\n"
        "for step in range(1, 11):\n"
        "    tree = uniform(2, 5, lambda path: path * step % 11)\n"
        "    pattern = set(pruned_branches(tree, sweep(tree, Rules()).visited))\n"
        "    print(crossed_pattern(tree, 'left-to-right', pattern))\n"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "2")
    }
    assert len(printed) == 1


@pytest.mark.parametrize("text", ["MAX (CHANCE (1 2) 3)", "P1 (P2 (<1, 2> <3, 4>) <5, 6>)"])
def test_refusals(text: str) -> None:
    """Chance nodes and several players are refused."""
    with pytest.raises(Unsolvable):
        crossed_pattern(tree_from(text), "left-to-right", set())
