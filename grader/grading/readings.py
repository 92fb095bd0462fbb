"""How files were read: what their columns were taken for, and which reading of a file counts."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from grader.tables.columns import Columns
from grader.tables.rows import ClassTable

Reading: TypeAlias = Mapping[str, Any]
"""One reading of one file, as the gradebook keeps it with the intake.

- `name`, `origin`, `digest`: of the file, see `ClassTable`.
- `number`: equal for equal readings of one file.
- `columns`: place, name and parts of every column of replies; `said`: a role -> the places of its columns.
- `map`, `due`, `late`, `retold`: what was told of it: its columns, when it was due and what becomes of what
  is late, and whose rows are that once were somebody else's.
- `same`: whose rows are that were taken in with it.
"""

_MEANING = ("columns", "said", "due", "late", "retold")
"""What makes a reading another one."""


def reading_of(
    table: ClassTable, columns: Columns, told: Mapping[str, Any], earlier: Sequence[Reading]
) -> Reading:
    """The reading of a file: what is not told of it now holds as it was told at its last reading."""
    # A file without a digest is known by its name alone.
    before = [each for each in earlier if each["digest"] == table.digest]
    before = [each for each in before if table.digest or each["name"] == table.name]
    last = before[-1] if table.digest and before else {}
    reading = {
        "name": table.name,
        "origin": table.origin,
        "digest": table.digest,
        "columns": [[each.place, each.column[:200], list(each.parts)] for each in columns.replies],
        "said": {role: list(places) for role, places in columns.said.items()},
        "map": dict(columns.wanted),
        "due": last.get("due", ""),
        "late": last.get("late", "flag"),
        **told,
        "retold": {**last.get("retold", {}), **told.get("retold", {})},
    }
    alike = (each["number"] for each in before if all(each[name] == reading[name] for name in _MEANING))
    numbers = (each["number"] for each in earlier)
    return reading | {"number": next(alike, None) or max(numbers, default=0) + 1}


def in_order(readings: Sequence[Reading]) -> dict[int, int]:
    """The numbers of the readings that count -> their places in the order in which their files came."""
    first = {each["digest"] or each["number"]: each["number"] for each in reversed(readings)}
    wrong = misread(readings)
    return {
        each["number"]: first[each["digest"] or each["number"]]
        for each in readings
        if each["number"] not in wrong
    }


def misread(readings: Sequence[Reading]) -> frozenset[int]:
    """The numbers of those readings whose files were read otherwise later."""
    last = {each["digest"]: each["number"] for each in readings}
    return frozenset(
        each["number"] for each in readings if each["digest"] and each["number"] != last[each["digest"]]
    )
