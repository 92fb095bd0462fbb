"""Rows that raise no question, taken many at once: most of a class, where a file says who and what alone."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from grader.grading.exam_keys import ExamKeys
from grader.grading.file_readings import Reading
from grader.grading.records import SubmissionColumns
from grader.grading.row_owners import MAX_PLACE_LENGTH
from grader.tables.columns import Columns
from grader.tables.formulas import unguard_formula
from grader.tables.rows import ClassTable, Row, RowBatch
from grader.tables.student_directory import StudentDirectory

PlainSubmissions: TypeAlias = tuple[Sequence[str], list[SubmissionColumns]]
"""The students of some rows, and what they handed in, part by part."""


@dataclass(frozen=True, slots=True)
class PlainRows:
    """The columns of a plain table: the one with the student, and `reply_columns` for one part each."""

    table: ClassTable
    student_column: int
    reply_columns: tuple[tuple[int, str], ...]
    reading: int
    exam_keys: ExamKeys
    directory: StudentDirectory

    def read(self, rows: RowBatch) -> PlainSubmissions | None:
        """What some rows say; None where one of them raises a question."""
        students = self.directory.find_exact(rows.columns[self.student_column])
        if students is None or len({*students}) < len(students):
            return None
        alike: dict[str, str | int] = {"contested": "", "time": "", "reading": self.reading}
        alike |= {"late": False, "aside": False}
        own: dict[str, Sequence[str]] = {
            "student": students,
            "place": [f"{self.table.name}, {place}"[:MAX_PLACE_LENGTH] for place in rows.places],
        }
        variants = [*map(self.exam_keys.variant_of, students)]
        if len({*variants}) == 1:
            alike["variant"] = variants[0]
        else:
            own["variant"] = variants
        return students, [
            SubmissionColumns(alike | {"question": part}, own | {"reply": _replies(rows.columns[at])})
            for at, part in self.reply_columns
        ]


def _replies(cells: Sequence[str]) -> Sequence[str]:
    return [*map(unguard_formula, cells)] if "'" in "".join(cells) else cells


def plain_row_reader(
    table: ClassTable, columns: Columns, reading: Reading, exam_keys: ExamKeys, directory: StudentDirectory
) -> PlainRows | None:
    """What reads the rows of a table with one column for the students and one for each part, and no others.

    None for any other table, as for one of which some rows may be late.
    """
    who = columns.places_by_role.get("identifier", ())
    alone = len(columns.parts) == len(columns.replies)
    plain = columns.origin in ("table", "lines") and alone and not any(each.box for each in columns.replies)
    if not plain or reading["due"] or columns.places_by_role.keys() != {"identifier"} or len(who) != 1:
        return None
    replies = tuple((column.place, part) for column in columns.replies for part in column.parts)
    return PlainRows(table, who[0], replies, reading["number"], exam_keys, directory)


def read_row_batches(
    table: ClassTable, plain: PlainRows | None
) -> Generator[tuple[RowBatch | Sequence[Row], PlainSubmissions | None], None, None]:
    """The rows of a table, many at once, with what they say where all of these are plain."""
    for some in table.batches():
        yield some, plain.read(some) if plain is not None and isinstance(some, RowBatch) else None
