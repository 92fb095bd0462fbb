"""Max^n: the payoff vector of every node when each player maximises its own component."""

from grader.solvers.backing import backed_up
from grader.solvers.payoffs import Unsolvable, vector_at
from grader.tree import Player, Tree, Vector


def maxn(tree: Tree) -> tuple[Vector, ...]:
    """The vector every node is worth, aligned with the nodes; ties go to the leftmost child.

    Chance may move too: its vectors are averaged component by component.
    Luckhardt and Irani, An algorithmic solution of n-person games, AAAI 1986.
    Raises `UnknownPayoff` at an unknown leaf and `Unsolvable` for payoffs or players of a two-player game.
    """
    values: list[Vector] = [()] * len(tree)
    for node in reversed(range(len(tree))):
        player, children = tree.players[node], tree.children[node]
        if player is None:
            values[node] = vector_at(tree, node)
            continue
        if player is not Player.CHANCE and (player.seat is None or player.seat >= tree.seats):
            raise Unsolvable(f"{player} moves at {tree.names[node]} and has no component in the payoffs")
        values[node] = backed_up(tree, node, [values[child] for child in children])
    return tuple(values)
