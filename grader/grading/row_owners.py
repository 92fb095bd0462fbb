"""Whose the rows of some tables are: told of their places, and who has more than one."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set

from grader.grading.exam_keys import ExamKeys
from grader.tables.columns import Columns
from grader.tables.rows import ClassTable, Row, TableError
from grader.tables.student_directory import StudentDirectory

MAX_PLACE_LENGTH = 300
"""The most characters of a place."""


def place_of(table: ClassTable, row: Row) -> str:
    """Where a row stands, for messages."""
    return places_of(table, (row.place,))[0]


def places_of(table: ClassTable, places: Iterable[str]) -> list[str]:
    """The same of many rows, given where they stand in the table."""
    before = f"{table.name}, "
    return [(before + place)[:MAX_PLACE_LENGTH] for place in places]


def owners_by_identifier(
    same: Mapping[str, str], exam_keys: ExamKeys, tables: Sequence[tuple[ClassTable, Columns]]
) -> Mapping[str, str]:
    """What is said of places of rows, said of what stands there: another file of this name has other rows."""
    directory, told = StudentDirectory(exam_keys.roster, {}), dict(same)
    for table, columns in tables:
        if any(row.startswith(f"{table.name}, ") for row in told):
            for row in table.rows():
                place = place_of(table, row)
                if place in told and not row.fault:
                    said = directory.find(row.cells, columns).as_written
                    if not said:
                        raise TableError(f"--same: {place} names no student", "Write there who it is.")
                    told[said] = told.pop(place)
    return told


def students_with_several_rows(
    tables: Sequence[tuple[ClassTable, Columns]], directory: StudentDirectory
) -> Set[str]:
    """The students who have more than one row."""
    counts = Counter(
        directory.find(row.cells, columns).student
        for table, columns in tables
        for row in table.rows()
        if not row.fault
    )
    return {student for student, count in counts.items() if student and count > 1}
