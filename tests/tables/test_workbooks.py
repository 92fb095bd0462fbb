"""Workbooks: what Excel and others write is read as it shows, and nothing in one fills the memory."""

import inspect
import tracemalloc
import zipfile
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.reader.excel import ExcelReader
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.worksheet._read_only import ReadOnlyWorksheet
from openpyxl.worksheet._reader import WorkSheetParser

from grader.tables.readers import read_table
from grader.tables.rows import DateCell, TableError
from tests.tables.spoiling import spoiled


def saved(path: Path, *rows: Sequence[Any], formats: Mapping[str, str] | None = None) -> Path:
    """A workbook with these rows, some cells shown in a format of their own."""
    book = openpyxl.Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    for cell, shown in (formats or {}).items():
        book.worksheets[0][cell].number_format = shown
    book.save(path)
    return path


def cells(path: Path) -> list[list[str]]:
    """The cells of the rows below the header."""
    rows = list(read_table(path).rows())
    assert not any(row.fault for row in rows), rows
    return [list(row.cells) for row in rows]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (7, "7"),
        (-7.5, "-7.5"),
        (0.1 + 0.2, "0.3"),
        (12345678, "12345678"),
        (123456789012, "123456789012"),
        (1e20, "1e+20"),
        (1.5e20, "1.5e+20"),
        (0.00012, "0.00012"),
        (True, "TRUE"),
        ("007", "007"),
        (" 5  6\n7 ", " 5  6\n7 "),
        ("#N/A", "#N/A"),
        ('=B2&"!"', '=B2&"!"'),
    ],
)
def test_cells_are_the_text_that_was_typed(tmp_path: Path, value: Any, shown: str) -> None:
    """A number is what Excel shows of it in full, a text stays as it is, and a formula is not computed."""
    assert cells(saved(tmp_path / "t.xlsx", ("x", "y"), (value, "end"))) == [[shown, "end"]]


@pytest.mark.parametrize("epoch", [None, CALENDAR_MAC_1904])
@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (datetime(2026, 4, 3), "2026-04-03 00:00:00"),
        (date(2026, 4, 3), "2026-04-03 00:00:00"),
        (datetime(2026, 1, 31, 9, 5, 7), "2026-01-31 09:05:07"),
        (time(9, 5), "09:05:00"),
        (timedelta(hours=30), "1 day, 6:00:00"),
    ],
)
def test_dates_are_known_as_dates(tmp_path: Path, epoch: datetime | None, value: Any, shown: str) -> None:
    """What a spreadsheet holds as a date is written as one and marked, from either of Excel's first days."""
    book = openpyxl.Workbook()
    if epoch is not None:
        book.epoch = epoch
    for row in (("x",), (value,)):
        book.worksheets[0].append(row)
    book.save(tmp_path / "t.xlsx")
    (((cell,),)) = cells(tmp_path / "t.xlsx")
    assert cell == shown
    assert isinstance(cell, DateCell)


@pytest.mark.parametrize(
    ("shown", "dated"),
    [
        ("General", False),
        ("0.00E+00", False),
        ("[Red]0", False),
        ('0 "days"', False),
        ("_-* #,##0.00_-", False),
        (r"0\d", False),
        ("d/m/yy", True),
        ("[$-409]h:mm AM/PM", True),
        ("[h]:mm", True),
        ("MMM-YY", True),
    ],
)
def test_formats_tell_dates(tmp_path: Path, shown: str, dated: bool) -> None:
    """Whether a number is a date is said by its format, of which colours and quoted words are no part."""
    path = saved(tmp_path / "t.xlsx", ("x",), (45_000.5,), formats={"A2": shown})
    ((cell,),) = cells(path)
    assert isinstance(cell, DateCell) == dated


def test_a_formula_that_was_filled_down_has_its_text(tmp_path: Path) -> None:
    """Of a formula that was filled down the file has the text but once, and every cell shows its own."""
    path = saved(tmp_path / "t.xlsx", ("x", "y"), ("1", "=A2"), ("2", "=A3"))
    spoiled(path, b"<f>A2</f>", b'<f t="shared" si="0" ref="B2:B3">A2</f>')
    spoiled(path, b"<f>A3</f>", b'<f t="shared" si="0" />')
    assert cells(path) == [["1", "=A2"], ["2", "=A3"]]


GIANT = 80 << 20


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", ["<is><t>%s</t></is>", "<f>%s</f>", "<v a='%s'>1</v>", "<!--%s-->"])
def test_a_giant_cell_does_not_fill_the_memory(tmp_path: Path, text: str) -> None:
    """A workbook with a cell or a tag of many megabytes is refused, with less memory than it would take."""
    path = saved(tmp_path / "t.xlsx", ("x",), ("1",))
    spoiled(path, b"<is><t>1</t></is>", text.encode().replace(b"%s", b"9" * GIANT))
    tracemalloc.start()
    try:
        with pytest.raises(TableError, match="a cell of more than 4 MB"):
            read_table(path)
        assert tracemalloc.get_traced_memory()[1] < GIANT // 4
    finally:
        tracemalloc.stop()


def test_what_openpyxl_keeps_for_itself_is_there(tmp_path: Path) -> None:
    """Each private name of openpyxl that rows are read with is there, and takes what it is given."""
    given = inspect.signature(WorkSheetParser.__init__).parameters
    assert {"src", "shared_strings", "epoch", "date_formats", "timedelta_formats"} <= given.keys()
    assert callable(WorkSheetParser.parse)
    assert callable(ReadOnlyWorksheet._get_source)
    assert callable(ExcelReader.read_chartsheet)
    book = openpyxl.load_workbook(saved(tmp_path / "t.xlsx", ("x",)), read_only=True)
    assert {"_date_formats", "_timedelta_formats"} <= vars(book).keys()
    assert "_shared_strings" in vars(book.worksheets[0])
    book.close()


def test_a_table_is_what_its_bytes_are(tmp_path: Path) -> None:
    """A workbook called .csv, and a CSV file that a platform calls .xls, are read as what they are."""
    saved(tmp_path / "t.xlsx", ("x", "y"), ("1", "2")).rename(tmp_path / "t.csv")
    (tmp_path / "t.xls").write_bytes(b"x\ty\n1\t2\n")
    assert cells(tmp_path / "t.csv") == cells(tmp_path / "t.xls") == [["1", "2"]]


def test_rows_of_nothing_are_refused_at_once(tmp_path: Path) -> None:
    """A long sheet of rows of nothing is refused after 20,000 of them; a thousand are passed over."""
    whole = tmp_path / "whole.xlsx"
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    for row in (["id", "1"], *[["", None]] * 1_000, ["7", "5"]):
        sheet.append(row)
    book.save(whole)
    assert [list(row.cells) for row in read_table(whole).rows()] == [["7", "5"]]
    with zipfile.ZipFile(whole) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    (name,) = (name for name in members if name.endswith("sheet1.xml"))
    rows = b"".join(b'<row r="%d"><c r="A%d"/></row>' % (row, row) for row in range(1_100, 60_000))
    members[name] = members[name].replace(b"</sheetData>", rows + b"</sheetData>")
    with zipfile.ZipFile(tmp_path / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in members.items():
            packed.writestr(name, data)
    with pytest.raises(TableError, match="empty rows before row 21100"):
        list(read_table(tmp_path / "bomb.xlsx").rows())
