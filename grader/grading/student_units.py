"""What waits to be marked, by student and question."""

from collections.abc import Iterable, Iterator, Set
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from grader.grading.exam_keys import ExamKeys
from grader.grading.gradebook_store import Gradebook
from grader.grading.records import Submission
from grader.grading.shards import (
    PartReply,
    Unit,
)


class StudentUnit(NamedTuple):
    """What a student handed in to one question, with the number of the submission of every reply."""

    student: str
    unit: Unit
    submissions: tuple[int, ...]


def pending_units(book: Gradebook, exam_keys: ExamKeys) -> Iterator[StudentUnit]:
    """What waits to be marked, by student; where parts follow, with the parts marked before."""
    question_of = cache(exam_keys.question)
    for handed in group_units(book.pending(), exam_keys):
        unit = handed.unit
        question = question_of(unit.variant, unit.question)
        if question.follow_through and len(unit.replies) < len(question.parts):
            there = book.submissions_of(handed.student)
            found = [
                there[key.part]
                for key in question.parts
                if key.part in there and there[key.part].variant == unit.variant
            ]
            yield next(group_units(found, exam_keys))
        else:
            yield handed


def follow_through_questions(exam_keys: ExamKeys) -> Set[tuple[str, str]]:
    """The variants and questions in which later parts may follow from earlier ones."""
    return {
        (code, question.label)
        for code, questions in exam_keys.variants.items()
        for question in questions
        if question.follow_through
    }


def group_units(submissions: Iterable[Submission], exam_keys: ExamKeys) -> Iterator[StudentUnit]:
    """The submissions, by student and part, in units; those of unknown parts are left out."""
    labels, following = exam_keys.labels, follow_through_questions(exam_keys)
    for student, handed in groupby(submissions, attrgetter("student")):
        together: dict[tuple[str, str], list[Submission]] = {}
        for each in handed:  # one by one where no part follows from another
            label = labels.get(each.question)
            if (each.variant, label) in following:
                together.setdefault((each.variant, labels[each.question]), []).append(each)
            elif label is not None:
                reply = PartReply(each.question, each.reply, each.contested)
                yield StudentUnit(student, Unit(each.variant, label, (reply,)), (each.identity,))
        for (variant, label), several in together.items():
            replies = tuple(PartReply(each.question, each.reply, each.contested) for each in several)
            yield StudentUnit(
                student, Unit(variant, label, replies), tuple(each.identity for each in several)
            )
