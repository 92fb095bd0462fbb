"""Choose the keys that a pool offers: many different ones, and none that helps a neighbour or a mistake."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from grader.generation.candidate_search import search_block
from grader.generation.candidates import Block
from grader.generation.mistake_credit import (
    batch_measured_beliefs,
    gains_of_visits,
    mistake_gains,
)
from grader.generation.recipe import Recipe
from grader.generation.selection import (
    Survivor,
)
from grader.trees.tree import Tree

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

AVERAGE_MARGIN_PER_MILLE, AVERAGE_EXCESS_WEIGHT = 40, 5
"""How far averages, in thousandths, are kept below what is allowed, and what each step beyond that weighs."""

TARGET_KEYS = 32
"""So many sets of leaves are enough for a class."""

TARGET_TREES_PER_STRATUM = 4
"""So many trees of each place are enough, those on which mistakes earn least; more where places are few."""

MAX_LEAF_PRUNED_PER_MILLE = 700
"""The share of the variants, in thousandths, in which a leaf may be pruned."""

MAX_COMPARED_KEYS = 400
"""The most sets of leaves that are compared with each other."""


def balance_keys(recipe: Recipe, places: Mapping[int, list[Survivor]]) -> dict[int, tuple[Survivor, ...]]:
    """The places that are drawn evenly, with their trees.

    Of many sets of leaves `TARGET_KEYS` are kept. The costliest set is dropped again and again: the one
    with most in common with the others, in points that a neighbour earns, which makes mistakes earn more on
    average than the recipe allows, or which has leaves that are pruned too often.
    """
    import numpy

    names = batch_measured_beliefs(recipe)
    drawn = any(low < high for low, high in recipe.shape.branching)
    if not names or drawn or recipe.variants.evenly == "none":
        return {place: tuple(places[place]) for place in sorted(places)}
    average = int(1000 * recipe.separate.average)
    best: dict[int, tuple[Survivor, ...]] = {}
    shares = []
    members = max(TARGET_TREES_PER_STRATUM, TARGET_TREES_PER_STRATUM * TARGET_KEYS // len(places))
    wide = sorted(places, key=lambda place: (-len(places[place]), place))[:MAX_COMPARED_KEYS]
    every = _shares(recipe, names, [tree for place in wide for tree in places[place]])
    for place in wide:
        found, every = every[:, : len(places[place])], every[:, len(places[place]) :]
        order = numpy.maximum(found - average, 0).sum(axis=0).argsort(kind="stable")[:members]
        best[place] = tuple(places[place][row] for row in order.tolist())
        shares.append(found[:, order].sum(axis=1) // len(order))
    if recipe.variants.evenly != "pruned-leaves" or len(best) <= TARGET_KEYS:
        return dict(sorted(best.items()))
    kept = numpy.array(sorted(range(len(best)), key=lambda number: list(best)[number]))
    worth, sets = numpy.array(shares), list(best)
    tree = best[sets[0]][0].skeleton
    visited = _visited(tree, sets)
    gain, whole = gains_of_visits(
        recipe, tree, visited, numpy.broadcast_to(visited[:, :, None], (*visited.shape, len(sets)))
    )
    common = 1000 * gain // whole
    common = common + common.T
    pruned = 1000 * (~visited[list(tree.leaves)].T).astype(numpy.int64)
    while len(kept) > TARGET_KEYS:
        cost = common[numpy.ix_(kept, kept)].sum(axis=1)
        for parts, limit in (
            (worth, average - AVERAGE_MARGIN_PER_MILLE),
            (pruned, MAX_LEAF_PRUNED_PER_MILLE - AVERAGE_MARGIN_PER_MILLE),
        ):
            often = parts[kept].sum(axis=0) > limit * len(kept)
            cost += (
                AVERAGE_EXCESS_WEIGHT
                * len(kept)
                * numpy.maximum(parts[kept][:, often] - limit, 0).sum(axis=1)
            )
        kept = numpy.delete(kept, cost.argmax())
    return {sets[number]: best[sets[number]] for number in kept.tolist()}


def _shares(recipe: Recipe, names: tuple[str, ...], trees: list[Survivor]) -> "NDArray[numpy.int64]":
    """What mistakes earn, in thousandths of the full mark, mistakes by trees."""
    import numpy

    shares = numpy.zeros((len(names), len(trees)), numpy.int64)
    for skeleton in {id(tree.skeleton): tree.skeleton for tree in trees}.values():
        those = [place for place, tree in enumerate(trees) if tree.skeleton is skeleton]
        rows = numpy.array([trees[place].row for place in those], numpy.int64)
        block = Block(skeleton, recipe.payoffs, rows)
        gain, whole = mistake_gains(recipe, block, names, search_block(block, recipe.rules).visited)
        shares[:, those] = 1000 * gain // whole
    return shares


def _visited(tree: Tree, sets: list[int]) -> "NDArray[numpy.bool_]":
    """What is visited where these leaves are pruned, nodes by sets."""
    import numpy

    visited = numpy.ones((len(tree), len(sets)), numpy.bool_)
    for leaf, node in enumerate(tree.leaves):
        visited[node] = [not pruned >> leaf & 1 for pruned in sets]
    for node in reversed(tree.internal):
        visited[node] = numpy.logical_or.reduce([visited[child] for child in tree.children[node]])
    return visited
