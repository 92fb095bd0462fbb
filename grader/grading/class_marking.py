"""Marking a class: shards go to any executor, and what they wrote goes into the gradebook."""

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from time import time
from typing import TypeAlias, TypeVar

from grader.base.prefetch import prefetch
from grader.base.processes import worker_count
from grader.exercises.marking import read_mark
from grader.grading.exam_keys import ExamKeys, require_readable
from grader.grading.executors import ExecutorError, StartExecutor
from grader.grading.gradebook_file import GradebookError, checkpointing_log
from grader.grading.gradebook_store import Gradebook
from grader.grading.identical_replies import MarkedPairs, Pair, PendingBatch, pending_batches
from grader.grading.records import Entry, Outcome
from grader.grading.shards import (
    PartReply,
    Shard,
    Unit,
    give_up_reply,
    mark_shard,
    read_place,
    split_shard,
    warm_up,
)
from grader.grading.student_units import StudentUnit, follow_through_questions, pending_units

MAX_STRETCH_UNITS = 4_000
"""The most units that are marked before their marks are kept, in one transaction; more where few differ."""

MIN_STRETCHES = 8
"""At least so many stretches are kept one by one, so that a class that is small is not lost as a whole."""

MAX_CACHED_REPLY_LENGTH = 8_000_000
"""So many characters of replies are remembered with their marks, and then forgotten."""

REPLY_SECONDS = 0.0015
"""How long one process takes to mark a reply about a tree that nobody else has."""

SHARDS_PER_WORKER = 4
"""So many shards of a stretch are there for each worker, so that none is idle for long."""

MAX_ATTEMPTS = 2
"""A reply that ends its worker is tried so often, alone, before it is given up."""

RUN_FOLDER_PREFIX = "marking-"
"""How the folder of a run is called, up to what tells it from others."""

ABANDONED_RUN_SECONDS = 24 * 3600.0
"""The seconds after which a folder in which nothing happens belongs to no run."""

T = TypeVar("T")

AppendMarks: TypeAlias = Callable[[list[Entry]], None]


@dataclass(slots=True)
class GradingRun:
    """How a run of shards went: marks by state, and replies that were given up."""

    counts: Counter[str] = field(default_factory=Counter)
    given_up: int = 0


def marking_jobs(jobs: int | None, replies: int) -> int:
    """Return how many processes mark so many replies, none like another."""
    return worker_count(jobs, replies * REPLY_SECONDS)


@contextmanager
def warm_executor(start: StartExecutor, jobs: int) -> Iterator[StartExecutor]:
    """How to start an executor whose workers, so many, get ready while something else is done meanwhile.

    Where they cannot be started now it is tried again when there is work for them, and told then.
    Raises `ExecutorError` where there is no such executor.
    """
    first: list[Executor] = []
    try:
        try:
            first.append(start())
            for _ in range(jobs):
                first[0].submit(warm_up)
        except (OSError, RuntimeError):
            _give_back(first)
        yield lambda: first.pop() if first else start()
    finally:
        _give_back(first)


def _give_back(unused: list[Executor]) -> None:
    """Give executors back for which there is no work."""
    while unused:
        unused.pop().shutdown(wait=False, cancel_futures=True)


def mark_pending(
    book: Gradebook,
    exam_keys: ExamKeys,
    start: StartExecutor,
    *,
    jobs: int = 1,
    tell: Callable[[int], None] = lambda _marks: None,
) -> GradingRun:
    """Mark everything that waits to be marked, and append the marks.

    What one shard gave is appended in one transaction; `tell` hears of it after it is safe on disk.
    When the program is ended in between, running it again does the rest.
    Raises `OSError` when the gradebook cannot be written, `ExecutorError` when no worker starts,
    `SchemaError` when the exam is of a version whose exercises cannot be read any more.
    """
    run = GradingRun()
    if not book.is_waiting():
        return run
    require_readable(exam_keys)
    folder_of_run = _run_folder(book.path.parent)
    with folder_of_run as folder, closing(_Running(folder, start, exam_keys, jobs)) as running:
        following = {label for _, label in follow_through_questions(exam_keys)}
        alone = [part for part, label in exam_keys.labels.items() if label not in following]
        _mark_alike(book, alone, running, run, tell)
        if following:
            _mark_following(book, running, run, tell)
    return run


def _mark_following(
    book: Gradebook, running: "_Running", run: GradingRun, tell: Callable[[int], None]
) -> None:
    """Mark all that waits, student by student, each question as a whole."""
    labels = running.exam_keys.labels

    def keep(entries: list[Entry]) -> None:
        with book.writing():
            # What was marked may follow from a reply that no longer counts; whoever marks the new one does
            # the whole question again.
            since = {(student, labels.get(part)) for student, part in book.submissions_since(newest)}
            if since:
                entries = [each for each in entries if (each.student, labels[each.question]) not in since]
            book.append_entries(entries)
        tell(len(entries))

    with Gradebook.open(book.path) as reading, reading.snapshot():
        newest = reading.newest_submission_id()
        found = pending_units(reading, running.exam_keys)
        _mark_in_turn(found, reading.pending_count(), running, run, keep)


def _mark_alike(
    book: Gradebook, parts: Sequence[str], running: "_Running", run: GradingRun, tell: Callable[[int], None]
) -> None:
    """Mark all that waits of parts that nothing follows from, batch by batch, each in one transaction."""
    labels, lost = running.exam_keys.labels, dict[Pair, int]()

    def handed_out() -> Iterator[tuple[PendingBatch, dict[Pair, Unit]] | None]:
        for batch in batches:
            if batch.forgets_earlier:
                yield None
            asked = {pair: Unit(pair[0], labels[pair[1]], (PartReply(*pair[1:]),)) for pair in batch.pairs}
            running.begin(asked.values())
            yield batch, asked

    found = pending_batches(book.path, parts, MAX_STRETCH_UNITS, MIN_STRETCHES, MAX_CACHED_REPLY_LENGTH)
    with (
        closing(MarkedPairs(book)) as alike,
        closing(prefetch(found)) as batches,
        checkpointing_log(book.path) as file_log,
    ):
        for batch, units in _one_ahead(handed_out()):
            made = running.marked(units.values())
            lost |= {pair: times for pair, unit in units.items() if (times := running.given_up[unit])}
            file_log()
            with book.writing():
                appended = alike.append(batch, {pair: made[unit][0] for pair, unit in units.items()})
            tell(appended)
            run.given_up += sum(times * alike.count(batch, pair) for pair, times in lost.items())
        run.counts.update(alike.states)


def _one_ahead(begun: Iterable[T | None]) -> Iterator[T]:
    """What is with the workers, each when the next one is with them too, so that no worker is idle meanwhile.

    `None` among it asks for all that was begun before.
    """
    waiting: T | None = None
    for each in begun:
        if waiting is not None:
            yield waiting
        waiting = each
    if waiting is not None:
        yield waiting


def refuse_unknown_variants(book: Gradebook, exam_keys: ExamKeys) -> None:
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
    for left in beside.glob(f"{RUN_FOLDER_PREFIX}*"):
        with suppress(FileNotFoundError):
            if time() - left.stat().st_mtime > ABANDONED_RUN_SECONDS:
                rmtree(left, ignore_errors=True)
    with TemporaryDirectory(prefix=RUN_FOLDER_PREFIX, dir=beside, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def mark_units(
    handed_in: Iterator[StudentUnit],
    replies: int,
    beside: Path,
    exam_keys: ExamKeys,
    start: StartExecutor,
    keep: AppendMarks,
    jobs: int,
) -> GradingRun:
    """Have units of so many replies marked, and hand the marks to `keep`, stretch by stretch.

    Units that say the same are marked once, whoever handed them in: most of a class replies like others.
    """
    run = GradingRun()
    require_readable(exam_keys)
    with _run_folder(beside) as folder, closing(_Running(folder, start, exam_keys, jobs)) as running:
        _mark_in_turn(handed_in, replies, running, run, keep)
    return run


def _mark_in_turn(
    handed_in: Iterator[StudentUnit], replies: int, running: "_Running", run: GradingRun, keep: AppendMarks
) -> None:
    """The same with workers that are there already."""
    size = max(1, min(MAX_STRETCH_UNITS, replies // MIN_STRETCHES))
    made: dict[Unit, tuple[Outcome, ...]] = {}
    characters = 0

    def begun() -> Iterator[tuple[tuple[StudentUnit, ...], Set[Unit]] | None]:
        nonlocal characters
        units: Set[Unit] = set()
        while stretch := tuple(islice(handed_in, size)):
            if characters > MAX_CACHED_REPLY_LENGTH:
                yield None
                made.clear()
                characters, units = 0, set()
            units = {handed.unit for handed in stretch} - made.keys() - units
            running.begin(units)
            yield stretch, units

    for stretch, units in _one_ahead(begun()):
        new = running.marked(units)
        characters += sum(len(reply.text) for unit in new for reply in unit.replies)
        characters += sum(len(each.content) for several in new.values() for each in several)
        made.update(new)
        entries = [
            Entry(handed.student, reply.part, submission, *each)
            for handed in stretch
            for reply, submission, each in zip(
                handed.unit.replies, handed.submissions, made[handed.unit], strict=True
            )
        ]
        keep(entries)
        for content, times in Counter(entry.content for entry in entries).items():
            run.counts[read_mark(content).state.value] += times
        run.given_up += sum(running.given_up[handed.unit] for handed in stretch)


class _Running:
    """Shards on their way through an executor, and the marks that came back.

    A shard whose worker fails is tried again by itself; if it fails again it is cut where the worker was,
    until one reply is alone. That one is given up, and gets the state ERROR.
    """

    def __init__(self, folder: Path, start: StartExecutor, exam_keys: ExamKeys, jobs: int) -> None:
        self.start = start
        self.exam_keys = exam_keys
        self.shards = SHARDS_PER_WORKER * jobs
        self.executor: Executor | None = None
        self.places = (folder / str(number) for number in count(1))
        self.running: dict[Future[list[tuple[Outcome, ...]]], Shard] = {}
        self.suspects: deque[tuple[Shard, int]] = deque()
        self.made: dict[Unit, tuple[Outcome, ...]] = {}
        self.given_up: Counter[Unit] = Counter()

    def begin(self, asked: Collection[Unit]) -> None:
        """Hand units to the workers, none of which is on its way."""
        size = -(-len(asked) // self.shards)
        in_order = sorted(asked)
        for at in range(0, len(asked), max(1, size)):
            shard = self.shard(in_order[at : at + size])
            self.running[self.submit(shard, next(self.places))] = shard

    def marked(self, begun: Collection[Unit]) -> Mapping[Unit, tuple[Outcome, ...]]:
        """The marks of units that were begun, which are not remembered."""
        while not self.made.keys() >= {*begun}:
            if self.running:
                self.collect()
            else:
                self.try_alone(*self.suspects.popleft())
        return {unit: self.made.pop(unit) for unit in begun}

    def shard(self, found: Sequence[Unit]) -> Shard:
        """A shard of some units."""
        asked = dict.fromkeys((unit.variant, unit.question) for unit in found)
        return Shard(tuple(found), {name: self.exam_keys.question(*name) for name in asked})

    def submit(self, shard: Shard, place: Path) -> Future[list[tuple[Outcome, ...]]]:
        """Hand a shard to a worker; when the executor has broken, to a new one's."""
        try:
            if self.executor is None:
                self.executor = self.start()
            return self.executor.submit(mark_shard, shard, str(place))
        except BrokenExecutor:
            self.stop(wait=True)
            self.executor = self.start()
            return self.executor.submit(mark_shard, shard, str(place))
        except RuntimeError as error:  # no thread, or no process, can be started
            raise ExecutorError(f"the processes that mark cannot be started: {error}") from None

    def collect(self) -> None:
        """Take in what is done; what failed becomes a suspect."""
        done, _ = wait(self.running, return_when=FIRST_COMPLETED)
        for future in done:
            shard = self.running.pop(future)
            if not self.take(shard, future):
                self.suspects.append((shard, 0))
        if any(isinstance(future.exception(), BrokenExecutor) for future in done):
            self.suspects += [(shard, 0) for shard in self.running.values()]
            self.running.clear()
            self.stop(wait=True)

    def try_alone(self, shard: Shard, tries: int) -> None:
        """Mark a shard while nothing else runs, so that what goes wrong is its own fault."""
        place = next(self.places)
        future = self.submit(shard, place)
        if self.take(shard, future):
            self.given_up |= dict.fromkeys(shard.units, len(shard.failed))
            return
        error = future.exception()
        died = isinstance(error, BrokenExecutor)
        if died:
            self.stop(wait=True)
            if not place.exists():
                raise ExecutorError(f"the processes that mark cannot be started: {error}")
        unit, reply = read_place(place)
        if len(shard.units) > 1:
            self.suspects.extendleft((piece, 0) for piece in reversed(split_shard(shard, unit)))
        elif tries + 1 < MAX_ATTEMPTS:
            self.suspects.appendleft((shard, tries + 1))
        else:
            why = "the worker was ended" if died else repr(error)[:300]
            if reply in shard.failed:
                raise ExecutorError(f"marking fails whatever the reply is: {why}")
            self.suspects.appendleft((give_up_reply(shard, reply, f"marking failed: {why}"), 0))

    def take(self, shard: Shard, future: Future[list[tuple[Outcome, ...]]]) -> bool:
        """Take the marks of a shard; False where marking has failed.

        Raises `OSError`: a worker that cannot write where it is is no fault of a reply.
        """
        error = future.exception()
        if isinstance(error, OSError):
            raise error
        if error is None:
            self.made |= zip(shard.units, future.result(), strict=True)
        return error is None

    def close(self) -> None:
        """Give the executor back at the end, or when something was raised."""
        self.stop(wait=not self.running)

    def stop(self, *, wait: bool = False) -> None:
        """Give the executor back; with `wait`, when nothing runs or it is broken, until its workers are gone.

        A worker that outlived its executor would say where it is in a folder that is gone.
        """
        if self.executor is not None:
            self.executor.shutdown(wait=wait, cancel_futures=True)
            self.executor = None
