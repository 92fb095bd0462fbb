"""What is known of the values when some payoffs are unknown: two sweeps at the extremes."""

from collections.abc import Callable, Sequence
from operator import ge
from typing import TypeAlias, TypeVar

from grader.base.numbers import INFINITY, Bound, Number
from grader.solvers.backup import back_up
from grader.solvers.solvable import number_at, require_two_players
from grader.trees.tree import Player, Tree

T = TypeVar("T")

Interval: TypeAlias = tuple[Bound, Bound]
"""The least and the greatest value a node can have; infinite where nothing limits it."""


def intervals(tree: Tree, bounds: tuple[Number, Number] | None = None) -> tuple[Interval, ...]:
    """Between which values every node lies when each unknown payoff may be anything within the bounds.

    Values grow with every payoff, so all unknowns at the low end give the lower ends, and all at
    the high end the upper ends. Both ends are reached; where they are equal the value is known.
    Raises `Unsolvable` for games of several players, whose values do not grow with the payoffs.
    """
    require_two_players(tree)
    low, high = (-INFINITY, INFINITY) if bounds is None else bounds
    return tuple(zip(_extreme(tree, low), _extreme(tree, high), strict=True))


def proved_intervals(
    tree: Tree, visited: Sequence[bool], bounds: tuple[Number, Number] | None
) -> tuple[Interval | None, ...]:
    """Between which values every node lies by the leaves that a search visited; None where it never came.

    This is what is proved when the search leaves the node: a child that was cut contributes only its
    bound. A leaf never visited may hold anything within `bounds`, or anything at all.
    """
    seen = tree.with_payoffs(
        tuple(tree.payoffs[leaf] or 0 if visited[leaf] else "unseen" for leaf in tree.leaves)
    )
    between = intervals(seen, bounds)
    return tuple(found if came else None for came, found in zip(visited, between, strict=True))


def _extreme(tree: Tree, unknown: Bound) -> list[Bound]:
    """The value of every node when every unknown payoff is `unknown`."""
    values: list[Bound] = [0] * len(tree)
    for node in reversed(range(len(tree))):
        children = tree.children[node]
        if children:
            values[node] = back_up(tree, node, [values[child] for child in children])
        else:
            values[node] = unknown if isinstance(tree.payoffs[node], str) else number_at(tree, node)
    return values


def certain_best_children(tree: Tree, between: tuple[Interval, ...]) -> tuple[tuple[int, ...] | None, ...]:
    """All optimal children of every node as far as the intervals settle them.

    None at a node where it depends on an unknown whether some child is optimal;
    empty at leaves and at chance nodes.
    """
    best: list[tuple[int, ...] | None] = [()] * len(tree)
    for node in tree.internal:
        player, children = tree.players[node], tree.children[node]
        if player is Player.CHANCE:
            continue
        # For MIN, less is more: turn the intervals around.
        gains = [
            (-between[child][1], -between[child][0]) if player is Player.MIN else between[child]
            for child in children
        ]
        best[node] = certain_choices(children, gains, ge)
    return tuple(best)


def certain_choices(
    children: tuple[int, ...], gains: list[tuple[T, T]], reaches: Callable[[T, T], bool]
) -> tuple[int, ...] | None:
    """The children that are optimal whatever the unknowns are; None when that is open for any of them.

    `gains` are the least and the most of each; `reaches` says whether one is at least another.
    """
    optimal = []
    for place, (child, (least, most)) in enumerate(zip(children, gains, strict=True)):
        others = gains[:place] + gains[place + 1 :]
        if all(reaches(least, other_most) for _, other_most in others):
            optimal.append(child)
        elif all(reaches(most, other_least) for other_least, _ in others):
            return None
    return tuple(optimal)
