"""A table in an Excel workbook: the first sheet that shows, every cell as the text that was typed."""

import struct
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from typing import Any

from grader.tables.csv_file import detect_origin
from grader.tables.damaged_archives import refuse_damaged
from grader.tables.rows import (
    ClassTable,
    DateCell,
    Row,
    Source,
    SourcePosition,
    TableError,
    batch_rows,
    checked_row,
    clean_column_names,
)

MAX_WORKBOOK_BYTES = 256 * 2**20
"""The most bytes that a workbook may unpack to."""

MAX_XML_TEXT_BYTES = 4 * 2**20
"""The most bytes of one text or one tag in it; a cell of Excel has 32,767 characters."""

MAX_ARCHIVE_MEMBERS = 2_000
"""The most files inside a workbook."""

MAX_SHEET_ROWS = 2**20
"""The number of the last row that a sheet of Excel has."""

_BROKEN = (ArithmeticError, AttributeError, LookupError, SyntaxError, TypeError, ValueError, struct.error)
"""What openpyxl raises where a file is damaged; `SyntaxError` is that of its XML."""


def read_workbook(source: Source) -> ClassTable:
    """An .xlsx file with column names in its first row that is not empty.

    Of several sheets the first is read that is neither hidden nor a chart; a warning says which.
    Nothing is computed: a formula is its text. A number is the text Excel shows of it in full, so an
    identifier that has lost its zeros has lost them. Raises `TableError`.
    """
    _refuse_bomb(source)
    with _worksheet(source) as (sheet, several):
        title = sheet.title
        first = next(_rows(source, sheet), None)
    if first is None:
        raise _refused(f"{source.name} has an empty sheet {title!r}", "The first row names the columns.")
    header, names, wrong = first
    if wrong:
        raise _refused(f"{source.name}: row {header} names no columns: {wrong}")
    while not names[-1].strip():
        names.pop()
    columns = clean_column_names(source.name, names)

    def read() -> Iterator[Row]:
        with _worksheet(source) as (sheet, _):
            following = _rows(source, sheet)
            next(following)
            for number, cells, wrong in following:
                if wrong:
                    yield Row(f"row {number}", cells, wrong)
                    continue
                padded = [*cells, *[""] * (len(columns) - len(cells))]
                wide = padded if any(padded[len(columns) :]) else padded[: len(columns)]
                yield checked_row(f"row {number}", wide, len(columns))

    told = (f"{source.name} has several sheets; only {title!r} was read",) if several else ()

    def where(row: str, column: int) -> SourcePosition:
        from openpyxl.utils import get_column_letter

        return SourcePosition(0, 0, f"{row}, column {get_column_letter(column + 1)}")

    origin = detect_origin(columns)
    return ClassTable(
        source.name, origin, columns, batch_rows(read), told, header=f"row {header}", locate=where
    )


def _refused(message: str, hint: str = "Save it as CSV and give that.") -> TableError:
    return TableError(message, hint, "workbook")


@contextmanager
def _worksheet(source: Source) -> Iterator[tuple[Any, bool]]:
    """The first worksheet that shows, and whether there are others."""
    from openpyxl.reader.excel import ExcelReader

    class Reader(ExcelReader):  # type: ignore[misc]  # openpyxl has no types
        def read_chartsheet(self, *_: object) -> None:
            """Leave the chart alone: nothing is read of it, and an empty one would end the reading."""

    with source.open("rb") as file:
        with _refused_if_broken(source.name):
            reader = Reader(file, read_only=True, keep_links=False)
            reader.read()
        sheets = reader.wb.worksheets
        showing = [sheet for sheet in sheets if sheet.sheet_state == "visible"]
        if not showing:
            raise _refused(
                f"{source.name} has no sheet that shows", "Show the sheet with the table, and save it again."
            )
        yield showing[0], len(sheets) > 1


def _rows(source: Source, sheet: Any) -> Iterator[tuple[int, list[str], str]]:
    """The rows that are not empty: their numbers, their cells as text, and what is wrong with them.

    Raises `TableError` where the numbers of the rows do not rise.
    """
    from openpyxl.worksheet._reader import WorkSheetParser

    # openpyxl's own loop over the rows leaves those out whose numbers do not rise, without a word.
    with sheet._get_source() as file:
        book = sheet.parent
        rows = WorkSheetParser(
            file,
            sheet._shared_strings,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
        ).parse()
        last = 0
        while True:
            with _refused_if_broken(source.name):
                row = next(rows, None)
            if row is None:
                return
            number, found = row
            if not last < number <= MAX_SHEET_ROWS:
                after = f"after row {last}" if last else "first"
                raise _refused(f"{source.name} is no workbook: a row with the number {number} comes {after}")
            last = number
            cells, wrong = _texts(found)
            if wrong or any(cell.strip() for cell in cells):
                yield number, cells, wrong


def _texts(found: Iterable[Mapping[str, Any]]) -> tuple[list[str], str]:
    """The texts of a row by their columns, and what is wrong with it."""
    texts: dict[int, str] = {}
    for cell in found:
        column, text = cell["column"], cell_text(cell["value"])
        if text is None:
            return [], f"column {column} holds a data table, which has no text"
        if column in texts:
            return [], f"two cells claim column {column}"
        texts[column] = text
    return [texts.get(column, "") for column in range(1, max(texts, default=0) + 1)], ""


def cell_text(value: Any) -> str | None:
    """The text of a cell; None for what has none."""
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return "TRUE" if value else "FALSE"
        case int():
            return str(value) if abs(value) < 10**40 else "a very long number"
        case float():
            return format(value, ".15g")  # Excel computes with 15 digits, and shows no more
        case datetime() | date() | time() | timedelta():
            return DateCell(str(value))
        case _:  # an array formula has its text, a data table has none
            text = getattr(value, "text", None)
            return text if isinstance(text, str) else None


def _refuse_bomb(source: Source) -> None:
    """Raise `TableError` for what is no workbook of Excel, or holds more than a workbook should."""
    with _refused_if_broken(source.name), source.open("rb") as whole, zipfile.ZipFile(whole) as packed:
        members = packed.infolist()
        if len(members) > MAX_ARCHIVE_MEMBERS:
            raise _refused(f"{source.name} has {len(members)} files inside, which no workbook has")
        if "mimetype" in packed.namelist():
            raise _refused(f"{source.name} is a workbook of LibreOffice, not of Excel", "Save it as .xlsx.")
        size = 0
        for member in members:
            stretch, is_text = 0, member.filename.endswith((".xml", ".rels"))
            with packed.open(member) as file:
                while chunk := file.read(1 << 20):
                    size += len(chunk)
                    _, tag, behind = chunk.rpartition(b"<")
                    stretch = len(behind) + (0 if tag else stretch)
                    if size > MAX_WORKBOOK_BYTES:
                        raise _refused(f"{source.name} unpacks to more than {MAX_WORKBOOK_BYTES // 2**20} MB")
                    if is_text and stretch > MAX_XML_TEXT_BYTES:
                        raise _refused(
                            f"{source.name} has a cell of more than {MAX_XML_TEXT_BYTES // 2**20} MB"
                        )


@contextmanager
def _refused_if_broken(name: str) -> Iterator[None]:
    """Raise `TableError` when reading meanwhile shows that the file is damaged."""
    with warnings.catch_warnings(), refuse_damaged(f"{name} is no workbook", *_BROKEN):
        warnings.simplefilter("ignore")  # openpyxl warns of what it would lose when it saved the file
        yield
