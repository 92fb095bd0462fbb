"""The requirements of a recipe: what a candidate must measure to be kept."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from grader.generation.candidate_search import Column, search_block
from grader.generation.candidates import Block
from grader.generation.measures import Measures
from grader.generation.recipe import Recipe
from grader.generation.shape import Span


@dataclass(frozen=True, slots=True)
class Requirement:
    """One thing a tree must have.

    - `field`: of `grader.generation.recipe.Require`; `unset` is its value if nothing is required.
    - `shortfall`: by how much the measures of one tree, or of many, miss the value of the field.
    """

    field: str
    unset: Any
    shortfall: Callable[[Any, Measures], Column]

    @property
    def name(self) -> str:
        """The name in reports of refused candidates."""
        return self.field.replace("_", "-")

    def is_active(self, recipe: Recipe) -> bool:
        """Return whether a recipe asks for it."""
        if self.field == "one_optimal_move" and 0 in recipe.shape.chance:
            return False  # chance moves at the root
        return bool(getattr(recipe.require, self.field) != self.unset)

    def distance(self, recipe: Recipe, measures: Measures) -> Column:
        """Return the distance of the measures from the requirement, 0 if it is met."""
        return self.shortfall(getattr(recipe.require, self.field), measures)


def _best_leaf(wanted: str, measures: Measures) -> Column:
    if wanted == "not-first-branch":
        return 1 * (measures.best_move == 0)
    return 1 * (measures.best_move + 1 >= measures.moves)


def _pruned(span: Span, measures: Measures) -> Column:
    low, high = span
    return _missing(measures.pruned, low) + _missing(high, measures.pruned)


def _ties(wanted: str, measures: Measures) -> Column:
    return 1 * (measures.ties_differ != (wanted == "different"))


def _cuts(field: str) -> Requirement:
    """Require at least a number of cuts of one kind."""
    return Requirement(field, 0, lambda minimum, measures: _missing(getattr(measures, field), minimum))


def _missing(count: Column, minimum: Column) -> Column:
    return (count < minimum) * (minimum - count)


REQUIREMENTS = (
    Requirement("places", None, lambda limit, measures: 1 * (measures.places > limit)),
    Requirement("one_optimal_move", False, lambda _, measures: measures.optimal_moves - 1),
    Requirement("best_leaf", "anywhere", _best_leaf),
    Requirement("pruned", None, _pruned),
    *map(_cuts, ("alpha_cuts", "beta_cuts", "chance_cuts", "deep_cuts", "subtree_cuts")),
    Requirement("ties", "any", _ties),
)
"""All requirements, the cheap ones first; the first one that is not met is reported."""


def active_requirements(recipe: Recipe) -> tuple[Requirement, ...]:
    """Return the requirements of a recipe."""
    return tuple(requirement for requirement in REQUIREMENTS if requirement.is_active(recipe))


def measure_block(recipe: Recipe, block: Block) -> tuple[Measures, Column, Column]:
    """Measure a block: the measures, each candidate's distance in all, and the requirements that it meets.

    The last is the number of requirements before the first one that the candidate does not meet.
    """
    import numpy

    measures = Measures(search_block(block, recipe.rules), searching=recipe.question_kind.depends_on_search)
    distance = numpy.zeros(len(block.places), numpy.int64)
    met = numpy.zeros(len(distance), numpy.int8)
    for requirement in active_requirements(recipe):
        distance += requirement.distance(recipe, measures)
        met += distance == 0
    return measures, distance, met
