"""Submissions as they come: tables, spreadsheets, exports of an LMS, JSON lines, folders, text sheets."""

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.grading.records import storable
from grader.grading.sitting import Part
from grader.tables.lines import read_lines
from grader.tables.sheet import Row, Sheet, SubmissionError
from grader.tables.table import read_table
from grader.tables.typed import read_file, read_folder, read_zip
from grader.tables.workbook import read_workbook

__all__ = ["READERS", "Reader", "Sheet", "SubmissionError", "read_submissions"]


@dataclass(frozen=True, slots=True)
class Reader:
    """One way in which submissions come: its name, how its files end, and what reads them.

    - `lone`: a file is one student's, so that another file may have the same name and say the same.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[Path, Sequence[Part]], Sheet]
    lone: bool = False


READERS = (
    Reader("CSV table", (".csv", ".tsv"), lambda path, _parts: read_table(path)),
    Reader("Excel workbook", (".xlsx",), lambda path, _parts: read_workbook(path)),
    Reader("JSON lines", (".jsonl", ".ndjson"), read_lines),
    Reader("zip of text files", (".zip",), read_zip),
    Reader("text sheet", (".txt", ".tree", ".md"), read_file, lone=True),
)
"""Every way but the folder, which has no suffix; another one is one file and one line here."""


def read_submissions(path: Path, parts: Sequence[Part]) -> Sheet:
    """The submissions in a file or in a folder, told by how its name ends.

    `parts` are those that a file without question labels may answer.
    Raises `SubmissionError` for what cannot be used, `OSError` for what cannot be read.
    """
    if path.is_dir():
        return replace(_storable(read_folder(path, parts)), digest=_digest(os.fsencode(path.resolve())))
    suffix = path.suffix.lower()
    for reader in READERS:
        if suffix in reader.suffixes:
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").digest()
            digest = "" if reader.lone else _digest(os.fsencode(path.name), content)
            return replace(_storable(reader.read(path, parts)), digest=digest)
    endings = ", ".join(suffix for reader in READERS for suffix in reader.suffixes)
    raise SubmissionError(
        f"{path.name} is of no kind that is read", f"Names end in {endings}, or it is a folder."
    )


def _digest(*told: bytes) -> str:
    """What a file is known by when it comes again."""
    return hashlib.sha256(b"\0".join(told)).hexdigest()[:32]


def _storable(sheet: Sheet) -> Sheet:
    """The sheet as it can be kept, so that it is compared with what was kept of it when it comes again.

    JSON spells half a character, and names of files need not be UTF-8.
    """

    def rows() -> Iterator[Row]:
        for row in sheet.rows():
            if row.place.isascii() and all(map(str.isascii, row.cells)):
                yield row
            else:
                yield replace(row, place=storable(row.place), cells=[*map(_cell, row.cells)])

    return replace(sheet, name=storable(sheet.name), columns=tuple(map(storable, sheet.columns)), rows=rows)


def _cell(cell: str) -> str:
    kept = storable(cell)
    return cell if kept == cell else kept  # which keeps what a spreadsheet says of it
