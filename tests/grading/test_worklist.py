"""Replies that wait for a person: grouped, listed with their readings, and decided by a table."""

import csv
import json
from collections.abc import Callable, Sequence
from io import BytesIO, StringIO
from pathlib import Path

import openpyxl
import pytest

from grader.base.line_wrapping import display_width
from grader.grading.doubtful_replies import doubtful_replies, group_replies
from grader.grading.exam_keys import read_exam_keys
from grader.grading.gradebook_store import Gradebook
from tests.cli.running import Ran, gametree
from tests.grading.classroom import build, student
from tests.grading.messy_class import MAX_DECISIONS, MAX_GROUPS, choices_of, graded_class

ROWS = (
    "00000,3,A=3 B=3 C=2 D=2,B,5 6?",
    "00001,see back,A=3 B=3 C=2 D=2,B,5 6?",
    "00002,see back,A=3 B=3 C=2 D=2,B,5 8?",
    "00003,See  back,A=3 B=3 C=2 D=2,B,5 6",
    "00004,3,A=3 B=3 C=2 D=2,B,'-5 or so",
    "00005,3,,B,5 6",
    "00005,3,,C,6",
)
"""Six students, the last of them with two different rows."""


@pytest.fixture
def exam(tmp_path: Path) -> Path:
    """An exam of seven students with the tree A, one of whom is absent."""
    build(tmp_path, [student(number) for number in range(7)], codes=("A",))
    (tmp_path / "r.csv").write_text("id,1,2a,2b,3\n" + "\n".join(ROWS) + "\n")
    assert gametree("grade", str(tmp_path), str(tmp_path / "r.csv"), "--executor", "here").code == 1
    return tmp_path


def table_of(exam: Path, suffix: str) -> list[list[str]]:
    """The worklist of an exam as rows of text."""
    path = exam / f"todo.{suffix}"
    assert gametree("gradebook", "todo", str(exam), "-o", str(path)).code == 1
    if suffix == "csv":
        return [*csv.reader(StringIO(path.read_text(encoding="utf-8-sig")))]
    sheet = openpyxl.load_workbook(BytesIO(path.read_bytes())).active
    return [["" if cell is None else str(cell) for cell in row] for row in sheet.iter_rows(values_only=True)]


def filled(exam: Path, fill: Callable[[dict[str, str]], str], suffix: str = "csv") -> Ran:
    """Fill in the worklist row by row, and have it read."""
    header, *rows = table_of(exam, suffix)
    place = header.index("reply")
    for row in rows:
        row[place] = fill(dict(zip(header, row, strict=True)))
    path = exam / f"filled.{suffix}"
    if suffix == "csv":
        text = StringIO()
        csv.writer(text).writerows([header, *rows])
        path.write_text(text.getvalue())
    else:
        book = openpyxl.load_workbook(exam / "todo.xlsx")
        for number, row in enumerate(rows, 2):
            book.active.cell(number, place + 1).value = row[place] or None
        book.save(path)
    return gametree("gradebook", "read", str(exam), "--table", str(path))


def waiting(exam: Path) -> int:
    """How many replies wait for a person."""
    return int(json.loads(gametree("gradebook", "todo", str(exam), "--json").out)["waiting"])


def decided(row: dict[str, str]) -> str:
    """What a teacher fills in: the first reading in every heading, and what 'see back' stands for."""
    if row["written"].casefold().startswith("see"):
        return "6" if row["key"] else ""
    if row["written"].endswith("-5 or so"):
        return "5 6"
    return "" if row["key"] and "?" in row["written"] else "#1"


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_a_worklist_is_filled_in_and_read_back(exam: Path, suffix: str) -> None:
    """One cell decides for a group, and what is read is marked as if it had been handed in so."""
    header, *rows = table_of(exam, suffix)
    assert [*header[:6], *header[-3:]] == [
        "group", "question", "replies", "written", "understood", "why", "reply", "students", "key"
    ]  # fmt: skip
    by_name = [dict(zip(header, row, strict=True)) for row in rows]
    assert [(row["question"], row["replies"], row["written"]) for row in by_name] == [
        ("1", "3", "see back"),
        ("2b, 3", "2", ""),
        ("2b", "1", "C"),
        ("3", "1", "6"),
        ("3", "3", ""),
        ("3", "2", "5 6?"),
        ("3", "1", "5 8?"),
        ("3", "1", {"csv": "'-5 or so", "xlsx": "-5 or so"}[suffix]),
    ]
    asked = by_name[5]
    assert (asked["#1"], asked["#1 points"], asked["#2"], asked["#2 points"]) == ("5 6", "3", "5", "1.5")
    assert asked["students"] == "00000 00001"
    ran = filled(exam, decided, suffix)
    assert (ran.code, ran.err) == (0, "")
    assert "00003 1: 0 of 2" in ran.out
    assert "00001 3: 3 of 3" in ran.out
    assert (waiting(exam), gametree("gradebook", "show", str(exam)).code) == (0, 0)
    assert "see back" in gametree("gradebook", "history", str(exam), "00001").out
    assert "have changed since" in filled_again(exam, suffix).err


def filled_again(exam: Path, suffix: str) -> Ran:
    """Read the same worklist once more."""
    return gametree("gradebook", "read", str(exam), "--table", str(exam / f"filled.{suffix}"))


@pytest.mark.parametrize(
    ("written", "choice", "why"),
    [
        ("5 8?", "#3", "there is no reading #3"),
        ("5 8?", "5 or 8?", "cannot be read either"),
        ("", "5 6", "takes #0, #1, ..., not a typed"),
        ("nothing", "", "no row has anything in the column reply"),
    ],
)
def test_a_worklist_is_taken_whole_or_not_at_all(exam: Path, written: str, choice: str, why: str) -> None:
    """One impossible decision refuses all of them, with the place, and nothing is read."""
    before = waiting(exam)

    def fill(row: dict[str, str]) -> str:
        return choice if row["written"] == written else decided(row) if written != "nothing" else ""

    ran = filled(exam, fill)
    assert (ran.code, waiting(exam)) == (2, before)
    assert why in ran.err


def test_a_row_decides_otherwise_than_its_group(exam: Path) -> None:
    """What a row says itself counts more than its heading, and groups without a word go on waiting."""
    ran = filled(exam, lambda row: {"": "#1", "5 8?": "#2"}.get(row["written"], ""))
    assert (ran.code, waiting(exam)) == (0, 4)
    assert "00000 3: 3 of 3" in ran.out
    assert "00002 3: 1.5 of 3" in ran.out


def listed(tmp_path: Path, written: str) -> dict[str, str]:
    """The row of the worklist for a reply to 2a, which asks for the values at A, B, C and D."""
    build(tmp_path, [student(0)], codes=("A",))
    with (tmp_path / "r.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["id", "2a"], ["00000", written]])
    gametree("grade", str(tmp_path), str(tmp_path / "r.csv"), "--executor", "here")
    header, row = table_of(tmp_path, "xlsx")
    return dict(zip(header, row, strict=True))


@pytest.mark.parametrize(
    ("written", "reading", "points"),
    [
        ("A=3,00 B=3,00 C=2,00 D=2,00", "A=3.00 B=3.00 C=2.00 D=2.00", "4"),
        ("A=3 B=3 C", "A=3 B=3 (incomplete: only this was understood)", "2.67"),
    ],
)
def test_a_reading_of_a_part_is_marked(tmp_path: Path, written: str, reading: str, points: str) -> None:
    """The first reading in a worklist is of all that is written, or says that it is not."""
    row = listed(tmp_path, written)
    assert (row["#1"], row["#1 points"]) == (reading, points)


def test_lines_of_a_reply_stay_lines(tmp_path: Path) -> None:
    """What a student wrote on several lines is on as many in the workbook, in a wrapped cell."""
    assert listed(tmp_path, "A=3\n=B 3,5\r\nC")["written"] == "A=3\n=B 3,5\nC"
    sheet = openpyxl.load_workbook(tmp_path / "todo.xlsx").active
    assert all(
        cell.alignment.wrap_text and cell.data_type in "sn" for row in sheet.iter_rows() for cell in row
    )


def test_no_answer_is_blank(exam: Path) -> None:
    """`#0` says that nothing was answered: the reply is BLANK, and earns what a blank reply earns."""
    ran = filled(exam, lambda row: "#0" if row["written"] == "see back" else "")
    assert ran.out.splitlines() == [f"0000{number} 1: BLANK" for number in (1, 2, 3)]


def test_of_several_attempts_one_counts(exam: Path) -> None:
    """Where a student has different replies, a reading is one of them, with the row that it is from."""
    text = gametree("gradebook", "todo", str(exam)).out
    assert "2b, 3  2 replies: different replies of one student to 2b: r.csv, line 7" in text
    assert "#1 (1 of 1, r.csv, line 7) B" in text
    ran = filled(exam, lambda row: "#2" if row["question"] == "2b, 3" else "")
    assert ran.out.splitlines() == ["00005 2b: 0 of 1", "00005 3: 1.5 of 3"]


def test_json_has_every_reply_and_reading(exam: Path) -> None:
    """`--json` has the groups with all replies, their students and the marks of their readings."""
    record = json.loads(gametree("gradebook", "todo", str(exam), "--json").out)
    group = record["groups"][2]
    assert (record["waiting"], group["questions"], group["count"]) == (9, ["3"], 3)
    assert group["replies"][0]["students"] == ["00000", "00001"]
    assert group["replies"][0]["readings"][1] == {
        "reply": "5", "from": "", "state": "GRADED", "points": "1.5", "maximum": "3"
    }  # fmt: skip
    shown = json.loads(gametree("gradebook", "show", str(exam), "--unresolved", "--json").out)
    assert shown["todo"] == {"waiting": record["waiting"], "groups": record["groups"]}


def test_what_is_decided_by_hand_does_not_wait(exam: Path) -> None:
    """A reply whose mark is set by hand is in no worklist, and is again when the mark is withdrawn."""
    before = waiting(exam)
    override = ("gradebook", "override", str(exam), "00001", "1")
    assert gametree(*override, "1", "--reason", "looked at").code == 0
    assert waiting(exam) == before - 1
    gametree(*override, "--withdraw")
    assert waiting(exam) == before


def test_unresolved_lists_groups(exam: Path) -> None:
    """`show --unresolved` has the groups in place of a grid, and whatever else is unresolved."""
    (exam / "late.csv").write_text("id,time,1\n00006,2026-01-31T13:00,3\n")
    late = ("--due", "2026-01-31T12:00", "--late", "refuse", "--executor", "here")
    gametree("grade", str(exam), str(exam / "late.csv"), *late)
    lines = gametree("gradebook", "show", str(exam), "--unresolved").out.splitlines()
    assert lines[0].startswith("1  3 replies: ")
    assert any(line.startswith("00006 1, 2a, 2b, 3: late.csv, line 2: handed in at") for line in lines)
    assert not any("total" in line for line in lines)


@pytest.mark.parametrize("count", [0, 1, 8, 25, 40])
def test_the_table_fits_the_terminal(tmp_path: Path, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many questions there are, a student is one line, no wider than the terminal, with a legend."""
    from tests.grading import classroom

    one = classroom.paper("A").questions
    many = tuple(
        classroom.Question(str(number + 1), "", one[number % 3].parts, one[number % 3].follow_through)
        for number in range(count or 1)
    )
    short = classroom.Paper(classroom.Heading("Midterm"), "A", many)
    monkeypatch.setattr(classroom, "paper", lambda _code: short)
    keys = build(tmp_path, [student(number) for number in range(3)], codes=("A",))
    names = [part.name for part in keys.parts]
    replies = ["see back"] * len(names) if count else ["3"]
    rows = [
        ",".join(["id", *names]),
        ",".join(["00001", *replies]),
        ",".join(["00002", *("" for _ in names)]),
    ]
    (tmp_path / "r.csv").write_text("\n".join(rows) + "\n")
    gametree("grade", str(tmp_path), str(tmp_path / "r.csv"), "--executor", "here")
    lines = gametree("gradebook", "show", str(tmp_path)).out.splitlines()
    table = lines[: next(place for place, line in enumerate(lines) if line.startswith("3 students x"))]
    assert max(map(display_width, table)) <= 79
    assert sum(line.startswith("0000") for line in table) == 3
    assert len(table) == (4 if count < 2 else 5)
    assert ("u UNPARSEABLE" in table[-1]) == (count > 1)


def test_the_class_of_220_is_resolved_by_a_worklist(tmp_path: Path) -> None:
    """All messy replies of a class are in a few groups, and a few cells of the worklist resolve them."""
    exam = graded_class(tmp_path)
    keys = read_exam_keys(exam)
    with Gradebook.open(exam / "grades" / "gradebook.db") as book:
        groups = group_replies(doubtful_replies(book, keys), keys)
    choices = [choices_of(group) for group in groups]
    assert (len(groups) <= MAX_GROUPS, sum(map(len, choices)) <= MAX_DECISIONS) == (True, True)
    ran = filled(exam, filler(choices), "xlsx")
    assert ran.code == 0, ran.err
    assert waiting(exam) == 0
    export = gametree("gradebook", "export", str(exam), "-o", "-")
    assert (export.code, "2 students without a reply: empty cells." in export.err) == (0, True)


def filler(choices: Sequence[Sequence[str]]) -> Callable[[dict[str, str]], str]:
    """What fills these choices in: one in the first row of a group, or one in every row with a key."""
    left = [list(each) for each in choices]

    def fill(row: dict[str, str]) -> str:
        own = left[int(row["group"]) - 1]
        is_for_all = len(choices[int(row["group"]) - 1]) == 1
        return own.pop(0) if own and (is_for_all or row["key"]) else ""

    return fill
