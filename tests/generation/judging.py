"""Candidates judged one by one, as they are judged many at a time."""

from grader.generation.candidate_result import CandidateResult
from grader.generation.candidates import Block, plant_payoffs
from grader.generation.measures import Measures
from grader.generation.recipe import Recipe
from grader.generation.selection import REQUIREMENTS
from grader.trees.tree import Tree


def candidate(block: Block, row: int) -> Tree:
    """One candidate of a block as a tree."""
    return plant_payoffs(block.skeleton, block.payoffs, tuple(block.places[row].tolist()))


def judge_one(recipe: Recipe, tree: Tree) -> tuple[Measures, str | None]:
    """The measures of a tree, and the first requirement it does not meet, or None."""
    measures = Measures(CandidateResult(tree, recipe.rules), searching=recipe.question_kind.depends_on_search)
    for requirement in REQUIREMENTS:
        if requirement.is_active(recipe) and requirement.distance(recipe, measures):
            return measures, requirement.name
    return measures, None
