"""A table in a CSV file: a plain one, or what Moodle, Canvas, Google and Microsoft export."""

import csv
import re
from collections.abc import Iterator, Sequence
from functools import partial
from io import TextIOWrapper

from grader.tables.column_names import RESPONSE, ROLE_BY_NAME, START_TIME_NAMES, TIMESTAMP_NAMES
from grader.tables.encoding import detect_encoding, not_text_error
from grader.tables.rows import (
    MAX_CELL_LENGTH,
    MAX_TABLE_COLUMNS,
    ClassTable,
    Origin,
    Row,
    Source,
    SourcePosition,
    TableError,
    batch_rows,
    cell_fault,
    checked_row,
    clean_column_names,
)
from grader.trees.notation.diagnostics import Complaint, to_diagnostics

MAX_OPEN_QUOTE_LENGTH = 1 << 26
"""A cell of more characters means that a quote was not closed."""

MAX_HEADER_LINES = 100
"""The most lines of the names of the columns that are looked at to find out what parts them."""

DELIMITERS = ",;\t"
"""What may part cells."""

_PARTING = re.compile(r"\ufeff?sep=.?\s*", re.IGNORECASE)
"""A first line that tells Excel what parts cells; what stands most often in the next line says it as well."""

_QUOTED = re.compile(r'(?:^|(?<=[,;\t]))"[^"]*(?:""[^"]*)*"?')

_CELLS = {sign: re.compile(rf' *(?:"[^"]*(?:""[^"]*)*"|[^{sign}\r\n]*)') for sign in DELIMITERS}


def read_csv(source: Source) -> ClassTable:
    """A CSV file with column names in its first line, parted by commas, semicolons or tabs.

    Raises `TableError` when there are no columns or the bytes are no text.
    """
    encoding, warnings = detect_encoding(source)
    with _opened(source, encoding) as file:
        lines = iter(partial(file.readline, MAX_CELL_LENGTH), "")
        first = next((line for line in lines if line.strip() and not _PARTING.fullmatch(line)), "")
        names, quotes = [first], first.count('"')
        while quotes % 2 and len(names) < MAX_HEADER_LINES and (line := next(lines, "")):
            names.append(line)
            quotes += line.count('"')
    if cell_fault([first]):
        raise not_text_error(source.name)
    sign = _sign("".join(names))
    header = next(_lines(source, encoding, sign), None)
    if header is None:
        raise TableError(f"{source.name} is empty", "The first line names the columns: id,1,2a,2b", "size")
    columns = clean_column_names(source.name, header[1])

    def rows() -> Iterator[Row]:
        following = _lines(source, encoding, sign)
        next(following)
        for line, cells in following:
            yield checked_row(f"line {line}", cells, len(columns))

    def where(row: str, column: int) -> SourcePosition:
        return cell_position(source, encoding, sign, int(row.removeprefix("line ")), column)

    return ClassTable(
        source.name,
        detect_origin(columns),
        columns,
        batch_rows(rows),
        warnings,
        header=f"line {header[0]}",
        locate=where,
    )


def _opened(source: Source, encoding: str) -> TextIOWrapper:
    return TextIOWrapper(source.open("rb"), encoding, errors="surrogateescape", newline="")


def _sign(header: str) -> str:
    """What parts the names of the columns: the sign that stands there most often outside of quotes."""
    bare = _QUOTED.sub("", header)
    return max(DELIMITERS, key=lambda sign: (bare.count(sign), header.count(sign)))


def _lines(source: Source, encoding: str, sign: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of the file that are not empty, each with the line it starts in."""
    csv.field_size_limit(MAX_OPEN_QUOTE_LENGTH)
    with _opened(source, encoding) as file:
        reader = csv.reader(file, delimiter=sign, skipinitialspace=True, strict=True)
        line = 1
        try:
            for cells in reader:
                if any(map(str.strip, cells)) and not (line == 1 and _PARTING.fullmatch("".join(cells))):
                    yield line, cells
                line = reader.line_num + 1
        except csv.Error as error:
            raise TableError(
                f"{source.name} is no CSV from line {line} on: {error}",
                'A quote may not be closed there, or stands in a cell and is not written twice, "".',
                "quote",
                cell_position(source, encoding, sign, line),
            ) from None


def cell_position(
    source: Source, encoding: str, sign: str, line: int, column: int = MAX_TABLE_COLUMNS
) -> SourcePosition:
    """The place of a cell in the row that starts in a line; without it, of the last one that is well formed.

    The file is read again for it, since the standard reader, which is fast, does not tell.
    """
    with _opened(source, encoding) as file:
        for _ in range(line - 1):
            file.readline()
        text = file.read(MAX_CELL_LENGTH)
    at = start = end = 0
    for _ in range(column + 1):
        if (cell := _CELLS[sign].match(text, at)) is None:
            break
        start, end = cell.end() - len(cell[0].lstrip(" ")), cell.end()
        at = end + 1
        if text[end:at] != sign:
            break
    found = to_diagnostics(text, [Complaint(start, end, "", "", "")]).items[0]
    return SourcePosition(line - 1 + found.line, found.column, found.excerpt)


def detect_origin(columns: Sequence[str]) -> Origin:
    """Who exported a table with these columns."""
    names = {name.casefold() for name in columns}
    roles = {ROLE_BY_NAME.get(name) for name in names}
    if "time" in roles and not names.isdisjoint(START_TIME_NAMES):
        return "microsoft"
    if {"name", "id", "sis_id"} <= names or {"name", "id", "submitted", "attempt"} <= names:
        return "canvas"
    if any(map(RESPONSE.fullmatch, names)) and ("state" in roles or names & {"email address", "id number"}):
        return "moodle"
    return "google" if columns and columns[0].casefold() in TIMESTAMP_NAMES else "table"
