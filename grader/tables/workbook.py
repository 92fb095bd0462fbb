"""A table in an Excel workbook: the first visible sheet, every cell as the text that was typed."""

import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from itertools import chain, islice
from typing import Any, TypeAlias
from warnings import catch_warnings, simplefilter

from grader.base.safe_text import safe_line
from grader.tables.column_names import is_title
from grader.tables.csv_file import detect_origin
from grader.tables.damaged_archives import refuse_damaged
from grader.tables.rows import (
    ClassTable,
    DateCell,
    Row,
    Source,
    SourcePosition,
    TableError,
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

MAX_EMPTY_ROWS = 20_000
"""The most rows of nothing one after the other: reading a million of them takes a minute."""

SheetRow: TypeAlias = tuple[int, list[str], str]
"""A row of a sheet: its number, its cells as text, and its fault, which may be empty."""

_BROKEN = (AttributeError, SyntaxError, TypeError)
"""The exceptions of openpyxl alone for a damaged file; `SyntaxError` is for its XML."""


def read_workbook(source: Source) -> ClassTable:
    """Read an .xlsx file with column names in its first row that is not empty.

    Only the first sheet that is neither hidden nor a chart is read, and a warning says which.
    A formula is its text. A number is the text that Excel shows for it in full, so leading zeros that an
    identifier has lost do not come back. Raises `TableError`.
    """
    refuse_bomb(source)
    with _worksheet(source) as (sheet, has_others):
        title = None if sheet is None else sheet.title

    def rows() -> Iterator[SheetRow]:
        with _worksheet(source) as (sheet, _):
            yield from _rows(source, sheet)

    return sheet_table(source, title, has_others, rows)


def sheet_table(
    source: Source, title: str | None, has_others: bool, rows: Callable[[], Iterator[SheetRow]]
) -> ClassTable:
    """Return the table in a sheet with this title, given its rows that are not empty.

    Raises `TableError`, also without a title: no sheet is visible.
    """
    if title is None:
        hint = "Show the sheet with the table, and save it again."
        raise refused(f"{source.name} has no visible sheet", hint)
    first, second = islice(chain(rows(), (None, None)), 2)
    skipped = int(first is not None and second is not None and is_title(first[1], second[1]))
    title_row = " ".join(first[1]).strip() if first is not None and skipped else ""
    first = second if skipped else first
    if first is None:
        raise refused(f"{source.name} has an empty sheet {title!r}", "The first row names the columns.")
    header, names, fault = first
    if fault:
        raise refused(f"{source.name}: row {header} names no columns: {fault}")
    while not names[-1].strip():
        names.pop()
    columns = clean_column_names(source.name, names)

    def read() -> Iterator[Row]:
        """Yield the rows below the header, as wide as the header unless cells beyond it are filled in."""
        for number, cells, fault in islice(rows(), skipped + 1, None):
            if fault:
                yield Row(f"row {number}", cells, fault)
                continue
            padded = [*cells, *[""] * (len(columns) - len(cells))]
            if not any(padded[len(columns) :]):
                del padded[len(columns) :]
            yield checked_row(f"row {number}", padded, len(columns))

    warnings = []
    if has_others:
        warnings.append(f"{source.name} has several sheets; only {title!r} was read")
    if skipped:
        left_out = safe_line(title_row, 60)
        warnings.append(f"{source.name}: the row above the columns is left out: {left_out!r}")

    def locate(row: str, column: int) -> SourcePosition:
        from openpyxl.utils import get_column_letter

        return SourcePosition(0, 0, f"{row}, column {get_column_letter(column + 1)}")

    origin = detect_origin(columns)
    return ClassTable(
        source.name, origin, columns, read, tuple(warnings), header=f"row {header}", locate=locate
    )


def refused(message: str, hint: str = "Save it as CSV and give that.") -> TableError:
    """Return the error for a workbook that cannot be read."""
    return TableError(message, hint, "workbook")


@contextmanager
def _worksheet(source: Source) -> Iterator[tuple[Any, bool]]:
    """Open the first visible worksheet; yield it, or None if there is none, and if there are others."""
    from openpyxl.reader.excel import ExcelReader

    class Reader(ExcelReader):  # type: ignore[misc]  # openpyxl has no types
        def read_chartsheet(self, *_: object) -> None:
            """Skip the chart: an empty one would raise an error."""

    with source.open("rb") as file:
        with refused_if_broken(source.name):
            reader = Reader(file, read_only=True, keep_links=False)
            reader.read()
        sheets = reader.wb.worksheets
        visible = (sheet for sheet in sheets if sheet.sheet_state == "visible")
        yield next(visible, None), len(sheets) > 1


def _rows(source: Source, sheet: Any) -> Iterator[SheetRow]:
    """Iterate over the rows that are not empty: number, cells as text, and fault.

    Raises `TableError` if the numbers of the rows do not rise, or after too many rows of nothing.
    """
    from openpyxl.worksheet._reader import WorkSheetParser

    # openpyxl's own loop over the rows silently skips those whose numbers do not rise.
    with sheet._get_source() as file:
        book = sheet.parent
        rows = WorkSheetParser(
            file,
            sheet._shared_strings,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
        ).parse()
        last = empty = 0
        while True:
            with refused_if_broken(source.name):
                row = next(rows, None)
            if row is None:
                return
            number, records = row
            if not last < number <= MAX_SHEET_ROWS:
                after = f"after row {last}" if last else "first"
                raise refused(
                    f"{source.name} is not a workbook: a row with the number {number} comes {after}"
                )
            last = number
            cells, fault = _texts(records)
            if fault or any(cell.strip() for cell in cells):
                empty = 0
                yield number, cells, fault
                continue
            empty += 1
            if empty > MAX_EMPTY_ROWS:
                raise refused(
                    f"{source.name} has more than {MAX_EMPTY_ROWS} empty rows before row {number}",
                    "Delete the empty rows below the table, and save it again.",
                )


def _texts(cells: Iterable[Mapping[str, Any]]) -> tuple[list[str], str]:
    """Return the texts of a row in the order of its columns, and the fault of the row."""
    texts: dict[int, str] = {}
    for cell in cells:
        column, text = cell["column"], cell_text(cell["value"])
        if text is None:
            return [], f"column {column} contains a data table, which has no text"
        if column in texts:
            return [], f"two cells claim column {column}"
        texts[column] = text
    return [texts.get(column, "") for column in range(1, max(texts, default=0) + 1)], ""


def cell_text(value: Any) -> str | None:
    """Return the text of a cell; None for a data table, which has no text."""
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


def refuse_bomb(source: Source) -> None:
    """Raise `TableError` if the file is not a packed workbook, or is too large when it is unpacked."""
    with refused_if_broken(source.name), source.open("rb") as whole, zipfile.ZipFile(whole) as packed:
        members = packed.infolist()
        if len(members) > MAX_ARCHIVE_MEMBERS:
            raise refused(f"{source.name} has {len(members)} files inside, which no workbook has")
        size = 0
        for member in members:
            text_size, is_text = 0, member.filename.endswith((".xml", ".rels"))
            with packed.open(member) as file:
                while chunk := file.read(1 << 20):
                    size += len(chunk)
                    _, tag, rest = chunk.rpartition(b"<")
                    text_size = len(rest) + (0 if tag else text_size)
                    if size > MAX_WORKBOOK_BYTES:
                        raise refused(f"{source.name} unpacks to more than {MAX_WORKBOOK_BYTES // 2**20} MB")
                    if is_text and text_size > MAX_XML_TEXT_BYTES:
                        raise refused(
                            f"{source.name} has a cell of more than {MAX_XML_TEXT_BYTES // 2**20} MB"
                        )


@contextmanager
def refused_if_broken(name: str, *others: type[Exception]) -> Iterator[None]:
    """Raise `TableError` if reading within this context shows that the file is damaged."""
    with catch_warnings(), refuse_damaged(f"{name} is not a workbook", *_BROKEN, *others):
        simplefilter("ignore")  # openpyxl warns of what it would lose when it saved the file
        yield
