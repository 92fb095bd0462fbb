"""What is read, taken in and marked for many at once is the same as row by row and reply by reply."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from random import Random

import pytest

from grader.grading import class_marking
from grader.grading.class_marking import mark_pending
from grader.grading.decisions import Decision
from grader.grading.exam_keys import ExamKeys
from grader.grading.executors import executor_named
from grader.grading.gradebook_exports import GRADEBOOK_FORMATS, Rounding
from grader.grading.gradebook_store import Gradebook
from grader.grading.intake import append_tables
from grader.grading.overrides import override_marks
from grader.grading.records import Outcome, Submission
from grader.grading.results import results
from grader.grading.shards import Shard, Unit, mark_shard
from grader.tables.columns import PartNames, match_columns
from grader.tables.json_lines import read_json_lines
from grader.tables.readers import read_submissions
from tests.grading.classroom import build, student
from tests.grading.test_grading import replies, write_replies

PIECES = (
    '{"student": "18", "1": "3"},{"student": "19"}',
    '{"student": "20", "1": "3"}],[{"student": "21"}',
    '{"student": "26"},null,{"student": "27"}',
    '{"student": "29"},null',
    'null,{"student": "30"}',
    "null",
    "null,null",
    '{"student": "31"},[1',
    '2],{"student": "32"}',
    '{"student": "28"',
    '"1": "3"}',
    '{"student": "22", "1": [[1',
    "2]]}",
    '{"student": "23", "1": "3',
    '4"}',
)
"""Lines that hold no object, or more or less than one: several may hold as many as they are."""

LINES = (
    '{"student": "7", "1": "3"}',
    '{"1": "3", "student": "8"}',
    '{"student": "9"}',
    "{}",
    '{"student": 10, "1": 2.50}',
    '{"student": "11", "1": null}',
    '{"student": "12", "1": "\\u00e9 \\n \\ud83d\\ude00"}',
    '{"student": "13", "1": "é"}',
    '{"student": "14", "1": "3", "1": "4"}',
    '{"student": "15", "2": "3"}',
    '{"student": "16", "1": ["3"]}',
    '{"student": "17", "1": {"a": "b"}}',
    *PIECES,
    '["student"]',
    '"student"',
    "[]",
    "NaN",
    "",
    "  ",
    '{"student": "24", "1": true}',
    '{"student": "25", "1": Infinity}',
    '{"student": "\\ud800", "1": "3"}',
    "\x0b{}",
    "{",
    "}",
    "]",
    "[",
)


def test_submissions_appended_together_are_kept_as_they_came(tmp_path: Path) -> None:
    """However many replies come together, and whatever they have alike, all are read back as they came."""
    random, said = Random(7), ("", "5 6", "5 6 ", "'; --", "?1", "%s\0\x1f", "é\n", "\U0001f600")
    with Gradebook.open(tmp_path / "book.db", create=True) as book:
        for number, (rows, different) in enumerate(product((0, 1, 2, 1_000), (0, 1, 3, 8))):
            texts = [random.sample(said, different) or said[:1] for _ in range(6)]
            flags = [random.sample((True, False), 1 + (different > 1)) for _ in range(2)]
            came = [
                Submission(0, f"{number}", *map(random.choice, texts), reading, *map(random.choice, flags))
                for reading in random.choices(range(1, different + 2), k=rows)
            ]
            with book.writing():
                book.append_submissions(number, came)
            kept = book.all_submissions_of(f"{number}")
            assert [each._replace(identity=0) for each in kept] == came


def test_lines_say_the_same_in_any_company(tmp_path: Path) -> None:
    """A line of JSON says what it says alone, whatever stands in the lines around it."""
    random, path = Random(5), tmp_path / "r.jsonl"

    def rows_after_the_first(lines: Sequence[str]) -> list[tuple[tuple[str, ...], str]]:
        path.write_text("\n".join([LINES[0], *lines]), encoding="utf-8")
        table = read_json_lines(path, [PartNames("1", "1", "")])
        rows = [*table.rows()][1:]
        assert [row.place for row in rows] == [
            f"line {number}" for number, line in enumerate(lines, 2) if line.strip()
        ]
        return [(tuple(row.cells), row.fault) for row in rows]

    alone = {line: rows_after_the_first([line]) for line in LINES}
    for _ in range(200):
        lines = random.choices(LINES, k=random.randint(2, 30))
        assert rows_after_the_first(lines) == [row for line in lines for row in alone[line]]


def marked(folder: Path, exam_keys: ExamKeys, rows: Path) -> tuple[object, ...]:
    """What the gradebook has when a class is taken in and marked: exports, and every mark but for when."""
    with Gradebook.open(folder / f"{len(list(folder.iterdir()))}.db", create=True) as book:
        sheet = read_submissions(rows, exam_keys.parts)
        append_tables(book, exam_keys, [(sheet, match_columns(sheet, exam_keys.parts))])
        told: list[int] = []
        run = mark_pending(book, exam_keys, executor_named("here", 1), tell=told.append)
        marks = [
            entry._replace(at="", identity=0)
            for number in range(len(exam_keys.assignment))
            for entry in sorted(book.history(student(number).identifier), key=lambda entry: entry.question)
        ]
        exports = [each.write(exam_keys, results(book, exam_keys), Rounding()) for each in GRADEBOOK_FORMATS]
        return run.counts, run.given_up, sum(told), marks, exports


def test_equal_replies_are_marked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reply that is marked once, however many students gave it, gives each of them the mark of its own."""
    exam_keys = build(tmp_path, [student(number) for number in range(90)])
    rows = replies(90)
    rows["00017"][0] = "no idea"
    rows["00018"][0] = ""
    path = write_replies(tmp_path / "r.csv", rows)
    (tmp_path / "books").mkdir()
    units: list[Unit] = []

    def noting(shard: Shard) -> list[tuple[Outcome, ...]]:
        units.extend(shard.units)
        return mark_shard(shard)

    monkeypatch.setattr(class_marking, "mark_shard", noting)
    once = marked(tmp_path / "books", exam_keys, path)
    assert 0 < len(units) == len(set(units)) < 90
    monkeypatch.setattr(class_marking, "_mark_alone", lambda *_: None)
    assert marked(tmp_path / "books", exam_keys, path) == once


@pytest.mark.parametrize("left_out", ["_mark_alone", "_mark_following"])
def test_little_is_remembered(left_out: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Marks may be forgotten, and batches may be small, whichever way they are made: they are the same."""
    monkeypatch.setattr(class_marking, left_out, lambda *_: None)
    exam_keys = build(tmp_path, [student(number) for number in range(90)])
    path = write_replies(tmp_path / "r.csv", replies(90))
    (tmp_path / "books").mkdir()
    whole = marked(tmp_path / "books", exam_keys, path)
    monkeypatch.setattr(class_marking, "MAX_REMEMBERED_LENGTH", 20)
    monkeypatch.setattr(class_marking, "MAX_BATCH_UNITS", 7)
    assert marked(tmp_path / "books", exam_keys, path) == whole


def test_what_others_write_meanwhile_counts(tmp_path: Path) -> None:
    """Who is marked by hand, or replies anew, while others are marked gets no mark for what waited."""
    exam_keys = build(tmp_path, [student(number) for number in range(90)])
    path = tmp_path / "book.db"
    book, other = Gradebook.open(path, create=True), Gradebook.open(path)
    by_hand, anew = student(88).identifier, student(89).identifier

    def take(book: Gradebook, rows: Path) -> None:
        sheet = read_submissions(rows, exam_keys.parts)
        append_tables(book, exam_keys, [(sheet, match_columns(sheet, exam_keys.parts))])

    def meddle(_marks: int) -> None:
        if not other.history(by_hand):
            override_marks(other, exam_keys, [Decision(by_hand, "1", "1", "seen")])
            (tmp_path / "anew.csv").write_text(f"id,1\n{anew},4\n")
            take(other, tmp_path / "anew.csv")

    with book, other:
        take(book, write_replies(tmp_path / "r.csv", replies(90)))
        mark_pending(book, exam_keys, executor_named("here", 1), tell=meddle)
        assert [entry.maker for entry in book.history(by_hand) if entry.question == "1"] == ["override"]
        marked = [entry.submission for entry in book.history(anew) if entry.question == "1"]
        assert marked == [max(each.identity for each in book.all_submissions_of(anew))]
        assert book.pending_count() == 0
        assert not book.connection.execute(
            "SELECT name FROM temp.sqlite_schema WHERE type = 'table'"
        ).fetchall()
