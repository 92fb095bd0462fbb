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

    - `field`: of `grader.generation.recipe.Require`; `unset` is what stands there where nothing is asked.
    - `shortfall`: by how much measures miss what the field says; of one tree or of many alike.
    """

    field: str
    unset: Any
    shortfall: Callable[[Any, Measures], Column]

    @property
    def name(self) -> str:
        """What it is called where it refuses a candidate."""
        return self.field.replace("_", "-")

    def is_active(self, recipe: Recipe) -> bool:
        """Whether a recipe asks for it."""
        if self.field == "one_optimal_move" and 0 in recipe.shape.chance:
            return False  # nobody moves at the root
        return bool(getattr(recipe.require, self.field) != self.unset)

    def distance(self, recipe: Recipe, measures: Measures) -> Column:
        """How far off the measures are: 0 where it is met."""
        return self.shortfall(getattr(recipe.require, self.field), measures)


def _best_leaf(wanted: str, measures: Measures) -> Column:
    if wanted == "not-first-branch":
        return 1 * (measures.best_move == 0)
    return 1 * (measures.best_move + 1 >= measures.moves)


def _pruned(span: Span, measures: Measures) -> Column:
    low, high = span
    return _fewer(measures.pruned, low) + _fewer(high, measures.pruned)


def _ties(wanted: str, measures: Measures) -> Column:
    return 1 * (measures.ties_differ != (wanted == "different"))


def _cuts(field: str) -> Requirement:
    """So many cuts of one kind, at least."""
    return Requirement(field, 0, lambda asked, measures: _fewer(getattr(measures, field), asked))


def _fewer(count: Column, asked: Column) -> Column:
    """By how much a count is too small."""
    return (count < asked) * (asked - count)


REQUIREMENTS = (
    Requirement("places", None, lambda most, measures: 1 * (measures.places > most)),
    Requirement("one_optimal_move", False, lambda _, measures: measures.optimal_moves - 1),
    Requirement("best_leaf", "anywhere", _best_leaf),
    Requirement("pruned", None, _pruned),
    *map(_cuts, ("alpha_cuts", "beta_cuts", "chance_cuts", "deep_cuts", "subtree_cuts")),
    Requirement("ties", "any", _ties),
)
"""Every requirement there is, the cheap ones first; the first that is not met is the one that is reported."""


def active_requirements(recipe: Recipe) -> tuple[Requirement, ...]:
    """The requirements that a recipe asks for."""
    return tuple(requirement for requirement in REQUIREMENTS if requirement.is_active(recipe))


def measure_block(recipe: Recipe, block: Block) -> tuple[Measures, Column, Column]:
    """The measures of a block, how far each candidate is off in all, and how many requirements it meets.

    Those are the ones asked for before the first that it does not meet.
    """
    import numpy

    measures = Measures(search_block(block, recipe.rules), searching=recipe.question_kind.depends_on_search)
    total = numpy.zeros(len(block.places), numpy.int64)
    met = numpy.zeros(len(total), numpy.int8)
    for requirement in active_requirements(recipe):
        total += requirement.distance(recipe, measures)
        met += total == 0
    return measures, total, met
