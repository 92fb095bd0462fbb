"""Submissions in a CSV file: a plain table, or what Moodle, Canvas, Google and Microsoft export."""

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.tables.encoding import encoding_of
from grader.tables.sheet import Origin, Row, Sheet, SubmissionError

LARGEST_CELL = 1 << 20
"""The most characters of a cell."""

UNCLOSED = 1 << 26
"""A cell of more characters means that a quote was not closed."""

COLUMNS = 2_000
"""The most columns a table may have."""


LINES = 100
"""The most lines of the names of the columns that are looked at to find out what parts them."""

_QUOTED = re.compile(r'(?:^|(?<=[,;\t]))"[^"]*(?:""[^"]*)*"?')


def read_table(path: Path) -> Sheet:
    """A CSV file with column names in its first line, parted by commas, semicolons or tabs.

    Raises `SubmissionError` when there are no columns or the bytes are no text.
    """
    encoding, warnings = encoding_of(path)
    with path.open(encoding=encoding, errors="surrogateescape", newline="") as file:
        first = file.readline(LARGEST_CELL)
        while first and not first.strip():
            first = file.readline(LARGEST_CELL)
        header, quotes = [first], first.count('"')
        while quotes % 2 and len(header) < LINES and (line := file.readline(LARGEST_CELL)):
            header.append(line)
            quotes += line.count('"')
    if not first.strip():
        raise SubmissionError(f"{path.name} is empty", "The first line names the columns: id,1,2a,2b")
    if _unreadable([first]):
        raise SubmissionError(
            f"{path.name} is no text",
            "Save the table as CSV with the encoding UTF-8, or give the .xlsx file.",
        )
    delimiter = _delimiter("".join(header))
    lines = _lines(path, encoding, delimiter)
    columns = tuple(" ".join(name.split()) for name in next(lines)[1])
    if len(columns) > COLUMNS:
        raise SubmissionError(f"{path.name} has {len(columns)} columns; at most {COLUMNS} are read")

    def rows() -> Iterator[Row]:
        following = _lines(path, encoding, delimiter)
        next(following)
        for line, cells in following:
            yield checked_row(f"line {line}", cells, len(columns))

    return Sheet(path.name, origin_of(columns), columns, rows, warnings)


def _delimiter(header: str) -> str:
    """What parts the names of the columns: the sign that stands there most often outside of quotes."""
    bare = _QUOTED.sub("", header)
    return max(",;\t", key=lambda sign: (bare.count(sign), header.count(sign)))


def checked_row(place: str, cells: Sequence[str], width: int) -> Row:
    """A row, with what is wrong with it when it has not as many cells as there are columns."""
    if len(cells) == width:
        return Row(place, cells, _unreadable(cells))
    return Row(place, cells, f"{len(cells)} cells in a table of {width} columns")


def _unreadable(cells: Sequence[str]) -> str:
    """Why some cells cannot be read; empty when they can."""
    text = "".join(cells)
    if "\0" in text:
        return "a NUL character, which no text has"
    if len(text) > LARGEST_CELL and max(map(len, cells)) > LARGEST_CELL:
        return f"a cell of more than {LARGEST_CELL} characters; a quote may not be closed"
    if not text.isascii() and any("\ud800" <= sign <= "\udfff" for sign in text):
        return "bytes that are no text in the encoding of the file"
    return ""


def _lines(path: Path, encoding: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of the file that are not empty, each with the line it starts in."""
    csv.field_size_limit(UNCLOSED)
    with path.open(encoding=encoding, errors="surrogateescape", newline="") as file:
        reader = csv.reader(file, delimiter=delimiter, strict=True)
        line = 1
        while True:
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise SubmissionError(
                    f"{path.name} is no CSV from line {line} on: {error}",
                    "A quote may not be closed there; nothing of the file was taken.",
                ) from None
            if any(cell.strip() for cell in cells):
                yield line, cells
            line = reader.line_num + 1


def origin_of(columns: Sequence[str]) -> Origin:
    """Who exported a table with these columns."""
    names = {name.casefold() for name in columns}
    if {"start time", "completion time"} <= names:
        return "microsoft"
    if {"name", "id", "sis_id"} <= names or {"name", "id", "submitted", "attempt"} <= names:
        return "canvas"
    if any(name.startswith("response ") for name in names) and names & {
        "email address",
        "state",
        "id number",
    }:
        return "moodle"
    return "google" if columns and columns[0].casefold() in ("timestamp", "zeitstempel") else "table"
