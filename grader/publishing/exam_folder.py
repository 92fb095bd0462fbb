"""The folder of an exam while it is built: one build at a time, and no file that is half there."""

import json
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from grader.base.canonical_json import canonical_json
from grader.base.files import HeldError, holding, writing
from grader.base.hinted import HintedError
from grader.base.records import require_schema, stamp
from grader.base.safe_text import readable
from grader.exam.folders import (
    AT_WORK,
    EXAM,
    GRADES,
    INSTRUCTOR,
    JOURNAL,
    LOCK,
    PLAN,
    PUBLISH,
    keep_private,
)
from grader.publishing.sealing import read_lock
from grader.version import PROGRAM


class BuildError(HintedError):
    """The exam cannot be built."""


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep other builds out of a folder, and leave no journal there that nobody can go on with."""
    if folder.exists() and not folder.is_dir():
        raise BuildError(f"{folder} is a file", "name a folder for the exam")
    journal = folder / JOURNAL
    others = (path for path in folder.rglob("*") if not path.is_dir() and journal not in path.parents)
    if not _holds_exam(folder) and any(others):
        raise BuildError(f"{folder} holds something that is no exam", "name a new folder")
    keep_private(folder / INSTRUCTOR)
    try:
        with holding(folder / AT_WORK):
            try:
                yield
            finally:
                if not (folder / PLAN).exists():
                    clear(journal, AT_WORK)
    except HeldError:
        hint = "wait until it has ended, or name a new folder"
        raise BuildError(f"another build is at work in {folder}", hint) from None
    finally:
        with suppress(OSError):  # when something is left in it
            journal.rmdir()


def _holds_exam(folder: Path) -> bool:
    """Whether there is an exam in a folder, finished or not."""
    return any((folder / name).is_file() for name in (EXAM, LOCK, PLAN))


SCHEMA = 1
"""Of the plan, and with it of the journal: nothing there is read under another plan."""


def prepare(folder: Path, plan: str, force: bool) -> None:
    """Make the folder ready for this plan: new, half built by the same plan, or cleared with `force`.

    Raises `SchemaError` where a build of another schema was begun, or is finished, and must not be replaced.
    """
    begun = _begun(folder)
    stamped = {**stamp(SCHEMA), "plan": plan}
    if begun == stamped:
        return
    # What is to be removed is no exam any more from the first file on, and says so until all are gone.
    clearing = {**stamped, "clearing": True}
    if begun != clearing and _holds_exam(folder):
        _refuse(folder, plan, force)
    write_to(folder, PLAN, canonical_json(clearing).encode(), lasting=True)
    clear(folder / PUBLISH)
    clear(folder / INSTRUCTOR, JOURNAL)
    clear(folder / JOURNAL, PLAN, AT_WORK)
    write_to(folder, PLAN, canonical_json(stamped).encode())


def _begun(folder: Path) -> dict[str, Any]:
    """Return the plan of the build that was begun in a folder; empty where there is none, or none to read."""
    try:
        plan = json.loads((folder / PLAN).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError, RecursionError):
        return {}
    return plan if isinstance(plan, dict) else {}


def _refuse(folder: Path, plan: str, force: bool) -> None:
    """Refuse to replace an exam, unless it may be."""
    if not force:
        begun = _begun(folder)
        require_schema(begun, SCHEMA, str(folder / PLAN))
        made = None if (folder / PLAN).exists() else read_lock(folder / LOCK)
        if made is not None and made.plan == plan:
            hint = "`gametree exam verify` checks it; --force builds it anew"
            raise BuildError(f"{folder} holds this exam already", hint)
        maker = begun.get("program", PROGRAM) if made is None else made.origin.program
        if maker != PROGRAM:
            raise BuildError(
                f"{folder} holds an exam of {readable(str(maker), 60)}, and this is {PROGRAM}",
                "name a new folder; --force replaces what is there, handed out or not",
            )
        raise BuildError(
            f"{folder} holds an exam of another blueprint, class list or choice of files",
            "name a new folder; --force replaces what is there, handed out or not",
        )
    if (folder / GRADES).exists():
        raise BuildError(
            f"{folder} was graded: its marks belong to the exam that is there",
            f"name a new folder, or move {folder / GRADES} away first",
        )


def clear(folder: Path, *but: str) -> None:
    """Remove everything in a folder, if there is one, but what is at one of these places in an exam."""
    kept = {PurePosixPath(name).name for name in but}
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.name not in kept:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()


def writing_to(folder: Path, name: str, *, lasting: bool = False) -> AbstractContextManager[BinaryIO]:
    """A file of the exam to write to; until it is whole it is in the journal, which is gone in the end."""
    return writing(folder / name, beside=folder / JOURNAL, lasting=lasting)


def write_to(folder: Path, name: str, data: bytes, *, lasting: bool = False) -> None:
    """Write one file of the folder; one that was begun and not finished does not stay."""
    with writing_to(folder, name, lasting=lasting) as file:
        file.write(data)
