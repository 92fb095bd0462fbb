"""The gradebook: appended and never changed, exported only when resolved, regraded only when told."""

import csv
import io
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from typer.testing import CliRunner

from grader.answers.form import Policy
from grader.base.phrases import ENGLISH
from grader.base.records import SchemaError
from grader.base.safe_text import safe_lines, safe_paragraph
from grader.cli import app
from grader.exercises.exercise import Exercise
from grader.exercises.exercise_file import read_exercise
from grader.exercises.marking import State, read_mark, write_mark
from grader.grading.exam_keys import read_exam_keys
from grader.grading.gradebook_exports import GRADEBOOK_FORMATS, Rounding
from grader.grading.gradebook_file import GradebookError
from grader.grading.gradebook_store import Gradebook
from grader.grading.results import results
from grader.publishing.feedback_formats import write_feedback
from grader.tables.formulas import MAX_TABLE_TEXT_LENGTH, guard_formula, unguard_formula
from grader.tables.student_directory import Student
from tests.grading.classroom import build, change_exam, student

RUNNER = CliRunner()


def run(*arguments: object, code: int = 0) -> str:
    """What a command says on stdout; it has to end with this code."""
    result = RUNNER.invoke(app, [str(each) for each in arguments])
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result.stdout


@pytest.fixture
def exam(tmp_path: Path) -> Path:
    """An exam of three students with the tree A, all of whom answered everything."""
    build(tmp_path, [student(number) for number in range(3)], codes=("A",))
    rows = ["00000,3,A=3 B=3 C=2 D=2,B,5 6", "00001,6,A=6 B=3 C=6 D=2,C,5 8", "00002,,,,"]
    (tmp_path / "r.csv").write_text("id,1,2a,2b,3\n" + "\n".join(rows) + "\n")
    run("grade", tmp_path, tmp_path / "r.csv", "--executor", "here")
    return tmp_path


def points(exam: Path) -> dict[str, list[str]]:
    """The points of everybody, as the CSV export has them."""
    text = run("gradebook", "export", exam, "-o", "-", "--allow-stale").removeprefix("\ufeff")
    return {
        row["id"]: [row[part] for part in ("1", "2a", "2b", "3")] for row in csv.DictReader(io.StringIO(text))
    }


def test_other_programs_leave_the_log_alone(exam: Path) -> None:
    """A gradebook that is opened once more by the same program stays locked against all others."""
    path = exam / "grades" / "gradebook.db"
    other = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT * FROM marks').close()"
    with Gradebook.open(path) as book:
        assert book.pending_count() == 0
        with Gradebook.open(path) as again:
            assert again.pending_count() == 0
        subprocess.run([sys.executable, "-c", other, str(path)], check=True)
        assert path.with_name("gradebook.db-wal").exists()


def test_marks_are_only_appended(exam: Path) -> None:
    """SQLite itself refuses to change or delete anything in the gradebook."""
    (exam / "stranger.csv").write_text("id,1\n77777,3\n")
    run("grade", exam, exam / "stranger.csv", "--executor", "here", code=1)
    with Gradebook.open(exam / "grades" / "gradebook.db") as book:
        for table in ("marks", "submissions", "outcomes", "rows", "intakes"):
            assert book.connection.execute(f"SELECT count(*) FROM {table}").fetchone() > (0,)
            for statement in (f"DELETE FROM {table}", f"UPDATE {table} SET id = id + 1"):
                with pytest.raises(sqlite3.IntegrityError, match="only ever appended"):
                    book.connection.execute(statement)


def test_marks_say_what_they_were_made_from(exam: Path) -> None:
    """Every mark has the hashes of its reply, of the key and of the policy, and the program's version."""
    record = json.loads(run("gradebook", "history", exam, "00001", "--json"))
    assert len(record["marks"]) == 4
    for mark in record["marks"]:
        assert all(len(mark[name]) == 32 for name in ("basis", "key", "policy"))
        assert mark["program"]
    assert len({mark["key"] for mark in record["marks"]}) == 4


def test_no_gradebook_is_refused(tmp_path: Path, exam: Path) -> None:
    """A file that is no gradebook, or one of another version, is refused and left as it is."""
    for name, data in (("text.db", b"not a database at all, by any means" * 40), ("empty.txt", b"x")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(GradebookError):
            Gradebook.open(tmp_path / name)
        assert (tmp_path / name).read_bytes() == data
    with sqlite3.connect(exam / "grades" / "gradebook.db") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(SchemaError, match=r"made by gametree-grader .* schema 99, .*: update the program"):
        Gradebook.open(exam / "grades" / "gradebook.db")


READING = (
    ("grade",),
    ("gradebook", "show"),
    ("gradebook", "history", "00001"),
    ("gradebook", "export", "-o", "-"),
    ("gradebook", "override", "00001", "1", "1", "--reason", "seen"),
    ("gradebook", "regrade", "--executor", "here"),
    ("gradebook", "feedback"),
    ("report",),
)


def at(exam: Path, command: tuple[str, ...]) -> list[str]:
    """The command about this exam: the folder comes first of the arguments."""
    place = 2 if command[0] == "gradebook" else 1
    return [*command[:place], str(exam), *command[place:]]


@pytest.mark.parametrize("damage", [b'{"st\xffte"', b'{"stXte"'])
@pytest.mark.parametrize("command", READING, ids=lambda command: " ".join(command[:2]))
def test_damage_is_refused(exam: Path, command: tuple[str, ...], damage: bytes) -> None:
    """Every command that meets something in a gradebook that was not written there refuses, and says so."""
    path = exam / "grades" / "gradebook.db"
    data = path.read_bytes()
    assert b'{"state"' in data
    path.write_bytes(data.replace(b'{"state"', damage))
    result = RUNNER.invoke(app, at(exam, command))
    assert result.exit_code == 2, result.output
    assert "is damaged" in result.stderr
    assert "Restore a copy" in result.stderr


FLIPPED = {
    "submissions": ("student", "question", "variant", "reply", "contested", "time", "place", "late"),
    "marks": ("student", "question", "submission", "outcome", "maker", "reason", "at"),
    "outcomes": ("digest", "content", "basis", "key", "policy", "program"),
    "rows": ("place", "said", "student", "fate", "why", "cells"),
    "intakes": ("sources",),
}


@pytest.mark.sampled(13)
@pytest.mark.parametrize(
    "place", [(table, column) for table, columns in FLIPPED.items() for column in columns]
)
def test_a_flipped_bit_is_no_silent_change(exam: Path, place: tuple[str, str]) -> None:
    """Whatever changes in a row after it was written is found when the row is read."""
    table, column = place
    path = exam / "grades" / "gradebook.db"
    (exam / "more.csv").write_text("id,1\nnobody at all,3\n")
    run("grade", exam, exam / "more.csv", "--executor", "here", code=1)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"DROP TRIGGER {table}_UPDATE")
        connection.execute(f"UPDATE {table} SET {column} = replace({column}, 'a', 'c') || '1' WHERE id = 1")
        connection.commit()
    told = "another exam" if column == "variant" else "is damaged"
    assert told in RUNNER.invoke(app, ["gradebook", "show", str(exam), "--rows"]).stderr


def test_a_damaged_schema_is_refused(exam: Path) -> None:
    """A file whose tables are no text is refused too, though SQLite's own message cannot be read then."""
    path = exam / "grades" / "gradebook.db"
    data = path.read_bytes()
    path.write_bytes(data.replace(b"CREATE TABLE marks", b"CREATE \xdd\xffBLE marks"))
    result = RUNNER.invoke(app, ["gradebook", "show", str(exam)])
    assert result.exit_code == 2, result.output
    assert "is damaged" in result.stderr


@pytest.mark.parametrize("command", READING, ids=lambda command: " ".join(command[:2]))
def test_a_reply_without_a_variant_is_damage(exam: Path, command: tuple[str, ...]) -> None:
    """What no program has left out of a gradebook, and another one has emptied there, is told as damage."""
    path = exam / "grades" / "gradebook.db"
    for statements in (
        (
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_schema SET sql = replace(sql, 'variant TEXT NOT NULL', 'variant TEXT')",
        ),
        ("DROP TRIGGER submissions_UPDATE", "UPDATE submissions SET variant = NULL WHERE id = 1"),
    ):
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            for statement in statements:
                connection.execute(statement)
    result = RUNNER.invoke(app, at(exam, command))
    assert result.exit_code == 2, result.output
    assert "is damaged" in result.stderr


def test_a_locked_gradebook_says_to_wait(exam: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where another program has the gradebook locked, the hint is to wait for it, not to copy anything."""
    monkeypatch.setattr("grader.grading.gradebook_file.MAX_WAIT_SECONDS", 0.0)
    other = sqlite3.connect(exam / "grades" / "gradebook.db", isolation_level=None)
    with closing(other):
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN EXCLUSIVE")
        result = RUNNER.invoke(app, ["gradebook", "show", str(exam)])
    assert result.exit_code == 2
    assert "run the same command again when that has ended" in " ".join(result.stderr.split())


def test_what_is_no_text_is_kept_as_text(exam: Path) -> None:
    """Half a character in a reply, a time, a reason or a name of a file is kept, and is no news again."""
    record = '{"id": "00002", "1": "\\ud800 3", "time": "2026-01-\\ud800"}\n'
    path = Path(os.fsdecode(os.fsencode(exam) + b"/r\xff.jsonl"))
    try:
        path.write_text(record)
    except OSError:
        pytest.skip("names of files are UTF-8 here")
    command = ("grade", exam, path, "--executor", "here", "--duplicates", "ask")
    first = run(*command, code=1)
    assert "1 row in = 1 taken" in first
    second = run(*command, code=1)
    assert "0 replies marked" in second
    assert "contested" not in second
    assert "1 row in = 1 same" in second
    run("gradebook", "override", exam, "00002", "1", "1", "--reason", "said \udcff aloud")
    assert "said ? aloud" in run("gradebook", "history", exam, "00002")
    assert "? 3" in run("gradebook", "history", exam, "00002")


def test_exports_refuse_what_is_unresolved(exam: Path) -> None:
    """An export refuses while a cell is unresolved and writes nothing; told to, it leaves the cell empty."""
    (exam / "late.csv").write_text("id,1\n00001,eh?\n")
    run("grade", exam, exam / "late.csv", "--duplicates", "last", "--executor", "here", code=1)
    for each in GRADEBOOK_FORMATS:
        out = exam / each.name
        run("gradebook", "export", exam, "-o", out, "--format", each.name, code=1)
        assert not out.exists()
        run("gradebook", "export", exam, "-o", out, "--format", each.name, "--leave-empty")
        assert out.stat().st_size
        out.unlink()
    text = run("gradebook", "export", exam, "-o", "-", "--leave-empty").removeprefix("\ufeff")
    row = next(row for row in csv.DictReader(io.StringIO(text)) if row["id"] == "00001")
    assert (row["1"], row["total"]) == ("", "")
    assert row["2a"] != ""
    assert row["unresolved"] == "1 UNPARSEABLE"


def test_exports_refuse_what_is_stale(exam: Path) -> None:
    """An export refuses while marks were made with another key than now, unless told; overrides are none."""
    out, command = exam / "grades.csv", ("gradebook", "export", exam, "-o", exam / "grades.csv")
    run("gradebook", "override", exam, "00002", "1", "1", "--reason", "said so aloud")
    mend(exam)
    result = RUNNER.invoke(app, [str(each) for each in command])
    assert result.exit_code == 1
    assert "2 marks were made with another key or policy" in result.stderr
    assert f"gametree gradebook regrade {exam}" in result.stderr
    assert not out.exists()
    run(*command, "--allow-stale")
    out.unlink()
    run("gradebook", "regrade", exam, "--executor", "here", "--apply")
    run(*command)
    assert out.exists()


def test_an_export_makes_no_folder(exam: Path) -> None:
    """A misspelt folder is told with what helps, as by every command that writes a file, and is not made."""
    out = exam / "no-such" / "grades.csv"
    result = RUNNER.invoke(app, ["gradebook", "export", str(exam), "-o", str(out)])
    assert result.exit_code == 2
    assert f"Make the directory {out.parent} first." in " ".join(result.stderr.split())
    assert not out.parent.exists()


def test_blank_is_worth_what_is_stated(exam: Path) -> None:
    """A blank reply has 0 points, or with --blank empty none, which then have to be left empty."""
    assert points(exam)["00002"] == ["0", "0", "0", "0"]
    run("gradebook", "export", exam, "-o", "-", "--blank", "empty", code=1)


def test_override_stands(exam: Path) -> None:
    """A mark set by hand, with its reason, outlives grading, later replies and regrading."""
    run("gradebook", "override", exam, "00001", "3", "2.5", "--reason", "said so aloud")
    (exam / "late.csv").write_text("id,3\n00001,5 6\n")
    run("grade", exam, exam / "late.csv", "--duplicates", "last", "--executor", "here")
    run("gradebook", "regrade", exam, "--apply", "--executor", "here")
    assert points(exam)["00001"][3] == "2.5"
    assert "said so aloud" in run("gradebook", "history", exam, "00001")


def test_a_withdrawn_override_leaves_nothing_behind(exam: Path) -> None:
    """After --withdraw, one or by table, the present reply is marked as if no mark had been set by hand."""
    before = points(exam)
    for part in ("2a", "3"):
        run("gradebook", "override", exam, "00001", part, "0.5", "--reason", "said so aloud")
    run("gradebook", "override", exam, "00001", "3", "1", "--reason", "more of it")
    run("gradebook", "override", exam, "00001", "1", "1", "--reason", "said so aloud")
    (exam / "late.csv").write_text("id,3\n00001,5 6\n")
    run("grade", exam, exam / "late.csv", "--duplicates", "last", "--executor", "here")
    (exam / "back.csv").write_text("id,question\n00001,2a\n00001,3\n")
    assert "00001 3: 3 of 3" in run("gradebook", "override", exam, "--withdraw", "--table", exam / "back.csv")
    run("gradebook", "override", exam, "00001", "1", "--withdraw", "--reason", "not hers")
    assert points(exam)["00001"] == [*before["00001"][:3], "3"]
    told = run("gradebook", "history", exam, "00001")
    assert "1: 1 of 2 by override: said so aloud" in told
    assert "1: the mark set by hand is withdrawn: not hers" in told
    run("gradebook", "override", exam, "00001", "1", "--withdraw", code=2)
    run("gradebook", "override", exam, "--withdraw", "--table", exam / "back.csv", code=2)
    assert "0 marks change" in run("gradebook", "regrade", exam, "--executor", "here")
    run("gradebook", "override", exam, "00001", "1", "1.5", "--reason", "hers after all")
    assert points(exam)["00001"][0] == "1.5"


def test_an_override_without_a_reply_can_be_withdrawn(tmp_path: Path) -> None:
    """Somebody who handed in nothing is MISSING again when the mark set by hand is taken back."""
    build(tmp_path, [student(number) for number in range(2)], codes=("A",))
    (tmp_path / "r.csv").write_text("id,1\n00000,3\n")
    run("grade", tmp_path, tmp_path / "r.csv", "--executor", "here", code=1)
    run("gradebook", "override", tmp_path, "00001", "1", "2", "--reason", "oral")
    assert "00001 1: MISSING" in run("gradebook", "override", tmp_path, "00001", "1", "--withdraw")
    record = json.loads(run("gradebook", "show", tmp_path, "00001", "--json", code=1))
    assert {part["state"] for part in record["students"][0]["questions"]} == {"MISSING"}
    assert "students absent (no row, or an empty row): 1" in run("gradebook", "show", tmp_path, code=1)


def test_withdrawing_keeps_what_was_promised(exam: Path) -> None:
    """Points that --never-lower has kept are kept again when a mark set by hand after it is withdrawn."""
    mend(exam)
    run("gradebook", "regrade", exam, "--executor", "here", "--apply", "--never-lower")
    run("gradebook", "override", exam, "00000", "1", "1", "--reason", "x")
    run("gradebook", "override", exam, "00000", "1", "--withdraw")
    assert points(exam)["00000"][0] == "2"


def test_an_overridden_part_is_not_read(exam: Path) -> None:
    """A reading would not change a mark set by hand: it is refused, and one with --alike leaves it out."""
    run("gradebook", "override", exam, "00001", "1", "1", "--reason", "said so aloud")
    result = RUNNER.invoke(app, ["gradebook", "read", str(exam), "00001", "1", "3"])
    assert result.exit_code == 2
    assert "was set by hand" in result.stderr
    (exam / "more.csv").write_text("id,1\n00000,three or so?\n00001,three or so?\n")
    run("grade", exam, exam / "more.csv", "--duplicates", "last", "--executor", "here", code=1)
    assert run("gradebook", "read", exam, "00000", "1", "3", "--alike") == "00000 1: 2 of 2\n"
    assert points(exam)["00001"][0] == "1"


def test_points_have_a_comma_where_replies_have(exam: Path) -> None:
    """Where the exam reads 2,5 as a decimal, points are typed and shown so, and nowhere else."""
    command = ("gradebook", "override", exam, "00001", "3", "2,5", "--reason", "said so aloud")
    assert "write 2.5" in RUNNER.invoke(app, list(map(str, command))).output

    for question in range(3):
        worth(exam, question, decimal_comma=True)
    assert "-> 2,5 of 3" in run(*command)
    assert "2,5 of 3" in run("gradebook", "history", exam, "00001")
    assert " 2,5 " in run("gradebook", "show", exam, "00001")
    assert points(exam)["00001"][3] == "2.5"


def test_commands_speak_english_of_a_german_exam(exam: Path) -> None:
    """Commands speak English with the numbers of the exam; the reason after a colon is in its language."""
    for question in range(3):
        worth(exam, question, decimal_comma=True, language_code="de")
    change_exam(exam, lambda record: record["heading"].update(language="de"))
    (exam / "more.csv").write_text("id,1,2a\n00002,Tisch,A=3 B=3\n")
    run("grade", exam, exam / "more.csv", "--executor", "here", "--duplicates", "last", code=1)
    shown = run("gradebook", "show", exam, "--unresolved", code=1)
    assert "1 reply: hier steht keine Zahl" in shown
    english = "Points are rounded to 2 decimals, halves up, in each cell separately."
    assert english in shown
    assert english in run("gradebook", "show", exam, code=1)


def test_a_french_reason_keeps_its_signs_with_their_words(exam: Path) -> None:
    """Where a terminal line ends, a colon stays with the word before it."""
    for question in range(3):
        worth(exam, question, language_code="fr")
    change_exam(exam, lambda record: record["heading"].update(language="fr"))
    (exam / "more.csv").write_text("id,2a\n00002,A 3 B\n")
    run("grade", exam, exam / "more.csv", "--executor", "here", "--duplicates", "last", code=1)
    shown = run("gradebook", "show", exam, "--unresolved", code=1)
    assert "nom\xa0: B=3" in shown


@pytest.mark.parametrize(
    "wrong",
    [
        ("00009", "1", "1", "x"),
        ("00001", "9", "1", "x"),
        ("00001", "1", "3", "x"),
        ("00001", "1", "1e999999999", "x"),
        ("00001", "1", "a", "x"),
        ("00001", "1", "1", " "),
    ],
)
def test_impossible_overrides_are_refused(exam: Path, wrong: tuple[str, str, str, str]) -> None:
    """Nobody, nothing, too many points, no number or no reason: refused, and nothing is appended."""
    before = points(exam)
    *arguments, reason = wrong
    run("gradebook", "override", exam, *arguments, "--reason", reason, code=2)
    assert points(exam) == before


def test_negative_points_are_too_few(exam: Path) -> None:
    """A number below zero is refused as points, not as an option."""
    result = RUNNER.invoke(app, ["gradebook", "override", str(exam), "00001", "1", "-1", "--reason", "x"])
    assert result.exit_code == 2
    assert "-1 is not between 0 and" in result.output


def mend(exam: Path) -> None:
    """The teacher finds that the key of question 1 is 6."""

    def change(record: dict) -> None:  # type: ignore[type-arg]  # any JSON
        record["variants"][0]["questions"][0]["parts"][0]["key"]["reply"] = "6"

    change_exam(exam, change)


def test_regrade_is_a_dry_run_first(exam: Path) -> None:
    """After a key has changed regrade says who moves and why, and only --apply appends it."""
    before = points(exam)
    mend(exam)
    said = run("gradebook", "regrade", exam, "--executor", "here")
    assert "00000 1: 2 of 2 -> 0 of 2 (key changed)" in said
    assert "00001 1: 0 of 2 -> 2 of 2 (key changed)" in said
    assert points(exam) == before
    run("gradebook", "regrade", exam, "--executor", "here", "--apply", "--reason", "typing error in the key")
    after = points(exam)
    assert (after["00000"][0], after["00001"][0]) == ("0", "2")
    assert [row[1:] for row in after.values()] == [row[1:] for row in before.values()]
    record = json.loads(run("gradebook", "regrade", exam, "--executor", "here", "--json"))
    assert record["moves"] == []
    assert "typing error in the key" in run("gradebook", "history", exam, "00001")


def worth(exam: Path, question: int, **changed: Any) -> None:
    """The teacher changes the terms of the first part of a question."""

    def change(record: dict[str, Any]) -> None:
        parts = record["variants"][0]["questions"][question]["parts"]
        asked = read_exercise(json.dumps(parts[0]))
        assert isinstance(asked, Exercise)
        terms = replace(asked.public.terms, **changed)
        parts[0] = replace(asked, public=replace(asked.public, terms=terms)).to_json()

    change_exam(exam, change)


def test_never_lower(exam: Path) -> None:
    """With --never-lower those who would lose keep their points, and those who gain get theirs."""
    mend(exam)
    run("gradebook", "regrade", exam, "--executor", "here", "--apply", "--never-lower")
    after = points(exam)
    assert (after["00000"][0], after["00001"][0]) == ("2", "2")


def test_kept_points_stay_kept(exam: Path) -> None:
    """What --never-lower has kept stays, now and after another change, until --lower-kept is said."""
    mend(exam)
    regrade = ("gradebook", "regrade", exam, "--executor", "here")
    run(*regrade, "--apply", "--never-lower")
    for appended in (0, 3):
        said = run(*regrade, "--apply")
        assert "0 marks change" in said
        assert "1 mark would be lower and stays (1 kept by an earlier --never-lower" in said
        assert f"{appended} marks appended" in said
        assert points(exam)["00000"][0] == "2"
        worth(exam, 0, digits=3)
    run(*regrade, "--never-lower", "--lower-kept", code=2)
    assert "00000 1: 2 of 2 -> 0 of 2 (no longer kept)" in run(*regrade, "--apply", "--lower-kept")
    assert points(exam)["00000"][0] == "0"
    assert "0 marks change" in run(*regrade)


def test_kept_points_fit_the_full_mark(exam: Path) -> None:
    """When a question is worth less than before, --never-lower keeps no more than its full mark now."""
    run("gradebook", "override", exam, "00002", "2a", "0", "--reason", "nothing there")
    worth(exam, 1, points=2)
    said = run("gradebook", "regrade", exam, "--executor", "here", "--apply", "--never-lower")
    assert "00000 2a: 4 of 4 -> 2 of 2 (points changed)" in said
    assert (
        "00001 2a: 2.67 of 4 -> 2 of 2 (points changed; never lower: it would be 1.33, and 2.67 is more"
        in said
    )
    with Gradebook.open(exam / "grades" / "gradebook.db") as book:
        for result in results(book, read_exam_keys(exam)):
            for standing in result.standings:
                assert standing.entry is not None
                mark = read_mark(standing.entry.content)
                assert (mark.points, mark.maximum) == (standing.entry.points, standing.entry.maximum)
                assert (mark.points or 0) <= mark.maximum
    assert "0 marks change" in run("gradebook", "regrade", exam, "--executor", "here")


def test_policy_changes_move_marks(exam: Path) -> None:
    """Another policy or other points are a reason of their own."""
    worth(exam, 2, policy=Policy("exact"), points=2)
    assert "00000 3: 3 of 3 -> 2 of 2 (policy changed)" in run(
        "gradebook", "regrade", exam, "--executor", "here"
    )


def test_rounding() -> None:
    """Halves go up, away from zero; nothing else is rounded, and zeros at the end are dropped."""
    cases = [
        ("1/2", 0, "1"),
        ("-1/2", 0, "−1"),
        ("2/3", 2, "0.67"),
        ("1/8", 2, "0.13"),
        ("5/2", 2, "2.5"),
        ("7", 2, "7"),
    ]
    for value, decimals, text in cases:
        assert ENGLISH.points(Fraction(value), decimals) == text


def test_marks_are_written_and_read(exam: Path) -> None:
    """A mark reads back from the gradebook as itself."""
    with Gradebook.open(exam / "grades" / "gradebook.db") as book:
        for entry in book.history("00001"):
            assert write_mark(read_mark(entry.content)) == entry.content


# Hostile text ---------------------------------------------------------------------------------------

HOSTILE = (
    "=1+1",
    "@SUM(A1)",
    "+cmd|' /C calc'!A0",
    "-2+3",
    " =1",
    "\t=1",
    "<script>alert(1)</script>",
    "]]><x/>",
    '"><img src=x onerror=alert(1)>',
    "{{7*7}}{% raw %}",
    "a\x00b\x1b[31m",
    "x\u202eexe.txt",
    "#show: it => panic()",
    "![](http://evil.example/x)",
    "a,b;c\nd",
    "'=1",
    "```\n# title",
    "../../../etc/passwd",
    "＝1+1",
    "#REF!",
    "x" * 70_000,
    "(" * 40_000,
    "9" * 40_000,
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An exam in which names, addresses and replies are hostile."""
    folder = tmp_path_factory.mktemp("hostile")
    people = [
        Student(
            f"{number}{text.strip()[:60]}".replace("\x00", "").replace("\n", ""), text[:150], f"m{number}@x.y"
        )
        for number, text in enumerate(HOSTILE)
    ]
    build(folder, people, codes=("A",))
    with (folder / "r.csv").open("w", newline="", encoding="utf-8") as file:
        file.write("email,1,2a,2b,3\n")
        for number, text in enumerate(HOSTILE):
            csv.writer(file).writerow([f"m{number}@x.y", *[text.replace("\x00", "")] * 4])
    run("grade", folder, folder / "r.csv", "--executor", "here", code=1)
    return folder


def test_hostile_replies_never_earn_or_break(hostile: Path) -> None:
    """Every hostile reply ends in a state of its own, and none of them is an error of the program."""
    exam_keys = read_exam_keys(hostile)
    with Gradebook.open(hostile / "grades" / "gradebook.db") as book:
        for result in results(book, exam_keys):
            for standing in result.standings:
                assert standing.state in (State.UNPARSEABLE, State.GRADED, State.AMBIGUOUS), standing
                assert standing.points in (None, 0)


def cells_of(path: Path) -> Iterator[str]:
    """Every cell of a CSV file by a CSV reader."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.reader(file, strict=True))
    assert len({len(row) for row in rows}) == 1
    assert len(rows) >= len(HOSTILE) + 1
    for row in rows:
        yield from row


@pytest.mark.parametrize("name", ["csv", "moodle", "canvas"])
def test_tables_hold_text_only(hostile: Path, tmp_path: Path, name: str) -> None:
    """Exports reopened by a CSV reader and a spreadsheet library have no formula and no control character."""
    out = tmp_path / "out.csv"
    run("gradebook", "export", hostile, "-o", out, "--format", name, "--leave-empty")
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for cell in cells_of(out):
        assert cell == "" or cell.isprintable() or cell.replace("�", "").isprintable()
        number = cell.removeprefix("-").replace(".", "", 1).isdigit()
        assert number or not cell.lstrip().startswith(("=", "+", "-", "@", "\t", "\r"))
        sheet.append([cell])
    book.save(tmp_path / "out.xlsx")
    reopened = openpyxl.load_workbook(tmp_path / "out.xlsx")
    assert all(cell.data_type != "f" for row in reopened.active.iter_rows() for cell in row)  # type: ignore[union-attr]


def test_workbooks_show_the_text_itself(hostile: Path, tmp_path: Path) -> None:
    """Each text of a workbook is in a cell of text, as students wrote it, without an apostrophe before it."""
    run("gradebook", "export", hostile, "-o", tmp_path / "points.xlsx", "--format", "xlsx", "--leave-empty")
    run("gradebook", "todo", hostile, "-o", tmp_path / "todo.xlsx", code=1)
    shown = {}
    for name, column in (("points", "name"), ("todo", "written")):
        header, *rows = openpyxl.load_workbook(tmp_path / f"{name}.xlsx").worksheets[0].iter_rows()
        cells = [*header, *(cell for row in rows for cell in row if isinstance(cell.value, str))]
        assert {(cell.data_type, cell.number_format) for cell in cells} == {("s", "@")}
        place = [cell.value for cell in header].index(column)
        shown[name] = {row[place].value for row in rows}
    assert shown["points"] == {safe_lines(text[:150], MAX_TABLE_TEXT_LENGTH) for text in HOSTILE}
    assert {"=1+1", "@SUM(A1)", "-2+3", "=1", "#REF!", "＝1+1"} <= shown["todo"]


def test_json_exports_are_json(hostile: Path) -> None:
    """The JSON exports parse, are ASCII, and have no control character in any text."""
    for name in ("json", "gradescope"):
        text = run("gradebook", "export", hostile, "-o", "-", "--format", name, "--leave-empty")
        assert json.loads(text)["schema"] == 1
        assert all(sign >= " " or sign == "\n" for sign in text)


class Reader(HTMLParser):
    """Notes which elements and attributes a page has, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.links: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links |= {address or "" for name, address in attrs if name == "href"}

    def handle_data(self, data: str) -> None:
        """Note the text."""
        self.text += data


def test_pages_hold_text_only(hostile: Path, tmp_path: Path) -> None:
    """Feedback pages of hostile students have no element, attribute or file that others have not."""
    exam_keys = read_exam_keys(hostile)
    with Gradebook.open(hostile / "grades" / "gradebook.db") as book:
        forms = "html", "markdown", "pdf"
        count = write_feedback(book, exam_keys, tmp_path, formats=forms, released=True).count
    files = sorted(tmp_path.iterdir())
    assert len(files) == 3 * count == 3 * len(HOSTILE)
    assert all(file.name.isascii() and len(file.name) < 90 for file in files)
    for file in files:
        if file.suffix == ".html":
            page = Reader()
            page.feed(file.read_text(encoding="utf-8"))
            assert not page.tags & {"script", "img", "iframe", "object", "x", "form"}
            assert all(link.startswith("#question-") for link in page.links)
            assert not any(name.startswith("on") for name in page.attributes)
        if file.suffix == ".md":
            text = file.read_text(encoding="utf-8")
            assert "<script" not in text.replace("\\<", "")
            assert "\n# title" not in text
            assert "![](" not in text


def test_reports_hold_text_only(hostile: Path, tmp_path: Path) -> None:
    """The report on hostile students is a page without scripts, and its tables have no formula."""
    run("report", hostile, "-o", tmp_path)
    page = Reader()
    page.feed((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert not page.tags & {"script", "iframe", "object", "x", "form"}
    assert not any(name.startswith("on") for name in page.attributes)
    for file in tmp_path.glob("*.csv"):
        with file.open(newline="", encoding="utf-8-sig") as opened:
            for row in csv.reader(opened, strict=True):
                for cell in row:
                    number = cell.removeprefix("-").replace(".", "", 1).isdigit()
                    assert number or not cell.lstrip().startswith(("=", "+", "-", "@"))


def test_guarding_keeps_the_text() -> None:
    """A guarded text is no formula, and reads back as the text; one that is harmless is not guarded."""
    for text in (*HOSTILE, "''=1", "' -2", "'t Hooft", "'"):
        made, line = guard_formula(text), safe_paragraph(text, MAX_TABLE_TEXT_LENGTH)
        assert not made.lstrip().startswith(("=", "+", "-", "@", "＝"))
        assert made == line or line.lstrip("' ").startswith(("=", "+", "-", "@", "＝"))
        assert unguard_formula(made) == line


def test_terminal_is_not_obeyed(hostile: Path) -> None:
    """What the commands print of hostile text has no control character but line ends."""
    for arguments in (
        ("gradebook", "show", hostile, "--rows"),
        ("gradebook", "show", hostile, "--unresolved"),
    ):
        said = RUNNER.invoke(app, [str(each) for each in arguments]).output
        assert all(sign.isprintable() or sign == "\n" for sign in said)


def test_rounding_is_stated() -> None:
    """The rule of rounding is said in words with every decimal count."""
    assert "2 decimals, halves up" in Rounding().rule_sentences
