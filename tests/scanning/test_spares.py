"""The laws of spare papers: nobody's until somebody says whose they are, and then like any other."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from grader.base.phrases import ENGLISH
from grader.exam.folders import ASSIGNED_FILE, GRADES_FOLDER
from grader.exam.manifest import Exam, open_exam
from grader.exam.spares import SpareError, SparePapers
from grader.grading.exam_keys import read_exam_keys
from grader.publishing.entry_workbook import typed_boxes
from grader.publishing.verification import verify_exam
from grader.tables.student_directory import Student
from grader.web.review import ReviewHandler
from grader.web.review_scans import ScanReview
from grader.web.review_tasks import ReviewedExam
from tests.cli.running import gametree
from tests.scanning.desks import BLUEPRINT, Room, pdf, room, scan_of

TEXT = BLUEPRINT.replace("scan = true", "scan = true\nspare = 2")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """An exam for two students with two spare papers; not to be changed."""
    return room(tmp_path_factory.mktemp("spares") / "exam", ("Ada", "Bo"), TEXT)


@pytest.fixture
def desk(built: Room, tmp_path: Path) -> Room:
    """A copy of it."""
    return replace(built, folder=Path(shutil.copytree(built.folder, tmp_path / "exam")))


def spares_of(desk: Room) -> SparePapers:
    """The spare papers of an exam."""
    exam = open_exam(desk.folder)
    assert isinstance(exam, Exam)
    return SparePapers(desk.folder, exam)


def codes_of(desk: Room) -> list[str]:
    """Their variants."""
    return [spare.code for spare in spares_of(desk).exam.spares]


def scan(desk: Room, *arguments: str) -> dict[str, Any]:
    """What `gametree scan` says."""
    ran = gametree("scan", str(desk.folder), *arguments, "--json", "--jobs", "1")
    assert ran.code in (0, 1), ran.err
    return {**json.loads(ran.out), "code": ran.code}


@pytest.mark.parametrize("damage", [b"[]", b'{"variant":', b'{"variant": "X", "student": 7, "schema": 1}'])
def test_a_lost_assignment_is_told(desk: Room, damage: bytes) -> None:
    """A line that cannot be read assigns nothing and hides no other line, and every command says so, once."""
    folder, (one, other) = str(desk.folder), codes_of(desk)
    for code, student in ((one, "1000"), (other, "1001")):
        assert "cannot be read" not in gametree("exam", "assign", folder, f"{code}={student}").err
    path = desk.folder / ASSIGNED_FILE
    second = path.read_bytes().splitlines()[-1]
    path.write_bytes(damage + b"\n" + second + b"\n")
    for command in (("exam", "assign"), ("grade",), ("scan",)):
        ran = gametree(*command, folder)
        assert ran.err.count(f"Note: 1 line of {path} cannot be read and is left out") == 1, command
    assert read_exam_keys(desk.folder).assignment == {"1000": desk.codes[0], "1001": other}


def test_spare_papers_belong_to_nobody_until_they_are_assigned(desk: Room) -> None:
    """The class list is what it was; an assignment adds a student, and can be taken back."""
    folder, (one, other) = str(desk.folder), codes_of(desk)
    assert [student.name for student in read_exam_keys(desk.folder).roster or ()] == ["Ada", "Bo"]
    assert verify_exam(desk.folder).findings == ()
    (desk.folder.parent / "late.csv").write_text(
        f"variant,id,name\n{one},'77,'t Late Comer\n{other},1001,\n", encoding="utf-8"
    )
    table = str(desk.folder.parent / "late.csv")
    assigned = json.loads(gametree("exam", "assign", folder, "--table", table, "--json").out)["spares"]
    assert [each["student"] for each in assigned] == ["77", "1001"]
    keys = read_exam_keys(desk.folder)
    assert Student("77", "'t Late Comer") in spares_of(desk).owners().values()
    assert keys.assignment == {"1000": desk.codes[0], "1001": other, "77": one}
    assert gametree("exam", "assign", folder, f"{other}=").code == 0
    assert read_exam_keys(desk.folder).assignment == {
        "1000": desk.codes[0],
        "1001": desk.codes[1],
        "77": one,
    }
    assert verify_exam(desk.folder).findings == ()


def test_replies_on_spare_papers_are_entered(desk: Room) -> None:
    """Each assignment writes a workbook with the boxes of its papers, and leaves those of earlier ones."""
    folder, spares = str(desk.folder), codes_of(desk)
    ran = gametree("exam", "assign", folder, f"{spares[0]}=1000", "--json")
    (first,) = json.loads(ran.out)["files"]
    assert first == "grades/entry-assigned-1.xlsx"
    filled = (desk.folder / first).read_bytes()
    second = gametree("exam", "assign", folder, f"{spares[0]}=", f"{spares[1]}=1000")
    assert "entry-assigned-2.xlsx" in second.out
    assert "enter the replies on these papers there" in second.err
    assert (desk.folder / first).read_bytes() == filled
    assert json.loads(gametree("exam", "assign", folder, f"{spares[1]}=", "--json").out)["files"] == []
    gametree("exam", "assign", folder, f"{spares[1]}=1000")
    papers = {paper.code: paper for paper in spares_of(desk).exam.papers}
    (names, row) = openpyxl.load_workbook(desk.folder / "grades" / "entry-assigned-2.xlsx").active.rows
    assert [cell.value for cell in row][:3] == ["1000", "Ada", spares[1]]
    open_cells = {name.value for name, cell in zip(names, row, strict=True) if not cell.protection.locked}
    boxes = {column for _, columns in typed_boxes(papers[spares[1]].public) for column in columns}
    assert open_cells == {"State", *boxes}


def test_what_cannot_be_assigned_is_refused(desk: Room) -> None:
    """Another paper, a stranger without a class list, and two spare papers for one student change nothing."""
    folder, (one, other) = str(desk.folder), codes_of(desk)
    for wrong in (f"{desk.codes[0]}=1000", f"{one}=77", "K7QM3D", f"{one}=1000 {other}=1000"):
        assert gametree("exam", "assign", folder, *wrong.split()).code == 2
    assert not (desk.folder / ASSIGNED_FILE).exists()
    spares = spares_of(desk)
    with pytest.raises(SpareError):
        spares.assign({one: Student("7", "Ada"), other: Student("07", "Ada")})
    spares.assign({one: Student("7", "Ada")})
    with (desk.folder / ASSIGNED_FILE).open("ab") as file:
        file.write(b'{"variant":"')  # the program was killed while it wrote this line
    spares.assign({other: Student("8", "Bo")})
    assert {code: student.identifier for code, student in spares.owners().items()} == {one: "7", other: "8"}


def test_spare_papers_are_scanned_graded_and_told(desk: Room) -> None:
    """A scanned spare paper waits for its student; then its marks and its feedback are that student's.

    From then on no other student gets this paper, and this student no other one.
    """
    folder, (spare, other) = str(desk.folder), codes_of(desk)
    page = desk.answered(spare, ["1b.0.0"], page=desk.page_of(spare, "1b"))
    found = scan(desk, str(pdf(desk.folder.parent / "spare.pdf", scan_of(page))))
    assert (found["unclaimed"], found["code"]) == ([spare], 1)
    shown = gametree("scan", folder, "--jobs", "1")
    assert f"--decide {spare}=STUDENT" in shown.err
    assert scan(desk, "--decide", f"{spare}=1001")["unclaimed"] == []
    assert gametree("grade", folder, "--executor", "here").code in (0, 1)
    exported = gametree("gradebook", "export", folder, "--format", "json", "-o", "-", "--leave-empty").out
    ada, bo = json.loads(exported)["students"]
    assert (ada["id"], bo["id"], bo["variant"]) == ("1000", "1001", spare)
    states = {each["question"]: each["state"] for each in bo["questions"]}
    assert states["1b"] == "GRADED"
    for wrong, owner in ((f"{spare}=1000", "1001"), (f"{other}=1001", spare)):
        ran = gametree("exam", "assign", folder, wrong)
        assert (ran.code, owner in ran.err) == (2, True), wrong
    assert gametree("exam", "assign", folder, f"{spare}=1001", f"{other}=1000").code == 0
    assert gametree("gradebook", "feedback", folder, "--format", "html").code == 0
    told = [path.read_text(encoding="utf-8") for path in (desk.folder / GRADES_FOLDER).rglob("*.html")]
    assert any("Bo" in text and spare in text for text in told)


def test_the_review_asks_whose_a_spare_paper_is(desk: Room) -> None:
    """A spare paper that was scanned is a question of the review; it is answered, and taken back."""
    spare = codes_of(desk)[0]
    first = desk.page_of(spare, "1b")
    scan(
        desk,
        str(pdf(desk.folder.parent / "spare.pdf", scan_of(desk.answered(spare, ["1b.0.0"], page=first)))),
    )
    exam = open_exam(desk.folder)
    assert isinstance(exam, Exam)
    papers = {paper.code: paper.public for paper in exam.papers}
    reviewed = ReviewedExam(desk.journal, desk.exam, papers, SparePapers(desk.folder, exam), ENGLISH)
    handler = ReviewHandler(ScanReview(reviewed))

    def ask(message: dict[str, str]) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(handler.reply(json.dumps(message)))
        return answer

    asked = ask({"ask": "next"})
    assert asked["left"]["paper"] == 1
    assert (asked["task"]["sort"], asked["task"]["key"]) == ("paper", f"{spare}/student")
    assert asked["task"]["image"].startswith("data:image/")
    assert "errors" in ask({"ask": "assign", "paper": asked["task"]["key"], "says": "a stranger"})
    after = ask({"ask": "assign", "paper": asked["task"]["key"], "says": "1000"})
    assert after["left"]["paper"] == 0
    assert reviewed.student(spare) == "Ada"
    assert ask({"ask": "undo"})["left"]["paper"] == 1
    ask({"ask": "assign", "paper": asked["task"]["key"], "says": "1001"})
    assert read_exam_keys(desk.folder).assignment["1001"] == spare
