"""Submissions as JSON lines: one object per line; its keys are columns, its values are cells."""

import json
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import compress, islice
from typing import NoReturn

from grader.tables.columns import PartNames, is_known_column
from grader.tables.rows import MAX_TABLE_COLUMNS, ClassTable, Row, Source, TableError

MAX_LINE_BYTES = 1 << 20
"""The most bytes of one line."""

MAX_NAMING_LINES = 1_000
"""The number of first lines whose keys may become columns: reading all of a million lines takes too long."""


def read_json_lines(source: Source, parts: Sequence[PartNames]) -> ClassTable:
    """Read a file with a JSON object in each line.

    Columns are the keys of the first object, and all known keys. Numbers become text as they are written;
    null and missing keys are blanks. A line that is not such an object, or has a key that is not a column,
    is a row with a fault. Raises `TableError` if none of the first lines is an object, or if they have too
    many keys.
    """
    is_column: dict[str, bool] = {}
    first_fault = ""
    for number, line in islice(_numbered_lines(source), MAX_NAMING_LINES):
        record = _record(line)
        if isinstance(record, str):
            first_fault = first_fault or f": line {number} is {record}"
        else:
            is_first = not is_column
            is_column |= {
                name: is_first or is_known_column(name, parts) for name in record if name not in is_column
            }
        if len(is_column) > MAX_TABLE_COLUMNS:
            raise TableError(f"{source.name} has more than {MAX_TABLE_COLUMNS} names; no more are read")
    columns = tuple(compress(is_column, is_column.values()))
    if not columns:
        raise TableError(
            f"{source.name} has no line that can be used{first_fault}",
            'A line looks like {"student": "1204", "1": "5 6", "2a": "B"}',
        )
    known = frozenset(columns)

    def rows() -> Iterator[Row]:
        for number, line in _numbered_lines(source):
            yield row(f"line {number}", line)

    def row(place: str, line: bytes) -> Row:
        """Return the row of a line, or a row without cells that has the fault of the line.

        A column that the line lacks is an empty cell; a name without a column is a fault.
        """
        record = _record(line)
        if isinstance(record, str):
            return Row(place, (), record)
        if unknown := [name for name in record if name not in known]:
            return Row(place, (), f"{unknown[0][:60]!r} is not a question, and not in the first line")
        cells = [cell for name in columns if isinstance(cell := record.get(name, ""), str)]
        if len(cells) < len(columns):
            return Row(place, (), "a value is neither a text nor a number")
        return Row(place, cells)

    return ClassTable(source.name, "lines", columns, rows)


def _numbered_lines(source: Source) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, with their numbers; a line that is too long is cut."""
    with source.open("rb") as file:
        if file.read(len(BOM_UTF8)) != BOM_UTF8:
            file.seek(0)
        pieces = iter(partial(file.readline, MAX_LINE_BYTES + 1), b"")
        for number, line in enumerate(pieces, 1):
            if not line.isspace():
                yield number, line
            while len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
                line = next(pieces, b"")


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object whose nulls are empty texts. Raises ValueError if a name occurs twice."""
    record = {name: "" if value is None else value for name, value in pairs}
    if len(record) != len(pairs):
        raise ValueError("a name occurs twice")
    return record


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


_DECODER = json.JSONDecoder(
    parse_int=str, parse_float=str, parse_constant=_no_number, object_pairs_hook=_unique
)


def _record(line: bytes) -> dict[str, object] | str:
    """Return the object of a line, or its fault."""
    if len(line) > MAX_LINE_BYTES:
        return f"longer than {MAX_LINE_BYTES // 1024} KB"
    try:
        text = line.strip().decode()
        record, end = _DECODER.raw_decode(text)
    except RecursionError:
        return "nested too deeply"
    except ValueError as error:
        return f"not JSON: {error}"[:200]
    if end < len(text):
        return "not JSON: there is text after the object"
    return record if isinstance(record, dict) else "not a JSON object"
