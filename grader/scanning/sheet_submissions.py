"""Replies of scanned sheets as a table for the gradebook, which reads and marks them like all others."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from grader.base.canonical_json import canonical_json
from grader.exam.manifest import Seat
from grader.grading.exam_keys import ExamKeys
from grader.grading.gradebook_store import Gradebook
from grader.grading.intake import Intake, append_tables
from grader.grading.row_policy import RowPolicy
from grader.scanning.replies import PaperReplies
from grader.tables.columns import match_columns
from grader.tables.rows import AbsentCell, ClassTable, PendingCell, Row, batch_rows

SCANS_TABLE_NAME = "scans"
"""How the names of tables begin that come of scans."""


def append_sheets(
    book: Gradebook, exam_keys: ExamKeys, seats: Sequence[Seat], sheets: Iterable[PaperReplies]
) -> Intake | None:
    """Take what is known of all sheets in place of what was known before; None where that is the same.

    Nothing is said of a part of which a page is missing; one of which something is to be decided waits.
    """
    before = [
        each["name"] for each in book.readings() if str(each["name"]).startswith(f"{SCANS_TABLE_NAME}-")
    ]
    told = {
        sheet.variant: {**sheet.replies, **{part: PendingCell(why) for part, why in sheet.waiting.items()}}
        for sheet in sheets
    }
    digest = _digest({seat.code: told.get(seat.code, {}) for seat in seats})
    if before and str(before[-1]).endswith(f"-{digest[:12]}"):
        return None
    # What is known again after it was taken back is another table than the one that was replaced.
    name = f"{SCANS_TABLE_NAME}-{len(before) + 1}-{digest[:12]}"
    table = _table(exam_keys, seats, told, name)
    columns = match_columns(table, exam_keys.parts)
    policy = RowPolicy(replaces=before[-1] if before else "")
    return append_tables(book, exam_keys, [(table, columns)], policy=policy)


def _digest(told: Mapping[str, Mapping[str, str]]) -> str:
    """A hash of what all papers say, and of what waits."""
    cells = {
        code: {part: [isinstance(cell, PendingCell), cell] for part, cell in said.items()}
        for code, said in told.items()
    }
    return hashlib.sha256(canonical_json(cells).encode()).hexdigest()


def _table(
    exam_keys: ExamKeys, seats: Sequence[Seat], told: Mapping[str, Mapping[str, str]], name: str
) -> ClassTable:
    parts = [part.name for part in exam_keys.parts]

    def rows() -> Iterator[Row]:
        for seat in seats:
            said = told.get(seat.code)
            if said:
                cells = [said.get(part, AbsentCell()) for part in parts]
                yield Row(f"paper {seat.code}", (seat.student.identifier, *cells))

    digest = hashlib.sha256(f"{name} {_digest(told)}".encode()).hexdigest()[:32]
    return ClassTable(name, "lines", ("identifier", *parts), batch_rows(rows), digest=digest)
