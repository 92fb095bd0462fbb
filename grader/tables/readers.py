"""The readers of tables and submissions, each with the endings of its files."""

import codecs
import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from grader.tables.columns import PartNames
from grader.tables.csv_file import read_csv
from grader.tables.json_lines import read_json_lines
from grader.tables.other_workbooks import read_old_excel, read_open_document
from grader.tables.rows import ClassTable, Row, Source, TableError, replace_surrogates
from grader.tables.text_submissions import in_file, in_folder, in_zip, read_text_submissions
from grader.tables.workbook import read_workbook

OLD_EXCEL_SIGNATURE = b"\xd0\xcf\x11\xe0"
PDF_SIGNATURE = b"%PDF"
ZIP_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
OPEN_DOCUMENT = b"mimetypeapplication/vnd.oasis.opendocument"
"""How the first file in a workbook of LibreOffice begins: its name, and its text, which is not packed."""


def read_table(source: Source) -> ClassTable:
    """Read a CSV file or a workbook.

    Its first bytes decide which: what a platform names .xls or .csv is often the other.
    Raises `TableError` if the table cannot be used, `OSError` if the file cannot be read.
    """
    with source.open("rb") as file:
        start = file.read(100)
    if start.startswith(OLD_EXCEL_SIGNATURE):
        return read_old_excel(source)
    if start.startswith(PDF_SIGNATURE):
        raise TableError(f"{source.name} is a PDF", "Save the table as CSV or as a workbook.", "workbook")
    if start.startswith(ZIP_SIGNATURES):
        return read_open_document(source) if OPEN_DOCUMENT in start else read_workbook(source)
    return read_csv(source)


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader of submissions, and the endings of its files.

    - `is_one_student`: a file belongs to one student, so another file may have the same name and content.
    """

    suffixes: tuple[str, ...]
    read: Callable[[Path, Sequence[PartNames]], ClassTable]
    is_one_student: bool = False


SHEET_SUFFIXES = (".txt", ".tree", ".md")
"""The endings of text files, each of one student or of several."""

READERS = (
    Reader((".csv", ".tsv", ".xlsx", ".xls", ".ods"), lambda path, _parts: read_table(path)),
    Reader((".jsonl", ".ndjson"), read_json_lines),
    Reader((".zip",), partial(read_text_submissions, in_zip)),
    Reader(SHEET_SUFFIXES, partial(read_text_submissions, in_file), is_one_student=True),
)
"""Every reader except that of folders; another one is one file and one line here."""


def read_submissions(path: Path, parts: Sequence[PartNames]) -> ClassTable:
    """Read the submissions in a folder, or in a file with the reader for its ending.

    `parts` are those that a file without question labels may answer.
    Raises `TableError` if the submissions cannot be used, `OSError` if they cannot be read.
    """
    if path.is_dir():
        return replace(
            _storable(read_text_submissions(in_folder, path, parts)),
            digest=_digest(os.fsencode(path.resolve())),
        )
    if path.exists() and not path.is_file():
        raise TableError(
            f"{path.name} is not a file but a pipe or a device", "Save what comes from it in a file."
        )
    suffix = ".csv" if _is_unicode_text(path) else path.suffix.lower()
    for reader in READERS:
        if suffix in reader.suffixes:
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").digest()
            name = path.resolve() if reader.is_one_student else path.name
            digest = _digest(os.fsencode(name), content)
            return replace(_storable(reader.read(path, parts)), digest=digest)
    endings = ", ".join(suffix for reader in READERS for suffix in reader.suffixes)
    raise TableError(
        f"{path.name} is not a file that can be read", f"Use a folder, or a file that ends in {endings}."
    )


def _is_unicode_text(path: Path) -> bool:
    """Return whether a .txt file is a table: what Excel calls Unicode Text is UTF-16 with tabs."""
    if path.suffix.lower() != ".txt" or not path.is_file():
        return False
    with path.open("rb") as file:
        start = file.read(4_096)
    if not start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return False
    return "\t" in start.decode("utf-16", "ignore").strip().partition("\n")[0]


def _digest(*identity: bytes) -> str:
    return hashlib.sha256(b"\0".join(identity)).hexdigest()[:32]


def _storable(table: ClassTable) -> ClassTable:
    """Return the table without surrogates, so that it equals its stored copy when it is read again.

    JSON can spell a surrogate, and names of files need not be UTF-8.
    """

    def rows() -> Iterator[Row]:
        """Yield the rows with lone surrogates replaced, which no file and no database can store."""
        for row in table.rows():
            if all(map(str.isascii, (row.place, *row.cells))):
                yield row
            else:
                yield row._replace(
                    place=replace_surrogates(row.place), cells=[*map(_storable_cell, row.cells)]
                )

    return replace(
        table,
        name=replace_surrogates(table.name),
        columns=tuple(map(replace_surrogates, table.columns)),
        rows=rows,
    )


def _storable_cell(cell: str) -> str:
    text = replace_surrogates(cell)
    return cell if text == cell else text  # an unchanged cell stays a `DateCell` or `TreeCell`
