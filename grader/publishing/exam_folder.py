"""The folder of an exam during a build: one build at a time, and never a file that is half written."""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from hashlib import sha256
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from grader.base.canonical_json import canonical_json, parse_json
from grader.base.files import FileLockedError, atomic_writer, lock_file
from grader.base.hinted_error import HintedError
from grader.base.records import require_schema, stamp
from grader.base.safe_text import safe_line
from grader.exam.folders import (
    BUILD_FOLDER,
    BUILD_LOCK_FILE,
    BUILD_PLAN_FILE,
    EXAM_FILE,
    GRADES_FOLDER,
    INSTRUCTOR_FOLDER,
    LOCK_FILE,
    PUBLISH_FOLDER,
    make_private_folder,
)
from grader.publishing.exam_lock import read_lock
from grader.version import PROGRAM


class BuildError(HintedError):
    """The exam cannot be built."""


@contextmanager
def exclusive_build(folder: Path) -> Iterator[None]:
    """Keep other builds out of a folder; remove its journal at the end unless the build can be resumed.

    Raises `BuildError` if another build is running, or the folder contains something else.
    """
    if folder.exists() and not folder.is_dir():
        raise BuildError(f"{folder} is a file", "name a folder for the exam")
    journal = folder / BUILD_FOLDER
    others = (path for path in folder.rglob("*") if not path.is_dir() and journal not in path.parents)
    if not _holds_exam(folder) and any(others):
        raise BuildError(f"{folder} contains something that is not an exam", "name a new folder")
    make_private_folder(folder, INSTRUCTOR_FOLDER)
    try:
        with lock_file(folder / BUILD_LOCK_FILE):
            try:
                yield
            finally:
                if not (folder / BUILD_PLAN_FILE).exists():
                    clear_folder(journal, BUILD_LOCK_FILE)
    except FileLockedError:
        hint = "wait until it has ended, or name a new folder"
        raise BuildError(f"another build is running in {folder}", hint) from None
    finally:
        with suppress(OSError):  # when something is left in it
            journal.rmdir()


def _holds_exam(folder: Path) -> bool:
    """Return whether a folder holds an exam, finished or not."""
    return any((folder / name).is_file() for name in (EXAM_FILE, LOCK_FILE, BUILD_PLAN_FILE))


SCHEMA = 1
"""The schema of the plan, and so of the journal, which is only read under the same plan."""


def prepare_folder(folder: Path, plan: str, force: bool) -> None:
    """Prepare the folder for this plan: new, half built by the same plan, or cleared with `force`.

    Raises `BuildError` if it holds another exam and `force` is not set, or marks; `SchemaError` if it holds
    a build of another schema that must not be replaced.
    """
    begun = _begun_plan(folder)
    stamped = {**stamp(SCHEMA), "plan": plan}
    if begun == stamped:
        return
    # A half-cleared folder is not an exam, and this plan says so until all its files are gone.
    clearing = {**stamped, "clearing": True}
    if begun != clearing and _holds_exam(folder):
        _require_replaceable(folder, plan, force)
    write_exam_file(folder, BUILD_PLAN_FILE, canonical_json(clearing).encode(), lasting=True)
    clear_folder(folder / PUBLISH_FOLDER)
    clear_folder(folder / INSTRUCTOR_FOLDER, BUILD_FOLDER)
    clear_folder(folder / BUILD_FOLDER, BUILD_PLAN_FILE, BUILD_LOCK_FILE)
    write_exam_file(folder, BUILD_PLAN_FILE, canonical_json(stamped).encode())


def _begun_plan(folder: Path) -> dict[str, Any]:
    """Return the plan of the build in progress; empty if there is none, or none that can be read."""
    try:
        plan = parse_json((folder / BUILD_PLAN_FILE).read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return plan if isinstance(plan, dict) else {}


def _require_replaceable(folder: Path, plan: str, force: bool) -> None:
    """Raise `BuildError` or `SchemaError` if the exam in a folder must not be replaced."""
    if not force:
        begun = _begun_plan(folder)
        require_schema(begun, SCHEMA, str(folder / BUILD_PLAN_FILE))
        lock = None if (folder / BUILD_PLAN_FILE).exists() else read_lock(folder / LOCK_FILE)
        if lock is not None and lock.plan == plan:
            hint = "`gametree exam verify` checks it; --force builds it again"
            raise BuildError(f"{folder} already contains this exam", hint)
        maker = begun.get("program", PROGRAM) if lock is None else lock.origin.program
        if maker != PROGRAM:
            raise BuildError(
                f"{folder} contains an exam of {safe_line(str(maker), 60)}, and this is {PROGRAM}",
                "name a new folder; --force replaces what is there, handed out or not",
            )
        raise BuildError(
            f"{folder} contains an exam of another blueprint, class list or choice of files",
            "name a new folder; --force replaces what is there, handed out or not",
        )
    if (folder / GRADES_FOLDER).exists():
        raise BuildError(
            f"{folder} was graded: its marks belong to the exam that is there",
            f"name a new folder, or move {folder / GRADES_FOLDER} away first",
        )


def clear_folder(folder: Path, *but: str) -> None:
    """Remove everything in a folder, if it exists, except entries with the name of one of these paths."""
    kept_names = {PurePosixPath(name).name for name in but}
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.name not in kept_names:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()


def open_exam_file(folder: Path, name: str, *, lasting: bool = False) -> AbstractContextManager[BinaryIO]:
    """Open a file of the exam to write to; until it is complete it is in the journal."""
    return atomic_writer(folder / name, temporary_folder=folder / BUILD_FOLDER, lasting=lasting)


def write_exam_file(folder: Path, name: str, data: bytes, *, lasting: bool = False) -> None:
    """Write one file of the exam, completely or not at all."""
    with open_exam_file(folder, name, lasting=lasting) as file:
        file.write(data)


def write_journal(folder: Path, name: str, lines: Iterable[bytes]) -> None:
    """Write lines into a file of the journal; a last one has their SHA-256, which shows damage."""
    digest = sha256()
    with open_exam_file(folder, name) as file:
        for line in lines:
            digest.update(line)
            file.write(line)
        file.write(f"{digest.hexdigest()}\n".encode())


def journal_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines in a complete file of the journal one by one, without their SHA-256."""
    with path.open("rb") as file:
        for line, _next in pairwise(file):
            yield line


def read_journal(path: Path) -> list[bytes]:
    """Return the lines in a file of the journal; none if it is not there, or not as it was written."""
    with suppress(FileNotFoundError):
        *lines, digest = path.read_bytes().splitlines(keepends=True) or [b""]
        if digest == f"{sha256(b''.join(lines)).hexdigest()}\n".encode():
            return lines
    return []
