"""The sweep over one big tree as arrays, level by level."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from grader.numerals import INFINITY, Bound, Number, exact
from grader.rules import Order, Rules, Ties
from grader.solvers.payoffs import number_at, require_no_chance, require_two_players
from grader.solvers.sweep import Sweep
from grader.tree import Player, Tree

Integers: TypeAlias = NDArray[np.int64]
Places: TypeAlias = NDArray[np.intp]
Flags: TypeAlias = NDArray[np.bool_]

LOWEST = int(np.iinfo(np.int64).min)
"""Stands for minus infinity; no payoff may be as low."""

HIGHEST = int(np.iinfo(np.int64).max)
"""Stands for infinity; no payoff may be as high."""

ROOM = 2**62
"""Payoffs read from a tree stay below it, far from the two extremes."""

NARROW = 32
"""Up to so many children a level is swept child by child, beyond it by doubling steps."""


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """The nodes of one depth that have children, and those children, in level order.

    - `parents`: level-order places of the nodes at which somebody moves.
    - `first`, `last`: the children of all of them are the level-order places `first` to `last - 1`.
    - `starts`: where in that range the children of each parent begin.
    - `size`: how many children every parent has, 0 when they differ.
    - `maximizes`: whether MAX moves at each parent; a plain bool when it is the same at all.
    - `elders`: how many siblings come before each child; None when `size` tells.
    """

    parents: Places
    first: int
    last: int
    starts: Places
    size: int
    maximizes: Flags | bool
    elders: Places | None


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """The shape of a tree in level order, children in visiting order; payoffs come later.

    - `nodes`: the preorder index of every node, level by level.
    - `leaves`: the level-order place of every leaf, by path number from the left.
    - `levels`: the levels with children, from the root down.
    """

    nodes: Places
    leaves: Places
    levels: tuple[Level, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LevelSweep:
    """Values, windows and visited nodes as arrays in level order (see `Levels.nodes`, `Levels.leaves`).

    In `alphas` and `betas` the extremes of int64 stand for the infinities.
    """

    values: Integers
    alphas: Integers
    betas: Integers
    visited: Flags


def read_levels(tree: Tree, order: Order) -> Levels:
    """The shape of a tree as arrays; raises `Unsolvable` for chance nodes and several players."""
    require_two_players(tree)
    require_no_chance(tree)
    depths = np.array(tree.depths, dtype=np.intp)
    if order == "left-to-right":
        nodes = np.argsort(depths, kind="stable")
    else:
        nodes = (len(depths) - 1 - np.argsort(depths[::-1], kind="stable")).astype(np.intp)
    places = np.empty_like(nodes)
    places[nodes] = np.arange(len(nodes))
    moving = np.array([player is not None for player in tree.players])[nodes]
    maximizing = np.array([player is Player.MAX for player in tree.players])[nodes]
    counts = np.bincount(np.array(tree.parents[1:], dtype=np.intp), minlength=len(nodes))[nodes]
    sizes = np.bincount(depths)
    ends = np.cumsum(sizes)
    levels = []
    for depth in range(len(sizes) - 1):
        parents = (
            (np.flatnonzero(moving[ends[depth] - sizes[depth] : ends[depth]])) + ends[depth] - sizes[depth]
        )
        levels.append(
            _level(parents, int(ends[depth]), int(ends[depth + 1]), counts[parents], maximizing[parents])
        )
    return Levels(nodes=nodes, leaves=places[np.array(tree.leaves, dtype=np.intp)], levels=tuple(levels))


def _level(parents: Places, first: int, last: int, counts: Places, maximizing: Flags) -> Level:
    starts = np.cumsum(counts) - counts
    size = int(counts[0]) if (counts == counts[0]).all() else 0
    return Level(
        parents=parents,
        first=first,
        last=last,
        starts=starts,
        size=size,
        maximizes=bool(maximizing[0]) if (maximizing == maximizing[0]).all() else maximizing,
        elders=None if 0 < size <= NARROW else np.arange(last - first) - np.repeat(starts, counts),
    )


def sweep_levels(levels: Levels, payoffs: Integers, ties: Ties) -> LevelSweep:
    """Sweep one tree, with integer payoffs by path number, strictly between the extremes of int64.

    Raises ValueError for a payoff at those extremes or payoffs that do not fit the leaves.
    """
    if len(payoffs) != len(levels.leaves):
        raise ValueError(f"{len(levels.leaves)} leaves, but {len(payoffs)} payoffs")
    if payoffs.min() == LOWEST or payoffs.max() == HIGHEST:
        raise ValueError("a payoff lies at the extremes of int64, which stand for the infinities")
    count = len(levels.nodes)
    values = np.empty(count, np.int64)
    values[levels.leaves] = payoffs
    for level in reversed(levels.levels):
        values[level.parents] = _gathered(level, values[level.first : level.last])
    alphas, betas = np.empty(count, np.int64), np.empty(count, np.int64)
    alphas[0], betas[0] = LOWEST, HIGHEST
    for level in levels.levels:
        _narrow(level, values, alphas, betas)
    return LevelSweep(values, alphas, betas, alphas < betas if ties == "cut" else alphas <= betas)


def array_sweep(tree: Tree, rules: Rules) -> Sweep | None:
    """What `grader.solvers.sweep.sweep` finds, by arrays; None when the payoffs do not fit.

    Fractions are scaled by their common denominator and scaled back; when that, or a payoff times
    it, leaves 62 bits, only plain Python is exact. Raises what `sweep` raises.
    """
    levels = read_levels(tree, rules.order)
    whole = _whole([number_at(tree, leaf) for leaf in tree.leaves])
    if whole is None:
        return None
    payoffs, scale = whole
    found = sweep_levels(levels, payoffs, rules.ties)

    def numbers(column: Integers) -> list[Number]:
        in_preorder = np.empty_like(column)
        in_preorder[levels.nodes] = column
        whole: list[int] = in_preorder.tolist()
        return [exact(Fraction(number, scale)) for number in whole] if scale > 1 else [*whole]

    def bounds(column: Integers) -> tuple[Bound, ...]:
        ends = {exact(Fraction(LOWEST, scale)): -INFINITY, exact(Fraction(HIGHEST, scale)): INFINITY}
        return tuple(ends.get(number, number) for number in numbers(column))

    visited = np.empty_like(found.visited)
    visited[levels.nodes] = found.visited
    return Sweep(
        values=tuple(numbers(found.values)),
        alphas=bounds(found.alphas),
        betas=bounds(found.betas),
        visited=tuple(visited.tolist()),
    )


def _whole(payoffs: list[Number]) -> tuple[Integers, int] | None:
    """The payoffs times their common denominator, and that denominator; None when they grow too large."""
    scale = 1
    for payoff in payoffs:
        scale = lcm(scale, payoff.denominator)
        if scale >= ROOM or not -ROOM < payoff < ROOM:
            return None
    scaled = [int(payoff * scale) for payoff in payoffs]
    return (np.array(scaled, dtype=np.int64), scale) if max(abs(number) for number in scaled) < ROOM else None


def _gathered(level: Level, below: Integers) -> Integers:
    """The values of the level's parents from the values of all their children."""
    if level.maximizes is True:
        return _most(level, below)
    if level.maximizes is False:
        return -_most(level, -below)
    return np.where(level.maximizes, _most(level, below), -_most(level, -below))


def _most(level: Level, below: Integers) -> Integers:
    """The largest value among each parent's children."""
    if not 0 < level.size <= NARROW:
        return np.maximum.reduceat(below, level.starts)
    most = below[:: level.size].copy()
    for place in range(1, level.size):
        np.maximum(most, below[place :: level.size], out=most)
    return most


def _narrow(level: Level, values: Integers, alphas: Integers, betas: Integers) -> None:
    """Give every child of the level the window its parent has when the search comes to it."""
    below = values[level.first : level.last]
    alpha, beta = alphas[level.parents], betas[level.parents]
    child_alphas, child_betas = alphas[level.first : level.last], betas[level.first : level.last]
    if level.maximizes is True:
        _raise(level, below, alpha, child_alphas)
        _spread(level, beta, child_betas)
    elif level.maximizes is False:
        _spread(level, alpha, child_alphas)
        negated = np.empty_like(child_betas)
        _raise(level, -below, -beta, negated)
        np.negative(negated, out=child_betas)
    else:
        counts = np.diff(level.starts, append=level.last - level.first)
        maximizes = np.repeat(level.maximizes, counts)
        # The other player's children move nothing: their values are replaced by ones beyond every window.
        _raise(level, np.where(maximizes, below, LOWEST), alpha, child_alphas)
        negated = np.empty_like(child_betas)
        _raise(level, np.where(maximizes, -HIGHEST, -below), -beta, negated)
        np.negative(negated, out=child_betas)


def _spread(level: Level, bound: Integers, below: Integers) -> None:
    """Hand a bound of the parents down unchanged."""
    if 0 < level.size <= NARROW:
        for place in range(level.size):
            below[place :: level.size] = bound
    else:
        below[:] = np.repeat(bound, np.diff(level.starts, append=level.last - level.first))


def _raise(level: Level, values: Integers, bound: Integers, below: Integers) -> None:
    """Hand a lower bound of the parents down, raised by the values of elder siblings."""
    if level.elders is None:
        running = bound.copy()
        for place in range(level.size):
            below[place :: level.size] = running
            np.maximum(running, values[place :: level.size], out=running)
        return
    _spread(level, bound, below)
    # Doubling: after the step of s every child knows the largest of its 2s nearest elders.
    elders = level.elders
    best = np.full_like(values, LOWEST)
    best[1:] = np.where(elders[1:] > 0, values[:-1], LOWEST)
    step, longest = 1, int(elders.max())
    while step < longest:
        best[step:] = np.where(elders[step:] > step, np.maximum(best[step:], best[:-step]), best[step:])
        step *= 2
    np.maximum(below, best, out=below)
