"""Max^n beyond its textbook form: every vector that ties allow."""

from itertools import product
from math import prod

from grader.solvers.backing import backed_up
from grader.solvers.solvable import Unsolvable, vector_at
from grader.tree import Player, Tree, Vector

VECTORS = 10_000
"""A node that ties allow more vectors is not worked out."""


def all_vectors(tree: Tree) -> tuple[frozenset[Vector], ...]:
    """Every vector that each node may be worth when players break ties as they like, aligned with the nodes.

    A vector of a child is possible for its parent when, for some tie-breaks below the other children, it
    is as good as theirs for who moves. Sturtevant and Korf, On pruning techniques for multi-player games,
    AAAI 2000, note that different tie-breaks may give different values at the root.
    Raises `Unsolvable` for games of two players and where there are too many vectors.
    """
    _require_vectors(tree)
    possible: list[frozenset[Vector]] = [frozenset()] * len(tree)
    for node in reversed(range(len(tree))):
        player, children = tree.players[node], tree.children[node]
        if player is None:
            possible[node] = frozenset((vector_at(tree, node),))
        elif player is Player.CHANCE:
            possible[node] = _means(tree, node, [possible[child] for child in children])
        else:
            seat = _seat(player)
            lowest = [min(vector[seat] for vector in possible[child]) for child in children]
            possible[node] = frozenset(
                vector
                for place, child in enumerate(children)
                for vector in possible[child]
                if all(vector[seat] >= lowest[other] for other in range(len(children)) if other != place)
            )
    return tuple(possible)


def all_vectors_by_choices(tree: Tree) -> frozenset[Vector]:
    """The same at the root by its definition: every outcome below, and every best choice among it.

    Takes as long as there are ways to combine the outcomes of children. Raises what `all_vectors` raises.
    """
    _require_vectors(tree)
    possible: dict[int, frozenset[Vector]] = {}
    for node in reversed(range(len(tree))):
        player, below = tree.players[node], [possible[child] for child in tree.children[node]]
        if player is None:
            possible[node] = frozenset((vector_at(tree, node),))
        elif player is Player.CHANCE:
            possible[node] = _means(tree, node, below)
        else:
            seat = _seat(player)
            _require_few(tree, node, below)
            possible[node] = frozenset(
                vector
                for outcome in product(*below)
                for vector in outcome
                if vector[seat] == max(other[seat] for other in outcome)
            )
    return possible[0]


def _require_vectors(tree: Tree) -> None:
    if not tree.seats:
        raise Unsolvable("max^n is for games with a payoff for each player")


def _seat(player: Player) -> int:
    if player.seat is None:
        raise Unsolvable(f"{player} has no component in the payoffs")
    return player.seat


def _means(tree: Tree, node: int, below: list[frozenset[Vector]]) -> frozenset[Vector]:
    """Every mean of one vector from each child."""
    _require_few(tree, node, below)
    return frozenset(backed_up(tree, node, outcome) for outcome in product(*below))


def _require_few(tree: Tree, node: int, below: list[frozenset[Vector]]) -> None:
    if prod(map(len, below)) > VECTORS:
        raise Unsolvable(f"ties allow more than {VECTORS} vectors at {tree.names[node]}")
