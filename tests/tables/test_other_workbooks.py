"""Workbooks of LibreOffice and of old Excels: read as they show, or refused, whatever is in the file."""

import io
import zipfile
from pathlib import Path
from random import Random

import pytest

from grader.tables.other_workbooks import MAX_SHEET_CELLS
from grader.tables.readers import read_table
from grader.tables.rows import DateCell, InMemoryFile, Row, TableError

OLD_EXCEL = Path(__file__).with_name("old_excel.xls")
"""A hidden sheet, and one with an empty row, identifiers, a date and a formula, as Excel 97 writes them."""

SPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
)
MIMETYPE = "application/vnd.oasis.opendocument.spreadsheet"
MANIFEST_SPACE = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
FILLER = (
    '<table:table-row table:number-rows-repeated="1048000">'
    '<table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
)
"""The empty rest of the sheet, as LibreOffice writes it."""


def text_cell(text: str, repeated: int = 1) -> str:
    """A cell with a text."""
    count = f'table:number-columns-repeated="{repeated}"'
    return f'<table:table-cell {count} office:value-type="string"><text:p>{text}</text:p></table:table-cell>'


def open_document(*rows: str, end: str = FILLER) -> InMemoryFile:
    """A workbook as LibreOffice saves it, with these cells in its rows."""
    inside = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows) + end
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {SPACES}><office:body>'
        f'<office:spreadsheet><table:table table:name="Class">{inside}</table:table></office:spreadsheet>'
        "</office:body></office:document-content>"
    )
    manifest = f'<m:manifest xmlns:m="{MANIFEST_SPACE}"/>'
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("mimetype", MIMETYPE, zipfile.ZIP_STORED)
        packed.writestr("META-INF/manifest.xml", manifest)
        packed.writestr("content.xml", content)
    return InMemoryFile("class.ods", file.getvalue())


NUMBER = (
    '<table:table-cell office:value-type="float" office:value="7.5"><text:p>7,5</text:p></table:table-cell>'
)
RESULT = (
    '<table:table-cell table:formula="of:=6*7" office:value-type="float" office:value="42">'
    "<text:p>42</text:p></table:table-cell>"
)
DATE = (
    '<table:table-cell office:value-type="date" office:date-value="2026-04-03">'
    "<text:p>3.4.</text:p></table:table-cell>"
)


def test_old_excel() -> None:
    """The first visible sheet is read: texts, numbers, dates, and of a formula its result or nothing."""
    table = read_table(OLD_EXCEL)
    assert table.columns == ("id", "name", "points")
    assert table.warnings == ("old_excel.xls has several sheets; only 'Class' was read",)
    rows = list(table.rows())
    assert rows == [
        Row("row 3", ["007", "Ada Žižek", "7"]),
        Row("row 4", ["8", "Bea", "7.5"]),
        Row("row 5", ["9", "2026-04-03", ""]),
    ]
    assert isinstance(rows[2].cells[1], DateCell)


def test_open_document() -> None:
    """An .ods file is read by the same rules, with the title line above the columns left out."""
    names = text_cell("id") + text_cell("name") + text_cell("points") + text_cell("extra")
    cells = text_cell("007") + NUMBER + RESULT + DATE
    table = read_table(open_document("", text_cell("Class of 2026"), names, cells))
    assert table.columns == ("id", "name", "points", "extra")
    (row,) = table.rows()
    assert (row.place, *row.cells) == ("row 4", "007", "7.5", "42", "2026-04-03")
    assert isinstance(row.cells[3], DateCell)


def test_repeated_cells_fill_no_memory() -> None:
    """A file of a few bytes that repeats a cell millions of times is refused before it is unfolded."""
    row = f'<table:table-row table:number-rows-repeated="{2**20}">{text_cell("x", 2**14)}</table:table-row>'
    with pytest.raises(TableError, match=f"more than {MAX_SHEET_CELLS} cells"):
        read_table(open_document(text_cell("id"), end=row))


@pytest.mark.parametrize("name", ["class.xls", "class.ods"])
def test_damaged_workbooks_are_refused(name: str) -> None:
    """Whatever bytes are damaged, there is a table or a sentence, and this process lives on."""
    whole = OLD_EXCEL.read_bytes() if name.endswith(".xls") else open_document(text_cell("id"), NUMBER).data
    random, refused = Random(name), 0
    for _ in range(12):
        data = bytearray(whole)
        for _ in range(8):
            data[random.randrange(100, len(data))] = random.randrange(256)
        try:
            list(read_table(InMemoryFile(name, bytes(data))).rows())
        except TableError:
            refused += 1
    with pytest.raises(TableError, match="is not a workbook"):
        read_table(InMemoryFile(name, whole[: len(whole) // 3]))
    assert refused
