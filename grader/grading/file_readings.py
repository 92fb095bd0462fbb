"""How files were read: the meaning of their columns, and which reading of a file counts."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from grader.tables.columns import Columns
from grader.tables.readers import SHEET_SUFFIXES
from grader.tables.rows import ClassTable, TableError

Reading: TypeAlias = Mapping[str, Any]
"""One reading of one file, as the gradebook keeps it with the intake.

- `name`, `origin`, `digest`: of the file, see `ClassTable`.
- `number`: equal for equal readings of one file.
- `columns`: place, name and parts of every column of replies; `said`: a role -> the places of its columns.
- `map`, `due`, `late`, `retold`: the options given for it: its columns, when it was due, the policy for late
  rows, and new owners of rows that had another owner before.
- `same`: the owners of rows that were given with it.
- `ignored`: the rows that belong to no student, by the student they name or by their places.
- `replaces`: the hashes of the files that it replaces.
"""

_COMPARED_FIELDS = ("columns", "said", "due", "late", "retold", "ignored")
"""The fields in which two readings differ."""

_DEFAULT_FIELDS: dict[str, Any] = {"ignored": []}
"""The fields that older readings do not have."""


def make_reading(
    table: ClassTable, columns: Columns, options: Mapping[str, Any], earlier: Sequence[Reading]
) -> Reading:
    """Return the reading of a file; options that are not given now keep their values of its last reading."""
    # A file without a digest is known by its name alone.
    earlier_of_file = [{**_DEFAULT_FIELDS, **each} for each in earlier if each["digest"] == table.digest]
    earlier_of_file = [each for each in earlier_of_file if table.digest or each["name"] == table.name]
    last = earlier_of_file[-1] if table.digest and earlier_of_file else {}
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
        **options,
        "retold": {**last.get("retold", {}), **options.get("retold", {})},
        "ignored": sorted({*last.get("ignored", ()), *options.get("ignored", ())}),
    }
    equal_numbers = (
        each["number"]
        for each in earlier_of_file
        if all(each[name] == reading[name] for name in _COMPARED_FIELDS)
    )
    numbers = (each["number"] for each in earlier)
    return reading | {"number": next(equal_numbers, None) or max(numbers, default=0) + 1}


def reading_order(readings: Sequence[Reading]) -> dict[int, int]:
    """Return the numbers of the readings that count -> their places in the order in which the files came.

    A file that replaces others has the place of the first of these.
    """
    first_place: dict[str | int, int] = {}
    for each in readings:
        places = (first_place[digest] for digest in each.get("replaces", ()))
        first_place.setdefault(each["digest"] or each["number"], min(places, default=each["number"]))
    superseded = superseded_readings(readings)
    return {
        each["number"]: first_place[each["digest"] or each["number"]]
        for each in readings
        if each["number"] not in superseded
    }


def superseded_readings(readings: Sequence[Reading]) -> frozenset[int]:
    """Return the numbers of readings that no longer count: read differently later, or the file replaced."""
    last_number = {each["digest"]: each["number"] for each in readings}
    replaced = replaced_files(readings)
    return frozenset(
        each["number"]
        for each in readings
        if each["digest"] and (each["number"] != last_number[each["digest"]] or each["digest"] in replaced)
    )


def replaced_files(readings: Sequence[Reading]) -> Mapping[str, str]:
    """Return the hashes of replaced files -> the name of the file that replaces each."""
    return {digest: each["name"] for each in readings for digest in each.get("replaces", ())}


def replaced_digests(name: str, tables: Sequence[ClassTable], earlier: Sequence[Reading]) -> list[str]:
    """Return the hashes of the files of this name that these tables replace; none without a name.

    A file that the tables have replaced already may be named again, as when an interrupted run is repeated.
    Raises `TableError` if there is no such file that still counts and whose hash is known, if there are
    several text files of this name, perhaps of several students, or if one of the tables was itself replaced
    before.
    """
    replaced = replaced_files(earlier)
    for table in tables:
        if replacement := replaced.get(table.digest):
            raise TableError(f"{table.name} no longer counts: {replacement} was taken in to replace it")
    own = {table.digest for table in tables}
    replaced_by_these = replaced_files([each for each in earlier if each["digest"] in own])
    digests = dict.fromkeys(each["digest"] for each in earlier if each["name"] == name and each["digest"])
    chosen = [
        each for each in digests if each not in own and (each not in replaced or each in replaced_by_these)
    ]
    if name and not chosen:
        if replacement := next((replaced[each] for each in digests if each in replaced), None):
            raise TableError(f"--replaces: {name[:60]!r} no longer counts: {replacement} replaces it")
        if any(each["name"] == name for each in earlier):
            raise TableError(
                f"--replaces: {name[:60]!r} was taken in by an older version, which did not record students",
                "Say what the student wrote with `gametree gradebook read`.",
            )
        known = dict.fromkeys(each["name"] for each in earlier)
        hint = f"The files taken in are {', '.join(known)}." if known else "No file was taken in yet."
        raise TableError(f"--replaces: no file {name[:60]!r} was taken in before", hint)
    if len(chosen) > 1 and name.lower().endswith(SHEET_SUFFIXES):  # perhaps of several students
        raise TableError(
            f"--replaces: {len(chosen)} files called {name[:60]!r} were taken in, and only one can be meant",
            "Say what the student wrote with `gametree gradebook read`.",
        )
    return chosen
