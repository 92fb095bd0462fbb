"""Alpha-beta search as a textbook prints it: what our own times are compared with."""

from math import inf
from random import Random
from time import process_time

from grader.trees.tree import Tree
from tests.solvers.transformations import uniform

AS_LONG = 1_000
"""So many searches take about as long as a round of what is compared with them, and meet as much of other
programs: where these come and go, the best of short stretches is the measure of another machine."""


class Game:
    """A tree as textbooks' programs see a game: through functions of a state."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.looked_at: list[int] = []

    def actions(self, state: int) -> range:
        """The moves in a state, counted from 0."""
        return range(len(self.tree.children[state]))

    def result(self, state: int, action: int) -> int:
        """The state after a move."""
        return self.tree.children[state][action]

    def is_terminal(self, state: int) -> bool:
        """Whether a state is a leaf."""
        return not self.tree.children[state]

    def utility(self, state: int) -> float:
        """The payoff of a leaf, which has been looked at."""
        self.looked_at.append(state)
        return self.tree.payoffs[state]  # type: ignore[return-value]  # a number at every leaf


def textbook(game: Game) -> tuple[int, float, list[int]]:
    """The best move, its value and the leaves looked at, as AIMA (3rd ed., fig. 5.7) prints the search."""

    def max_value(state: int, alpha: float, beta: float) -> float:
        if game.is_terminal(state):
            return game.utility(state)
        value = -inf
        for action in game.actions(state):
            value = max(value, min_value(game.result(state, action), alpha, beta))
            if value >= beta:
                return value
            alpha = max(alpha, value)
        return value

    def min_value(state: int, alpha: float, beta: float) -> float:
        if game.is_terminal(state):
            return game.utility(state)
        value = inf
        for action in game.actions(state):
            value = min(value, max_value(game.result(state, action), alpha, beta))
            if value <= alpha:
                return value
            beta = min(beta, value)
        return value

    best, move = -inf, -1
    for action in game.actions(0):
        value = min_value(game.result(0, action), best, inf)
        if value > best:
            best, move = value, action
    return move, best, game.looked_at


def textbook_search(times: int) -> float:
    """The seconds of processor time of one search of 27 leaves, the measure of other benchmarks."""
    random = Random(1)
    tree = uniform(3, 3, lambda _: random.randrange(10**6))
    start = process_time()
    for _ in range(times):
        textbook(Game(tree))
    return (process_time() - start) / times
