"""A search for payoffs that prune exactly the crossed branches, with payoffs chosen leaf by leaf."""

from collections.abc import Set
from fractions import Fraction
from typing import TypeAlias

from grader.base.numbers import INFINITY, Bound
from grader.trees.rules import Order
from grader.trees.tree import Player, Tree

PAYOFF_POSITIONS = 3
"""A payoff may be inside the window (0), below it (1), or above it (2)."""


_State: TypeAlias = tuple[int, tuple[bool, bool], tuple[int, ...]]
"""A leaf, whether -infinity and infinity occur in the search state, and the ranks of its numbers."""


class _MismatchError(Exception):
    """The search does not follow the pattern of crosses."""


def can_prune_pattern(tree: Tree, order: Order, crossed: Set[int]) -> bool:
    """Return whether some payoffs prune exactly the branches above the crossed nodes.

    Backtracking: each payoff is put below, inside or above the window when the search reaches its leaf. A
    search is abandoned when it visits a crossed node or prunes any other. What follows a leaf depends only
    on the order of the numbers in the search state, so a leaf without a working payoff is not tried again
    when its numbers have the same order.
    A second algorithm to check `grader.solvers.pruning_pattern.payoffs_for_pattern`.
    """
    positions: list[int] = []
    dead_ends: set[_State] = set()
    while True:
        attempt = _Attempt(tree, order, crossed, positions, dead_ends)
        try:
            attempt.visit(0, -INFINITY, INFINITY)
        except _MismatchError:
            pass
        else:
            return True
        positions = attempt.positions[: attempt.used]
        while positions and positions[-1] == PAYOFF_POSITIONS - 1:
            dead_ends.add(attempt.states[len(positions) - 1])
            positions.pop()
        if not positions:
            return False
        positions[-1] += 1


class _Attempt:
    """One search; `positions` are those of the payoffs, in the order in which their leaves are visited."""

    def __init__(
        self, tree: Tree, order: Order, crossed: Set[int], positions: list[int], dead_ends: Set[_State]
    ) -> None:
        self.tree, self.order, self.crossed = tree, order, crossed
        self.positions, self.dead_ends = list(positions), dead_ends
        self.used = 0
        self.states: list[_State] = []
        self.stack: list[tuple[Bound, Bound, Bound]] = []

    def visit(self, node: int, alpha: Bound, beta: Bound) -> Bound:
        """Return the value of a node by the textbook search.

        Raises `_MismatchError` when the search visits a crossed node, prunes a branch that is not crossed,
        or reaches a leaf whose payoff cannot be chosen.
        """
        if node in self.crossed:
            raise _MismatchError
        player = self.tree.players[node]
        if player is None:
            return self._payoff(node, alpha, beta)
        value: Bound = -INFINITY if player is Player.MAX else INFINITY
        children = self.tree.visiting(node, self.order)
        for place, child in enumerate(children):
            self.stack.append((value, alpha, beta))
            child_value = self.visit(child, alpha, beta)
            self.stack.pop()
            if player is Player.MAX:
                value = max(value, child_value)
                alpha = max(alpha, value)
            else:
                value = min(value, child_value)
                beta = min(beta, value)
            # The payoffs that matter are all different, so the tie rule decides nothing.
            if alpha > beta:
                if any(child not in self.crossed for child in children[place + 1 :]):
                    raise _MismatchError
                break
        return value

    def _state(self, leaf: int) -> _State:
        """Return a leaf with the order of all values and bounds on the way to it."""
        numbers = [number for entry in self.stack for number in entry]
        ranks = {number: rank for rank, number in enumerate(sorted(set(numbers)))}
        return leaf, (-INFINITY in ranks, INFINITY in ranks), tuple(ranks[number] for number in numbers)

    def _payoff(self, leaf: int, alpha: Bound, beta: Bound) -> Bound:
        """Choose the payoff of the next leaf by its position, the first one if it has none yet.

        Raises `_MismatchError` in a dead end, and if there are no numbers at that position.
        """
        state = self._state(leaf)
        if state in self.dead_ends:
            raise _MismatchError
        self.states.append(state)
        if self.used == len(self.positions):
            self.positions.append(0)
        position = self.positions[self.used]
        self.used += 1
        low, high = isinstance(alpha, float), isinstance(beta, float)
        if position == 0:
            return _between(alpha, beta)
        if (position == 1 and low) or (position == 2 and high):
            raise _MismatchError  # there is nothing beyond an infinite end
        return Fraction(alpha) - 1 if position == 1 else Fraction(beta) + 1


def _between(alpha: Bound, beta: Bound) -> Bound:
    """Return a number strictly between two bounds; each may be infinite."""
    if isinstance(alpha, float):
        return Fraction(0) if isinstance(beta, float) else Fraction(beta) - 1
    return Fraction(alpha) + 1 if isinstance(beta, float) else Fraction(Fraction(alpha) + beta) / 2
