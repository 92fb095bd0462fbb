"""Submissions as JSON lines: one object per line; its keys are columns, its values are cells."""

import json
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, compress, islice
from typing import NoReturn

from grader.tables.columns import PartNames, is_known_column
from grader.tables.rows import (
    MAX_TABLE_COLUMNS,
    ROWS_PER_BATCH,
    ClassTable,
    Row,
    RowBatch,
    RowBatches,
    Source,
    TableError,
)

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
    numbered = chain.from_iterable(zip(*batch, strict=True) for batch in _line_batches(source))
    for number, line in islice(numbered, MAX_NAMING_LINES):
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

    def batches() -> RowBatches:
        for numbers, lines in _line_batches(source):
            places = [f"line {number}" for number in numbers]
            cells = _plain_cells(lines, columns)
            yield [*map(row, places, lines)] if cells is None else RowBatch(places, cells)

    known = frozenset(columns)

    def row(place: str, line: bytes) -> Row:
        """Return the row of a line, or a row without cells that has the fault of the line.

        A column that the line lacks is an empty cell; a name without a column is a fault.
        """
        record = _record(line)
        if isinstance(record, str):
            return Row(place, (), record)
        unknown = next((name for name in record if name not in known), None)
        if unknown is not None:
            return Row(place, (), f"{unknown[:60]!r} is not a question, and not in the first line")
        cells = [cell for name in columns if isinstance(cell := record.get(name, ""), str)]
        if len(cells) < len(columns):
            return Row(place, (), "a value is neither a text nor a number")
        return Row(place, cells)

    return ClassTable(source.name, "lines", columns, batches)


def _plain_cells(lines: Sequence[bytes], columns: Sequence[str]) -> list[Sequence[str]] | None:
    """Read many lines as one JSON array; return the cells by column, or None if a line needs a closer look.

    `null` separates the lines, after the line end. No string can contain a line end, and no object a bare
    `null`. So if the array alternates objects of strings and `null`, one object per line, then every line
    is exactly one object.
    """
    if max(map(len, lines)) > MAX_LINE_BYTES:
        return None
    try:
        items = _PAIRS.decode((b"[" + b",null,".join(lines) + b"]").decode())
    except (ValueError, RecursionError):
        return None
    pairs, separators = items[::2], items[1::2]
    if {*map(type, pairs)} != {tuple} or {*map(type, separators)} - {type(None)}:
        return None
    if len(items) != 2 * len(lines) - 1:
        return None
    names, values = zip(*chain.from_iterable(pairs), strict=True) if any(pairs) else ((), ())
    # In most files every line has all columns in the same order.
    if set(map(len, pairs)) == {len(columns)} and names == (*columns,) * len(lines):
        cells: list[Sequence[str]] = [values[place :: len(columns)] for place in range(len(columns))]
        return cells if {*map(type, values)} == {str} else None
    records = list(map(dict, pairs))
    unknown = set(chain.from_iterable(records)).difference(columns)
    if unknown or sum(map(len, records)) != sum(map(len, pairs)):
        return None
    cells = [[record.get(name, "") for record in records] for name in columns]
    return cells if {*map(type, chain(*cells))} == {str} else None


def _line_batches(source: Source) -> Iterator[tuple[Sequence[int], Sequence[bytes]]]:
    """Yield batches of lines that are not blank, with their numbers; a line that is too long is cut."""
    last = 0
    with source.open("rb") as file:
        if file.read(len(BOM_UTF8)) != BOM_UTF8:
            file.seek(0)
        pieces = iter(partial(file.readline, MAX_LINE_BYTES + 1), b"")
        while batch := list(islice(pieces, ROWS_PER_BATCH)):
            if max(map(len, batch)) > MAX_LINE_BYTES:
                batch = list(islice(_first_pieces(chain(batch, pieces)), ROWS_PER_BATCH))
            numbers: Sequence[int] = range(last + 1, last + 1 + len(batch))
            last += len(batch)
            if any(map(bytes.isspace, batch)):
                is_filled = [not line.isspace() for line in batch]
                numbers, batch = [*compress(numbers, is_filled)], [*compress(batch, is_filled)]
            if batch:
                yield numbers, batch


def _first_pieces(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the first piece of every line; that of a short line is the whole line.

    `pieces` are results of `readline(MAX_LINE_BYTES + 1)`, so a longer line comes in several.
    """
    for piece in pieces:
        rest = piece
        while len(rest) > MAX_LINE_BYTES and not rest.endswith(b"\n"):
            rest = next(pieces, b"")
        yield piece


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object whose nulls are empty texts. Raises ValueError if a name occurs twice."""
    record = {name: "" if value is None else value for name, value in pairs}
    if len(record) != len(pairs):
        raise ValueError("a name occurs twice")
    return record


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


_reading = partial(json.JSONDecoder, parse_int=str, parse_float=str, parse_constant=_no_number)
_DECODER = _reading(object_pairs_hook=_unique)

_PAIRS = _reading(object_pairs_hook=tuple)
"""A decoder that returns an object as a tuple of its keys and values, and an array as a list."""


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
