"""Patterns of crosses, against all orders of payoffs that small shapes can have."""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Set
from itertools import chain, combinations, product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.solvers.alphabeta import value_test
from grader.solvers.lockstep import lockstep
from grader.solvers.pruning_pattern import Infeasible, InfeasibleReason, payoffs_for_pattern
from grader.solvers.solvable import Unsolvable
from grader.solvers.visited_nodes import pruned_branches
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Order, Rules
from grader.trees.tree import Player, Tree
from tests.solvers.definition import alternating, shapes
from tests.solvers.transformations import mirrored
from tests.strategies import TIED, random_tree, trees


def patterns(tree: Tree) -> Iterator[frozenset[int]]:
    """Yield every set of branches, none of them below another."""
    nodes = range(1, len(tree))
    for chosen in chain.from_iterable(combinations(nodes, count) for count in range(len(tree))):
        if not any(set(tree.ancestors(node)) & set(chosen) for node in chosen):
            yield frozenset(chosen)


def shaped(leaves: int) -> list[Tree]:
    """Return every tree shape with this many leaves, MAX and MIN alternating, with either at the root."""
    return [
        alternating(shape, root, tuple(range(leaves)))
        for shape in shapes(leaves)
        for root in (Player.MAX, Player.MIN)
    ]


def ever_pruned(tree: Tree, rules: Rules) -> set[frozenset[int]]:
    """Return every set of pruned branches under some payoffs; as many numbers as leaves give every order."""
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
                answer = payoffs_for_pattern(tree, order, pattern)
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
    """The branches that a search prunes are a possible pattern, and its payoffs prune exactly these."""
    hold_to_searches(tree, order)


def test_what_was_pruned_in_deep_trees() -> None:
    """The same in sixty random trees, in which many values must be inside a window."""
    random = Random(5)
    for _ in range(60):
        hold_to_searches(random_tree(random), random.choice(("left-to-right", "right-to-left")))


def hold_to_searches(tree: Tree, order: str) -> None:
    """Check the payoffs for what a search prunes; crosses below a cross change nothing; payoffs are ranks."""
    for ties in ("cut", "keep"):
        pattern = frozenset(pruned_branches(tree, value_test(tree, Rules(order=order, ties=ties)).visited))
        answer = payoffs_for_pattern(tree, order, pattern)
        assert not isinstance(answer, Infeasible)
        below = {node for node in range(len(tree)) if pattern & set(tree.ancestors(node))}
        assert payoffs_for_pattern(tree, order, pattern | below) == answer
        assert set(answer) == set(range(1, len(set(answer)) + 1))
        again = tree.with_payoffs(answer)
        for rule in ("cut", "keep"):
            visited = value_test(again, Rules(order=order, ties=rule)).visited
            assert frozenset(pruned_branches(again, visited)) == pattern


@pytest.mark.parametrize(
    ("text", "crossed", "why", "node"),
    [
        ("MAX R (MIN A (1 2) MIN B (3 4))", ["R"], InfeasibleReason.ROOT, "R"),
        ("MAX R (MIN A (1 2) MIN B (b=3 4))", ["b"], InfeasibleReason.FIRST_CHILD, "b"),
        ("MAX R (MIN A (1 2) MIN B (3 b=4 c=5))", ["b"], InfeasibleReason.GAP, "c"),
        ("MAX R (MIN A (1 a=2) MIN B (3 4))", ["a"], InfeasibleReason.NO_BOUND, "A"),
        ("MAX R (MIN A (1 2) MIN B (3 4))", ["B"], InfeasibleReason.NO_BOUND, "R"),
        (
            "MAX R (MIN A (1 2) MIN B (MAX C (MIN D (1 d=2) MIN E (3 e=4)) MAX F (5 6)))",
            ["d", "e"],
            InfeasibleReason.FORCED,
            "B",
        ),
        ("MAX R (MIN A (MAX C (MIN D (1 d=2) 3) 4) 5)", ["d"], InfeasibleReason.NO_BOUND, "D"),
    ],
)
def test_reasons(text: str, crossed: list[str], why: InfeasibleReason, node: str) -> None:
    """For an impossible pattern, the first reason is returned with its node."""
    tree = tree_of(text)
    answer = payoffs_for_pattern(tree, "left-to-right", {tree.index[name] for name in crossed})
    assert answer == Infeasible(why, tree.index[node])


def test_a_conflict() -> None:
    """When C is cut by a beta of B it gives B nothing new, so no alpha of R cuts B after it alone."""
    tree = tree_of("MAX R (MIN A (1 2) MIN B (5 MAX C (3 c=4) b=6))")
    crossed = {tree.index["c"], tree.index["b"]}
    answer = payoffs_for_pattern(tree, "left-to-right", crossed)
    assert answer == Infeasible(InfeasibleReason.CONFLICT, tree.index["B"])
    for pattern in ({tree.index["c"]}, {tree.index["b"]}):
        assert isinstance(payoffs_for_pattern(tree, "left-to-right", pattern), tuple)


@pytest.mark.parametrize("leaves", [4, 5])
def test_a_conflict_in_the_mirror(leaves: int) -> None:
    """The cut at which a pattern becomes impossible is the same one in the mirror, searched from there."""
    for tree in shaped(leaves):
        image, nodes = mirrored(tree)
        for pattern in patterns(tree):
            answer = payoffs_for_pattern(tree, "left-to-right", pattern)
            if isinstance(answer, Infeasible) and answer.reason is InfeasibleReason.CONFLICT:
                crossed = {place for place, node in enumerate(nodes) if node in pattern}
                conflict = Infeasible(InfeasibleReason.CONFLICT, nodes.index(answer.node))
                assert payoffs_for_pattern(image, "right-to-left", crossed) == conflict


def ever_visited(tree: Tree, order: Order) -> list[tuple[bool, ...]]:
    """Return every set of nodes that a search visits under some payoffs, by either tie rule."""
    size = len(tree.leaves)
    payoffs = np.array(list(product(range(size), repeat=size)))
    found = (lockstep(tree, payoffs, Rules(ties=ties, order=order)).visited for ties in ("cut", "keep"))
    return [tuple(column) for column in np.unique(np.hstack([*found]), axis=1).T.tolist()]


def finished(tree: Tree, order: Order, node: int = 0) -> list[int]:
    """The nodes in the order in which a search leaves them."""
    below = [finished(tree, order, child) for child in tree.visiting(node, order)]
    return [*chain.from_iterable(below), node]


def happen(nodes: Iterable[int], tree: Tree, pattern: Set[int], play: tuple[bool, ...]) -> bool:
    """Whether all these nodes are visited, and cut as the pattern says."""
    return all(
        play[node] and all(play[child] != (child in pattern) for child in tree.children[node])
        for node in nodes
    )


def hold_reasons_to_all_payoffs(leaves: int) -> int:
    """Check under all payoffs which cuts cannot happen together; return the number of such patterns."""
    told = 0
    orders: tuple[Order, ...] = ("left-to-right", "right-to-left")
    for tree, order in product(shaped(leaves), orders):
        visits, leaving = ever_visited(tree, order), finished(tree, order)
        for pattern in patterns(tree):
            answer = payoffs_for_pattern(tree, order, pattern)
            if not isinstance(answer, Infeasible) or answer.reason not in (
                InfeasibleReason.CONFLICT,
                InfeasibleReason.FORCED,
            ):
                continue
            visited = [node for node in leaving if not pattern & {node, *tree.ancestors(node)}]
            cuts = [node for node in visited if pattern & {*tree.children[node]}]
            if answer.reason is InfeasibleReason.CONFLICT:
                cuts = cuts[: cuts.index(answer.node)]
                assert cuts
                assert any(happen([answer.node], tree, pattern, play) for play in visits)
            assert any(happen(cuts, tree, pattern, play) for play in visits)
            about = visited if answer.node is None else [answer.node]
            assert not any(happen([*cuts, *about], tree, pattern, play) for play in visits)
            told += 1
    return told


def test_the_cut_that_does_not_go_with_those_before_it() -> None:
    """In all shapes of five leaves."""
    assert hold_reasons_to_all_payoffs(5) == 8


@pytest.mark.slow
def test_what_cuts_force_or_forbid_in_larger_shapes() -> None:
    """In all shapes of six leaves, where one cut can also force another one."""
    assert hold_reasons_to_all_payoffs(6) > 100


def test_the_same_payoffs_everywhere() -> None:
    """The payoffs found do not depend on the hashes of a process."""
    code = (
        "from grader.trees.rules import Rules\n"
        "from grader.solvers.pruning_pattern import payoffs_for_pattern\n"
        "from grader.solvers.sweep import sweep\n"
        "from grader.solvers.visited_nodes import pruned_branches\n"
        "from tests.solvers.transformations import uniform\n"
        "for step in range(1, 11):\n"
        "    tree = uniform(2, 5, lambda path: path * step % 11)\n"
        "    pattern = set(pruned_branches(tree, sweep(tree, Rules()).visited))\n"
        "    print(payoffs_for_pattern(tree, 'left-to-right', pattern))\n"
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
        payoffs_for_pattern(tree_of(text), "left-to-right", set())
