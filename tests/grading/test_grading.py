"""Shards, workers that die, poisoned replies, two graders at once, and a Dask cluster."""

import csv
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from grader.base.numbers import Number
from grader.exercises.marking import Mark, Marker, State
from grader.grading import executors, shards
from grader.grading.class_marking import mark_pending, warm_executor
from grader.grading.drawn_trees import replies_from_tree
from grader.grading.exam_keys import ExamKeys, read_exam_keys
from grader.grading.executors import ExecutorError, executor_named
from grader.grading.gradebook_exports import GRADEBOOK_FORMATS, Rounding
from grader.grading.gradebook_store import Gradebook
from grader.grading.intake import append_tables
from grader.grading.regrading import append_changes, regrade
from grader.grading.results import results
from grader.grading.row_policy import RowPolicy
from grader.tables.columns import match_columns
from grader.tables.readers import read_submissions
from tests.grading.classroom import build, change_exam, student
from tests.grading.poison import Poisoned

HERE = executor_named("here", 1)

HEADER = ("id", "1", "2a", "2b", "3")


def write_replies(path: Path, rows: Mapping[str, Sequence[str]]) -> Path:
    """A CSV file with the replies of some students."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([HEADER, *([who, *replies] for who, replies in rows.items())])
    return path


def taken(folder: Path, exam_keys: ExamKeys, path: Path) -> Gradebook:
    """The gradebook of a folder with the replies of a file taken in."""
    book = Gradebook.open(folder / "grades" / "gradebook.db", create=True)
    sheet = read_submissions(path, exam_keys.parts)
    append_tables(book, exam_keys, [(sheet, match_columns(sheet, exam_keys.parts))])
    return book


def graded(folder: Path, exam_keys: ExamKeys, path: Path) -> Gradebook:
    """The gradebook of a folder with the replies of a file taken in and marked."""
    book = taken(folder, exam_keys, path)
    mark_pending(book, exam_keys, executor_named("here", 1))
    return book


def exported(book: Gradebook, exam_keys: ExamKeys) -> dict[str, bytes]:
    """Every export of a gradebook."""
    return {
        each.name: each.write(exam_keys, results(book, exam_keys), Rounding()) for each in GRADEBOOK_FORMATS
    }


def replies(count: int) -> dict[str, list[str]]:
    """Replies of a class, right and wrong ones."""
    return {
        student(number).identifier: [
            str(number % 7),
            f"A=3 B={number % 4} C=2 D={number % 3}",
            "BCD"[number % 3],
            f"5 {number % 9 + 1}",
        ]
        for number in range(count)
    }


def graded_in(
    folder: Path, rows: Mapping[str, Sequence[str]], start: Callable[[], Executor], jobs: int = 1
) -> tuple[Gradebook, ExamKeys]:
    """A class graded by an executor."""
    folder.mkdir()
    exam_keys = build(folder, [student(number) for number in range(len(rows))])
    book = taken(folder, exam_keys, write_replies(folder / "replies.csv", rows))
    try:
        mark_pending(book, exam_keys, start, jobs=jobs)
    except ExecutorError:
        book.connection.close()
        raise
    return book, exam_keys


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The exports of sixty students, graded in this process."""
    book, exam_keys = graded_in(
        tmp_path_factory.mktemp("plain") / "exam", replies(60), executor_named("here", 1)
    )
    with book:
        return exported(book, exam_keys)


def test_executors_agree(tmp_path: Path, plain: dict[str, bytes]) -> None:
    """Two processes give the same bytes as one thread of this process."""
    book, exam_keys = graded_in(tmp_path / "exam", replies(60), executor_named("processes", 2), jobs=2)
    with book:
        assert exported(book, exam_keys) == plain


def test_executors_that_are_none_are_refused() -> None:
    """A name that is no executor raises ExecutorError."""
    for name in ("", "threads", "dask:", "processes:2"):
        with pytest.raises(ExecutorError):
            executor_named(name, 1)


def test_poison_affects_one_reply(tmp_path: Path) -> None:
    """A reply that crashes, hangs, raises or eats memory gets the state ERROR, and all others their marks."""
    clean = replies(5)
    poisoned = {who: list(said) for who, said in clean.items()}
    spoilt = {("00001", 0): "CRASH", ("00001", 3): "RAISE", ("00003", 1): "HANG", ("00004", 2): "MEMORY"}
    for (who, at), poison in spoilt.items():
        poisoned[who][at] = poison
    whole, exam_keys = graded_in(tmp_path / "clean", clean, executor_named("here", 1))
    book, _ = graded_in(
        tmp_path / "poisoned", poisoned, lambda: Poisoned(executor_named("processes", 2)()), jobs=2
    )
    with whole, book:
        for one, other in zip(results(whole, exam_keys), results(book, exam_keys), strict=True):
            for at, (expected, found) in enumerate(zip(one.standings, other.standings, strict=True)):
                if (one.student.identifier, at) in spoilt:
                    assert found.state is State.ERROR
                    assert found.points is None
                    assert "marking failed" in found.message
                elif one.student.identifier in ("00003",) and found.question == "2b":
                    assert found.state is State.GRADED  # it could have followed from the reply that hangs
                else:
                    assert (found.state, found.points) == (expected.state, expected.points)


def test_killed_worker_loses_nothing(tmp_path: Path, plain: dict[str, bytes]) -> None:
    """A worker that is killed from outside loses no shard, and nobody gets the state ERROR for it."""
    rows, sign = replies(60), tmp_path / "killed"
    once = {rows["00031"][1]: sign}
    book, exam_keys = graded_in(
        tmp_path / "exam", rows, lambda: Poisoned(executor_named("processes", 2)(), once), jobs=2
    )
    with book:
        assert sign.exists()
        assert exported(book, exam_keys) == plain


def test_opening_waits_its_turn(tmp_path: Path) -> None:
    """Opening a gradebook for the first time waits while another program begins to write the new file."""
    path = tmp_path / "gradebook.db"
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("CREATE TABLE something (number INTEGER)")
        other.execute("BEGIN IMMEDIATE")
        timer = Timer(0.3, other.execute, ("COMMIT",))
        timer.start()
        with Gradebook.open(path, create=True) as book:
            assert book.pending_count() == 0
        timer.join()


def test_two_graders_at_once(tmp_path: Path) -> None:
    """Two programs that take in and mark different halves of a class at once lose no row and no mark."""
    count = 80
    rows = replies(count)
    build(tmp_path, [student(number) for number in range(count)])
    halves = [dict(list(rows.items())[at::2]) for at in range(2)]
    command = [sys.executable, "-m", "grader", "grade", str(tmp_path), "--executor", "here"]
    with ExitStack() as ended:
        running = [
            ended.enter_context(
                subprocess.Popen(
                    [*command, str(write_replies(tmp_path / f"half-{at}.csv", half))],
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    text=True,
                )
            )
            for at, half in enumerate(halves)
        ]
        for process in running:
            _, errors = process.communicate(timeout=300)
            assert process.returncode in (0, 1), errors
    exam_keys = read_exam_keys(tmp_path)
    with Gradebook.open(tmp_path / "grades" / "gradebook.db") as book:
        assert book.pending_count() == 0
        histories = [book.history(student(number).identifier) for number in range(count)]
        assert all(len(entries) == 4 for entries in histories)
        together = exported(book, exam_keys)
    alone, _ = graded_in(tmp_path / "alone", rows, executor_named("here", 1))
    with alone:
        assert exported(alone, exam_keys) == together


def while_marking(do: Callable[[], None]) -> Callable[[], Executor]:
    """How to start an executor in this process, with something done after the first replies were read."""

    def start() -> Executor:
        do()
        return HERE()

    return start


def handed_in(book: Gradebook, folder: Path, exam_keys: ExamKeys, part: str, reply: str) -> None:
    """Another reply of the first student to one part, later than what was there."""
    path = folder / f"{part}.csv"
    path.write_text(f"id,{part}\n{student(0).identifier},{reply}\n", encoding="utf-8")
    sheet = read_submissions(path, exam_keys.parts)
    columns = match_columns(sheet, exam_keys.parts)
    append_tables(book, exam_keys, [(sheet, columns)], policy=RowPolicy(duplicates="last"))


def marks(book: Gradebook) -> dict[str, tuple[Number | None, str]]:
    """The points of the first student, and who made the mark."""
    entries = book.entries_of(student(0).identifier).values()
    return {entry.question: (entry.points, entry.maker) for entry in entries}


def mended(folder: Path) -> ExamKeys:
    """The exam after its teacher has changed the key of 2a in the first variant."""

    def change(record: dict[str, Any]) -> None:
        record["variants"][0]["questions"][1]["parts"][0]["key"]["reply"] = "A=3 B=3 C=2 D=5"

    return change_exam(folder, change)


@pytest.fixture
def one(tmp_path: Path) -> Iterator[tuple[Gradebook, Path, ExamKeys]]:
    """The exam of one student who has answered 2a, which is marked."""
    exam_keys = build(tmp_path, [student(0)], codes=("A",))
    with Gradebook.open(tmp_path / "grades" / "gradebook.db", create=True) as book:
        handed_in(book, tmp_path, exam_keys, "2a", "A=3 B=3 C=2 D=5")
        mark_pending(book, exam_keys, HERE)
        yield book, tmp_path, exam_keys


def test_a_late_reply_moves_no_other_mark(one: tuple[Gradebook, Path, ExamKeys]) -> None:
    """After a key has changed, grading a late reply to one part leaves all other marks as they are."""
    book, folder, exam_keys = one
    before = marks(book)
    exam_keys = mended(folder)
    handed_in(book, folder, exam_keys, "2b", "B")
    mark_pending(book, exam_keys, HERE)
    assert marks(book) == before | {"2b": (1, "grading")}
    assert len(book.history(student(0).identifier)) == 2


def test_grading_leaves_a_regrade_alone(one: tuple[Gradebook, Path, ExamKeys]) -> None:
    """Marks of a regrade stand though a grader that read the exam and the replies before ends after it."""
    book, folder, exam_keys = one
    handed_in(book, folder, exam_keys, "2b", "B")

    def regraded() -> None:
        with Gradebook.open(book.path) as other:
            append_changes(other, regrade(other, mended(folder), HERE).changes)

    mark_pending(book, exam_keys, while_marking(regraded))
    assert marks(book) == {"2a": (4, "regrade"), "2b": (1, "grading")}


@pytest.mark.parametrize("marked", [False, True])
def test_no_mark_follows_from_a_reply_of_before(tmp_path: Path, *, marked: bool) -> None:
    """A reply that comes in while parts are marked that follow from it counts for them in the end."""
    exam_keys = build(tmp_path, [student(0)], codes=("A",))
    with Gradebook.open(tmp_path / "grades" / "gradebook.db", create=True) as book:
        handed_in(book, tmp_path, exam_keys, "2a", "A=3 B=3 C=2 D=5")
        handed_in(book, tmp_path, exam_keys, "2b", "D")

        def meanwhile() -> None:
            with Gradebook.open(book.path) as other:
                handed_in(other, tmp_path, exam_keys, "2a", "A=3 B=3 C=2 D=2")
                if marked:
                    mark_pending(other, exam_keys, HERE)

        mark_pending(book, exam_keys, while_marking(meanwhile))
        mark_pending(book, exam_keys, HERE)
        assert marks(book) == {"2a": (4, "grading"), "2b": (0, "grading")}
        assert not regrade(book, exam_keys, HERE).changes


@pytest.mark.slow
def test_dask_agrees(tmp_path: Path, plain: dict[str, bytes]) -> None:
    """A local Dask cluster gives the same bytes as one process, also when a worker is killed on the way."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        start = executor_named(f"dask:{cluster.scheduler_address}", 1)
        book, exam_keys = graded_in(tmp_path / "exam", replies(60), start, jobs=2)
        with book:
            assert exported(book, exam_keys) == plain
        rows, sign = replies(60), tmp_path / "killed"
        once = {rows["00031"][1]: sign}
        book, exam_keys = graded_in(tmp_path / "again", rows, lambda: Poisoned(start(), once), jobs=2)
        with book:
            assert sign.exists()
            assert exported(book, exam_keys) == plain


def test_marking_that_always_fails_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When marking fails whatever the reply is, grading ends, and every reply has the state ERROR."""

    def broken(_marker: Marker, _text: str) -> tuple[Mark, Any]:
        raise ZeroDivisionError("broken")

    monkeypatch.setattr(Marker, "mark_with_answer", broken)
    book, exam_keys = graded_in(tmp_path / "exam", replies(2), executor_named("here", 1))
    with book:
        states = {each.state for result in results(book, exam_keys) for each in result.standings}
        assert states == {State.ERROR}


def test_a_drawing_answers_every_part_that_it_may_mean(tmp_path: Path) -> None:
    """Values without crosses stand for a part about crosses too, where a person decides what they mean."""
    keys = build(tmp_path / "exam", [student(1)], codes=("A",)).part_keys("A")
    drawn = "MAX A=3 (MIN B=3 (3 12 8) MIN C=2 (2 4 6) MIN D=2 (14 5 2))"
    assert replies_from_tree(drawn, keys) == {"1": drawn, "2a": drawn, "3": drawn}
    bare = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"
    assert replies_from_tree(bare, keys) == {"1": bare, "2a": bare, "3": bare}


def test_a_worker_that_cannot_say_where_it_is_is_no_fault_of_a_reply(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When every shard fails before its first reply, grading ends and says so."""

    def broken(_question: Any) -> Any:
        raise ZeroDivisionError("broken")

    monkeypatch.setattr(shards, "hash_texts", broken)
    with pytest.raises(ExecutorError, match="broken"):
        graded_in(tmp_path / "exam", replies(2), executor_named("here", 1))


@pytest.mark.parametrize("error", [OSError("too many open files"), RuntimeError("can't start new thread")])
def test_workers_that_cannot_be_begun_early_are_asked_for_again(error: Exception) -> None:
    """Where no worker gets ready beforehand nothing stops: who has work for them starts them, and is told."""
    failures = [error]

    def start() -> Executor:
        if failures:
            raise failures.pop()
        return HERE()

    with warm_executor(start, 2) as later:
        assert not failures
        with later() as executor:
            assert executor.submit(len, "three").result() == 5


def test_a_cluster_that_is_not_there_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What can never be started is refused before anything else is done."""
    monkeypatch.setattr(executors, "SCHEDULER_TIMEOUT_SECONDS", 0.5)
    with pytest.raises(ExecutorError), warm_executor(executor_named("dask:127.0.0.1:9", 1), 2):
        raise AssertionError("nothing is done")
