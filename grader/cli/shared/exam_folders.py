"""Open the exam in a folder, its gradebook and its scans; report rows and states."""

import errno
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Annotated

from grader.base import suggest
from grader.base.numbers import format_count
from grader.cli.shared.parameters import argument, option
from grader.cli.shared.refusals import REBUILD_HINT, disk_hint, error_text, refusing
from grader.cli.shared.sources import require_parsed
from grader.cli.shared.terminal import note, printable, refuse, report, report_few
from grader.exam.folders import (
    AMENDED_EXAM_FILE,
    BOXES_FILE,
    BUILD_PLAN_FILE,
    EXAM_FILE,
    GRADES_FOLDER,
    LOCK_FILE,
    digest_of,
    make_private_folder,
)

if TYPE_CHECKING:
    from grader.exam.manifest import Exam
    from grader.grading.decisions import Decision
    from grader.grading.exam_keys import ExamKeys
    from grader.grading.gradebook_store import Gradebook
    from grader.grading.records import OddRow
    from grader.grading.results import Result, StateCounts
    from grader.publishing.parallel import ParallelMap
    from grader.scanning.crops import Scans

GRADEBOOK_FILE = f"{GRADES_FOLDER}/gradebook.db"

ExamFolder = Annotated[Path, argument("DIR", "The folder that `gametree exam build` made.")]

Jobs = Annotated[
    int | None,
    option(
        "The number of processes. Default: one per core, and fewer for small jobs.",
        "-j",
        "--jobs",
        min=1,
        max=256,
    ),
]

OutFolder = Annotated[
    Path | None, option("Folder to write into. Default: one in DIR/grades.", "-o", "--output", metavar="OUT")
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

_AMENDED_HINT = (
    "Restore a copy of the file. If there is none, remove it, and repeat `gametree gradebook regrade "
    "--blueprint CHANGED.toml --apply`."
)
"""The hint for the keys of a regrade by a changed blueprint that cannot be used."""

_COPY_HINT = "If the disk is full, make room on it; if the folder cannot be written, make a copy that can."

NEW_GRADEBOOK_SECONDS = 5.0
"""A gradebook that is still empty after this is damaged, not one that another program is creating."""


def refuse_unfinished(folder: Path) -> None:
    """Refuse the folder of an exam whose build was stopped."""
    if (folder / BUILD_PLAN_FILE).is_file():
        refuse(
            f"{folder} cannot be used: this build was not finished.",
            "Run `gametree exam build` again; it continues where it stopped.",
        )


def _missing_hint(folder: Path) -> str:
    """Return the hint for an exam without its record: the folder of another thing, or a damaged exam."""
    return REBUILD_HINT if (folder / LOCK_FILE).exists() else EXAM_FOLDER_HINT


def _digest_of_lines(record: Path) -> str:
    """Return SHA-256 over a record without what Windows editors and Git change: its mark and line ends."""
    return sha256(record.read_bytes().removeprefix(BOM_UTF8).replace(b"\r\n", b"\n")).hexdigest()


def _refuse_changed(folder: Path) -> None:
    """Refuse an exam whose record, with the keys, is not the one that was locked; it may be missing."""
    from grader.publishing.exam_lock import read_lock

    record, lock = folder / EXAM_FILE, read_lock(folder / LOCK_FILE)
    locked = None if lock is None else lock.files.get(EXAM_FILE)
    if (
        locked is not None
        and record.is_file()
        and locked not in (digest_of(record), _digest_of_lines(record))
    ):
        refuse(
            f"{record} was changed after the exam was locked, so no mark can rest on it.",
            f"Restore a copy; `gametree exam verify {folder}` names the changes. Change points or rules "
            "with `gametree gradebook regrade --blueprint`, and accept other answers with `override`. "
            "If `gametree exam add` was stopped, run it again.",
        )


def open_exam_record(folder: Path) -> "Exam":
    """Return the exam in a folder with its papers; refuse a folder without a readable, unchanged exam."""
    from grader.exam.manifest import open_exam

    refuse_unfinished(folder)
    record = folder / EXAM_FILE
    with refusing(f"{record} cannot be read", OSError, hint=_missing_hint(folder)):
        exam = require_parsed(str(record), open_exam(folder))
    _refuse_changed(folder)
    return exam


def open_exam_keys(folder: Path, *, again: bool = False) -> "ExamKeys":
    """Return the keys of the exam in a folder; refuse a folder without a readable, unchanged exam.

    Lines that cannot be read are reported, unless the same command opens them `again`.
    """
    from grader.exam.spares import unreadable_assignments
    from grader.grading.exam_keys import ExamKeysError, read_exam_keys

    refuse_unfinished(folder)
    hint = _AMENDED_HINT if (folder / AMENDED_EXAM_FILE).exists() else REBUILD_HINT
    with (
        refusing(f"{folder / EXAM_FILE} cannot be read", OSError, hint=_missing_hint(folder)),
        refusing(f"{folder} cannot be graded", ExamKeysError, hint=hint),
    ):
        exam_keys = read_exam_keys(folder)
    _refuse_changed(folder)
    if not again:
        report_unreadable_lines(unreadable_assignments(folder))
    return exam_keys


def report_unreadable_lines(counts: Mapping[Path, int]) -> None:
    """Say which files have lines that could not be read and are left out, given how many each has."""
    for path, count in counts.items():
        lines = format_count(count, "line")
        note(
            f"{lines} of {path} cannot be read and {'is' if count == 1 else 'are'} left out, as after a "
            "program that was killed while it wrote. If the file was changed, restore a copy of it."
        )


@contextmanager
def open_book(folder: Path, exam_keys: "ExamKeys", *, create: bool = False) -> "Iterator[Gradebook]":
    """Open the gradebook of an exam; refuse one that is missing, damaged or of another exam."""
    from grader.grading.class_marking import refuse_unknown_variants
    from grader.grading.exam_keys import ExamKeysError
    from grader.grading.gradebook_file import GradebookError
    from grader.grading.gradebook_store import Gradebook

    path = folder / GRADEBOOK_FILE
    log_size = _log_bytes(path)
    try:
        if _stays_empty(path):
            if not create:
                refuse(f"{path} is empty.", "Restore a copy of it, or grade again, without the marks it had.")
            report(f"Warning: {path} was empty. Restore a copy of it if there were marks in it.")

        @cache  # once for a command
        def report_wait() -> None:
            report(f"Waiting for another program that is writing to {path}.")

        if create:
            make_private_folder(folder, GRADES_FOLDER)
        with Gradebook.open(path, create=create, on_wait=report_wait) as book:
            refuse_unknown_variants(book, exam_keys)
            yield book
        if _log_bytes(path) > log_size:  # closing the gradebook could not move the log into the file
            note(
                f"the newest marks are safe in {path.name}-wal, and go into {path.name} when no other "
                f"program has it open and the disk has room. Until then keep both together."
            )
    except GradebookError as error:
        refuse(f"{path} cannot be used: {error}.", "Restore a copy of it, or the exam it belongs to.")
    except ExamKeysError as error:
        refuse(f"{folder} cannot be used: {error}.", REBUILD_HINT)
    except OSError as error:
        if str(error.filename) not in (str(path), str(path.parent)):
            raise
        if error.errno == errno.ENOENT:
            refuse(f"{folder} has no gradebook yet.", f"gametree grade {folder} SUBMISSIONS makes one.")
        refuse(f"{path} cannot be used: {error_text(error)}.", disk_hint(error) or _COPY_HINT)


def read_hand_marks(folder: Path) -> "list[Decision]":
    """Return the marks that were set by hand in an exam, also from a gradebook of an older version."""
    from grader.grading.gradebook_file import GradebookError
    from grader.grading.hand_marks import earlier_hand_marks, hand_marks
    from grader.grading.results import results

    with refusing(f"{folder / GRADEBOOK_FILE} cannot be read", GradebookError, OSError):
        marks = earlier_hand_marks(folder / GRADEBOOK_FILE)
    if marks is None:
        exam_keys = open_exam_keys(folder)
        with open_book(folder, exam_keys) as book:
            marks = hand_marks(results(book, exam_keys))
    return marks


def _stays_empty(path: Path) -> bool:
    """Return whether the gradebook is an empty file; wait for another program that may be creating it."""
    until = monotonic() + NEW_GRADEBOOK_SECONDS
    while path.is_file() and not path.stat().st_size:
        if monotonic() > until:
            return True
        sleep(0.02)
    return False


def _log_bytes(path: Path) -> int:
    """The size of SQLite's write-ahead log of a gradebook; 0 if there is none."""
    with suppress(OSError):
        return path.with_name(f"{path.name}-wal").stat().st_size
    return 0


def scans_of(folder: Path) -> "Scans | None":
    """Return the scans of an exam, or None if it has none or Pillow is not installed.

    An exam whose record of boxes is unreadable is refused.
    """
    from grader.scanning.crops import Scans

    if find_spec("PIL") is None:  # it came with the extra that reads scans
        return None
    with refusing(f"{folder / BOXES_FILE} cannot be used", ValueError, hint=REBUILD_HINT):
        return Scans.of(folder)


def class_results(book: "Gradebook", exam_keys: "ExamKeys", folder: Path) -> "Iterator[Result]":
    """Iterate over what every student has.

    A part without a reply says which page of the paper is missing, if others were scanned.
    """
    from grader.exercises.marking import State
    from grader.grading.results import results

    scans = scans_of(folder)
    if scans is None:
        yield from results(book, exam_keys)
        return
    for result in results(book, exam_keys):
        standings = []
        for standing in result.standings:
            pages = scans.missing_pages(standing.variant, standing.question)
            if standing.state is State.MISSING and pages:
                standing = replace(standing, message=missing_pages_text(pages))
            standings.append(standing)
        yield replace(result, standings=tuple(standings))


def missing_pages_text(pages: Sequence[int]) -> str:
    """Say which pages of a paper are missing."""
    numbers = " and ".join(map(str, pages))
    return f"page {numbers} is missing" if len(pages) == 1 else f"pages {numbers} are missing"


def refuse_unknown_student(book: "Gradebook", exam_keys: "ExamKeys", name: str) -> None:
    """Refuse a student who is not in the class list, or has no submission in an open exam; suggest others."""
    from grader.tables.student_directory import identifier_key

    if exam_keys.roster is None:
        people = dict.fromkeys(book.students(), "")
    else:
        people = {student.identifier: student.name for student in exam_keys.roster}
    if name in people:
        return
    words, key = set(name.casefold().split()), identifier_key(name)
    near = [
        identifier
        for identifier, known_name in people.items()
        if identifier_key(identifier) == key or (words and words <= set(known_name.casefold().split()))
    ] or suggest.close_matches(name, people, 3)
    labels = [
        printable(f"{identifier} ({people[identifier]})" if people[identifier] else identifier, 100)
        for identifier in near[:3]
    ]
    hint = f"Did you mean {' or '.join(labels)}?" if labels else "Students are named by their identifiers."
    refuse(f"There is no student {printable(name, 60)!r}.", hint)


def state_lines(counts: "StateCounts") -> list[str]:
    """The line in which the states add up to students times parts, and lines about what needs attention."""
    states = {**counts.states, "waiting": counts.waiting}
    summary = " + ".join(f"{count} {name}" for name, count in states.items() if count) or "nothing"
    pairs = f"{format_count(counts.students, 'student')} x {format_count(counts.parts, 'question part')}"
    lines = [
        f"{pairs} = {counts.students * counts.parts}: {summary}",
        f"students absent (no row, or an empty row): {counts.without_points}",
    ]
    if counts.scanned:
        waiting = format_count(counts.scanned, "reply waits", "replies wait")
        lines.append(f"{waiting} for a person to look at the scan; see `gametree review`")
    if counts.stale:
        lines.append(
            f"{format_count(counts.stale, 'mark was', 'marks were')} made with another key or policy; "
            "see `gametree gradebook regrade`"
        )
    return lines


def report_odd(rows: "Sequence[OddRow]") -> None:
    """Report on stderr the rows that did not simply count, and why."""

    def describe(row: "OddRow") -> str:
        label = f", {printable(row.as_written, 60)!r}" if row.as_written else ""
        suggestion = f"; is it {printable(row.student, 60)!r}?" if row.fate == "alike" else ""
        return f"{row.fate}: {printable(row.place)}{label}: {printable(row.why, 300)}{suggestion}"

    report_few(rows, describe, 40, "; `gametree gradebook show DIR --rows` lists all")


@contextmanager
def reporting_interrupt(hint: str) -> Iterator[None]:
    """Let the sentence about Ctrl-C end with a hint how to go on."""
    try:
        yield
    except KeyboardInterrupt as interrupt:
        interrupt.args = interrupt.args or (hint,)  # that of the inner part is more exact
        raise


def working_side_by_side(jobs: int | None, seconds: float) -> "AbstractContextManager[ParallelMap]":
    """A pool of processes for work that takes one process about this many seconds."""
    from grader.base.processes import worker_count
    from grader.publishing.parallel import worker_pool

    return worker_pool(worker_count(jobs, seconds))
