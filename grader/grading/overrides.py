"""Marks set by hand, and replies read by a person, who has looked and says why or what."""

import json
from dataclasses import replace

from grader.base.numbers import NumeralError, read_number
from grader.base.phrases import Language
from grader.grading.exam_keys import ExamKeys, Part
from grader.grading.gradebook import Gradebook
from grader.grading.records import Entry
from grader.marking import Mark, State, write_mark
from grader.tables.rows import storable
from grader.version import VERSION

LONGEST = 2_000
"""The most characters of a reason."""


PERSON = "read by a person"
"""Where a reply comes from that a person has read for the student."""


class OverrideError(ValueError):
    """A mark that cannot be set like this."""


def read_as(
    book: Gradebook, exam_keys: ExamKeys, student: str, question: str, reply: str, *, alike: bool = False
) -> tuple[str, ...]:
    """Append how a person reads what a student handed in; it waits to be marked like any other reply.

    With `alike` it holds for everybody who handed in the same text to that question. Returns the students.
    Raises `OverrideError` where there is nothing to read, `OSError` when the gradebook cannot be written.
    """
    _part(exam_keys, question)
    said = book.submissions_of(student).get(question)
    if said is None:
        raise OverrideError(f"{student[:60]!r} has handed in nothing for question {question}")
    with book.writing():
        same = [
            each._replace(reply=storable(reply), contested="", place=PERSON)
            for each in (tuple(book.last_submissions()) if alike else (said,))
            if (each.question, each.reply) == (question, said.reply)
        ]
        book.append_submissions(book.next_intake(), same)
        book.append_intake(VERSION, (), {"read": len(same)})
    return tuple(each.student for each in same)


def _part(exam_keys: ExamKeys, question: str) -> Part:
    """The part that is called so. Raises `OverrideError`."""
    part = next((part for part in exam_keys.parts if part.name == question), None)
    if part is None:
        names = ", ".join(exam_keys.labels)
        raise OverrideError(f"there is no question {question[:40]!r}; the questions are {names}")
    return part


def override_mark(
    book: Gradebook, exam_keys: ExamKeys, student: str, question: str, points: str, reason: str
) -> tuple[Entry | None, Entry]:
    """Append a mark with these points; returns the mark before, if any, and the new one.

    Raises `OverrideError` for somebody or something that is not there, for points that are no number or
    not between 0 and the full mark, and without a reason; `OSError` when the gradebook cannot be written.
    """
    part = _part(exam_keys, question)
    submissions = book.submissions_of(student)
    there = exam_keys.roster
    if not (submissions if there is None else any(each.identifier == student for each in there)):
        raise OverrideError(f"there is no student {student[:60]!r}")
    if not reason.strip() or len(reason) > LONGEST:
        raise OverrideError(f"a reason is needed, of at most {LONGEST} characters")
    answered = submissions.get(question)
    code = exam_keys.variant(student) if answered is None else answered.variant
    key = next(key for key in exam_keys.keys(code) if key.part == question)
    decimal = points.strip()
    language = Language(comma=json.loads(key.exercise)["decimal_comma"])
    if language.comma:
        decimal = decimal.replace(",", ".")
    try:
        given = read_number(decimal)
    except NumeralError as error:
        raise OverrideError(f"{points[:40]!r} {error}") from None
    if not 0 <= given <= part.points:
        raise OverrideError(f"{points[:40]} is not between 0 and {language.number(part.points)}")
    with book.writing():
        old = book.entries_of(student).get(question)
        submission = book.submissions_of(student).get(question)
        # What was understood of the reply stays, and so do its items.
        mark = Mark(State.GRADED, given, part.points) if old is None else old.mark
        mark = replace(
            mark, state=State.GRADED, points=given, maximum=part.points, follow_through=0, message=""
        )
        entry = Entry(
            student=student,
            question=question,
            submission=None if submission is None else submission.identity,
            content=write_mark(mark),
            basis="",
            key=key.key,
            policy=key.policy,
            program=VERSION,
            maker="override",
            reason=reason.strip(),
        )
        book.append_entries([entry])
    return old, entry
