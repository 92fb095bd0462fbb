"""Submissions as JSON lines: one object per line, its names are the columns, its values are texts."""

import json
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path

from grader.marking.submissions.sheet import Row, Sheet, SubmissionError

LONGEST = 1 << 20
"""The most bytes of one line."""


def read_lines(path: Path) -> Sheet:
    """A file of JSON objects, one in each line; the first one says what the columns are.

    Numbers become the text that stands there. A line that is no such object, or that has a name
    which the first line has not, is a wrong row. Raises `SubmissionError` when no line is an object.
    """
    columns: tuple[str, ...] = ()
    for _, line in _lines(path):
        record = _record(line)
        if isinstance(record, dict) and record:
            columns = tuple(record)
            break
    if not columns:
        raise SubmissionError(
            f"{path.name} has no line that is a JSON object",
            'A line looks like {"student": "1204", "1": "5 6", "2a": "B"}',
        )
    known = frozenset(columns)

    def rows() -> Iterator[Row]:
        for number, line in _lines(path):
            record = _record(line)
            if isinstance(record, str):
                yield Row(f"line {number}", (), record)
            elif not known.issuperset(record):
                strange = next(name for name in record if name not in known)
                yield Row(f"line {number}", (), f"the first line has no {strange[:60]!r}")
            else:
                cells = [cell for name in columns if isinstance(cell := record.get(name, ""), str)]
                if len(cells) == len(columns):
                    yield Row(f"line {number}", cells)
                else:
                    yield Row(f"line {number}", (), "a value is neither text nor number")

    return Sheet(path.name, "lines", columns, rows)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that are not empty, with their numbers; of one that is too long only the start."""
    with path.open("rb") as file:
        number = 0
        if file.read(len(BOM_UTF8)) != BOM_UTF8:
            file.seek(0)
        while line := file.readline(LONGEST + 1):
            number += 1
            if len(line) > LONGEST:
                while (rest := file.readline(LONGEST)) and not rest.endswith(b"\n"):
                    pass
            if line.strip():
                yield number, line


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise ValueError("a name occurs twice")
    return record


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_int=str, parse_float=str, parse_constant=str)


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
