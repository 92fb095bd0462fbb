"""Max^n: the payoff vector of every node when each player maximises its own component."""

from fractions import Fraction

from grader.base.numbers import Number, exact
from grader.solvers.expectiminimax import probability
from grader.solvers.payoffs import Unsolvable, value_at
from grader.tree import Player, Tree, Vector


def maxn(tree: Tree) -> tuple[Vector, ...]:
    """The vector every node is worth, aligned with the nodes; ties go to the leftmost child.

    Chance may move too: its vectors are averaged component by component.
    Luckhardt and Irani, An algorithmic solution of n-person games, AAAI 1986.
    Raises `UnknownPayoff` at an unknown leaf and `Unsolvable` for payoffs or players of a two-player game.
    """
    values: list[Vector] = [()] * len(tree)
    for node in range(len(tree) - 1, -1, -1):
        player, children = tree.players[node], tree.children[node]
        if player is None:
            vector = value_at(tree, node)
            if not isinstance(vector, tuple):
                raise Unsolvable(f"the payoff of {tree.names[node]} is not a vector")
            values[node] = vector
        elif player is Player.CHANCE:
            values[node] = _expectation([(probability(tree, child), values[child]) for child in children])
        else:
            seat = player.seat
            if seat is None or seat >= len(values[children[0]]):
                raise Unsolvable(f"{player} moves at {tree.names[node]} and has no component in the payoffs")
            # `max` keeps the first of equals, and children come from left to right.
            values[node] = max((values[child] for child in children), key=lambda vector: vector[seat])
    return tuple(values)


def _expectation(outcomes: list[tuple[Number, Vector]]) -> Vector:
    """The mean of vectors, component by component."""
    components = zip(*(vector for _, vector in outcomes), strict=True)
    shares = [share for share, _ in outcomes]
    return tuple(
        exact(Fraction(sum(share * number for share, number in zip(shares, component, strict=True))))
        for component in components
    )
