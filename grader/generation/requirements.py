"""The requirements of a recipe: what a candidate must measure to be kept."""

from collections.abc import Callable
from dataclasses import dataclass

from grader.generation.candidates import Block
from grader.generation.findings import Column, of_many, of_one
from grader.generation.measures import Measures
from grader.generation.recipe import Recipe
from grader.tree import Tree


@dataclass(frozen=True, slots=True)
class Requirement:
    """One thing a tree must have: its name, whether the recipe asks for it, and the test of the measures.

    The test works on the measures of one tree and of many alike.
    """

    name: str
    asked: Callable[[Recipe], bool]
    met: Callable[[Recipe, Measures], Column]


def _best_leaf_fits(recipe: Recipe, measures: Measures) -> Column:
    if recipe.require.best_leaf == "not-first-branch":
        return measures.best_move > 0
    return measures.best_move + 1 < measures.moves


def _pruned_fits(recipe: Recipe, measures: Measures) -> Column:
    low, high = recipe.require.pruned or (0, 0)
    return (low <= measures.pruned) & (measures.pruned <= high)


REQUIREMENTS = (
    Requirement(
        "places",
        lambda recipe: recipe.require.places is not None,
        lambda recipe, measures: measures.places <= recipe.require.places,
    ),
    Requirement(
        "one-optimal-move",
        lambda recipe: recipe.require.one_optimal_move and 0 not in recipe.shape.chance,
        lambda _recipe, measures: measures.optimal_moves == 1,
    ),
    Requirement("best-leaf", lambda recipe: recipe.require.best_leaf != "anywhere", _best_leaf_fits),
    Requirement("pruned", lambda recipe: recipe.require.pruned is not None, _pruned_fits),
    Requirement(
        "alpha-cuts",
        lambda recipe: recipe.require.alpha_cuts > 0,
        lambda recipe, measures: measures.alpha_cuts >= recipe.require.alpha_cuts,
    ),
    Requirement(
        "beta-cuts",
        lambda recipe: recipe.require.beta_cuts > 0,
        lambda recipe, measures: measures.beta_cuts >= recipe.require.beta_cuts,
    ),
    Requirement(
        "chance-cuts",
        lambda recipe: recipe.require.chance_cuts > 0,
        lambda recipe, measures: measures.chance_cuts >= recipe.require.chance_cuts,
    ),
    Requirement(
        "deep-cuts",
        lambda recipe: recipe.require.deep_cuts > 0,
        lambda recipe, measures: measures.deep_cuts >= recipe.require.deep_cuts,
    ),
    Requirement(
        "subtree-cuts",
        lambda recipe: recipe.require.subtree_cuts > 0,
        lambda recipe, measures: measures.subtree_cuts >= recipe.require.subtree_cuts,
    ),
    Requirement(
        "ties",
        lambda recipe: recipe.require.ties != "any",
        lambda recipe, measures: measures.ties_differ == (recipe.require.ties == "different"),
    ),
)
"""Every requirement there is, the cheap ones first; the first that is not met is the one that is reported."""


def judge_one(recipe: Recipe, tree: Tree) -> tuple[Measures, str | None]:
    """The measures of a tree, and the first requirement it does not meet, or None."""
    measures = Measures(of_one(tree, recipe.rules), searching=recipe.asked.searches)
    for requirement in REQUIREMENTS:
        if requirement.asked(recipe) and not requirement.met(recipe, measures):
            return measures, requirement.name
    return measures, None


def judge_many(recipe: Recipe, block: Block) -> tuple[Measures, Column, dict[str, int]]:
    """The measures of a block, whether each candidate meets everything, and what refused how many."""
    import numpy

    measures = Measures(of_many(block, recipe.rules), searching=recipe.asked.searches)
    fit = numpy.ones(len(block.places), numpy.bool_)
    refused: dict[str, int] = {}
    left = len(fit)
    for requirement in REQUIREMENTS:
        if requirement.asked(recipe):
            fit &= requirement.met(recipe, measures)
            now = int(numpy.count_nonzero(fit))
            refused[requirement.name] = left - now
            left = now
    return measures, fit, refused
