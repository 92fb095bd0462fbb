"""For which numbers an unknown payoff is pruned, makes a move best, or decides the value of a node."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from typing import Literal, NamedTuple, TypeVar

from grader.base.intervals import Span, Spans, union
from grader.base.numbers import INFINITY, Bound, Number, normalize_number
from grader.solvers.expectiminimax import probability
from grader.solvers.solvable import UnknownPayoff, Unsolvable, number_at, require_bounds, require_two_players
from grader.solvers.value_intervals import certain_choices
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree

T = TypeVar("T")


class LinearValue(NamedTuple):
    """A number that depends on the unknown x: `slope * x + constant`. An infinite one has slope 0."""

    slope: Number
    constant: Bound

    def plus(self, other: "LinearValue") -> "LinearValue":
        """The sum; infinite when either is."""
        for line in (self, other):
            if isinstance(line.constant, float):
                return line
        return LinearValue(
            normalize_number(self.slope + other.slope),
            normalize_number(Fraction(self.constant + other.constant)),
        )

    def times(self, factor: Number) -> "LinearValue":
        """The product with a number other than 0."""
        if isinstance(self.constant, float):
            return self if factor > 0 else LinearValue(0, -self.constant)
        return LinearValue(normalize_number(self.slope * factor), normalize_number(self.constant * factor))

    def value_at(self, number: Number) -> Number:
        """What it is when x is this number; never asked of an infinite one."""
        if isinstance(self.constant, float):
            raise AssertionError("an infinite line has no number")
        return normalize_number(self.slope * number + self.constant)


LOWEST, HIGHEST = LinearValue(0, -INFINITY), LinearValue(0, INFINITY)


class _Crossing(Exception):  # noqa: N818 - no error: it says where a stretch of numbers has to be cut in two
    """Two lines cross within the stretch that is looked at."""

    def __init__(self, at: Number) -> None:
        self.at = at


def _order(stretch: Span, one: LinearValue, other: LinearValue) -> int:
    """Minus one, zero or one as the first line lies below, on or above the second all along the stretch.

    The stretch is one number or open at both ends. Raises `_Crossing` where that changes within it.
    """
    below, above = one.constant, other.constant
    if isinstance(below, float) or isinstance(above, float):
        return (below > above) - (below < above)
    slope, rise = one.slope - other.slope, below - above
    if slope == 0:
        return (rise > 0) - (rise < 0)
    if stretch.low == stretch.high:
        difference = slope * stretch.low + rise
        return (difference > 0) - (difference < 0)
    at = normalize_number(Fraction(-rise) / slope)
    if stretch.low < at < stretch.high:
        raise _Crossing(at)
    right_of_it = at <= stretch.low
    return 1 if (slope > 0) == right_of_it else -1


def _best(stretch: Span, lines: Sequence[LinearValue], sign: Literal[1, -1]) -> LinearValue:
    """The largest line all along a stretch, or with -1 the smallest; of equal ones the first."""
    return reduce(lambda best, line: line if _order(stretch, line, best) == sign else best, lines)


@dataclass(frozen=True, slots=True)
class OptimalRange:
    """Where these children are the optimal ones, from left to right."""

    spans: Spans
    best: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """A tree with the unknown payoff that is asked about.

    - `name`: the word that stands for the unknown; it may stand at several leaves.
    - `others`: what other unknown payoffs are; those that are not told stay unknown, and whatever
      is asked must not depend on them.
    - `domain`: the numbers that x may be; all numbers for None.

    Raises `Unsolvable` when no leaf has an unknown payoff of this name, and for games of several players.
    """

    tree: Tree
    name: str
    others: Mapping[str, Number] = field(default_factory=dict)
    domain: tuple[Number, Number] | None = None

    def __post_init__(self) -> None:
        require_two_players(self.tree)
        if all(self.tree.payoffs[leaf] != self.name for leaf in self.tree.unknowns):
            raise Unsolvable(f"no leaf has the unknown payoff {self.name}")

    def payoff(self, leaf: int) -> LinearValue:
        """What a leaf pays; raises `UnknownPayoff` for another unknown of which nothing was told."""
        payoff = self.tree.payoffs[leaf]
        if payoff == self.name:
            return LinearValue(1, 0)
        if isinstance(payoff, str) and payoff in self.others:
            return LinearValue(0, self.others[payoff])
        return LinearValue(0, number_at(self.tree, leaf))

    def stretches(self, judge: Callable[[Span], T]) -> list[tuple[Span, T]]:
        """The domain in stretches, ascending, on each of which the judgement is one and the same.

        `judge` is asked of one number or of an open stretch, and raises `_Crossing` to have it cut.
        """
        low, high = (-INFINITY, INFINITY) if self.domain is None else self.domain
        waiting = [Span(low, False, high, False)] if low < high else []
        if self.domain is not None:
            ends = (Span(high, True, high, True), Span(low, True, low, True))
            waiting = [ends[0], *waiting, ends[1]] if low < high else [ends[0]]
        found: list[tuple[Span, T]] = []
        while waiting:
            span = waiting.pop()
            try:
                found.append((span, judge(span)))
            except _Crossing as crossing:
                at = crossing.at
                waiting += [
                    Span(at, False, span.high, False),
                    Span(at, True, at, True),
                    Span(span.low, False, at, False),
                ]
        return found

    def numbers_where(self, holds: Callable[[Span], bool]) -> Spans:
        """The numbers of the domain for which something holds."""
        return union(span for span, held in self.stretches(holds) if held)


def pruned_when(asked: Unknown, rules: Rules, node: int) -> Spans:
    """The x for which alpha-beta, or Star1 where chance moves, never visits a node.

    The search is that of `grader.solvers.alphabeta.value_test` and `grader.solvers.star1`, with the
    payoffs as lines in x; where bounds are known, x keeps within them. Raises `UnknownPayoff` when the
    search comes, before it comes to the node, to another unknown of which nothing was told, and
    `BoundsError` for a payoff outside the bounds.
    """
    if asked.tree.has_chance and rules.bounds is not None:
        require_bounds(asked.tree, rules.bounds)
        if asked.domain is None:
            asked = replace(asked, domain=rules.bounds)
    return asked.numbers_where(lambda span: not _Searching(asked, rules, span, node).comes_to_the_node())


class _Found(Exception):  # noqa: N818 - no error: the search need not go on
    """The search has come to the node that is asked about, or has passed it by."""

    def __init__(self, visited: bool) -> None:
        super().__init__()
        self.visited = visited


class _Searching:
    """One search along a stretch of numbers on which everything it compares keeps its order."""

    def __init__(self, asked: Unknown, rules: Rules, span: Span, wanted: int) -> None:
        self._asked, self._tree, self._span, self._wanted = asked, asked.tree, span, wanted
        self._above = frozenset(asked.tree.ancestors(wanted))
        self._order, self._keep = rules.order, rules.ties == "keep"
        bounds = rules.bounds if asked.tree.has_chance else None
        self._low = LOWEST if bounds is None else LinearValue(0, bounds[0])
        self._high = HIGHEST if bounds is None else LinearValue(0, bounds[1])

    def comes_to_the_node(self) -> bool:
        try:
            self._visit(0, self._low, self._high)
        except _Found as found:
            return found.visited
        return False

    def _meets(self, value: LinearValue, bound: LinearValue) -> bool:
        """Whether a value reaches a bound from below, under the tie rule."""
        return _order(self._span, value, bound) > (0 if self._keep else -1)

    def _larger(self, one: LinearValue, other: LinearValue) -> LinearValue:
        return _best(self._span, [one, other], 1)

    def _smaller(self, one: LinearValue, other: LinearValue) -> LinearValue:
        return _best(self._span, [one, other], -1)

    def _visit(self, node: int, alpha: LinearValue, beta: LinearValue) -> LinearValue:
        if node == self._wanted:
            raise _Found(True)
        if node not in self._above and (node > self._wanted) == (self._order == "left-to-right"):
            raise _Found(False)
        player = self._tree.players[node]
        if player is None:
            return self._asked.payoff(node)
        if node == 0 and self._meets(alpha, beta):
            return alpha
        if player is Player.CHANCE:
            return self._chance(node, alpha, beta)
        return self._choice(node, alpha, beta, player is Player.MAX)

    def _choice(self, node: int, alpha: LinearValue, beta: LinearValue, maximizes: bool) -> LinearValue:
        value, better = (LOWEST, self._larger) if maximizes else (HIGHEST, self._smaller)
        for child in self._tree.visiting(node, self._order):
            value = better(value, self._visit(child, alpha, beta))
            if self._meets(value, beta) if maximizes else self._meets(alpha, value):
                return value
            if maximizes:
                alpha = better(alpha, value)
            else:
                beta = better(beta, value)
        return value

    def _chance(self, node: int, alpha: LinearValue, beta: LinearValue) -> LinearValue:
        children = self._tree.visiting(node, self._order)
        total = LinearValue(0, 0)
        remaining = normalize_number(sum(probability(self._tree, child) for child in children))
        for child in children:
            share = probability(self._tree, child)
            if share == 0:
                continue
            ceiling, floor = _reach(total, self._high, remaining), _reach(total, self._low, remaining)
            if self._meets(alpha, ceiling):
                return ceiling
            if self._meets(floor, beta):
                return floor
            remaining = normalize_number(remaining - share)
            lowest = _needed(alpha, _reach(total, self._high, remaining), share)
            highest = _needed(beta, _reach(total, self._low, remaining), share)
            value = self._visit(child, self._larger(self._low, lowest), self._smaller(self._high, highest))
            total = total.plus(value.times(share))
        return total


def _reach(total: LinearValue, limit: LinearValue, remaining: Number) -> LinearValue:
    """The expectation when all outcomes still to come are worth `limit`; infinity times zero is zero."""
    return total if remaining == 0 else total.plus(limit.times(remaining))


def _needed(bound: LinearValue, elsewhere: LinearValue, share: Number) -> LinearValue:
    """What a child of probability `share` must be worth for the expectation to meet `bound`."""
    if isinstance(elsewhere.constant, float):
        return elsewhere.times(-1)
    return bound.plus(elsewhere.times(-1)).times(1 / Fraction(share))


def _untold(asked: Unknown, node: int) -> UnknownPayoff:
    """That the answer depends on an unknown below a node of which nothing was told."""
    tree = asked.tree
    untold = [
        leaf
        for leaf in tree.unknowns
        if tree.payoffs[leaf] != asked.name and tree.payoffs[leaf] not in asked.others
    ]
    below = [leaf for leaf in untold if node <= leaf < tree.ends[node]]
    return UnknownPayoff(tree, (below or untold)[0])


def _between(asked: Unknown, span: Span) -> list[tuple[LinearValue, LinearValue]]:
    """Between which lines every node lies along a stretch, when nothing is told of other unknowns."""
    tree = asked.tree
    between: list[tuple[LinearValue, LinearValue]] = [(LOWEST, HIGHEST)] * len(tree)
    for node in reversed(range(len(tree))):
        player, children = tree.players[node], tree.children[node]
        if player is None:
            payoff = tree.payoffs[node]
            if not isinstance(payoff, str) or payoff == asked.name or payoff in asked.others:
                between[node] = (asked.payoff(node),) * 2
            continue
        ends = []
        for end in (0, 1):
            lines = [between[child][end] for child in children]
            if player is Player.CHANCE:
                shares = [probability(tree, child) for child in children]
                parts = [line.times(share) for share, line in zip(shares, lines, strict=True) if share]
                ends.append(reduce(LinearValue.plus, parts, LinearValue(0, 0)))
            else:
                ends.append(_best(span, lines, 1 if player is Player.MAX else -1))
        between[node] = (ends[0], ends[1])
    return between


def optimal_ranges(asked: Unknown, node: int = 0) -> tuple[OptimalRange, ...]:
    """All optimal children of a node as they depend on x, in ascending order of the first x of each.

    Raises `UnknownPayoff` where they depend on another unknown of which nothing was told,
    `Unsolvable` where nobody chooses.
    """
    tree = asked.tree
    player, children = tree.players[node], tree.children[node]
    if player is None or player is Player.CHANCE:
        raise Unsolvable(f"nobody chooses at {tree.names[node]}")

    def best(span: Span) -> tuple[int, ...]:
        between = _between(asked, span)
        gains = [
            (between[child][1].times(-1), between[child][0].times(-1))
            if player is Player.MIN
            else between[child]
            for child in children
        ]
        optimal = certain_choices(children, gains, lambda one, other: _order(span, one, other) >= 0)
        if optimal is None:
            raise _untold(asked, node)
        return optimal

    found: dict[tuple[int, ...], list[Span]] = {}
    for span, children_there in asked.stretches(best):
        found.setdefault(children_there, []).append(span)
    return tuple(OptimalRange(union(spans), best_there) for best_there, spans in found.items())


def chosen_when(asked: Unknown, child: int, *, alone: bool = False) -> Spans:
    """The x for which a child is an optimal move of its parent; with `alone`, the only one.

    Raises what `optimal_ranges` raises.
    """
    decisions = optimal_ranges(asked, asked.tree.parents[child])
    return union(
        span
        for decision in decisions
        if child in decision.best and not (alone and decision.best[1:])
        for span in decision.spans
    )
