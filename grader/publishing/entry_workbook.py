"""The workbook for typing replies on paper: a row for each student, a column for each printed box."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from grader.base.phrases import Language
from grader.exam.manifest import Seat
from grader.exam.paper import PublicPaper
from grader.questions import kind_by_code
from grader.tables.column_names import ROLE_BY_NAME, Role
from grader.tables.columns import box_column_name
from grader.tables.workbook_writing import text_cell, workbook_bytes

Boxes = Sequence[tuple[str, Sequence[str]]]
"""The name of each part of a paper, and the columns of its boxes."""

_MAX_CELL_LENGTH = 2_000
_TYPED = (
    'OR(ISNUMBER(SEARCH("inf",{cell})),{cell}="none",{cell}="-",'
    'ISNUMBER(VALUE(SUBSTITUTE(SUBSTITUTE({cell}," ",""),"/",""))))'
)
"""The rule for a box that holds a number, as a formula; other text is possible after a warning."""


def typed_boxes(paper: PublicPaper) -> Boxes:
    """Return the printed boxes of every part: the cells of a table, or one for the whole answer."""
    parts = []
    for question in paper.questions:
        for name, part in zip(question.part_names, question.parts, strict=True):
            blanks = kind_by_code(part.kind).form.printed_blanks(part.tree, part.terms).blanks
            columns = [box_column_name(name, blank.label) for blank in blanks]
            parts.append((name, columns if len(columns) > 1 else [name]))
    return parts


def _headings(language: Language) -> tuple[str, ...]:
    """Return the headings before the boxes; the state is empty, or `finished` for a blank paper.

    A word by which tables would not recognise the column is replaced by the English one.
    """
    headings: tuple[tuple[Role, str, str], ...] = (
        ("identifier", "Student ID", language.say("Student ID")),
        ("name", "Name", language.say("Name")),
        ("variant", "Variant", language.say("Variant")),
        ("state", "State", language.say("State")),
    )
    return tuple(
        word if ROLE_BY_NAME.get(word.lower()) == role else english for role, english, word in headings
    )


def _agreed(boxes: Mapping[str, Boxes]) -> Mapping[str, Boxes]:
    """Return the boxes of all variants with one column for a part that any variant answers in one.

    Alternatives of a pool may have other boxes, and a table has either one column for a part or many.
    """
    whole = {part for variant in boxes.values() for part, columns in variant if list(columns) == [part]}
    return {
        code: [(part, [part] if part in whole else columns) for part, columns in variant]
        for code, variant in boxes.items()
    }


def _ordered(part: str, columns: Sequence[str], boxes: Mapping[str, Boxes]) -> list[str]:
    """Return the columns of a part by the labels of their nodes, which is the order of the tables on paper.

    They stay in their order if the table of some paper has another one.
    """

    def by_label(column: str) -> tuple[int, str]:
        label = re.findall(r"\w+", column.removeprefix(f"{part} ["))[:1]  # `F` of `2a [F, alpha]`
        return len("".join(label)), "".join(label)

    own = [found for variant in boxes.values() for name, found in variant if name == part]
    is_by_label = all(sorted(found, key=by_label) == [*found] for found in own)
    return sorted(columns, key=by_label) if is_by_label else [*columns]


def entry_workbook(seats: Sequence[Seat], boxes: Mapping[str, Boxes], language: Language) -> bytes:
    """Make the workbook for these students; `boxes` maps every variant to its boxes.

    Only the boxes of a student's own paper can be filled in. All cells are text, so that a spreadsheet
    does not turn `3-4` into a date.
    """
    from openpyxl import Workbook
    from openpyxl.styles import Font, PatternFill, Protection
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    headings, boxes = _headings(language), _agreed(boxes)
    parts: dict[str, dict[str, None]] = {}
    for variant in boxes.values():
        for part, columns in variant:
            parts.setdefault(part, {}).update(dict.fromkeys(columns))
    columns = [column for part, found in parts.items() for column in _ordered(part, [*found], boxes)]
    book = Workbook(write_only=True)
    sheet = book.create_sheet(language.say("Entry"))
    sheet.protection.sheet = True
    sheet.freeze_panes = f"{get_column_letter(len(headings) + 1)}2"
    sheet.column_dimensions["A"].width, sheet.column_dimensions["B"].width = 14, 28

    def cell(text: str, *, filled_in: bool = False, **style: object) -> Any:
        """Return a cell with a text, locked unless people fill it in."""
        box = text_cell(sheet, text)
        box.protection = Protection(locked=not filled_in)
        for name, value in style.items():
            setattr(box, name, value)
        return box

    sheet.append([cell(name, font=Font(bold=True)) for name in (*headings, *columns)])
    absent = PatternFill("solid", fgColor="D0D0D0")
    for seat in seats:
        own = {column for _, found in boxes[seat.code] for column in found}
        student_cells = map(cell, (seat.student.identifier, seat.student.name, seat.code))
        given = (cell("", filled_in=True) if column in own else cell("", fill=absent) for column in columns)
        sheet.append([*student_cells, cell("", filled_in=True), *given])
    last = len(seats) + 1
    state = DataValidation("list", formula1=f'"{language.term("finished")}"', showErrorMessage=True)
    state.add(f"D2:D{last}")
    rules = [state]
    for place, column in enumerate(columns, len(headings) + 1):
        letter = get_column_letter(place)
        if column in parts:
            rule = DataValidation("textLength", operator="lessThanOrEqual", formula1=str(_MAX_CELL_LENGTH))
        else:
            rule = DataValidation("custom", formula1=_TYPED.format(cell=f"{letter}2"), errorStyle="warning")
            rule.error = language.say("This is not a number. Keep it if that is what the paper says.")
        rule.showErrorMessage = True
        rule.add(f"{letter}2:{letter}{last}")
        rules.append(rule)
    sheet.data_validations.dataValidation.extend(rules)
    return workbook_bytes(book)
