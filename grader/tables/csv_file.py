"""A table in a CSV file: a plain one, or what Moodle, Canvas, Google and Microsoft export."""

import csv
import re
from collections.abc import Iterator, Sequence
from functools import partial
from io import TextIOWrapper
from itertools import islice

from grader.base.safe_text import safe_line
from grader.tables.column_names import RESPONSE, ROLE_BY_NAME, START_TIME_NAMES, TIMESTAMP_NAMES, is_title
from grader.tables.encoding import detect_encoding, not_text_error
from grader.tables.rows import (
    MAX_CELL_LENGTH,
    MAX_TABLE_COLUMNS,
    ClassTable,
    Row,
    Source,
    SourcePosition,
    TableError,
    TableOrigin,
    cell_fault,
    checked_row,
    clean_column_names,
)
from grader.trees.notation.diagnostics import Complaint, to_diagnostics

MAX_OPEN_QUOTE_LENGTH = 1 << 26
"""A cell with more characters means that a quote was not closed."""

MAX_HEADER_LINES = 100
"""The most lines of a header with line ends in quotes that are searched for the delimiter."""

DELIMITERS = ",;\t"

_EMPTY = f"{DELIMITERS} \r\n"
"""What a line of empty cells consists of."""

_DELIMITER_LINE = re.compile(r"\ufeff?sep=.?\s*", re.IGNORECASE)
"""A first line that names the delimiter for Excel; it is skipped, since the header shows the same."""

_QUOTED = re.compile(r'(?:^|(?<=[,;\t]))"[^"]*(?:""[^"]*)*"?')

_CELLS = {sign: re.compile(rf' *(?:"[^"]*(?:""[^"]*)*"|[^{sign}\r\n]*)') for sign in DELIMITERS}


def read_csv(source: Source) -> ClassTable:
    """Read a CSV file with column names in its first line and commas, semicolons or tabs as delimiters.

    Raises `TableError` if there are no columns or the bytes are not text.
    """
    encoding, warnings = detect_encoding(source)
    with _open_text(source, encoding) as file:
        lines = iter(partial(file.readline, MAX_CELL_LENGTH), "")
        filled = (line for line in lines if line.strip(_EMPTY) and not _DELIMITER_LINE.fullmatch(line))
        first, title = next(filled, ""), ""
        if '"' not in first and (second := next(filled, "")):
            sign = _delimiter(second)
            if is_title(first.split(sign), second.split(sign)):
                first, title = second, first
        header_lines, quotes = [first], first.count('"')
        while quotes % 2 and len(header_lines) < MAX_HEADER_LINES and (line := next(lines, "")):
            header_lines.append(line)
            quotes += line.count('"')
    if cell_fault([first]):
        raise not_text_error(source.name)
    delimiter = _delimiter("".join(header_lines))
    if title:
        left_out = safe_line(title.strip(f"{delimiter} \r\n"), 60)
        warnings = (*warnings, f"{source.name}: the line above the columns is left out: {left_out!r}")
    header = next(islice(_rows(source, encoding, delimiter), bool(title), None), None)
    if header is None:
        raise TableError(f"{source.name} is empty", "The first line names the columns: id,1,2a,2b", "size")
    columns = clean_column_names(source.name, header[1])

    def rows() -> Iterator[Row]:
        remaining = islice(_rows(source, encoding, delimiter), bool(title) + 1, None)
        for line, cells in remaining:
            yield checked_row(f"line {line}", cells, len(columns))

    def locate(row: str, column: int) -> SourcePosition:
        return _cell_position(source, encoding, delimiter, int(row.removeprefix("line ")), column)

    return ClassTable(
        source.name,
        detect_origin(columns),
        columns,
        rows,
        warnings,
        header=f"line {header[0]}",
        locate=locate,
    )


def _open_text(source: Source, encoding: str) -> TextIOWrapper:
    return TextIOWrapper(source.open("rb"), encoding, errors="surrogateescape", newline="")


def _delimiter(header: str) -> str:
    """Return the delimiter of the header: the one that is most frequent outside of quotes."""
    unquoted = _QUOTED.sub("", header)
    return max(DELIMITERS, key=lambda sign: (unquoted.count(sign), header.count(sign)))


def _rows(source: Source, encoding: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, each with the number of its first line.

    Raises `TableError` with the place of a quote that is not closed, or of another fault.
    """
    csv.field_size_limit(MAX_OPEN_QUOTE_LENGTH)
    with _open_text(source, encoding) as file:
        reader = csv.reader(file, delimiter=delimiter, skipinitialspace=True, strict=True)
        line = 1
        try:
            for cells in reader:
                is_delimiter_line = line == 1 and _DELIMITER_LINE.fullmatch("".join(cells))
                if any(map(str.strip, cells)) and not is_delimiter_line:
                    yield line, cells
                line = reader.line_num + 1
        except csv.Error as error:
            raise TableError(
                f"{source.name} is not CSV from line {line}: {error}",
                'Perhaps a quote is not closed there, or a quote in a cell is not doubled, "".',
                "quote",
                _cell_position(source, encoding, delimiter, line),
            ) from None


def _cell_position(
    source: Source, encoding: str, delimiter: str, line: int, column: int = MAX_TABLE_COLUMNS
) -> SourcePosition:
    """Return the position of a cell in the row that starts in `line`, or of its last well-formed cell.

    The file is read again, because the reader of the standard library does not report positions.
    """
    with _open_text(source, encoding) as file:
        for _ in range(line - 1):
            file.readline()
        text = file.read(MAX_CELL_LENGTH)
    offset = start = end = 0
    for _ in range(column + 1):
        if (cell := _CELLS[delimiter].match(text, offset)) is None:
            break
        start, end = cell.end() - len(cell[0].lstrip(" ")), cell.end()
        offset = end + 1
        if text[end:offset] != delimiter:
            break
    diagnostic = to_diagnostics(text, [Complaint(start, end, "", "", "")]).items[0]
    return SourcePosition(line - 1 + diagnostic.line, diagnostic.column, diagnostic.excerpt)


def detect_origin(columns: Sequence[str]) -> TableOrigin:
    """Return the platform that exports tables with these columns."""
    names = {name.casefold() for name in columns}
    roles = {ROLE_BY_NAME.get(name) for name in names}
    if "time" in roles and not names.isdisjoint(START_TIME_NAMES):
        return "microsoft"
    if {"name", "id", "sis_id"} <= names or {"name", "id", "submitted", "attempt"} <= names:
        return "canvas"
    if any(map(RESPONSE.fullmatch, names)) and ("state" in roles or names & {"email address", "id number"}):
        return "moodle"
    return "google" if columns and columns[0].casefold() in TIMESTAMP_NAMES else "table"
