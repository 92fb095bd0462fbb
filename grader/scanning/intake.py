"""Replies of scanned sheets as a table for the gradebook, which reads and marks them like all others."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from grader.exam.manifest import Seat
from grader.exercise import canonical
from grader.grading.exam_keys import ExamKeys
from grader.grading.gradebook import Gradebook
from grader.grading.intake import Intake, RowPolicy, take_in
from grader.scanning.replies import Sheet
from grader.tables.columns import match_columns
from grader.tables.rows import ClassTable, Row, Unsaid

NAME = "scans"
"""How the names of tables begin that come of scans."""


def take_in_sheets(
    book: Gradebook, exam_keys: ExamKeys, seats: Sequence[Seat], sheets: Iterable[Sheet]
) -> Intake | None:
    """Take what is known of all sheets in place of what was known before; None where that is the same.

    A part of which a page is missing, or something is to be decided, is not spoken of.
    """
    table = _table(exam_keys, seats, {sheet.variant: sheet.replies for sheet in sheets})
    before = [each["name"] for each in book.readings() if str(each["name"]).startswith(f"{NAME}-")]
    if before and before[-1] == table.name:
        return None
    columns = match_columns(table, exam_keys.parts)
    policy = RowPolicy(replaces=before[-1] if before else "")
    return take_in(book, exam_keys, [(table, columns)], policy=policy)


def _table(
    exam_keys: ExamKeys, seats: Sequence[Seat], replies: Mapping[str, Mapping[str, str]]
) -> ClassTable:
    parts = [part.name for part in exam_keys.parts]

    def rows() -> Iterator[Row]:
        for seat in seats:
            said = replies.get(seat.code)
            if said:
                cells = [said.get(part, Unsaid()) for part in parts]
                yield Row(f"paper {seat.code}", (seat.student.identifier, *cells))

    told = {seat.code: replies[seat.code] for seat in seats if replies.get(seat.code)}
    digest = hashlib.sha256(canonical(told).encode()).hexdigest()[:32]
    return ClassTable(f"{NAME}-{digest[:12]}", "lines", ("identifier", *parts), rows, digest=digest)
