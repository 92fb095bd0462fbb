"""Alpha-beta without a search: one sweep up for the values, one sweep down for the windows."""

from dataclasses import dataclass
from operator import le, lt

from grader.numerals import INFINITY, Bound, Number
from grader.rules import Rules
from grader.solvers.payoffs import Unsolvable, number_at
from grader.tree import Player, Tree

SCALAR_NODES = 2_000
"""Trees with more nodes are swept as arrays."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """What two sweeps find, as tuples aligned with the nodes.

    `alphas` and `betas` are the largest and the smallest exact value of elder siblings along the
    path to a node, under MAX and under MIN ancestors. At visited nodes that is the window with
    which a search enters; where the search never comes it is what closed the way.
    """

    values: tuple[Number, ...]
    alphas: tuple[Bound, ...]
    betas: tuple[Bound, ...]
    visited: tuple[bool, ...]


def sweep(tree: Tree, rules: Rules) -> Sweep:
    """Values, windows and visited nodes of alpha-beta under the order and the tie rule.

    A node is visited exactly when alpha < beta, with `ties=keep` when alpha <= beta.
    Windows only narrow on the way down, so a visited node has visited ancestors.
    Raises `UnknownPayoff` at any unknown leaf, `Unsolvable` for chance nodes and several players.
    """
    players, below = tree.players, tree.children
    values: list[Number] = [0] * len(tree)
    for node in range(len(tree) - 1, -1, -1):
        player = players[node]
        if player is None:
            values[node] = number_at(tree, node)
        elif player is Player.MAX:
            values[node] = max([values[child] for child in below[node]])
        elif player is Player.MIN:
            values[node] = min([values[child] for child in below[node]])
        else:
            raise Unsolvable(f"the sweep knows MAX and MIN only, and {player} moves at {tree.names[node]}")
    alphas: list[Bound] = [-INFINITY] * len(tree)
    betas: list[Bound] = [INFINITY] * len(tree)
    for node in tree.internal:
        alpha, beta = alphas[node], betas[node]
        if players[node] is Player.MAX:
            for child in tree.visiting(node, rules.order):
                alphas[child], betas[child] = alpha, beta
                if values[child] > alpha:
                    alpha = values[child]
        else:
            for child in tree.visiting(node, rules.order):
                alphas[child], betas[child] = alpha, beta
                if values[child] < beta:
                    beta = values[child]
    visited = map(lt if rules.ties == "cut" else le, alphas, betas)
    return Sweep(tuple(values), tuple(alphas), tuple(betas), tuple(visited))
