"""Marks set by hand and taken back, and replies that a person has read."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.answers.blank import BlankError
from grader.base.numbers import NumeralError, read_number, write_number
from grader.base.phrases import Language
from grader.base.safe_text import quote
from grader.exercises.marking import Mark, State, write_mark
from grader.grading.cloze import typed_reply
from grader.grading.decisions import Decision, DecisionError
from grader.grading.doubtful_replies import mark_replies
from grader.grading.exam_keys import ExamKeys
from grader.grading.gradebook_store import Gradebook
from grader.grading.records import READ_BY_PERSON, Entry, Outcome, Submission
from grader.tables.rows import replace_surrogates
from grader.version import VERSION

MAX_OVERRIDE_REASON_LENGTH = 2_000
"""The most characters of a reason."""


def append_read_replies(
    book: Gradebook, exam_keys: ExamKeys, decisions: Sequence[Decision], *, alike: bool = False
) -> tuple[tuple[str, str], ...]:
    """Append replies as a person reads them, all or none; they wait to be marked like any other reply.

    With `alike` a reading holds for every student who handed in the same text to that question, and whose
    reply may be read. Returns the students and the questions.
    Raises `DecisionError` if there is no reply to read, its mark was set by hand, it has points other than
    for an earlier reading, or what a person typed cannot be read either;
    `OSError` if the gradebook cannot be written.
    """
    faults, readings = list[str](), dict[tuple[str, str], Submission]()
    decided_by = dict[tuple[str, str], Decision]()
    with book.writing():
        same_replies: dict[tuple[str, str], list[Submission]] = {}
        for each in book.last_submissions() if alike else ():
            same_replies.setdefault((each.question, each.reply), []).append(each)
        for decision, fault in _checked(exam_keys, decisions):
            submission = book.submissions_of(decision.student).get(decision.question)
            if submission is None and not fault:
                fault = f"{decision.student[:60]!r} has handed in nothing for question {decision.question}"
            if submission is not None:
                fault = fault or _refusal(book, submission)
            if fault or submission is None:
                faults.append(_placed(decision, fault))
                continue
            for each in same_replies.get((submission.question, submission.reply), (submission,)):
                if each is not submission and _refusal(book, each):
                    continue
                variant = decision.variant or each.variant
                key = exam_keys.part_key(variant, each.question)
                reply = replace_surrogates(decision.value)
                try:
                    if not decision.is_reading:
                        reply = typed_reply(reply, key, _written(book, each))
                except BlankError as error:
                    faults.append(_placed(decision, f"another box cannot be read either: {error}"))
                    continue
                new = each._replace(reply=reply, variant=variant, contested="", place=READ_BY_PERSON)
                if readings.setdefault((each.student, each.question), new).reply != new.reply:
                    faults.append(_placed(decision, f"{each.student[:60]!r} is read in two ways"))
                decided_by[each.student, each.question] = decision
        marks = mark_replies(book, exam_keys, [*readings.values()])
        for new, mark in zip(readings.values(), marks, strict=True):
            decision = decided_by[new.student, new.question]
            if mark.state not in (State.GRADED, State.BLANK) and not decision.is_reading:
                fault = f"{quote(decision.value)} cannot be read either: {mark.message}"
                faults.append(_placed(decision, fault))
        faults = [*dict.fromkeys(faults)]
        if faults:
            raise DecisionError(*faults)
        book.append_submissions(book.next_intake(), readings.values())
        book.append_intake(VERSION, (), {"read": len(readings)})
    return tuple(readings)


def take_back_readings(book: Gradebook, parts: Sequence[tuple[str, str]]) -> None:
    """Take back how a person read replies, by student and part; they wait as they were before.

    Replies that were replaced since stay. Raises `OSError` if the gradebook cannot be written.
    """
    restored = []
    with book.writing():
        for student, question in parts:
            of_part = [
                each
                for each in book.all_submissions_of(student)
                if each.question == question and not each.aside
            ]
            if of_part and of_part[-1].place == READ_BY_PERSON:
                restored.append(of_part[-2])
        book.append_submissions(book.next_intake(), restored)
        book.append_intake(VERSION, (), {"restored": len(restored)})


def override_marks(
    book: Gradebook, exam_keys: ExamKeys, decisions: Sequence[Decision]
) -> tuple[tuple[Entry | None, Entry], ...]:
    """Append marks with these points, all or none; return for each the mark before, if any, and the new one.

    Raises `DecisionError` for an unknown student or question, for points that are not a number between 0
    and the full mark, and without a reason; `OSError` if the gradebook cannot be written.
    """
    faults, marks = list[str](), list[tuple[Entry | None, Entry]]()
    with book.writing():
        for decision, fault in _checked(exam_keys, decisions):
            result = fault or _override(book, exam_keys, decision)
            if isinstance(result, str):
                faults.append(_placed(decision, result))
            else:
                marks.append(result)
        if faults:
            raise DecisionError(*faults)
        book.append_entries([entry for _, entry in marks])
    return tuple(marks)


def withdraw_overrides(
    book: Gradebook, exam_keys: ExamKeys, decisions: Sequence[Decision]
) -> tuple[tuple[str, str], ...]:
    """Take back marks that were set by hand, all or none; their replies then wait to be marked.

    Points that a regrade had kept before count again. Returns the students and the questions.
    Raises `DecisionError` where no mark is set by hand, `OSError` if the gradebook cannot be written.
    """
    faults, entries = list[str](), list[Entry]()
    with book.writing():
        for decision, fault in _checked(exam_keys, decisions):
            student, question = decision.student, decision.question
            if not fault and not _is_overridden(book, student, question):
                fault = f"the mark of {student[:60]!r} for {question} was not set by hand"
            if fault:
                faults.append(_placed(decision, fault))
                continue
            of_part = [entry for entry in book.history(student) if entry.question == question]
            outcome = of_part[-1].outcome._replace(
                content=write_mark(Mark(State.MISSING, None, of_part[-1].maximum)), basis=""
            )
            entries.append(Entry(student, question, None, *outcome, "withdrawn", decision.reason.strip()))
            before = next((each for each in reversed(of_part) if each.maker != "override"), None)
            submission = book.submissions_of(student).get(question)
            last_reply = None if submission is None else submission.identity
            if before is not None and (before.maker, before.submission) == ("kept", last_reply):
                entries.append(before)
        if faults:
            raise DecisionError(*faults)
        book.append_entries(entries)
    return tuple((decision.student, decision.question) for decision in decisions)


def _refusal(book: Gradebook, submission: Submission) -> str:
    """Return why no person may read this reply: its mark is by hand, or it could be read; empty otherwise.

    What a person has read before may be read again.
    """
    student, question = submission.student, submission.question
    if _is_overridden(book, student, question):
        return (
            f"the mark of {student[:60]!r} for {question} was set by hand, so "
            "no reply is marked; `gametree gradebook override --withdraw` takes it back"
        )
    entry = book.entries_of(student).get(question)
    if entry is None or (entry.submission or 0) < submission.identity or submission.place == READ_BY_PERSON:
        return ""
    if entry.state is not State.GRADED or entry.points is None:
        return ""
    return (
        f"the reply of {student[:60]!r} to {question} has {write_number(entry.points)} of "
        f"{write_number(entry.maximum)} points already; `gametree gradebook override` changes them"
    )


def _written(book: Gradebook, submission: Submission) -> str:
    """Return a reply as the student has handed it in, also if a person has read it since."""
    replies = [
        each
        for each in book.all_submissions_of(submission.student)
        if each.question == submission.question and not each.aside
    ]
    handed_in = {each.reply for each in replies if each.place != READ_BY_PERSON}
    # A person may have chosen one of several replies that differ: then it is that one.
    return next(each.reply for each in reversed(replies) if each.reply in handed_in)


def _is_overridden(book: Gradebook, student: str, question: str) -> bool:
    entry = book.entries_of(student).get(question)
    return entry is not None and entry.maker == "override"


def _checked(exam_keys: ExamKeys, decisions: Sequence[Decision]) -> Iterator[tuple[Decision, str]]:
    """Yield every decision with its fault, if any: an unknown question, or one that was decided before."""
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
    """Return the mark before, if any, and the new one, which is not stored yet; or why there can be no mark.

    The question must be one of the exam (`_checked`).
    """
    student, question = decision.student, decision.question
    submissions = book.submissions_of(student)
    roster = exam_keys.roster
    if not (submissions if roster is None else any(each.identifier == student for each in roster)):
        return f"there is no student {student[:60]!r}"
    if not decision.reason.strip() or len(decision.reason) > MAX_OVERRIDE_REASON_LENGTH:
        return f"a reason is needed, of at most {MAX_OVERRIDE_REASON_LENGTH} characters"
    submission = submissions.get(question)
    code = exam_keys.variant_of(student) if submission is None else submission.variant
    key = exam_keys.part_key(code, question)
    full = next(part for part in exam_keys.parts if part.name == question).points
    if not full:
        return f"question {question} was dropped, so it does not count"
    language = Language(comma=json.loads(key.exercise)["decimal_comma"])
    decimal = decision.value.strip()
    try:
        given = read_number(decimal.replace(",", ".") if language.comma else decimal)
    except NumeralError as error:
        with_point = decimal.replace(",", ".")
        cure = f"; write {with_point}" if re.fullmatch(r"-?\d{1,30}\.\d{1,30}", with_point) else ""
        return f"{decision.value[:40]!r} {error}{cure}"
    if not 0 <= given <= full:
        return f"{decision.value[:40]} is not between 0 and {language.number(full)}"
    old = book.entries_of(student).get(question)
    # The reply as it was understood stays, and so do its items.
    mark = Mark(State.GRADED, given, full) if old is None else old.mark
    mark = replace(mark, state=State.GRADED, points=given, maximum=full, follow_through=0, message="")
    outcome = Outcome(write_mark(mark), "", key.key, key.policy, VERSION)
    identity = None if submission is None else submission.identity
    return old, Entry(student, question, identity, *outcome, "override", decision.reason.strip())
