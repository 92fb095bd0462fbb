"""The solution of a tree under rules, with everything that commands and questions report."""

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal, cast

from grader.base.numbers import Number
from grader.solvers.depth_limit import truncate_at_depth
from grader.solvers.solvable import UnknownPayoff, several_players
from grader.solvers.sweep import Sweep, sweep
from grader.solvers.value_intervals import Interval, certain_best_children, intervals
from grader.solvers.values import best_children, principal_variations, values
from grader.solvers.visited_nodes import pruned_branches, pruned_paths, visited_paths
from grader.trees.rules import Rules, Ties
from grader.trees.tree import Tree, Value, require_tree

if TYPE_CHECKING:
    from grader.solvers.trace import Search

MAX_TRACED_NODES = 200_000
"""Larger trees are solved without a trace, which would have millions of events."""


# No slots: the cached properties are computed on first use.
@dataclass(frozen=True)
class Solution:
    """A solved tree; tuples of results are aligned with the nodes of `tree`.

    - `tree`: the tree as searched, truncated at the depth limit of the rules.
    - `values`: exact values; None if an unknown payoff decides.
    - `intervals`: the interval of each node's value; None if all payoffs are known.
    - `best`: all optimal children; None if an unknown payoff decides which they are.
    - `visit_record`: the visited nodes: a sweep if that is enough, else a search without a trace.
    - `blocked_by`: the unknown leaf that stopped the search.

    All results of the search are None for games of several players and if `blocked_by` is a leaf. Only
    `other_ties` and `convention_sensitive` are None if the search stops under the other tie rule alone.
    """

    tree: Tree
    rules: Rules
    values: tuple[Value | None, ...]
    intervals: tuple[Interval, ...] | None
    best: tuple[tuple[int, ...] | None, ...]
    visit_record: "Sweep | Search | None" = field(default=None, repr=False, compare=False)
    blocked_by: int | None = None

    @cached_property
    def principal_variations(self) -> tuple[tuple[int, ...], ...]:
        """Lines of best play from the root, at most 100; none if an unknown may decide every move."""
        return () if self.best[0] is None and self.intervals is None else principal_variations(self.best)

    @cached_property
    def search(self) -> "Search | None":
        """The search in the test the rules name, Star1 where chance moves, with its trace.

        Without the trace if the tree has more than `MAX_TRACED_NODES` nodes.
        """
        if self.visit_record is None:
            return None
        from grader.solvers.search_choice import search

        return search(self.tree, self.rules, traced=len(self.tree) <= MAX_TRACED_NODES)

    @property
    def shown_relation(self) -> Literal["=", "<=", ">="]:
        """What the search shows: the root's value is what it returns, or at most or at least that.

        With a given window, a value outside it is only a bound.
        """
        returned = None if self.search is None else self.search.returned[0]
        if self.rules.window is None or returned is None or returned in (self.rules.bounds or ()):
            return "="
        alpha, beta = self.rules.window
        if alpha < returned < beta or (self.rules.ties == "keep" and returned in (alpha, beta)):
            return "="
        return "<=" if returned <= alpha else ">="

    @cached_property
    def pruned_paths(self) -> tuple[int, ...] | None:
        """The numbers of the leaves that are never visited, ascending."""
        return None if self.visit_record is None else pruned_paths(self.tree, self.visit_record.visited)

    @cached_property
    def visited_leaves(self) -> tuple[int, ...] | None:
        """The numbers of the leaves that are visited, ascending."""
        return None if self.visit_record is None else visited_paths(self.tree, self.visit_record.visited)

    @cached_property
    def pruned_branches(self) -> tuple[int, ...] | None:
        """The topmost node of every pruned subtree."""
        return None if self.visit_record is None else pruned_branches(self.tree, self.visit_record.visited)

    @cached_property
    def variants(self) -> dict[str, tuple[int, ...]] | None:
        """The pruned leaf numbers by the `value` and by the `window` test.

        Star1 has one form, so they are the same where chance moves.
        """
        if self.pruned_paths is None:
            return None
        from grader.solvers.search_choice import SEARCH_BY_TEST

        if self.tree.has_chance:
            return dict.fromkeys(SEARCH_BY_TEST, self.pruned_paths)
        return {
            name: pruned_paths(self.tree, test(self.tree, self.rules, traced=False).visited)
            for name, test in SEARCH_BY_TEST.items()
        }

    @cached_property
    def other_ties(self) -> tuple[int, ...] | None:
        """The pruned leaf numbers under the other tie rule; None if its search reaches an unknown."""
        if self.visit_record is None:
            return None
        if isinstance(self.visit_record, Sweep):
            other: Ties = "keep" if self.rules.ties == "cut" else "cut"
            return pruned_paths(self.tree, self.visit_record.visited_under(other))
        from grader.solvers.search_choice import search

        try:
            other_search = search(self.tree, self.rules.with_other_ties(), traced=False)
            return pruned_paths(self.tree, other_search.visited)
        except UnknownPayoff:
            return None

    @property
    def convention_sensitive(self) -> bool | None:
        """Whether the two tie rules prune different leaves."""
        return None if self.other_ties is None else self.other_ties != self.pruned_paths


def solve(tree: Tree, rules: Rules) -> Solution:
    """Solve a tree under rules: values, best moves, lines of best play, and what alpha-beta prunes.

    Raises `LimitError` for a node at the depth limit without a static evaluation, `BoundsError`
    for a payoff outside the bounds, and `grader.trees.tree.TreeError` for the diagnosis of a text.
    An unknown payoff raises nothing: a result that depends on it is None.
    Most results come from one sweep; a search runs only if its results are used.
    A tree of a million leaves takes seconds and below 1 GB.
    """
    tree = truncate_at_depth(require_tree(tree), rules.depth)
    if not (tree.unknowns or tree.has_chance or several_players(tree)):
        swept = sweep(tree, rules)
        return Solution(tree, rules, swept.values, None, best_children(tree, swept.values), swept)
    solution = _valued(tree, rules)
    if several_players(tree):
        return solution
    from grader.solvers.search_choice import search

    try:
        return replace(solution, visit_record=search(tree, rules, traced=False))
    except UnknownPayoff as unknown:
        return replace(solution, blocked_by=unknown.leaf)


@lru_cache(maxsize=1)
def solve_cached(tree: Tree, rules: Rules) -> Solution:
    """Solve a tree like `solve`; cached, because an exercise needs the solution several times."""
    return solve(tree, rules)


def _valued(tree: Tree, rules: Rules) -> Solution:
    """Return the part of a solution that needs no search, for any tree."""
    ranges: tuple[Interval, ...] | None = None
    blocked: int | None = None
    exact_or_none: tuple[Value | None, ...]
    best: tuple[tuple[int, ...] | None, ...]
    if not tree.unknowns:
        exact_values = values(tree)
        exact_or_none, best = exact_values, best_children(tree, exact_values)
    elif several_players(tree):
        # A player's choice can turn on an unknown anywhere, so nothing at all is claimed.
        exact_or_none = best = (None,) * len(tree)
        blocked = tree.unknowns[0]
    else:
        ranges = intervals(tree, rules.bounds)
        # Equal ends are finite: an unknown without bounds lies between two different infinities.
        exact_or_none = tuple(cast(Number, low) if low == high else None for low, high in ranges)
        best = certain_best_children(tree, ranges)
    return Solution(tree, rules, exact_or_none, ranges, best, blocked_by=blocked)
