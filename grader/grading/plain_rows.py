"""Rows that raise no question, taken many at once: most of a class, where a file says who and what alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from grader.grading.exam_keys import ExamKeys
from grader.grading.readings import Reading
from grader.grading.records import SubmissionColumns
from grader.grading.row_owners import place_of
from grader.tables.columns import Columns
from grader.tables.formulas import unguarded
from grader.tables.rows import ClassTable, Row
from grader.tables.whose_row import Directory


@dataclass(frozen=True, slots=True)
class PlainRows:
    """What the rows of a plain table say: `who` names the student, and `replies` answer one part each."""

    table: ClassTable
    who: int
    replies: tuple[tuple[int, str], ...]
    reading: int
    exam_keys: ExamKeys
    directory: Directory

    def read(self, rows: Sequence[Row]) -> tuple[Sequence[str], list[SubmissionColumns]] | None:
        """The students of some rows and what they handed in; None where one of the rows raises a question."""
        _, cells, wrong = zip(*rows, strict=True)
        if any(wrong) or set(map(type, chain.from_iterable(cells))) != {str}:
            return None
        columns = list(zip(*cells, strict=True))
        students = self.directory.exactly(columns[self.who])
        if students is None or len({*students}) < len(students):
            return None
        every = len(students)
        said: SubmissionColumns = {
            "student": students,
            "variant": [*map(self.exam_keys.variant, students)],
            "place": [place_of(self.table, row) for row in rows],
            "contested": [""] * every,
            "time": [""] * every,
            "reading": [self.reading] * every,
            "late": [False] * every,
            "aside": [False] * every,
        }
        return students, [
            {**said, "question": [part] * every, "reply": _replies(columns[at])} for at, part in self.replies
        ]


def _replies(cells: Sequence[str]) -> Sequence[str]:
    return [*map(unguarded, cells)] if "'" in "".join(cells) else cells


def plain_rows(
    table: ClassTable, columns: Columns, reading: Reading, exam_keys: ExamKeys, directory: Directory
) -> PlainRows | None:
    """What reads the rows of a table with one column for the students and one for each part, and no others.

    None for any other table, as for one of which some rows may be late.
    """
    who = columns.said.get("identifier", ())
    alone = len(columns.parts) == len(columns.replies)
    plain = columns.origin in ("table", "lines") and alone and not any(each.box for each in columns.replies)
    if not plain or reading["due"] or columns.said.keys() != {"identifier"} or len(who) != 1:
        return None
    replies = tuple((column.place, part) for column in columns.replies for part in column.parts)
    return PlainRows(table, who[0], replies, reading["number"], exam_keys, directory)
