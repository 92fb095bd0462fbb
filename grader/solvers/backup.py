"""Backing up: the value of a node from given values of its children."""

from collections.abc import Sequence
from typing import Any, overload

from grader.base.numbers import Bound, Number, normalize_number
from grader.solvers.expectiminimax import probability
from grader.trees.tree import Player, Tree, Vector


@overload
def back_up(tree: Tree, node: int, below: Sequence[Number]) -> Number: ...
@overload
def back_up(tree: Tree, node: int, below: Sequence[Bound]) -> Bound: ...
@overload
def back_up(tree: Tree, node: int, below: Sequence[Vector]) -> Vector: ...
def back_up(tree: Tree, node: int, below: Sequence[Any]) -> Any:
    """Return the value of an inner node from the values of its children, from left to right.

    A player chooses among the given values, so some children may be missing; a chance node needs the
    values of all children. Values may be infinite, but at one node only on one side. In a game of several
    players they are vectors, and the leftmost of equals counts. Raises ValueError for a leaf.
    """
    player = tree.players[node]
    if player is Player.CHANCE:
        shares = [probability(tree, child) for child in tree.children[node]]
        if isinstance(below[0], tuple):
            return tuple(_mean(shares, column) for column in zip(*below, strict=True))
        return _mean(shares, below)
    if player is Player.MAX:
        return max(below)
    if player is Player.MIN:
        return min(below)
    if player is None or player.seat is None:
        raise ValueError(f"{tree.names[node]} is a leaf, and nothing is backed up to it")
    seat = player.seat
    return max(below, key=lambda vector: vector[seat])  # `max` keeps the first of equals


def _mean(shares: Sequence[Number], values: Sequence[Bound]) -> Bound:
    """Return the expectation of outcomes; an outcome with probability 0 does not count, even if infinite."""
    total: Number = 0
    for share, value in zip(shares, values, strict=True):
        if share == 0:
            continue
        if isinstance(value, float):
            return value
        total += share * value
    return normalize_number(total)
