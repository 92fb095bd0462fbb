"""`gametree grade` at the end of a run: its exit code, and what it says to do next."""

import csv
import json
import os
import pty
import re
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from io import StringIO
from pathlib import Path
from threading import Thread, Timer

import pytest

from grader.grading.exam_keys import read_exam_keys
from grader.grading.gradebook_store import Gradebook
from tests.cli.running import Ran, gametree, interrupted
from tests.grading.classroom import build, change_exam, student

ADA, BEN = student(1), student(2)

WHOLE = ("id,1,2a,2b,3", "00001,3,A=3 B=3 C=2 D=2,B,5 6", "00002,,,,")
"""Everybody's row: one answered everything, one handed in a blank sheet."""


@pytest.fixture
def exam(tmp_path: Path) -> Path:
    """The folder of an exam of two students."""
    build(tmp_path, (ADA, BEN), codes=("A",))
    return tmp_path


def grade(exam: Path, *lines: str, options: tuple[str, ...] = ()) -> Ran:
    """Grade a table with these lines; without any, what already exists."""
    table = exam / "r.csv"
    table.write_text("".join(f"{line}\n" for line in lines))
    files = (str(table),) if lines else ()
    return gametree("grade", str(exam), *files, "--executor", "here", *options)


def override(exam: Path, who: str, *questions: str) -> None:
    """Set some marks of a student by hand."""
    for question in questions:
        ran = gametree("gradebook", "override", str(exam), who, question, "1", "--reason", "asked")
        assert ran.code == 0, ran.err


def both(exam: Path) -> tuple[int, int]:
    """The exit codes of grading without files and of `show`, which speak of the students alone."""
    return grade(exam).code, gametree("gradebook", "show", str(exam)).code


def test_all_is_well(exam: Path) -> None:
    """When everybody has points or handed in a blank, the code is 0, also for the same file again."""
    assert grade(exam, *WHOLE).code == 0
    assert grade(exam, *WHOLE).code == 0
    assert both(exam) == (0, 0)


def test_nothing_handed_in(exam: Path) -> None:
    """Somebody without a row is counted, and nothing is left to resolve but a part that others lack."""
    assert grade(exam, *WHOLE[:2]).code == 0
    assert both(exam) == (0, 0)
    override(exam, BEN.identifier, "1", "2a", "2b")
    assert grade(exam, *WHOLE[:2]).code == 1
    assert both(exam) == (1, 1)
    override(exam, BEN.identifier, "3")
    assert grade(exam, *WHOLE[:2]).code == 0
    assert both(exam) == (0, 0)


@pytest.mark.parametrize("said", ["by the blueprint", "at export"])
def test_absent_students_earn_what_is_stated(exam: Path, said: str) -> None:
    """A student without a row has empty cells, or 0 points if the blueprint or the export says so."""
    grade(exam, *WHOLE[:2])
    ran = gametree("gradebook", "export", str(exam), "-o", "-")
    absent = f"{BEN.identifier},{BEN.name},{BEN.email},A"
    assert f"{absent},,,,,,10," in ran.out
    assert "1 student without a reply: empty cells." in ran.err
    if said == "by the blueprint":
        change_exam(exam, lambda record: record.update(missing="zero"))
    option = () if said == "by the blueprint" else ("--missing", "zero")
    for form in ("csv", "moodle", "canvas", "gradescope", "json"):
        ran = gametree("gradebook", "export", str(exam), "-o", "-", "--format", form, *option)
        assert (ran.code, "1 student without a reply: 0 points." in ran.err) == (0, True)
        assert {"csv": f"{absent},0,0,0,0,0,10,", "json": '"total": "0"'}.get(form, "0") in ran.out
    if said == "by the blueprint":
        ran = gametree("gradebook", "export", str(exam), "-o", "-", "--missing", "empty")
        assert f"{absent},,,,,,10," in ran.out


def test_a_row_that_may_be_the_missing_one_is_unresolved(exam: Path) -> None:
    """Who may have handed in a row under a mistyped number is not just absent, whatever is stated."""
    grade(exam, *WHOLE[:2], WHOLE[2].replace("00002", "000O2"))
    assert both(exam) == (1, 1)
    ran = gametree("gradebook", "export", str(exam), "-o", "-", "--missing", "zero")
    assert ran.code == 1


def test_nobody_gets_keys_for_nothing(exam: Path) -> None:
    """Released pages are for those who have handed something in; who has not is named."""
    grade(exam, *WHOLE[:2])
    command = "gradebook", "feedback", str(exam)
    pages = exam / "grades" / "feedback"
    assert "2 students: pages" in gametree(*command).out
    assert len(list(pages.glob("*.html"))) == 2
    ran = gametree(*command, "--release")
    assert (ran.code, "1 student: pages" in ran.out, "1 has handed in nothing: 00002" in ran.out) == (
        0,
        True,
        True,
    )
    assert [path.name.split("-")[:2] for path in pages.glob("*.html")] == [["student", "1"]]
    assert "no points" not in ran.err
    grade(exam, WHOLE[0], WHOLE[1], "00002,three or so?,,,")
    assert "1 part of 1 student has no points yet" in gametree(*command, "--release").err


def test_unreadable_until_set_by_hand(exam: Path) -> None:
    """A reply that cannot be read is left to resolve until a person has looked at it."""
    rows = (*WHOLE[:2], "00002,three or so?,,,")
    assert grade(exam, *rows).code == 1
    override(exam, BEN.identifier, "1")
    assert grade(exam, *rows).code == 0
    assert both(exam) == (0, 0)


def test_unreadable_until_a_person_reads_it(exam: Path) -> None:
    """What a person reads is marked like any reply, for one or for all who wrote the same, and stays."""
    rows = ("id,1,2a,2b,3", *(f"{each.identifier},three or so?,,," for each in (ADA, BEN)))
    assert grade(exam, *rows).code == 1
    read = "gradebook", "read", str(exam), ADA.identifier, "1"
    assert gametree(*read, "3").out == "00001 1: 2 of 2\n"
    assert grade(exam, *rows).code == 1
    assert gametree(*read, "5").out == "00001 1: 0 of 2\n"
    ran = gametree("gradebook", "read", str(exam), BEN.identifier, "1", "3", "--alike")
    assert ran.out == "00002 1: 2 of 2\n"
    assert grade(exam, *rows).code == 0
    history = gametree("gradebook", "history", str(exam), ADA.identifier).out
    assert "three or so?" in history
    assert "read by a person" in history
    assert gametree("gradebook", "regrade", str(exam), "--executor", "here").code == 0


def test_reading_takes_no_points_away(exam: Path) -> None:
    """A reply with points is not read anew, and what cannot be read does not replace a reply."""
    grade(exam, "id,1,2a,2b,3", f"{ADA.identifier},3,,,", f"{BEN.identifier},three or so?,,,")
    before = gametree("gradebook", "history", str(exam), ADA.identifier).out
    for who, reply, why in (
        (ADA, "5", "has 2 of 2 points already; `gametree gradebook override` changes them"),
        (ADA, "eh?", "has 2 of 2 points already"),
        (BEN, "eh?", "cannot be read either"),
    ):
        ran = gametree("gradebook", "read", str(exam), who.identifier, "1", reply)
        assert (ran.code, ran.out) == (2, "")
        assert why in ran.err.replace("\n", " ")
    assert gametree("gradebook", "history", str(exam), ADA.identifier).out == before
    assert gametree("gradebook", "read", str(exam), BEN.identifier, "1", "3").code == 0


def test_history_is_in_the_order_of_the_exam(exam: Path) -> None:
    """A student's history goes by question as the exam does, and within a question the oldest comes first."""
    grade(exam, "id,3,2b,2a,1", "00001,5 6,B,A=3 B=3 C=2 D=2,3")
    override(exam, ADA.identifier, "3", "1")
    ran = gametree("gradebook", "history", str(exam), ADA.identifier, "--json")
    record = json.loads(ran.out)
    assert [each["question"] for each in record["submissions"]] == ["1", "2a", "2b", "3"]
    marks = [(each["question"], each["maker"]) for each in record["marks"]]
    assert marks == [
        ("1", "grading"),
        ("1", "override"),
        ("2a", "grading"),
        ("2b", "grading"),
        ("3", "grading"),
        ("3", "override"),
    ]


def test_alike_replies_are_read_at_once(exam: Path) -> None:
    """With --alike a reading holds for everybody who wrote the same text to the same question."""
    grade(exam, "id,1,2a,2b,3", "00001,three or so?,,three or so?,", "00002,three or so?,,,")
    ran = gametree("gradebook", "read", str(exam), ADA.identifier, "1", "3", "--alike")
    assert ran.out.splitlines() == ["00001 1: 2 of 2", "00002 1: 2 of 2"]
    for who, question in ((ADA.identifier, "9"), ("00009", "1")):
        assert gametree("gradebook", "read", str(exam), who, question, "3").code == 2


def test_contested_until_set_by_hand(exam: Path) -> None:
    """Rows that contradict each other are left to resolve until the part in question has a mark."""
    rows = (*WHOLE, "00002,3,,,", "00002,4,,,")
    assert grade(exam, *rows).code == 1
    assert both(exam) == (1, 1)
    override(exam, BEN.identifier, "1")
    assert grade(exam, *rows).code == 0
    assert both(exam) == (0, 0)


def test_contested_across_files(exam: Path) -> None:
    """Replies of two files contradict each other as those of one do, and `--duplicates` decides for both."""
    assert grade(exam, *WHOLE).code == 0
    later = ("id,1", "00001,4")
    assert grade(exam, *later).code == 1
    assert grade(exam, *later, options=("--duplicates", "last")).code == 0
    assert both(exam) == (0, 0)


def test_contested_parts_are_all_named(exam: Path) -> None:
    """Of rows that contradict each other every part is named for which they do, and no other, ever again."""
    rows = (*WHOLE, "00002,3,A=3,B,6", "00002,4,A=3,C,7")
    for _ in range(2):
        said = [line for line in grade(exam, *rows).err.splitlines() if "contested: " in line]
        assert said
        assert all("different replies of one student to 1, 2b and 3: r.csv, line" in line for line in said)


@pytest.mark.parametrize("row", ["00007,3,,,", "1,3,,,", "00001,3"], ids=["unknown", "alike", "broken"])
def test_a_row_that_counts_for_nobody(exam: Path, row: str) -> None:
    """A row that no student has is left to resolve whenever its file comes, though everybody has points."""
    for _ in range(2):
        assert grade(exam, *WHOLE, row).code == 1
    assert both(exam) == (0, 0)


def test_a_row_told_whose_it_is(exam: Path) -> None:
    """What `--same` has said of a row resolves it, and how to say it was hinted at."""
    rows = (*WHOLE[:2], "O0002,3,A=3,B,5")
    ran = grade(exam, *rows)
    assert ran.code == 1
    assert "--same ROW=STUDENT" in ran.err
    assert grade(exam, *rows, options=("--same", "O0002=00002")).code == 0
    assert grade(exam, *rows).code == 0


def test_a_row_told_by_its_place(exam: Path) -> None:
    """`--same` takes the place of a row as `--ignore` does, and holds for whoever stands there."""
    rows = (*WHOLE[:2], "O0002,3,A=3,B,5")
    assert "alike: r.csv, line 3" in grade(exam, *rows).err
    assert grade(exam, *rows, options=("--same", "r.csv, line 3=00002")).code == 0
    assert grade(exam, WHOLE[0], "O0002,3,A=3,B,5", WHOLE[1]).code == 0
    ran = grade(exam, *WHOLE, ",3,,,", options=("--same", "r.csv, line 4=00002"))
    assert (ran.code, "r.csv, line 4 names no student" in ran.err) == (2, True)


def test_a_class_with_mangled_identifiers(tmp_path: Path) -> None:
    """When many identifiers are mangled, an option is proposed that lets the names decide."""
    students = [student(number) for number in range(1, 9)]
    build(tmp_path, students, codes=("A",))
    rows = ["Matrikelnummer,Name,1,2a,2b,3"]
    rows += [f"O{each.identifier},{each.name},3,A=3 B=3 C=2 D=2,B,5 6" for each in students]
    ran = grade(tmp_path, *rows)
    assert ran.code == 1
    (way,) = re.findall(r"--map '(.*?)'", ran.err)
    assert grade(tmp_path, *rows, options=("--map", way)).code == 0
    few = grade(tmp_path, *rows[:3])
    assert "--same" in few.err
    assert "--map" not in few.err


def test_zeros_that_a_spreadsheet_ate(tmp_path: Path) -> None:
    """Identifiers without their zeros are taken over, and told, where nobody else can be meant."""
    students = [student(number) for number in range(1, 9)]
    build(tmp_path, students, codes=("A",))
    said = "3,A=3 B=3 C=2 D=2,B,5 6"
    rows = ["id,name,1,2a,2b,3", *(f"{int(each.identifier)},{each.name},{said}" for each in students)]
    ran = grade(tmp_path, *rows)
    assert ran.code == 0
    assert "1 is 00001, 2 is 00002, 3 is 00003, 4 is 00004, 5 is 00005 and 3 more" in " ".join(
        ran.err.split()
    )
    assert "8 rows in = 8 taken" in ran.out


def test_students_of_one_name_are_counted(tmp_path: Path) -> None:
    """A row with a name alone that several students have says how many, and suggests each of them."""
    students = [replace(student(number), name="Anna Müller") for number in range(1, 4)]
    build(tmp_path, students, codes=("A",))
    ran = grade(tmp_path, "name,1,2a,2b,3", "Anna Müller,3,A=3 B=3 C=2 D=2,B,5 6")
    told = " ".join(ran.err.split())
    assert told.count("3 students are called Anna Müller") == 3
    assert all(f"is it '{each.identifier}'?" in told for each in students)


@pytest.mark.parametrize("rows", [("1,Student 2", "00002,Student 2"), ("1,Student 1", "00001,Student 1")])
def test_zeros_are_put_back_for_nobody_in_doubt(exam: Path, rows: tuple[str, str]) -> None:
    """A row whose name is another student's, and one beside the student's own, are left to be told."""
    said = "3,A=3 B=3 C=2 D=2,B,5 6"
    ran = grade(exam, "id,name,1,2a,2b,3", *(f"{row},{said}" for row in rows))
    assert "1 taken + 1 alike" in ran.out
    assert "--same" in ran.err


LATE = ("--due", "2026-01-31T12:00", "--late", "refuse")


def test_a_late_row(exam: Path) -> None:
    """A row refused for being late leaves its student without points, until somebody gives some."""
    rows = ("id,time,1,2a,2b,3", "00001,2026-01-31T11:00,3,A=3,B,5", "00002,2026-01-31T13:00,3,A=3,B,5")
    assert grade(exam, *rows, options=LATE).code == 1
    override(exam, BEN.identifier, "1", "2a", "2b", "3")
    assert grade(exam, *rows, options=LATE).code == 0
    assert both(exam) == (0, 0)


def test_what_comes_next(exam: Path) -> None:
    """The last line says what to do next: look at what is left, or go on to pages, points and report."""
    assert grade(exam, *WHOLE[:2], "00002,three or so?,,,").err.splitlines()[-1] == (
        f"Next: gametree review {exam}, or gametree gradebook show {exam} --unresolved"
    )
    assert "override" in gametree("gradebook", "show", str(exam), "--unresolved").err
    override(exam, BEN.identifier, "1")
    assert grade(exam, *WHOLE).err.splitlines()[-1] == (
        f"Next: gametree gradebook show {exam} (or feedback, export); gametree report {exam}"
    )
    assert grade(exam, options=("--json",)).err == ""


def test_the_gradebook_of_another_exam(exam: Path) -> None:
    """A gradebook with replies to a variant that the exam does not have is refused by every command."""
    assert grade(exam, *WHOLE).code == 0
    build(exam, (ADA, BEN), codes=("B",))
    for command in (
        ("grade",),
        ("gradebook", "show"),
        ("gradebook", "regrade"),
        ("gradebook", "feedback"),
        ("report",),
    ):
        ran = gametree(*command, str(exam))
        assert ran.code == 2
        assert "belongs to another exam" in ran.err


@contextmanager
def unwritable(folder: Path) -> Iterator[None]:
    """A folder in which nothing can be written meanwhile, by root neither."""
    bound = subprocess.run(["mount", "--bind", str(folder), str(folder)], capture_output=True, check=False)
    if bound.returncode:
        pytest.skip("nothing can be mounted here")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", str(folder)], check=True)
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def left_open(exam: Path, *suffixes: str) -> None:
    """Leave beside the gradebook what a killed program that had one more intake leaves there."""
    book = exam / "grades" / "gradebook.db"
    with Gradebook.open(book) as opened:
        with opened.writing():
            opened.append_intake("", [], {})
        left = {suffix: book.with_name(book.name + suffix).read_bytes() for suffix in ("", *suffixes)}
    for suffix, data in left.items():
        book.with_name(book.name + suffix).write_bytes(data)


@pytest.mark.parametrize("left", [(), ("-wal", "-shm")], ids=["closed", "killed"])
def test_an_archived_exam(
    exam: Path, tmp_path_factory: pytest.TempPathFactory, left: tuple[str, ...]
) -> None:
    """What only reads works in a folder that cannot be written, and what writes is refused."""
    other = tmp_path_factory.mktemp("other")
    (other / "r.csv").write_text("id,1\n00001,5\n")
    assert grade(exam, *WHOLE).code == 0
    reading = [
        ("gradebook", "show", str(exam)),
        ("gradebook", "history", str(exam), ADA.identifier),
        ("gradebook", "export", str(exam), "-o", "-"),
        ("gradebook", "feedback", str(exam), "-o", str(other)),
        ("report", str(exam), "-o", str(other)),
        ("grade", str(exam)),
    ]
    writing = [
        ("grade", str(exam), str(other / "r.csv")),
        ("gradebook", "override", str(exam), ADA.identifier, "1", "1", "--reason", "asked"),
        ("gradebook", "feedback", str(exam)),
        ("report", str(exam)),
    ]
    before = [gametree(*command) for command in reading]
    if left:
        left_open(exam, *left)
    with unwritable(exam):
        assert [gametree(*command) for command in reading] == before
        for command in writing:
            ran = gametree(*command)
            assert ran.code == 2, ran.out
            assert "read" in ran.err
            assert "only" in ran.err


def test_an_archived_exam_that_nobody_closed(exam: Path) -> None:
    """Where a gradebook cannot be read without writing, it is said what to do, and the copy is complete."""
    assert grade(exam, *WHOLE).code == 0
    left_open(exam, "-wal")
    with unwritable(exam):
        ran = gametree("gradebook", "show", str(exam))
        assert (ran.code, "make a copy" in ran.err) == (2, True)
    with Gradebook.open(exam / "grades" / "gradebook.db") as book:
        assert book.next_intake() == 3


def test_a_log_that_stays_is_told(exam: Path) -> None:
    """While another program reads the gradebook, new marks stay in the log beside it, and that is said."""
    assert "-wal" not in grade(exam, *WHOLE[:2]).err
    with closing(sqlite3.connect(exam / "grades" / "gradebook.db", isolation_level=None)) as reading:
        reading.execute("BEGIN")
        reading.execute("SELECT count(*) FROM marks").fetchall()
        ran = grade(exam, *WHOLE)
    assert "Note: the newest marks are safe in gradebook.db-wal" in ran.err
    assert "Warning" not in ran.err
    assert "-wal" not in gametree("gradebook", "show", str(exam)).err


@pytest.mark.parametrize("lock", ["IMMEDIATE", "EXCLUSIVE"])
def test_waiting_for_another_program_is_told_once(
    exam: Path, monkeypatch: pytest.MonkeyPatch, lock: str
) -> None:
    """While another program is writing it is said, once, that it is waited for; then grading goes on."""
    monkeypatch.setattr("grader.grading.gradebook_file.WAIT_NOTICE_SECONDS", 0.1)
    said = "Waiting for another program that is writing to "
    assert said not in grade(exam, *WHOLE[:2]).err
    book = exam / "grades" / "gradebook.db"
    with closing(sqlite3.connect(book, isolation_level=None, check_same_thread=False)) as other:
        if lock == "EXCLUSIVE":
            other.execute("PRAGMA journal_mode = DELETE")
        other.execute(f"BEGIN {lock}")
        timer = Timer(0.5, other.execute, ("COMMIT",))
        timer.start()
        ran = grade(exam, *WHOLE)
        timer.join()
    assert (ran.code, ran.err.count(f"{said}{book}.\n")) == (0, 1)


@pytest.mark.parametrize(
    "step",
    ["tables.readers.read_submissions", "grading.intake.append_tables", "grading.class_marking.mark_pending"],
)
def test_stopped_by_hand(exam: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """Ctrl-C ends with code 130 and one line about what is kept, and the same command goes on."""
    with monkeypatch.context() as patched:
        patched.setattr(f"grader.{step}", interrupted)
        ran = grade(exam, *WHOLE)
        assert ran.code == 130
        said = [line for line in ran.err.splitlines() if line.startswith("Stopped.")]
        assert len(said) == 1
        assert "is kept; run the same command again" in said[0]
    assert grade(exam, *WHOLE).code == 0


@pytest.mark.parametrize(
    ("command", "step", "safe"),
    [
        (("gradebook", "regrade"), "grading.regrading.regrade", "No mark was changed"),
        (
            ("gradebook", "regrade", "--apply"),
            "grading.regrading.append_changes",
            "all together or not at all",
        ),
        (("gradebook", "feedback"), "publishing.feedback_formats.write_feedback", "is whole"),
    ],
)
def test_what_reads_marks_stopped_by_hand(
    exam: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], step: str, safe: str
) -> None:
    """Ctrl-C ends regrading and feedback with code 130 and one line about what is safe and how to go on."""
    assert grade(exam, *WHOLE).code == 0
    with monkeypatch.context() as patched:
        patched.setattr(f"grader.{step}", interrupted)
        ran = gametree(*command, str(exam))
    (said,) = [line for line in ran.err.splitlines() if line.startswith("Stopped.")]
    assert (ran.code, safe in said, said.endswith("; run the same command again.")) == (130, True, True)
    assert gametree(*command, str(exam)).code == 0


@pytest.mark.parametrize("where", ["here", "processes"])
def test_without_a_thread(exam: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    """Where no thread can be started it is said that nothing can be marked; what came is taken in."""

    def refused(_: Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patched:
        patched.setattr(Thread, "start", refused)
        ran = grade(exam, *WHOLE, options=("--executor", where))
    assert (ran.code, ran.err.count("Error:")) == (2, 1)
    assert "cannot be started: can't start new thread" in ran.err
    assert "8 replies marked" in grade(exam).out


def test_a_damaged_gradebook(exam: Path) -> None:
    """A gradebook whose pages are damaged is refused, without a traceback and without a change."""
    assert grade(exam, *WHOLE).code == 0
    book = exam / "grades" / "gradebook.db"
    damaged = book.read_bytes()[:8192].ljust(len(book.read_bytes()), b"\x05")
    book.write_bytes(damaged)
    for command in (("gradebook", "show"), ("gradebook", "history"), ("report",)):
        ran = gametree(*command, str(exam), *([ADA.identifier] if "history" in command else []))
        assert ran.code == 2, ran.out
        assert "cannot be used" in ran.err
    assert book.read_bytes() == damaged


def test_an_empty_gradebook(exam: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a full disk leaves of a gradebook is not taken for one without marks in silence."""
    monkeypatch.setattr("grader.cli.shared.exam_folders.NEW_GRADEBOOK_SECONDS", 0.0)
    assert grade(exam, *WHOLE).code == 0
    (exam / "grades" / "gradebook.db").write_bytes(b"")
    shown = gametree("gradebook", "show", str(exam))
    assert (shown.code, "is empty" in shown.err) == (2, True)
    again = grade(exam, *WHOLE)
    assert (again.code, "Warning:" in again.err) == (0, True)
    assert "Warning:" not in grade(exam, *WHOLE).err


def test_a_gradebook_in_the_making(exam: Path) -> None:
    """A gradebook that another program is just making is not taken for one that has lost its marks."""
    book = exam / "grades" / "gradebook.db"
    book.touch()
    timer = Timer(0.3, lambda: Gradebook.open(book, create=True).connection.close())
    timer.start()
    ran = grade(exam, *WHOLE)
    timer.join()
    assert (ran.code, "was empty" in ran.err) == (0, False)


def test_a_damaged_key(exam: Path) -> None:
    """A key that cannot be read is an ERROR when marking, and is refused where pages need it."""
    assert grade(exam, *WHOLE).code == 0
    record = exam / "instructor" / "exam.json"
    record.write_text(
        record.read_text().replace('"checksum": "', '"checksum": "0').replace('"checksum":"', '"checksum":"0')
    )
    ran = gametree("gradebook", "feedback", str(exam))
    assert ran.code == 2
    assert "the key of" in ran.err


@pytest.mark.parametrize("half", ['"\\ud800"', '"\\uDFFF"', '"\\udc00\\ud800"'])
def test_half_a_character_in_the_record(exam: Path, half: str) -> None:
    """A record with half of a surrogate pair is refused when it is read; a whole pair is a character."""
    assert grade(exam, *WHOLE).code == 0
    record = exam / "instructor" / "exam.json"
    whole = record.read_text().replace('"Student 1"', '"\\ud83d\\ude00"')
    record.write_text(whole)
    assert "😀" in gametree("gradebook", "show", str(exam)).out
    record.write_text(whole.replace('"00001"', half))
    for command in (("grade",), ("gradebook", "show"), ("gradebook", "feedback"), ("report",)):
        ran = gametree(*command, str(exam))
        assert (ran.code, "is not text" in ran.err) == (2, True)


@pytest.mark.parametrize("command", ["show", "history", "feedback", "override"])
@pytest.mark.parametrize("said", ["1", "student 1", "1.0", "0001"])
def test_a_misspelt_student(exam: Path, command: str, said: str) -> None:
    """Whoever is not in the class list is refused with those who may be meant, also beside others."""
    assert grade(exam, *WHOLE).code == 0
    more = {
        "show": (said,),
        "history": (said,),
        "feedback": ("--student", BEN.identifier, "--student", said),
        "override": (said, "1", "1", "--reason", "asked"),
    }[command]
    ran = gametree("gradebook", command, str(exam), *more)
    assert ran.code == 2
    assert f"There is no student {said!r}." in ran.err
    assert "00001 (Student 1)" in ran.err
    assert not (exam / "grades" / "feedback").exists()


def test_misspelt_options(exam: Path) -> None:
    """A column or a question that is not there is refused, also beside others that are."""
    other = exam / "s.csv"
    other.write_text("id,1\n00001,3\n")
    ran = grade(exam, *WHOLE, options=(str(other), "--map", "Typo=2a"))
    assert (ran.code, "'Typo'" in ran.err) == (2, True)
    ran = grade(exam, *WHOLE, options=("--question", "1", "--question", "77"))
    assert (ran.code, "'77'" in ran.err) == (2, True)


def test_a_row_that_was_assigned_speaks_for_nobody_else(exam: Path) -> None:
    """Whoever a misspelt row may have been is not asked about any more when it is said whose it is."""
    rows = ("id,1,2a,2b,3", "O0001,3,A=3 B=3 C=2 D=2,B,5 6")
    assert "AMBIGUOUS" in grade(exam, *rows).out
    ran = grade(exam, *rows, options=("--same", f"O0001={BEN.identifier}"))
    assert "AMBIGUOUS" not in ran.out
    assert "4 MISSING" in ran.out


def test_what_is_kept_aside_asks_no_question(exam: Path) -> None:
    """Under --duplicates first another reply changes no mark, and raises no question later."""
    assert grade(exam, *WHOLE).code == 0
    other = ("id,1,2a,2b,3", "00001,6,A=6 B=3 C=2 D=2,C,5")
    assert grade(exam, *other, options=("--duplicates", "first")).out.count("0 replies marked") == 1
    assert grade(exam, *other).code == 0
    history = gametree("gradebook", "history", str(exam), ADA.identifier).out
    assert history.count("is set aside") == 4


def test_what_is_told_of_columns_is_remembered(exam: Path) -> None:
    """--map mends a wrong guess after the fact, and holds for the same file when it comes again."""
    rows = ("id,1,2a,2b,3", "00001,B,A=3 B=3 C=2 D=2,3,5 6", "00002,,,,")
    assert grade(exam, *rows).code == 1
    mended = grade(exam, *rows, options=("--map", "1=2b", "--map", "2b=1"))
    assert mended.code == 0, mended.err
    assert "Warning: what was read from r.csv before, in another way, no longer counts." in mended.err
    again = grade(exam, *rows)
    assert (again.code, "Warning" in again.err) == (0, False)
    assert "'1': answers to 2b (as you say)" in again.err


def test_columns_that_are_not_needed_are_counted(exam: Path) -> None:
    """Of many columns that are not needed the first are named, and the others counted."""
    others = ",".join(f"remark {letter * 3}" for letter in "abcdefghijklmn")
    graded = grade(exam, f"id,1,2a,2b,3,{others}", f"00001,B,A=3 B=3 C=2 D=2,3,5 6{',' * 14}")
    assert "remark lll and 2 more\n" in graded.err


def test_files_of_one_name_are_told_apart(exam: Path) -> None:
    """Two files of one name in one command are two: places name both, and mending one leaves the other."""
    paths = [exam / folder / "r.csv" for folder in ("first", "second")]
    for path, reply in zip(paths, ("3", "4"), strict=True):
        path.parent.mkdir()
        path.write_text(f"id,1,x\n00001,{reply},\n")
    ran = gametree("grade", str(exam), *map(str, paths), "--executor", "here")
    assert "first/r.csv, line 2 and " in ran.err
    assert "second/r.csv, line 2" in ran.err
    gametree("grade", str(exam), str(paths[0]), "--map", "1=", "--map", "x=1", "--executor", "here")
    shown = gametree("gradebook", "show", str(exam), ADA.identifier).out
    assert "AMBIGUOUS" not in shown


def test_override_needs_a_gradebook(exam: Path) -> None:
    """A mistaken override of an exam that nobody has graded leaves no gradebook behind."""
    ran = gametree("gradebook", "override", str(exam), ADA.identifier, "9", "1", "--reason", "typo")
    assert ran.code == 2
    assert not (exam / "grades" / "gradebook.db").exists()


def test_taking_in_and_marking_are_watched(exam: Path) -> None:
    """Who watches sees rows come in and then marks being made, each to the end; nobody else sees either."""
    table = exam / "r.csv"
    table.write_text("".join(f"{line}\n" for line in WHOLE))
    ours, theirs = pty.openpty()
    with os.fdopen(ours, "rb", buffering=0) as screen:
        command = (sys.executable, "-m", "grader", "grade", str(exam), str(table), "--executor", "here")
        ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, check=True)
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # how Linux says that nobody writes any more
            while data := screen.read(4096):
                shown += data
    lines = re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", shown.decode()).replace("\r\n", "\n").split("\n")
    shown_last = [line.rpartition("\r")[2].split() for line in lines]
    assert ["taking", "in", str(len(WHOLE) - 1), "rows"] in shown_last
    assert ["marking"] in [words[:1] for words in shown_last if "100%" in words]
    assert b"100%" not in ran.stdout
    (exam / "grades" / "gradebook.db").unlink()
    quiet = grade(exam, *WHOLE).err
    assert "100%" not in quiet
    assert "taking in" not in quiet


def test_feedback_is_handed_out(exam: Path, tmp_path: Path) -> None:
    """A list says whose page is whose, apart from the pages; a zip has each page under its participant."""
    assert grade(exam, *WHOLE).code == 0
    people = {each.identifier: each.name for each in read_exam_keys(exam).roster or ()}
    worksheet = tmp_path / "worksheet.csv"
    rows = (f"Participant {4700 + place},{name},{key}," for place, (key, name) in enumerate(people.items()))
    worksheet.write_text("Identifier,Full name,ID number,Grade\n" + "\n".join(rows), encoding="utf-8")
    ran = gametree("gradebook", "feedback", str(exam), "--format", "html", "--moodle", str(worksheet))
    assert ran.code == 0, ran.err
    pages = {path.name for path in (exam / "grades" / "feedback").glob("*.html")}
    table = (exam / "grades" / "feedback.csv").read_text(encoding="utf-8-sig")
    listed = {row["id"]: row["file"] for row in csv.DictReader(StringIO(table))}
    assert (set(listed), set(listed.values())) == (set(people), pages)
    with zipfile.ZipFile(exam / "grades" / "feedback.zip") as packed:
        numbers = {name.split("_")[1]: name.split("_", 4)[4] for name in packed.namelist()}
    assert numbers == {f"{4700 + place}": listed[key] for place, key in enumerate(people)}


def test_feedback_list_has_a_row_for_each_student(exam: Path) -> None:
    """However many formats the pages have, each student is listed once, first with the page to send."""
    assert grade(exam, *WHOLE).code == 0
    people = [each.identifier for each in read_exam_keys(exam).roster or ()]

    def listed(*options: str) -> list[dict[str, str]]:
        assert gametree("gradebook", "feedback", str(exam), "--jobs", "1", *options).code == 0
        table = (exam / "grades" / "feedback.csv").read_text(encoding="utf-8-sig")
        return [*csv.DictReader(StringIO(table))]

    rows = listed()
    assert [row["id"] for row in rows] == people
    assert [*rows[0]] == ["id", "name", "email", "file", "markdown"]
    assert all(row["file"].endswith(".html") and row["markdown"].endswith(".md") for row in rows)
    rows = listed("--format", "pdf", "--student", people[1])
    assert [row["id"] for row in rows] == people
    assert [row["file"].rpartition(".")[2] for row in rows] == ["html", "pdf"] + ["html"] * (len(people) - 2)
