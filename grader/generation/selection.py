"""Which candidates are good: they meet the requirements, and no mistake earns too much; and how it went."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from grader.exercises.exercise import find_objection
from grader.generation.candidate_search import Column
from grader.generation.candidates import Block, PayoffRow, plant_payoffs
from grader.generation.measures import Measures
from grader.generation.mistake_credit import batch_measured_beliefs, excess_per_mille, mistake_gains
from grader.generation.profile import shared_fields
from grader.generation.recipe import Recipe
from grader.generation.requirements import active_requirements, measure_block
from grader.generation.stream import Stream
from grader.questions.case import Case
from grader.questions.randomness import Draw
from grader.trees.tree import Tree

UNMET_REQUIREMENT_WEIGHT = 1_000_000
"""What a requirement weighs that is not met, beside what mistakes earn."""

SharedMeasures: TypeAlias = tuple[int, ...]
"""The measures that parallel variants share."""


@dataclass(frozen=True, slots=True)
class GenerationReport:
    """How a run of the generator went: what was tried, what came of it, what refused how many.

    Each refused candidate counts for the first thing that refused it.
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
    """No exercise was found within the cap of the recipe; `report` says what refused how many."""

    def __init__(self, report: GenerationReport) -> None:
        # The one argument, so that the copy that a worker process sends is made of the same.
        super().__init__(report)
        self.report = report

    def __str__(self) -> str:
        return f"no exercise was found within the cap\n{self.report}"


class Refusals:
    """What was tried and refused so far; the counts behind a `GenerationReport`."""

    def __init__(self, recipe: Recipe) -> None:
        self.kind = recipe.kind
        self.candidates = 0
        self.exercises = 0
        self.refused: Counter[str] = Counter()

    def report(self) -> GenerationReport:
        """The counts as they stand."""
        return GenerationReport(self.kind, self.candidates, self.exercises, tuple(self.refused.items()))


@dataclass(frozen=True, slots=True)
class Survivor:
    """A candidate that meets all requirements.

    `shared_measures` are its measures in which variants agree; `stratum` is what is drawn evenly: the number
    of the best move or leaf, the count of visited leaves, or the set of pruned leaves as a binary number;
    `number` tells it from the others of its stream.
    """

    skeleton: Tree
    row: PayoffRow
    shared_measures: SharedMeasures
    stratum: int
    number: int


@dataclass(frozen=True, slots=True, eq=False)
class BlockJudgement:
    """The measures of a block, and what speaks against each candidate: 0 where nothing does.

    - `penalty`: `UNMET_REQUIREMENT_WEIGHT` for each step to a missed requirement; if all are met, how many
      thousandths mistakes earn too much in all, as far as that is measured of many at once.
    - `required`, `beliefs`: the names of all that can refuse a candidate.
    - `worst_reason`: which of them would refuse each candidate, counted through both.
    """

    measures: Measures
    penalty: Column
    required: tuple[str, ...]
    beliefs: tuple[str, ...]
    worst_reason: Column

    def count(self, refusals: Refusals, slack: int = 0, rows: slice = slice(None)) -> None:
        """Count these candidates, and as refused those against which more than `slack` speaks."""
        reasons = *self.required, *(f"belief {name}" for name in self.beliefs)
        refusals.candidates += len(self.penalty[rows])
        worst = self.worst_reason[rows][self.penalty[rows] > slack]
        # In a report requirements stand first, in their order.
        refusals.refused.update(dict.fromkeys(self.required, 0))
        refusals.refused.update(reasons[place] for place in worst.tolist())


def judge_block(recipe: Recipe, block: Block) -> BlockJudgement:
    """What there is to say of a block of candidates."""
    import numpy

    measures, off, met = measure_block(recipe, block)
    against, worst = UNMET_REQUIREMENT_WEIGHT * off, met.astype(numpy.intp)
    required, names = active_requirements(recipe), batch_measured_beliefs(recipe)
    left = (off == 0).nonzero()[0]
    if names and len(left):
        gain, whole = mistake_gains(recipe, block.select(left), names, measures.found.visited[:, left])
        each = excess_per_mille(recipe, names, gain, whole)
        against[left] = each.sum(axis=0)
        worst[left] = len(required) + each.argmax(axis=0)
    return BlockJudgement(measures, against, tuple(each.name for each in required), names, worst)


def select_survivors(
    recipe: Recipe, block: Block, measures: Measures, fit: Column, start: int
) -> Iterator[Survivor]:
    """Those candidates of a block that are fit, the first of the block having the number `start`."""
    same = [getattr(measures, field) for field in shared_fields(recipe)]
    places = _place(recipe, measures)
    for row in fit.nonzero()[0].tolist():
        likeness = tuple(int(column[row]) for column in same)
        place = 0 if places is None else int(places[row])
        yield Survivor(block.skeleton, tuple(block.places[row].tolist()), likeness, place, start + row)


def draw_question(recipe: Recipe, survivor: Survivor, stream: Stream) -> Case | None:
    """The case that is asked about, for a survivor of a stream; None to ask nothing."""
    case = Case(plant_payoffs(survivor.skeleton, recipe.payoffs, survivor.row), recipe.rules)
    if recipe.question_kind.draw is None:
        return case
    draw = Draw(stream.sub("given", survivor.number), recipe.question.language, recipe.given)
    drawn = recipe.question_kind.draw(draw, case)
    if drawn is None or any(drawn.given.get(name) != said for name, said in recipe.given.items()):
        return None
    if find_objection(recipe.question_kind, drawn) is not None:
        return None
    return drawn


def _place(recipe: Recipe, measures: Measures) -> Column | None:
    """The measure that is drawn evenly, of one tree or of many; None when none is.

    Leaves of trees of different shapes cannot be compared, so there they are not drawn evenly.
    """
    evenly = recipe.variants.evenly
    drawn = any(low < high for low, high in recipe.shape.branching)
    if evenly == "none" or (drawn and evenly in ("best-leaf", "pruned-leaves")):
        return None
    return getattr(measures, evenly.replace("-", "_"))
