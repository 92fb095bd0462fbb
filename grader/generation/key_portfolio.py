"""Choose the keys of a group in the candidate pool: many, and none that helps a neighbour or a mistake."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from grader.generation.candidates import Block
from grader.generation.measures import search_block
from grader.generation.mistake_credit import batch_measured_beliefs, mistake_shares, shares_of_visits
from grader.generation.recipe import Recipe
from grader.generation.selection import Survivor
from grader.trees.tree import Tree

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

AVERAGE_MARGIN_PER_MILLE, AVERAGE_EXCESS_WEIGHT = 40, 5
"""How far averages, in thousandths, are kept below their limit, and the weight of each thousandth above."""

TARGET_KEYS = 32
"""How many sets of leaves are kept for a class."""

TARGET_TREES_PER_STRATUM = 4
"""How many trees are kept in each stratum, those on which mistakes earn least; more if strata are few."""

MAX_LEAF_PRUNED_PER_MILLE = 700
"""The share of the variants, in thousandths, in which a leaf may be pruned."""

MAX_COMPARED_KEYS = 400
"""The most sets of leaves that are compared with each other."""


def balance_keys(recipe: Recipe, by_stratum: Mapping[int, list[Survivor]]) -> dict[int, tuple[Survivor, ...]]:
    """Return the strata of a group that are kept, with their trees.

    Of many sets of pruned leaves `TARGET_KEYS` are kept. The costliest set is dropped again and again: the
    one that

    1. has the most in common with the others, in points that a neighbour's key earns,
    2. makes mistakes earn more on average than the recipe allows, or
    3. has leaves that are pruned too often.
    """
    import numpy

    names = batch_measured_beliefs(recipe)
    has_drawn_shape = any(low < high for low, high in recipe.shape.branching)
    if not names or has_drawn_shape or recipe.variants.evenly == "none":
        return {stratum: tuple(by_stratum[stratum]) for stratum in sorted(by_stratum)}
    average = int(1000 * recipe.separate.average)
    best: dict[int, tuple[Survivor, ...]] = {}
    stratum_shares = []
    size = max(TARGET_TREES_PER_STRATUM, TARGET_TREES_PER_STRATUM * TARGET_KEYS // len(by_stratum))
    widest = sorted(by_stratum, key=lambda stratum: (-len(by_stratum[stratum]), stratum))[:MAX_COMPARED_KEYS]
    # One call for the trees of all strata: their columns follow each other.
    rest = _shares(recipe, names, [tree for stratum in widest for tree in by_stratum[stratum]])
    for stratum in widest:
        trees = by_stratum[stratum]
        shares, rest = rest[:, : len(trees)], rest[:, len(trees) :]
        order = numpy.maximum(shares - average, 0).sum(axis=0).argsort(kind="stable")[:size]
        best[stratum] = tuple(trees[row] for row in order.tolist())
        stratum_shares.append(shares[:, order].sum(axis=1) // len(order))
    if recipe.variants.evenly != "pruned-leaves" or len(best) <= TARGET_KEYS:
        return dict(sorted(best.items()))
    sets = list(best)
    remaining = numpy.array(sorted(range(len(sets)), key=sets.__getitem__))
    tree = best[sets[0]][0].skeleton
    visited = _visited(tree, sets)
    # Each set as the reply to every other one: what a neighbour's key earns, in both directions.
    replies = numpy.broadcast_to(visited[:, :, None], (*visited.shape, len(sets)))
    shared = shares_of_visits(recipe, tree, visited, replies).map(_per_mille)
    shared = shared + shared.T
    pruned = 1000 * (~visited[list(tree.leaves)].T).astype(numpy.int64)
    limits = (
        (numpy.array(stratum_shares), average - AVERAGE_MARGIN_PER_MILLE),
        (pruned, MAX_LEAF_PRUNED_PER_MILLE - AVERAGE_MARGIN_PER_MILLE),
    )
    while len(remaining) > TARGET_KEYS:
        cost = shared[numpy.ix_(remaining, remaining)].sum(axis=1)
        for parts, limit in limits:
            # A set costs only where the average over all that remain is too high.
            too_high = parts[remaining].sum(axis=0) > limit * len(remaining)
            excess = numpy.maximum(parts[remaining][:, too_high] - limit, 0).sum(axis=1)
            cost += AVERAGE_EXCESS_WEIGHT * len(remaining) * excess
        remaining = numpy.delete(remaining, cost.argmax())
    return {sets[index]: best[sets[index]] for index in remaining.tolist()}


def _shares(recipe: Recipe, names: tuple[str, ...], trees: list[Survivor]) -> "NDArray[numpy.int64]":
    """Return the share that mistakes earn, in thousandths of the full mark, mistakes by trees."""
    import numpy

    shares = numpy.zeros((len(names), len(trees)), numpy.int64)
    for skeleton in {id(tree.skeleton): tree.skeleton for tree in trees}.values():
        columns = [column for column, tree in enumerate(trees) if tree.skeleton is skeleton]
        rows = numpy.array([trees[column].row for column in columns], numpy.int64)
        block = Block(skeleton, recipe.payoffs, rows)
        block_shares = mistake_shares(recipe, block, names, search_block(block, recipe.rules).visited)
        shares[:, columns] = block_shares.map(_per_mille)
    return shares


def _per_mille(share: Fraction) -> int:
    return int(1000 * share)


def _visited(tree: Tree, sets: list[int]) -> "NDArray[numpy.bool_]":
    """Return which nodes are visited if these sets of leaves are pruned, nodes by sets."""
    import numpy

    visited = numpy.ones((len(tree), len(sets)), numpy.bool_)
    for leaf, node in enumerate(tree.leaves):
        visited[node] = [not pruned >> leaf & 1 for pruned in sets]
    for node in reversed(tree.internal):
        visited[node] = numpy.logical_or.reduce([visited[child] for child in tree.children[node]])
    return visited
