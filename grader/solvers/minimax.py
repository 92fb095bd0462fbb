"""Minimax: the exact value of every node in a game of MAX against MIN."""

from grader.base.numbers import Number
from grader.solvers.solvable import Unsolvable, numbers_at_leaves
from grader.trees.tree import Player, Tree


def minimax(tree: Tree) -> tuple[Number, ...]:
    """Return the minimax value of every node, aligned with the nodes.

    One pass from the last node to the first, because in preorder children come after their parent.
    Russell and Norvig, Artificial Intelligence, fig. 5.3.
    Raises `UnknownPayoff` at an unknown leaf and `Unsolvable` if players other than MAX and MIN move.
    """
    values = numbers_at_leaves(tree)
    for node in reversed(tree.internal):
        player = tree.players[node]
        if player is Player.MAX:
            values[node] = max([values[child] for child in tree.children[node]])
        elif player is Player.MIN:
            values[node] = min([values[child] for child in tree.children[node]])
        else:
            raise Unsolvable(
                "minimax knows MAX and MIN only, but {player} moves at {node}",
                player=player,
                node=tree.names[node],
            )
    return tuple(values)
