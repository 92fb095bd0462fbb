"""Submissions in an Excel workbook: the first sheet that shows, every cell as the text that was typed."""

import struct
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from lzma import LZMAError
from pathlib import Path
from typing import Any

from grader.tables.sheet import Dated, Row, Sheet, SubmissionError
from grader.tables.table import COLUMNS, checked_row, origin_of

UNPACKED = 256 * 2**20
"""The most bytes that a workbook may unpack to."""

MEMBERS = 2_000
"""The most files inside a workbook."""

ROWS = 2**20
"""The number of the last row that a sheet of Excel has."""

_BROKEN = (
    ArithmeticError, AttributeError, EOFError, LookupError, LZMAError, RuntimeError, SyntaxError, TypeError,
    ValueError, struct.error, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""What openpyxl and the unpackers raise where a file is damaged; `SyntaxError` is that of its XML."""


def read_workbook(path: Path) -> Sheet:
    """An .xlsx file with column names in its first row that is not empty.

    Of several sheets the first is read that is neither hidden nor a chart; a warning says which.
    Nothing is computed: a formula is its text. A number is the text Excel shows of it in full, so an
    identifier that has lost its zeros has lost them. Raises `SubmissionError`.
    """
    _refuse_bomb(path)
    with _worksheet(path) as (sheet, several):
        title = sheet.title
        first = next(_rows(path, sheet), None)
    if first is None:
        raise SubmissionError(f"{path.name} has an empty sheet {title!r}", "The first row names the columns.")
    number, names, wrong = first
    if wrong:
        raise SubmissionError(f"{path.name}: row {number} names no columns: {wrong}")
    columns = tuple(" ".join(cell.split()) for cell in _trimmed(names))
    if len(columns) > COLUMNS:
        raise SubmissionError(f"{path.name} has {len(columns)} columns; at most {COLUMNS} are read")

    def read() -> Iterator[Row]:
        with _worksheet(path) as (sheet, _):
            following = _rows(path, sheet)
            next(following)
            for number, cells, wrong in following:
                if wrong:
                    yield Row(f"row {number}", cells, wrong)
                    continue
                padded = [*cells, *[""] * (len(columns) - len(cells))]
                wide = padded if any(padded[len(columns) :]) else padded[: len(columns)]
                yield checked_row(f"row {number}", wide, len(columns))

    told = (f"{path.name} has several sheets; only {title!r} was read",) if several else ()
    return Sheet(path.name, origin_of(columns), columns, read, told)


@contextmanager
def _worksheet(path: Path) -> Iterator[tuple[Any, bool]]:
    """The first worksheet that shows, and whether there are others."""
    from openpyxl.reader.excel import ExcelReader

    class Reader(ExcelReader):  # type: ignore[misc]  # openpyxl has no types
        def read_chartsheet(self, *_: object) -> None:
            """Leave the chart alone: nothing is read of it, and an empty one would end the reading."""

    with path.open("rb") as file:
        with _refused_if_broken(path):
            reader = Reader(file, read_only=True, keep_links=False)
            reader.read()
        sheets = reader.wb.worksheets
        showing = [sheet for sheet in sheets if sheet.sheet_state == "visible"]
        if not showing:
            raise SubmissionError(
                f"{path.name} has no sheet that shows", "Show the sheet with the replies, and save it again."
            )
        yield showing[0], len(sheets) > 1


def _rows(path: Path, sheet: Any) -> Iterator[tuple[int, list[str], str]]:
    """The rows that are not empty: their numbers, their cells as text, and what is wrong with them.

    Raises `SubmissionError` where the numbers of the rows do not rise.
    """
    from openpyxl.worksheet._reader import WorkSheetParser

    # openpyxl's own loop over the rows leaves those out whose numbers do not rise, without a word.
    with sheet._get_source() as source:
        book = sheet.parent
        rows = WorkSheetParser(
            source,
            sheet._shared_strings,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
        ).parse()
        last = 0
        while True:
            with _refused_if_broken(path):
                row = next(rows, None)
            if row is None:
                return
            number, found = row
            if not last < number <= ROWS:
                after = f"after row {last}" if last else "first"
                raise SubmissionError(
                    f"{path.name} is no workbook: a row with the number {number} comes {after}",
                    "Save it as CSV and give that.",
                )
            last = number
            cells, wrong = _texts(found)
            if wrong or any(cell.strip() for cell in cells):
                yield number, cells, wrong


def _texts(found: Iterable[Mapping[str, Any]]) -> tuple[list[str], str]:
    """The texts of a row by their columns, and what is wrong with it."""
    texts: dict[int, str] = {}
    for cell in found:
        column, text = cell["column"], written(cell["value"])
        if text is None:
            return [], f"column {column} holds a data table, which has no text"
        if column in texts:
            return [], f"two cells claim column {column}"
        texts[column] = text
    return [texts.get(column, "") for column in range(1, max(texts, default=0) + 1)], ""


def written(value: Any) -> str | None:
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
            return Dated(str(value))
        case _:  # an array formula has its text, a data table has none
            text = getattr(value, "text", None)
            return text if isinstance(text, str) else None


def _trimmed(cells: Sequence[str]) -> Sequence[str]:
    """The cells without the empty ones at the end."""
    width = max(place for place, cell in enumerate(cells, 1) if cell.strip())
    return cells[:width]


def _refuse_bomb(path: Path) -> None:
    """Raise `SubmissionError` for what is no workbook, or unpacks to more than a workbook should."""
    with _refused_if_broken(path), zipfile.ZipFile(path) as packed:
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


@contextmanager
def _refused_if_broken(path: Path) -> Iterator[None]:
    """Raise `SubmissionError` when reading meanwhile shows that the file is damaged."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # openpyxl warns of what it would lose when it saved the file
            yield
    except SubmissionError:
        raise
    except _BROKEN as error:
        raise SubmissionError(
            f"{path.name} is no workbook: {str(error)[:120]}", "Save it as CSV and give that."
        ) from None
