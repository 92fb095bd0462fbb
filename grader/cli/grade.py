"""`gametree grade`: submissions in, marks into the gradebook."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from grader.base.numbers import format_count
from grader.base.suggest import first_of_many
from grader.cli.shared.exam_folders import (
    GRADEBOOK_FILE,
    ExamFolder,
    ExecutorName,
    Jobs,
    class_results,
    open_book,
    open_exam_keys,
    report_odd,
    reporting_interrupt,
    state_lines,
)
from grader.cli.shared.gradebook_messages import odd_record
from grader.cli.shared.options import Json
from grader.cli.shared.parameters import argument, option
from grader.cli.shared.progress_bar import count_bar, open_ended_bar
from grader.cli.shared.refusals import refusing
from grader.cli.shared.terminal import CommandApp, printable, refuse, report, say, say_json
from grader.exam.folders import AMENDED_EXAM_FILE, EXAM_FILE, LOCK_FILE

if TYPE_CHECKING:
    from datetime import datetime

    from grader.grading.class_marking import GradingRun
    from grader.grading.exam_keys import ExamKeys
    from grader.grading.gradebook_store import Gradebook
    from grader.grading.intake import Intake
    from grader.grading.results import StateCounts
    from grader.grading.row_policy import RowPolicy
    from grader.tables.columns import Columns, Evidence
    from grader.tables.rows import ClassTable

    Sheet = tuple[ClassTable, Columns]

app = CommandApp()

_EVIDENCE: dict["Evidence", str] = {
    "its title": " (by its title)",
    "its place": " (by its place)",
    "as you say": " (as you say)",
}
"""The words for how a column of replies was recognized, if its name does not number the question."""

MAX_NAMED_OWNERS = 5
"""Beyond this many rows a hint offers more than resolving them one by one."""

MAX_NAMED_COLUMNS = 12
"""At most this many columns that are not needed are named; the rest are counted."""


@app.command()
def grade(
    folder: ExamFolder,
    submissions: Annotated[
        list[Path] | None, argument("[SUBMISSIONS]...", "Files and folders with replies.")
    ] = None,
    mapped: Annotated[
        list[str] | None,
        option(
            "What a column contains: a question (2a), student, email, name, time, state, variant, or "
            "nothing. #3 is the third column. This also applies when the same file comes again.",
            "--map",
            metavar="COLUMN=QUESTION",
        ),
    ] = None,
    same: Annotated[
        list[str] | None,
        option(
            "Assign a row to a student: the ID or row number in the file, then the student's ID.",
            metavar="ROW=STUDENT",
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        option(
            "A row that belongs to no student, such as your own: its ID or row number in the file.",
            metavar="ROW",
        ),
    ] = None,
    replaces: Annotated[
        list[str] | None,
        option("The name of an earlier file that this one corrects; OLD no longer counts.", metavar="OLD"),
    ] = None,
    question: Annotated[
        list[str] | None,
        option("The question that files without question labels answer.", metavar="QUESTION"),
    ] = None,
    due: Annotated[str | None, option("Submissions after this time are late.", metavar="TIME")] = None,
    late: Annotated[Literal["flag", "refuse"], option("Flag late submissions, or ignore them.")] = "flag",
    duplicates: Annotated[
        Literal["ask", "first", "last"],
        option(
            "Which reply counts when several of one student have no timestamp, in this or earlier files: "
            "ask makes them AMBIGUOUS, for you to decide."
        ),
    ] = "ask",
    jobs: Jobs = None,
    executor: ExecutorName = "processes",
    json: Json = False,
) -> None:
    """Grade a class: take in submissions and mark them.

    If it is stopped, it continues where it stopped when it is run again. Exit code 0 if everything has
    points or is blank, 1 if something is left to resolve: a reply without points, or a row of these
    files that counts for no student. Students without a row are MISSING, and only counted.

    Examples:
      gametree grade midterm/ responses.csv
      gametree grade midterm/ export.xlsx --map 'Your crosses=1c' --due 2026-01-31T12:00
      gametree grade midterm/ sheets/ --jobs 1    # leave the other cores to other programs
      gametree grade midterm/ corrected.csv --replaces responses.csv --ignore teststudent
      gametree grade midterm/ entry.xlsx     # replies on paper, typed into instructor/entry.xlsx
      gametree grade midterm/            # mark what a stopped run has left

    Then:
      gametree gradebook show midterm/ --unresolved     # everything left for you to decide
      gametree gradebook feedback midterm/              # a page for every student
      gametree gradebook export midterm/ --format moodle -o grades.csv
      gametree report midterm/                          # what the class misunderstood

    Submissions are CSV or XLSX tables (also of Moodle, Canvas, Google and Microsoft
    Forms), JSON lines, text sheets, or a folder or zip of text files:
      student: 1204
      1: 5 6 9
      2a: B
    """
    from grader.grading.class_marking import mark_pending as grade_all
    from grader.grading.class_marking import marking_jobs, warm_executor
    from grader.grading.exam_keys import require_readable_exercises
    from grader.grading.executors import executor_named
    from grader.grading.intake import Intake
    from grader.grading.results import state_counts
    from grader.grading.row_policy import RowPolicy

    exam_keys = open_exam_keys(folder)
    # An open exam has no roster to count, but one variant and mostly equal replies, so one process is enough.
    jobs = marking_jobs(jobs, len(exam_keys.roster or ()) * len(exam_keys.parts))
    start = executor_named(executor, jobs)
    _report_unlocked(folder)
    require_readable_exercises(exam_keys)
    resume_hint = (
        "Everything taken in and marked is kept; run the same command again, and it continues from there."
    )
    with reporting_interrupt(resume_hint):
        known_columns = _column_maps(folder, exam_keys) if submissions else {}
        chosen_columns = _pairs(mapped, "--map")
        sheets = _read_sheets(submissions or [], exam_keys, chosen_columns, question or [], known_columns)
    ignored = frozenset(ignore or ())
    replaced = replaces or [""]
    policy = RowPolicy(duplicates, due=_due_time(due), late=late, ignored=ignored, replaces=replaced[0])
    if replaces and len(sheets) != 1:
        refuse("--replaces says what one file corrects.", "Grade that file alone.")
    if len(replaced) > 1:
        refuse("--replaces names one file.", "Grade the same file again for each of the others.")
    with (
        reporting_interrupt(resume_hint),
        open_book(folder, exam_keys, create=True) as book,
        warm_executor(start, jobs if sheets else 0) as warm_start,
    ):
        intake = Intake(Counter(), 0, 0, (), ())
        if sheets:
            if not json:
                _report_columns(sheets)
            intake = _take_in(book, exam_keys, sheets, _pairs(same, "--same"), policy)
        hint = f"All marks are safe; run `gametree grade {folder}` again when this is fixed."
        with (
            count_bar("marking", book.pending_count()) as tell,
            refusing("Marking stopped", OSError, hint=hint),
        ):
            run = grade_all(book, exam_keys, warm_start, jobs=jobs, tell=tell)
        counts = state_counts(class_results(book, exam_keys, folder), exam_keys)
    if json:
        say_json(_record(sheets, intake, run, counts))
    else:
        _say(intake, run, counts)
        _report_next(folder, sheets, intake, counts, is_correction=bool(replaces))
    # Every other fate of a row shows in the state of its student.
    has_stray_rows = any(intake.counts[fate] for fate in ("alike", "unknown", "broken"))
    raise typer.Exit(0 if counts.is_resolved and not has_stray_rows else 1)


def _report_unlocked(folder: Path) -> None:
    """Warn if the keys cannot be compared with those of the lock, and report an amended blueprint."""
    from grader.publishing.exam_lock import read_lock

    lock, record = folder / LOCK_FILE, folder / EXAM_FILE
    warning = ""
    if not record.exists():  # an amended blueprint is used in its place
        warning = f"{record} is missing"
    elif lock.exists() and read_lock(lock) is None:
        warning = f"{lock} is damaged, so nobody can say whether the keys were changed"
    if warning:
        report(f"Warning: {warning}.")
        report(f"Hint: `gametree exam verify {folder}` names the changes.")
    if (folder / AMENDED_EXAM_FILE).exists():
        report(f"Marks are made by the blueprint of the last regrade: {folder / AMENDED_EXAM_FILE}.")


def _pairs(texts: list[str] | None, option: str) -> dict[str, str]:
    """The values LEFT=RIGHT of an option as a dict, parted at the last `=`."""
    pairs = {}
    for text in texts or ():
        left, equals, right = text.rpartition("=")
        if not equals:
            refuse(f"{option} {printable(text)!r} has no '='.", f"Write {option} 'LEFT=RIGHT'.")
        pairs[left.strip()] = right.strip()
    return pairs


def _due_time(due: str | None) -> "datetime | None":
    """Return the time of `--due`, or None. Exit with an error if it is not a valid time."""
    from grader.tables.dates import read_time

    if due is None:
        return None
    time = read_time(due)
    if time is None:
        refuse(
            f"--due {due[:60]!r} is not a valid time.", "Write 2026-01-31T12:00, or 2026-01-31T12:00+01:00."
        )
    return time


def _column_maps(folder: Path, exam_keys: "ExamKeys") -> dict[str, dict[str, str]]:
    """The meanings of columns that the gradebook remembers, by file; empty if there is no gradebook."""
    if not (folder / GRADEBOOK_FILE).exists():
        return {}
    with open_book(folder, exam_keys, create=True) as book:
        return book.column_maps()


def _read_sheets(
    paths: list[Path],
    exam_keys: "ExamKeys",
    chosen_columns: dict[str, str],
    questions: list[str],
    known_columns: dict[str, dict[str, str]],
) -> "list[Sheet]":
    """The tables in files, with the meanings of columns: as chosen now, or else as remembered."""
    from grader.tables.columns import find_columns, match_columns
    from grader.tables.readers import read_submissions

    known = {name for part in exam_keys.parts for name in (part.name, part.question)}
    for question in questions:
        if question not in known:
            names = ", ".join(part.name for part in exam_keys.parts)
            refuse(f"There is no question {printable(question, 60)!r}.", f"The questions are {names}.")
    parts = [part for part in exam_keys.parts if not questions or {part.name, part.question} & set(questions)]
    sheets = []
    for path in paths:
        with refusing(f"{path} cannot be read", OSError):
            sheet = read_submissions(path, parts)
            if [other.name for other in paths].count(path.name) > 1:
                sheet = replace(sheet, name=path.as_posix())  # so that places of two files differ
            columns = {
                column: target
                for column, target in chosen_columns.items()
                if len(paths) == 1 or find_columns(column, sheet.columns)
            }
            columns = columns or known_columns.get(sheet.digest, {})
            sheets.append((sheet, match_columns(sheet, exam_keys.parts, columns)))
    for column in chosen_columns:
        if sheets and not any(find_columns(column, sheet.columns) for sheet, _ in sheets):
            refuse(f"No file has a column {printable(column, 60)!r}.", "See --map.")
    return sheets


def _take_in(
    book: "Gradebook",
    exam_keys: "ExamKeys",
    sheets: "Sequence[Sheet]",
    same: dict[str, str],
    policy: "RowPolicy",
) -> "Intake":
    """Take in the rows of all tables; refuse a student of `same` who is not in the class list."""
    from grader.grading.intake import append_tables

    identifiers = {student.identifier for student in exam_keys.roster or ()}
    for row, student in same.items():
        if exam_keys.roster is not None and student not in identifiers:
            refuse(f"--same {row}={student}: no student in the class list is {printable(student)!r}.")
    with refusing("Nothing was taken in", OSError), open_ended_bar("taking in", "rows") as tell:
        return append_tables(book, exam_keys, sheets, same=same, policy=policy, tell=tell)


def _report_columns(sheets: "Sequence[Sheet]") -> None:
    """Report what each column contains, and how that is known if its name does not number the question."""
    for sheet, columns in sheets:
        report(f"Columns of {printable(sheet.name)}:")
        for role, places in columns.places_by_role.items():
            for place in places:
                report(f"  {printable(sheet.columns[place], 60)!r}: {role}")
        for (part_names, why), boxes in groupby(columns.replies, lambda column: (column.parts, column.why)):
            first, *others = [printable(column.column, 60) for column in boxes]
            names = f"{first!r} to {others[-1]!r}" if others else f"{first!r}"
            evidence = _EVIDENCE.get(why, "")
            report(f"  {names}: answers to {' and '.join(part_names)}{evidence}")
        for replies in columns.displaced:
            parts = " and ".join(replies.parts)
            report(f"  {printable(replies.column, 60)!r} is left out: --map gives another column for {parts}")
        if columns.ignored:
            names = first_of_many([printable(name, 30) for name in columns.ignored], MAX_NAMED_COLUMNS)
            report(f"  not needed: {names}")


def _say(intake: "Intake", run: "GradingRun", counts: "StateCounts") -> None:
    """Report warnings and odd rows, then print the fate of all rows and the states of all replies."""
    for warning in intake.warnings:
        report(f"Warning: {printable(warning)}.")
    report_odd(intake.odd_rows)
    if intake.counts:
        fates = [f"{count} {fate}" for fate, count in intake.counts.items() if fate != "rows" and count]
        say(f"{format_count(intake.counts['rows'], 'row')} in = {' + '.join(fates) or '0'}")
    if intake.replaced_count:
        say(f"{format_count(intake.replaced_count, 'student')} replaced earlier replies")
    if intake.flagged_count:
        say(f"{format_count(intake.flagged_count, 'row')} late")
    say(f"{format_count(sum(run.counts.values()), 'reply', 'replies')} marked")
    if run.given_up:
        report(f"{format_count(run.given_up, 'reply', 'replies')} could not be marked; see the state ERROR.")
    for line in state_lines(counts):
        say(line)


def _report_next(
    folder: Path, sheets: "Sequence[Sheet]", intake: "Intake", counts: "StateCounts", *, is_correction: bool
) -> None:
    """Report hints about rows that did not count, and the next command.

    A file with --replaces `is_correction` of an earlier one already.
    """
    from grader.grading.records import OTHER_VARIANT
    from grader.tables.columns import match_by_name_hint

    if intake.counts["alike"]:
        report("Hint: --same ROW=STUDENT says which student a row belongs to.")
        hints = dict.fromkeys(" ".join(match_by_name_hint(sheet, columns)) for sheet, columns in sheets)
        by_name = " or ".join(map(printable, filter(None, hints)))
        if by_name and intake.counts["alike"] > MAX_NAMED_OWNERS:
            report(f"Hint: if the names are right, {by_name} assigns all these rows by name.")
    if intake.counts["contested"] and not is_correction:
        report(
            "Hint: if this file corrects an earlier one, even of the same name, grade it again with "
            "--replaces OLD; OLD, the name of the earlier one, then no longer counts."
        )
    if any(row.why.startswith(OTHER_VARIANT) for row in intake.odd_rows):
        report(
            "Hint: the review asks whether the variant in the row or that of the student counts; "
            "--map COLUMN= leaves out a column that is not about the paper."
        )
    if counts.is_resolved:
        report(f"Next: gametree gradebook show {folder} (or feedback, export); gametree report {folder}")
    else:
        report(f"Next: gametree review {folder}, or gametree gradebook show {folder} --unresolved")


def _record(
    sheets: "Sequence[Sheet]", intake: "Intake", run: "GradingRun", counts: "StateCounts"
) -> dict[str, Any]:
    """The document of `--json`."""
    return {
        "schema": 1,
        "files": [
            {
                "name": sheet.name,
                "origin": sheet.origin,
                "columns": [
                    {"column": each.column, "questions": list(each.parts), "by": each.why}
                    for each in columns.replies
                ],
                "ignored": list(columns.ignored),
            }
            for sheet, columns in sheets
        ],
        "rows": dict(intake.counts) or None,
        "odd_rows": list(map(odd_record, intake.odd_rows)),
        "replaced": intake.replaced_count,
        "late": intake.flagged_count,
        "warnings": list(intake.warnings),
        "marked": dict(run.counts),
        "students": counts.students,
        "questions": counts.parts,
        "states": dict(counts.states),
        "waiting": counts.waiting,
        "without_row": counts.without_points,
        "stale": counts.stale,
        "scans_to_look_at": counts.scanned,
        "resolved": counts.is_resolved,
    }
