"""What a teacher mends afterwards: files that were corrected, rows that are nobody's, lists of decisions."""

import json
from datetime import date
from pathlib import Path

import openpyxl
import pytest

from tests.cli.running import Ran, gametree
from tests.grading.classroom import build, student

CLASS = tuple(map(student, range(1, 9)))
HEADER = "id,1,2a,2b,3"


@pytest.fixture
def exam(tmp_path: Path) -> Path:
    """The folder of an exam of eight students."""
    build(tmp_path, CLASS, codes=("A",))
    return tmp_path


def grade(exam: Path, name: str, rows: tuple[str, ...], *options: str) -> Ran:
    """Grade a file of this name with these rows."""
    table = exam / name
    table.write_text("".join(f"{line}\n" for line in (HEADER, *rows)))
    return gametree("grade", str(exam), str(table), "--executor", "here", *options)


def shown(exam: Path) -> str:
    """The points of everybody, and what is left."""
    return gametree("gradebook", "show", str(exam)).out


def rows_of(first: str) -> tuple[str, ...]:
    """A row for everybody, with this answer to the first question."""
    return tuple(f"{each.identifier},{first},A=3 B=3 C=2 D=2,B,5 6" for each in CLASS)


def test_a_corrected_file_replaces_the_old(exam: Path) -> None:
    """A corrected file contests what was taken in, until it is said to replace it; then only it counts."""
    assert grade(exam, "responses.csv", rows_of("2")).code == 0
    contested = grade(exam, "responses.csv", rows_of("3"))
    assert contested.code == 1
    assert "--replaces OLD" in contested.err
    replaced = grade(exam, "responses.csv", rows_of("3"), "--replaces", "responses.csv")
    assert replaced.code == 0, replaced.err
    assert "what was read from responses.csv no longer counts: responses.csv replaces it" in replaced.err
    again = grade(exam, "responses.csv", rows_of("3"))
    assert again.code == 0, again.err
    alone = exam / "alone"
    build(alone, CLASS, codes=("A",))
    assert grade(alone, "responses.csv", rows_of("3")).code == 0
    assert shown(exam) == shown(alone)


def test_a_reading_of_boxes_outlives_a_corrected_file(exam: Path) -> None:
    """What a person read of unreadable boxes still counts when a corrected file replaces the old one.

    The corrected file is graded first without and then with `--replaces`.
    """
    who, other = (each.identifier for each in CLASS[:2])
    header, boxes = "id,1,2a [A],2a [B],2a [C],2a [D],2b,3\n", f"{who},2,1 3,3,2,2,B,5 6\n"
    table = exam / "entry.csv"

    def grade_with(first: str, *options: str) -> Ran:
        table.write_text(f"{header}{boxes}{other},{first},3,3,2,2,B,5 6\n")
        return gametree("grade", str(exam), str(table), "--executor", "here", *options)

    assert grade_with("2").code == 1
    assert gametree("gradebook", "read", str(exam), who, "2a", "A=3 B=3 C=2 D=2").code == 0
    assert "--replaces OLD" in grade_with("3").err
    assert grade_with("3", "--replaces", "entry.csv").code == 0
    rows = [line.split() for line in shown(exam).splitlines()]
    points = {row[0]: row[-4] for row in rows if row and row[0] in (who, other)}
    assert points[who] == points[other] != "0"


def test_who_is_missing_in_the_corrected_file(exam: Path) -> None:
    """Somebody who stood only in the file that was replaced has handed in nothing."""
    assert grade(exam, "old.csv", rows_of("3")).code == 0
    ran = grade(exam, "new.csv", rows_of("3")[1:], "--replaces", "old.csv")
    assert "4 MISSING" in ran.out
    assert ran.code == 1
    back = grade(exam, "old.csv", rows_of("3"))
    assert back.code == 2
    assert "no longer counts: new.csv was taken in to replace it" in back.err


def test_a_file_replaces_again_what_it_replaced(exam: Path) -> None:
    """The same command may be repeated, as after a run that was stopped; another file cannot replace anew."""
    assert grade(exam, "old.csv", rows_of("2")).code == 0
    assert grade(exam, "new.csv", rows_of("3"), "--replaces", "old.csv").code == 0
    before = shown(exam)
    again = grade(exam, "new.csv", rows_of("3"), "--replaces", "old.csv")
    assert (again.code, shown(exam)) == (0, before), again.err
    other = grade(exam, "other.csv", rows_of("4"), "--replaces", "old.csv")
    assert (other.code, shown(exam)) == (2, before)
    assert "'old.csv' no longer counts: new.csv replaces it" in other.err


def test_a_file_replaces_several_one_by_one(exam: Path) -> None:
    """Two files at once are refused, for only one of them would be replaced; one after the other both are."""
    assert grade(exam, "first.csv", rows_of("2")[:4]).code == 0
    assert grade(exam, "second.csv", rows_of("4")[4:]).code == 0
    both = grade(exam, "new.csv", rows_of("3"), "--replaces", "first.csv", "--replaces", "second.csv")
    assert (both.code, "names one file" in both.err) == (2, True)
    assert grade(exam, "new.csv", rows_of("3"), "--replaces", "first.csv").code == 1
    assert grade(exam, "new.csv", rows_of("3"), "--replaces", "second.csv").code == 0


def test_what_is_replaced_was_taken_in(exam: Path) -> None:
    """A name that nothing was taken in from is refused, with the names that there are; so are two files."""
    assert grade(exam, "old.csv", rows_of("3")).code == 0
    ran = grade(exam, "new.csv", rows_of("2"), "--replaces", "older.csv")
    assert ran.code == 2
    assert "no file 'older.csv'" in ran.err
    assert "old.csv" in ran.err
    two = gametree("grade", str(exam), str(exam / "old.csv"), str(exam / "new.csv"), "--replaces", "old.csv")
    assert two.code == 2
    assert "one file" in two.err


def test_a_row_that_is_nobodys(exam: Path) -> None:
    """A row that is to be ignored, by its student or by its place, is no reason for an exit code of 1."""
    rows = (*rows_of("3"), "teststudent,1,,,", ",5,,,")
    assert grade(exam, "r.csv", rows).code == 1
    ran = grade(exam, "r.csv", rows, "--ignore", "teststudent", "--ignore", "r.csv, line 11")
    assert ran.code == 0, ran.err
    assert "2 ignored" in ran.out
    assert grade(exam, "r.csv", rows).code == 0
    assert grade(exam, "s.csv", ("teststudent,1,,,",)).code == 0
    wrong = grade(exam, "r.csv", rows, "--ignore", "teststudnet")
    assert wrong.code == 2
    assert "Did you mean 'teststudent'?" in wrong.err


def test_an_ignored_row_of_a_student(exam: Path) -> None:
    """What was taken from a row counts no more when the row is ignored later."""
    assert grade(exam, "r.csv", rows_of("3")).code == 0
    ran = grade(exam, "r.csv", rows_of("3"), "--ignore", CLASS[0].identifier)
    assert "4 MISSING" in ran.out
    assert ran.code == 1


def test_marks_are_set_from_a_table(exam: Path) -> None:
    """Every row of a table sets a mark, with its own reason or the one for all; one that cannot stops all."""
    assert grade(exam, "r.csv", rows_of("5")).code == 0
    table = exam / "oral.csv"
    override = "gradebook", "override", str(exam), "--table", str(table)
    head = "Student;Question;Points;Reason\n"
    table.write_text(f"{head}00001;1;1.5;said so aloud\n00002;2a;0;\n")
    ran = gametree(*override, "--reason", "oral exam")
    assert ran.out.splitlines() == ["00001 1: 0 of 2 -> 1.5 of 2", "00002 2a: 4 of 4 -> 0 of 4"]
    assert "said so aloud" in gametree("gradebook", "history", str(exam), "00001").out
    assert "oral exam" in gametree("gradebook", "history", str(exam), "00002").out
    before = shown(exam)
    table.write_text(f"{head}00001;1;1;\n00001;1;2;\n00003;9;1;\nnobody;1;1;\n00004;1;7;\n00005;1;many;\n")
    assert "nobody" in gametree(*override, "--reason", "oral exam").err
    table.write_text(table.read_text().replace("nobody;1;1;\n", ""))
    ran = gametree(*override, "--reason", "oral exam")
    assert ran.code == 2
    for said in (
        "line 3: '00001' 1 is decided twice",
        "line 4: there is no question '9'",
        "line 5",
        "line 6",
    ):
        assert said in ran.err
    assert "Traceback" not in ran.err
    assert shown(exam) == before
    table.write_text(f"{head}00001;1;1;\n")
    assert "a reason is needed" in gametree(*override).err


def test_replies_are_read_from_a_table(exam: Path) -> None:
    """A table says how replies are read, for their students or for all who wrote the same."""
    assert grade(exam, "r.csv", rows_of("three or so?")).code == 1
    table = exam / "readings.csv"
    read = "gradebook", "read", str(exam), "--table", str(table)
    table.write_text("id,question,reply\n00001,1,3\n00002,1,5\n")
    assert gametree(*read).out.splitlines() == ["00001 1: 2 of 2", "00002 1: 0 of 2"]
    table.write_text("id,question,reply\n00003,1,3\n00004,1,5\n")
    assert "is read in two ways" in gametree(*read, "--alike").err
    table.write_text("id,question,reply\n00003,1,3\n")
    assert len(gametree(*read, "--alike").out.splitlines()) == 6
    assert "0 of 2" not in gametree("gradebook", "history", str(exam), "00008").out
    for rows, said in (("00001,8,3", "no question '8'"), ("00009,1,3", "line 2: '00009'"), ("1", "1 cell")):
        table.write_text(f"id,question,reply\n{rows}\n")
        assert said in gametree(*read).err
    table.write_text("id,question\n00001,1\n")
    assert "no column of readings.csv is called 'reply'" in gametree(*read).err


def test_decisions_may_stand_in_a_workbook(exam: Path) -> None:
    """A workbook of decisions does what its rows do as CSV; a number is its digits, a date is refused."""
    assert grade(exam, "r.csv", rows_of("three or so?")).code == 1
    book = openpyxl.Workbook()
    for row in (("id", "question", "reply"), ("00001", "1", 3), ("00002", 1, "5"), (None, None, None)):
        book.worksheets[0].append(row)
    book.save(exam / "readings.xlsx")
    read = gametree("gradebook", "read", str(exam), "--table", str(exam / "readings.xlsx"))
    assert read.out.splitlines() == ["00001 1: 2 of 2", "00002 1: 0 of 2"], read.err
    book.worksheets[0]["B1"], book.worksheets[0]["C1"] = "Question", "Points"
    book.worksheets[0]["B2"], book.worksheets[0]["C2"], book.worksheets[0]["C3"] = "2a", 1.5, 0
    book.save(exam / "oral.xlsx")
    override = "gradebook", "override", str(exam), "--reason", "oral exam", "--table"
    told = gametree(*override, str(exam / "oral.xlsx"))
    assert told.out.splitlines() == ["00001 2a: 4 of 4 -> 1.5 of 4", "00002 1: 0 of 2 -> 0 of 2"], told.err
    before = shown(exam)
    book.worksheets[0]["C2"] = date(2026, 5, 1)
    book.save(exam / "dated.xlsx")
    dated = gametree(*override, str(exam / "dated.xlsx"))
    assert (dated.code, "row 2" in dated.err) == (2, True), dated.err
    (exam / "broken.xlsx").write_bytes((exam / "oral.xlsx").read_bytes()[:-200])
    assert gametree(*override, str(exam / "broken.xlsx")).code == 2
    assert shown(exam) == before


def test_a_decision_is_said_once(exam: Path) -> None:
    """One student or a table, and all that a decision is made of; anything else is refused, with the way."""
    assert grade(exam, "r.csv", rows_of("5")).code == 0
    for command in ("read", "override"):
        assert "--table FILE" in gametree("gradebook", command, str(exam), "00001").err
        both = gametree("gradebook", command, str(exam), "00001", "1", "2", "--table", str(exam / "r.csv"))
        assert both.code == 2
        assert "Name one student, or a table" in both.err
        gone = gametree("gradebook", command, str(exam), "--table", str(exam / "gone.csv"))
        assert "cannot be read" in gone.err


PLAN = """
title = "Quiz"
secret = "long enough to be a secret"
forms = 1

[[question]]
tree = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"
[[question.part]]
kind = "root-value"
points = 2
[[question.part]]
kind = "pruned-paths"
points = 3
policy = "net"
"""


def building(plan: str, folder: str) -> tuple[str, ...]:
    """Return the command that builds a blueprint of the current folder, as text and for no platform."""
    return ("exam", "build", plan, "-o", folder, "--format", "text", "--lms", "none")


@pytest.fixture
def quiz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A quiz that two people have handed in: one is right, one has crossed a leaf too many."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "quiz.toml").write_text(PLAN)
    built = gametree(*building("quiz.toml", "quiz"))
    assert built.code == 0, built.err
    (tmp_path / "r.csv").write_text("id,1a,1b\nada,3,5 6\nben,3,5 6 9\n")
    assert gametree("grade", "quiz", "r.csv", "--executor", "here").code == 0
    return tmp_path


def test_a_changed_blueprint_regrades_the_same_papers(quiz: Path) -> None:
    """Other points and policies move marks without a new folder, first as a dry run; papers stay sealed."""
    changed = PLAN.replace("points = 2", "points = 4").replace('"net"', '"exact"')
    (quiz / "changed.toml").write_text(changed)
    regrade = "gradebook", "regrade", "quiz", "--blueprint", "changed.toml", "--executor", "here"
    dry = gametree(*regrade)
    assert dry.code == 0, dry.err
    assert "ben 1b: 1.5 of 3 -> 0 of 3 (policy changed)" in dry.out
    assert "ada 1a: 2 of 2 -> 4 of 4 (points changed)" in dry.out
    assert "Nothing was changed" in dry.out
    before = gametree("gradebook", "show", "quiz").out
    assert gametree(*regrade, "--apply").code == 0
    after = gametree("gradebook", "show", "quiz").out
    assert (before.split()[-1], "stale" in after, "7" in after) == (after.split()[-1], False, True)
    assert gametree("exam", "verify", "quiz").code == 0
    (quiz / "s.csv").write_text("id,1a,1b\ncy,3,5 6 9\n")
    late = gametree("grade", "quiz", "s.csv", "--executor", "here")
    assert "blueprint of the last regrade" in late.err
    assert "0 of 3" in gametree("gradebook", "history", "quiz", "cy").out
    back = "gradebook", "regrade", "quiz", "--blueprint", "quiz.toml", "--executor", "here", "--apply"
    assert gametree(*back).code == 0
    assert "1.5 of 3" in gametree("gradebook", "history", "quiz", "cy").out.splitlines()[-1]


def test_a_lost_record_of_an_amended_exam(quiz: Path) -> None:
    """Grading goes on by the amended keys, and says what is lost; if those are damaged, it says the cure."""
    (quiz / "changed.toml").write_text(PLAN.replace("points = 2", "points = 4"))
    assert gametree("gradebook", "regrade", "quiz", "--blueprint", "changed.toml", "--apply").code == 0
    lock, record, amended = (
        quiz / "quiz" / name for name in ("instructor/exam.lock", "instructor/exam.json", "grades/exam.json")
    )
    whole = lock.read_bytes()
    lock.write_bytes(whole[:-9])
    ran = gametree("grade", "quiz", "--executor", "here")
    assert (ran.code, "exam.lock is damaged, so nobody can say" in ran.err) == (0, True)
    lock.write_bytes(whole)
    record.unlink()
    ran = gametree("grade", "quiz", "--executor", "here")
    assert (ran.code, "exam.json is missing" in ran.err) == (0, True)
    assert "Hint: Restore a copy of the file;" in gametree("exam", "fairness", "quiz").err
    amended.write_bytes(amended.read_bytes()[:-9])
    ran = gametree("grade", "quiz", "--executor", "here")
    assert ran.code == 2
    assert "grades/exam.json" in ran.err
    assert "breaks off" in ran.err
    assert "remove it, and repeat `gametree gradebook regrade --blueprint CHANGED.toml --apply`" in ran.err


@pytest.mark.parametrize("policy", ["deduct:1/2", "keep:1/3", "exact"])
def test_a_blueprint_without_a_policy_keeps_the_printed_one(quiz: Path, policy: str) -> None:
    """What the papers say of credit holds on if a blueprint does not state it; another line changes it."""
    (quiz / "quiz.toml").write_text(PLAN.replace('"net"', f'"{policy}"'))
    built = gametree(*building("quiz.toml", "own"))
    assert built.code == 0, built.err
    assert gametree("grade", "own", "r.csv", "--executor", "here").code == 0
    regrade = "gradebook", "regrade", "own", "--blueprint", "changed.toml", "--executor", "here"
    (quiz / "changed.toml").write_text(PLAN.replace('policy = "net"', ""))
    ran = gametree(*regrade)
    assert ran.code == 0, ran.err
    assert "ben" not in ran.out
    (quiz / "changed.toml").write_text(PLAN)
    assert "-> 1.5 of 3 (policy changed)" in gametree(*regrade).out


def test_each_is_for_exams_that_have_it(quiz: Path) -> None:
    """A new exam is refused with what to write instead; one that was begun, or is marked again, is not."""
    (quiz / "each.toml").write_text(PLAN.replace('"net"', '"each"'))
    refused = gametree(*building("each.toml", "new"))
    assert refused.code == 2
    assert "a new 'pruned-paths' question cannot be marked with 'each'" in refused.err
    assert '"keep:1/2"' in refused.err
    assert not (quiz / "new").exists()
    regrade = "gradebook", "regrade", "quiz", "--blueprint", "each.toml", "--executor", "here"
    ran = gametree(*regrade)
    assert ran.code == 0, ran.err
    journal = quiz / "new" / "instructor" / ".building"
    journal.mkdir(parents=True)
    (journal / "plan").write_text("{}")
    begun = gametree(*building("each.toml", "new"), "--force")
    assert begun.code == 0, begun.err


def test_marks_set_by_hand_of_other_points_are_named(quiz: Path) -> None:
    """Where a part has another full mark now, whoever has a mark set by hand there is named; it stands."""
    said = ("--reason", "said aloud")
    for who, part in (("ben", "1a"), ("ben", "1b")):
        assert gametree("gradebook", "override", "quiz", who, part, "1", *said).code == 0
    (quiz / "changed.toml").write_text(PLAN.replace("points = 2", "points = 4"))
    ran = gametree("gradebook", "regrade", "quiz", "--blueprint", "changed.toml", "--executor", "here")
    assert "ben 1a: set by hand to 1 of 2, where the full mark is 4 now" in ran.out
    assert "ben 1b" not in ran.out


def test_rules_may_change_what_is_right(quiz: Path) -> None:
    """A blueprint with another convention gives another key, and says that the key has changed."""
    tie = PLAN.replace("(14 5 2)", "(14 3 2)")
    (quiz / "quiz.toml").write_text(tie)
    assert gametree(*building("quiz.toml", "tie")).code == 0
    assert gametree("grade", "tie", "r.csv", "--executor", "here").code == 0
    (quiz / "keep.toml").write_text(
        tie.replace("\n[[question.part]]", '\nrules = {ties = "keep"}\n[[question.part]]', 1)
    )
    ran = gametree("gradebook", "regrade", "tie", "--blueprint", "keep.toml", "--executor", "here")
    assert "(key changed)" in ran.out, ran.out + ran.err


@pytest.mark.parametrize("said", ["@ties keep", "@order right-to-left", '@source "a book"', '@title "Tea"'])
def test_a_blueprint_knows_its_own_trees(quiz: Path, said: str) -> None:
    """What the text of a tree says of rules, source and title makes it no other tree than the papers have."""
    tree = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"
    (quiz / "quiz.toml").write_text(PLAN.replace(f'"{tree}"', f"'''{said}\n{tree}'''"))
    assert gametree(*building("quiz.toml", "own")).code == 0
    assert gametree("grade", "own", "r.csv", "--executor", "here").code == 0
    ran = gametree("gradebook", "regrade", "own", "--blueprint", "quiz.toml", "--executor", "here")
    assert ran.code == 0, ran.err


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("(3 12 8)", "(4 12 8)", "question 1 has a different tree on the papers"),
        ('"root-value"', '"node-values"', "question 1 asks for root-value and pruned-paths on the papers"),
        ('"net"', '"net"\n[[question]]\nkind = "root-value"', "it has 2 questions, but the papers have 1"),
        ("points = 2", "points = many", "line"),
    ],
)
def test_a_blueprint_of_another_exam(quiz: Path, old: str, new: str, said: str) -> None:
    """A blueprint that asks something else than the papers is refused, and no mark moves."""
    (quiz / "changed.toml").write_text(PLAN.replace(old, new))
    ran = gametree("gradebook", "regrade", "quiz", "--blueprint", "changed.toml", "--apply")
    assert (ran.code, "Traceback" in ran.err) == (2, False)
    assert said in ran.err


def test_a_part_is_dropped_and_comes_back(quiz: Path) -> None:
    """A part of 0 points counts for nobody, whatever was written or set; the marks are there if it counts."""
    (quiz / "s.csv").write_text("id,1a,1b\ncy,2,what?\ndi,3,5\n")
    assert gametree("grade", "quiz", "s.csv", "--executor", "here").code == 1
    assert gametree("gradebook", "override", "quiz", "di", "1b", "3", "--reason", "unclear").code == 0
    kept = gametree("gradebook", "show", "quiz").out
    (quiz / "drop.toml").write_text(PLAN.replace("points = 3", "points = 0"))
    regrade = "gradebook", "regrade", "quiz", "--blueprint", "drop.toml", "--executor", "here"
    dry = gametree(*regrade)
    for line in ("1b: dropped, 0 of 0 points", "full mark of the exam: 5 -> 2", "Nothing was changed"):
        assert line in dry.out
    assert gametree("gradebook", "show", "quiz").out == kept
    applied = json.loads(gametree(*regrade, "--apply", "--json").out)
    assert (applied["dropped"], applied["maximum"]) == (["1b"], "2")
    exported = gametree("gradebook", "export", "quiz", "-o", "-")
    assert exported.code == 0, exported.err  # the reply that nobody can read does not matter any more
    rows = [line.split(",") for line in exported.out.lstrip("\ufeff").splitlines()]
    assert rows[0][4:8] == ["1a", "1b", "total", "maximum"]
    assert [row[4:8] for row in rows[1:]] == [[p, "0", p, "2"] for p in ("2", "2", "0", "2")]
    gradescope = json.loads(gametree("gradebook", "export", "quiz", "--format", "gradescope", "-o", "-").out)
    assert gradescope["results"]["di"]["tests"][1]["max_score"] == 0
    assert gametree("gradebook", "feedback", "quiz", "--release", "--format", "markdown").code == 0
    pages = [path.read_text() for path in (quiz / "quiz" / "grades" / "feedback").glob("*.md")]
    assert len(pages) == 4
    for text in pages:
        assert "### b) not counted" in text
        assert "has dropped this question" in text
        assert "unclear" not in text
    report = json.loads(gametree("report", "quiz", "--json").out)
    whole, dropped = report["tables"]["questions"]
    assert (whole["mean"], dropped["mean"], dropped["full mark"]) == ("75%", "", "0")
    answers = {row["question"]: row for row in report["tables"]["answers"]}
    assert answers["1b"] | {"correct": "1", "no score": "2"} == answers["1b"]
    refused = gametree("gradebook", "override", "quiz", "di", "1b", "3", "--reason", "again")
    assert "1b was dropped" in refused.err
    back = gametree(*regrade[:4], "quiz.toml", "--executor", "here", "--apply")
    assert "full mark of the exam: 2 -> 5" in back.out
    assert gametree("gradebook", "show", "quiz").out == kept


def test_what_counts_is_compared_without_the_dropped(quiz: Path) -> None:
    """Discrimination compares a part with the others that count."""
    plan = PLAN + '[[question.part]]\nkind = "best-move"\npoints = 1\n'
    (quiz / "three.toml").write_text(plan)
    assert gametree(*building("three.toml", "three")).code == 0
    rows = ["a,3,5 6,B", "b,3,5 6,B", "c,2,5 6 9,C", "d,2,5,C", "e,3,9,C"]
    (quiz / "t.csv").write_text("\n".join(("id,1a,1b,1c", *rows)))
    assert gametree("grade", "three", "t.csv", "--executor", "here").code == 0
    (quiz / "drop.toml").write_text(plan.replace("points = 3", "points = 0"))
    regrade = "gradebook", "regrade", "three", "--blueprint", "drop.toml", "--executor", "here"
    assert gametree(*regrade, "--apply").code == 0
    questions = json.loads(gametree("report", "three", "--json").out)["tables"]["questions"]
    assert [row["discrimination"] for row in questions] == ["0.67", "", "0.67"]


@pytest.mark.parametrize("text", [PLAN, PLAN.replace("points = 2", "points = 0")])
def test_what_no_exam_can_drop(quiz: Path, text: str) -> None:
    """A question of 0 points is refused before the exam, and a whole exam of them after it."""
    dropped = text.replace("points = 3", "points = 0")
    (quiz / "zero.toml").write_text(dropped)
    built = gametree(*building("zero.toml", "nothing"))
    assert built.code == 2
    assert "0 drops a question only when an exam is marked again" in built.err
    ran = gametree("gradebook", "regrade", "quiz", "--blueprint", "zero.toml", "--executor", "here")
    assert (ran.code, "every question is worth 0 points" in ran.err) == (
        (0, False) if text == PLAN else (2, True)
    )


@pytest.mark.parametrize(("points", "total"), [("1.335", "2.67 of 5 points ("), ("1.33", "2.66 of 5 points")])
def test_rounded_parts_and_their_total(quiz: Path, points: str, total: str) -> None:
    """A student's page says that parts are rounded where their points do not add up to the total."""
    for part in ("1a", "1b"):
        assert gametree("gradebook", "override", "quiz", "ada", part, points, "--reason", "oral").code == 0
    assert gametree("gradebook", "feedback", "quiz", "--format", "markdown").code == 0
    pages = {path.name[:3]: path.read_text() for path in (quiz / "quiz/grades/feedback").glob("*.md")}
    ada, ben = (pages[name].replace("\\", "") for name in ("ada", "ben"))
    assert total in ada
    said = "(the points of its parts are rounded)"
    assert (said in ada, said in ben) == (total.endswith("("), False)


def test_points_become_grades(exam: Path) -> None:
    """A scale gives the grade of every rounded total, at its own limits, too; half points are a rounding."""
    assert grade(exam, "r.csv", (*rows_of("3")[:6], "00007,3,A=3 B=3 C=2 D=2,B,5 8", "00008,,,,")).code == 0
    scale, out = exam / "scale.csv", exam / "grades.csv"
    scale.write_text("points,grade\n0,5.0\n50%,4.0\n8.5,2.0\n10,1.0\n")
    export = "gradebook", "export", str(exam), "-o", str(out), "--scale", str(scale)
    ran = gametree(*export, "--step", "0.5")
    assert "multiples of 0.5" in ran.err, ran.err
    rows = [line.split(",") for line in out.read_text("utf-8-sig").splitlines()]
    assert rows[0][-3:] == ["maximum", "grade", "unresolved"]
    assert [row[-4:-1] for row in (rows[1], rows[7], rows[8])] == [
        ["10", "10", "1.0"],
        ["7", "10", "4.0"],
        ["0", "10", "5.0"],
    ]
    assert gametree(*export[:3], "--format", "json", "-o", "-", *export[5:]).out.count('"grade": "1.0"') == 6


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("points,grade\n50%,4.0\n", "no grade for 0 points"),
        ("points,mark\n0,5.0\n", "is called 'grade'"),
        ("points,grade\n0,5.0\n0%,4.0\n", "line 3: these points already have a grade"),
        ("points,grade\n0,5.0\n11,4.0\n", "line 3: 11 is not between 0 and the full mark"),
        ("points,grade\n0,5.0\nmany,4.0\n", "line 3"),
        ("points,grade\n0,\n", "line 2: a grade has"),
    ],
)
def test_a_scale_that_is_none(exam: Path, text: str, said: str) -> None:
    """A table that leaves a total without one grade is refused, with its line."""
    assert grade(exam, "r.csv", rows_of("3")).code == 0
    (exam / "scale.csv").write_text(text)
    export = "gradebook", "export", str(exam), "-o", "-", "--scale", str(exam / "scale.csv")
    ran = gametree(*export)
    assert (ran.code, "Traceback" in ran.err) == (2, False)
    assert said in ran.err
    assert "points only" in gametree(*export, "--format", "canvas").err
    for step in ("0", "-1", "half"):
        assert "--step" in gametree(*export[:5], "--step", step).err


def handed_in(exam: Path, name: str, place: int, reply: str, *options: str) -> Ran:
    """Grade a text file of this name of one student."""
    file = exam / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"student: {CLASS[place].identifier}\n1: {reply}\n", encoding="utf-8")
    return gametree("grade", str(exam), str(file), "--executor", "here", *options)


def first_points(exam: Path, place: int) -> str | None:
    """The points of a student for the first question; None while they are unknown."""
    shown = gametree("gradebook", "show", str(exam), CLASS[place].identifier, "--json").out
    points: str | None = json.loads(shown)["students"][0]["questions"][0]["points"]
    return points


def test_a_text_file_replaces_another(exam: Path) -> None:
    """A corrected text file of one student replaces the one before, which need not have another name."""
    handed_in(exam, "sheet.txt", 0, "2")
    handed_in(exam, "sheet.txt", 0, "3")
    assert first_points(exam, 0) is None
    assert "2 files called 'sheet.txt'" in handed_in(exam, "sheet.txt", 0, "1", "--replaces", "sheet.txt").err
    handed_in(exam, "other.txt", 1, "2")
    handed_in(exam, "other.txt", 1, "3", "--replaces", "other.txt")
    handed_in(exam, "new.txt", 1, "2", "--replaces", "other.txt")
    assert first_points(exam, 1) == "0"
    handed_in(exam, "newer.txt", 1, "3", "--replaces", "new.txt")
    assert first_points(exam, 1) == "2"


def test_a_text_file_replaces_no_other_students(exam: Path) -> None:
    """Files of two students that have one name are not replaced together: the gradebook asks."""
    handed_in(exam, "ada/1.txt", 0, "2")
    handed_in(exam, "bea/1.txt", 1, "3")
    ran = handed_in(exam, "ada/1.txt", 0, "3", "--replaces", "1.txt")
    assert (ran.code, "2 files called '1.txt' were taken in" in ran.err) == (2, True)
    assert (first_points(exam, 0), first_points(exam, 1)) == ("0", "2")
