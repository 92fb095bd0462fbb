"""Submissions in an Excel workbook: the first sheet, every cell as the text that was typed."""

import zipfile
from collections.abc import Generator, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from grader.marking.submissions.sheet import Dated, Row, Sheet, SubmissionError
from grader.marking.submissions.table import COLUMNS, checked_row, origin_of

UNPACKED = 256 * 2**20
"""The most bytes that a workbook may unpack to."""

MEMBERS = 2_000
"""The most files inside a workbook."""

ROWS = 1_100_000
"""The most rows of a sheet; Excel itself has no more than 1,048,576."""


def read_workbook(path: Path) -> Sheet:
    """An .xlsx file with column names in its first row that is not empty.

    Nothing is computed: a formula is its text. A number is the text Excel shows of it in full, so an
    identifier that has lost its zeros has lost them. Raises `SubmissionError`.
    """
    _refuse_bomb(path)
    rows = _rows(path)
    first = next(rows, None)
    rows.close()
    if first is None:
        raise SubmissionError(f"{path.name} has an empty sheet", "The first row names the columns.")
    columns = tuple(" ".join(cell.split()) for cell in _trimmed(first[1]))
    if len(columns) > COLUMNS:
        raise SubmissionError(f"{path.name} has {len(columns)} columns; at most {COLUMNS} are read")

    def read() -> Iterator[Row]:
        following = _rows(path)
        next(following)
        for number, cells in following:
            padded = [*cells, *[""] * (len(columns) - len(cells))]
            wide = padded if any(padded[len(columns) :]) else padded[: len(columns)]
            yield checked_row(f"row {number}", wide, len(columns))

    return Sheet(path.name, origin_of(columns), columns, read)


def _rows(path: Path) -> Generator[tuple[int, list[str]], None, None]:
    """The rows that are not empty, with their numbers, as text."""
    import openpyxl
    from openpyxl.utils.exceptions import InvalidFileException

    broken = (InvalidFileException, KeyError, ValueError, TypeError, ParseError, zipfile.BadZipFile, EOFError)
    with path.open("rb") as file:
        try:
            book = openpyxl.load_workbook(file, read_only=True, data_only=False, keep_links=False)
            if not book.worksheets:
                raise SubmissionError(f"{path.name} has no sheet")
            sheet = book.worksheets[0]
            sheet.reset_dimensions()  # what the file says of its size may be wrong
            rows = sheet.iter_rows(values_only=True)
        except SubmissionError:
            raise
        except broken as error:
            raise _unreadable(path, error) from None
        for number in range(1, ROWS):
            try:
                values = next(rows, None)
            except broken as error:
                raise _unreadable(path, error) from None
            if values is None:
                return
            cells = [written(value) for value in values]
            if any(cell.strip() for cell in cells):
                yield number, cells


def written(value: Any) -> str:
    """The text of a cell."""
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return "TRUE" if value else "FALSE"
        case int():
            return str(value) if abs(value) < 10**40 else "a very long number"
        case datetime() | date() | time() | timedelta():
            return Dated(str(value))
        case _:
            return format(value, ".15g")  # Excel computes with 15 digits, and shows no more


def _trimmed(cells: Sequence[str]) -> Sequence[str]:
    """The cells without the empty ones at the end."""
    width = max(place for place, cell in enumerate(cells, 1) if cell.strip())
    return cells[:width]


def _refuse_bomb(path: Path) -> None:
    """Raise `SubmissionError` for what is no workbook, or unpacks to more than a workbook should."""
    try:
        with zipfile.ZipFile(path) as packed:
            members = packed.infolist()
            if len(members) > MEMBERS:
                raise SubmissionError(f"{path.name} has {len(members)} files inside, which no workbook has")
            left = UNPACKED
            for member in members:
                with packed.open(member) as file:
                    while left >= 0 and (chunk := file.read(1 << 20)):
                        left -= len(chunk)
                if left < 0:
                    raise SubmissionError(
                        f"{path.name} unpacks to more than {UNPACKED // 2**20} MB", "Save it as CSV."
                    )
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        if isinstance(error, SubmissionError):
            raise
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: Exception) -> SubmissionError:
    return SubmissionError(f"{path.name} is no workbook: {str(error)[:120]}", "Save it as CSV and give that.")
