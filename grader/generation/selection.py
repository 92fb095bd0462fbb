"""Which candidates are good: they meet the requirements and no mistake earns too much; counts of refusals."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from grader.exercises.exercise import find_objection
from grader.generation.candidate_search import Column
from grader.generation.candidates import Block, PayoffRow, plant_payoffs
from grader.generation.measures import Measures
from grader.generation.mistake_credit import batch_measured_beliefs, excess_per_mille, mistake_shares
from grader.generation.profile import shared_fields
from grader.generation.recipe import Recipe
from grader.generation.requirements import active_requirements, measure_block
from grader.generation.stream import Stream
from grader.questions.case import Case
from grader.questions.randomness import Draw
from grader.trees.tree import Tree

UNMET_REQUIREMENT_WEIGHT = 1_000_000
"""The penalty for each step to a requirement that is not met, far above that for mistakes."""

SharedMeasures: TypeAlias = tuple[int, ...]
"""The measures that parallel variants share."""


@dataclass(frozen=True, slots=True)
class GenerationReport:
    """The result of a run of the generator: candidates, exercises, and refusals by reason.

    Each refused candidate counts for the first reason only.
    """

    kind: str
    candidates: int
    exercises: int
    refused: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        lines = [f"{self.kind}: {self.candidates} candidates tried, {self.exercises} exercises grown"]
        width = max((len(reason) for reason, _ in self.refused), default=0)
        lines += [f"  {reason.ljust(width)}  refused {count}" for reason, count in self.refused if count]
        return "\n".join(lines)


class ExhaustedError(Exception):
    """No exercise was found within the cap of the recipe; `report` counts the refusals."""

    def __init__(self, report: GenerationReport) -> None:
        # The report is the only argument, so that a worker process can send a copy.
        super().__init__(report)
        self.report = report

    def __str__(self) -> str:
        return f"no exercise was found within the cap\n{self.report}"


class Refusals:
    """Counts candidates, exercises and refusals for a `GenerationReport`."""

    def __init__(self, recipe: Recipe) -> None:
        self.kind = recipe.kind
        self.candidates = 0
        self.exercises = 0
        self.refused: Counter[str] = Counter()

    def report(self) -> GenerationReport:
        """Return the counts so far."""
        return GenerationReport(self.kind, self.candidates, self.exercises, tuple(self.refused.items()))


@dataclass(frozen=True, slots=True)
class Survivor:
    """A candidate that meets all requirements.

    - `shared_measures`: the measures in which variants agree.
    - `stratum`: the value that is spread evenly: the number of the best move or leaf, the count of visited
      leaves, or the set of pruned leaves as a binary number.
    - `number`: distinguishes it from the others of its stream.
    """

    skeleton: Tree
    row: PayoffRow
    shared_measures: SharedMeasures
    stratum: int
    number: int


@dataclass(frozen=True, slots=True, eq=False)
class BlockJudgement:
    """The measures of a block, and the penalty of each candidate: 0 if it is good.

    - `penalty`: `UNMET_REQUIREMENT_WEIGHT` for each step to a missed requirement; if all are met, how many
      thousandths of the mark mistakes earn too much in all, as far as that is measured of many at once.
    - `required`, `beliefs`: the names of the requirements and beliefs that can refuse a candidate.
    - `worst_reason`: the index of the reason for each candidate, in `required` followed by `beliefs`.
    """

    measures: Measures
    penalty: Column
    required: tuple[str, ...]
    beliefs: tuple[str, ...]
    worst_reason: Column

    def count(self, refusals: Refusals, slack: int = 0, rows: slice = slice(None)) -> None:
        """Count these candidates, and as refused those whose penalty is above `slack`."""
        reasons = *self.required, *(f"belief {name}" for name in self.beliefs)
        refusals.candidates += len(self.penalty[rows])
        worst = self.worst_reason[rows][self.penalty[rows] > slack]
        # A report lists the requirements first, in their order.
        refusals.refused.update(dict.fromkeys(self.required, 0))
        refusals.refused.update(reasons[index] for index in worst.tolist())


def judge_block(recipe: Recipe, block: Block) -> BlockJudgement:
    """Measure a block of candidates and compute their penalties."""
    import numpy

    measures, distance, met = measure_block(recipe, block)
    penalty, worst_reason = UNMET_REQUIREMENT_WEIGHT * distance, met.astype(numpy.intp)
    required, names = active_requirements(recipe), batch_measured_beliefs(recipe)
    survivors = (distance == 0).nonzero()[0]
    if names and len(survivors):
        visited = measures.results.visited[:, survivors]
        shares = mistake_shares(recipe, block.select(survivors), names, visited)
        excess = excess_per_mille(recipe, names, shares)
        penalty[survivors] = excess.sum(axis=0)
        worst_reason[survivors] = len(required) + excess.argmax(axis=0)
    required_names = tuple(requirement.name for requirement in required)
    return BlockJudgement(measures, penalty, required_names, names, worst_reason)


def select_survivors(
    recipe: Recipe, block: Block, measures: Measures, fit: Column, start: int
) -> Iterator[Survivor]:
    """Yield the candidates of a block that are fit, numbered from `start` at the first row."""
    columns = [getattr(measures, field) for field in shared_fields(recipe)]
    strata = _strata(recipe, measures)
    for row in fit.nonzero()[0].tolist():
        shared = tuple(int(column[row]) for column in columns)
        stratum = 0 if strata is None else int(strata[row])
        yield Survivor(block.skeleton, tuple(block.places[row].tolist()), shared, stratum, start + row)


def draw_question(recipe: Recipe, survivor: Survivor, stream: Stream) -> Case | None:
    """Draw the case that a question about a survivor asks about; None if there is nothing to ask."""
    case = Case(plant_payoffs(survivor.skeleton, recipe.payoffs, survivor.row), recipe.rules)
    if recipe.question_kind.draw is None:
        return case
    draw = Draw(stream.sub("given", survivor.number), recipe.question.language, recipe.given)
    question = recipe.question_kind.draw(draw, case)
    if question is None or any(question.given.get(name) != value for name, value in recipe.given.items()):
        return None
    if find_objection(recipe.question_kind, question) is not None:
        return None
    return question


def _strata(recipe: Recipe, measures: Measures) -> Column | None:
    """Return the measure that is spread evenly, of one tree or of many; None if there is none.

    Leaves of trees of different shapes cannot be compared, so they are not spread evenly.
    """
    evenly = recipe.variants.evenly
    has_drawn_shape = any(low < high for low, high in recipe.shape.branching)
    if evenly == "none" or (has_drawn_shape and evenly in ("best-leaf", "pruned-leaves")):
        return None
    return getattr(measures, evenly.replace("-", "_"))
