"""Max^n beyond its textbook form: every vector that ties allow."""

from itertools import product
from math import prod

from grader.solvers.backup import back_up
from grader.solvers.solvable import Unsolvable, vector_at
from grader.trees.tree import Player, Tree, Vector

MAX_VECTORS_PER_NODE = 10_000
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


def values_reaching(tree: Tree, vector: Vector) -> tuple[Vector, ...]:
    """What every node is worth when ties are broken so that the root is worth this vector.

    The first child that can be worth as much is chosen, and all others are worth as little as ties allow to
    who moves. Raises what `all_vectors` raises, and `Unsolvable` where ties do not allow the vector.
    """
    possible = all_vectors(tree)
    if vector not in possible[0]:
        raise Unsolvable(f"ties do not allow {vector} at {tree.names[0]}")
    values: list[Vector] = [vector] * len(tree)
    for node in range(len(tree)):
        player, children = tree.players[node], tree.children[node]
        below = [sorted(possible[child]) for child in children]
        if player is Player.CHANCE:
            found = next(each for each in product(*below) if back_up(tree, node, each) == values[node])
        elif player is not None:
            found = _chosen(values[node], below, _seat(player))
        else:
            continue
        for child, value in zip(children, found, strict=True):
            values[child] = value
    return tuple(values)


def _chosen(vector: Vector, below: list[list[Vector]], seat: int) -> tuple[Vector, ...]:
    """What the children are worth where one who moves at a seat ends up with a vector."""
    least = [min(vectors, key=lambda each: each[seat]) for vectors in below]
    for place, vectors in enumerate(below):
        found = (*least[:place], vector, *least[place + 1 :])
        if vector in vectors and vector[seat] == max(each[seat] for each in found):
            return found
    raise AssertionError("what a node may be worth comes from a child")


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
    return frozenset(back_up(tree, node, outcome) for outcome in product(*below))


def _require_few(tree: Tree, node: int, below: list[frozenset[Vector]]) -> None:
    if prod(map(len, below)) > MAX_VECTORS_PER_NODE:
        raise Unsolvable(f"ties allow more than {MAX_VECTORS_PER_NODE} vectors at {tree.names[node]}")
