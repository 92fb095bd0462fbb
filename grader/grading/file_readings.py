"""How files were read: what their columns were taken for, and which reading of a file counts."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from grader.tables.columns import Columns
from grader.tables.rows import ClassTable, TableError

Reading: TypeAlias = Mapping[str, Any]
"""One reading of one file, as the gradebook keeps it with the intake.

- `name`, `origin`, `digest`: of the file, see `ClassTable`.
- `number`: equal for equal readings of one file.
- `columns`: place, name and parts of every column of replies; `said`: a role -> the places of its columns.
- `map`, `due`, `late`, `retold`: what was told of it: its columns, when it was due and what becomes of what
  is late, and whose rows are that once were somebody else's.
- `same`: whose rows are that were taken in with it.
- `ignored`: the rows that were told to be nobody's, as they name their student, or by their places.
- `replaces`: the hashes of the files that it was told to stand for.
"""

_MEANING = ("columns", "said", "due", "late", "retold", "ignored")
"""What makes a reading another one."""

_NOTHING_TOLD: dict[str, Any] = {"ignored": []}
"""What a reading from before this could be told does not say."""


def make_reading(
    table: ClassTable, columns: Columns, told: Mapping[str, Any], earlier: Sequence[Reading]
) -> Reading:
    """The reading of a file: what is not told of it now holds as it was told at its last reading."""
    # A file without a digest is known by its name alone.
    before = [{**_NOTHING_TOLD, **each} for each in earlier if each["digest"] == table.digest]
    before = [each for each in before if table.digest or each["name"] == table.name]
    last = before[-1] if table.digest and before else {}
    reading = {
        "name": table.name,
        "origin": table.origin,
        "digest": table.digest,
        "columns": [[each.place, each.column[:200], list(each.parts)] for each in columns.replies],
        "said": {role: list(places) for role, places in columns.places_by_role.items()},
        "map": dict(columns.overrides),
        "due": last.get("due", ""),
        "late": last.get("late", "flag"),
        "replaces": last.get("replaces", []),
        **told,
        "retold": {**last.get("retold", {}), **told.get("retold", {})},
        "ignored": sorted({*last.get("ignored", ()), *told.get("ignored", ())}),
    }
    alike = (each["number"] for each in before if all(each[name] == reading[name] for name in _MEANING))
    numbers = (each["number"] for each in earlier)
    return reading | {"number": next(alike, None) or max(numbers, default=0) + 1}


def reading_order(readings: Sequence[Reading]) -> dict[int, int]:
    """The numbers of the readings that count -> their places in the order in which their files came.

    A file that stands for others has the place of the first of these.
    """
    first: dict[str | int, int] = {}
    for each in readings:
        places = (first[digest] for digest in each.get("replaces", ()))
        first.setdefault(each["digest"] or each["number"], min(places, default=each["number"]))
    wrong = superseded_readings(readings)
    return {
        each["number"]: first[each["digest"] or each["number"]]
        for each in readings
        if each["number"] not in wrong
    }


def superseded_readings(readings: Sequence[Reading]) -> frozenset[int]:
    """The numbers of those readings whose files were read otherwise later, or that another file replaced."""
    last = {each["digest"]: each["number"] for each in readings}
    gone = replaced_files(readings)
    return frozenset(
        each["number"]
        for each in readings
        if each["digest"] and (each["number"] != last[each["digest"]] or each["digest"] in gone)
    )


def replaced_files(readings: Sequence[Reading]) -> Mapping[str, str]:
    """The hashes of the files that another one stands for -> the name of that one."""
    return {digest: each["name"] for each in readings for digest in each.get("replaces", ())}


def replaced_digests(name: str, tables: Sequence[ClassTable], earlier: Sequence[Reading]) -> list[str]:
    """The hashes of the files of this name that these tables are to stand for; none without a name.

    What they were told to stand for before, they stand for again, as when a run that was stopped is repeated.
    Raises `TableError` when there was no such file, or when one of the tables was itself replaced before.
    """
    gone = replaced_files(earlier)
    for table in tables:
        if by := gone.get(table.digest):
            raise TableError(f"{table.name} counts no more: {by} was taken in to replace it")
    own = {table.digest for table in tables}
    again = replaced_files([each for each in earlier if each["digest"] in own])
    digests = dict.fromkeys(each["digest"] for each in earlier if each["name"] == name and each["digest"])
    found = [each for each in digests if each not in own and (each not in gone or each in again)]
    if name and not found:
        if by := next((gone[each] for each in digests if each in gone), None):
            raise TableError(f"--replaces: {name[:60]!r} counts no more already: {by} replaces it")
        known = dict.fromkeys(each["name"] for each in earlier if each["digest"])
        hint = f"The files taken in are {', '.join(known)}." if known else "No file was taken in yet."
        raise TableError(f"--replaces: no file {name[:60]!r} was taken in before", hint)
    return found
