"""The commands of `gametree gradebook` by which a person decides: what a reply says, and what it earns."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.shared.decision_arguments import (
    DecidedPart,
    DecidedStudent,
    DecisionTable,
    read_decision_arguments,
)
from grader.cli.shared.exam_folders import ExamFolder, class_results, open_book, open_exam_keys
from grader.cli.shared.gradebook_messages import format_points_or_state
from grader.cli.shared.options import Json
from grader.cli.shared.parameters import option
from grader.cli.shared.refusals import refusing
from grader.cli.shared.sources import write_result
from grader.cli.shared.terminal import printable, refuse, say, say_json
from grader.cli.shared.worklist_messages import group_records, report_todo, say_groups

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


def todo(
    folder: ExamFolder,
    out: Annotated[
        str | None,
        option("The worklist: FILE.xlsx, FILE.csv, or - for CSV on stdout.", "-o", "--output", metavar="OUT"),
    ] = None,
    json: Json = False,
) -> None:
    """List the replies that wait for you, with their possible readings and what those earn.

    Like replies are in one group, the most frequent first in every question. In a worklist, fill in the
    column reply: #1, #2, ... for the reading in that column, #0 if the whole reply is empty, or the reply as
    you read it; boxes that it does not name stay as they were written.
    The bold row of a group decides for all its replies that have nothing of their own.
    `gametree gradebook read --table` takes the worklist back, as a whole or not at all.
    Exit code 1 if a reply waits.

    Examples:
      gametree gradebook todo midterm/
      gametree gradebook todo midterm/ -o todo.xlsx
      gametree gradebook read midterm/ --table todo.xlsx
    """
    from grader.grading.doubtful_replies import doubtful_replies, group_replies
    from grader.grading.results import state_counts
    from grader.grading.worklist import worklist_csv, worklist_workbook

    suffix = "" if out is None else Path(out).suffix.casefold()
    if out not in (None, "-") and suffix not in (".xlsx", ".csv"):
        refuse(f"{printable(str(out), 60)} is neither .xlsx nor .csv.", "Write -o todo.xlsx.")
    exam_keys = open_exam_keys(folder)
    with open_book(folder, exam_keys) as book, book.snapshot():
        groups = group_replies(doubtful_replies(book, exam_keys), exam_keys)
        counts = state_counts(class_results(book, exam_keys, folder), exam_keys)
    if json:
        say_json({"schema": 1, **group_records(groups)})
    elif out is None:
        say_groups(groups, exam_keys.language)
    if out is not None:
        write = worklist_workbook if suffix == ".xlsx" else worklist_csv
        write_result(out, write(groups, exam_keys), lasting=True)
    report_todo(folder, groups, counts, out)
    raise typer.Exit(int(bool(groups)))


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
    Refused for a reply that could be read: `gametree gradebook override` changes its points.
    A table has the columns student, question and reply, or is what `gametree gradebook todo` wrote, filled
    in. Either all of it is applied or nothing.

    Examples:
      gametree gradebook read midterm/ 004201 1a 'A=3 B=3'
      gametree gradebook read midterm/ 004201 1b 4 --alike
      gametree gradebook read midterm/ --table todo.xlsx
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
