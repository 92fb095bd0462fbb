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
        """Return the sum; infinite if either is."""
        for line in (self, other):
            if isinstance(line.constant, float):
                return line
        return LinearValue(
            normalize_number(self.slope + other.slope),
            normalize_number(Fraction(self.constant + other.constant)),
        )

    def times(self, factor: Number) -> "LinearValue":
        """Return the product with a number other than 0."""
        if isinstance(self.constant, float):
            return self if factor > 0 else LinearValue(0, -self.constant)
        return LinearValue(normalize_number(self.slope * factor), normalize_number(self.constant * factor))


LOWEST, HIGHEST = LinearValue(0, -INFINITY), LinearValue(0, INFINITY)


class _Crossing(Exception):  # noqa: N818 - not an error: it says where to divide a stretch of numbers
    """Two lines cross within the stretch, at this number."""

    def __init__(self, number: Number) -> None:
        self.number = number


def _order(stretch: Span, one: LinearValue, other: LinearValue) -> int:
    """Return -1, 0 or 1 as the first line lies below, on or above the second all along the stretch.

    The stretch is one number or open at both ends. Raises `_Crossing` if the lines cross inside it.
    """
    if isinstance(one.constant, float) or isinstance(other.constant, float):
        return (one.constant > other.constant) - (one.constant < other.constant)
    slope, rise = one.slope - other.slope, one.constant - other.constant
    if slope == 0:
        return (rise > 0) - (rise < 0)
    if stretch.low == stretch.high:
        difference = slope * stretch.low + rise
        return (difference > 0) - (difference < 0)
    crossing = normalize_number(Fraction(-rise) / slope)
    if stretch.low < crossing < stretch.high:
        raise _Crossing(crossing)
    return 1 if (slope > 0) == (crossing <= stretch.low) else -1


def _best(stretch: Span, lines: Sequence[LinearValue], sign: Literal[1, -1]) -> LinearValue:
    """Return the largest line all along a stretch, or the smallest if `sign` is -1; the first of equals."""
    return reduce(lambda best, line: line if _order(stretch, line, best) == sign else best, lines)


@dataclass(frozen=True, slots=True)
class OptimalRange:
    """The numbers for which exactly these children are optimal; the children from left to right."""

    spans: Spans
    best: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """A tree with one unknown payoff x, on which the results below depend.

    - `name`: the word for x in the tree; several leaves may have it.
    - `others`: the numbers of other unknown payoffs. An unknown without a number stays unknown, and the
      result must not depend on it.
    - `domain`: the least and the greatest number that x may be; any number for None.

    Raises `Unsolvable` if no leaf has an unknown payoff of this name, and for games of several players.
    """

    tree: Tree
    name: str
    others: Mapping[str, Number] = field(default_factory=dict)
    domain: tuple[Number, Number] | None = None

    def __post_init__(self) -> None:
        require_two_players(self.tree)
        if all(self.tree.payoffs[leaf] != self.name for leaf in self.tree.unknowns):
            raise Unsolvable("no leaf has the unknown payoff {name}", name=self.name)

    def payoff(self, leaf: int) -> LinearValue:
        """Return the payoff of a leaf; raises `UnknownPayoff` for another unknown without a number."""
        payoff = self.tree.payoffs[leaf]
        if payoff == self.name:
            return LinearValue(1, 0)
        if isinstance(payoff, str) and payoff in self.others:
            return LinearValue(0, self.others[payoff])
        return LinearValue(0, number_at(self.tree, leaf))

    def stretches(self, result_on: Callable[[Span], T]) -> list[tuple[Span, T]]:
        """Divide the domain into ascending stretches with one result each.

        `result_on` takes a single number or an open stretch, and raises `_Crossing` to have it divided.
        """
        waiting = [Span(-INFINITY, False, INFINITY, False)]  # a stack: the leftmost stretch is on top
        if self.domain is not None:
            low, high = self.domain
            waiting = [Span(high, True, high, True)]
            if low < high:
                waiting += [Span(low, False, high, False), Span(low, True, low, True)]
        results: list[tuple[Span, T]] = []
        while waiting:
            span = waiting.pop()
            try:
                results.append((span, result_on(span)))
            except _Crossing as crossing:
                x = crossing.number
                waiting += [
                    Span(x, False, span.high, False),
                    Span(x, True, x, True),
                    Span(span.low, False, x, False),
                ]
        return results

    def numbers_where(self, holds: Callable[[Span], bool]) -> Spans:
        """Return the numbers of the domain for which `holds` is true."""
        return union(span for span, is_true in self.stretches(holds) if is_true)


def pruned_when(unknown: Unknown, rules: Rules, node: int) -> Spans:
    """Return the x for which alpha-beta, or Star1 in a tree with chance nodes, never visits a node.

    The search is that of `grader.solvers.alphabeta.value_test` and `grader.solvers.star1`, with the
    payoffs as lines in x. If bounds are known, x lies within them. Raises `UnknownPayoff` if the search
    reaches another unknown without a number before it reaches the node, and `BoundsError` for a payoff
    outside the bounds.
    """
    require_bounds(unknown.tree, rules.bounds)
    if unknown.domain is None:
        unknown = replace(unknown, domain=rules.bounds)
    return unknown.numbers_where(lambda span: not _LineSearch(unknown, rules, span, node).reaches_target())


class _TargetDecided(Exception):  # noqa: N818 - not an error: the search can stop
    """The search has reached the target node, or has passed it."""

    def __init__(self, visited: bool) -> None:
        super().__init__()
        self.visited = visited


class _LineSearch:
    """A search along a stretch of numbers on which the order of all compared lines stays the same."""

    def __init__(self, unknown: Unknown, rules: Rules, span: Span, target: int) -> None:
        self._unknown, self._tree, self._span, self._target = unknown, unknown.tree, span, target
        self._above_target = frozenset(unknown.tree.ancestors(target))
        self._order, self._keep = rules.order, rules.ties == "keep"
        self._low = LOWEST if rules.bounds is None else LinearValue(0, rules.bounds[0])
        self._high = HIGHEST if rules.bounds is None else LinearValue(0, rules.bounds[1])
        self._root_window = tuple(LinearValue(0, end) for end in rules.root_window)

    def reaches_target(self) -> bool:
        """Return whether the search visits the target."""
        try:
            self._visit(0, *self._root_window)
        except _TargetDecided as decision:
            return decision.visited
        return False

    def _meets(self, value: LinearValue, bound: LinearValue) -> bool:
        """Return whether a value reaches a bound from below, under the tie rule."""
        return _order(self._span, value, bound) > (0 if self._keep else -1)

    def _larger(self, one: LinearValue, other: LinearValue) -> LinearValue:
        return _best(self._span, [one, other], 1)

    def _smaller(self, one: LinearValue, other: LinearValue) -> LinearValue:
        return _best(self._span, [one, other], -1)

    def _visit(self, node: int, alpha: LinearValue, beta: LinearValue) -> LinearValue:
        """Return the value of a node. Raises `_TargetDecided` when the target is visited or passed."""
        if node == self._target:
            raise _TargetDecided(True)
        # Nodes are numbered in preorder, so a later node that is not an ancestor means it was passed.
        if node not in self._above_target and (node > self._target) == (self._order == "left-to-right"):
            raise _TargetDecided(False)
        player = self._tree.players[node]
        if player is None:
            return self._unknown.payoff(node)
        if node == 0 and self._meets(alpha, beta):
            return alpha
        if player is Player.CHANCE:
            return self._chance(node, alpha, beta)
        return self._choice(node, alpha, beta, player is Player.MAX)

    def _choice(self, node: int, alpha: LinearValue, beta: LinearValue, maximizes: bool) -> LinearValue:
        """Return the value of a player's node, searched up to the first cutoff."""
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
        """Return the value of a chance node, or the bound at which it is cut off (Star1)."""
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
    """Return the expectation if all remaining outcomes are worth `limit`; infinity times zero is zero."""
    return total if remaining == 0 else total.plus(limit.times(remaining))


def _needed(bound: LinearValue, elsewhere: LinearValue, share: Number) -> LinearValue:
    """Return the value with which a child of probability `share` makes the expectation equal `bound`."""
    if isinstance(elsewhere.constant, float):
        return elsewhere.times(-1)
    return bound.plus(elsewhere.times(-1)).times(1 / Fraction(share))


def _unknown_without_number(unknown: Unknown, node: int) -> UnknownPayoff:
    """Return the error for a result that depends on another unknown, if possible one below the node."""
    tree, known = unknown.tree, {unknown.name, *unknown.others}
    unresolved = [leaf for leaf in tree.unknowns if tree.payoffs[leaf] not in known]
    below = [leaf for leaf in unresolved if node <= leaf < tree.ends[node]]
    return UnknownPayoff(tree, (below or unresolved)[0])


def _interval_lines(unknown: Unknown, span: Span) -> list[tuple[LinearValue, LinearValue]]:
    """Return a lower and an upper line for every node along a stretch; other unknowns may be anything."""
    tree, known = unknown.tree, {unknown.name, *unknown.others}
    limits: list[tuple[LinearValue, LinearValue]] = [(LOWEST, HIGHEST)] * len(tree)
    for node in reversed(range(len(tree))):
        player, children = tree.players[node], tree.children[node]
        if player is None:
            payoff = tree.payoffs[node]
            if not isinstance(payoff, str) or payoff in known:
                limits[node] = (unknown.payoff(node),) * 2
            continue
        ends = []
        for end in (0, 1):
            lines = [limits[child][end] for child in children]
            if player is Player.CHANCE:
                shares = [probability(tree, child) for child in children]
                parts = [line.times(share) for share, line in zip(shares, lines, strict=True) if share]
                ends.append(reduce(LinearValue.plus, parts, LinearValue(0, 0)))
            else:
                ends.append(_best(span, lines, 1 if player is Player.MAX else -1))
        limits[node] = (ends[0], ends[1])
    return limits


def optimal_ranges(unknown: Unknown, node: int = 0) -> tuple[OptimalRange, ...]:
    """Return the sets of optimal children of a node with the x for which each is optimal, by ascending x.

    Raises `UnknownPayoff` if they depend on another unknown without a number, `Unsolvable` at a node where
    no player chooses.
    """
    tree = unknown.tree
    player, children = tree.players[node], tree.children[node]
    if player is None or player is Player.CHANCE:
        raise Unsolvable("nobody chooses at {node}", node=tree.names[node])

    def best(span: Span) -> tuple[int, ...]:
        """Return the children that are optimal for every x of a span.

        Raises `UnknownPayoff` if that depends on another unknown.
        """
        limits = _interval_lines(unknown, span)
        gains = [limits[child] for child in children]
        if player is Player.MIN:  # it maximizes the negative of the value
            gains = [(high.times(-1), low.times(-1)) for low, high in gains]
        optimal = certain_choices(children, gains, lambda one, other: _order(span, one, other) >= 0)
        if optimal is None:
            raise _unknown_without_number(unknown, node)
        return optimal

    spans_by_choice: dict[tuple[int, ...], list[Span]] = {}
    for span, optimal in unknown.stretches(best):
        spans_by_choice.setdefault(optimal, []).append(span)
    return tuple(OptimalRange(union(spans), optimal) for optimal, spans in spans_by_choice.items())


def chosen_when(unknown: Unknown, child: int, *, is_unique: bool = False) -> Spans:
    """Return the x for which a child is an optimal move of its parent; with `is_unique`, the only one.

    Raises what `optimal_ranges` raises.
    """
    return union(
        span
        for decision in optimal_ranges(unknown, unknown.tree.parents[child])
        if child in decision.best and not (is_unique and decision.best[1:])
        for span in decision.spans
    )
