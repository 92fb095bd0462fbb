"""Max^n as students work it out who believe something wrong about games of several players."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from grader.base.numbers import normalize_number
from grader.solvers.expectiminimax import probability
from grader.solvers.solvable import vector_at
from grader.trees.tree import Player, Tree, Vector

_Choice: TypeAlias = Callable[[Sequence[Vector], int, int], Vector]
"""(vectors of the children, seat of who moves, number of players) -> the vector taken."""

MISTAKEN_CHOICES: Mapping[str, _Choice] = {
    "all-for-first": lambda below, _seat, _seats: max(below, key=lambda vector: vector[0]),
    "others-against-first": lambda below, seat, _seats: (
        max(below, key=lambda vector: vector[0]) if seat == 0 else min(below, key=lambda vector: vector[0])
    ),
    "largest-sum": lambda below, _seat, _seats: max(below, key=sum),
    "best-of-each": lambda below, _seat, _seats: tuple(map(max, zip(*below, strict=True))),
    "next-player-chooses": lambda below, seat, seats: max(
        below, key=lambda vector: vector[(seat + 1) % seats]
    ),
}
"""For each belief what a player takes of what the children are worth."""

MISTAKEN_CHANCE_VALUES: Mapping[str, Callable[[Tree, Sequence[int], Sequence[Vector]], Vector]] = {
    "plain-average": lambda _tree, _children, below: tuple(
        normalize_number(Fraction(sum(column), len(column))) for column in zip(*below, strict=True)
    ),
    "most-likely": lambda tree, children, below: below[
        max(range(len(children)), key=lambda place: probability(tree, children[place]))
    ],
}
"""For each belief about chance what a chance node is taken to be worth."""


def mistaken_maxn(tree: Tree, belief: str) -> tuple[Vector, ...]:
    """The vector every node is worth by a belief, aligned with the nodes; ties go to the leftmost child.

    Raises `KeyError` for an unknown belief, and `grader.solvers.solvable.Unsolvable` at what is no vector.
    """
    if belief not in MISTAKEN_CHOICES and belief not in MISTAKEN_CHANCE_VALUES:
        raise KeyError(belief)
    values: list[Vector] = [()] * len(tree)
    for node in reversed(range(len(tree))):
        player, children = tree.players[node], tree.children[node]
        below = [values[child] for child in children]
        if player is None:
            values[node] = vector_at(tree, node)
        elif player is Player.CHANCE:
            values[node] = MISTAKEN_CHANCE_VALUES.get(belief, _expected)(tree, children, below)
        else:
            values[node] = MISTAKEN_CHOICES.get(belief, _own_best)(below, player.seat or 0, tree.seats)
    return tuple(values)


def _own_best(below: Sequence[Vector], seat: int, _seats: int) -> Vector:
    return max(below, key=lambda vector: vector[seat])


def _expected(tree: Tree, children: Sequence[int], below: Sequence[Vector]) -> Vector:
    shares = [probability(tree, child) for child in children]
    return tuple(
        normalize_number(Fraction(sum(share * value for share, value in zip(shares, column, strict=True))))
        for column in zip(*below, strict=True)
    )
