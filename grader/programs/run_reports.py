"""What a program's process reports, read with the care that its output needs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


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
    """Return the records in the output of a process; lines that a program wrote itself are left out."""
    return [record for line in data.splitlines() if (record := _read_record(line)) is not None]


def collect_run(records: Sequence[Mapping[str, Any]], ending: str, seconds: int) -> Run:
    """Return the run that the records tell of; `ending` says how the process ended."""
    last: Mapping[str, Any] = next((record for record in reversed(records) if "end" in record), {})
    choice = next((record for record in records if "choice" in record), {})
    end = str(last.get("end") or ending)
    return Run(
        end="stopped" if end == "exit" and not last else end,
        details=last,
        choice=str(choice.get("choice", "")),
        algorithm=str(choice.get("algorithm", "")),
        trees={
            record["tree"]: record
            for record in records
            if isinstance(record.get("tree"), int) and isinstance(record.get("visits", []), list)
        },
        returns=next((record["returns"] for record in records if record.get("returns")), None),
        missing=tuple(map(str, last.get("missing") or choice.get("missing") or ())),
        events=tuple(dict.fromkeys(str(record["event"]) for record in records if "event" in record)),
        seconds=seconds,
        lines=lines if isinstance(lines := choice.get("lines"), dict) else {},
    )


def _read_record(line: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None
