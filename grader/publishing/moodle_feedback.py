"""Marked papers as a zip file that a Moodle assignment takes as feedback files."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from grader.base.files import atomic_writer
from grader.exam.assignment import slug
from grader.publishing.lms.zip_package import Package
from grader.tables.columns import match_student_columns
from grader.tables.rows import ClassTable, TableError
from grader.tables.student_directory import Student, StudentDirectory

_PARTICIPANT = re.compile(r"[^0-9]+ ?([0-9]+)")
"""The first column of the grading worksheet: `Participant 4711`, in the language of the Moodle site."""


class Participants(NamedTuple):
    """The number of each student in a Moodle assignment, and the rows that belong to no student."""

    numbers: Mapping[str, str]
    strangers: tuple[str, ...]


def read_participants(table: ClassTable, roster: Sequence[Student]) -> Participants:
    """Read the grading worksheet of a Moodle assignment.

    A participant who is not in the class list, such as a teacher, is one of the strangers.
    Raises `TableError` if no student of the class is a participant: it is of another course, or no worksheet.
    """
    columns, directory = match_student_columns(table), StudentDirectory(roster, {})
    numbers: dict[str, str] = {}
    strangers = []
    for row in table.rows():
        found = None if row.fault else _PARTICIPANT.fullmatch(row.cells[0].strip())
        if found is None:
            continue
        # The participant's number is known in Moodle alone; the other columns name the student.
        owner = directory.find(("", *row.cells[1:]), columns)
        if owner.student:
            numbers[owner.student] = found[1]
        else:
            strangers.append(owner.as_written or row.place)
    if not numbers:
        raise TableError(
            f"{table.name} names no student of the class as a participant",
            "Download the grading worksheet of the assignment from Moodle, as CSV.",
        )
    return Participants(numbers, tuple(strangers))


def feedback_file_names(
    papers: Mapping[Path, Student], numbers: Mapping[str, str]
) -> Iterator[tuple[Path, str]]:
    """Yield papers with the names by which a Moodle assignment finds their students.

    Moodle reads the second of five pieces between underscores: `ada-lovelace_4711_assignsubmission_file_...`.
    """
    for path, student in papers.items():
        if number := numbers.get(student.identifier):
            yield path, f"{slug(student.name)}_{number}_assignsubmission_file_{path.name}"


def write_feedback_zip(
    target: Path, papers: Mapping[Path, Student], numbers: Mapping[str, str]
) -> list[Student]:
    """Write the papers of all participants into a zip; return the students who are none.

    Raises `OSError`.
    """
    names = dict(feedback_file_names(papers, numbers))
    with atomic_writer(target) as file, Package(file, "w") as package:
        for path, name in names.items():
            package.add(name, path.read_bytes())
    return [student for path, student in papers.items() if path not in names]
