"""Marks set by hand, and replies read by a person, who has looked and says why or what."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.base.numbers import NumeralError, read_number
from grader.base.phrases import Language
from grader.exercises.marking import Mark, State, write_mark
from grader.grading.decisions import Decision, DecisionError
from grader.grading.exam_keys import ExamKeys
from grader.grading.gradebook_store import Gradebook
from grader.grading.records import READ_BY_PERSON, Entry, Outcome, Submission, to_columns
from grader.tables.rows import replace_surrogates
from grader.version import VERSION

MAX_OVERRIDE_REASON_LENGTH = 2_000
"""The most characters of a reason."""


def append_read_replies(
    book: Gradebook, exam_keys: ExamKeys, decisions: Sequence[Decision], *, alike: bool = False
) -> tuple[tuple[str, str], ...]:
    """Append how a person reads what students handed in; it waits to be marked like any other reply.

    With `alike` it holds for everybody who handed in the same text to that question. All or nothing.
    Returns the students and the questions.
    Raises `DecisionError` where there is nothing to read, `OSError` when the gradebook cannot be written.
    """
    faults, read = list[str](), dict[tuple[str, str], Submission]()
    with book.writing():
        others: dict[tuple[str, str], list[Submission]] = {}
        for each in book.last_submissions() if alike else ():
            others.setdefault((each.question, each.reply), []).append(each)
        for decision, fault in _checked(exam_keys, decisions):
            said = book.submissions_of(decision.student).get(decision.question)
            if said is None and not fault:
                fault = f"{decision.student[:60]!r} has handed in nothing for question {decision.question}"
            if fault or said is None:
                faults.append(_placed(decision, fault))
                continue
            for each in others.get((said.question, said.reply), (said,)):
                new = each._replace(
                    reply=replace_surrogates(decision.value), contested="", place=READ_BY_PERSON
                )
                if read.setdefault((each.student, each.question), new).reply != new.reply:
                    faults.append(_placed(decision, f"{each.student[:60]!r} is read in two ways"))
        if faults:
            raise DecisionError(*faults)
        book.append_submissions(book.next_intake(), to_columns(read.values()))
        book.append_intake(VERSION, (), {"read": len(read)})
    return tuple(read)


def override_marks(
    book: Gradebook, exam_keys: ExamKeys, decisions: Sequence[Decision]
) -> tuple[tuple[Entry | None, Entry], ...]:
    """Append marks with these points, all or none; returns for each the mark before, if any, and the new one.

    Raises `DecisionError` for somebody or something that is not there, for points that are no number or
    not between 0 and the full mark, and without a reason; `OSError` when the gradebook cannot be written.
    """
    faults, set_ = list[str](), list[tuple[Entry | None, Entry]]()
    with book.writing():
        for decision, fault in _checked(exam_keys, decisions):
            made = fault or _override(book, exam_keys, decision)
            if isinstance(made, str):
                faults.append(_placed(decision, made))
            else:
                set_.append(made)
        if faults:
            raise DecisionError(*faults)
        book.append_entries([entry for _, entry in set_])
    return tuple(set_)


def _checked(exam_keys: ExamKeys, decisions: Sequence[Decision]) -> Iterator[tuple[Decision, str]]:
    """Every decision, with what is wrong with it whatever it says: no such question, or decided before."""
    decided = set[tuple[str, str]]()
    for decision in decisions:
        fault = ""
        if decision.question not in exam_keys.labels:
            names = ", ".join(exam_keys.labels)
            fault = f"there is no question {decision.question[:40]!r}; the questions are {names}"
        elif (decision.student, decision.question) in decided:
            fault = f"{decision.student[:60]!r} {decision.question} is decided twice"
        decided.add((decision.student, decision.question))
        yield decision, fault


def _placed(decision: Decision, fault: str) -> str:
    return f"{decision.place}: {fault}" if decision.place else fault


def _override(book: Gradebook, exam_keys: ExamKeys, decision: Decision) -> tuple[Entry | None, Entry] | str:
    """The mark before, if any, and the new one; or why there can be none."""
    student, question = decision.student, decision.question
    submissions = book.submissions_of(student)
    there = exam_keys.roster
    if not (submissions if there is None else any(each.identifier == student for each in there)):
        return f"there is no student {student[:60]!r}"
    if not decision.reason.strip() or len(decision.reason) > MAX_OVERRIDE_REASON_LENGTH:
        return f"a reason is needed, of at most {MAX_OVERRIDE_REASON_LENGTH} characters"
    submission = submissions.get(question)
    code = exam_keys.variant_of(student) if submission is None else submission.variant
    key = next(key for key in exam_keys.part_keys(code) if key.part == question)
    full = next(part for part in exam_keys.parts if part.name == question).points
    language = Language(comma=json.loads(key.exercise)["decimal_comma"])
    decimal = decision.value.strip()
    try:
        given = read_number(decimal.replace(",", ".") if language.comma else decimal)
    except NumeralError as error:
        return f"{decision.value[:40]!r} {error}"
    if not 0 <= given <= full:
        return f"{decision.value[:40]} is not between 0 and {language.number(full)}"
    old = book.entries_of(student).get(question)
    # What was understood of the reply stays, and so do its items.
    mark = Mark(State.GRADED, given, full) if old is None else old.mark
    mark = replace(mark, state=State.GRADED, points=given, maximum=full, follow_through=0, message="")
    made = Outcome(write_mark(mark), "", key.key, key.policy, VERSION)
    identity = None if submission is None else submission.identity
    return old, Entry(student, question, identity, *made, "override", decision.reason.strip())
