"""Whether payoffs can prune exactly the crossed branches: searches with payoffs made up on the way."""

from collections.abc import Set
from fractions import Fraction

from grader.base.numbers import INFINITY, Bound
from grader.rules import Rules
from grader.tree import Player, Tree

WAYS = 3
"""A payoff may fall below the window, inside of it, or above it."""


class _OffError(Exception):
    """The search has gone another way than the crosses say."""


def can_be_played(tree: Tree, rules: Rules, crossed: Set[int]) -> bool:
    """Whether a search can be led, leaf by leaf, to prune exactly the branches above these nodes.

    Every search is played through, with a payoff that is put below, inside or above the window when the
    search comes to its leaf, and given up as soon as it comes to a crossed node or leaves another one out.
    Made to check `grader.solvers.feasible.crossed_pattern`.
    """
    ways: list[int] = []
    while True:
        game = _Game(tree, rules, crossed, ways)
        try:
            game.visit(0, -INFINITY, INFINITY)
        except _OffError:
            pass
        else:
            return True
        ways = game.ways[: game.used]
        while ways and ways[-1] == WAYS - 1:
            ways.pop()
        if not ways:
            return False
        ways[-1] += 1


class _Game:
    """One search; `ways` say of each leaf, in the order of the visits, how its payoff is chosen."""

    def __init__(self, tree: Tree, rules: Rules, crossed: Set[int], ways: list[int]) -> None:
        self.tree, self.rules, self.crossed = tree, rules, crossed
        self.ways = list(ways)
        self.used = 0

    def visit(self, node: int, alpha: Bound, beta: Bound) -> Bound:
        """The value of a node, as the textbook's search finds it."""
        if node in self.crossed:
            raise _OffError
        player = self.tree.players[node]
        if player is None:
            return self._payoff(alpha, beta)
        value: Bound = -INFINITY if player is Player.MAX else INFINITY
        order = self.tree.visiting(node, self.rules.order)
        for place, child in enumerate(order):
            found = self.visit(child, alpha, beta)
            if player is Player.MAX:
                value = max(value, found)
                alpha = max(alpha, value)
            else:
                value = min(value, found)
                beta = min(beta, value)
            if alpha > beta or (alpha == beta and self.rules.ties == "cut"):
                if any(child not in self.crossed for child in order[place + 1 :]):
                    raise _OffError
                break
        return value

    def _payoff(self, alpha: Bound, beta: Bound) -> Bound:
        if self.used == len(self.ways):
            self.ways.append(0)
        way = self.ways[self.used]
        self.used += 1
        low, high = isinstance(alpha, float), isinstance(beta, float)
        if way == 0:
            return _between(alpha, beta)
        if (way == 1 and low) or (way == 2 and high):
            raise _OffError  # there is nothing beyond an infinite end
        return Fraction(alpha) - 1 if way == 1 else Fraction(beta) + 1


def _between(alpha: Bound, beta: Bound) -> Bound:
    if isinstance(alpha, float):
        return Fraction(0) if isinstance(beta, float) else Fraction(beta) - 1
    return Fraction(alpha) + 1 if isinstance(beta, float) else Fraction(Fraction(alpha) + beta) / 2
