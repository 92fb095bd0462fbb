"""The commands of `gametree gradebook` by which a person decides: what a reply says, and what it earns."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.shared.decision_arguments import (
    DecidedPart,
    DecidedStudent,
    DecisionTable,
    read_decision_arguments,
)
from grader.cli.shared.exam_folders import ExamFolder, open_book, open_exam_keys
from grader.cli.shared.gradebook_messages import format_points_or_state
from grader.cli.shared.parameters import option
from grader.cli.shared.refusals import refusing
from grader.cli.shared.terminal import printable, say

if TYPE_CHECKING:
    from grader.grading.exam_keys import ExamKeys
    from grader.grading.gradebook_store import Gradebook


def override(
    folder: ExamFolder,
    student: DecidedStudent = None,
    question: DecidedPart = None,
    points: Annotated[str | None, typer.Argument(help="The points, such as 1.5 or 2/3.")] = None,
    why: Annotated[
        str, option("The reason; it is kept with the mark and shown in the student's feedback.", "--reason")
    ] = "",
    table: DecisionTable = None,
    withdraw: Annotated[bool, option("Take back marks set by hand; the replies are marked again.")] = False,
) -> None:
    """Set marks by hand, one or a table of them.

    They stay until they are overridden again or withdrawn: grading and regrading do not change them.
    A table has the columns student, question, points and, without --reason, reason. Either all of it is
    applied or nothing. With --withdraw the mark is again what the reply earns, and a table has the columns
    student and question.

    Examples:
      gametree gradebook override midterm/ 004201 1a 1.5 --reason 'said so aloud'
      gametree gradebook override midterm/ --table oral.csv --reason 'oral exam'
      gametree gradebook override midterm/ 004201 1a --withdraw
    """
    from grader.grading.overrides import override_marks, withdraw_overrides

    exam_keys = open_exam_keys(folder)
    column, hint = "points", "No mark was changed."
    if withdraw:
        column, hint = "", "Run `gametree grade` to mark the rest."
    with (
        open_book(folder, exam_keys) as book,
        refusing("Overriding stopped", OSError, hint=hint),
    ):
        decisions = read_decision_arguments(book, exam_keys, (student, question, points), table, column, why)
        if withdraw:
            _mark_and_say(book, exam_keys, withdraw_overrides(book, exam_keys, decisions))
            return
        changes = override_marks(book, exam_keys, decisions)
    for old, new in changes:
        before = "no mark" if old is None else format_points_or_state(old, exam_keys.language)
        after = format_points_or_state(new, exam_keys.language)
        say(f"{printable(new.student, 60)} {new.question}: {before} -> {after}")


def read(
    folder: ExamFolder,
    student: DecidedStudent = None,
    question: DecidedPart = None,
    reply: Annotated[
        str | None, typer.Argument(help="What the student wrote, in a form that can be read.")
    ] = None,
    alike: Annotated[bool, option("Also for all students who wrote the same.")] = False,
    table: DecisionTable = None,
) -> None:
    """Type what an unreadable reply means, and mark it.

    It is marked like any other reply; what the student wrote stays in the gradebook.
    A table has the columns student, question and reply. Either all of it is applied or nothing.

    Examples:
      gametree gradebook read midterm/ 004201 1a 'A=3 B=3'
      gametree gradebook read midterm/ 004201 1b C --alike
      gametree gradebook read midterm/ --table readings.xlsx
    """
    from grader.grading.overrides import append_read_replies

    exam_keys = open_exam_keys(folder)
    with (
        open_book(folder, exam_keys) as book,
        refusing("Reading stopped", OSError, hint="Run `gametree grade` to mark the rest."),
    ):
        decisions = read_decision_arguments(book, exam_keys, (student, question, reply), table, "reply")
        _mark_and_say(book, exam_keys, append_read_replies(book, exam_keys, decisions, alike=alike))


def _mark_and_say(book: "Gradebook", exam_keys: "ExamKeys", parts: "Sequence[tuple[str, str]]") -> None:
    """Mark what waits, and print the marks of these students and parts."""
    from grader.grading.class_marking import mark_pending
    from grader.grading.executors import executor_named

    mark_pending(book, exam_keys, executor_named("here", 1))
    for student, part in parts:
        entry = book.entries_of(student).get(part)
        mark = "MISSING" if entry is None else format_points_or_state(entry, exam_keys.language)
        say(f"{printable(student, 60)} {part}: {mark}")
