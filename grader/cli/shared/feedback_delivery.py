"""Hand feedback to students: a list of their files, and a zip that a Moodle assignment takes."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from grader.base.files import write_file
from grader.base.numbers import format_count
from grader.cli.shared.refusals import refusing
from grader.cli.shared.terminal import printable, report, report_few
from grader.tables.rows import TableError

if TYPE_CHECKING:
    from grader.grading.exam_keys import ExamKeys
    from grader.grading.gradebook_store import Gradebook
    from grader.tables.student_directory import Student

MAX_NAMED_PEOPLE = 20
"""Of more people than these only the count is given."""


def deliver_feedback(
    book: "Gradebook",
    exam_keys: "ExamKeys",
    pages: Path,
    worksheet: Path | None,
) -> None:
    """Write the list of the pages next to their folder, which may be public, and the zip for Moodle."""
    from grader.publishing.feedback_formats import feedback_files, feedback_list

    files = feedback_files(book, exam_keys, pages)
    table = pages.with_name(f"{pages.name}.csv")
    write_file(table, feedback_list(files))
    report(f"Whose page is whose: {table}")
    if worksheet is not None:
        write_moodle_zip(files, worksheet, exam_keys, table.with_suffix(".zip"))


def write_moodle_zip(
    papers: "Mapping[Path, Student]", worksheet: Path, exam_keys: "ExamKeys", target: Path
) -> None:
    """Write files of students as a zip that a Moodle assignment takes; say who is not in it."""
    from grader.publishing.moodle_feedback import read_participants, write_feedback_zip
    from grader.tables.readers import read_table

    with refusing(f"{worksheet} cannot be used", TableError, OSError):
        participants = read_participants(read_table(worksheet), exam_keys.roster or ())
    absent = dict.fromkeys(write_feedback_zip(target, papers, participants.numbers))
    report(f"{format_count(len({*papers.values()}) - len(absent), 'student')} in {target}")
    names = [f"Not in the worksheet: {printable(each.name, 60)}" for each in absent]
    names += [f"Not in the class list: {printable(each, 60)}" for each in participants.strangers]
    report_few(names, str, MAX_NAMED_PEOPLE)
