"""Tables as schools have them: titles above the columns, German names, files of Excel and Brightspace."""

from io import BytesIO
from pathlib import Path

import openpyxl
import pytest

from grader.exam.roster import Roster, read_roster
from grader.grading.scale import read_scale
from grader.tables.readers import read_submissions, read_table
from grader.tables.rows import InMemoryFile
from tests.cli.running import gametree
from tests.grading.classroom import build, student

LIST = "Matrikelnummer;Name\n1;Ada\n2;Bea\n"


def roster(data: bytes) -> Roster:
    """The class list in these bytes."""
    found = read_roster(data, "class.csv")
    assert isinstance(found, Roster), str(found)
    return found


@pytest.mark.parametrize("title", ["Klausur KI, Sommer 2026", "Klausur 2026;", "Klausur 2026;;\n\n;", ""])
def test_a_title_above_the_columns_is_left_out(title: str) -> None:
    """A line above the names of the columns is left out with a warning; the rows keep their numbers."""
    found = roster(f"{title}\n{LIST}".encode())
    assert [each.name for each in found.students] == ["Ada", "Bea"]
    assert bool(title) == any("Klausur" in warning for warning in found.warnings)


def test_a_header_is_no_title() -> None:
    """A table of one column, or with a first row that names columns, loses no row."""
    for text in ("Name\nAda, Name\n", "id\n7\n", "id;\n7;Name\n"):
        table = read_table(InMemoryFile("class.csv", text.encode()))
        assert (table.columns[0], table.warnings) == (text.partition("\n")[0].rstrip(";"), ())


def test_a_title_in_a_workbook(tmp_path: Path) -> None:
    """The row above the names of the columns of a workbook is left out, too."""
    book = openpyxl.Workbook()
    for row in (["Klausur 2026"], ["id", "1"], ["7", "5 6"]):
        book.worksheets[0].append(row)
    book.save(tmp_path / "r.xlsx")
    table = read_table(tmp_path / "r.xlsx")
    assert (table.columns, table.header) == (("id", "1"), "row 2")
    assert [(row.place, list(row.cells)) for row in table.rows()] == [("row 3", ["7", "5 6"])]
    assert "'Klausur 2026'" in table.warnings[0]


def test_unicode_text_of_excel_is_a_table(tmp_path: Path) -> None:
    """A .txt file in UTF-16 with tabs is a table; any other .txt file is what students wrote."""
    (tmp_path / "r.txt").write_bytes("id\t1\n7\t5 6\n".encode("utf-16"))
    assert read_submissions(tmp_path / "r.txt", ()).columns == ("id", "1")
    (tmp_path / "r.txt").write_bytes("student: 7\n1: 5 6\n".encode("utf-16"))
    assert read_submissions(tmp_path / "r.txt", ()).origin == "sheets"


def test_a_german_scale() -> None:
    """The columns of a scale may be called Punkte and Note, with commas in grades and points."""
    table = read_table(InMemoryFile("scale.csv", b'Punkte;Note\n90%;"1,0"\n4,5;3,0\n0;"5,0"\n'))
    assert [read_scale(table, 10).grade(points) for points in (9, 5, 4)] == ["1,0", "3,0", "5,0"]


def test_a_list_in_another_encoding_gets_advice() -> None:
    """Where names look wrong, it is said how to save them."""
    for encoding, name in (("cp1251", "Иван"), ("mac_roman", "Jürgen")):
        found = roster(f"id,name\n7,{name}\n".encode(encoding))
        assert any("save it as UTF-8" in warning for warning in found.warnings)


def test_tables_of_platforms(tmp_path: Path) -> None:
    """Brightspace writes # before identifiers, and Zeit is a time."""
    people = [student(1), student(2)]
    build(tmp_path, people, codes=("A",))
    rows = "".join(f"#{each.identifier},2026-01-01 10:00,{place}\n" for place, each in enumerate(people))
    (tmp_path / "r.csv").write_text(f"OrgDefinedId,Zeit,1\n{rows}", encoding="utf-8")
    ran = gametree("grade", str(tmp_path), str(tmp_path / "r.csv"), "--executor", "here")
    assert "2 rows in = 2 taken" in ran.out
    assert "'Zeit': time" in ran.err


def test_points_as_a_workbook(tmp_path: Path) -> None:
    """A workbook has the cells of the CSV file, with numbers that any spreadsheet shows in its own way."""
    build(tmp_path, [student(1), student(2)], codes=("A",))
    replies = f"id,1,2a\n{student(1).identifier},3,A=3 B=3\n"
    (tmp_path / "r.csv").write_text(replies, encoding="utf-8")
    gametree("grade", str(tmp_path), str(tmp_path / "r.csv"), "--executor", "here")
    target = tmp_path / "grades.xlsx"
    export = ("gradebook", "export", str(tmp_path), "--leave-empty")
    assert gametree(*export, "--format", "xlsx", "-o", str(target)).code == 0
    first = target.read_bytes()
    (sheet,) = openpyxl.load_workbook(BytesIO(first)).worksheets
    header, ada, _ = sheet.iter_rows(values_only=True)
    text = gametree(*export, "-o", "-").out.lstrip("\ufeff").splitlines()
    assert ",".join(map(str, header)) == text[0]
    points = [cell for cell in ada if isinstance(cell, int | float)]
    assert points == [float(cell) for cell in text[1].split(",")[4:] if cell.replace(".", "").isdigit()]
    assert gametree(*export, "--format", "xlsx", "-o", str(target)).code == 0
    assert target.read_bytes() == first
