"""Submissions as JSON lines: one object per line, its names are the columns, its values are texts."""

import json
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice, repeat
from typing import NoReturn

from grader.tables.columns import AskedPart, is_known
from grader.tables.rows import MOST_COLUMNS, TOGETHER, ClassTable, Row, Source, TableError, from_columns

LONGEST = 1 << 20
"""The most bytes of one line."""


NAMING = 1_000
"""The first lines, whose names may be columns: a file may have a million, and all are read only once."""


def read_json_lines(source: Source, parts: Sequence[AskedPart]) -> ClassTable:
    """A file of JSON objects, one in each line; columns are the first one's names and known ones.

    Numbers become the text that stands there; null, and a name that is left out, is a blank. A line that is
    no such object, or has a name which is no column, is a wrong row. Raises `TableError` when none of
    the first lines is an object, or they have too many names.
    """
    names: dict[str, bool] = {}
    wrong = ""
    for number, line in islice(_lines(source), NAMING):
        record = _record(line)
        if isinstance(record, str):
            wrong = wrong or f": line {number} is {record}"
        else:
            first = not names
            names |= {name: first or is_known(name, parts) for name in record if name not in names}
        if len(names) > MOST_COLUMNS:
            raise TableError(f"{source.name} has more than {MOST_COLUMNS} names; no more are read")
    columns = tuple(name for name, known in names.items() if known)
    if not columns:
        raise TableError(
            f"{source.name} has no line that can be used{wrong}",
            'A line looks like {"student": "1204", "1": "5 6", "2a": "B"}',
        )
    known = frozenset(columns)

    def stretches() -> Iterator[Iterable[Row]]:
        lines = _lines(source)
        while some := list(islice(lines, TOGETHER)):
            numbers, texts = zip(*some, strict=True)
            plain = _plain_cells(texts, columns)
            if plain is None:
                yield rows_of(some)
            else:
                yield from_columns(Row, map("line {}".format, numbers), plain, repeat(""))

    def rows_of(lines: Sequence[tuple[int, bytes]]) -> Iterator[Row]:
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

    return ClassTable(source.name, "lines", columns, lambda: chain.from_iterable(stretches()))


def _plain_cells(lines: Sequence[bytes], columns: Sequence[str]) -> list[tuple[str, ...]] | None:
    """The cells of some lines that are read as one text of JSON; None where each line has to be looked at.

    Every line stands in brackets of its own and before a line end, which no text may hold: so when there are
    as many brackets as lines, with an object of texts in each, no line holds anything else.
    """
    if max(map(len, lines)) > LONGEST:
        return None
    try:
        found = _PAIRS.decode((b"[[" + b"],\n[".join(lines) + b"]]").decode())
    except (ValueError, RecursionError):
        return None
    if {*map(type, found)} != {list} or {*map(len, found)} != {1}:
        return None
    pairs = [*chain.from_iterable(found)]
    if {*map(type, pairs)} != {tuple}:
        return None
    cells: list[tuple[str, ...]]
    names, values = zip(*chain.from_iterable(pairs), strict=True) if any(pairs) else ((), ())
    if set(map(len, pairs)) == {len(columns)} and names == (*columns,) * len(lines):  # most files by far
        cells = list(zip(*[iter(values)] * len(columns), strict=True))
        return cells if set(map(type, values)) == {str} else None
    records = list(map(dict, pairs))
    strange = set(chain.from_iterable(records)).difference(columns)
    if strange or len(records) != len(lines) or sum(map(len, records)) != sum(map(len, pairs)):
        return None
    cells = [tuple([record.get(name, "") for name in columns]) for record in records]
    return cells if set(map(type, chain.from_iterable(cells))) == {str} else None


def _lines(source: Source) -> Iterator[tuple[int, bytes]]:
    """The lines that are not empty, with their numbers; of one that is too long only the start."""
    with source.open("rb") as file:
        if file.read(len(BOM_UTF8)) != BOM_UTF8:
            file.seek(0)
        for number, line in enumerate(iter(partial(file.readline, LONGEST + 1), b""), 1):
            if len(line) > LONGEST:
                while (rest := file.readline(LONGEST)) and not rest.endswith(b"\n"):
                    pass
            if line.strip():
                yield number, line


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
    if len(line) > LONGEST:
        return f"longer than {LONGEST // 1024} KB"
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
