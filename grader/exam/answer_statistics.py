"""How questions were answered in finished exams: counts of whole classes, nothing about a student."""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import atanh
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from grader.base.canonical_json import parse_json
from grader.base.files import write_file
from grader.base.hinted_error import HintedError
from grader.base.json_records import JsonRecord, RecordError, read_field
from grader.base.records import require_schema, stamp
from grader.exam.population import Population

STATISTICS_SCHEMA = 2
"""The schema of the file; the types of schema 1 did not say which recipe."""

MIN_CLASS_STUDENTS = 10
"""Questions that fewer students of one exam answered are left out: few answers can be put down to people."""

MAX_ANSWERS = 10**9
"""The most answers that a file may count."""

MAX_CORRELATION = 0.999
"""Larger correlations count as this one, whose transformed value is finite."""


NO_STATISTICS = (
    "it is not a file of `gametree statistics`",
    "Name a file that `gametree statistics add` made.",
)

DAMAGED_HINT = "Restore a copy of it, or add its exams again to another file."

_RANGE = re.compile(r"\d{1,9}(-\d{1,9})?")
"""The texts that `number_range` returns."""


class StatisticsError(HintedError, ValueError):
    """A file or an exam that cannot be used; the message says why."""


class QuestionType(NamedTuple):
    """What two questions have in common that are counted together.

    - `recipe`: the kind for whose recipe the tree was grown; empty for a given tree.
    - `plies`, `leaves`: a number each, or a range such as `18-24` over the variants.
    """

    kind: str
    recipe: str
    plies: str
    leaves: str

    def closeness(self, other: "QuestionType") -> int:
        """Return 0 for another kind, 1 for the same kind, 2 if the recipe agrees too, 3 if also the size."""
        if self.kind != other.kind:
            return 0
        if self.recipe != other.recipe:
            return 1
        same_size = _ranges_meet(self.plies, other.plies) and _ranges_meet(self.leaves, other.leaves)
        return 3 if same_size else 2


def number_range(numbers: Collection[int]) -> str:
    """Return the numbers as a `QuestionType` has them: `27`, or `18-24` from the least to the most."""
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f"{low}-{high}"


def _ranges_meet(one: str, other: str) -> bool:
    """Return whether some number is in both ranges."""
    (low, high), (other_low, other_high) = (
        (int(text.split("-")[0]), int(text.split("-")[-1])) for text in (one, other)
    )
    return low <= other_high and other_low <= high


@dataclass(frozen=True, slots=True)
class MisconceptionTally(JsonRecord):
    """How common one misconception was, by number of answers.

    - `exposed`: answers to questions in which it leads to an incorrect answer.
    - `explained`: those that it alone explains; `possible`: those that it or another one explains.
    - `expected`: an estimate between both, in which answers of several are divided by how common these are.
    """

    exposed: Annotated[int, "exposed"]
    explained: Annotated[int, "alone"]
    possible: Annotated[int, "possible"]
    expected: Annotated[float, "expected"]

    @property
    def is_possible(self) -> bool:
        """Whether answers can have been counted so."""
        counts = (self.explained, self.possible, self.expected)
        return 0 < self.exposed <= MAX_ANSWERS and all(0 <= count <= MAX_ANSWERS for count in counts)

    def plus(self, other: "MisconceptionTally") -> "MisconceptionTally":
        """Return the sum of two tallies."""
        return MisconceptionTally(
            self.exposed + other.exposed,
            self.explained + other.explained,
            self.possible + other.possible,
            round(self.expected + other.expected, 4),
        )


@dataclass(frozen=True, slots=True)
class QuestionStatistics(JsonRecord):
    """How one type of question was answered.

    - `kind`, `recipe`, `plies`, `leaves`: its `QuestionType`.
    - `exams`: in how many exams, by how many `students`.
    - `full`: students with all points; `blank`: blank answers; `unexplained`: incorrect answers that no
      misconception explains.
    - `score`: the sum of the shares of the points.
    - `discrimination`: the sum over the exams of Fisher's transformed correlation with all other questions,
      times its weight, the students minus 3; `weight`: the sum of the weights.
    """

    kind: Annotated[str, "kind"]
    recipe: Annotated[str, "recipe"]
    plies: Annotated[str, "plies"]
    leaves: Annotated[str, "leaves"]
    exams: Annotated[int, "exams"]
    students: Annotated[int, "students"]
    full: Annotated[int, "full"]
    blank: Annotated[int, "blank"]
    unexplained: Annotated[int, "unexplained"]
    score: Annotated[float, "score"]
    discrimination: Annotated[float, "discrimination"]
    weight: Annotated[int, "weight"]
    misconceptions: Annotated[Mapping[str, MisconceptionTally], "misconceptions"]

    @property
    def question_type(self) -> QuestionType:
        """The type of the question."""
        return QuestionType(self.kind, self.recipe, self.plies, self.leaves)

    @property
    def is_possible(self) -> bool:
        """Whether the answers of classes can have been counted so."""
        counts = (self.full, self.blank, self.unexplained, self.score, self.weight)
        return (
            all(map(_RANGE.fullmatch, (self.plies, self.leaves)))
            and 0 < self.exams <= self.students <= MAX_ANSWERS
            and all(0 <= count <= self.students for count in counts)
            and abs(self.discrimination) <= self.weight * transformed_correlation(1.0) + 1e-4 * self.exams
            and all(tally.is_possible for tally in self.misconceptions.values())
        )

    def exposes(self, misconception: str) -> bool:
        """Return whether the misconception leads to an incorrect answer."""
        return misconception in self.misconceptions and self.misconceptions[misconception].exposed > 0

    def plus(self, other: "QuestionStatistics") -> "QuestionStatistics":
        """Return the statistics of two exams together."""
        empty = MisconceptionTally(0, 0, 0, 0.0)
        names = sorted(self.misconceptions.keys() | other.misconceptions.keys())
        return replace(
            self,
            exams=self.exams + other.exams,
            students=self.students + other.students,
            full=self.full + other.full,
            blank=self.blank + other.blank,
            unexplained=self.unexplained + other.unexplained,
            score=round(self.score + other.score, 4),
            discrimination=round(self.discrimination + other.discrimination, 4),
            weight=self.weight + other.weight,
            misconceptions={
                name: self.misconceptions.get(name, empty).plus(other.misconceptions.get(name, empty))
                for name in names
            },
        )


@dataclass(frozen=True, slots=True)
class AnswerStatistics:
    """Statistics of several exams.

    `exams` has a hash of the questions of each exam, from which neither questions nor students can be found
    out; by it an exam is recognized that was added before.
    """

    exams: tuple[str, ...] = ()
    questions: tuple[QuestionStatistics, ...] = ()

    def with_exam(self, fingerprint: str, questions: Iterable[QuestionStatistics]) -> "AnswerStatistics":
        """Return the statistics with one more exam. Raises `StatisticsError` if it was added before."""
        if fingerprint in self.exams:
            raise StatisticsError("the statistics already contain this exam")
        by_type = {each.question_type: each for each in self.questions}
        for each in questions:
            by_type[each.question_type] = (
                by_type[each.question_type].plus(each) if each.question_type in by_type else each
            )
        # Sorted, so that nothing says which exam was added when.
        return AnswerStatistics(
            tuple(sorted((*self.exams, fingerprint))),
            tuple(by_type[question_type] for question_type in sorted(by_type)),
        )

    def shares(self, types: Collection[QuestionType]) -> Mapping[str, Fraction]:
        """Return how common each misconception was in questions of these types, as shares of the answers.

        Of each type the closest questions count in which the misconception leads to an incorrect answer.
        """
        shares = {}
        for name in sorted({name for each in self.questions for name in each.misconceptions}):
            exposing = [each for each in self.questions if each.exposes(name)]
            tallies = [each.misconceptions[name] for each in _closest_questions(exposing, types)]
            if tallies:
                expected = sum(round(10_000 * tally.expected) for tally in tallies)
                exposed = sum(10_000 * tally.exposed for tally in tallies)
                shares[name] = min(Fraction(1), Fraction(expected, exposed))
        return shares

    def population(self, types: Collection[QuestionType]) -> Population:
        """Return the students that these statistics lead to expect in an exam with questions of these types.

        Incorrect answers that no misconception explains count as slips.
        Raises `StatisticsError` if there are no statistics of any of the kinds.
        """
        questions = _closest_questions(self.questions, types)
        students = sum(each.students for each in questions)
        if not students:
            kinds = sorted({each.kind for each in types})
            raise StatisticsError(f"there are no statistics of {', '.join(kinds)}")
        return Population(
            slips=Fraction(sum(each.unexplained for each in questions), students),
            blanks=Fraction(sum(each.blank for each in questions), students),
            shares=tuple(self.shares(types).items()),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the file as a JSON object."""
        questions = [each.to_json() for each in self.questions]
        return stamp(STATISTICS_SCHEMA) | {"exams": list(self.exams), "questions": questions}


def _closest_questions(
    questions: Collection[QuestionStatistics], types: Iterable[QuestionType]
) -> list[QuestionStatistics]:
    """Return the questions that are closest to one of these types, each of them once."""
    closest_by_type: dict[QuestionType, QuestionStatistics] = {}
    for wanted in types:
        closest = max((wanted.closeness(each.question_type) for each in questions), default=0)
        if closest:
            closest_by_type |= {
                each.question_type: each
                for each in questions
                if wanted.closeness(each.question_type) == closest
            }
    return list(closest_by_type.values())


def transformed_correlation(correlation: float) -> float:
    """Return Fisher's z of a correlation."""
    return atanh(max(-MAX_CORRELATION, min(MAX_CORRELATION, correlation)))


def read_statistics(path: Path) -> AnswerStatistics:
    """Read the file. Raises `StatisticsError`, `SchemaError` for another schema, or `OSError`."""
    try:
        record = parse_json(path.read_bytes())
    except ValueError:  # not JSON, or not UTF-8
        raise StatisticsError(*NO_STATISTICS) from None
    if not isinstance(record, dict) or "questions" not in record:
        raise StatisticsError(*NO_STATISTICS)
    require_schema(record, STATISTICS_SCHEMA, path.name, "add its exams again to another file")
    try:
        statistics = AnswerStatistics(
            read_field(record, "exams", tuple[str, ...]),
            read_field(record, "questions", tuple[QuestionStatistics, ...]),
        )
    except RecordError as error:
        raise StatisticsError(f"{error.place}: {error.message}", DAMAGED_HINT) from None
    for number, question in enumerate(statistics.questions):
        if not question.is_possible:
            raise StatisticsError(f"questions[{number}]: no class can have these counts", DAMAGED_HINT)
    return statistics


def write_statistics(statistics: AnswerStatistics, path: Path) -> None:
    """Write the file. Raises `OSError`."""
    write_file(path, (json.dumps(statistics.to_json(), indent=1) + "\n").encode())
