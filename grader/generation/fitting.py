"""The demands of a recipe on trees of another shape: what was asked of large trees, fitted to small ones."""

from collections.abc import Mapping, Sequence
from typing import Any

from grader.base.numbers import Number
from grader.generation.recipe import Recipe
from grader.generation.shape import Shape, most

SPACIOUS = 2
"""So many payoffs there are for each leaf, at least, where a range has to be widened."""


TWO_DIGITS = 99
"""The largest payoff up to which a range is widened: beyond that payoffs repeat."""


def fitted(recipe: Recipe, shape: Shape, span: Sequence[Number] | None = None) -> Mapping[str, Any]:
    """The changes, by full field name, with which trees of this shape can meet the recipe's demands.

    `span` is the smallest and the largest payoff, where they are to be others than the recipe's.

    The span of pruned leaves shrinks or grows with the number of leaves; counts of cuts that no such tree
    has are lowered to the most that one can have; the range of distinct payoffs is widened until there
    are enough, or, before there are three digits, payoffs may repeat; bounds grow with it.
    What can stay as it is stays.
    """
    require, payoffs, leaves = recipe.require, recipe.payoffs, shape.widest()
    changes: dict[str, Any] = {}
    low, high = (payoffs.low, payoffs.high) if span is None else span
    if span is None and payoffs.distinct and payoffs.size < leaves:
        steps = SPACIOUS * leaves - 1
        if low + steps * payoffs.step > TWO_DIGITS >= high:
            steps = (TWO_DIGITS - low) // payoffs.step
        high = low + steps * payoffs.step
        changes["payoffs.range"] = [low, high]
        if steps < leaves - 1:
            changes["payoffs.distinct"] = False
    bounds = recipe.rules.bounds
    if bounds is not None and not bounds[0] <= low <= high <= bounds[1]:
        changes["rules.bounds"] = [min(low, bounds[0]), max(high, bounds[1])]
    before = recipe.shape.widest()
    chance = bool(shape.chance)
    possible = None if chance else most(shape)
    if require.pruned is not None:
        limit = leaves - 1 if possible is None else possible.pruned
        least, greatest = require.pruned
        least = max(min(1, least), min(least * leaves // before, limit))
        greatest = max(least, min(-(-greatest * leaves // before), limit))
        if leaves != before and (least, greatest) != require.pruned:
            changes["require.pruned"] = [least, greatest]
    if possible is not None:
        for count in ("alpha_cuts", "beta_cuts", "deep_cuts", "subtree_cuts"):
            if getattr(require, count) > getattr(possible, count):
                changes[f"require.{count}"] = getattr(possible, count)
    if require.chance_cuts and not chance:
        changes["require.chance_cuts"] = 0
    return changes
