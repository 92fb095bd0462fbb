"""Submissions as JSON lines: one object per line, its names are the columns, its values are texts."""

import json
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
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
"""The first lines, whose names may be columns: a file may have a million, and all are read only once."""


def read_json_lines(source: Source, parts: Sequence[PartNames]) -> ClassTable:
    """A file of JSON objects, one in each line; columns are the first one's names and known ones.

    Numbers become the text that stands there; null, and a name that is left out, is a blank. A line that is
    no such object, or has a name which is no column, is a wrong row. Raises `TableError` when none of
    the first lines is an object, or they have too many names.
    """
    names: dict[str, bool] = {}
    wrong = ""
    numbered = chain.from_iterable(zip(*some, strict=True) for some in _stretches(source))
    for number, line in islice(numbered, MAX_NAMING_LINES):
        record = _record(line)
        if isinstance(record, str):
            wrong = wrong or f": line {number} is {record}"
        else:
            first = not names
            names |= {name: first or is_known_column(name, parts) for name in record if name not in names}
        if len(names) > MAX_TABLE_COLUMNS:
            raise TableError(f"{source.name} has more than {MAX_TABLE_COLUMNS} names; no more are read")
    columns = tuple(name for name, known in names.items() if known)
    if not columns:
        raise TableError(
            f"{source.name} has no line that can be used{wrong}",
            'A line looks like {"student": "1204", "1": "5 6", "2a": "B"}',
        )
    known = frozenset(columns)

    def stretches() -> RowBatches:
        for numbers, lines in _stretches(source):
            plain = _plain_cells(lines, columns)
            if plain is None:
                yield [*rows_of(zip(numbers, lines, strict=True))]
            else:
                yield RowBatch([f"line {number}" for number in numbers], plain)

    def rows_of(lines: Iterable[tuple[int, bytes]]) -> Iterator[Row]:
        for number, line in lines:
            record = _record(line)
            if isinstance(record, str):
                yield Row(f"line {number}", (), record)
            elif not known.issuperset(record):
                strange = next(name for name in record if name not in known)
                yield Row(f"line {number}", (), f"{strange[:60]!r} is no question, and not in the first line")
            else:
                cells = [cell for name in columns if isinstance(cell := record.get(name, ""), str)]
                if len(cells) == len(columns):
                    yield Row(f"line {number}", cells)
                else:
                    yield Row(f"line {number}", (), "a value is neither text nor number")

    return ClassTable(source.name, "lines", columns, stretches)


def _plain_cells(lines: Sequence[bytes], columns: Sequence[str]) -> list[Sequence[str]] | None:
    """The columns of some lines that are read as one text of JSON; None where each has to be looked at.

    Between two lines stands `null` behind the line end, which no text may hold, and no object a bare `null`:
    so when all else are objects of texts, as many as lines, with one `null` between, no line holds anything
    else.
    """
    if max(map(len, lines)) > MAX_LINE_BYTES:
        return None
    try:
        found = _PAIRS.decode((b"[" + b",null,".join(lines) + b"]").decode())
    except (ValueError, RecursionError):
        return None
    pairs, between = found[::2], found[1::2]
    if {*map(type, pairs)} != {tuple} or {*map(type, between)} - {type(None)}:
        return None
    if len(found) != 2 * len(lines) - 1:
        return None
    names, values = zip(*chain.from_iterable(pairs), strict=True) if any(pairs) else ((), ())
    if set(map(len, pairs)) == {len(columns)} and names == (*columns,) * len(lines):  # most files by far
        cells: list[Sequence[str]] = [values[at :: len(columns)] for at in range(len(columns))]
        return cells if {*map(type, values)} == {str} else None
    records = list(map(dict, pairs))
    strange = set(chain.from_iterable(records)).difference(columns)
    if strange or sum(map(len, records)) != sum(map(len, pairs)):
        return None
    cells = [[record.get(name, "") for record in records] for name in columns]
    return cells if {*map(type, chain(*cells))} == {str} else None


def _stretches(source: Source) -> Iterator[tuple[Sequence[int], Sequence[bytes]]]:
    """The numbers of some lines, and these lines, without empty ones; of one that is too long the start."""
    last = 0
    with source.open("rb") as file:
        if file.read(len(BOM_UTF8)) != BOM_UTF8:
            file.seek(0)
        lines = iter(partial(file.readline, MAX_LINE_BYTES + 1), b"")
        while some := list(islice(lines, ROWS_PER_BATCH)):
            if max(map(len, some)) > MAX_LINE_BYTES:
                some = list(islice(_starts(chain(some, lines)), ROWS_PER_BATCH))
            numbers: Sequence[int] = range(last + 1, last + 1 + len(some))
            last += len(some)
            if any(map(bytes.isspace, some)):
                filled = [not line.isspace() for line in some]
                numbers, some = [*compress(numbers, filled)], [*compress(some, filled)]
            if some:
                yield numbers, some


def _starts(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Lines that are whole, and the first piece of each that is not."""
    for piece in pieces:
        rest = piece
        while len(rest) > MAX_LINE_BYTES and not rest.endswith(b"\n"):
            rest = next(pieces, b"")
        yield piece


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    record = {name: "" if value is None else value for name, value in pairs}
    if len(record) != len(pairs):
        raise ValueError("a name occurs twice")
    return record


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


_reading = partial(json.JSONDecoder, parse_int=str, parse_float=str, parse_constant=_no_number)
_DECODER = _reading(object_pairs_hook=_unique)

_PAIRS = _reading(object_pairs_hook=tuple)
"""Reads an object as the tuple of its names and values: a list is an array."""


def _record(line: bytes) -> dict[str, object] | str:
    """The object of a line, or what is wrong with it."""
    if len(line) > MAX_LINE_BYTES:
        return f"longer than {MAX_LINE_BYTES // 1024} KB"
    try:
        text = line.strip().decode()
        record, end = _DECODER.raw_decode(text)
    except RecursionError:
        return "nested too deeply"
    except ValueError as error:
        return f"no JSON: {error}"[:200]
    if end < len(text):
        return "no JSON: something follows the object"
    return record if isinstance(record, dict) else "no JSON object"
