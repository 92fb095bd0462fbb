"""Values and windows as functions of one unknown: straight lines with corners, put together node by node."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from operator import ge, gt
from typing import TypeAlias

from grader.base.intervals import Span, Spans, union
from grader.base.numbers import INFINITY, Bound, Number, normalize_number
from grader.solvers.expectiminimax import probability
from grader.solvers.solvable import number_at
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree


@dataclass(frozen=True, slots=True)
class PiecewiseLinear:
    """A function that is straight between its corners: `(x, y)` in ascending order, one at least.

    `slope_before` and `slope_after` are its slopes to the left of the first and to the right of the last.
    """

    corners: tuple[tuple[Number, Number], ...]
    slope_before: Number
    slope_after: Number

    def value_at(self, number: Number) -> Number:
        """Its value there."""
        (first, low), (last, high) = self.corners[0], self.corners[-1]
        if number <= first:
            return normalize_number(Fraction(low + self.slope_before * (number - first)))
        if number >= last:
            return normalize_number(Fraction(high + self.slope_after * (number - last)))
        for (left, below), (right, above) in pairwise(self.corners):
            if left <= number <= right:
                share = Fraction(number - left) / (right - left)
                return normalize_number(below + share * (above - below))
        raise AssertionError("the corners are in ascending order")


UNKNOWN = PiecewiseLinear(((0, 0),), 1, 1)
"""The unknown itself."""

WindowEnd: TypeAlias = PiecewiseLinear | None
"""An end of a window; None where it is infinite."""


def constant_function(number: Number) -> PiecewiseLinear:
    """A number that does not depend on the unknown."""
    return PiecewiseLinear(((0, number),), 0, 0)


def _places(functions: Sequence[PiecewiseLinear]) -> list[Number]:
    """Where any of them has a corner or two of them cross: between two such places all is straight."""
    places = sorted({x for function in functions for x, _ in function.corners})
    crossings: set[Number] = set()
    reach = [places[0] - 1, *places, places[-1] + 1]
    for one, first in enumerate(functions):
        for other in functions[one + 1 :]:
            for left, right in pairwise(reach):
                low, high = (Fraction(first.value_at(x)) - other.value_at(x) for x in (left, right))
                if low != high:
                    at = normalize_number(left - low * (right - left) / (high - low))
                    outside = (left == reach[0] and at < left) or (right == reach[-1] and at > right)
                    if left <= at <= right or outside:
                        crossings.add(at)
    return sorted({*places, *crossings})


def combine(
    functions: Sequence[PiecewiseLinear], of: Callable[[Sequence[Number]], Number]
) -> PiecewiseLinear:
    """The largest, the smallest or a weighed sum of some functions."""
    places = _places(functions)

    def value(x: Number) -> Number:
        return of([function.value_at(x) for function in functions])

    corners = tuple((x, value(x)) for x in places)
    (first, low), (last, high) = corners[0], corners[-1]
    return PiecewiseLinear(
        corners,
        normalize_number(Fraction(low - value(first - 1))),
        normalize_number(Fraction(value(last + 1) - high)),
    )


def solve_relation(
    one: PiecewiseLinear, other: PiecewiseLinear, holds: Callable[[Number, Number], bool]
) -> Spans:
    """The numbers for which two functions stand in a relation."""
    places = _places([one, other])
    middles = [normalize_number(Fraction(left + right) / 2) for left, right in pairwise(places)]
    ends: list[Bound] = [-INFINITY, *places, INFINITY]
    found = [Span(x, True, x, True) for x in places if holds(one.value_at(x), other.value_at(x))]
    for (left, right), x in zip(pairwise(ends), (places[0] - 1, *middles, places[-1] + 1), strict=True):
        if holds(one.value_at(x), other.value_at(x)):
            found.append(Span(left, False, right, False))
    return union(found)


def values_as_functions(tree: Tree, name: str) -> tuple[PiecewiseLinear, ...]:
    """The exact value of every node as a function of the unknown of this name.

    Raises `UnknownPayoff` for another unknown.
    """
    values = [UNKNOWN] * len(tree)
    for node in reversed(range(len(tree))):
        children, player = tree.children[node], tree.players[node]
        below = [values[child] for child in children]
        if player is None:
            values[node] = UNKNOWN if tree.payoffs[node] == name else constant_function(number_at(tree, node))
        elif player is Player.CHANCE:
            values[node] = _weighed(below, [probability(tree, child) for child in children])
        else:
            values[node] = combine(below, max if player is Player.MAX else min)
    return tuple(values)


def _weighed(functions: Sequence[PiecewiseLinear], shares: Sequence[Number]) -> PiecewiseLinear:
    def total(row: Sequence[Number]) -> Number:
        return normalize_number(
            sum((Fraction(share * each) for share, each in zip(shares, row, strict=True)), Fraction(0))
        )

    return combine(functions, total)


def numbers_that_prune(tree: Tree, rules: Rules, name: str, node: int) -> Spans:
    """The x for which a search never comes to a node: what `grader.solvers.relevance` says of leaves.

    From the node upwards the values are followed that would reach the root; the search does not come where
    none is let through. Made to check `grader.solvers.unknown_payoff.pruned_when`.
    """
    values = values_as_functions(tree, name)
    bounds = rules.bounds if tree.has_chance else None
    low: WindowEnd = None if bounds is None else constant_function(bounds[0])
    high: WindowEnd = None if bounds is None else constant_function(bounds[1])
    lowest, highest = low, high
    pruned: list[Span] = list(_closed(low, high, rules)) if node else []
    child = node
    for above in tree.ancestors(node):
        order = tree.visiting(above, rules.order)
        place = order.index(child)
        elder = [values[sibling] for sibling in order[:place]]
        if tree.players[above] is Player.MAX:
            low = combine([*elder, *filter(None, [low])], max) if elder else low
        elif tree.players[above] is Player.MIN:
            high = combine([*elder, *filter(None, [high])], min) if elder else high
        else:
            shares = [probability(tree, sibling) for sibling in order]
            if shares[place] == 0:
                return union((Span(-INFINITY, False, INFINITY, False),))
            low = _through(elder, shares, low, lowest)
            high = _through(elder, shares, high, highest)
        pruned += _closed(low, high, rules)
        child = above
    return union(pruned)


def _through(
    elder: Sequence[PiecewiseLinear], shares: Sequence[Number], end: WindowEnd, extreme: WindowEnd
) -> WindowEnd:
    """What an end of the window is worth at the chance node above: what comes after may be extreme."""
    place = len(elder)
    after = normalize_number(sum(shares[place + 1 :], Fraction(0)))
    if end is None or (after and extreme is None):
        return None
    parts = [*elder, end, *([extreme] if after and extreme is not None else [])]
    return _weighed(parts, [*shares[: place + 1], *([after] if after else [])])


def _closed(low: WindowEnd, high: WindowEnd, rules: Rules) -> Spans:
    """The x for which nothing lies between the ends of a window."""
    if low is None or high is None:
        return ()
    return solve_relation(low, high, ge if rules.ties == "cut" else gt)
