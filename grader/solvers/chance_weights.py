"""Whole numbers for trees with chance: probabilities as weights, and values times a common denominator."""

from fractions import Fraction
from math import lcm

from grader.base.numbers import Bound, Number, normalize_number
from grader.solvers.expectiminimax import probability
from grader.solvers.trace import Cut, Enter, Event, Gather, Leave, Search, Update
from grader.trees.tree import Player, Tree

MAX_SCALE = 1 << 62
"""The largest scale of the root that is increased further; beyond it some numbers stay fractions."""


class ChanceWeights:
    """The weights of a tree with chance, and the factor by which the numbers of each node are multiplied.

    - `wholes`: the common denominator of the probabilities at a chance node; 1 at all other nodes.
    - `weights`: the probability of the branch above a node times that denominator; 1 if no chance node
      is its parent.
    - `scales`: the scale of the root times all weights on the path to a node. The scale of the root is a
      multiple of the products of `wholes` on the paths to the leaves, up to a limit, so expectations of
      whole payoffs are whole numbers.

    A search is exact with any scale: a number that is not whole is a fraction.
    """

    __slots__ = ("scales", "weights", "wholes")

    def __init__(self, tree: Tree, bounds: tuple[Number, Number] | None) -> None:
        size = len(tree)
        self.weights, self.wholes, self.scales = [1] * size, [1] * size, [1] * size
        if not tree.has_chance:
            return
        products = [1] * size
        for node in tree.internal:
            children = tree.children[node]
            if tree.players[node] is Player.CHANCE:
                shares = [probability(tree, child) for child in children]
                whole = self.wholes[node] = lcm(*(share.denominator for share in shares))
                for child, share in zip(children, shares, strict=True):
                    self.weights[child] = share.numerator * (whole // share.denominator)
            for child in children:
                products[child] = products[node] * self.wholes[node]
        fractions = (number for number in (*(bounds or ()), *tree.payoffs) if isinstance(number, Fraction))
        for factor in (
            *{products[leaf] for leaf in tree.leaves},
            *(number.denominator for number in fractions),
        ):
            if self.scales[0] < MAX_SCALE:
                self.scales[0] = lcm(self.scales[0], factor)
        for node in tree.internal:
            for child in tree.children[node]:
                self.scales[child] = self.scales[node] * self.weights[child]

    def unscale(self, scaled: Search) -> Search:
        """Return a search with its numbers divided by the scales of their nodes."""
        if self.scales[0] == 1:
            return scaled
        quotients = {scale: _Quotients(scale) for scale in {*self.scales}}
        by_node = [quotients[scale] for scale in self.scales]

        def divide(column: tuple[Bound | None, ...]) -> tuple[Bound | None, ...]:
            pairs = zip(by_node, column, strict=True)
            return tuple([None if number is None else quotient[number] for quotient, number in pairs])

        def divide_event(event: Event) -> Event:
            """Return an event with its numbers divided by the scale of its node.

            Those of a `Gather` are also divided by the common denominator at its chance node.
            """
            quotient = by_node[event.node]
            match event:
                case Enter(node, alpha, beta):
                    return Enter(node, quotient[alpha], quotient[beta])
                case Update(node, child, bound, value):
                    return Update(node, child, bound, quotient[value])
                case Gather(node, child, total, remaining):
                    whole = self.wholes[node]
                    total = divide_number(total, self.scales[node] * whole)
                    return Gather(node, child, total, divide_number(remaining, whole))
                case Cut(node, child, value, alpha, beta, skipped):
                    return Cut(node, child, quotient[value], quotient[alpha], quotient[beta], skipped)
                case Leave(node, value):
                    return Leave(node, quotient[value])

        trace = tuple(map(divide_event, scaled.trace))
        return Search(divide(scaled.alphas), divide(scaled.betas), divide(scaled.returned), trace)


class _Quotients(dict[Bound, Bound]):
    """Numbers with their quotients by a scale, each computed once, because most of them recur often."""

    def __init__(self, scale: int) -> None:
        super().__init__()
        self.scale = scale

    def __missing__(self, number: Bound) -> Bound:
        quotient = self[number] = divide_bound(number, self.scale)
        return quotient


def scale_bound(number: Bound, factor: int) -> Bound:
    """Return a number times a weight or scale; infinities stay the same."""
    if isinstance(number, int):
        return number * factor
    return number if isinstance(number, float) else normalize_number(number * factor)


def divide_number(number: Number, whole: int) -> Number:
    """Return a number divided by a weight or scale, as an int if it is whole."""
    if isinstance(number, int):
        quotient, rest = divmod(number, whole)
        return Fraction(number, whole) if rest else quotient
    return normalize_number(number / whole)


def divide_bound(number: Bound, whole: int) -> Bound:
    """Return a bound divided by a weight or scale; infinities stay the same."""
    return number if isinstance(number, float) else divide_number(number, whole)


def total_with_rest_at(total: Number, limit: Bound, remaining: int) -> Bound:
    """Return the weighted sum if all remaining outcomes are worth `limit`; infinity times zero is zero."""
    if remaining == 0:
        return total
    return limit if isinstance(limit, float) else total + limit * remaining


def required_contribution(bound: Bound, elsewhere: Bound) -> Bound:
    """Return the weighted value with which a child makes the weighted sum equal `bound`.

    `elsewhere` is the contribution of the other outcomes. If it is infinite, this end of the window is
    open: outcomes without a ceiling can still lift the expectation above any alpha.
    """
    if isinstance(elsewhere, float):
        return -elsewhere
    return bound if isinstance(bound, float) else bound - elsewhere


def require_finite(value: Bound) -> Number:
    """Return the value as a number; a child of a chance node never returns an infinite value."""
    assert not isinstance(value, float), "a node returned an infinite value"
    return value
