"""Everything there is to report about a tree under rules."""

from dataclasses import dataclass, replace
from typing import cast

from grader.base.numbers import Number
from grader.rules import Rules
from grader.solvers.limit import limited
from grader.solvers.payoffs import UnknownPayoff, several_players
from grader.solvers.searching import TESTS, search
from grader.solvers.sweep import sweep
from grader.solvers.trace import Search, pruned_branches, pruned_paths
from grader.solvers.unknowns import Interval, certain_best, intervals
from grader.solvers.values import best_children, principal_variations, values
from grader.tree import Tree, Value, require_tree

TRACED_NODES = 200_000
"""Trees with more nodes are solved without a trace: nobody steps through a million events."""


@dataclass(frozen=True, slots=True)
class Solution:
    """A solved tree; tuples of nodes' results are aligned with the nodes of `tree`.

    - `tree`: the tree as searched, cut at the depth limit of the rules.
    - `values`: exact values; None where an unknown payoff decides.
    - `intervals`: between which values each node lies; None when all payoffs are known.
    - `best`: all optimal children; None where an unknown payoff decides which they are.
    - `principal_variations`: lines of best play from the root, at most 100.
    - `search`: the search in the test the rules name, Star1 where chance moves. Without its trace
      when the tree has more than `TRACED_NODES` nodes.
    - `variants`: the pruned path numbers by the `value` and by the `window` test.
    - `pruned_paths`, `visited_leaves`: path numbers, ascending.
    - `pruned_branches`: the topmost node of every pruned subtree.
    - `other_ties`: the pruned path numbers under the other tie rule.
    - `convention_sensitive`: whether the two tie rules prune different leaves.
    - `blocked_by`: the unknown leaf the search came to.

    All from `search` on are None for games of several players, and when `blocked_by` names a leaf;
    `other_ties` and `convention_sensitive` alone are None when only the other tie rule comes to an unknown.
    """

    tree: Tree
    rules: Rules
    values: tuple[Value | None, ...]
    intervals: tuple[Interval, ...] | None
    best: tuple[tuple[int, ...] | None, ...]
    principal_variations: tuple[tuple[int, ...], ...]
    search: Search | None = None
    variants: dict[str, tuple[int, ...]] | None = None
    pruned_paths: tuple[int, ...] | None = None
    pruned_branches: tuple[int, ...] | None = None
    visited_leaves: tuple[int, ...] | None = None
    other_ties: tuple[int, ...] | None = None
    convention_sensitive: bool | None = None
    blocked_by: int | None = None


def solve(tree: Tree, rules: Rules) -> Solution:
    """Solve a tree under rules: values, best moves, lines of best play, and what alpha-beta prunes.

    Raises `LimitError` for a node at the depth limit without a static evaluation, `BoundsError`
    for a payoff outside the bounds of a tree with chance nodes, and `grader.tree.TreeError` for the
    diagnosis of a text. An unknown payoff raises nothing: where it decides, the answer is None.
    A tree of a million leaves takes seconds and below 1 GB.
    """
    tree = limited(require_tree(tree), rules.depth)
    solution = _valued(tree, rules)
    if several_players(tree):
        return solution
    try:
        found = search(tree, rules, traced=len(tree) <= TRACED_NODES)
    except UnknownPayoff as unknown:
        return replace(solution, blocked_by=unknown.leaf)
    pruned = pruned_paths(tree, found.visited)
    other_ties = _other_ties(tree, rules)
    return replace(
        solution,
        search=found,
        variants=_variants(tree, rules, pruned),
        pruned_paths=pruned,
        pruned_branches=pruned_branches(tree, found.visited),
        visited_leaves=tuple(tree.paths[leaf] for leaf in tree.leaves if found.visited[leaf]),
        other_ties=other_ties,
        convention_sensitive=None if other_ties is None else other_ties != pruned,
    )


def _valued(tree: Tree, rules: Rules) -> Solution:
    """The part of a solution that needs no search."""
    between: tuple[Interval, ...] | None = None
    blocked: int | None = None
    found: tuple[Value | None, ...]
    best: tuple[tuple[int, ...] | None, ...]
    if not tree.unknowns:
        exact_values = values(tree)
        found, best = exact_values, best_children(tree, exact_values)
    elif several_players(tree):
        # A player's choice can turn on an unknown anywhere, so nothing at all is claimed.
        found = best = (None,) * len(tree)
        blocked = tree.unknowns[0]
    else:
        between = intervals(tree, rules.bounds)
        # Equal ends are finite: an unknown without bounds lies between two different infinities.
        found = tuple(cast(Number, least) if least == most else None for least, most in between)
        best = certain_best(tree, between)
    lines = () if blocked is not None else principal_variations(best)
    return Solution(tree, rules, found, between, best, lines, blocked_by=blocked)


def _variants(tree: Tree, rules: Rules, pruned: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    """The pruned path numbers by both tests; Star1 has one form, so they are the same where chance moves."""
    if tree.has_chance:
        return {"value": pruned, "window": pruned}
    return {
        name: pruned if name == rules.test else pruned_paths(tree, test(tree, rules, traced=False).visited)
        for name, test in TESTS.items()
    }


def _other_ties(tree: Tree, rules: Rules) -> tuple[int, ...] | None:
    """The pruned path numbers under the other tie rule; None when its search comes to an unknown."""
    other = rules.with_other_ties()
    if not tree.has_chance and not tree.unknowns:
        return pruned_paths(tree, sweep(tree, other).visited)
    try:
        return pruned_paths(tree, search(tree, other, traced=False).visited)
    except UnknownPayoff:
        return None
