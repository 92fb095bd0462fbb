"""The laws of adding students: they get what a build gives them, and nobody else's bytes change."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from grader.exam.blueprint import Blueprint
from grader.exam.blueprint_file import read_blueprint
from grader.exam.folders import EXAM_FILE, GRADES_FOLDER, KEYS_FOLDER, PUBLISH_FOLDER
from grader.exam.manifest import Exam, open_exam
from grader.grading.exam_keys import read_exam_keys
from grader.publishing import exam_addition
from grader.publishing.exam_addition import Addition, add_students
from grader.publishing.exam_build import build_exam
from grader.publishing.exam_folder import BuildError
from grader.publishing.verification import verify_exam
from tests.cli.running import gametree
from tests.exam.test_class_lists import quiz, roster_of, rows_of
from tests.made_by_0_1.frozen import unpacked
from tests.publishing.papers import printed
from tests.publishing.test_building import Stopped, contents, small
from tests.scanning.desks import BLUEPRINT, opened_room, pdf, room, scan_of

REWRITTEN = {
    f"instructor/{name}"
    for name in ("exam.json", "exam.lock", "assignment.csv", "boxes.json", "moodle.xml", "canvas.zip")
}
"""The files that are about everybody: an addition writes them anew."""


def opened(folder: Path) -> Exam:
    """The exam in a folder."""
    exam = open_exam(folder)
    assert isinstance(exam, Exam)
    return exam


def hold_others(before: dict[str, bytes], after: dict[str, bytes]) -> None:
    """Nothing that was there is gone or changed; the record has what it had."""
    kept = {name: data for name, data in before.items() if name not in REWRITTEN}
    assert kept.items() <= after.items()
    lines = [line.rstrip(b",") for line in before[EXAM_FILE].split(b"\n")]
    assert set(lines[1:]) <= {line.rstrip(b",") for line in after[EXAM_FILE].split(b"\n")}


def test_students_are_added_twice(tmp_path: Path) -> None:
    """Whoever is added gets the paper and the key that a build of the whole class gives; the rest stays."""
    rows, plan, folder = rows_of(range(4)), quiz("spare = 1"), tmp_path / "exam"
    wanted = {"formats": ("pdf", "text"), "exports": ("moodle", "canvas")}
    build_exam(plan, roster_of(rows[:2]), folder, **wanted)  # type: ignore[arg-type]
    for count, new in ((3, rows[2:3]), (4, rows[::-1])):  # the new ones alone, or with all others
        before = contents(folder)
        added = add_students(folder, plan, roster_of(new))
        assert [student.identifier for student in added.students] == [rows[count - 1]["id"]]
        hold_others(before, contents(folder))
        (left_out,) = verify_exam(folder, blueprint=plan, roster=roster_of(rows[: count - 1])).findings
        assert f"not in this class list: {rows[count - 1]['id']};" in left_out.message
        verdict = verify_exam(folder, blueprint=plan, roster=roster_of(rows[:count]))
        assert verdict.findings == ()
        assert verdict.variants == count + 1
        pages = printed(folder / PUBLISH_FOLDER / f"print-added-{count - 2}.pdf")
        assert f"Student {count - 1}" in pages[0]
        assert len(pages) == added.pages
    build_exam(plan, roster_of(rows), tmp_path / "whole", **wanted)  # type: ignore[arg-type]
    whole, grown = contents(tmp_path / "whole"), contents(folder)
    for name, data in whole.items():
        if name.startswith((f"{PUBLISH_FOLDER}/papers/", f"{KEYS_FOLDER}/")):
            assert grown[name] == data


def test_nobody_and_nothing_else_is_added(tmp_path: Path) -> None:
    """A list without new students, another blueprint and the address of another student are refused."""
    rows, plan, folder = rows_of(range(2)), quiz(), tmp_path / "exam"
    build_exam(plan, roster_of(rows), folder, formats=("text",), exports=())
    before = contents(folder)
    for roster, blueprint in (
        (roster_of(rows), plan),
        (roster_of(rows_of(range(3))), replace(plan, digest="another")),
        (roster_of(rows_of(range(3))), replace(plan, secret="another")),
        (roster_of([{"id": "77", "name": "Twin", "email": "1@x.y"}]), plan),
    ):
        with pytest.raises(BuildError):
            add_students(folder, blueprint, roster)
    assert contents(folder) == before


def test_a_changed_key_is_not_locked_again(tmp_path: Path) -> None:
    """An addition writes a new lock, but never for a variant that was changed since the first one."""
    rows, plan, folder = rows_of(range(3)), quiz(), tmp_path / "exam"
    build_exam(plan, roster_of(rows[:2]), folder, formats=("text",), exports=())
    key = next(iter(opened(folder).papers)).questions[0].parts[0].key
    text = (folder / EXAM_FILE).read_text(encoding="utf-8")
    (folder / EXAM_FILE).write_text(text.replace(f'"reply":"{key}"', '"reply":"99"', 1), encoding="utf-8")
    before = contents(folder)
    with pytest.raises(BuildError, match="was changed after the exam was locked"):
        add_students(folder, plan, roster_of(rows))
    assert contents(folder) == before


@pytest.mark.parametrize("name", ["write_record", "write_sealed_lock"])
def test_a_stopped_addition_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Killed before the record or the lock is written, the same call gives the same exam."""
    rows, plan = rows_of(range(3)), quiz()
    for folder in ("stopped", "whole"):
        build_exam(plan, roster_of(rows[:1]), tmp_path / folder, formats=("text",), exports=())

    def stop(*_: object) -> None:
        raise Stopped

    with monkeypatch.context() as patched:
        patched.setattr(exam_addition, name, stop)
        with pytest.raises(Stopped):
            add_students(tmp_path / "stopped", plan, roster_of(rows))
    for folder in ("stopped", "whole"):
        add_students(tmp_path / folder, plan, roster_of(rows))
    assert contents(tmp_path / "stopped") == contents(tmp_path / "whole")


def test_forms_are_dealt_on(tmp_path: Path) -> None:
    """New students of an exam with forms get those that come next, printed for them, and no new papers."""
    rows, plan, folder = rows_of(range(5)), small(), tmp_path / "exam"
    build_exam(plan, roster_of(rows[:3]), folder, formats=("pdf",), exports=())
    before = contents(folder)
    assert add_students(folder, plan, roster_of(rows)).by_row
    hold_others(before, contents(folder))
    counts = [seat.code for seat in opened(folder).seats]
    assert abs(counts.count("A") - counts.count("B")) <= 1
    assert len(contents(folder)) == len(before) + 3
    assert verify_exam(folder, blueprint=plan, roster=roster_of(rows)).findings == ()


def test_students_are_added_after_grading_and_regrading(tmp_path: Path) -> None:
    """Marks and feedback pages stay, replies of new students are marked, also by a changed blueprint."""
    rows, folder, text = rows_of(range(3)), tmp_path / "exam", tmp_path / "quiz.toml"
    text.write_text(
        'title = "Quiz"\nsecret = "kept in a safe"\n[[question]]\nkind = "root-value"\n', encoding="utf-8"
    )
    for name, part in (("class.csv", rows[:2]), ("late.csv", rows[2:])):
        lines = [",".join(row.values()) for row in part]
        (tmp_path / name).write_text("\n".join(("id,name,email", *lines)), encoding="utf-8")
    command = ("--format", "text", "--lms", "none")
    assert (
        gametree(
            "exam", "build", str(text), "-r", str(tmp_path / "class.csv"), "-o", str(folder), *command
        ).code
        == 0
    )
    exam, marked = str(folder), ("--executor", "here")
    first = next(iter(opened(folder).papers)).questions[0].parts[0]
    (tmp_path / "first.csv").write_text(f"id,1\n0000,{first.key}\n0001,999\n", encoding="utf-8")
    assert gametree("grade", exam, str(tmp_path / "first.csv"), *marked).code in (0, 1)
    assert gametree("gradebook", "feedback", exam, "--format", "html").code == 0
    pages = {path.name for path in (folder / GRADES_FOLDER / "feedback").rglob("*.html")}
    add = ("exam", "add", exam, "-r", str(tmp_path / "late.csv"), "--blueprint", str(text), "--json")
    changed = tmp_path / "changed.toml"
    changed.write_text(f"{text.read_text(encoding='utf-8')}points = 3\ndigits = 1\n", encoding="utf-8")
    regraded = gametree("gradebook", "regrade", exam, "--blueprint", str(changed), "--apply")
    assert regraded.code == 0, regraded.err
    assert "--amended" in gametree(*add).err
    ran = gametree(*add, "--amended", str(changed))
    assert (ran.code, json.loads(ran.out)["students"]) == (0, ["0002"]), ran.err
    assert "1 has a full mark of 3, not 1 and is marked by another rule" in " ".join(ran.err.split())
    late = list(opened(folder).papers)[-1].questions[0].parts[0]
    (tmp_path / "second.csv").write_text(f"id,1\n0002,{late.key}\n", encoding="utf-8")
    graded = gametree("grade", exam, str(tmp_path / "second.csv"), *marked)
    assert "3 students" in graded.out
    exported = json.loads(gametree("gradebook", "export", exam, "--format", "json", "-o", "-").out)
    assert [each["total"] for each in exported["students"]] == ["3", "0", "3"]
    assert gametree("gradebook", "feedback", exam, "--format", "html").code == 0
    assert pages < {path.name for path in (folder / GRADES_FOLDER / "feedback").rglob("*.html")}
    verdict = gametree("exam", "verify", exam, "--blueprint", str(text))
    assert verdict.code == 0, verdict.out


def test_students_are_added_after_scanning(tmp_path: Path) -> None:
    """What was scanned stays read, and the pages of a new student are read by the boxes that were added."""
    desk = room(tmp_path / "exam", ("Ada", "Bo"))
    text, folder = (tmp_path / "quiz.toml"), tmp_path / "exam"
    text.write_text(BLUEPRINT, encoding="utf-8")
    blueprint = read_blueprint(BLUEPRINT, tmp_path)
    assert isinstance(blueprint, Blueprint)
    ada = desk.codes[0]
    crossed = desk.answered(ada, ["1a.0.0"])
    ran = gametree(
        "scan",
        str(folder),
        str(pdf(tmp_path / "ada.pdf", scan_of(crossed, device="office"))),
        "--json",
        "--jobs",
        "1",
    )
    first = json.loads(ran.out)
    before = contents(folder)
    added = add_students(folder, blueprint, roster_of([{"id": "1002", "name": "Cy", "email": ""}]))
    assert isinstance(added, Addition)
    hold_others(before, contents(folder))
    assert verify_exam(folder, blueprint=blueprint).findings == ()
    late = opened_room(folder)
    code = late.codes[-1]
    scanned = pdf(tmp_path / "cy.pdf", scan_of(late.answered(code, ["1a.0.1"]), device="office"))
    second = json.loads(gametree("scan", str(folder), str(scanned), "--json", "--jobs", "1").out)
    replies = {paper["variant"]: paper["replies"]["1a"] for paper in second["papers"]}
    assert replies.keys() == {ada, code}
    assert replies[ada] == first["papers"][0]["replies"]["1a"] != replies[code]
    assert "1002" in {student.identifier for student in read_exam_keys(folder).roster or ()}


def test_an_exam_of_version_0_1_0_takes_additions_at_its_end(tmp_path: Path) -> None:
    """Its papers were drawn by row: they stay as they are, new students come after them, and this is said."""
    desk = unpacked("gradebook", tmp_path)
    exam, before = opened(desk / "exam"), contents(desk / "exam")
    (desk / "late.csv").write_text("Identifier,Name\n99,Late Comer\n", encoding="utf-8")
    command = ("exam", "add", str(desk / "exam"), "-r", str(desk / "late.csv"))
    ran = gametree(*command, "--blueprint", str(desk / "exam.toml"), "--amended", str(desk / "changed.toml"))
    assert ran.code == 0, ran.err
    assert "drawn by row" in ran.err
    after = opened(desk / "exam")
    assert after.seats[:-1] == exam.seats
    assert after.seats[-1].student.identifier == "99"
    assert after.origin.program == exam.origin.program
    hold_others(before, contents(desk / "exam"))
