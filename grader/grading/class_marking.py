"""Marking a class: batch by batch, each distinct reply once, and the marks go into the gradebook."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias

from grader.base.processes import worker_count
from grader.base.progress import OnProgress
from grader.exercises.marking import State, read_mark
from grader.grading.exam_keys import ExamKeys, require_readable_exercises
from grader.grading.executors import ExecutorError, StartExecutor, end_executor
from grader.grading.gradebook_file import GradebookError
from grader.grading.gradebook_store import Gradebook
from grader.grading.pending_replies import PendingReplies
from grader.grading.records import Entry, Outcome
from grader.grading.shards import FAILED_PREFIX, PartReply, Shard, Unit, failure_message, mark_shard, warm_up
from grader.grading.student_units import StudentUnit, follow_through_questions, pending_units

MAX_BATCH_UNITS = 4_000
"""The most units, or submissions, whose marks are appended in one transaction."""

MIN_BATCHES = 8
"""Even a small class is split into about this many transactions, so that an interruption loses little."""

MAX_REMEMBERED_LENGTH = 32_000_000
"""Replies and their marks are remembered up to this number of characters, and then forgotten."""

REPLY_SECONDS = 0.0015
"""The time in which one process marks a reply to a tree that no other student has."""

SHARDS_PER_WORKER = 4
"""The shards of a batch for each worker; with several of them no worker is idle for long."""

MAX_ATTEMPTS = 2
"""How often marking may fail at a reply before the reply is given up."""

AppendMarks: TypeAlias = Callable[[list[Entry]], None]


@dataclass(slots=True)
class GradingRun:
    """The result of a run: the number of marks by state, and of replies that were given up."""

    counts: Counter[str] = field(default_factory=Counter)
    given_up: int = 0


def marking_jobs(jobs: int | None, replies: int) -> int:
    """Return how many processes to use for a number of distinct replies."""
    return worker_count(jobs, replies * REPLY_SECONDS)


@contextmanager
def warm_executor(start: StartExecutor, jobs: int) -> Iterator[StartExecutor]:
    """Start an executor whose workers get ready while other work is done; yield how to get it.

    If the workers cannot be started now, it is tried again, and reported, when there is work for them.
    Raises `ExecutorError` if there is no such executor.
    """
    unused: list[Executor] = []
    try:
        try:
            unused.append(start())
            for _ in range(jobs):
                unused[0].submit(warm_up)
        except (OSError, RuntimeError):
            _end_all(unused)
        yield lambda: unused.pop() if unused else start()
    finally:
        _end_all(unused)


def _end_all(unused: list[Executor]) -> None:
    while unused:
        end_executor(unused.pop())


def refuse_unknown_variants(book: Gradebook, exam_keys: ExamKeys) -> None:
    """Raise `GradebookError` if there are replies to a variant that the exam does not have.

    The records of students who are not in the class list are read, because their damage would explain it.
    """
    unknown = [code for code in book.variants() if code not in exam_keys.variants]
    if unknown:
        raise GradebookError(
            f"{book.path.name} belongs to another exam: it has replies to the variant {unknown[0][:40]!r}"
        )
    if exam_keys.roster is not None:  # without a class list the records of all students are read anyway
        for student in sorted({*book.students()} - {each.identifier for each in exam_keys.roster}):
            book.all_submissions_of(student)
            book.history(student)


def mark_pending(
    book: Gradebook,
    exam_keys: ExamKeys,
    start: StartExecutor,
    *,
    jobs: int = 1,
    tell: OnProgress = lambda _marks: None,
) -> GradingRun:
    """Mark everything that waits to be marked, and append the marks.

    The marks of a batch are appended in one transaction; `tell` gets their number once they are safe on disk.
    If the program is ended in between, running it again marks the rest.
    Raises `OSError` if the gradebook cannot be written, `ExecutorError` if no worker starts,
    `SchemaError` if the exam is of a version whose exercises can no longer be read.
    """
    run = GradingRun()
    if not book.is_waiting():
        return run
    require_readable_exercises(exam_keys)
    with closing(_Workers(start, exam_keys, jobs)) as workers:
        following = {label for _, label in follow_through_questions(exam_keys)}
        independent = [part for part, label in exam_keys.labels.items() if label not in following]
        _mark_alone(book, independent, workers, run, tell)
        if following:
            _mark_following(book, workers, run, tell)
    return run


def _mark_alone(
    book: Gradebook, parts: Sequence[str], workers: "_Workers", run: GradingRun, tell: OnProgress
) -> None:
    """Mark everything that waits of parts without follow-through.

    SQLite matches the marks with the students: nothing is read or written in Python for each student.
    """
    labels = workers.exam_keys.labels
    newest = book.newest_submission_id()
    size = _batch_size(newest)
    with closing(PendingReplies(book, parts)) as pending:
        for first in range(1, newest + 1, size):
            units = {
                reply: Unit(reply.variant, labels[reply.part], (PartReply(*reply[1:]),))
                for reply in pending.new_replies(first, first + size)
            }
            outcomes = workers.mark(set(units.values()))
            with book.writing():
                before = book.newest_mark_id()
                marks = {reply: outcomes[unit][0] for reply, unit in units.items()}
                appended = pending.append_marks(first, first + size, marks)
                _count_marks(book, before, run)
            tell(appended)


def _mark_following(book: Gradebook, workers: "_Workers", run: GradingRun, tell: OnProgress) -> None:
    """Mark everything that waits, each question of a student as a whole."""
    labels = workers.exam_keys.labels

    def append(entries: list[Entry]) -> None:
        """Append a batch of marks to the gradebook, without questions whose reply has been replaced since."""
        with book.writing():
            # A mark may follow from a reply that another program has replaced since. The program that
            # marks the new reply marks the whole question again, so these marks are left out.
            replaced = {(student, labels.get(part)) for student, part in book.submissions_since(newest)}
            if replaced:
                entries = [each for each in entries if (each.student, labels[each.question]) not in replaced]
            before = book.newest_mark_id()
            appended = book.append_entries(entries)
            _count_marks(book, before, run)
        tell(appended)

    with Gradebook.open(book.path) as reading, reading.snapshot():
        newest = reading.newest_submission_id()
        _mark_batches(pending_units(reading, workers.exam_keys), newest, workers, append)


def _count_marks(book: Gradebook, before: int, run: GradingRun) -> None:
    """Count the marks that were appended after the one with this number."""
    for content, count in book.mark_counts_since(before):
        mark = read_mark(content)
        run.counts[mark.state.value] += count
        if mark.state is State.ERROR and mark.message.startswith(FAILED_PREFIX):
            run.given_up += count


def mark_units(
    units: Iterator[StudentUnit],
    reply_count: int,
    exam_keys: ExamKeys,
    start: StartExecutor,
    append: AppendMarks,
    jobs: int,
) -> None:
    """Mark units with at most `reply_count` replies, and hand the marks to `append`, batch by batch."""
    require_readable_exercises(exam_keys)
    with closing(_Workers(start, exam_keys, jobs)) as workers:
        _mark_batches(units, reply_count, workers, append)


def _batch_size(reply_count: int) -> int:
    return max(1, min(MAX_BATCH_UNITS, reply_count // MIN_BATCHES))


def _mark_batches(
    units: Iterator[StudentUnit], reply_count: int, workers: "_Workers", append: AppendMarks
) -> None:
    """Mark units; equal ones of different students are marked once."""
    size = _batch_size(reply_count)
    outcomes: dict[Unit, tuple[Outcome, ...]] = {}
    cached_length = 0
    for batch in iter(lambda: list(islice(units, size)), []):
        marked = workers.mark({each.unit for each in batch} - outcomes.keys())
        outcomes |= marked
        append(
            [
                Entry(each.student, reply.part, submission, *outcome)
                for each in batch
                for reply, submission, outcome in zip(
                    each.unit.replies, each.submissions, outcomes[each.unit], strict=True
                )
            ]
        )
        cached_length += sum(len(reply.text) for unit in marked for reply in unit.replies)
        cached_length += sum(len(each.content) for several in marked.values() for each in several)
        if cached_length > MAX_REMEMBERED_LENGTH:
            outcomes.clear()
            cached_length = 0


class _Workers:
    """An executor, the shards that it works on, and the outcomes that came back.

    What becomes of a shard whose worker fails:

    1. It is marked again while nothing else runs: mostly another shard was to blame.
    2. If it fails again, its units are marked one by one, and each of them reply by reply.
    3. A reply that fails `MAX_ATTEMPTS` times is given up and gets the state ERROR.
    """

    def __init__(self, start: StartExecutor, exam_keys: ExamKeys, jobs: int) -> None:
        self.start = start
        self.exam_keys = exam_keys
        self.shards_per_batch = SHARDS_PER_WORKER * jobs
        self.executor: Executor | None = None
        self.running: dict[Future[list[tuple[Outcome, ...]]], Shard] = {}
        self.outcomes: dict[Unit, tuple[Outcome, ...]] = {}

    def mark(self, units: Set[Unit]) -> Mapping[Unit, tuple[Outcome, ...]]:
        """Return the outcomes of some units; a shard that fails is marked again when all others are done.

        Raises `ExecutorError` if no worker can be started, and an `OSError` of a worker.
        """
        size = max(1, -(-len(units) // self.shards_per_batch))
        in_order = sorted(units)  # replies to one exercise next to each other, which is read once
        for index in range(0, len(units), size):
            shard = self.shard(in_order[index : index + size])
            self.running[self.submit(shard)] = shard
        failed = []
        while self.running:
            done, _ = wait(self.running, return_when=FIRST_COMPLETED)
            for future in done:
                shard = self.running.pop(future)
                if self.failure(shard, future) is not None:
                    failed.append(shard)
        for shard in failed:
            self.mark_failed(shard)
        outcomes, self.outcomes = self.outcomes, {}
        return {unit: outcomes[unit] for unit in units}

    def shard(self, units: Sequence[Unit], given_up: Mapping[int, str] | None = None) -> Shard:
        """Return a shard of some units with the keys they need.

        `given_up` has the messages of replies that are not marked, by their place in their unit.
        """
        names = dict.fromkeys((unit.variant, unit.question) for unit in units)
        keys = {name: self.exam_keys.question(*name) for name in names}
        return Shard(tuple(units), keys, given_up or {})

    def submit(self, shard: Shard) -> Future[list[tuple[Outcome, ...]]]:
        """Hand a shard to a worker, of a new executor if the old one has broken.

        Raises `ExecutorError` if no worker can be started.
        """
        try:
            if self.executor is not None:
                try:
                    return self.executor.submit(mark_shard, shard)
                except BrokenExecutor:
                    self.shut_down(wait=True)
            self.executor = self.start()
            return self.executor.submit(mark_shard, shard)
        except RuntimeError as error:  # no thread, or no process, can be started
            raise ExecutorError(f"the processes that mark cannot be started: {error}") from None

    def failure(self, shard: Shard, future: Future[list[tuple[Outcome, ...]]]) -> BaseException | None:
        """Keep the outcomes of a shard, or return why it failed.

        Raises an `OSError` of a worker: that is not the fault of a reply.
        """
        error = future.exception()
        if isinstance(error, OSError):
            raise error
        if error is None:
            self.outcomes |= zip(shard.units, future.result(), strict=True)
        return error

    def mark_failed(self, shard: Shard) -> None:
        """Mark a shard again whose worker failed, while nothing else runs."""
        if self.failure(shard, self.submit(shard)) is not None:
            for unit in shard.units:
                self.mark_reply_by_reply(unit)

    def mark_reply_by_reply(self, unit: Unit) -> None:
        """Find the replies of a unit that end their worker, give them up, and mark the others.

        Later replies may follow from earlier ones, so the first is marked, then the first two, up to all.
        Raises `ExecutorError` if the unit fails even with replies given up.
        """
        given_up: dict[int, str] = {}
        for count in range(1, len(unit.replies) + 1):
            shard = self.shard([unit._replace(replies=unit.replies[:count])], given_up)
            for _ in range(MAX_ATTEMPTS):
                error = self.failure(shard, self.submit(shard))
                if error is None:
                    break
            else:
                self.require_workers()
                is_dead = isinstance(error, BrokenExecutor)
                given_up[count - 1] = failure_message(
                    "the worker was stopped from outside" if is_dead else repr(error)
                )
        if unit not in self.outcomes:
            shard = self.shard([unit], given_up)
            if self.failure(shard, self.submit(shard)) is not None:
                reason = given_up[len(unit.replies) - 1].removeprefix(FAILED_PREFIX)
                raise ExecutorError(f"marking fails whatever the reply is: {reason}")

    def require_workers(self) -> None:
        """Raise `ExecutorError` if workers die even without work."""
        error = self.submit(self.shard([])).exception()
        if isinstance(error, BrokenExecutor):
            raise ExecutorError(f"the processes that mark cannot be started: {error}")

    def close(self) -> None:
        """Shut the executor down, without waiting if shards are still running."""
        self.shut_down(wait=not self.running)

    def shut_down(self, *, wait: bool) -> None:
        """Shut the executor down; with `wait`, return only when its workers are gone."""
        if self.executor is not None:
            self.executor.shutdown(wait=wait, cancel_futures=True)
            self.executor = None
