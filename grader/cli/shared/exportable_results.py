"""The results of a class for another program: refused while something is unresolved or out of date."""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from grader.base.numbers import format_count
from grader.cli.shared.exam_folders import class_results, open_book
from grader.cli.shared.gradebook_messages import report_unresolved
from grader.cli.shared.terminal import report

if TYPE_CHECKING:
    from grader.grading.exam_keys import ExamKeys
    from grader.grading.records import BlankPolicy
    from grader.grading.results import Result


class ExportableResults(NamedTuple):
    """The results of all students, and a warning about marks of another key; empty if there are none."""

    results: "tuple[Result, ...]"
    warning: str


def exportable_results(
    folder: Path, exam_keys: "ExamKeys", blank: "BlankPolicy", *, leave_empty: bool, allow_stale: bool
) -> ExportableResults:
    """Return the results of an exam; exit with code 1 if something is unresolved or out of date."""
    from grader.grading.results import state_counts

    with open_book(folder, exam_keys) as book, book.snapshot():
        all_results = tuple(class_results(book, exam_keys, folder))
    unresolved = [
        (each.student.identifier, standing) for each in all_results for standing in each.unresolved(blank)
    ]
    if unresolved and not leave_empty:
        report_unresolved(unresolved)
        raise typer.Exit(1)
    stale = state_counts(all_results, exam_keys).stale
    count = format_count(stale, "mark was", "marks were")
    message = f"{count} made with another key or policy than the exam has now"
    if stale and not allow_stale:
        report(f"Not exported: {message}.")
        report(f"Hint: `gametree gradebook regrade {folder}` shows what would change; or add --allow-stale.")
        raise typer.Exit(1)
    return ExportableResults(all_results, message if stale else "")
