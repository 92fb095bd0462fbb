"""Workbooks with a part of them replaced."""

import zipfile
from pathlib import Path

SHEET_FILE = "xl/worksheets/sheet1.xml"


def spoiled(path: Path, old: bytes, new: bytes, member: str = SHEET_FILE) -> None:
    """Replace some bytes, which must be there, in a file inside a workbook."""
    with zipfile.ZipFile(path) as source:
        members = {name: source.read(name) for name in source.namelist()}
    assert old in members[member]
    members[member] = members[member].replace(old, new, 1)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in members.items():
            packed.writestr(name, data)
