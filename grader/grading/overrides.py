"""Marks set by hand: a person has looked, and says why."""

import json
from dataclasses import replace

from grader.base.numbers import NumeralError, read_number
from grader.base.phrases import Language
from grader.grading.exam_keys import ExamKeys
from grader.grading.gradebook import Gradebook
from grader.grading.records import Entry
from grader.marking import Mark, State, write_mark
from grader.version import VERSION

LONGEST = 2_000
"""The most characters of a reason."""


class OverrideError(ValueError):
    """A mark that cannot be set like this."""


def override_mark(
    book: Gradebook, exam_keys: ExamKeys, student: str, question: str, points: str, reason: str
) -> tuple[Entry | None, Entry]:
    """Append a mark with these points; returns the mark before, if any, and the new one.

    Raises `OverrideError` for somebody or something that is not there, for points that are no number or
    not between 0 and the full mark, and without a reason; `OSError` when the gradebook cannot be written.
    """
    part = next((part for part in exam_keys.parts if part.name == question), None)
    if part is None:
        names = ", ".join(part.name for part in exam_keys.parts)
        raise OverrideError(f"there is no question {question[:40]!r}; the questions are {names}")
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
