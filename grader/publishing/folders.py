"""Where things are in the folder of an exam, and how a file is written so that it is whole or not there."""

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path, PurePosixPath

PUBLISH = "publish"
"""For students: papers, and nothing that depends on a key."""

INSTRUCTOR = "instructor"
"""For instructors: keys, and everything that carries keys."""

PAPERS = f"{PUBLISH}/papers"
PRINT = f"{PUBLISH}/print.pdf"
KEYS = f"{INSTRUCTOR}/keys"
EXAM = f"{INSTRUCTOR}/exam.json"
LOCK = f"{INSTRUCTOR}/exam.lock"
ASSIGNMENT = f"{INSTRUCTOR}/assignment.csv"
GRADES = "grades"
"""Where everything about marks is: apart from the sealed papers and keys."""

JOURNAL = f"{INSTRUCTOR}/.building"
"""What an interrupted build has done so far; gone when it is finished."""


def write_file(path: Path, data: bytes, *, lasting: bool = False) -> None:
    """Write a file beside its place and move it there, so that nobody ever sees a part of it.

    Waits until the disk has it only when it is to be `lasting`: all others are checked by their hashes.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with beside.open("wb") as file:
        file.write(data)
        if lasting:
            file.flush()
            os.fsync(file.fileno())
    beside.replace(path)


def digest_of(path: Path) -> str:
    """SHA-256 over the bytes of a file, as 64 hex digits."""
    with path.open("rb") as file:
        digest = sha256()
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def files_of(folder: Path) -> Iterator[str]:
    """Every file of an exam but its lock and its journal, as paths with slashes, sorted."""
    for part in (INSTRUCTOR, PUBLISH):
        names = (path.relative_to(folder) for path in (folder / part).rglob("*") if path.is_file())
        for name in sorted(map(PurePosixPath, (name.as_posix() for name in names))):
            if str(name) != LOCK and not str(name).startswith(f"{JOURNAL}/"):
                yield str(name)
