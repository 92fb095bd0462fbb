"""The sweep over one big tree as arrays, level by level, for many payoffs of one shape."""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from grader.solvers.integers import Integers, to_narrowest_type
from grader.solvers.solvable import require_max_and_min
from grader.trees.rules import Order, Ties
from grader.trees.tree import Player, Tree

Places: TypeAlias = NDArray[np.intp]
Flags: TypeAlias = NDArray[np.bool_]

MAX_CHILDREN_IN_STEPS = 32
"""A level with at most this many children is swept child by child, others by doubling steps."""

PARENTS_PER_BLOCK = 4_096
"""This many parents are swept together child by child, so they and their children stay in the cache."""


@dataclass(frozen=True, slots=True, eq=False)
class TreeLevel:
    """The nodes of one depth that have children, and those children, in level order.

    - `parents`: level-order places of the inner nodes, as a slice if they are adjacent.
    - `below`: the level-order places of all their children.
    - `starts`: the start of each parent's children in that range.
    - `size`: the number of children of every parent, 0 if they differ.
    - `maximizes`: whether MAX moves at each parent; a plain bool if it is the same for all.
    - `elders`: the number of siblings before each child; None if `size` is used instead.
    """

    parents: Places | slice
    below: slice
    starts: Places
    size: int
    maximizes: Flags | bool
    elders: Places | None


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """The shape of a tree in level order, children in visiting order, without payoffs.

    - `nodes`: the preorder index of every node, level by level.
    - `leaves`: the level-order place of every leaf, by leaf number from the left.
    - `levels`: the levels with children, from the root down.
    """

    nodes: Places
    leaves: Places
    levels: tuple[TreeLevel, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LevelSweep:
    """Values, windows and visited nodes as arrays in level order (see `Levels.nodes`, `Levels.leaves`).

    All have the narrowest type with both extremes unused by the payoffs;
    in `alphas` and `betas` the extremes are the infinities.
    """

    values: Integers
    alphas: Integers
    betas: Integers
    visited: Flags


def read_levels(tree: Tree, order: Order) -> Levels:
    """Return the shape of a tree as arrays; raises `Unsolvable` for chance nodes and several players."""
    require_max_and_min(tree)
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
        start, first, last = int(ends[depth] - sizes[depth]), int(ends[depth]), int(ends[depth + 1])
        parents = start + np.flatnonzero(moving[start:first])
        levels.append(_level(parents, first, last, counts[parents], maximizing[parents]))
    return Levels(nodes=nodes, leaves=places[np.array(tree.leaves, dtype=np.intp)], levels=tuple(levels))


def _level(parents: Places, first: int, last: int, counts: Places, maximizing: Flags) -> TreeLevel:
    """Return the level of nodes whose children are `first` to `last`, in its most compact form."""
    starts = np.cumsum(counts) - counts
    size = int(counts[0]) if (counts == counts[0]).all() else 0
    is_adjacent = int(parents[-1] - parents[0]) == len(parents) - 1
    return TreeLevel(
        parents=slice(int(parents[0]), int(parents[-1]) + 1) if is_adjacent else parents,
        below=slice(first, last),
        starts=starts,
        size=size,
        maximizes=bool(maximizing[0]) if (maximizing == maximizing[0]).all() else maximizing,
        elders=None
        if 0 < size <= MAX_CHILDREN_IN_STEPS
        else np.arange(last - first) - np.repeat(starts, counts),
    )


def sweep_levels(levels: Levels, payoffs: Integers, ties: Ties) -> LevelSweep:
    """Sweep one tree, with integer payoffs by leaf number.

    Raises ValueError for a payoff at the extremes of int64 or payoffs that do not fit the leaves.
    """
    if len(payoffs) != len(levels.leaves):
        raise ValueError(f"{len(levels.leaves)} leaves, but {len(payoffs)} payoffs")
    narrow = to_narrowest_type(payoffs)
    extremes = np.iinfo(narrow.dtype)
    values, alphas, betas = (np.empty(len(levels.nodes), narrow.dtype) for _ in range(3))
    values[levels.leaves] = narrow
    for level in reversed(levels.levels):
        values[level.parents] = _chosen(level, values[level.below])
    alphas[0], betas[0] = extremes.min, extremes.max
    for level in levels.levels:
        below = level.below
        for bounds, better, raises, never in (
            (alphas, np.maximum, level.maximizes, extremes.min),
            (betas, np.minimum, _opposite(level.maximizes), extremes.max),
        ):
            if raises is False:
                bounds[below] = _each(level, bounds[level.parents])
            else:
                # At nodes of the other player, values that are never better leave the bound unchanged.
                effective = values[below]
                if raises is not True:
                    effective = np.where(_each(level, raises), effective, never)
                _narrow(level, effective, bounds[level.parents], bounds[below], better, never)
    return LevelSweep(values, alphas, betas, alphas < betas if ties == "cut" else alphas <= betas)


def _opposite(flags: Flags | bool) -> Flags | bool:
    return not flags if isinstance(flags, bool) else ~flags


def _each(level: TreeLevel, column: NDArray[Any]) -> NDArray[Any]:
    """Repeat the entry of each parent of the level for each of its children."""
    ends = level.below.stop - level.below.start
    return np.repeat(column, level.size or np.diff(level.starts, append=ends))


def _chosen(level: TreeLevel, below: Integers) -> Integers:
    """Return the values of the parents of a level from the values of all their children."""
    if isinstance(level.maximizes, bool):
        return _best(level, below, np.maximum if level.maximizes else np.minimum)
    return np.where(level.maximizes, _best(level, below, np.maximum), _best(level, below, np.minimum))


def _best(level: TreeLevel, below: Integers, better: np.ufunc) -> Integers:
    """Return the best value among each parent's children."""
    if level.elders is not None:
        chosen: Integers = better.reduceat(below, level.starts)
        return chosen
    best = below[:: level.size].copy()
    for start in range(0, len(best), PARENTS_PER_BLOCK):
        block, children = (
            best[start : start + PARENTS_PER_BLOCK],
            below[start * level.size : (start + PARENTS_PER_BLOCK) * level.size],
        )
        for place in range(1, level.size):
            better(block, children[place :: level.size], out=block)
    return best


def _narrow(
    level: TreeLevel, values: Integers, bounds: Integers, below: Integers, better: np.ufunc, never: int
) -> None:
    """Write the bounds of the children into `below`: those of the parent, moved by the elder siblings."""
    if level.elders is None:
        for start in range(0, len(bounds), PARENTS_PER_BLOCK):
            running = bounds[start : start + PARENTS_PER_BLOCK].copy()
            children = slice(start * level.size, (start + PARENTS_PER_BLOCK) * level.size)
            for place in range(level.size):
                below[children][place :: level.size] = running
                better(running, values[children][place :: level.size], out=running)
        return
    # Doubling: after step s, `best` of every child covers its 2s nearest elder siblings.
    elders = level.elders
    best = np.full_like(values, never)
    best[1:] = np.where(elders[1:] > 0, values[:-1], never)
    step, most_elders = 1, int(elders.max())
    while step < most_elders:
        best[step:] = np.where(elders[step:] > step, better(best[step:], best[:-step]), best[step:])
        step *= 2
    better(_each(level, bounds), best, out=below)
