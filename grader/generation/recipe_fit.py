"""The demands of a recipe on trees of another shape: what was asked of large trees, fitted to small ones."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from grader.base.numbers import Number, normalize_number
from grader.generation.recipe import Payoffs, Recipe
from grader.generation.shape import Shape, has_few_sets, search_maxima

MIN_PAYOFFS_PER_LEAF = 2
"""So many payoffs there are for each leaf, at least, where a range has to be widened."""


MAX_WIDENED_PAYOFF = 99
"""The largest payoff up to which a range is widened: beyond that payoffs repeat."""

MAX_LEAVES_PER_PAYOFF = 10
"""With so many leaves for each payoff there are ties in every tree."""


def fit_recipe(recipe: Recipe, shape: Shape, span: Sequence[Number] | None = None) -> Mapping[str, Any]:
    """The changes, by full field name, with which trees of this shape can meet the recipe's demands.

    `span` is the smallest and the largest payoff, where they are to be others than the recipe's.

    The span of pruned leaves shrinks or grows with the number of leaves, and counts of cuts shrink with it,
    to no more than such a tree can have; the range of distinct payoffs is widened until there are enough, or,
    before there are three digits, payoffs may repeat, as they have to where tie rules are to differ; bounds
    grow with it. Where payoffs are few for so many leaves the tie rules may differ. What can stay stays.
    """
    require, payoffs, leaves = recipe.require, recipe.payoffs, shape.max_leaves()
    changes: dict[str, Any] = {}
    drawn = payoffs if span is None else replace(payoffs, low=span[0], high=span[1])
    chance, distinct = bool(shape.chance), payoffs.distinct
    if require.ties == "different" and payoffs.distinct and not chance:
        changes["payoffs.distinct"] = distinct = False
    elif span is None and payoffs.distinct and payoffs.size < leaves:
        drawn = _wider(payoffs, leaves)
        changes["payoffs.range"] = list(drawn.range)
        if drawn.size < leaves:
            changes["payoffs.distinct"] = distinct = False
    if require.ties == "same" and not distinct and leaves > MAX_LEAVES_PER_PAYOFF * drawn.size:
        changes["require.ties"] = "any"
    bounds = recipe.rules.bounds
    if bounds is not None and not bounds[0] <= drawn.low <= drawn.high <= bounds[1]:
        changes["rules.bounds"] = [min(drawn.low, bounds[0]), max(drawn.high, bounds[1])]
    before = recipe.shape.max_leaves()
    possible = None if chance else search_maxima(shape)
    if require.pruned is not None:
        limit = leaves - 1 if possible is None else possible.pruned
        least, greatest = require.pruned
        least = max(min(1, least), min(least * leaves // before, limit))
        greatest = max(least, min(-(-greatest * leaves // before), limit))
        if leaves != before and (least, greatest) != require.pruned:
            changes["require.pruned"] = [least, greatest]
    if possible is not None:
        for count in ("alpha_cuts", "beta_cuts", "deep_cuts", "subtree_cuts"):
            asked = getattr(require, count)
            # There each demand leaves one answer or two.
            few = has_few_sets(shape) and recipe.variants.is_drawn_by_search
            fewer = 0 if few else min(-(-asked * leaves // max(before, leaves)), getattr(possible, count))
            if asked > fewer:
                changes[f"require.{count}"] = fewer
    if require.chance_cuts and not chance:
        changes["require.chance_cuts"] = 0
    return changes


def _wider(payoffs: Payoffs, leaves: int) -> Payoffs:
    """A range with payoffs to spare for so many leaves, widened on both sides of zero alike.

    What had two digits keeps to them.
    """
    step = payoffs.step
    factor = normalize_number(Fraction(MIN_PAYOFFS_PER_LEAF * leaves, payoffs.size))
    low, high = payoffs.low * factor, payoffs.high * factor
    if payoffs.low >= 0:
        low, high = payoffs.low, payoffs.low + (MIN_PAYOFFS_PER_LEAF * leaves - 1) * step
    if max(-payoffs.low, payoffs.high) <= MAX_WIDENED_PAYOFF:
        low, high = max(low, -MAX_WIDENED_PAYOFF), min(high, MAX_WIDENED_PAYOFF)
    below = (payoffs.low - low) // step
    low = payoffs.low - below * step
    return replace(
        payoffs, low=normalize_number(low), high=normalize_number(low + (high - low) // step * step)
    )
