"""A table in a workbook of LibreOffice (.ods) or of an Excel before 2007 (.xls)."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any
from xml.parsers.expat import ExpatError, ParserCreate
from zipfile import ZipFile

from grader.tables import workbook_process
from grader.tables.rows import ClassTable, DateCell, Source
from grader.tables.workbook import (
    MAX_WORKBOOK_BYTES,
    SheetRow,
    cell_text,
    refuse_bomb,
    refused,
    refused_if_broken,
    sheet_table,
)

MAX_SHEET_CELLS = 2**24
"""The most cells of a sheet, as many as an .xls file can have: all of them are held in memory."""

PASSWORD_EXIT_CODE = 3
"""The exit code of `workbook_process` for a file with a password."""


def read_open_document(source: Source) -> ClassTable:
    """Read an .ods file; the rules are those of `read_workbook`, but a formula is its result."""
    refuse_bomb(source)
    with refused_if_broken(source.name, ExpatError):
        cells = _CellCounter(source).cells
    if cells > MAX_SHEET_CELLS:
        raise refused(f"{source.name} has a sheet of more than {MAX_SHEET_CELLS} cells")
    return read_old_excel(source)


def read_old_excel(source: Source) -> ClassTable:
    """Read an .xls file; the rules are those of `read_workbook`, but a formula is its result."""
    with source.open("rb") as file:
        data = file.read(MAX_WORKBOOK_BYTES + 1)
    if len(data) > MAX_WORKBOOK_BYTES:
        raise refused(f"{source.name} has more than {MAX_WORKBOOK_BYTES // 2**20} MB")
    # The library ends the process on some damaged files, so it has a process of its own.
    program = [sys.executable, "-P", workbook_process.__file__]
    finished = subprocess.run(program, input=data, capture_output=True, check=False)
    if finished.returncode == PASSWORD_EXIT_CODE:
        raise refused(f"{source.name} has a password", "Save it without a password.")
    if finished.returncode:
        raise refused(f"{source.name} is not a workbook", "Save it again, or as CSV, and give that.")
    (title, has_others), *rows = map(json.loads, finished.stdout.splitlines())
    return sheet_table(source, title, has_others, lambda: _rows(rows))


def _rows(rows: Sequence[Sequence[Any]]) -> Iterator[SheetRow]:
    """Iterate over the rows that are not empty."""
    for number, values in enumerate(rows, 1):
        cells = [
            DateCell(value["date"]) if isinstance(value, dict) else cell_text(value) or "" for value in values
        ]
        if any(cell.strip() for cell in cells):
            yield number, cells, ""


class _CellCounter:
    """Counts the cells that the largest sheet of an .ods file takes up, where a few bytes repeat millions."""

    def __init__(self, source: Source) -> None:
        self.cells = 0
        self._row = self._column = self._height = self._width = 0
        parser = ParserCreate(namespace_separator=" ")
        parser.StartElementHandler = self._start
        with source.open("rb") as whole, ZipFile(whole) as packed, packed.open("content.xml") as file:
            parser.ParseFile(file)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        """Count the cells up to the last filled one of a table, repeated rows and columns included."""
        count = {key.rpartition(" ")[2]: value for key, value in attributes.items()}
        match name.rpartition(" ")[2]:
            case "table":
                self._row = self._height = self._width = 0
            case "table-row":
                self._column = 0
                self._row += int(count.get("number-rows-repeated", 1))
            case "table-cell" | "covered-table-cell":
                self._column += int(count.get("number-columns-repeated", 1))
                if "value-type" in count:
                    self._width, self._height = max(self._width, self._column), self._row
                    self.cells = max(self.cells, self._width * self._height)
