"""Trees with chance in whole numbers: probabilities as weights, and numbers times what makes them whole."""

from fractions import Fraction
from math import lcm

from grader.base.numbers import Bound, Number, normalize_number
from grader.solvers.expectiminimax import probability
from grader.solvers.trace import Cut, Enter, Event, Gather, Leave, Search, Update
from grader.trees.tree import Player, Tree

MAX_SCALE = 1 << 62
"""Denominators are multiplied through up to here; beyond it some numbers stay fractions."""


class ChanceWeights:
    """The weights of a tree with chance, and by what the numbers of each node are multiplied.

    - `wholes`: of chance nodes the common denominator of their probabilities; 1 at all other nodes.
    - `weights`: the probabilities of the branches above nodes below chance, times that; 1 elsewhere.
    - `scales`: the scale of the root times all weights on the way to a node. The root's is a multiple of
      the products of `wholes` on the ways to leaves, so that expectations are whole as payoffs are, as far
      as these do not pile up.

    A search is exact whatever the scale: what is not whole in it is a fraction.
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
        for factor in (*{products[leaf] for leaf in tree.leaves}, *(each.denominator for each in fractions)):
            if self.scales[0] < MAX_SCALE:
                self.scales[0] = lcm(self.scales[0], factor)
        for node in tree.internal:
            for child in tree.children[node]:
                self.scales[child] = self.scales[node] * self.weights[child]

    def unscale(self, found: Search) -> Search:
        """A search in these numbers, told in those of the tree."""
        if self.scales[0] == 1:
            return found
        told = {scale: _Told(scale) for scale in {*self.scales}}
        inner = [told[scale] for scale in self.scales]

        def each(column: tuple[Bound | None, ...]) -> tuple[Bound | None, ...]:
            return tuple(
                [
                    None if number is None else known[number]
                    for known, number in zip(inner, column, strict=True)
                ]
            )

        def event(was: Event) -> Event:
            known = inner[was.node]
            match was:
                case Enter(node, alpha, beta):
                    return Enter(node, known[alpha], known[beta])
                case Update(node, child, bound, value):
                    return Update(node, child, bound, known[value])
                case Gather(node, child, total, remaining):
                    whole = self.wholes[node]
                    total = divide_number(total, self.scales[node] * whole)
                    return Gather(node, child, total, divide_number(remaining, whole))
                case Cut(node, child, value, alpha, beta, skipped):
                    return Cut(node, child, known[value], known[alpha], known[beta], skipped)
                case Leave(node, value):
                    return Leave(node, known[value])

        trace = tuple(map(event, found.trace))
        return Search(each(found.alphas), each(found.betas), each(found.returned), trace)


class _Told(dict[Bound, Bound]):
    """The numbers that were divided by a scale: most come again and again."""

    def __init__(self, scale: int) -> None:
        super().__init__()
        self.scale = scale

    def __missing__(self, number: Bound) -> Bound:
        divided = self[number] = divide_bound(number, self.scale)
        return divided


def scale_bound(number: Bound, factor: int) -> Bound:
    """A number times a weight or scale; an infinity stays what it is."""
    if isinstance(number, int):
        return number * factor
    return number if isinstance(number, float) else normalize_number(number * factor)


def divide_number(number: Number, whole: int) -> Number:
    """A number divided by a weight or scale, whole where it can be."""
    if isinstance(number, int):
        quotient, rest = divmod(number, whole)
        return Fraction(number, whole) if rest else quotient
    return normalize_number(number / whole)


def divide_bound(number: Bound, whole: int) -> Bound:
    """The same of a bound; an infinity stays what it is."""
    return number if isinstance(number, float) else divide_number(number, whole)


def total_with_rest_at(total: Number, limit: Bound, remaining: int) -> Bound:
    """The weighed sum when all outcomes still to come are worth `limit`; infinity times zero is zero."""
    if remaining == 0:
        return total
    return limit if isinstance(limit, float) else total + limit * remaining


def required_contribution(bound: Bound, elsewhere: Bound) -> Bound:
    """What a child must add, times its weight, for the weighed sum to meet `bound`.

    `elsewhere` is what the other outcomes contribute. An infinite contribution opens the window
    at its own end: however low alpha is, outcomes without a ceiling can still lift the expectation.
    """
    if isinstance(elsewhere, float):
        return -elsewhere
    return bound if isinstance(bound, float) else bound - elsewhere


def require_finite(value: Bound) -> Number:
    """The value as a number: what a search returns from below a chance node is never infinite."""
    assert not isinstance(value, float), "a node returned an infinite value"
    return value
