"""From the gradebook of a finished exam to statistics without anything about a student."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from grader.exam.answer_statistics import (
    MIN_CLASS_STUDENTS,
    MisconceptionTally,
    QuestionStatistics,
    QuestionType,
    StatisticsError,
    number_range,
    transformed_correlation,
)
from grader.exercises.marking import State
from grader.grading.analysis import Analysis, analyse
from grader.grading.exam_keys import ExamKeys, hash_texts
from grader.grading.misconception_counts import MisconceptionNames
from grader.grading.results import Result
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.tree import Tree

MAX_ROUNDS = 200
"""How often the shares of misconceptions that share answers are estimated again."""


def exam_fingerprint(exam_keys: ExamKeys) -> str:
    """Return a hash of the questions, which is of no use for anything else that follows from the keys."""
    return hash_texts("statistics", exam_keys.keys_hash)


def question_types(exam_keys: ExamKeys) -> Mapping[str, Mapping[QuestionType, frozenset[str]]]:
    """Return, for every part, its types with the codes of the variants that have them.

    A part has several types if it belongs to a pool. Variants that cannot be read have none.
    """
    trees_by_part: dict[str, dict[tuple[str, str], dict[str, Tree]]] = {
        name: defaultdict(dict) for name in exam_keys.labels
    }
    for code, questions in exam_keys.variants.items():
        for question in questions:
            for key in question.parts:
                exercise = key.read_exercise()
                if not isinstance(exercise, Diagnostics):
                    public = exercise.public
                    trees_by_part[key.part][public.kind, question.recipe][code] = public.tree
    return {
        part: {
            QuestionType(
                kind,
                recipe,
                number_range({max(tree.depths, default=0) for tree in trees.values()}),
                number_range({len(tree.leaves) for tree in trees.values()}),
            ): frozenset(trees)
            for (kind, recipe), trees in trees_by_type.items()
        }
        for part, trees_by_type in trees_by_part.items()
    }


def collect_statistics(
    exam_keys: ExamKeys, results: Iterable[Result]
) -> tuple[tuple[QuestionStatistics, ...], tuple[str, ...]]:
    """Return the statistics of an exam, one for each type of question, and the parts that are left out.

    Parts that fewer than `MIN_CLASS_STUDENTS` students answered are left out; of a pool, such alternatives.
    Raises `StatisticsError` if that leaves nothing.
    """
    class_results = list(results)
    by_type: dict[QuestionType, QuestionStatistics] = {}
    analyses: dict[frozenset[str], Analysis] = {}  # without pools it is one
    omitted = []
    for place, (part, types) in enumerate(question_types(exam_keys).items()):
        for question_type, codes in types.items():
            of_type = [each for each in class_results if each.standings[place].variant in codes]
            students = frozenset(each.student.identifier for each in of_type)
            if students not in analyses:
                analyses[students] = analyse(exam_keys, of_type)
            exposed = _exposed(exam_keys, place, of_type)
            found = _question(question_type, analyses[students], place, exposed)
            if found is None:
                omitted.append(part if len(types) == 1 else f"{part} ({question_type.kind})")
            elif question_type in by_type:
                by_type[question_type] = replace(by_type[question_type].plus(found), exams=1)
            else:
                by_type[question_type] = found
    if not by_type:
        raise StatisticsError(
            f"fewer than {MIN_CLASS_STUDENTS} students answered; their answers could be traced to them"
        )
    return tuple(by_type.values()), tuple(omitted)


def _question(
    question_type: QuestionType, analysis: Analysis, place: int, exposed: Mapping[str, int]
) -> QuestionStatistics | None:
    """Return the statistics of a part from those who had this type of it; None if too few answered it."""
    part, counts = analysis.parts[place], analysis.answers[place]
    answered = (counts.correct, counts.consistent, sum(counts.by_misconceptions.values()), counts.other)
    students = sum(answered) + counts.blank
    if students < MIN_CLASS_STUDENTS or part.difficulty is None:
        return None
    weight = students - 3 if part.discrimination is not None else 0
    explained: Counter[MisconceptionNames] = Counter()
    for row in analysis.misconceptions:
        if row.part == part.part.name:
            explained[row.names] += row.equal + row.nearest
    return QuestionStatistics(
        kind=question_type.kind,
        recipe=question_type.recipe,
        plies=question_type.plies,
        leaves=question_type.leaves,
        exams=1,
        students=students,
        full=part.full_count,
        blank=counts.blank,
        unexplained=counts.other,
        score=round(min(1.0, float(part.difficulty)) * students, 4),
        discrimination=round(weight * transformed_correlation(part.discrimination or 0.0), 4),
        weight=weight,
        misconceptions=_tallies(explained, exposed, students),
    )


def _exposed(exam_keys: ExamKeys, place: int, results: Iterable[Result]) -> Counter[str]:
    """Count the answers to a part in which each misconception would have led to an incorrect answer."""
    exposed = Counter[str]()
    for result in results:
        standing = result.standings[place]
        if standing.state in (State.GRADED, State.BLANK):
            key = exam_keys.part_key(standing.variant, standing.question)
            exposed.update({name.rpartition(".")[2] for name in json.loads(key.exercise)["beliefs"]})
    return exposed


def _tallies(
    explained: Mapping[MisconceptionNames, int], exposed: Mapping[str, int], students: int
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
