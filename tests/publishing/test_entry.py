"""The laws of the workbook for what stands on paper: it can be filled in, and is read as it was."""

import csv
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from openpyxl import load_workbook

from grader.exam.blueprint import Blueprint
from grader.exam.blueprint_file import read_blueprint
from grader.exam.folders import ENTRY_FILE
from grader.exam.manifest import Exam, open_exam
from grader.exam.paper import part_letter
from grader.exam.roster import Roster
from grader.grading.doubtful_replies import doubtful_replies, group_replies
from grader.grading.exam_keys import ExamKeys, read_exam_keys
from grader.grading.gradebook_store import Gradebook
from grader.grading.overrides import append_read_replies
from grader.grading.results import results
from grader.publishing.exam_build import build_exam
from grader.tables.columns import match_columns
from grader.tables.readers import read_submissions
from grader.tables.rows import TableError
from grader.tables.student_directory import Student
from tests.answers.filling import filled
from tests.cli.running import gametree
from tests.grading.test_grading import graded

SOFFICE = shutil.which("soffice")

PLAN = """
title = "On paper"
secret = "kept in a safe"
[[question]]
kind = "node-values"
[[question]]
title = "Windows"
[[question.part]]
kind = "windows"
[[question.part]]
kind = "best-move"
[[question]]
kind = "pruned-paths"
tree = "MAX A (MIN B (3 12 8) MIN C (2 4 6))"
"""

ROSTER = Roster(tuple(Student(f"00{place}", f"=Student {place}") for place in range(6)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An exam with tables, windows and whole answers."""
    plan = read_blueprint(PLAN, Path())
    assert isinstance(plan, Blueprint)
    build_exam(plan, ROSTER, tmp_path / "exam", formats=("text",), exports=())
    (tmp_path / "exam" / "grades").mkdir()
    return tmp_path / "exam"


def right_in(folder: Path) -> dict[str, dict[str, str]]:
    """What is right in every box, by student and by column."""
    exam = open_exam(folder)
    assert isinstance(exam, Exam)
    right: dict[str, dict[str, str]] = {}
    for paper, seat in zip(exam.papers, exam.seats, strict=True):
        row = right.setdefault(seat.student.identifier, {})
        for question in paper.questions:
            for place, part in enumerate(question.parts):
                name = f"{question.label}{part_letter(place, len(question.parts))}"
                if part.kind.form.answer_space.shape in ("table", "windows"):
                    texts = zip(part.blanks.blanks, filled(part, part.answer(part.key)), strict=True)
                    row |= {f"{name} [{blank.label}]": text for blank, text in texts}
                else:
                    row[name] = part.printed_key
    return right


def fill_in(folder: Path, rows: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Grade the workbook with these cells typed into it: how all parts ended, with points."""
    book = load_workbook(folder / ENTRY_FILE)
    sheet = book.active
    columns = {cell.value: cell.column for cell in sheet[1]}
    for row in sheet.iter_rows(min_row=2):
        for column, text in rows.get(row[0].value, {}).items():
            cell = sheet.cell(row[0].row, columns[column])
            assert not cell.protection.locked, column
            cell.value = text
    book.save(folder.parent / "entry.xlsx")
    return marked(folder, folder.parent / "entry.xlsx")


def marked(folder: Path, path: Path) -> dict[str, str]:
    """Grade a file: how all parts ended, with points."""
    exam_keys = read_exam_keys(folder)
    with graded(folder, exam_keys, path) as gradebook:
        return {
            result.student.identifier: " ".join(
                f"{each.state_label}:{each.points}" if each.points is not None else each.state_label
                for each in result.standings
            )
            for result in results(gradebook, exam_keys)
        }


def test_what_is_typed_into_it_is_graded(folder: Path) -> None:
    """Each box counts by itself; nothing entered, an empty paper and what is no number are three things."""
    right = right_in(folder)
    some = dict(list(right["001"].items())[1:])
    garbled = right["002"] | {"1 [A]": "eh?", "2b": "?!"}
    elsewhere = right["004"] | {"1 [B]": ""}
    rows = {"000": right["000"], "001": some, "002": garbled, "003": {"State": "finished"}, "004": elsewhere}
    found = fill_in(folder, rows)
    assert found["000"] == "GRADED:1 GRADED:1 GRADED:1 GRADED:1"
    assert found["001"].startswith("GRADED:")
    assert not found["001"].startswith("GRADED:1 ")
    assert found["002"] == "UNPARSEABLE GRADED:1 UNPARSEABLE GRADED:1"
    assert found["003"] == "BLANK BLANK BLANK BLANK"
    assert found["004"].endswith("GRADED:1 GRADED:1 GRADED:1")
    assert not found["004"].startswith("GRADED:1 ")
    assert found["005"] == "MISSING MISSING MISSING MISSING"


def test_one_unreadable_box_leaves_the_rest(folder: Path) -> None:
    """The other boxes are a reading, and what was written is taken back with the box put right."""
    right = right_in(folder)
    box = next(name for name in right["001"] if name.endswith(", alpha]") and right["001"][name] != "none")
    garbled = {"000": right["000"] | {"1 [A]": "eh?"}, "001": right["001"] | {box: "eh?"}}
    fill_in(folder, garbled)
    exam_keys, path = read_exam_keys(folder), folder / "grades" / "gradebook.db"
    with Gradebook.open(path) as book:
        values, windows = doubtful_replies(book, exam_keys)
    assert values.submission.reply.startswith("A: eh?; B: ")
    assert f"A={right['000']['1 [A]']} {values.readings[0].reply}" == written(exam_keys, "000", "1")
    node = box.removeprefix("2a [").partition(",")[0]
    assert f"{node} [" not in windows.readings[0].reply
    assert f"{node} [" in written(exam_keys, "001", "2a")
    table = folder.parent / "read.csv"
    with table.open("w", newline="") as file:
        csv.writer(file).writerows(
            [
                ("student", "question", "reply"),
                ("000", "1", values.submission.reply.replace("eh?", right["000"]["1 [A]"])),
                ("001", "2a", windows.submission.reply.replace("eh?", right["001"][box])),
            ]
        )
    assert gametree("gradebook", "read", str(folder), "--table", str(table)).code == 0
    with Gradebook.open(path) as book:
        assert doubtful_replies(book, exam_keys) == []
        assert [book.entries_of("000")["1"].points, book.entries_of("001")["2a"].points] == [1, 1]


def box_readings(folder: Path, row: Mapping[str, str]) -> tuple[str, list[str]]:
    """Type one row of a table, for the student 000: what waits of question 1, and its readings."""
    path = folder.parent / "others.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["id", *row], ["000", *row.values()]])
    exam_keys = read_exam_keys(folder)
    (folder / "grades" / "gradebook.db").unlink(missing_ok=True)
    with graded(folder, exam_keys, path) as book:
        (waiting,) = doubtful_replies(book, exam_keys)
        return waiting.submission.reply, [each.reply for each in waiting.readings]


def test_a_box_that_a_paper_has_not_hides_no_other(folder: Path) -> None:
    """The reading holds all boxes of the paper, wherever the other column is."""
    right = {name: text for name, text in right_in(folder)["000"].items() if name[:2] == "1 "}
    key = written(read_exam_keys(folder), "000", "1")
    for row in (right | {"1 [Q]": "X9"}, {"1 [Q]": "3; 4"} | right, {"1 [Q]": "5", "1 [P]": "6"} | right):
        reply, readings = box_readings(folder, row)
        assert '"Q": ' in reply
        assert readings == [key]
    row = {name: "5 or 6" if name == "1 [A]" else text for name, text in right.items()} | {"1 [Q]": "7"}
    rest = key.partition(" ")[2]
    assert box_readings(folder, row)[1] == [f"A=5 {rest}", f"A=6 {rest}", rest]


def test_a_box_with_several_numbers_has_a_reading_for_each(folder: Path) -> None:
    """All combinations are offered while they are few; the last reading leaves out all of these boxes."""
    right = {name: text for name, text in right_in(folder)["000"].items() if name[:2] == "1 "}
    boxes, key = [*right], written(read_exam_keys(folder), "000", "1").split()

    def readings_with(**texts: str) -> list[str]:
        return box_readings(folder, right | {f"1 [{box}]": text for box, text in texts.items()})[1]

    rest = " ".join(key[2:])
    assert readings_with(A="5 or 6") == [f"A=5 {key[1]} {rest}", f"A=6 {key[1]} {rest}", f"{key[1]} {rest}"]
    either = [f"A={a} B={b} {rest}" for a in (5, 6) for b in (7, "0.5")]
    assert readings_with(A="5 or 6", B="7 oder 1/2") == [*either, rest]
    assert readings_with(A="5 or 6", B="eh?") == [f"A=5 {rest}", f"A=6 {rest}", rest]
    assert readings_with(A="2,5", B="-7,2") == [f"A=2.5 B=-7.2 {rest}", rest]
    assert len(readings_with(**{box[3:-1]: "5 or 6" for box in boxes[:3]})) == 9
    assert readings_with(**{box[3:-1]: "5 or 6" for box in boxes[:4]}) == [" ".join(key[4:])]


@pytest.mark.parametrize(
    ("boxes", "typed", "read"),
    [
        ({"A": "2,5"}, "A=9.8", "A=9.8"),
        ({"A": "2,5"}, "A: 9.8", "A=9.8"),
        ({"A": "2,5", "B": "-7,2"}, "A=9.8", "box 'B': '-7,2' is not a number"),
        ({"A": "2,5", "B": "-7,2"}, "B=-7.2 A=9.8", "A=9.8 B=-7.2"),
        ({"A": "2,5", "B": "-7,2"}, "A: 9.8; B: ", "A=9.8"),
        ({"A": "2,5"}, "A=eh?", "cannot be read either"),
        ({"A": "2,5"}, "", ""),
        ({"A": "2,5"}, "none", "none"),
    ],
)
def test_boxes_that_a_person_does_not_name_stay(
    folder: Path, boxes: Mapping[str, str], typed: str, read: str
) -> None:
    """A person who types the doubtful box alone loses no other, and is told of another doubtful one."""
    right = {name: text for name, text in right_in(folder)["000"].items() if name[:2] == "1 "}
    reply, readings = box_readings(folder, right | {f"1 [{box}]": text for box, text in boxes.items()})
    ran = gametree("gradebook", "read", str(folder), "000", "1", typed)
    with Gradebook.open(folder / "grades" / "gradebook.db") as book:
        last = book.submissions_of("000")["1"].reply
    if ran.code:
        assert read in ran.err.replace("\n", " ")
        assert last == reply
        return
    assert last == (f"{read} {readings[-1]}" if "=" in read else read)
    if typed == "A=9.8":
        assert gametree("gradebook", "read", str(folder), "000", "1", "A=4").code == 0
        with Gradebook.open(folder / "grades" / "gradebook.db") as book:
            assert book.submissions_of("000")["1"].reply == f"A=4 {readings[-1]}"


def test_boxes_of_the_reply_that_a_person_chose_stay(folder: Path) -> None:
    """Of two replies that differ a person chooses one, and then types its doubtful box: the other is out."""
    boxes = [name for name in right_in(folder)["000"] if name.startswith("1 ")]
    for name, number in (("first", "3"), ("second", "9")):
        texts = [number, "eh?", *[number] * (len(boxes) - 2)]
        path = folder.parent / f"{name}.csv"
        path.write_text(f"id,{','.join(boxes)}\n000,{','.join(texts)}\n")
        marked(folder, path)
    exam_keys = read_exam_keys(folder)
    with Gradebook.open(folder / "grades" / "gradebook.db") as book:
        (waiting,) = doubtful_replies(book, exam_keys)
    number = next(place for place, each in enumerate(waiting.readings, 1) if "3" in each.reply)
    table = folder.parent / "todo.csv"
    gametree("gradebook", "todo", str(folder), "-o", str(table))
    header, row = csv.reader(table.read_text(encoding="utf-8-sig").splitlines())
    row[header.index("reply")] = f"#{number}"
    with table.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, row])
    chose = gametree("gradebook", "read", str(folder), "--table", str(table))
    assert chose.code in (0, 1), chose.err
    labels = [name[3:-1] for name in boxes]
    ran = gametree("gradebook", "read", str(folder), "000", "1", f"{labels[1]}=7")
    with Gradebook.open(folder / "grades" / "gradebook.db") as book:
        last = book.submissions_of("000")["1"].reply
    assert (ran.code, "9" in last) == (0, False), (chose.out, last, waiting.readings)
    assert f"{labels[1]}=7" in last
    assert last.count("=3") == len(boxes) - 1


def test_every_unreadable_box_is_named(folder: Path) -> None:
    """The reason has every box that cannot be read, since a person has to look at each of them."""
    box_readings(folder, {"1 [A]": "2,5", "1 [B]": "eh?", "1 [C]": "3"})
    exam_keys = read_exam_keys(folder)
    with Gradebook.open(folder / "grades" / "gradebook.db") as book:
        (waiting,) = doubtful_replies(book, exam_keys)
    assert waiting.reason.endswith("box 'A': '2,5' is not a number; box 'B': 'eh?' is not a number")


def written(exam_keys: ExamKeys, student: str, part: str) -> str:
    """The key of a student's part."""
    return exam_keys.part_key(exam_keys.variant_of(student), part).reply


def test_it_speaks_the_language_of_the_exam(tmp_path: Path) -> None:
    """The workbook of a Chinese exam has Chinese headings, and is read back by them."""
    plan = read_blueprint('language = "zh"\n' + PLAN, Path())
    assert isinstance(plan, Blueprint)
    folder = tmp_path / "exam"
    build_exam(plan, ROSTER, folder, formats=("text",), exports=())
    (folder / "grades").mkdir()
    sheet = load_workbook(folder / ENTRY_FILE).active
    assert [cell.value for cell in sheet[1]][:4] == ["学号", "姓名", "试卷版本", "状态"]
    found = fill_in(folder, {"000": right_in(folder)["000"], "003": {"状态": "已完成"}})
    assert found["000"] == "GRADED:1 GRADED:1 GRADED:1 GRADED:1"
    assert found["003"] == "BLANK BLANK BLANK BLANK"


@pytest.mark.parametrize("code", ["en", "zh"])
def test_columns_have_the_order_of_the_tables_on_paper(tmp_path: Path, code: str) -> None:
    """Papers that ask about other nodes share columns by node, and each finds its own from left to right."""
    question = '[[question]]\nkind = "windows"\nsize = "exam"\n'
    plan = read_blueprint(
        f'language = "{code}"\ntitle = "Order"\nsecret = "kept in a safe"\n{question}', Path()
    )
    assert isinstance(plan, Blueprint)
    build_exam(plan, ROSTER, tmp_path / "exam", formats=("text",), exports=())
    header = [str(cell.value) for cell in load_workbook(tmp_path / "exam" / ENTRY_FILE).active[1]][4:]
    nodes = [column.removeprefix("1 [")[0] for column in header]
    exam = open_exam(tmp_path / "exam")
    assert isinstance(exam, Exam)
    of_papers = [
        [f"1 [{blank.label}]" for blank in paper.questions[0].parts[0].blanks.blanks] for paper in exam.papers
    ]
    assert len(set(map(tuple, of_papers))) > 1
    assert nodes == sorted(nodes)
    for columns in of_papers:
        assert [column for column in header if column in columns] == columns


def test_a_touched_row_is_no_blank_paper(folder: Path) -> None:
    """A word under State that is not known, or a space, makes no empty row a paper with 0 points."""
    found = fill_in(folder, {"000": {"State": "finised"}, "001": {"State": " "}, "002": {"1 [A]": " "}})
    missing = "MISSING MISSING MISSING MISSING"
    assert set(found.values()) == {missing}
    shown = gametree("gradebook", "show", str(folder), "--unresolved")
    assert shown.code == 1
    assert "000" in shown.out
    assert "the state 'finised' is not known; write 'finished' for a paper handed in empty" in shown.out
    assert "001" not in shown.out
    exported = gametree("gradebook", "export", str(folder), "-o", "-").err
    assert exported.count("the state 'finised' is not known") == 1
    assert "grade its file again with --replaces" in exported
    assert "gametree review" not in exported


def test_two_papers_that_were_swapped(folder: Path) -> None:
    """A row with the variant of another paper waits, and one decision has all of it marked as that paper."""
    right, exam_keys = right_in(folder), read_exam_keys(folder)
    book = load_workbook(folder / ENTRY_FILE)
    sheet = book.active
    columns = {cell.value: cell.column for cell in sheet[1]}
    for student, other in (("000", "001"), ("001", "000")):
        row = 2 + int(student)
        sheet.cell(row, columns["Variant"]).value = exam_keys.variant_of(other)
        for column, text in right[other].items():
            sheet.cell(row, columns[column]).value = text
    path = folder.parent / "entry.xlsx"
    book.save(path)
    assert marked(folder, path)["000"] == "AMBIGUOUS AMBIGUOUS AMBIGUOUS GRADED:1"  # 3 is the same for all
    told = gametree("grade", str(folder), str(path), "--executor", "here")
    assert "5 same" not in told.out
    with Gradebook.open(folder / "grades" / "gradebook.db") as gradebook:
        (group,) = group_replies(doubtful_replies(gradebook, exam_keys), exam_keys)
        assert (group.questions, group.count, group.reading_count) == (("1", "2a", "2b"), 6, 2)
        first = group.rows[0].first
        variants = [exam_keys.variant_of(each) for each in ("000", "001")]
        assert sorted(each.source for each in first.readings) == sorted(variants)
        assert first.readings[0].points == 1
        decisions = [decision for row in group.rows for decision in row.decisions("#1")]
        append_read_replies(gradebook, exam_keys, decisions)
    gametree("grade", str(folder), "--executor", "here")
    with Gradebook.open(folder / "grades" / "gradebook.db") as gradebook:
        for result in list(results(gradebook, exam_keys))[:2]:
            assert [each.points for each in result.standings] == [1, 1, 1, 1]


def test_a_corrected_variant_needs_no_person(folder: Path) -> None:
    """A row that said a variant that there is not counts as soon as a file says the right one, or none."""
    right, exam_keys = right_in(folder), read_exam_keys(folder)
    typed = {"000": right["000"]}
    fill_in(folder, typed)
    (folder / "grades" / "gradebook.db").unlink()
    book = load_workbook(folder.parent / "entry.xlsx")
    book.active["C2"].value = "QQQ"
    book.save(folder.parent / "wrong.xlsx")
    assert marked(folder, folder.parent / "wrong.xlsx")["000"] == " ".join(["AMBIGUOUS"] * 4)
    book.active["C2"].value = exam_keys.variant_of("000").lower()
    book.save(folder.parent / "corrected.xlsx")
    assert marked(folder, folder.parent / "corrected.xlsx")["000"] == " ".join(["GRADED:1"] * 4)


@pytest.mark.slow
@pytest.mark.skipif(SOFFICE is None, reason="no LibreOffice (Debian: apt-get install libreoffice-calc)")
@pytest.mark.parametrize("ending", ["xlsx", "csv", "ods", "xls"])
def test_libreoffice_may_save_it(folder: Path, tmp_path: Path, ending: str) -> None:
    """Opened and saved by LibreOffice, as a workbook or as CSV, it holds what was typed."""
    right = right_in(folder)
    right["001"] |= {"3": "3-4"}
    typed = fill_in(folder, right)
    (folder / "grades" / "gradebook.db").unlink()
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    saved = ("--headless", "--convert-to", ending, "--outdir", str(tmp_path / "saved"))
    source = str(folder.parent / "entry.xlsx")
    subprocess.run([SOFFICE or "soffice", profile, *saved, source], check=True, capture_output=True)
    assert marked(folder, tmp_path / "saved" / f"entry.{ending}") == typed
    assert typed["000"] == "GRADED:1 GRADED:1 GRADED:1 GRADED:1"
    assert typed["001"] == "GRADED:1 GRADED:1 GRADED:1 GRADED:0"


def test_only_boxes_can_be_filled_in(folder: Path) -> None:
    """Headings and students are protected, cells are text, and every box says when what it gets is odd."""
    sheet = load_workbook(folder / ENTRY_FILE).active
    assert sheet.protection.sheet
    assert all(cell.protection.locked for cell in sheet[1])
    for row in sheet.iter_rows(min_row=2):
        assert [cell.protection.locked for cell in row[:4]] == [True, True, True, False]
        assert not all(cell.protection.locked for cell in row[4:])
        assert all(cell.number_format == "@" for cell in row)
    checked = {str(range_) for rule in sheet.data_validations.dataValidation for range_ in rule.sqref.ranges}
    assert len(checked) == sheet.max_column - 3
    assert (sheet["B2"].value, sheet["B2"].data_type) == ("=Student 0", "s")


def test_columns_of_boxes_are_read_anywhere(folder: Path) -> None:
    """Any table may have a column for each box, once; text in one that a paper has not is told."""
    right = right_in(folder)["000"]
    tables = {name: text for name, text in right.items() if name[:2] == "1 "}
    path = folder.parent / "others.csv"
    signs = [({"1 [Q]": text}, "GRADED:1") for text in ("-", "?", "n/a", "none")]
    for more, state in (({}, "GRADED:1"), ({"1 [Q]": "3"}, "UNPARSEABLE"), *signs):
        row = {"id": "000", **tables, **more}
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([row.keys(), row.values()])
        exam_keys = read_exam_keys(folder)
        (folder / "grades" / "gradebook.db").unlink(missing_ok=True)
        with graded(folder, exam_keys, path) as gradebook:
            first = next(iter(results(gradebook, exam_keys))).standings[0]
            assert f"{first.state_label}:{first.points}".startswith(state)
    path.write_text("id,1 [A],1 [A]\n000,3,4\n", encoding="utf-8")
    sheet = read_submissions(path, exam_keys.parts)
    with pytest.raises(TableError, match="both belong to question 1"):
        match_columns(sheet, exam_keys.parts)


def test_the_boxes_of_a_question_are_reported_together(folder: Path) -> None:
    """Columns in a row that answer the same parts take one line."""
    ran = gametree("grade", str(folder), str(folder / ENTRY_FILE), "--executor", "here")
    lines = [line.strip() for line in ran.err.splitlines() if " answer" in line]
    assert [line.partition(" (")[0] for line in lines][:2] == [
        "'1 [A]' to '1 [J]': answers to 1",
        "'2a [C, alpha]' to '2a [K, returned value]': answers to 2a",
    ]
    assert len(lines) == 4
