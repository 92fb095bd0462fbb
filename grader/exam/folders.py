"""Where things are in the folder of an exam."""

from collections.abc import Iterator
from hashlib import file_digest
from pathlib import Path, PurePosixPath

PUBLISH = "publish"
"""For students: papers, and nothing that depends on a key."""

INSTRUCTOR = "instructor"
"""For instructors: keys, and everything that carries keys."""

PAPERS = f"{PUBLISH}/papers"
PRINT = f"{PUBLISH}/print.pdf"
KEYS = f"{INSTRUCTOR}/keys"
ALL_KEYS = f"{INSTRUCTOR}/keys.pdf"
EXAM = f"{INSTRUCTOR}/exam.json"
LOCK = f"{INSTRUCTOR}/exam.lock"
CATALOGUE = f"{INSTRUCTOR}/language.po"
"""A copy of the teacher's own catalogue of sentences, where the blueprint names one."""

ASSIGNMENT = f"{INSTRUCTOR}/assignment.csv"
ENTRY = f"{INSTRUCTOR}/entry.xlsx"
BOXES = f"{INSTRUCTOR}/boxes.json"
"""Where the boxes are on papers that are scanned."""

GRADES = "grades"
"""Where everything about marks is: apart from the sealed papers and keys."""

MENDED = f"{GRADES}/exam.json"
"""What marks are made by after a regrade by a changed blueprint: papers and keys stay as they are sealed."""

JOURNAL = f"{INSTRUCTOR}/.building"
"""What an interrupted build has done so far; gone when it is finished."""

PLAN = f"{JOURNAL}/plan"
"""What is to be built: as long as it is there the exam is unfinished; a journal without it is rubbish."""

AT_WORK = f"{JOURNAL}/at-work"
"""What a build holds as long as it is at work."""


def keep_private(folder: Path) -> None:
    """Make a folder into which nobody else on the machine can look; one that is there stays as it is."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def digest_of(path: Path) -> str:
    """SHA-256 over the bytes of a file, as 64 hex digits."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def files_of(folder: Path) -> Iterator[str]:
    """Every file of an exam but its lock and its journal, as paths with slashes, sorted."""
    for part in (INSTRUCTOR, PUBLISH):
        names = (path.relative_to(folder) for path in (folder / part).rglob("*") if path.is_file())
        for name in sorted(map(PurePosixPath, (name.as_posix() for name in names))):
            if str(name) != LOCK and not str(name).startswith(f"{JOURNAL}/"):
                yield str(name)
