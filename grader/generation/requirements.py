"""The requirements of a recipe: what a candidate must measure to be kept."""

from collections.abc import Callable
from dataclasses import dataclass

from grader.generation.candidates import Block
from grader.generation.findings import Column, of_many
from grader.generation.measures import Measures
from grader.generation.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Requirement:
    """One thing a tree must have: its name, whether the recipe asks for it, and how far off the measures are.

    That is 0 where it is met. It works on the measures of one tree and of many alike.
    """

    name: str
    asked: Callable[[Recipe], bool]
    off: Callable[[Recipe, Measures], Column]


def _best_leaf_off(recipe: Recipe, measures: Measures) -> Column:
    if recipe.require.best_leaf == "not-first-branch":
        return 1 * (measures.best_move == 0)
    return 1 * (measures.best_move + 1 >= measures.moves)


def _pruned_off(recipe: Recipe, measures: Measures) -> Column:
    low, high = recipe.require.pruned or (0, 0)
    return _fewer(measures.pruned, low) + _fewer(high, measures.pruned)


def _fewer(count: Column, asked: Column) -> Column:
    """By how much a count is too small."""
    return (count < asked) * (asked - count)


REQUIREMENTS = (
    Requirement(
        "places",
        lambda recipe: recipe.require.places is not None,
        lambda recipe, measures: 1 * (measures.places > recipe.require.places),
    ),
    Requirement(
        "one-optimal-move",
        lambda recipe: recipe.require.one_optimal_move and 0 not in recipe.shape.chance,
        lambda _recipe, measures: measures.optimal_moves - 1,
    ),
    Requirement("best-leaf", lambda recipe: recipe.require.best_leaf != "anywhere", _best_leaf_off),
    Requirement("pruned", lambda recipe: recipe.require.pruned is not None, _pruned_off),
    Requirement(
        "alpha-cuts",
        lambda recipe: recipe.require.alpha_cuts > 0,
        lambda recipe, measures: _fewer(measures.alpha_cuts, recipe.require.alpha_cuts),
    ),
    Requirement(
        "beta-cuts",
        lambda recipe: recipe.require.beta_cuts > 0,
        lambda recipe, measures: _fewer(measures.beta_cuts, recipe.require.beta_cuts),
    ),
    Requirement(
        "chance-cuts",
        lambda recipe: recipe.require.chance_cuts > 0,
        lambda recipe, measures: _fewer(measures.chance_cuts, recipe.require.chance_cuts),
    ),
    Requirement(
        "deep-cuts",
        lambda recipe: recipe.require.deep_cuts > 0,
        lambda recipe, measures: _fewer(measures.deep_cuts, recipe.require.deep_cuts),
    ),
    Requirement(
        "subtree-cuts",
        lambda recipe: recipe.require.subtree_cuts > 0,
        lambda recipe, measures: _fewer(measures.subtree_cuts, recipe.require.subtree_cuts),
    ),
    Requirement(
        "ties",
        lambda recipe: recipe.require.ties != "any",
        lambda recipe, measures: 1 * (measures.ties_differ != (recipe.require.ties == "different")),
    ),
)
"""Every requirement there is, the cheap ones first; the first that is not met is the one that is reported."""


def asked_for(recipe: Recipe) -> tuple[Requirement, ...]:
    """The requirements that a recipe asks for."""
    return tuple(requirement for requirement in REQUIREMENTS if requirement.asked(recipe))


def judge_many(recipe: Recipe, block: Block) -> tuple[Measures, Column, Column]:
    """The measures of a block, how far each candidate is off in all, and how many requirements it meets.

    Those are the ones asked for before the first that it does not meet.
    """
    import numpy

    measures = Measures(of_many(block, recipe.rules), searching=recipe.asked.searches)
    total = numpy.zeros(len(block.places), numpy.int64)
    met = numpy.zeros(len(total), numpy.int8)
    for requirement in asked_for(recipe):
        total += requirement.off(recipe, measures)
        met += total == 0
    return measures, total, met
