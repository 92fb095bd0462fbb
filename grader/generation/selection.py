"""Which candidates are good: they meet the requirements, and no mistake earns too much on them."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

from grader.base.numbers import format_count
from grader.exercises.exercise import find_objection
from grader.generation.candidate_result import Column
from grader.generation.candidates import Block, plant_payoffs
from grader.generation.level import Shares, Survivor
from grader.generation.limits import beliefs_apart_from_each_other, beliefs_apart_from_key
from grader.generation.measures import Measures, shared_fields
from grader.generation.mistake_credit import (
    FULL_MARK_WEIGHT,
    batch_measured_beliefs,
    excess_per_mille,
    mistake_shares,
)
from grader.generation.recipe import Recipe
from grader.generation.shape import IntegerRange, has_few_sets
from grader.generation.stream import Stream
from grader.questions.case import Case
from grader.questions.kind import AnyKind
from grader.questions.randomness import Draw
from grader.trees.rules import Rules
from grader.trees.tree import Tree


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
    """Return 1 where the best move is in a place to be avoided, else 0: the first place, or the last."""
    if wanted == "not-first-branch":
        return 1 * (measures.best_move == 0)
    return 1 * (measures.best_move + 1 >= measures.moves)


def _between(field: str) -> Requirement:
    """Require a number of leaves between two limits."""

    def shortfall(span: IntegerRange, measures: Measures) -> Column:
        (low, high), count = span, getattr(measures, field)
        return _missing(count, low) + _missing(high, count)

    return Requirement(field, None, shortfall)


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
    *map(_between, ("pruned", "visited")),
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

    from grader.generation.block_results import search_block

    measures = Measures(search_block(block, recipe.rules), searching=recipe.question_kind.depends_on_search)
    distance = numpy.zeros(len(block.places), numpy.int64)
    met = numpy.zeros(len(distance), numpy.int8)
    for requirement in active_requirements(recipe):
        distance += requirement.distance(recipe, measures)
        met += distance == 0
    return measures, distance, met


AnswersByName: TypeAlias = Mapping[str, Any]
"""Name of a belief, or of a reply without thought -> the answer it leads to."""

BeliefAnswer: TypeAlias = Callable[[str], Any]
"""Name of a belief -> the answer it leads to, or None."""


def answers_by_belief(kind: AnyKind, case: Case, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Return the answers of these beliefs, or of all, without those that lead to none."""
    names = kind.beliefs if names is None else names
    answers = {name: kind.beliefs[name](case) for name in names}
    return {name: answer for name, answer in answers.items() if answer is not None}


def lazy_belief_answers(kind: AnyKind, case: Case) -> BeliefAnswer:
    """Return a function from beliefs to their answers, each computed on its first call."""
    return cache(lambda name: kind.beliefs[name](case))


def separation_penalty(
    recipe: Recipe,
    case: Case,
    key: Any,
    answer: BeliefAnswer,
    max_share: Fraction,
    cutoff: float = math.inf,
    first: str = "",
) -> tuple[int, str]:
    """Return the penalty of a question with this key, 0 if all is well, and the name of its worst reason.

    The penalty is the sum for

    1. every belief that must be separated from the key, unless it is measured of many trees at once
       (`grader.generation.mistake_credit`): `FULL_MARK_WEIGHT` if it earns the full mark, else,
       unless it is among the recipe's `mild` ones, the thousandths that it earns above `max_share`;
       the reason is `belief NAME`,
    2. every pair of beliefs with the same answer that must differ: `beliefs ONE and OTHER`,
    3. every reply without thought that earns the full mark: `reply NAME`.

    Beliefs are tried until the penalty is above `cutoff`, the one that gave the reason `first` before others.
    """
    kind, terms = recipe.question_kind, recipe.question
    # Follow-through at most doubles a share: below half of `max_share` it need not be worked out.
    negligible = max_share * Fraction(1, 2) if max_share < 1 else Fraction(0)
    penalties: list[tuple[int, str]] = []
    batch_measured = batch_measured_beliefs(recipe)
    for name in sorted(beliefs_apart_from_key(recipe), key=lambda name: f"belief {name}" != first):
        if name in batch_measured or (reply := answer(name)) is None:
            continue
        share = kind.earned_share(case, reply, key, terms, negligible)
        if share == 1:
            penalties.append((FULL_MARK_WEIGHT, f"belief {name}"))
        elif share > max_share and name not in recipe.separate.mild:
            penalties.append((-(-1000 * (share - max_share) // 1), f"belief {name}"))
        if sum(penalty for penalty, _ in penalties) > cutoff:
            break
    belief_by_answer: dict[Any, str] = {}
    for name in beliefs_apart_from_each_other(recipe):
        if (reply := answer(name)) is not None:
            other = belief_by_answer.setdefault(reply, name)
            if other != name:
                penalties.append((UNSEPARATED_WEIGHT, f"beliefs {other} and {name}"))
    for name, reply in payoff_blind_answers(kind, case.tree, case.rules).items():
        if kind.earned_share(case, reply, key, terms) == 1:
            penalties.append((FULL_MARK_WEIGHT, f"reply {name}"))
    total = sum(penalty for penalty, _ in penalties)
    return total, max(penalties, key=lambda each: each[0], default=(0, ""))[1]


def shares_of_mistakes(recipe: Recipe, case: Case, key: Any, answer: BeliefAnswer) -> Shares:
    """Return what each belief earns that is not measured of many trees at once."""
    kind, batch_measured = recipe.question_kind, batch_measured_beliefs(recipe)
    replies = [answer(name) for name in beliefs_apart_from_key(recipe) if name not in batch_measured]
    return tuple(
        None if reply is None else int(1000 * kind.earned_share(case, reply, key, recipe.question))
        for reply in replies
    )


UNSEPARATED_WEIGHT = 100 * FULL_MARK_WEIGHT
"""The penalty for two beliefs with the same answer that must differ: such a tree is never used."""


def payoff_blind_answers(kind: AnyKind, tree: Tree, rules: Rules) -> AnswersByName:
    """Return the answers of the kind's form that can be given without looking at a payoff."""
    find = kind.form.payoff_blind_answers
    return {} if find is None else find(tree, rules)


UNMET_REQUIREMENT_WEIGHT = 1_000_000
"""The penalty for each step to a requirement that is not met, far above that for mistakes."""


@dataclass(slots=True)
class GenerationReport:
    """The counts of a run of the generator: candidates, exercises, and refusals by reason.

    Each refused candidate counts for the first reason only.
    """

    kind: str
    candidates: int = 0
    exercises: int = 0
    refused: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        lines = [
            f"{self.kind}: {format_count(self.candidates, 'candidate')} tried, "
            f"{format_count(self.exercises, 'exercise')} grown"
        ]
        width = max(map(len, self.refused), default=0)
        lines += [
            f"  {reason.ljust(width)}  refused {count}" for reason, count in self.refused.items() if count
        ]
        return "\n".join(lines)


class ExhaustedError(Exception):
    """No exercise was found within the cap of the recipe; `report` counts the refusals."""

    def __init__(self, report: GenerationReport) -> None:
        # The report is the only argument, so that a worker process can send a copy.
        super().__init__(report)
        self.report = report

    def __str__(self) -> str:
        return f"no exercise was found within the cap\n{self.report}"


@dataclass(frozen=True, slots=True, eq=False)
class BlockJudgement:
    """The measures of a block, and the penalty of each candidate: 0 if it is good.

    - `penalty`: `UNMET_REQUIREMENT_WEIGHT` for each step to a missed requirement; if all are met, how many
      thousandths of the mark mistakes earn too much in all, as far as that is measured of many at once.
    - `required`, `beliefs`: the names of the requirements and beliefs that can refuse a candidate.
    - `worst_reason`: the index of the reason for each candidate, in `required` followed by `beliefs`.
    - `shares`: what each belief earns, beliefs by candidates; 0 where a requirement is missed.
    """

    measures: Measures
    penalty: Column
    required: tuple[str, ...]
    beliefs: tuple[str, ...]
    worst_reason: Column
    shares: Column

    def count(self, report: GenerationReport) -> None:
        """Count the candidates, and as refused those with a penalty."""
        reasons = *self.required, *(f"belief {name}" for name in self.beliefs)
        report.candidates += len(self.penalty)
        worst = self.worst_reason[self.penalty > 0]
        # A report lists the requirements first, in their order.
        report.refused.update(dict.fromkeys(self.required, 0))
        report.refused.update(reasons[index] for index in worst.tolist())


def judge_block(recipe: Recipe, block: Block, max_share: Fraction) -> BlockJudgement:
    """Measure a block of candidates and compute their penalties; a mistake may earn `max_share`."""
    import numpy

    measures, distance, met = measure_block(recipe, block)
    penalty, worst_reason = UNMET_REQUIREMENT_WEIGHT * distance, met.astype(numpy.intp)
    required, names = active_requirements(recipe), batch_measured_beliefs(recipe)
    survivors = (distance == 0).nonzero()[0]
    shares = numpy.zeros((len(names), len(distance)), numpy.int64)
    if names and len(survivors):
        visited = measures.results.visited[:, survivors]
        fractions = mistake_shares(recipe, block.select(survivors), names, visited)
        excess = excess_per_mille(recipe, names, fractions, max_share)
        penalty[survivors] = excess.sum(axis=0)
        shares[:, survivors] = fractions.map(lambda share: int(1000 * share))
        worst_reason[survivors] = len(required) + excess.argmax(axis=0)
    required_names = tuple(requirement.name for requirement in required)
    return BlockJudgement(measures, penalty, required_names, names, worst_reason, shares)


def select_survivors(
    recipe: Recipe, block: Block, judgement: BlockJudgement, rows: Iterable[int], start: int
) -> Iterator[Survivor]:
    """Yield these candidates of a block, which meet all requirements, numbered from `start`."""
    columns = [getattr(judgement.measures, field) for field in shared_fields(recipe)]
    strata = strata_of(recipe, judgement.measures)
    for number, row in enumerate(rows, start):
        shared = tuple(int(column[row]) for column in columns)
        stratum = 0 if strata is None else int(strata[row])
        shares, penalty = tuple(judgement.shares[:, row].tolist()), int(judgement.penalty[row])
        places = tuple(block.places[row].tolist())
        yield Survivor(block.skeleton, places, shared, stratum, number, shares, penalty)


NOTHING_TO_ASK = "nothing to ask"
"""The reason for refusing a tree on which the kind draws no question, or none with what the recipe gives."""


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


def strata_of(recipe: Recipe, measures: Measures) -> Column | None:
    """Return the measure that is spread evenly, of one tree or of many; None if there is none.

    Leaves of trees of different shapes cannot be compared, so they are not spread evenly. Sets of pruned
    leaves are only where there are few of them; many are kept apart by `RepeatLimiter`.
    """
    evenly = recipe.variants.evenly
    if evenly == "none" or (evenly == "best-leaf" and recipe.shape.has_drawn_branching):
        return None
    if evenly == "pruned-leaves" and not (recipe.shape.is_fixed and has_few_sets(recipe.shape)):
        return None
    return getattr(measures, evenly.replace("-", "_"))
