"""The definition of a visited leaf for many trees of one shape: its oracle in arrays, without windows."""

from fractions import Fraction
from math import lcm
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from grader.trees.rules import Order, Ties
from grader.trees.tree import Player, Tree
from tests.solvers.definition import meeting_players, split

Numbers: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

FAR = np.int64(10**9)
"""Beyond all payoffs of these campaigns, wherever chance takes them; times `unit` it fits an int64."""

STEPS = {Player.MAX: -1, Player.MIN: 1}


def visited_nodes(tree: Tree, payoffs: Numbers, order: Order, ties: Ties) -> Flags:
    """As `tests.solvers.definition.is_visited` of every leaf, and a node where a leaf below it is; no chance.

    `payoffs` has a row for each leaf and a column for each tree; what comes back a row for each node.
    """
    visited = np.zeros((len(tree), payoffs.shape[1]), np.bool_)
    # In units of a third of the least difference, so that there is room for a step to either side.
    known = dict(zip(tree.leaves, (3 * payoffs).astype(np.int16), strict=True))
    extreme = np.full(payoffs.shape[1], np.iinfo(np.int16).max)
    for leaf in tree.leaves:
        meeting = meeting_players(tree, leaf)
        before, after = split(tree, leaf, order)
        values = {other: known[other] for other in before}
        if ties == "keep":
            values = {other: row + STEPS[meeting[other]] for other, row in values.items()}
        for other in after:
            values[other] = -extreme if meeting[other] is Player.MAX else extreme
        low, high = (_root(tree, {**values, leaf: end}) for end in (-extreme, extreme))
        visited[leaf] = low != high
    return _with_ancestors(tree, visited)


def _root(tree: Tree, values: dict[int, Numbers]) -> Numbers:
    for node in reversed(tree.internal):
        better = np.maximum if tree.players[node] is Player.MAX else np.minimum
        first, *others = tree.children[node]
        best = values[first]
        for child in others:
            best = better(best, values[child])
        values[node] = best
    return values[0]


def visited_nodes_with_chance(
    tree: Tree, payoffs: Numbers, order: Order, ties: Ties, bounds: tuple[int, int] | None
) -> Flags:
    """The same where chance moves, as `tests.solvers.definition.is_visited_with_chance`.

    The root is a function of the leaf and of what comes after it. Going up from the leaf, some values of a
    node are those at which the root could still notice: all within the bounds at the leaf itself; above MAX
    only what is more than all elder children are worth, above MIN less; above chance the weighed sum of the
    elder outcomes, these values, and whatever the outcomes to come may add. What comes after below MAX
    interferes least at the lower bound, below MIN at the upper one. A leaf is visited when there are such
    values left at the root; under `keep` an elder that is worth as much does not close the way.
    """
    one = unit(tree)
    values = values_with_chance(tree, one * payoffs)
    low, high = (-FAR, FAR) if bounds is None else bounds
    visited = np.zeros((len(tree), payoffs.shape[1]), np.bool_)
    for leaf in tree.leaves:
        least, most = np.full((2, payoffs.shape[1]), [[one * low], [one * high]])
        open_still = _some(least, most, ties)
        child = leaf
        for node in tree.ancestors(leaf):
            children = tree.visiting(node, order)
            elders, younger = children[: children.index(child)], children[children.index(child) + 1 :]
            if tree.players[node] is Player.CHANCE:
                share = tree.probabilities[child]
                shares = [tree.probabilities[other] for other in younger]
                gathered = sum(_times(tree.probabilities[other], values[other]) for other in elders)
                to_come = one * Fraction(sum(shares))
                least = _times(share, least) + gathered + int(to_come * low)
                most = _times(share, most) + gathered + int(to_come * high)
                open_still = open_still & (share > 0)
            for other in elders:
                if tree.players[node] is Player.MAX:
                    least = np.maximum(least, values[other])
                elif tree.players[node] is Player.MIN:
                    most = np.minimum(most, values[other])
            open_still = open_still & _some(least, most, ties)
            child = node
        visited[leaf] = open_still
    return _with_ancestors(tree, visited)


def _some(least: Numbers, most: Numbers, ties: Ties) -> Flags:
    """Whether there is any number between, for `keep` also where both are one."""
    return least < most if ties == "cut" else least <= most


def unit(tree: Tree) -> int:
    """What whole payoffs are multiplied by so that all expectations are whole numbers too."""
    denominators = [1] * (max(tree.depths) + 1)
    for depth, share in zip(tree.depths, tree.probabilities, strict=True):
        if share is not None:
            denominators[depth] = lcm(denominators[depth], Fraction(share).denominator)
    return int(np.prod(denominators, dtype=object))


def values_with_chance(tree: Tree, payoffs: Numbers) -> dict[int, Numbers]:
    """What each node is worth in each tree, of payoffs in units."""
    values = dict(zip(tree.leaves, payoffs, strict=True))
    for node in reversed(tree.internal):
        below = [values[child] for child in tree.children[node]]
        match tree.players[node]:
            case Player.MAX:
                values[node] = np.max(below, axis=0)
            case Player.MIN:
                values[node] = np.min(below, axis=0)
            case _:
                shares = [tree.probabilities[child] for child in tree.children[node]]
                values[node] = sum(map(_times, shares, below), np.zeros_like(payoffs[0]))
    return values


def _times(share: int | Fraction, numbers: Numbers) -> Numbers:
    """A part of numbers in units, which is whole."""
    return numbers * Fraction(share).numerator // Fraction(share).denominator


def vectors(tree: Tree, payoffs: Numbers) -> dict[int, Numbers]:
    """What each node is worth to each player in each tree, of payoffs in units: leaves by players by trees.

    Who moves takes the leftmost of the children that are worth most to them.
    """
    values = dict(zip(tree.leaves, payoffs, strict=True))
    for node in reversed(tree.internal):
        first, *others = tree.children[node]
        best = values[first]
        seat = tree.players[node].seat
        if seat is None:
            children = tree.children[node]
            best = sum(_times(tree.probabilities[child], values[child]) for child in children)
            others = ()
        for other in others:
            best = np.where(values[other][seat] > best[seat], values[other], best)
        values[node] = best
    return values


def _with_ancestors(tree: Tree, visited: Flags) -> Flags:
    for node in range(len(tree) - 1, 0, -1):
        visited[tree.parents[node]] |= visited[node]
    return visited
