"""Max^n beyond its textbook form: every vector that some tie-break gives."""

from itertools import product
from math import prod

from grader.solvers.backup import back_up
from grader.solvers.solvable import Unsolvable, seat_at, vector_at
from grader.trees.tree import Player, Tree, Vector

MAX_VECTORS_PER_NODE = 10_000
"""A tree with a node that could have more vectors is refused."""


def all_vectors(tree: Tree) -> tuple[frozenset[Vector], ...]:
    """Return every vector that each node can have under some tie-break, aligned with the nodes.

    A vector of a child is possible for its parent if, for some tie-breaks below the other children, it is
    as good as theirs for the moving player. Sturtevant and Korf, On pruning techniques for multi-player
    games, AAAI 2000, note that different tie-breaks may give different values at the root.
    Raises `Unsolvable` for two-player games and if there are too many vectors.
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
            seat = seat_at(tree, node)
            lowest = [min(vector[seat] for vector in possible[child]) for child in children]
            possible[node] = frozenset(
                vector
                for place, child in enumerate(children)
                for vector in possible[child]
                if all(vector[seat] >= lowest[other] for other in range(len(children)) if other != place)
            )
    return tuple(possible)


def all_vectors_by_choices(tree: Tree) -> frozenset[Vector]:
    """Return the vectors of the root by definition: every best choice in every combination of vectors.

    The time grows with the number of combinations. Raises what `all_vectors` raises.
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
            seat = seat_at(tree, node)
            _require_few(tree, node, below)
            possible[node] = frozenset(
                vector
                for outcome in product(*below)
                for vector in outcome
                if vector[seat] == max(other[seat] for other in outcome)
            )
    return possible[0]


def values_reaching(tree: Tree, vector: Vector) -> tuple[Vector, ...]:
    """Return the value of every node under tie-breaks that give the root this vector.

    The first child that can have the vector is chosen; every other child has the value that is worst for
    the moving player. Raises what `all_vectors` raises, and `Unsolvable` if ties do not allow the vector.
    """
    possible = all_vectors(tree)
    if vector not in possible[0]:
        raise Unsolvable("ties do not allow {vector} at {node}", vector=vector, node=tree.names[0])
    values: list[Vector] = [vector] * len(tree)
    for node in range(len(tree)):
        player, children = tree.players[node], tree.children[node]
        below = [sorted(possible[child]) for child in children]
        if player is Player.CHANCE:
            chosen = next(row for row in product(*below) if back_up(tree, node, row) == values[node])
        elif player is not None:
            chosen = _child_values(values[node], below, seat_at(tree, node))
        else:
            continue
        for child, value in zip(children, chosen, strict=True):
            values[child] = value
    return tuple(values)


def _child_values(vector: Vector, below: list[list[Vector]], seat: int) -> tuple[Vector, ...]:
    """Return values of the children with which the player of this seat chooses the vector."""
    worst = [min(vectors, key=lambda candidate: candidate[seat]) for vectors in below]
    for place, vectors in enumerate(below):
        row = (*worst[:place], vector, *worst[place + 1 :])
        if vector in vectors and vector[seat] == max(other[seat] for other in row):
            return row
    raise AssertionError("what a node may be worth comes from a child")


def _require_vectors(tree: Tree) -> None:
    if not tree.seats:
        raise Unsolvable("max^n is for games with a payoff for each player")


def _means(tree: Tree, node: int, below: list[frozenset[Vector]]) -> frozenset[Vector]:
    """Return every mean of one vector from each child."""
    _require_few(tree, node, below)
    return frozenset(back_up(tree, node, outcome) for outcome in product(*below))


def _require_few(tree: Tree, node: int, below: list[frozenset[Vector]]) -> None:
    if prod(map(len, below)) > MAX_VECTORS_PER_NODE:
        raise Unsolvable(
            "ties allow more than {limit} vectors at {node}",
            limit=MAX_VECTORS_PER_NODE,
            node=tree.names[node],
        )
