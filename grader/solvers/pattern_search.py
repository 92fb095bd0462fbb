"""Whether payoffs can prune exactly the crossed branches: searches with payoffs made up on the way."""

from collections.abc import Set
from fractions import Fraction
from typing import TypeAlias

from grader.base.numbers import INFINITY, Bound
from grader.trees.rules import Order
from grader.trees.tree import Player, Tree

PAYOFF_POSITIONS = 3
"""A payoff may fall below the window, inside of it, or above it."""


_State: TypeAlias = tuple[int, tuple[bool, bool], tuple[int, ...]]
"""A leaf, whether infinities are remembered, and the ranks of all that is remembered."""


class _OffError(Exception):
    """The search has gone another way than the crosses say."""


def can_prune_pattern(tree: Tree, order: Order, crossed: Set[int]) -> bool:
    """Whether a search can be led, leaf by leaf, to prune exactly the branches above these nodes.

    Every search is played through, with a payoff that is put below, inside or above the window when the
    search comes to its leaf, and given up as soon as it comes to a crossed node or leaves another one out.
    What follows a leaf depends only on the order of the numbers that the search remembers there, so where no
    payoff of a leaf helped once, none is tried again when they stand in the same order.
    Made to check `grader.solvers.pruning_pattern.payoffs_for_pattern`.
    """
    ways: list[int] = []
    hopeless: set[_State] = set()
    while True:
        game = _Game(tree, order, crossed, ways, hopeless)
        try:
            game.visit(0, -INFINITY, INFINITY)
        except _OffError:
            pass
        else:
            return True
        ways = game.ways[: game.used]
        while ways and ways[-1] == PAYOFF_POSITIONS - 1:
            hopeless.add(game.states[len(ways) - 1])
            ways.pop()
        if not ways:
            return False
        ways[-1] += 1


class _Game:
    """One search; `ways` say of each leaf, in the order of the visits, how its payoff is chosen."""

    def __init__(
        self, tree: Tree, order: Order, crossed: Set[int], ways: list[int], hopeless: Set[_State]
    ) -> None:
        self.tree, self.order, self.crossed = tree, order, crossed
        self.ways, self.hopeless = list(ways), hopeless
        self.used = 0
        self.states: list[_State] = []
        self.remembered: list[tuple[Bound, Bound, Bound]] = []

    def visit(self, node: int, alpha: Bound, beta: Bound) -> Bound:
        """The value of a node, as the textbook's search finds it."""
        if node in self.crossed:
            raise _OffError
        player = self.tree.players[node]
        if player is None:
            return self._payoff(node, alpha, beta)
        value: Bound = -INFINITY if player is Player.MAX else INFINITY
        children = self.tree.visiting(node, self.order)
        for place, child in enumerate(children):
            self.remembered.append((value, alpha, beta))
            found = self.visit(child, alpha, beta)
            self.remembered.pop()
            if player is Player.MAX:
                value = max(value, found)
                alpha = max(alpha, value)
            else:
                value = min(value, found)
                beta = min(beta, value)
            # No two payoffs that count are alike, so that the tie rule decides nothing.
            if alpha > beta:
                if any(child not in self.crossed for child in children[place + 1 :]):
                    raise _OffError
                break
        return value

    def _state(self, leaf: int) -> _State:
        """A leaf with the order of all numbers that the search remembers when it comes there."""
        numbers = [number for each in self.remembered for number in each]
        place = {number: rank for rank, number in enumerate(sorted(set(numbers)))}
        infinite = (-INFINITY in place, INFINITY in place)
        return leaf, infinite, tuple(place[number] for number in numbers)

    def _payoff(self, leaf: int, alpha: Bound, beta: Bound) -> Bound:
        state = self._state(leaf)
        if state in self.hopeless:
            raise _OffError
        self.states.append(state)
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
