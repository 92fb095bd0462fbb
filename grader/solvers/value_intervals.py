"""Intervals of the values if some payoffs are unknown, by two sweeps at the extremes."""

from collections.abc import Callable, Sequence
from operator import ge
from typing import TypeAlias, TypeVar

from grader.base.numbers import INFINITY, Bound, Number
from grader.solvers.backup import back_up
from grader.solvers.solvable import number_at, require_two_players
from grader.trees.tree import Player, Tree

T = TypeVar("T")

Interval: TypeAlias = tuple[Bound, Bound]
"""The least and the greatest value that a node can have; infinite if there is no limit."""


def intervals(tree: Tree, bounds: tuple[Number, Number] | None = None) -> tuple[Interval, ...]:
    """Return the interval of every node if each unknown payoff may be any number within the bounds.

    Values grow with every payoff, so all unknowns at the low end give the lower ends, and all at
    the high end the upper ends. Both ends are possible values; if they are equal, the value is known.
    Raises `Unsolvable` for games of several players, whose values do not grow with the payoffs.
    """
    require_two_players(tree)
    low, high = (-INFINITY, INFINITY) if bounds is None else bounds
    return tuple(zip(_extreme(tree, low), _extreme(tree, high), strict=True))


def proved_intervals(
    tree: Tree, visited: Sequence[bool], bounds: tuple[Number, Number] | None
) -> tuple[Interval | None, ...]:
    """Return the interval of every node by the leaves that a search visited; None at an unvisited node.

    This is what the search has proved when it leaves the node: a pruned child contributes only its bound.
    An unvisited leaf may have any payoff within `bounds`, or any at all.
    """
    payoffs = tuple(tree.payoffs[leaf] or 0 if visited[leaf] else "unseen" for leaf in tree.leaves)
    proved = intervals(tree.with_payoffs(payoffs), bounds)
    return tuple(interval if entered else None for entered, interval in zip(visited, proved, strict=True))


def _extreme(tree: Tree, unknown: Bound) -> list[Bound]:
    """Return the value of every node if every unknown payoff is `unknown`."""
    values: list[Bound] = [0] * len(tree)
    for node in reversed(range(len(tree))):
        children = tree.children[node]
        if children:
            values[node] = back_up(tree, node, [values[child] for child in children])
        else:
            values[node] = unknown if isinstance(tree.payoffs[node], str) else number_at(tree, node)
    return values


def certain_best_children(tree: Tree, ranges: tuple[Interval, ...]) -> tuple[tuple[int, ...] | None, ...]:
    """Return all optimal children of every node, as far as the intervals decide.

    None at a node where an unknown decides whether some child is optimal; empty at leaves and at chance
    nodes.
    """
    best: list[tuple[int, ...] | None] = [()] * len(tree)
    for node in tree.internal:
        if tree.players[node] is not Player.CHANCE:
            best[node] = certain_choices(tree.children[node], _gains(tree, node, ranges), ge)
    return tuple(best)


def always_best_children(tree: Tree, ranges: tuple[Interval, ...]) -> tuple[int, ...]:
    """Return the children of the root that are optimal for all unknowns; others may be equally good for some.

    Empty if there are none, and if no player chooses at the root.
    """
    if tree.players[0] not in (Player.MAX, Player.MIN):
        return ()
    gains = _gains(tree, 0, ranges)
    return tuple(
        child
        for place, (child, (low, _)) in enumerate(zip(tree.children[0], gains, strict=True))
        if all(low >= high for _, high in gains[:place] + gains[place + 1 :])
    )


def _gains(tree: Tree, node: int, ranges: tuple[Interval, ...]) -> list[Interval]:
    """Return the least and the greatest gain of the player at a node by each child."""
    gains = [ranges[child] for child in tree.children[node]]
    if tree.players[node] is Player.MIN:  # it maximizes the negative of the value
        return [(-high, -low) for low, high in gains]
    return gains


def certain_choices(
    children: tuple[int, ...], gains: list[tuple[T, T]], reaches: Callable[[T, T], bool]
) -> tuple[int, ...] | None:
    """Return the children that are optimal for all unknowns; None if it is open for any child.

    `gains` are the least and the greatest gain of each; `reaches` says whether one is at least another.
    """
    optimal = []
    for place, (child, (low, high)) in enumerate(zip(children, gains, strict=True)):
        others = gains[:place] + gains[place + 1 :]
        if all(reaches(low, other_high) for _, other_high in others):
            optimal.append(child)
        elif all(reaches(high, other_low) for other_low, _ in others):
            return None
    return tuple(optimal)
