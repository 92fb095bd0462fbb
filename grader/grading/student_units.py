"""The replies of students as units that are marked together."""

from collections.abc import Iterable, Iterator, Set
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from grader.grading.exam_keys import ExamKeys
from grader.grading.gradebook_store import Gradebook
from grader.grading.records import Submission
from grader.grading.shards import PartReply, Unit


class StudentUnit(NamedTuple):
    """The replies of a student to one question, with the number of the submission of each."""

    student: str
    unit: Unit
    submissions: tuple[int, ...]


def pending_units(book: Gradebook, exam_keys: ExamKeys) -> Iterator[StudentUnit]:
    """Yield the units that wait to be marked, by student; with follow-through, marked parts come along."""
    question_of = cache(exam_keys.question)
    for waiting in group_units(book.pending(), exam_keys):
        unit = waiting.unit
        question = question_of(unit.variant, unit.question)
        if question.follow_through and len(unit.replies) < len(question.parts):
            submissions = book.submissions_of(waiting.student)
            of_question = [
                submissions[key.part]
                for key in question.parts
                if key.part in submissions and submissions[key.part].variant == unit.variant
            ]
            yield next(group_units(of_question, exam_keys))
        else:
            yield waiting


def follow_through_questions(exam_keys: ExamKeys) -> Set[tuple[str, str]]:
    """Return the variants and questions with follow-through."""
    return {
        (code, question.label)
        for code, questions in exam_keys.variants.items()
        for question in questions
        if question.follow_through
    }


def group_units(submissions: Iterable[Submission], exam_keys: ExamKeys) -> Iterator[StudentUnit]:
    """Group submissions into units: with follow-through a question of a student, else one reply.

    Those of a student must be next to each other. Unknown parts are left out.
    """
    labels, with_follow_through = exam_keys.labels, follow_through_questions(exam_keys)
    for student, submissions_of_student in groupby(submissions, attrgetter("student")):
        by_question: dict[tuple[str, str], list[Submission]] = {}
        for each in submissions_of_student:  # without follow-through every reply is a unit
            label = labels.get(each.question)
            if (each.variant, label) in with_follow_through:
                by_question.setdefault((each.variant, labels[each.question]), []).append(each)
            elif label is not None:
                reply = PartReply(each.question, each.reply, each.contested)
                yield StudentUnit(student, Unit(each.variant, label, (reply,)), (each.identity,))
        for (variant, label), of_question in by_question.items():
            replies = tuple(PartReply(each.question, each.reply, each.contested) for each in of_question)
            yield StudentUnit(
                student, Unit(variant, label, replies), tuple(each.identity for each in of_question)
            )
