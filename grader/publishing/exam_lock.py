"""`exam.lock`: the origin of an exam and the hashes of all its files, sealed with the secret."""

import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from grader.base.canonical_json import canonical_json
from grader.base.records import require_schema
from grader.exam.assignment import derive_bytes
from grader.exam.manifest import Origin

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Lock:
    """The hashes of an exam, each SHA-256 as 64 hex digits.

    - `origin`: program, blueprint and roster.
    - `plan`: the hash of origin, formats and exports; a build is resumed only with the same plan.
    - `variants`: code -> the checksum of the paper, and the hash of its line in `exam.json`.
    - `files`: path -> hash, for every file but this one.
    - `seal`: HMAC-SHA-256 of all that, keyed with the secret; empty until it is sealed.
    """

    origin: Origin
    plan: str
    formats: tuple[str, ...]
    exports: tuple[str, ...]
    variants: Mapping[str, tuple[str, str]]
    files: Mapping[str, str]
    seal: str = ""


def seal(lock: Lock, secret: str) -> Lock:
    """Return the lock with its seal."""
    record = _record(lock)
    del record["seal"]
    content = canonical_json(record).encode()
    return replace(lock, seal=hmac.new(derive_bytes(secret, "seal"), content, sha256).hexdigest())


def write_lock(lock: Lock) -> str:
    """Return the text of `exam.lock`: JSON that can be compared line by line."""
    return json.dumps(_record(lock), indent=1, sort_keys=True) + "\n"


def read_lock(path: Path) -> Lock | None:
    """Read a lock; None if the file holds none. Raises `SchemaError` for another schema."""
    try:
        record = json.loads(path.read_text(encoding="utf-8", errors="replace"))
        if not isinstance(record, dict):
            return None
        require_schema(record, SCHEMA, str(path))
        origin = record["origin"]
        return Lock(
            origin=Origin(
                blueprint=str(origin["blueprint"]),
                roster=str(origin["roster"]),
                program=str(origin["program"]),
            ),
            plan=str(record["plan"]),
            formats=tuple(map(str, record["formats"])),
            exports=tuple(map(str, record["exports"])),
            variants={str(code): (str(paper), str(key)) for code, (paper, key) in record["variants"].items()},
            files={str(name): str(digest) for name, digest in record["files"].items()},
            seal=str(record["seal"]),
        )
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None


def _record(lock: Lock) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "origin": lock.origin.to_json(),
        "plan": lock.plan,
        "formats": lock.formats,
        "exports": lock.exports,
        "variants": dict(lock.variants),
        "files": dict(lock.files),
        "seal": lock.seal,
    }
