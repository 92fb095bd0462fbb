"""A workbook as bytes that depend only on its cells."""

import io
import re
import zipfile
from typing import Any

from grader.base.safe_text import safe_lines
from grader.tables.formulas import MAX_TABLE_TEXT_LENGTH

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of every member: the earliest that a zip file can hold."""


def text_cell(sheet: Any, text: str) -> Any:
    """Return a cell that shows a text, and that a spreadsheet never computes, not even once it is edited."""
    from openpyxl.cell import WriteOnlyCell

    cell = WriteOnlyCell(sheet, safe_lines(text, MAX_TABLE_TEXT_LENGTH) or None)
    cell.number_format = "@"
    if cell.value is not None:
        cell.data_type = "s"  # openpyxl takes `=1` for a formula, and `#N/A` for an error
    return cell


def workbook_bytes(book: Any) -> bytes:
    """Save a workbook of openpyxl, without the time at which it was made."""
    saved, fixed = io.BytesIO(), io.BytesIO()
    book.save(saved)
    with zipfile.ZipFile(saved) as package:
        members = {name: package.read(name) for name in package.namelist()}
    core = members["docProps/core.xml"]
    members["docProps/core.xml"] = re.sub(rb"\d{4}-\d\d-\d\dT[\d:]+Z", b"1980-01-01T00:00:00Z", core)
    with zipfile.ZipFile(fixed, "w") as package:
        for name in sorted(members):
            member = zipfile.ZipInfo(name, EPOCH)
            member.create_system, member.external_attr = 3, 0o644 << 16  # as Unix has it, on every machine
            member.compress_type = zipfile.ZIP_DEFLATED
            package.writestr(member, members[name])
    return fixed.getvalue()
