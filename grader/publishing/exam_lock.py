"""`exam.lock`: the origin of an exam and the hashes of all its files, sealed with the secret."""

import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from grader.base.canonical_json import canonical_json, parse_json
from grader.base.json_records import JsonRecord, RecordError
from grader.base.records import require_schema
from grader.exam.assignment import derive_bytes
from grader.exam.manifest import Origin

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Lock(JsonRecord):
    """The hashes of an exam, each SHA-256 as 64 hex digits.

    - `origin`: program, blueprint and roster.
    - `plan`: the hash of origin, formats and exports; a build is resumed only with the same plan.
    - `variants`: code -> the checksum of the paper, and the hash of its line in `exam.json`.
    - `files`: path -> hash, for every file but this one.
    - `seal`: HMAC-SHA-256 of all that, keyed with the secret; empty until it is sealed.
    """

    origin: Annotated[Origin, "origin"]
    plan: Annotated[str, "plan"]
    formats: Annotated[tuple[str, ...], "formats"]
    exports: Annotated[tuple[str, ...], "exports"]
    variants: Annotated[Mapping[str, tuple[str, str]], "variants"]
    files: Annotated[Mapping[str, str], "files"]
    seal: Annotated[str, "seal"] = ""


def seal(lock: Lock, secret: str) -> Lock:
    """Return the lock with its seal."""
    record = {"schema": SCHEMA, **lock.to_json()}
    del record["seal"]
    content = canonical_json(record).encode()
    return replace(lock, seal=hmac.new(derive_bytes(secret, "seal"), content, sha256).hexdigest())


def write_lock(lock: Lock) -> str:
    """Return the text of `exam.lock`: JSON that can be compared line by line."""
    return json.dumps({"schema": SCHEMA, **lock.to_json()}, indent=1, sort_keys=True) + "\n"


def read_lock(path: Path) -> Lock | None:
    """Read a lock; None if the file holds none. Raises `SchemaError` for another schema."""
    try:
        record = parse_json(path.read_text(encoding="utf-8", errors="replace"))
        if not isinstance(record, dict):
            return None
        require_schema(record, SCHEMA, str(path))
        return Lock.from_json(record)
    except (OSError, ValueError, RecordError):
        return None
