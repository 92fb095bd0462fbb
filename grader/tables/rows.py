"""The tables of a class as every reader returns them: named columns, and rows of text."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple, TypeAlias

from grader.base.numbers import format_count

TableOrigin: TypeAlias = Literal["table", "moodle", "canvas", "google", "microsoft", "lines", "sheets"]
"""The source of a table, which decides what the names of its columns mean."""

MAX_CELL_LENGTH = 1 << 20
"""The most characters of a cell."""

MAX_TABLE_COLUMNS = 2_000
"""The most columns a table may have."""


class SourcePosition(NamedTuple):
    """A position in a file: line and column from 1, both 0 in a workbook, and an excerpt for messages."""

    line: int
    column: int
    excerpt: str


class TableError(ValueError):
    """A file that cannot be used at all; `hint` says how to fix it.

    - `fault`: the category of the fault.
    - `place`: the position of the fault; the start of the file if it is unknown.
    """

    def __init__(
        self,
        message: str,
        hint: str = "",
        fault: Literal["size", "encoding", "quote", "workbook", "columns"] = "columns",
        place: SourcePosition | None = None,
    ) -> None:
        super().__init__(message)
        self.hint = hint
        self.fault = fault
        self.place = place or SourcePosition(1, 1, "")


@dataclass(frozen=True, slots=True)
class InMemoryFile:
    """Bytes that are read like a file."""

    name: str
    data: bytes

    def open(self, _mode: Literal["rb"], /) -> BinaryIO:
        """The bytes from the start."""
        return BytesIO(self.data)


Source: TypeAlias = Path | InMemoryFile
"""What a table is read from, as often as it is opened."""


class DateCell(str):
    """A cell that a spreadsheet holds as a date, written as one; `3-4` may have been typed there."""

    __slots__ = ()


class TreeCell(str):
    """A cell of a row that is a single hand-typed tree, which answers every question about that tree."""

    __slots__ = ()


class AbsentCell(str):
    """The empty cell of a row that does not mention its column: nothing was handed in, not even a blank."""

    __slots__ = ()


class PendingCell(str):
    """A cell whose reply a person has to decide first; its text is the reason."""

    __slots__ = ()


class Row(NamedTuple):
    """One row: its place, its cells aligned with the columns, and its fault, which may be empty.

    A row with a fault is listed and never used; its cells may be incomplete.
    It is a named tuple because a million of them are made faster than of a data class.
    """

    place: str
    cells: Sequence[str]
    fault: str = ""


@dataclass(frozen=True, slots=True)
class ClassTable:
    """A table about a class.

    - `rows`: iterates over the rows; each call starts reading from the top.
    - `header`: the place of the row that names the columns.
    - `locate`: (place of a row, number of a column from 0) -> the position of that cell.
    - `digest`: a hash that recognises a file: of its name and bytes, for the file of one student of its path
      and bytes, or of the path of a folder. Empty for anything else.

    Reading the rows raises `TableError` if the file turns out to be unusable as a whole.
    """

    name: str
    origin: TableOrigin
    columns: tuple[str, ...]
    rows: Callable[[], Iterator[Row]]
    warnings: tuple[str, ...] = ()
    digest: str = ""
    header: str = ""
    locate: Callable[[str, int], SourcePosition] = lambda row, _column: SourcePosition(0, 0, row)


def checked_row(place: str, cells: Sequence[str], width: int) -> Row:
    """Make a row, with a fault if its cells cannot be read or are not `width` in number."""
    if len(cells) == width:
        return Row(place, cells, cell_fault(cells))
    return Row(
        place, cells, f"{format_count(len(cells), 'cell')} in a table of {format_count(width, 'column')}"
    )


def cell_fault(cells: Sequence[str]) -> str:
    """Return the reason why some cells cannot be read; empty if they can."""
    text = "".join(cells)
    if "\0" in text:
        return "a NUL character, which is not text"
    if len(text) > MAX_CELL_LENGTH and max(map(len, cells)) > MAX_CELL_LENGTH:
        return f"a cell of more than {MAX_CELL_LENGTH} characters; perhaps a quote is not closed"
    if not text.isascii() and any("\ud800" <= sign <= "\udfff" for sign in text):
        return "bytes that are not text in the encoding of the file"
    return ""


def clean_column_names(name: str, cells: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the columns with single blanks. Raises `TableError` if there are too many."""
    if len(cells) > MAX_TABLE_COLUMNS:
        raise TableError(f"{name} has {len(cells)} columns; at most {MAX_TABLE_COLUMNS} are read")
    return tuple(" ".join(cell.split()) for cell in cells)


def replace_surrogates(text: str) -> str:
    """Return the text with each surrogate, which UTF-8 cannot encode, replaced by a question mark."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
