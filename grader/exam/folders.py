"""The paths inside the folder of an exam."""

from collections.abc import Iterator
from hashlib import file_digest
from pathlib import Path, PurePosixPath

PUBLISH_FOLDER = "publish"
"""For students: papers, and nothing that depends on a key."""

INSTRUCTOR_FOLDER = "instructor"
"""For instructors: keys, and everything that carries keys."""

PAPERS_FOLDER = f"{PUBLISH_FOLDER}/papers"
PRINT_FILE = f"{PUBLISH_FOLDER}/print.pdf"
KEYS_FOLDER = f"{INSTRUCTOR_FOLDER}/keys"
ALL_KEYS_FILE = f"{INSTRUCTOR_FOLDER}/keys.pdf"
EXAM_FILE = f"{INSTRUCTOR_FOLDER}/exam.json"
LOCK_FILE = f"{INSTRUCTOR_FOLDER}/exam.lock"
CATALOGUE_FILE = f"{INSTRUCTOR_FOLDER}/language.po"
"""A copy of the teacher's own catalogue of sentences, where the blueprint names one."""

ASSIGNMENT_FILE = f"{INSTRUCTOR_FOLDER}/assignment.csv"
ENTRY_FILE = f"{INSTRUCTOR_FOLDER}/entry.xlsx"
BOXES_FILE = f"{INSTRUCTOR_FOLDER}/boxes.json"
"""Where the boxes are on papers that are scanned."""

FAIRNESS_TABLE_FILE = f"{INSTRUCTOR_FOLDER}/fairness.csv"
FAIRNESS_PLOT_FILE = f"{INSTRUCTOR_FOLDER}/fairness.svg"
"""The expected points of the papers; not sealed, because they are made from the record at any time."""

GRADES_FOLDER = "grades"
"""Where everything about marks is: apart from the sealed papers and keys."""

ASSIGNED_FILE = f"{GRADES_FOLDER}/assigned.jsonl"
"""Whose each spare paper is, as people have said: lines that are appended and never changed."""

ASSIGNED_ENTRY_FILE = f"{GRADES_FOLDER}/entry-assigned-{{number}}.xlsx"
"""The workbook for the replies on spare papers that were assigned together; each has the next number."""

AMENDED_EXAM_FILE = f"{GRADES_FOLDER}/exam.json"
"""The exam by which marks are made after a regrade by a changed blueprint; the sealed one stays as it is."""

BUILD_FOLDER = f"{INSTRUCTOR_FOLDER}/.building"
"""The journal of an unfinished build; removed when it is finished."""

BUILD_PLAN_FILE = f"{BUILD_FOLDER}/plan"
"""The plan of a build: the exam is unfinished while it exists; a journal without it is ignored."""

BUILD_LOCK_FILE = f"{BUILD_FOLDER}/at-work"
"""The lock that a running build holds."""

REBUILD_ADVICE = (
    "restore a copy of the file; if there is none, build the exam again into a new folder with the version "
    "that built it: the same blueprint and class list make the same file"
)
"""What to do about a file of an exam that is missing or cannot be used."""


def name_of_batch(name: str, batch: int) -> str:
    """Return the name of a file for one batch of students: that of the build, or `print-added-1.pdf`."""
    path = PurePosixPath(name)
    return name if not batch else str(path.with_name(f"{path.stem}-added-{batch}{path.suffix}"))


def make_private_folder(folder: Path, name: str) -> Path:
    """Make the folder `name` inside another one, and return it.

    Other users of the machine can read neither it nor a folder between the two; those that exist stay as
    they are.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for part in name.split("/"):
        folder /= part
        folder.mkdir(mode=0o700, exist_ok=True)  # with `parents` only the last one would get the mode
    return folder


def digest_of(path: Path) -> str:
    """Return SHA-256 over the bytes of a file, as 64 hex digits."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def exam_files(folder: Path) -> Iterator[str]:
    """Yield every file of an exam that is sealed, as paths with slashes, sorted.

    Its lock, its journal and its certificate of fairness are not.
    """
    unsealed = {LOCK_FILE, FAIRNESS_TABLE_FILE, FAIRNESS_PLOT_FILE}
    for part in (INSTRUCTOR_FOLDER, PUBLISH_FOLDER):
        names = (path.relative_to(folder) for path in (folder / part).rglob("*") if path.is_file())
        for name in sorted(map(PurePosixPath, (name.as_posix() for name in names))):
            if str(name) not in unsealed and not str(name).startswith(f"{BUILD_FOLDER}/"):
                yield str(name)
