"""Marking a class: shards go to any executor, and what they wrote goes into the gradebook."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count, groupby, islice
from operator import attrgetter
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from time import time
from typing import TypeAlias

from grader.grading.exam_keys import ExamKeys
from grader.grading.executors import ExecutorError, Start
from grader.grading.gradebook import Gradebook
from grader.grading.gradebook_file import GradebookError
from grader.grading.records import Entry, Submission
from grader.grading.shards import Shard, StudentReply, Unit, give_up, mark_shard, read_place, split

SIZE = 2_000
"""The most students in a shard."""

AHEAD = 3
"""So many shards wait for each worker, so that none is idle and memory stays flat."""

TRIES = 2
"""A reply that ends its worker is tried so often, alone, before it is given up."""

RUN = "marking-"
"""How the folder of a run is called, up to what tells it from others."""

ABANDONED = 24 * 3600.0
"""The seconds after which a folder in which nothing happens belongs to no run."""

Sink: TypeAlias = Callable[[list[Entry]], None]


@dataclass(slots=True)
class GradingRun:
    """How a run of shards went: marks by state, and replies that were given up."""

    counts: Counter[str] = field(default_factory=Counter)
    given_up: int = 0


def grade(
    book: Gradebook,
    exam_keys: ExamKeys,
    start: Start,
    *,
    jobs: int = 1,
    tell: Callable[[int], None] = lambda _marks: None,
) -> GradingRun:
    """Mark everything that waits to be marked, and append the marks.

    What one shard gave is appended in one transaction; `tell` hears of it after it is safe on disk.
    When the program is ended in between, running it again does the rest.
    Raises `OSError` when the gradebook cannot be written, `ExecutorError` when no worker starts.
    """
    if not book.unmarked():
        return GradingRun()
    labels = exam_keys.labels

    def keep(entries: list[Entry]) -> None:
        with book.writing():
            # What was marked may follow from a reply that no longer counts; whoever marks the new one does
            # the whole question again.
            since = {(student, labels.get(part)) for student, part in book.handed_in_since(newest)}
            book.append_entries(
                [each for each in entries if (each.student, labels[each.question]) not in since]
            )
        tell(len(entries))

    with Gradebook.open(book.path) as reading, reading.reading():
        newest = reading.newest()
        found = pending_units(reading, exam_keys)
        return mark_units(found, book.unmarked(), book.path.parent, exam_keys, start, keep, jobs)


def refuse_strange(book: Gradebook, exam_keys: ExamKeys) -> None:
    """Raise `GradebookError` when somebody handed in for a variant that the exam does not have.

    What is there of nobody in the class list is read, and so found to be damaged where that is why.
    """
    strange = [code for code in book.variants() if code not in exam_keys.variants]
    if strange:
        raise GradebookError(
            f"{book.path.name} belongs to another exam: it has replies to the variant {strange[0][:40]!r}"
        )
    roster = exam_keys.roster  # of an exam without one everybody is read anyway
    strangers = () if roster is None else {*book.students()} - {each.identifier for each in roster}
    for student in sorted(strangers):
        book.all_submissions_of(student)
        book.history(student)


@contextmanager
def _run_folder(beside: Path) -> Iterator[Path]:
    """Where the workers of one run say where they are: a folder of its own in this one, gone with it.

    No other run sees it. What a run that was killed has left there is removed when it is old enough that
    nobody can be at it; nothing is lost with it, since marks are safe only in the gradebook.
    """
    for left in beside.glob(f"{RUN}*"):
        with suppress(FileNotFoundError):
            if time() - left.stat().st_mtime > ABANDONED:
                rmtree(left, ignore_errors=True)
    with TemporaryDirectory(prefix=RUN, dir=beside, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def pending_units(book: Gradebook, exam_keys: ExamKeys) -> Iterator[Unit]:
    """What waits to be marked, by variant and student; where parts follow, with the parts marked before."""
    for unit in units(book.pending(), exam_keys):
        question = exam_keys.question(unit.variant, unit.question)
        if question.follow_through and len(unit.replies) < len(question.parts):
            there = book.submissions_of(unit.student)
            found = [
                there[key.part]
                for key in question.parts
                if key.part in there and there[key.part].variant == unit.variant
            ]
            yield next(units(found, exam_keys))
        else:
            yield unit


def units(submissions: Iterable[Submission], exam_keys: ExamKeys) -> Iterator[Unit]:
    """The submissions, by variant, student and part, in units; those of unknown parts are left out."""
    labels = exam_keys.labels
    for (variant, student), handed in groupby(submissions, attrgetter("variant", "student")):
        together: dict[str, list[StudentReply]] = {}
        for each in handed:
            if each.question in labels:
                reply = StudentReply(each.question, each.identity, each.reply, each.contested)
                together.setdefault(labels[each.question], []).append(reply)
        for label, replies in together.items():
            yield Unit(student, variant, label, tuple(replies))


def _shards(found: Iterator[Unit], exam_keys: ExamKeys, size: int) -> Iterator[Shard]:
    while stretch := tuple(islice(found, size)):
        asked = dict.fromkeys((unit.variant, unit.question) for unit in stretch)
        yield Shard(stretch, {name: exam_keys.question(*name) for name in asked})


def mark_units(
    found: Iterator[Unit],
    replies: int,
    beside: Path,
    exam_keys: ExamKeys,
    start: Start,
    keep: Sink,
    jobs: int,
) -> GradingRun:
    """Have units of so many replies marked, in shards, and hand their marks to `keep`.

    A shard whose worker fails is tried again by itself; if it fails again it is cut where the worker was,
    until one reply is alone. That one is given up, and gets the state ERROR.
    """
    # Every worker gets several, and none is too large.
    size = max(1, min(SIZE, replies // (len(exam_keys.parts) * jobs * 4)))
    with _run_folder(beside) as folder:
        return _Running(folder, start, keep, jobs).run(_shards(found, exam_keys, size))


class _Running:
    """Shards on their way through an executor."""

    def __init__(self, folder: Path, start: Start, keep: Sink, jobs: int) -> None:
        self.start = start
        self.keep = keep
        self.most = AHEAD * jobs
        self.executor: Executor | None = None
        self.places = (folder / str(number) for number in count(1))
        self.running: dict[Future[list[Entry]], Shard] = {}
        self.suspects: deque[tuple[Shard, int]] = deque()
        self.report = GradingRun()

    def run(self, shards: Iterator[Shard]) -> GradingRun:
        """Everything, to the end."""
        try:
            while True:
                while len(self.running) < self.most and not self.suspects and (shard := next(shards, None)):
                    self.running[self.submit(shard, next(self.places))] = shard
                if self.running:
                    self.collect()
                elif self.suspects:
                    self.try_alone(*self.suspects.popleft())
                else:
                    self.stop(wait=True)
                    return self.report
        except BaseException:
            self.stop()
            raise

    def submit(self, shard: Shard, place: Path) -> Future[list[Entry]]:
        """Hand a shard to a worker; when the executor has broken, to a new one's."""
        if self.executor is None:
            self.executor = self.start()
        try:
            return self.executor.submit(mark_shard, shard, str(place))
        except BrokenExecutor:
            self.stop(wait=True)
            self.executor = self.start()
            return self.executor.submit(mark_shard, shard, str(place))

    def collect(self) -> None:
        """Take in what is done; what failed becomes a suspect."""
        done, _ = wait(self.running, return_when=FIRST_COMPLETED)
        for future in done:
            shard = self.running.pop(future)
            if not self.take(future):
                self.suspects.append((shard, 0))
        if any(isinstance(future.exception(), BrokenExecutor) for future in done):
            self.suspects += [(shard, 0) for shard in self.running.values()]
            self.running.clear()
            self.stop(wait=True)

    def try_alone(self, shard: Shard, tries: int) -> None:
        """Mark a shard while nothing else runs, so that what goes wrong is its own fault."""
        place = next(self.places)
        future = self.submit(shard, place)
        if self.take(future):
            return
        error = future.exception()
        died = isinstance(error, BrokenExecutor)
        if died:
            self.stop(wait=True)
            if not place.exists():
                raise ExecutorError(f"the processes that mark cannot be started: {error}")
        unit, reply = read_place(place)
        if len(shard.units) > 1:
            self.suspects.extendleft((piece, 0) for piece in reversed(split(shard, unit)))
        elif tries + 1 < TRIES:
            self.suspects.appendleft((shard, tries + 1))
        else:
            why = "the worker was ended" if died else repr(error)[:300]
            if shard.units[0].replies[reply].failed:
                raise ExecutorError(f"marking fails whatever the reply is: {why}")
            self.report.given_up += 1
            self.suspects.appendleft((give_up(shard, reply, f"marking failed: {why}"), 0))

    def take(self, future: Future[list[Entry]]) -> bool:
        """Hand the marks of a shard on; False where marking has failed.

        Raises `OSError`: a worker that cannot write where it is is no fault of a reply.
        """
        error = future.exception()
        if isinstance(error, OSError):
            raise error
        if error is None:
            entries = future.result()
            self.keep(entries)
            self.report.counts.update(entry.state.value for entry in entries)
        return error is None

    def stop(self, *, wait: bool = False) -> None:
        """Give the executor back; with `wait`, when nothing runs or it is broken, until its workers are gone.

        A worker that outlived its executor would say where it is in a folder that is gone.
        """
        if self.executor is not None:
            self.executor.shutdown(wait=wait, cancel_futures=True)
            self.executor = None
