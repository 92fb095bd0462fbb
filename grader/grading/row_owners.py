"""The owners of rows: those given by the place of a row, and the students with several rows."""

from collections import Counter
from collections.abc import Mapping, Sequence, Set

from grader.grading.exam_keys import ExamKeys
from grader.tables.columns import Columns
from grader.tables.rows import ClassTable, Row, TableError
from grader.tables.student_directory import StudentDirectory

MAX_PLACE_LENGTH = 300
"""The most characters of a place."""


def place_of(table: ClassTable, row: Row) -> str:
    """Return the place of a row, for messages."""
    return f"{table.name}, {row.place}"[:MAX_PLACE_LENGTH]


def owners_by_identifier(
    same: Mapping[str, str], exam_keys: ExamKeys, tables: Sequence[tuple[ClassTable, Columns]]
) -> Mapping[str, str]:
    """Replace places of rows by the identifiers in them, because another file of this name has other rows.

    Raises `TableError` if such a row has no identifier.
    """
    directory, owners = StudentDirectory(exam_keys.roster, {}), dict(same)
    for table, columns in tables:
        if any(row.startswith(f"{table.name}, ") for row in owners):
            for row in table.rows():
                place = place_of(table, row)
                if place in owners and not row.fault:
                    identifier = directory.find(row.cells, columns).as_written
                    if not identifier:
                        raise TableError(f"--same: {place} names no student", "Write there who it is.")
                    owners[identifier] = owners.pop(place)
    return owners


def students_with_several_rows(
    tables: Sequence[tuple[ClassTable, Columns]], directory: StudentDirectory
) -> Set[str]:
    """Return the students who have more than one row."""
    counts = Counter(
        directory.find(row.cells, columns).student
        for table, columns in tables
        for row in table.rows()
        if not row.fault
    )
    return {student for student, count in counts.items() if student and count > 1}
