"""Searches, right or with mistakes, of many trees of one shape at once: what is visited in each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.solvers.expectiminimax import probability
from grader.solvers.integers import Integers, narrowed
from grader.solvers.mistaken_search import Mistake
from grader.solvers.solvable import require_two_players
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree

Flags = NDArray[np.bool_]

NO_LAST_CHILD = 127
"""The place of the last child to visit where nothing has stopped a node yet."""

INFINITE_VALUE = 1 << 50
"""Where chance moves: what stands for infinity. Values stay far below it."""


@dataclass(frozen=True, slots=True, eq=False)
class WholeUnits:
    """Whole numbers for trees with chance: every payoff, bound and expectation is a multiple of `1 / unit`.

    `shares` are the probabilities, aligned with the nodes, as multiples of `1 / whole`.
    """

    unit: int
    whole: int
    shares: tuple[int, ...]


@lru_cache(maxsize=64)
def whole_units(tree: Tree, rules: Rules, parts: int) -> WholeUnits:
    """The units in which trees of this shape are searched whose payoffs are multiples of `1 / parts`."""
    odds, drawn = [Fraction(1)] * len(tree), [0] * len(tree)
    for node in range(1, len(tree)):
        parent = tree.parents[node]
        by_chance = tree.players[parent] is Player.CHANCE
        odds[node] = Fraction(probability(tree, node)) if by_chance else Fraction(1)
        drawn[node] = drawn[parent] + by_chance
    whole = lcm(*(each.denominator for each in odds))
    bounds = lcm(*(Fraction(bound).denominator for bound in rules.bounds or ()))
    return WholeUnits(
        lcm(parts, bounds) * whole ** max(drawn), whole, tuple(int(each * whole) for each in odds)
    )


def lockstep_values(tree: Tree, payoffs: Integers, rules: Rules, parts: int = 1) -> tuple[Integers, ...]:
    """The exact values of all nodes, in the units that `weighed` finds: a row for each node."""
    units = whole_units(tree, rules, parts)
    rows = payoffs.T.astype(np.int64) * (units.unit // parts)
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
    tree: Tree, payoffs: Integers, rules: Rules, mistakes: Sequence[Mistake], parts: int = 1
) -> Flags:
    """Return which nodes `mistaken_search.search_with_mistake` visits: nodes by mistakes by trees.

    `payoffs` is as for `grader.solvers.lockstep.lockstep`, in multiples of `1 / parts`, which counts only
    where there are bounds. No node has more than a hundred children. A node is gone through once for all
    mistakes and trees; where some do not come there, what they would find is not used.

    Below chance nodes windows are rounded to the grid on which all values lie, each end to the side on which
    it keeps telling the same values apart: to the values themselves where equality cuts. Where such an end is
    returned as well, who stops at ties would meet others, which is refused with `ValueError`.
    """
    require_two_players(tree)
    if tree.has_chance and rules.returns == "hard" and any(each.stops_at_ties for each in mistakes):
        raise ValueError("where bounds below chance nodes are returned, ties with them are not told")
    searches = _Searches(tree, payoffs, rules, mistakes, parts)
    searches.value_of(0, np.ones(searches.shape, np.bool_), searches.low, searches.high)
    return searches.visited


def _those(which: Iterable[bool]) -> NDArray[np.intp]:
    """The numbers of the mistakes of which something is so."""
    return np.flatnonzero(list(which))


class _Groups:
    """Which of the searches make which mistake: their numbers, or what each does in a column."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        self.fresh = _those(each.resets_at_root for each in mistakes)
        self.shallow = _those(not each.inherits_bounds for each in mistakes)
        self.own = _those(each.cuts_at_own_bound for each in mistakes)
        self.leaves_only = _those(not each.crosses_subtrees for each in mistakes)
        self.one_only = _those(not each.crosses_all for each in mistakes)
        self.at_ties = _those(each.stops_at_ties for each in mistakes)
        self.latest = _those(each.uses_latest_value for each in mistakes)
        self.inside = _those(each.clamps_latest_value for each in mistakes)
        self.late = np.array([each.extra_visits for each in mistakes], np.int8)[:, None]
        self.through = _those(each.chance_window == "through" for each in mistakes)
        self.open_at_chance = _those(each.chance_window == "fresh" for each in mistakes)
        self.slides = np.array([each.chance_window == "slide" for each in mistakes], np.bool_)[:, None]
        self.idle = {
            player: _those(player not in each.cuts_at for each in mistakes)
            for player in (Player.MAX, Player.MIN)
        }


class _Searches:
    """Searches with each of some mistakes of each of some trees; arrays are mistakes by trees."""

    def __init__(
        self, tree: Tree, payoffs: Integers, rules: Rules, mistakes: Sequence[Mistake], parts: int
    ) -> None:
        self.tree, self.rules, self.groups = tree, rules, _Groups(mistakes)
        units = self.units = whole_units(tree, rules, parts) if tree.has_chance else WholeUnits(1, 1, ())
        if tree.has_chance:
            self.rows = payoffs.T.astype(np.int64) * (units.unit // parts)
            self.limits = -INFINITE_VALUE, INFINITE_VALUE
            if int(abs(self.rows).max(initial=0)) * units.whole >= INFINITE_VALUE:
                raise ValueError("the payoffs are too large for probabilities like these")
            if rules.bounds is not None:
                self.limits = int(rules.bounds[0] * units.unit), int(rules.bounds[1] * units.unit)
        else:
            self.rows = narrowed(payoffs.T)
            self.limits = np.iinfo(self.rows.dtype).min, np.iinfo(self.rows.dtype).max
        self.shape = len(mistakes), self.rows.shape[1]
        self.low, self.high = (np.full(self.shape, limit, self.rows.dtype) for limit in self.limits)
        self.worst = {Player.MAX: self.low, Player.MIN: self.high}
        self.visited = np.zeros((len(tree), *self.shape), np.bool_)
        self.hard, self.cut = rules.returns == "hard", rules.ties == "cut"
        self.reaches: np.ufunc = np.greater_equal if self.cut else np.greater
        self.falls: np.ufunc = np.less_equal if self.cut else np.less

    def value_of(self, node: int, coming: Flags, alpha: Integers, beta: Integers) -> Integers:
        """What the node returns to those that come there."""
        self.visited[node] = coming
        player = self.tree.players[node]
        if player is None:
            leaf: Integers = self.rows[self.tree.paths[node] - 1]
            return leaf
        if player is Player.CHANCE:
            return self._expected(node, coming, alpha, beta)
        return self._chosen(node, player, coming, alpha, beta)

    def _chosen(self, node: int, player: Player, coming: Flags, alpha: Integers, beta: Integers) -> Integers:
        """What MAX or MIN returns."""
        groups, maximizes, worst = self.groups, player is Player.MAX, self.worst[player]
        latest = groups.latest
        opponent, mine = (beta, alpha) if maximizes else (alpha, beta)
        better = np.maximum if maximizes else np.minimum
        meets, misses = (self.reaches, self.falls) if maximizes else (self.falls, self.reaches)
        best, bound = worst, mine
        last, met = np.full(self.shape, NO_LAST_CHILD, np.int8), np.zeros(self.shape, np.bool_)
        children = self.tree.visiting(node, self.rules.order)
        for place, child in enumerate(children):
            here = coming & self._goes_on(last, place, child) if place > 0 else coming
            window = self._window(node, child, maximizes, best, (bound, opponent))
            value = self.value_of(child, here, *(window if maximizes else window[::-1]))
            undecided = last == NO_LAST_CHILD
            tied = value == best if len(groups.at_ties) and place > 0 else None
            best = better(best, np.where(here, value, worst))
            stops = meets(best, opponent)
            stops[groups.own] = misses(best[groups.own], mine[groups.own])
            stops[groups.idle[player]] = False
            stops &= here & undecided
            met |= stops
            if tied is not None:
                stops[groups.at_ties] |= (tied & here & undecided)[groups.at_ties]
            np.copyto(last, place + groups.late, where=stops)
            if place + 1 < len(children):
                moving = here & undecided & ~stops
                moved = better(bound, np.where(moving, value, worst))
                if len(latest):
                    newest = np.broadcast_to(value, self.shape).copy()
                    newest[groups.inside] = better(newest[groups.inside], mine[groups.inside])
                    moved[latest] = np.where(moving[latest], newest[latest], bound[latest])
                bound = moved
        if not self.hard:
            return best
        ran_into = opponent.copy()
        ran_into[groups.own] = mine[groups.own]
        return np.where(met, ran_into, best)

    def _goes_on(self, last: Integers, place: int, child: int) -> Flags:
        """Whether a child is visited that does not come first, `last` being the place of the last one."""
        goes_on: Flags = last >= place
        goes_on[self.groups.one_only] |= last[self.groups.one_only] != place - 1
        if self.tree.players[child] is not None:
            goes_on[self.groups.leaves_only] = True
        return goes_on

    def _window(
        self, node: int, child: int, maximizes: bool, best: Integers, window: tuple[Integers, Integers]
    ) -> tuple[Integers, Integers]:
        """The window of a child, the bound of the node's own player first."""
        fresh, shallow = self.groups.fresh, self.groups.shallow
        if not self.tree.children[child] or not (len(shallow) or (node == 0 and len(fresh))):
            return window
        own_end, open_end = (self.low, self.high) if maximizes else (self.high, self.low)
        better = np.maximum if maximizes else np.minimum
        mine, opponent = (bound.copy() for bound in window)
        mine[shallow], opponent[shallow] = better(best[shallow], own_end[shallow]), open_end[shallow]
        if node == 0:
            mine[fresh], opponent[fresh] = own_end[fresh], open_end[fresh]
        return mine, opponent

    def _expected(self, node: int, coming: Flags, alpha: Integers, beta: Integers) -> Integers:
        """What a chance node returns."""
        groups, (least, most), units = self.groups, self.limits, self.units
        children = self.tree.visiting(node, self.rules.order)
        remaining = sum(units.shares[child] for child in children)
        total, found, goes_on = np.zeros(self.shape, np.int64), np.zeros(self.shape, np.int64), coming
        for child in children:
            share = units.shares[child]
            if share == 0:
                continue
            ceiling, floor = self._reach(total, most, remaining), self._reach(total, least, remaining)
            too_low = self.falls(ceiling, alpha) & groups.slides & goes_on
            too_high = self.reaches(floor, beta) & groups.slides & goes_on & ~too_low
            found = np.where(too_low, alpha if self.hard else ceiling, found)
            found = np.where(too_high, beta if self.hard else floor, found)
            goes_on = goes_on & ~too_low & ~too_high
            remaining -= share
            ceiling, floor = self._reach(total, most, remaining), self._reach(total, least, remaining)
            lower = np.maximum(self.low, self._needed(alpha, ceiling, share, lower=True))
            upper = np.minimum(self.high, self._needed(beta, floor, share, lower=False))
            lower[groups.through], upper[groups.through] = alpha[groups.through], beta[groups.through]
            fresh = groups.open_at_chance
            lower[fresh], upper[fresh] = self.low[fresh], self.high[fresh]
            value = self.value_of(child, goes_on, lower, upper)
            total = total + np.where(goes_on, value, 0) * share // units.whole
        return np.where(goes_on, total, found)

    def _reach(self, total: Integers, limit: int, remaining: int) -> Integers:
        """As `grader.solvers.chance_weights.total_with_rest_at`, in units."""
        if remaining == 0:
            return total
        if abs(limit) == INFINITE_VALUE:
            return np.full(self.shape, limit)
        return total + limit * remaining // self.units.whole

    def _needed(self, bound: Integers, elsewhere: Integers, share: int, *, lower: bool) -> Integers:
        """As `grader.solvers.chance_weights.required_contribution`, in units, rounded to whole ones."""
        gap = (bound - elsewhere) * self.units.whole
        exact = gap // share if lower == self.cut else -(-gap // share)
        finite = np.where(np.abs(bound) == INFINITE_VALUE, bound, exact)
        return np.where(np.abs(elsewhere) == INFINITE_VALUE, -elsewhere, finite)
