"""Max^n: the payoff vector of every node if each player maximizes its own component."""

from grader.solvers.backup import back_up
from grader.solvers.solvable import seat_at, vector_at
from grader.trees.tree import Player, Tree, Vector


def maxn(tree: Tree) -> tuple[Vector, ...]:
    """Return the vector of every node, aligned with the nodes; ties go to the leftmost child.

    The vector of a chance node is the expectation of each component.
    Luckhardt and Irani, An algorithmic solution of n-person games, AAAI 1986.
    Raises `UnknownPayoff` at an unknown leaf and `Unsolvable` for payoffs or players of a two-player game.
    """
    values: list[Vector] = [()] * len(tree)
    for node in reversed(range(len(tree))):
        player, children = tree.players[node], tree.children[node]
        if player is None:
            values[node] = vector_at(tree, node)
            continue
        if player is not Player.CHANCE:
            seat_at(tree, node)  # refuses a player without a component
        values[node] = back_up(tree, node, [values[child] for child in children])
    return tuple(values)


def maxn_level_by_level(tree: Tree) -> Vector:
    """Return the vector of the root by working from the deepest level up, as on paper.

    Raises what `maxn` raises.
    """
    level: dict[int, Vector] = {leaf: vector_at(tree, leaf) for leaf in tree.leaves}
    for depth in range(max(tree.depths) - 1, -1, -1):
        for node in tree.internal:
            if tree.depths[node] != depth:
                continue
            row = [level.pop(child) for child in tree.children[node]]
            if tree.players[node] is Player.CHANCE:
                level[node] = back_up(tree, node, row)
                continue
            seat = seat_at(tree, node)
            best = sorted(vector[seat] for vector in row)[-1]
            level[node] = next(vector for vector in row if vector[seat] == best)
    return level[0]
