"""The worklist: doubtful replies as a table for a spreadsheet, which is read back as decisions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from grader.grading.decisions import Decision, DecisionError
from grader.grading.doubtful_replies import (
    LikeReplies,
    ReplyGroup,
    doubtful_replies,
    group_replies,
    reading_number,
)
from grader.grading.exam_keys import ExamKeys
from grader.grading.gradebook_store import Gradebook
from grader.tables.csv_writing import csv_bytes
from grader.tables.formulas import guard_formula, unguard_formula
from grader.tables.rows import ClassTable
from grader.tables.workbook_writing import text_cell, workbook_bytes

FILLED_IN = "reply"
"""The column that a person fills in."""

MAX_LISTED_STUDENTS = 40
"""Of more students in one row only the count is given."""

_COLUMNS_BEFORE = ("group", "question", "replies", "written", "understood", "why")
_COLUMNS_AFTER = ("students", "key")
_WIDTHS = {"written": 46, "understood": 26, "why": 46, FILLED_IN: 26, "students": 24, "key": 14}
"""Widths of columns in characters; the readings are as wide as `understood`."""

_HOW_TO_FILL_IN = (
    "#1, #2, ... for the reading in that column, #0 if the whole reply is empty, or the reply as you "
    "read it. A bold row decides for all rows of its group that are empty."
)


@dataclass(frozen=True, slots=True)
class WorklistRow:
    """A row of the worklist: like replies, or the heading of a group of several, which has no key."""

    group: int
    questions: tuple[str, ...]
    count: int
    reason: str
    like: LikeReplies | None

    def cells(self, exam_keys: ExamKeys, reading_count: int) -> list[str]:
        """Return the cells of the row, in the order of the columns."""
        number = exam_keys.language.points
        written = understood = students = key = ""
        readings: list[str] = []
        if self.like is not None:
            first, members = self.like.first, self.like.members
            written, understood, key = first.submission.reply, first.understood, self.like.key
            students = " ".join(each.student for each in members[:MAX_LISTED_STUDENTS])
            for each in first.readings:
                points = each.mark.state.value if each.points is None else number(each.points)
                remark = first.remark(each)
                readings += [f"{each.reply} ({remark})" if remark else each.reply, points]
        readings += [""] * (2 * reading_count - len(readings))
        before = (str(self.group), ", ".join(self.questions), str(self.count), written, understood)
        return [*before, self.reason, *readings, "", students, key]


def worklist_columns(groups: Sequence[ReplyGroup]) -> list[str]:
    """Return the names of the columns for some groups."""
    count = max((group.reading_count for group in groups), default=0)
    readings = [name for number in range(1, count + 1) for name in (f"#{number}", f"#{number} points")]
    return [*_COLUMNS_BEFORE, *readings, FILLED_IN, *_COLUMNS_AFTER]


def worklist_rows(groups: Sequence[ReplyGroup]) -> Iterator[WorklistRow]:
    """Yield the rows of the worklist; a group of several rows begins with a heading."""
    for number, group in enumerate(groups, 1):
        if len(group.rows) > 1:
            yield WorklistRow(number, group.questions, group.count, group.reason, None)
        for row in group.rows:
            yield WorklistRow(number, (row.question,), len(row.members), row.first.reason, row)


def worklist_csv(groups: Sequence[ReplyGroup], exam_keys: ExamKeys) -> bytes:
    """Write the worklist as CSV."""
    count = max((group.reading_count for group in groups), default=0)
    rows = ([*map(guard_formula, row.cells(exam_keys, count))] for row in worklist_rows(groups))
    return csv_bytes([worklist_columns(groups), *rows])


def worklist_workbook(groups: Sequence[ReplyGroup], exam_keys: ExamKeys) -> bytes:
    """Write the worklist as an Excel workbook, in which every cell is text."""
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Font, PatternFill
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    columns = worklist_columns(groups)
    count = max((group.reading_count for group in groups), default=0)
    book = Workbook(write_only=True)
    sheet = book.create_sheet("todo")
    sheet.freeze_panes = "A2"
    for place, name in enumerate(columns, 1):
        default = _WIDTHS["understood"] if name.startswith("#") and " " not in name else 10
        sheet.column_dimensions[get_column_letter(place)].width = _WIDTHS.get(name, default)
    filled_in = columns.index(FILLED_IN)
    to_fill = PatternFill("solid", fgColor="FFF2CC")

    def cells(texts: Sequence[str], *, is_bold: bool, is_header: bool = False) -> Iterator[Any]:
        """Yield the cells of a row; below the header, the column to fill in is coloured."""
        for place, text in enumerate(texts):
            cell = text_cell(sheet, text)
            cell.font = Font(bold=is_bold)
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            if place == filled_in and not is_header:
                cell.fill = to_fill
            yield cell

    sheet.append(cells(columns, is_bold=True, is_header=True))
    rows = [*worklist_rows(groups)]
    for row in rows:
        sheet.append(cells(row.cells(exam_keys, count), is_bold=row.like is None))
    prompt = DataValidation("textLength", operator="lessThanOrEqual", formula1="2000", showInputMessage=True)
    prompt.prompt = _HOW_TO_FILL_IN
    letter = get_column_letter(filled_in + 1)
    prompt.add(f"{letter}2:{letter}{len(rows) + 2}")
    sheet.data_validations.dataValidation.append(prompt)
    return workbook_bytes(book)


def is_worklist(table: ClassTable) -> bool:
    """Return whether a table is a worklist, and not one with a row for each student."""
    return {"group", "key", FILLED_IN} <= {name.casefold() for name in table.columns}


def read_worklist(table: ClassTable, book: Gradebook, exam_keys: ExamKeys) -> tuple[Decision, ...]:
    """Read the decisions in a worklist that was filled in.

    - A row decides about its replies, a heading about all rows of its group that are empty.
    - `#1` takes the first reading, `#0` says that there is no answer, anything else is the reply itself.

    Raises `DecisionError` for rows whose replies no longer wait, and for readings that there are not;
    `TableError` if the table cannot be read.
    """
    place_of = {name.casefold(): place for place, name in enumerate(table.columns)}
    groups = group_replies(doubtful_replies(book, exam_keys), exam_keys)
    like_by_key = {row.key: row for group in groups for row in group.rows}
    faults, headings, rows = list[str](), dict[str, tuple[str, str]](), list[tuple[str, str, str, str]]()
    for row in table.rows():
        if row.fault:
            faults.append(f"{row.place}: {row.fault}")
            continue
        group, key, choice = (row.cells[place_of[name]].strip() for name in ("group", "key", FILLED_IN))
        choice = unguard_formula(choice)
        if key:
            rows.append((group, key, choice, row.place))
        elif choice and reading_number(choice) is None:
            faults.append(f"{row.place}: a group of different replies takes #0, #1, ..., not a typed reply")
        elif choice:
            headings[group] = choice, row.place
    decisions = list[Decision]()
    for group, key, own, row_place in rows:
        choice, place = (own, row_place) if own else headings.get(group, ("", ""))
        if not choice:
            continue
        if key not in like_by_key:
            faults.append(f"{row_place}: these replies have changed since; write a new worklist")
            continue
        try:
            decisions += like_by_key[key].decisions(choice, place)
        except ValueError as error:
            faults.append(f"{place}: {error}")
    if not faults and not decisions:
        faults.append(f"no row has anything in the column {FILLED_IN}")
    if faults:
        raise DecisionError(*dict.fromkeys(faults))
    return tuple(decisions)
