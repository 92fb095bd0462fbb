"""What the commands about an exam's folder share: the exam, its gradebook, and how to speak of states."""

import errno
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Annotated

from grader.base import suggest
from grader.cli.shared.parameters import argument, option
from grader.cli.shared.refusals import disk_hint, error_text, refusing
from grader.cli.shared.terminal import (
    format_count,
    note,
    printable,
    refuse,
    report,
    report_few,
)
from grader.exam.folders import BUILD_PLAN_FILE, EXAM_FILE, GRADES_FOLDER, make_private_folder

if TYPE_CHECKING:
    from grader.grading.exam_keys import ExamKeys
    from grader.grading.gradebook_store import Gradebook
    from grader.grading.records import OddRow
    from grader.grading.results import StateCounts
    from grader.publishing.parallel import ParallelMap
    from grader.scanning.crops import Scans

GRADEBOOK_FILE = f"{GRADES_FOLDER}/gradebook.db"

ExamFolder = Annotated[Path, argument("DIR", "The folder that `gametree exam build` made.")]

Jobs = Annotated[
    int | None,
    option(
        "How many processes work side by side; without it as many as this machine has cores, "
        "and fewer where there is little to do.",
        "-j",
        "--jobs",
        min=1,
        max=256,
    ),
]

OutFolder = Annotated[
    Path | None, option("Folder to write into; else one in DIR/grades.", "-o", "--output", metavar="OUT")
]

ExecutorName = Annotated[
    str,
    option(
        "Where replies are marked: processes, here, or dask:ADDRESS for a cluster.",
        "--executor",
        metavar="WHERE",
    ),
]


EXAM_FOLDER_HINT = "DIR is what `gametree exam build` made."

REBUILD_HINT = "Build the exam again, or bring the file back."
"""What to do about a file of an exam that cannot be used."""


def refuse_unfinished(folder: Path) -> None:
    """Refuse the folder of an exam whose build was stopped."""
    if (folder / BUILD_PLAN_FILE).is_file():
        refuse(
            f"{folder} cannot be used: this build was not finished.",
            "Run `gametree exam build` again; it goes on where it was.",
        )


def open_exam_keys(folder: Path) -> "ExamKeys":
    """The exam in a folder; refuses what is none."""
    from grader.grading.exam_keys import ExamKeysError, read_exam_keys

    refuse_unfinished(folder)
    with (
        refusing(f"{folder / EXAM_FILE} cannot be read", OSError, hint=EXAM_FOLDER_HINT),
        refusing(f"{folder} cannot be graded", ExamKeysError, hint=REBUILD_HINT),
    ):
        return read_exam_keys(folder)


@contextmanager
def open_book(folder: Path, exam_keys: "ExamKeys", *, create: bool = False) -> "Iterator[Gradebook]":
    """The gradebook of an exam, closed in the end; refuses what is none, is damaged, or another exam's."""
    from grader.grading.class_marking import refuse_unknown_variants
    from grader.grading.exam_keys import ExamKeysError
    from grader.grading.gradebook_file import GradebookError
    from grader.grading.gradebook_store import Gradebook

    path = folder / GRADEBOOK_FILE
    before = _logged(path)
    try:
        if _stays_empty(path):
            if not create:
                refuse(
                    f"{path} is empty.", "Bring back a copy of it, or grade again, without the marks it had."
                )
            report(f"Warning: {path} was empty. Bring back a copy of it if there were marks in it.")
        if create:
            make_private_folder(path.parent)
        with Gradebook.open(path, create=create, tell=_told_once(path)) as book:
            refuse_unknown_variants(book, exam_keys)
            yield book
        if _logged(path) > before:
            _note_log(path)
    except GradebookError as error:
        refuse(f"{path} cannot be used: {error}.", "Bring back a copy of it, or the exam it belongs to.")
    except ExamKeysError as error:
        refuse(f"{folder} cannot be used: {error}.", REBUILD_HINT)
    except OSError as error:
        if str(error.filename) not in (str(path), str(path.parent)):
            raise
        if error.errno == errno.ENOENT:
            refuse(f"{folder} has no gradebook yet.", f"gametree grade {folder} SUBMISSIONS makes one.")
        refuse(f"{path} cannot be used: {error_text(error)}.", disk_hint(error) or _COPY_HINT)


NEW_GRADEBOOK_SECONDS = 5.0
"""After so many seconds a gradebook that is still empty is not one that another program is just making."""


def _stays_empty(path: Path) -> bool:
    """Whether there is a gradebook with nothing in it, and nobody is just making it."""
    until = monotonic() + NEW_GRADEBOOK_SECONDS
    while path.is_file() and not path.stat().st_size:
        if monotonic() > until:
            return True
        sleep(0.02)
    return False


def _told_once(path: Path) -> Callable[[], None]:
    """Says, when it is first called, that another program is waited for."""
    return cache(lambda: report(f"Waiting for another program that is writing to {path}."))


def _logged(path: Path) -> int:
    """The bytes that are in the log beside a gradebook, and perhaps not in the file itself yet."""
    with suppress(OSError):
        return path.with_name(f"{path.name}-wal").stat().st_size
    return 0


def _note_log(path: Path) -> None:
    """Say that what was written could not be put into the file of a gradebook when that was closed."""
    note(
        f"the newest marks are safe in {path.name}-wal, and go into {path.name} when no other program has it "
        f"open and the disk has room. Until then keep both together."
    )


_COPY_HINT = "If the disk is full, make room on it; if the folder cannot be written, make a copy that can."


def scans_of(folder: Path) -> "Scans | None":
    """The scans of an exam, if there are any; refuses where nobody can say what is on them."""
    from grader.exam.folders import BOXES_FILE
    from grader.scanning.crops import Scans

    if find_spec("PIL") is None:  # it came with the extra that reads scans
        return None
    with refusing(f"{folder / BOXES_FILE} cannot be used", ValueError, hint=REBUILD_HINT):
        return Scans.of(folder)


def refuse_unknown_student(book: "Gradebook", exam_keys: "ExamKeys", said: str) -> None:
    """Refuse whoever is not in the class list, or of an open exam has handed nothing in; names the near."""
    from grader.tables.student_directory import identifier_key

    if exam_keys.roster is None:
        people = dict.fromkeys(book.students(), "")
    else:
        people = {student.identifier: student.name for student in exam_keys.roster}
    if said in people:
        return
    words, same = set(said.casefold().split()), identifier_key(said)
    near = [
        identifier
        for identifier, name in people.items()
        if identifier_key(identifier) == same or (words and words <= set(name.casefold().split()))
    ] or suggest.close_matches(said, people, 3)
    ways = [printable(f"{who} ({people[who]})" if people[who] else who, 100) for who in near[:3]]
    hint = f"Did you mean {' or '.join(ways)}?" if ways else "Students go by their identifiers."
    refuse(f"There is no student {printable(said, 60)!r}.", hint)


def state_lines(counts: "StateCounts") -> list[str]:
    """The conservation line: students times questions are the states together."""
    states = {**counts.states, "waiting": counts.waiting}
    told = " + ".join(f"{count} {name}" for name, count in states.items() if count) or "nothing"
    pairs = f"{format_count(counts.students, 'student')} x {format_count(counts.parts, 'question part')}"
    lines = [
        f"{pairs} = {counts.students * counts.parts}: {told}",
        f"students without a row: {counts.without_points}",
    ]
    if counts.scanned:
        waits = format_count(counts.scanned, "reply waits", "replies wait")
        lines.append(f"{waits} for a person to look at the scan; see `gametree scan --review`")
    if counts.stale:
        lines.append(
            f"{format_count(counts.stale, 'mark was', 'marks were')} made with another key or policy; "
            "see `gametree gradebook regrade`"
        )
    return lines


def report_odd(rows: "Sequence[OddRow]") -> None:
    """Say on stderr which rows did not simply count, and why."""

    def said(row: "OddRow") -> str:
        who = f" {printable(row.said, 60)!r}" if row.said else ""
        near = f"; is it {printable(row.student, 60)!r}?" if row.fate == "alike" else ""
        return f"{row.fate}: {printable(row.place)}:{who} {printable(row.why, 300)}{near}"

    report_few(rows, said, 40, "; `gametree gradebook show DIR --rows` lists all")


@contextmanager
def reporting_interrupt(hint: str) -> Iterator[None]:
    """Say what is kept and how to go on when somebody stops the program meanwhile."""
    try:
        yield
    except KeyboardInterrupt:
        report(f"Stopped. {hint}")
        raise


def working_side_by_side(jobs: int | None, seconds: float) -> "AbstractContextManager[ParallelMap]":
    """A pool of processes for work that takes one process about this many seconds."""
    from grader.base.processes import worker_count
    from grader.publishing.parallel import worker_pool

    return worker_pool(worker_count(jobs, seconds))
