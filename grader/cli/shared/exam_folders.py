"""What the commands about an exam's folder share: the exam, its gradebook, and how to speak of states."""

import errno
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.base import suggest
from grader.cli.shared.sources import reason
from grader.cli.shared.terminal import refuse, report
from grader.exam.folders import EXAM, GRADES, PLAN, keep_private

if TYPE_CHECKING:
    from grader.grading.exam_keys import ExamKeys
    from grader.grading.executors import Start
    from grader.grading.gradebook import Gradebook
    from grader.grading.records import OddRow
    from grader.grading.results import Tally

BOOK = f"{GRADES}/gradebook.db"

ExamFolder = Annotated[
    Path,
    typer.Argument(metavar="DIR", help="The folder that `gametree exam build` made.", show_default=False),
]

Jobs = Annotated[
    int, typer.Option("-j", "--jobs", min=1, max=256, help="Processes that mark at the same time.")
]

ExecutorName = Annotated[
    str,
    typer.Option(
        "--executor",
        metavar="WHERE",
        help="Where replies are marked: processes, here, or dask:ADDRESS for a cluster.",
    ),
]


_REBUILD = "Build the exam again, or bring the file back."


def refuse_unfinished(folder: Path) -> None:
    """Refuse the folder of an exam whose build was stopped."""
    if (folder / PLAN).is_file():
        refuse(
            f"{folder} cannot be used: this build was not finished.",
            "Run `gametree exam build` again; it goes on where it was.",
        )


def open_exam_keys(folder: Path) -> "ExamKeys":
    """The exam in a folder; refuses what is none."""
    from grader.grading.exam_keys import ExamKeysError, read_exam_keys

    refuse_unfinished(folder)
    try:
        return read_exam_keys(folder)
    except ExamKeysError as error:
        refuse(f"{folder} cannot be graded: {error}.", _REBUILD)
    except OSError as error:
        refuse(f"{folder / EXAM} cannot be read: {reason(error)}.", "DIR is what `gametree exam build` made.")


@contextmanager
def open_book(folder: Path, exam_keys: "ExamKeys", *, create: bool = False) -> "Iterator[Gradebook]":
    """The gradebook of an exam, closed in the end; refuses what is none, is damaged, or another exam's."""
    from grader.grading.exam_keys import ExamKeysError
    from grader.grading.gradebook import Gradebook
    from grader.grading.gradebook_file import GradebookError
    from grader.grading.grading import refuse_strange

    try:
        if create:
            keep_private(folder / GRADES)
        book = Gradebook.open(folder / BOOK, create=create)
    except FileNotFoundError:
        refuse(f"{folder} has no gradebook yet.", f"gametree grade {folder} SUBMISSIONS makes one.")
    except GradebookError as error:
        refuse(f"{folder / BOOK} cannot be used: {error}.", _BRING_BACK)
    except OSError as error:
        refuse(f"{folder / BOOK} cannot be used: {reason(error)}.", _hint(error))
    with book:
        try:
            refuse_strange(book, exam_keys)
            yield book
        except GradebookError as error:
            refuse(f"{folder / BOOK} cannot be used: {error}.", _BRING_BACK)
        except OSError as error:
            if error.filename != str(book.path):
                raise
            refuse(f"{folder / BOOK} cannot be used: {reason(error)}.", _hint(error))
        except ExamKeysError as error:
            refuse(f"{folder} cannot be used: {error}.", _REBUILD)


_BRING_BACK = "Bring back a copy of it, or the exam it belongs to."


def _hint(error: OSError) -> str:
    """What to do when a gradebook cannot be used now."""
    match error.errno:
        case errno.EBUSY:
            return "Another program is writing to it; run the same command again when that has ended."
        case errno.ENOSPC:
            return "Make room on the disk, and run the same command again."
    return "If the folder cannot be written, make a copy that can, and use the copy."


def refuse_stranger(book: "Gradebook", exam_keys: "ExamKeys", said: str) -> None:
    """Refuse whoever is not in the class list, or of an open exam has handed nothing in; names the near."""
    from grader.tables.whose_row import alike

    if exam_keys.roster is None:
        people = dict.fromkeys(book.students(), "")
    else:
        people = {student.identifier: student.name for student in exam_keys.roster}
    if said in people:
        return
    words, same = set(said.casefold().split()), alike(said)
    near = [
        identifier
        for identifier, name in people.items()
        if alike(identifier) == same or (words and words <= set(name.casefold().split()))
    ] or suggest.near(said, people, 3)
    ways = [printable(f"{who} ({people[who]})" if people[who] else who, 100) for who in near[:3]]
    hint = f"Did you mean {' or '.join(ways)}?" if ways else "Students go by their identifiers."
    refuse(f"There is no student {printable(said, 60)!r}.", hint)


def executor(name: str, jobs: int) -> "Start":
    """How to start the executor of this name; refuses what is none."""
    from grader.grading.executors import ExecutorError, executor_named

    try:
        return executor_named(name, jobs)
    except ExecutorError as error:
        refuse(f"{error}.")


def printable(text: str, longest: int = 200) -> str:
    """Somebody else's text on one line, without anything that a terminal would obey."""
    from grader.base.safe_text import readable

    return readable(text, longest)


def counted(number: int, one: str, many: str = "") -> str:
    """`1 row`, `3 rows`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def tally_lines(tally: "Tally") -> list[str]:
    """The conservation line: students times questions are the states together."""
    states = [f"{count} {name}" for name, count in tally.states.items() if count]
    if tally.waiting:
        states.append(f"{tally.waiting} waiting")
    total = tally.students * tally.parts
    lines = [
        f"{counted(tally.students, 'student')} x {counted(tally.parts, 'question part')} = {total}: "
        + (" + ".join(states) or "nothing"),
        f"students without a row: {tally.without}",
    ]
    if tally.stale:
        lines.append(
            f"{counted(tally.stale, 'mark was', 'marks were')} made with another key or policy; "
            "see `gametree gradebook regrade`"
        )
    return lines


def report_odd(rows: Iterable["OddRow"], most: int = 40) -> None:
    """Say on stderr which rows did not simply count, and why."""
    listed = list(rows)
    for row in listed[:most]:
        who = f" {printable(row.said, 60)!r}" if row.said else ""
        near = f"; is it {printable(row.student, 60)!r}?" if row.fate == "alike" else ""
        report(f"  {row.fate}: {printable(row.place)}:{who} {printable(row.why, 300)}{near}")
    if len(listed) > most:
        report(f"  and {len(listed) - most} more; `gametree gradebook show DIR --rows` lists all")


@contextmanager
def files_work(what: str, hint: str) -> Iterator[None]:
    """Refuse when a file cannot be written meanwhile: `what` has stopped, and what to do then."""
    try:
        yield
    except OSError as error:
        refuse(f"{what} stopped: {reason(error)}.", hint)


@contextmanager
def executor_works() -> Iterator[None]:
    """Refuse when the executor cannot be started meanwhile."""
    from grader.grading.executors import ExecutorError

    try:
        yield
    except ExecutorError as error:
        refuse(f"{error}.")
