"""A class of a hundred thousand, each with a paper of their own, graded on a cluster of this machine."""

import json
import resource
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from time import perf_counter

import pytest

from grader.exam.manifest import Exam, Origin, Seat, write_exam, write_question, write_variant
from grader.exam.paper import Heading, Question
from grader.grading.exam_keys import read_exam_keys
from grader.grading.executors import executor_named
from grader.grading.gradebook import Gradebook
from grader.grading.grading import grade
from grader.grading.intake import take_in
from grader.tables.columns import match_columns
from grader.tables.readers import read_submissions
from grader.tables.whose_row import Student
from tests.benchmarks.test_grading import asked, on_two_cores, reply
from tests.benchmarks.textbook import textbook_search

pytestmark = pytest.mark.benchmark

STUDENTS = 100_000
DRAWN = 200
"""So many trees are drawn; the others are these with all payoffs raised, which changes no key."""

OWN = 75
"""The most textbook searches of 27 leaves that taking in and marking one reply to an own paper costs."""


def papers(replies: Path, students: int) -> Iterator[str]:
    """A variant for every student, each about a tree that nobody else has; writes what they handed in."""
    random = Random(4)
    drawn = [asked(random, "pruned-paths", 3) for _ in range(DRAWN)]
    with replies.open("w", encoding="utf-8") as file:
        for number in range(students):
            exercise, raised = drawn[number % DRAWN], number // DRAWN
            public = exercise.public
            payoffs = [each + raised if isinstance(each, int) else each for each in public.tree.payoffs]
            tree = replace(public.tree, payoffs=tuple(payoffs))
            own = replace(exercise, public=replace(public, tree=tree))
            file.write(f"{json.dumps({'student': f'{number:06d}', '1': reply(random, own)})}\n")
            yield write_variant(f"V{number}", [write_question(Question("1", "", (own,)))])


def processor_time() -> float:
    """The seconds of this process and of those that it has started and that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def test_own_papers_on_a_cluster(tmp_path: Path) -> None:
    """A hundred thousand own papers are marked by two processes of a cluster, each for so many searches."""
    distributed = pytest.importorskip("distributed")
    seats = tuple(
        Seat(Student(f"{number:06d}", f"Student {number}"), f"V{number}", f"p{number}")
        for number in range(STUDENTS)
    )
    record = Exam(
        Origin("0" * 64, "0" * 64), Heading("Benchmark"), seats, papers(tmp_path / "r.jsonl", STUDENTS)
    )
    (tmp_path / "instructor").mkdir()
    with (tmp_path / "instructor" / "exam.json").open("w", encoding="utf-8") as file:
        file.writelines(write_exam(record))
    search, begun, start = min(textbook_search(50) for _ in range(9)), processor_time(), perf_counter()
    exam_keys = read_exam_keys(tmp_path)
    read = perf_counter() - start
    with (
        Gradebook.open(tmp_path / "book.db", create=True) as book,
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as cluster,
    ):
        sheet = read_submissions(tmp_path / "r.jsonl", exam_keys.parts)
        take_in(book, exam_keys, [(sheet, match_columns(sheet, exam_keys.parts))])
        taken = perf_counter() - start
        run = grade(book, exam_keys, executor_named(f"dask:{cluster.scheduler_address}", 2), jobs=2)
        graded = perf_counter() - start
    used = (processor_time() - begun) / STUDENTS / min(search, *(textbook_search(50) for _ in range(9)))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"\n{STUDENTS:,} own papers: keys read in {read:.0f} s, taken in after {taken:.0f} s, marked after "
        f"{graded:.0f} s; {used:.0f} searches a reply, {peak:.0f} MB here; {dict(run.counts)}"
    )
    assert sum(run.counts.values()) == STUDENTS
    assert used <= OWN
    assert on_two_cores({"seconds": graded}) <= 600
