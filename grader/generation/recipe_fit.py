"""The demands of a recipe fitted to another shape, such as that of another size."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

from grader.base.numbers import Number, normalize_number
from grader.base.shipped import shipped_folder
from grader.generation.recipe import Payoffs, Recipe
from grader.generation.shape import Shape, has_few_sets, search_maxima

MIN_PAYOFFS_PER_LEAF = 2
"""A range that is too narrow is widened to at least this many payoffs for each leaf."""

MAX_WIDENED_PAYOFF = 99
"""A range is widened up to this payoff; if that is not enough, payoffs repeat."""

MAX_LEAVES_PER_PAYOFF = 10
"""With more leaves than this for each payoff, ties are found in every tree."""


def fit_recipe(recipe: Recipe, shape: Shape, span: Sequence[Number] | None = None) -> Mapping[str, Any]:
    """Return the changes, by full field name, with which trees of this shape can meet the recipe's demands.

    `span` is the smallest and the largest payoff if they are not the recipe's. Only what must change does:

    1. Payoffs may repeat if the tie rules are to differ.
    2. A range with too few distinct payoffs is widened; if two digits are not enough, payoffs may repeat.
    3. The tie rules may differ if there are very few payoffs for the leaves.
    4. Bounds grow to include all payoffs.
    5. The span of pruned leaves shrinks or grows with the number of leaves, up to what a tree can have.
    6. The counts of cuts shrink with it.
    """
    require, payoffs, leaves = recipe.require, recipe.payoffs, shape.max_leaves()
    changes: dict[str, Any] = {}
    fitted = payoffs if span is None else replace(payoffs, low=span[0], high=span[1])
    chance, distinct = bool(shape.chance), payoffs.distinct
    if require.ties == "different" and payoffs.distinct and not chance:
        changes["payoffs.distinct"] = distinct = False
    elif span is None and payoffs.distinct and payoffs.size < leaves:
        fitted = _widen(payoffs, leaves)
        changes["payoffs.range"] = list(fitted.range)
        if fitted.size < leaves:
            changes["payoffs.distinct"] = distinct = False
    if require.ties == "same" and not distinct and leaves > MAX_LEAVES_PER_PAYOFF * fitted.size:
        changes["require.ties"] = "any"
    bounds = recipe.rules.bounds
    if bounds is not None and not bounds[0] <= fitted.low <= fitted.high <= bounds[1]:
        changes["rules.bounds"] = [min(fitted.low, bounds[0]), max(fitted.high, bounds[1])]
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
            minimum = getattr(require, count)
            fitted_minimum = min(-(-minimum * leaves // max(before, leaves)), getattr(possible, count))
            if has_few_sets(shape) and recipe.variants.is_drawn_by_search:
                fitted_minimum = 0  # a demand would leave one answer or two
            if minimum > fitted_minimum:
                changes[f"require.{count}"] = fitted_minimum
    if require.chance_cuts and not chance:
        changes["require.chance_cuts"] = 0
    return changes


def _widen(payoffs: Payoffs, leaves: int) -> Payoffs:
    """Return a range with about `MIN_PAYOFFS_PER_LEAF` payoffs for each leaf, which includes the old one.

    1. A range without negative payoffs is extended upwards, one without positive payoffs downwards.
    2. Otherwise both ends are multiplied by the same factor, and rounded towards zero to whole steps.
    3. Payoffs of at most two digits get no third one, so the range may remain too small.
    """
    step, count = payoffs.step, MIN_PAYOFFS_PER_LEAF * leaves
    low, high = payoffs.range
    if low >= 0:
        high = low + (count - 1) * step
    elif high <= 0:
        low = high - (count - 1) * step
    else:
        factor = Fraction(count, payoffs.size)
        low, high = normalize_number(low * factor), normalize_number(high * factor)
    if max(-payoffs.low, payoffs.high) <= MAX_WIDENED_PAYOFF:
        low, high = max(low, -MAX_WIDENED_PAYOFF), min(high, MAX_WIDENED_PAYOFF)
    below = (payoffs.low - low) // step
    low = payoffs.low - below * step
    return replace(
        payoffs, low=normalize_number(low), high=normalize_number(low + (high - low) // step * step)
    )


@cache
def sizes() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """Return the trees of each size but that for exams, by kind, as `problems/sizes.toml` has them."""
    path = shipped_folder("problems") / "sizes.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def size_changes(
    recipe: Recipe, branching: Sequence[int], visited: Sequence[int] | None = None
) -> Mapping[str, Any]:
    """Return the changes, by full field name, that give a recipe such trees; `visited` is how many leaves."""
    spans = tuple((children, children) for children in branching)
    shape = replace(recipe.shape, plies=len(branching), branching=spans, leaves=None)
    changes = {"shape.plies": shape.plies, "shape.branching": list(branching), **fit_recipe(recipe, shape)}
    return changes if visited is None else changes | {"require.visited": list(visited)}
