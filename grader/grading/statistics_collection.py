"""From the gradebook of a finished exam to statistics without anything about a student."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from grader.exam.answer_statistics import (
    MIN_CLASS_STUDENTS,
    MisconceptionTally,
    Origin,
    QuestionStatistics,
    StatisticsError,
    transformed_correlation,
)
from grader.exercises.marking import State
from grader.grading.analysis import PartAnalysis, analyse
from grader.grading.exam_keys import ExamKeys, hash_texts
from grader.grading.misconception_counts import AnswerCounts, Names
from grader.grading.results import Result
from grader.trees.notation.diagnostics import Diagnostics

MAX_ROUNDS = 200
"""How often the shares of misconceptions that share answers are estimated again."""


def exam_fingerprint(exam_keys: ExamKeys) -> str:
    """Return a hash of the questions, which is of no use for anything else that follows from the keys."""
    return hash_texts("statistics", exam_keys.keys_hash)


def collect_statistics(
    exam_keys: ExamKeys, results: Iterable[Result]
) -> tuple[tuple[QuestionStatistics, ...], tuple[str, ...]]:
    """Return the statistics of an exam, one for each type of question, and the parts that are left out.

    Parts that fewer than `MIN_CLASS_STUDENTS` students answered are left out.
    Raises `StatisticsError` if that leaves nothing.
    """
    class_results = list(results)
    analysis = analyse(exam_keys, class_results)
    exposed: dict[str, Counter[str]] = {name: Counter() for name in exam_keys.labels}
    beliefs = {
        (code, key.part): {name.rpartition(".")[2] for name in json.loads(key.exercise)["beliefs"]}
        for code in exam_keys.variants
        for key in exam_keys.part_keys(code)
    }
    for result in class_results:
        for part, standing in zip(exam_keys.parts, result.standings, strict=True):
            is_marked = standing.state is State.GRADED or standing.state is State.BLANK
            if is_marked and (standing.variant, part.name) in beliefs:
                exposed[part.name].update(beliefs[standing.variant, part.name])
    explained: dict[str, Counter[Names]] = defaultdict(Counter)
    for row in analysis.misconceptions:
        explained[row.part][row.names] += row.equal + row.nearest
    by_type: dict[tuple[str, ...], QuestionStatistics] = {}
    omitted = []
    for part_analysis, counts in zip(analysis.parts, analysis.answers, strict=True):
        name = part_analysis.part.name
        found = _question(exam_keys, part_analysis, counts, explained[name], exposed[name])
        if found is None:
            omitted.append(name)
        elif found.question_type in by_type:
            both = by_type[found.question_type].plus(found)
            by_type[found.question_type] = _of_one_exam(both)
        else:
            by_type[found.question_type] = found
    if not by_type:
        raise StatisticsError(
            f"fewer than {MIN_CLASS_STUDENTS} students answered; their answers could be put down to them"
        )
    return tuple(by_type.values()), tuple(omitted)


def _of_one_exam(question: QuestionStatistics) -> QuestionStatistics:
    record = question.to_json() | {"exams": 1}
    return QuestionStatistics.from_json(record)


def _question(
    exam_keys: ExamKeys,
    part: PartAnalysis,
    counts: AnswerCounts,
    explained: Mapping[Names, int],
    exposed: Mapping[str, int],
) -> QuestionStatistics | None:
    """Return the statistics of one part; None if too few students answered it."""
    answered = (counts.correct, counts.consistent, sum(counts.by_misconceptions.values()), counts.other)
    students = sum(answered) + counts.blank
    if students < MIN_CLASS_STUDENTS or part.difficulty is None:
        return None
    weight = students - 3 if part.discrimination is not None else 0
    plies, leaves, origin = _size(exam_keys, part.part.name)
    return QuestionStatistics(
        kind=part.part.kind,
        origin=origin,
        plies=plies,
        leaves=leaves,
        exams=1,
        students=students,
        full=part.full_count,
        blank=counts.blank,
        unexplained=counts.other,
        score=round(float(part.difficulty) * students, 4),
        discrimination=round(weight * transformed_correlation(part.discrimination or 0.0), 4),
        weight=weight,
        misconceptions=_tallies(explained, exposed, students),
    )


def _size(exam_keys: ExamKeys, part: str) -> tuple[str, str, Origin]:
    """Return the plies and the leaves of a part over all variants, and whether its trees were grown."""
    plies, leaves, seeds = set(), set(), set()
    for code in exam_keys.variants:
        for key in exam_keys.part_keys(code):
            exercise = key.read_exercise() if key.part == part else None
            if exercise is not None and not isinstance(exercise, Diagnostics):
                tree = exercise.public.tree
                plies.add(max(tree.depths, default=0))
                leaves.add(len(tree.leaves))
                seeds.add(exercise.seed is not None)
    return _number_range(plies), _number_range(leaves), "recipe" if True in seeds else "given tree"


def _number_range(numbers: set[int]) -> str:
    if not numbers:
        return ""
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f"{low}-{high}"


def _tallies(
    explained: Mapping[Names, int], exposed: Mapping[str, int], students: int
) -> dict[str, MisconceptionTally]:
    """Count the answers by misconception.

    Answers of several misconceptions are divided in proportion to their shares, which are estimated from
    all answers: expectation maximization (Dempster, Laird and Rubin, 1977), from equal shares on.
    """
    names = sorted({*exposed, *(name for group in explained for name in group)})
    # A misconception in no record, such as payoffs for leaf numbers, could be in every answer.
    totals = {name: exposed.get(name) or students for name in names}
    shares, expected = dict.fromkeys(names, 1.0), dict.fromkeys(names, 0.0)
    for _ in range(MAX_ROUNDS):
        expected = dict.fromkeys(names, 0.0)
        for group, count in explained.items():
            weight = sum(shares[name] for name in group)
            for name in group:
                expected[name] += count * shares[name] / weight
        # Never 0, so that no group is without any weight.
        shares = {name: max(1e-9, expected[name] / totals[name]) for name in names}
    return {
        name: MisconceptionTally(
            exposed=totals[name],
            explained=explained.get((name,), 0),
            possible=sum(count for group, count in explained.items() if name in group),
            expected=round(expected[name], 4),
        )
        for name in names
    }
