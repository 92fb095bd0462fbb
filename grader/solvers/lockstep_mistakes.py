"""Searches, correct or with mistakes, of many trees of one shape at once: the nodes visited in each."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.solvers.integers import Integers, to_narrowest_type
from grader.solvers.mistaken_search import Mistake
from grader.solvers.solvable import require_two_players
from grader.solvers.whole_units import WholeUnits, whole_units
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree

Flags = NDArray[np.bool_]

NO_LAST_CHILD = 127
"""The place of the last child to visit while nothing has stopped the node yet."""

INFINITE_VALUE = 1 << 50
"""Stands for infinity in trees with chance nodes; values stay far below it."""


def lockstep_values(tree: Tree, payoffs: Integers, rules: Rules, denominator: int) -> tuple[Integers, ...]:
    """Return the exact values, a row for each node, in the units of `whole_units`."""
    units = whole_units(tree, rules, denominator)
    rows = payoffs.T.astype(np.int64) * (units.unit // denominator)
    values: list[Any] = [None] * len(tree)
    for node in reversed(range(len(tree))):
        below = [values[child] for child in tree.children[node]]
        if not below:
            values[node] = rows[tree.paths[node] - 1]
        elif tree.players[node] is Player.CHANCE:
            shares = [units.shares[child] for child in tree.children[node]]
            weights = (value * share // units.whole for value, share in zip(below, shares, strict=True))
            values[node] = sum(weights, np.zeros(len(payoffs), np.int64))
        else:
            values[node] = (np.maximum if tree.players[node] is Player.MAX else np.minimum).reduce(below)
    return tuple(values)


def lockstep_search_with_mistakes(
    tree: Tree, payoffs: Integers, rules: Rules, mistakes: Sequence[Mistake], denominator: int = 1
) -> Flags:
    """Return which nodes `mistaken_search.search_with_mistake` visits: nodes by mistakes by trees.

    `payoffs` and `denominator` are as for `grader.solvers.lockstep.lockstep`; the denominator matters only in
    trees with chance nodes and with a window at the root. No node has more than a hundred children. Each
    node is searched once for all mistakes and trees; the results of those that do not reach it are discarded.

    Below chance nodes each end of a window is rounded to the grid on which all values lie, to the side on
    which it still separates the same values: to the values themselves if equality cuts. If such an end is
    also returned, a search that stops at ties would meet other ties, so this raises `ValueError`.
    """
    require_two_players(tree)
    if tree.has_chance and rules.returns == "hard" and any(mistake.stops_at_ties for mistake in mistakes):
        raise ValueError("a search that returns bounds below chance nodes cannot stop at ties")
    searches = _Searches(tree, payoffs, rules, mistakes, denominator)
    searches.value_of(0, np.ones(searches.shape, np.bool_), searches.root_low, searches.root_high)
    return searches.visited


class _Groups:
    """The searches by mistake: the indices of those that make it, or a column with what each of them does."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        def indices(applies: Callable[[Mistake], bool]) -> NDArray[np.intp]:
            return np.flatnonzero([applies(mistake) for mistake in mistakes])

        self.resets_at_root = indices(lambda mistake: mistake.resets_at_root)
        self.shallow = indices(lambda mistake: not mistake.inherits_bounds)
        self.own = indices(lambda mistake: mistake.cuts_at_own_bound)
        self.leaves_only = indices(lambda mistake: not mistake.crosses_subtrees)
        self.one_only = indices(lambda mistake: not mistake.crosses_all)
        self.at_ties = indices(lambda mistake: mistake.stops_at_ties)
        self.latest = indices(lambda mistake: mistake.uses_latest_value)
        self.inside = indices(lambda mistake: mistake.clamps_latest_value)
        self.extra_visits = np.array([mistake.extra_visits for mistake in mistakes], np.int8)[:, None]
        self.through = indices(lambda mistake: mistake.chance_window == "through")
        self.open_at_chance = indices(lambda mistake: mistake.chance_window == "open")
        self.slides = np.array([mistake.chance_window == "slide" for mistake in mistakes], np.bool_)[:, None]
        self.never_cuts = {
            player: np.flatnonzero([player not in mistake.cuts_at for mistake in mistakes])
            for player in (Player.MAX, Player.MIN)
        }


class _Searches:
    """Searches of several trees with several mistakes; arrays are mistakes by trees."""

    def __init__(
        self, tree: Tree, payoffs: Integers, rules: Rules, mistakes: Sequence[Mistake], denominator: int
    ) -> None:
        self.tree, self.rules, self.groups = tree, rules, _Groups(mistakes)
        in_units = tree.has_chance or rules.narrows_root
        units = self.units = (
            whole_units(tree, rules, denominator) if in_units else WholeUnits(1, 1, (), None, None)
        )
        if in_units:
            self.rows = payoffs.T.astype(np.int64) * (units.unit // denominator)
            self.limits = units.bounds or (-INFINITE_VALUE, INFINITE_VALUE)
            if int(abs(self.rows).max(initial=0)) * units.whole >= INFINITE_VALUE:
                raise ValueError("the payoffs are too large for probabilities like these")
        else:
            self.rows = to_narrowest_type(payoffs.T)
            self.limits = np.iinfo(self.rows.dtype).min, np.iinfo(self.rows.dtype).max
        self.shape = len(mistakes), self.rows.shape[1]
        self.low, self.high = (np.full(self.shape, limit, self.rows.dtype) for limit in self.limits)
        ends = units.root_window or self.limits
        self.root_low, self.root_high = (np.full(self.shape, end, self.rows.dtype) for end in ends)
        self.worst = {Player.MAX: self.low, Player.MIN: self.high}
        self.visited = np.zeros((len(tree), *self.shape), np.bool_)
        self.hard, self.cut = rules.returns == "hard", rules.ties == "cut"
        self.reaches: np.ufunc = np.greater_equal if self.cut else np.greater
        self.falls: np.ufunc = np.less_equal if self.cut else np.less

    def value_of(self, node: int, reached: Flags, alpha: Integers, beta: Integers) -> Integers:
        """Return the value of the node to the searches that reach it."""
        self.visited[node] = reached
        player = self.tree.players[node]
        if player is None:
            leaf: Integers = self.rows[self.tree.paths[node] - 1]
            return leaf
        if player is Player.CHANCE:
            return self._expected(node, reached, alpha, beta)
        return self._chosen(node, player, reached, alpha, beta)

    def _chosen(self, node: int, player: Player, reached: Flags, alpha: Integers, beta: Integers) -> Integers:
        """Return the value of a MAX or MIN node."""
        groups, maximizes, worst = self.groups, player is Player.MAX, self.worst[player]
        latest = groups.latest
        opponent, own_bound = (beta, alpha) if maximizes else (alpha, beta)
        better = np.maximum if maximizes else np.minimum
        meets, misses = (self.reaches, self.falls) if maximizes else (self.falls, self.reaches)
        best, bound = worst, own_bound
        # `last`: the last child that each search visits; `met`: whether it met the bound, not only a tie.
        last, met = np.full(self.shape, NO_LAST_CHILD, np.int8), np.zeros(self.shape, np.bool_)
        children = self.tree.visiting(node, self.rules.order)
        for place, child in enumerate(children):
            child_reached = reached & self._goes_on(last, place, child) if place > 0 else reached
            window = self._window(node, child, maximizes, best, (bound, opponent))
            value = self.value_of(child, child_reached, *(window if maximizes else window[::-1]))
            undecided = last == NO_LAST_CHILD
            tied = value == best if len(groups.at_ties) and place > 0 else None
            best = better(best, np.where(child_reached, value, worst))
            stops = meets(best, opponent)
            stops[groups.own] = misses(best[groups.own], own_bound[groups.own])
            stops[groups.never_cuts[player]] = False
            stops &= child_reached & undecided
            met |= stops
            if tied is not None:
                stops[groups.at_ties] |= (tied & child_reached & undecided)[groups.at_ties]
            np.copyto(last, place + groups.extra_visits, where=stops)
            if place + 1 < len(children):
                moving = child_reached & undecided & ~stops
                moved = better(bound, np.where(moving, value, worst))
                if len(latest):
                    newest = np.broadcast_to(value, self.shape).copy()
                    newest[groups.inside] = better(newest[groups.inside], own_bound[groups.inside])
                    moved[latest] = np.where(moving[latest], newest[latest], bound[latest])
                bound = moved
        if not self.hard:
            return best
        ran_into = opponent.copy()
        ran_into[groups.own] = own_bound[groups.own]
        return np.where(met, ran_into, best)

    def _goes_on(self, last: Integers, place: int, child: int) -> Flags:
        """Return which searches visit a child after the first; `last` is the last place to visit."""
        goes_on: Flags = last >= place
        goes_on[self.groups.one_only] |= last[self.groups.one_only] != place - 1
        if self.tree.players[child] is not None:
            goes_on[self.groups.leaves_only] = True
        return goes_on

    def _window(
        self, node: int, child: int, maximizes: bool, best: Integers, window: tuple[Integers, Integers]
    ) -> tuple[Integers, Integers]:
        """Return the window of a child, the bound of the node's own player first."""
        resets, shallow = self.groups.resets_at_root, self.groups.shallow
        if not self.tree.children[child] or not (len(shallow) or (node == 0 and len(resets))):
            return window
        own_end, open_end = (self.low, self.high) if maximizes else (self.high, self.low)
        better = np.maximum if maximizes else np.minimum
        own_bound, opponent = (bound.copy() for bound in window)
        own_bound[shallow], opponent[shallow] = better(best[shallow], own_end[shallow]), open_end[shallow]
        if node == 0:
            root_ends = (self.root_low, self.root_high) if maximizes else (self.root_high, self.root_low)
            own_bound[resets], opponent[resets] = (end[resets] for end in root_ends)
        return own_bound, opponent

    def _expected(self, node: int, reached: Flags, alpha: Integers, beta: Integers) -> Integers:
        """Return the value of a chance node."""
        groups, (lowest, highest), units = self.groups, self.limits, self.units
        children = self.tree.visiting(node, self.rules.order)
        remaining = sum(units.shares[child] for child in children)
        total, early_result, goes_on = np.zeros(self.shape, np.int64), np.zeros(self.shape, np.int64), reached
        for child in children:
            share = units.shares[child]
            if share == 0:
                continue
            ceiling, floor = self._reach(total, highest, remaining), self._reach(total, lowest, remaining)
            too_low = self.falls(ceiling, alpha) & groups.slides & goes_on
            too_high = self.reaches(floor, beta) & groups.slides & goes_on & ~too_low
            early_result = np.where(too_low, alpha if self.hard else ceiling, early_result)
            early_result = np.where(too_high, beta if self.hard else floor, early_result)
            goes_on = goes_on & ~too_low & ~too_high
            remaining -= share
            ceiling, floor = self._reach(total, highest, remaining), self._reach(total, lowest, remaining)
            lower = np.maximum(self.low, self._needed(alpha, ceiling, share, lower=True))
            upper = np.minimum(self.high, self._needed(beta, floor, share, lower=False))
            lower[groups.through], upper[groups.through] = alpha[groups.through], beta[groups.through]
            opened = groups.open_at_chance
            lower[opened], upper[opened] = self.low[opened], self.high[opened]
            value = self.value_of(child, goes_on, lower, upper)
            total = total + np.where(goes_on, value, 0) * share // units.whole
        return np.where(goes_on, total, early_result)

    def _reach(self, total: Integers, limit: int, remaining: int) -> Integers:
        """Do the same as `grader.solvers.star1.expectation_with_rest_at`, in units."""
        if remaining == 0:
            return total
        if abs(limit) == INFINITE_VALUE:
            return np.full(self.shape, limit)
        return total + limit * remaining // self.units.whole

    def _needed(self, bound: Integers, elsewhere: Integers, share: int, *, lower: bool) -> Integers:
        """Do the same as `grader.solvers.star1.required_value`, rounded to whole units."""
        gap = (bound - elsewhere) * self.units.whole
        exact = gap // share if lower == self.cut else -(-gap // share)
        finite = np.where(np.abs(bound) == INFINITE_VALUE, bound, exact)
        return np.where(np.abs(elsewhere) == INFINITE_VALUE, -elsewhere, finite)
