"""Records that the program writes for itself: each says its schema, and which version made it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from grader.base.canonical_json import parse_json
from grader.base.safe_text import safe_line
from grader.version import PROGRAM

FIRST_SCHEMA = 1
"""The schema of records of version 0.1.0 that do not state one."""


class SchemaError(Exception):
    """A record of a schema that this version does not read; the message says who made it and what to do.

    This is not a `ValueError`, so that such a record is not treated as damaged.
    """


def stamp(schema: int) -> dict[str, Any]:
    """Return the first keys of a record: its schema and the program that writes it."""
    return {"schema": schema, "program": PROGRAM}


OLDER_ADVICE = "use the version that made it"
"""What to do with a record of an older schema, unless a caller knows better."""


def require_schema(record: Mapping[str, Any], known: int, name: str, older: str = OLDER_ADVICE) -> None:
    """Raise `SchemaError` unless the record called `name` has the schema that this version knows.

    Call this before using anything else of the record. `older` is the advice for an older schema.
    """
    schema = record.get("schema", FIRST_SCHEMA)
    if schema != known or isinstance(schema, bool):
        raise SchemaError(schema_fault(name, schema, known, _maker_of(record), older))


def _maker_of(record: Mapping[str, Any]) -> object:
    """Return the program that made a record: exercises have a `generator`, locks an `origin`."""
    origin = record.get("origin")
    origin_program = origin.get("program") if isinstance(origin, Mapping) else None
    return record.get("program") or record.get("generator") or origin_program


def unreadable_record(name: str, maker: str, place: str, why: str) -> SchemaError:
    """Return the error for a record of a known schema in which this version cannot read one place."""
    return SchemaError(
        f"{name} was made by {safe_line(maker, 60)}, and {PROGRAM} cannot read {place} ({why}): use the "
        f"version that made it, or restore the file if it was changed"
    )


def journal_records(path: Path, schema: int) -> Iterator[dict[str, Any] | None]:
    """Yield the records of a journal, a line each; None for a line that is not a record, as one broken off.

    Raises `SchemaError`; `OSError` if there is no such file.
    """
    with path.open("rb") as file:
        for line in file:
            if not line.strip():
                continue
            try:
                record = parse_json(line)
            except ValueError:
                record = None
            if isinstance(record, dict):
                require_schema(record, schema, str(path))
                yield record
            else:
                yield None


def schema_fault(name: str, schema: object, known: int, maker: object, older: str = OLDER_ADVICE) -> str:
    """Return the message for a record of another schema: which one, who made it, and what to do.

    One that is not a number was written by no version.

    `older` is the advice for a record whose schema is older than the known one.
    """
    if type(schema) is not int:
        return f"{name} is damaged: its schema is not a number; bring back a copy of it"
    maker_name = safe_line(maker, 60) if isinstance(maker, str) and maker else "another version"
    advice = older if schema < known else "update the program"
    origin = f"{name} was made by {maker_name} with schema {safe_line(str(schema), 20)}"
    return f"{origin}, and {PROGRAM} reads schema {known} only: {advice}"
