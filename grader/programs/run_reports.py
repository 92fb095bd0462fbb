"""What a program's process reports, read with the care that its output needs."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grader.programs.answer_encoding import MAX_ANSWER_DEPTH


@dataclass(frozen=True, slots=True)
class Run:
    """The reports of a program.

    - `end`: `finished`, or why it ended before: `time`, `crash`, `output`, `exit`, `several`, ...
    - `details`: the record of the end.
    - `choice`: the function that was called; `algorithm`: the one that it means to be.
    - `trees`: the record of each tree that was searched, by index; `started` is the last one begun.
    - `returns`: `soft`, `hard` or None; `missing`: modules that were not there.
    - `events`: what the watch refused; `seconds`: the limit of time.
    - `lines`: for each mistake the lines of the program that it probably concerns.
    """

    end: str
    details: Mapping[str, Any]
    choice: str
    algorithm: str
    trees: Mapping[int, Mapping[str, Any]]
    returns: str | None
    missing: tuple[str, ...]
    events: tuple[str, ...]
    seconds: int
    lines: Mapping[str, Sequence[int]]


def read_reports(data: bytes) -> list[dict[str, Any]]:
    """Return the records in the output of a process; lines that are not JSON objects are left out."""
    return [record for line in data.splitlines() if (record := _read_record(line)) is not None]


def collect_run(records: Sequence[Mapping[str, Any]], ending: str, seconds: int) -> Run:
    """Return the run that the records tell of; `ending` says how the process ended.

    A program can write records itself: those that `run_job` does not make are left out.
    """
    records = [record for record in records if is_report(record)]
    last: Mapping[str, Any] = next((record for record in reversed(records) if "end" in record), {})
    choice = next((record for record in records if "choice" in record), {})
    end = last.get("end") or ending
    return Run(
        end="stopped" if end == "exit" and not last else end,
        details=last,
        choice=choice.get("choice", ""),
        algorithm=choice.get("algorithm", ""),
        trees={record["tree"]: record for record in records if "tree" in record},
        returns=next((record["returns"] for record in records if record.get("returns")), None),
        missing=tuple(last.get("missing") or choice.get("missing") or ()),
        events=tuple(dict.fromkeys(record["event"] for record in records if "event" in record)),
        seconds=seconds,
        lines=choice.get("lines", {}),
    )


def is_report(record: Mapping[str, Any]) -> bool:
    """Return whether `run_job` makes such a record: every field has its type, and a tree its visits."""
    known = all(name in _FIELDS and _FIELDS[name](value) for name, value in record.items())
    return known and ("tree" not in record or "visits" in record)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_line(value: object) -> bool:
    return value is None or _is_count(value)


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _are_counts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_count, value))


def _are_lines(value: object) -> bool:
    return isinstance(value, dict) and all(map(_are_counts, value.values()))


def _is_answer(value: object, depth: int = 0) -> bool:
    """Return whether `encode_answer` makes this."""
    if isinstance(value, list):
        return depth <= MAX_ANSWER_DEPTH and all(_is_answer(each, depth + 1) for each in value)
    if isinstance(value, dict):
        return all(name in _ITEMS and _ITEMS[name](each) for name, each in value.items())
    return value is None


def _is_number(value: object) -> bool:
    """Return whether this is a whole number, the text of another one, or a list of these for players."""
    numbers = value if isinstance(value, list) else [value]
    return all(type(each) is int or _is_float(each) for each in numbers)


def _is_float(text: object) -> bool:
    return isinstance(text, str) and _FLOAT.fullmatch(text) is not None


_FLOAT = re.compile(r"-?(\d{1,17}(\.\d{1,20})?(e[+-]?\d{1,3})?|inf|nan)", re.ASCII)
"""The texts that Python writes of its numbers; `1e999999999` would be a fraction for hours."""

_ITEMS: Mapping[str, Callable[[object], bool]] = {"number": _is_number, "node": _is_count, "move": _is_line}
"""What the items of an answer have."""

_FIELDS: Mapping[str, Callable[[object], bool]] = {
    **dict.fromkeys(("choice", "algorithm", "end", "event", "error", "message"), _is_text),
    **dict.fromkeys(("tree", "repeats"), _is_count),
    **dict.fromkeys(("visits", "generated"), _are_counts),
    **dict.fromkeys(("missing", "names"), _are_texts),
    "returns": lambda value: value in (None, "soft", "hard"),
    "answer": _is_answer,
    "line": _is_line,
    "lines": _are_lines,
}
"""The fields of records."""


def _read_record(line: bytes) -> dict[str, Any] | None:
    """Return the JSON object on a line, or None if there is something else on it."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None
