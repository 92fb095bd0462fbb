"""Values and windows as piecewise linear functions of one unknown, combined node by node."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
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
    """A function that is linear between its corners, which are `(x, y)` by ascending x; at least one.

    `slope_before` and `slope_after` are its slopes left of the first corner and right of the last.
    """

    corners: tuple[tuple[Number, Number], ...]
    slope_before: Number
    slope_after: Number

    def value_at(self, number: Number) -> Number:
        """Return the value of the function at a number."""
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
    """Return the function with this value everywhere."""
    return PiecewiseLinear(((0, number),), 0, 0)


def _breakpoints(functions: Sequence[PiecewiseLinear]) -> list[Number]:
    """Return the x of all corners and crossings: between two of them no function bends or meets another."""
    corners = sorted({x for function in functions for x, _ in function.corners})
    crossings: set[Number] = set()
    # One more point on either side shows the slopes outside the corners.
    samples = [corners[0] - 1, *corners, corners[-1] + 1]
    for one, other in combinations(functions, 2):
        for left, right in pairwise(samples):
            low, high = (Fraction(one.value_at(x)) - other.value_at(x) for x in (left, right))
            if low != high:
                crossing = normalize_number(left - low * (right - left) / (high - low))
                from_left = -INFINITY if left == samples[0] else left
                to_right = INFINITY if right == samples[-1] else right
                if from_left <= crossing <= to_right:
                    crossings.add(crossing)
    return sorted({*corners, *crossings})


def combine(
    functions: Sequence[PiecewiseLinear], operation: Callable[[Sequence[Number]], Number]
) -> PiecewiseLinear:
    """Return the largest, the smallest or a weighted sum of some functions, point by point.

    `operation` computes it from their values; between corners and crossings it must be linear.
    """

    def value(x: Number) -> Number:
        return operation([function.value_at(x) for function in functions])

    corners = tuple((x, value(x)) for x in _breakpoints(functions))
    (first, low), (last, high) = corners[0], corners[-1]
    return PiecewiseLinear(
        corners,
        normalize_number(Fraction(low - value(first - 1))),
        normalize_number(Fraction(value(last + 1) - high)),
    )


def solve_relation(
    one: PiecewiseLinear, other: PiecewiseLinear, holds: Callable[[Number, Number], bool]
) -> Spans:
    """Return the numbers for which a relation between two functions holds."""
    points = _breakpoints([one, other])
    middles = [normalize_number(Fraction(left + right) / 2) for left, right in pairwise(points)]
    ends: list[Bound] = [-INFINITY, *points, INFINITY]
    spans = [Span(x, True, x, True) for x in points if holds(one.value_at(x), other.value_at(x))]
    for (left, right), x in zip(pairwise(ends), (points[0] - 1, *middles, points[-1] + 1), strict=True):
        if holds(one.value_at(x), other.value_at(x)):
            spans.append(Span(left, False, right, False))
    return union(spans)


def values_as_functions(tree: Tree, name: str) -> tuple[PiecewiseLinear, ...]:
    """Return the exact value of every node as a function of the unknown with this name.

    Raises `UnknownPayoff` for another unknown.
    """
    values = [UNKNOWN] * len(tree)
    for node in reversed(range(len(tree))):
        children, player = tree.children[node], tree.players[node]
        below = [values[child] for child in children]
        if player is None:
            values[node] = UNKNOWN if tree.payoffs[node] == name else constant_function(number_at(tree, node))
        elif player is Player.CHANCE:
            values[node] = _weighted_sum(below, [probability(tree, child) for child in children])
        else:
            values[node] = combine(below, max if player is Player.MAX else min)
    return tuple(values)


def _weighted_sum(functions: Sequence[PiecewiseLinear], shares: Sequence[Number]) -> PiecewiseLinear:
    """Return the sum of functions, each times its share."""
    return combine(
        functions,
        lambda row: normalize_number(Fraction(sum(share * y for share, y in zip(shares, row, strict=True)))),
    )


def numbers_that_prune(tree: Tree, rules: Rules, name: str, node: int) -> Spans:
    """Return the x for which a search never visits a node, by the definition in `grader.solvers.relevance`.

    The x may lie outside known bounds, unlike those of `grader.solvers.unknown_payoff.pruned_when`.
    It follows the values that would reach the root unchanged, from the node upwards; if there are none, the
    search does not visit the node. A second algorithm to check `grader.solvers.unknown_payoff.pruned_when`.
    """
    values = values_as_functions(tree, name)
    low: WindowEnd = None if rules.bounds is None else constant_function(rules.bounds[0])
    high: WindowEnd = None if rules.bounds is None else constant_function(rules.bounds[1])
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
    if node and rules.window is not None:
        alpha, beta = map(constant_function, rules.window)
        low = alpha if low is None else combine([low, alpha], max)
        high = beta if high is None else combine([high, beta], min)
        pruned += _closed(low, high, rules)
    return union(pruned)


def _through(
    elder: Sequence[PiecewiseLinear], shares: Sequence[Number], end: WindowEnd, extreme: WindowEnd
) -> WindowEnd:
    """Return an end of the window at the chance node above; the later outcomes are all `extreme`."""
    place = len(elder)
    after = normalize_number(sum(shares[place + 1 :], Fraction(0)))
    if end is None or (after and extreme is None):
        return None
    parts = [*elder, end, *([extreme] if after and extreme is not None else [])]
    return _weighted_sum(parts, [*shares[: place + 1], *([after] if after else [])])


def _closed(low: WindowEnd, high: WindowEnd, rules: Rules) -> Spans:
    """Return the x for which a window is closed."""
    if low is None or high is None:
        return ()
    return solve_relation(low, high, ge if rules.ties == "cut" else gt)
