"""Searches, right or with mistakes, of many trees of one shape at once: what is visited in each."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.rules import Rules
from grader.solvers.expectiminimax import probability
from grader.solvers.integers import Integers, narrowed
from grader.solvers.mistaken import Mistake
from grader.solvers.solvable import require_two_players
from grader.tree import Player, Tree

Flags = NDArray[np.bool_]

NEVER = 127
"""The place of the last child to visit where nothing has stopped a node yet."""

FAR = 1 << 50
"""Where chance moves: what stands for infinity. Values stay far below it."""


@dataclass(frozen=True, slots=True, eq=False)
class WholeOdds:
    """Whole numbers for trees with chance: every payoff, bound and expectation is a multiple of `1 / unit`.

    `shares` are the probabilities, aligned with the nodes, as multiples of `1 / whole`.
    """

    unit: int
    whole: int
    shares: tuple[int, ...]


@lru_cache(maxsize=64)
def weighed(tree: Tree, rules: Rules, parts: int) -> WholeOdds:
    """The units in which trees of this shape are searched whose payoffs are multiples of `1 / parts`."""
    odds, drawn = [Fraction(1)] * len(tree), [0] * len(tree)
    for node in range(1, len(tree)):
        parent = tree.parents[node]
        by_chance = tree.players[parent] is Player.CHANCE
        odds[node] = Fraction(probability(tree, node)) if by_chance else Fraction(1)
        drawn[node] = drawn[parent] + by_chance
    whole = lcm(*(each.denominator for each in odds))
    bounds = lcm(*(Fraction(bound).denominator for bound in rules.bounds or ()))
    return WholeOdds(
        lcm(parts, bounds) * whole ** max(drawn), whole, tuple(int(each * whole) for each in odds)
    )


def lockstep_values(tree: Tree, payoffs: Integers, rules: Rules, parts: int = 1) -> tuple[Integers, ...]:
    """The exact values of all nodes, in the units that `weighed` finds: a row for each node."""
    units = weighed(tree, rules, parts)
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


def lockstep_astray(
    tree: Tree, payoffs: Integers, rules: Rules, mistakes: Sequence[Mistake], parts: int = 1
) -> Flags:
    """Whether `grader.solvers.mistaken.astray` visits each node: nodes by mistakes by trees.

    `payoffs` is as for `grader.solvers.lockstep.lockstep`, in multiples of `1 / parts`, which counts only
    where there are bounds. No node has more than a hundred children. A node is gone through once for all
    mistakes and trees; where some do not come there, what they would find is not used.

    Below chance nodes windows are rounded to the grid on which all values lie, each end to the side on which
    it keeps telling the same values apart: to the values themselves where equality cuts.
    """
    require_two_players(tree)
    units = weighed(tree, rules, parts) if tree.has_chance else WholeOdds(1, 1, ())
    if tree.has_chance:
        rows = payoffs.T.astype(np.int64) * (units.unit // parts)
        limits = -FAR, FAR
        if int(abs(rows).max(initial=0)) * units.whole >= FAR:
            raise ValueError("the payoffs are too large for probabilities like these")
        if rules.bounds is not None:
            limits = int(rules.bounds[0] * units.unit), int(rules.bounds[1] * units.unit)
    else:
        rows = narrowed(payoffs.T)
        limits = np.iinfo(rows.dtype).min, np.iinfo(rows.dtype).max
    shape = len(mistakes), rows.shape[1]
    low, high = (np.full(shape, limit, rows.dtype) for limit in limits)
    worst_of = {Player.MAX: low, Player.MIN: high}
    if tree.has_chance:
        worst_of = {player: np.full(shape, far) for player, far in ((Player.MAX, -FAR), (Player.MIN, FAR))}
    visited = np.zeros((len(tree), *shape), np.bool_)
    hard, cut = rules.returns == "hard", rules.ties == "cut"
    reaches, falls = (np.greater_equal, np.less_equal) if cut else (np.greater, np.less)

    def those(*which: bool) -> NDArray[np.intp]:
        """The numbers of the mistakes of which something is so."""
        return np.flatnonzero(which)

    fresh = those(*(each.fresh_at_root for each in mistakes))
    shallow = those(*(not each.deep for each in mistakes))
    own = those(*(each.own_bound for each in mistakes))
    leaves_only = those(*(not each.crosses_subtrees for each in mistakes))
    one_only = those(*(not each.crosses_all for each in mistakes))
    at_ties = those(*(each.stops_at_ties for each in mistakes))
    latest = those(*(each.latest for each in mistakes))
    inside = those(*(each.in_window for each in mistakes))
    late = np.array([each.late for each in mistakes], np.int8)[:, None]
    through = those(*(each.at_chance == "through" for each in mistakes))
    open_at_chance = those(*(each.at_chance == "fresh" for each in mistakes))
    slides = np.array([each.at_chance == "slide" for each in mistakes], np.bool_)[:, None]
    idle = {
        player: those(*(player not in each.cuts_at for each in mistakes))
        for player in (Player.MAX, Player.MIN)
    }

    def value_of(node: int, coming: Flags, alpha: Integers, beta: Integers) -> Integers:
        """What the node returns to those that come there."""
        visited[node] = coming
        player = tree.players[node]
        if player is None:
            leaf: Integers = rows[tree.paths[node] - 1]
            return leaf
        if player is Player.CHANCE:
            return expected(node, coming, alpha, beta)
        return chosen(node, player, coming, alpha, beta)

    def chosen(node: int, player: Player, coming: Flags, alpha: Integers, beta: Integers) -> Integers:
        """What MAX or MIN returns."""
        maximizes = player is Player.MAX
        worst = worst_of[player]
        opponent, mine, open_end = (beta, alpha, high) if maximizes else (alpha, beta, low)
        better = np.maximum if maximizes else np.minimum
        meets, misses = (reaches, falls) if maximizes else (falls, reaches)
        best, bound = worst, mine
        last, met = np.full(shape, NEVER, np.int8), np.zeros(shape, np.bool_)
        children = tree.visiting(node, rules.order)
        for place, child in enumerate(children):
            here = coming
            if place > 0:
                goes_on = last >= place
                goes_on[one_only] |= last[one_only] != place - 1
                if tree.players[child] is not None:
                    goes_on[leaves_only] = True
                here = coming & goes_on
            window = bound, opponent
            if tree.children[child] and (len(shallow) or (node == 0 and len(fresh))):
                window = bound.copy(), opponent.copy()
                nearest = better(best[shallow], (low if maximizes else high)[shallow])
                window[0][shallow], window[1][shallow] = nearest, open_end[shallow]
                if node == 0:
                    window[0][fresh] = (low if maximizes else high)[fresh]
                    window[1][fresh] = open_end[fresh]
            value = value_of(child, here, *(window if maximizes else window[::-1]))
            undecided = last == NEVER
            tied = value == best if len(at_ties) and place > 0 else None
            best = better(best, np.where(here, value, worst))
            stops = meets(best, opponent)
            stops[own] = misses(best[own], mine[own])
            stops[idle[player]] = False
            stops &= here & undecided
            met |= stops
            if tied is not None:
                stops[at_ties] |= (tied & here & undecided)[at_ties]
            np.copyto(last, place + late, where=stops)
            if place + 1 < len(children):
                moving = here & undecided & ~stops
                moved = better(bound, np.where(moving, value, worst))
                if len(latest):
                    newest = np.broadcast_to(value, shape).copy()
                    newest[inside] = better(newest[inside], mine[inside])
                    moved[latest] = np.where(moving[latest], newest[latest], bound[latest])
                bound = moved
        if not hard:
            return best
        ran_into = opponent.copy()
        ran_into[own] = mine[own]
        return np.where(met, ran_into, best)

    def reach(total: Integers, limit: int, remaining: int) -> Integers:
        """As `grader.solvers.star1.reach`, in units."""
        if remaining == 0:
            return total
        if abs(limit) == FAR:
            return np.full(shape, limit)
        return total + limit * remaining // units.whole

    def needed(bound: Integers, elsewhere: Integers, share: int, *, lower: bool) -> Integers:
        """As `grader.solvers.star1.needed`, in units, rounded to whole ones."""
        gap = (bound - elsewhere) * units.whole
        exact = gap // share if lower == cut else -(-gap // share)
        finite = np.where(np.abs(bound) == FAR, bound, exact)
        return np.where(np.abs(elsewhere) == FAR, -elsewhere, finite)

    def expected(node: int, coming: Flags, alpha: Integers, beta: Integers) -> Integers:
        """What a chance node returns."""
        children = tree.visiting(node, rules.order)
        remaining = sum(units.shares[child] for child in children)
        total, found, goes_on = np.zeros(shape, np.int64), np.zeros(shape, np.int64), coming
        for child in children:
            share = units.shares[child]
            if share == 0:
                continue
            ceiling, floor = reach(total, limits[1], remaining), reach(total, limits[0], remaining)
            too_low = falls(ceiling, alpha) & slides & goes_on
            too_high = reaches(floor, beta) & slides & goes_on & ~too_low
            found = np.where(too_low, alpha if hard else ceiling, found)
            found = np.where(too_high, beta if hard else floor, found)
            goes_on = goes_on & ~too_low & ~too_high
            remaining -= share
            elsewhere = reach(total, limits[1], remaining), reach(total, limits[0], remaining)
            lower = np.maximum(low, needed(alpha, elsewhere[0], share, lower=True))
            upper = np.minimum(high, needed(beta, elsewhere[1], share, lower=False))
            lower[through], upper[through] = alpha[through], beta[through]
            lower[open_at_chance], upper[open_at_chance] = low[open_at_chance], high[open_at_chance]
            value = value_of(child, goes_on, lower, upper)
            total = total + np.where(goes_on, value, 0) * share // units.whole
        return np.where(goes_on, total, found)

    value_of(0, np.ones(shape, np.bool_), low, high)
    return visited
