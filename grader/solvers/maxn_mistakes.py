"""Max^n as students with a misconception about games of several players work it out."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from grader.base.numbers import normalize_number
from grader.solvers.backup import back_up
from grader.solvers.expectiminimax import probability
from grader.solvers.solvable import vector_at
from grader.trees.tree import Player, Tree, Vector

_Choice: TypeAlias = Callable[[Sequence[Vector], int, int], Vector]
"""(vectors of the children, seat of the moving player, number of players) -> the chosen vector."""

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
"""The vector that a player chooses, by the name of the belief."""

MISTAKEN_CHANCE_VALUES: Mapping[str, Callable[[Tree, Sequence[int], Sequence[Vector]], Vector]] = {
    "plain-average": lambda _tree, _children, below: tuple(
        normalize_number(Fraction(sum(column), len(column))) for column in zip(*below, strict=True)
    ),
    "most-likely": lambda tree, children, below: below[
        max(range(len(children)), key=lambda place: probability(tree, children[place]))
    ],
}
"""The value of a chance node, by the name of the belief."""


def mistaken_maxn(tree: Tree, belief: str) -> tuple[Vector, ...]:
    """Return the vector of every node under a belief, aligned with the nodes; ties go to the leftmost child.

    Raises `KeyError` for an unknown belief, and `grader.solvers.solvable.Unsolvable` for a payoff that is
    not a vector.
    """
    if belief not in MISTAKEN_CHOICES and belief not in MISTAKEN_CHANCE_VALUES:
        raise KeyError(belief)
    values: list[Vector] = [()] * len(tree)
    for node in reversed(range(len(tree))):
        player, children = tree.players[node], tree.children[node]
        below = [values[child] for child in children]
        if player is None:
            values[node] = vector_at(tree, node)
        elif player is Player.CHANCE and belief in MISTAKEN_CHANCE_VALUES:
            values[node] = MISTAKEN_CHANCE_VALUES[belief](tree, children, below)
        elif player is not Player.CHANCE and belief in MISTAKEN_CHOICES:
            values[node] = MISTAKEN_CHOICES[belief](below, player.seat or 0, tree.seats)
        else:
            values[node] = back_up(tree, node, below)
    return tuple(values)
