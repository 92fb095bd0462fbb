"""Replies of scanned sheets as a table, which the gradebook reads and marks like any other."""

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
from grader.tables.rows import AbsentCell, ClassTable, PendingCell, Row

SCANS_TABLE_NAME = "scans"
"""The prefix of the names of tables that come from scans."""


def append_sheets(
    book: Gradebook, exam_keys: ExamKeys, seats: Sequence[Seat], sheets: Iterable[PaperReplies]
) -> Intake | None:
    """Replace the table of an earlier scan by the replies of all sheets; None if they are the same.

    The cell of a part that lacks a page is absent; that of a part with a doubt is pending.
    """
    earlier = [
        each["name"] for each in book.readings() if str(each["name"]).startswith(f"{SCANS_TABLE_NAME}-")
    ]
    cells_by_variant = {
        sheet.variant: {**sheet.replies, **{part: PendingCell(why) for part, why in sheet.waiting.items()}}
        for sheet in sheets
    }
    digest = _digest({seat.code: cells_by_variant.get(seat.code, {}) for seat in seats})
    if earlier and str(earlier[-1]).endswith(f"-{digest[:12]}"):
        return None
    # The number makes the name unique when a decision is taken back and the replies are as they were before.
    name = f"{SCANS_TABLE_NAME}-{len(earlier) + 1}-{digest[:12]}"
    table = _table(exam_keys, seats, cells_by_variant, name)
    columns = match_columns(table, exam_keys.parts)
    policy = RowPolicy(replaces=earlier[-1] if earlier else "")
    return append_tables(book, exam_keys, [(table, columns)], policy=policy)


def _digest(cells_by_variant: Mapping[str, Mapping[str, str]]) -> str:
    """Hash the replies of all papers, and which of them are pending."""
    record = {
        code: {part: [isinstance(cell, PendingCell), cell] for part, cell in cells.items()}
        for code, cells in cells_by_variant.items()
    }
    return hashlib.sha256(canonical_json(record).encode()).hexdigest()


def _table(
    exam_keys: ExamKeys, seats: Sequence[Seat], cells_by_variant: Mapping[str, Mapping[str, str]], name: str
) -> ClassTable:
    """Return the replies on paper as a table with a row for each seat from which something was read."""
    parts = [part.name for part in exam_keys.parts]

    def rows() -> Iterator[Row]:
        """Yield a row for each seat with replies; where a part has none, the cell is an `AbsentCell`."""
        for seat in seats:
            known = cells_by_variant.get(seat.code)
            if known:
                cells = [known.get(part, AbsentCell()) for part in parts]
                yield Row(f"paper {seat.code}", (seat.student.identifier, *cells))

    digest = hashlib.sha256(f"{name} {_digest(cells_by_variant)}".encode()).hexdigest()[:32]
    return ClassTable(name, "lines", ("identifier", *parts), rows, digest=digest)
