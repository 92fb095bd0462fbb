"""What every reader of a class's tables gives: named columns, and rows of text that are read one by one."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from itertools import chain, islice, repeat
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple, TypeAlias, TypeVar

Origin: TypeAlias = Literal["table", "moodle", "canvas", "google", "microsoft", "lines", "sheets"]
"""Where the columns come from: it decides what their names mean."""

MAX_CELL_LENGTH = 1 << 20
"""The most characters of a cell."""

MAX_TABLE_COLUMNS = 2_000
"""The most columns a table may have."""

ROWS_PER_BATCH = 1_000
"""So many rows are looked at in one go."""


class SourcePosition(NamedTuple):
    """Where something stands: line and column from 1, both 0 in a workbook, and what is shown of it."""

    line: int
    column: int
    excerpt: str


class TableError(ValueError):
    """A file that cannot be used at all; `hint` says how to mend it.

    - `fault`: what is wrong with it as a file.
    - `place`: where, if that can be told.
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
    """A cell of a row that is nothing but a hand-typed tree, which answers what is asked about that tree."""

    __slots__ = ()


class AbsentCell(str):
    """The empty cell of a row that does not speak of its column: nothing was handed in, not even a blank."""

    __slots__ = ()


class PendingCell(str):
    """A cell whose reply a person has to decide first, and why; it says nothing until then."""

    __slots__ = ()


class Row(NamedTuple):
    """One row: where it stands, its cells aligned with the columns, and what is wrong with it.

    A row with something `fault` is listed and never used; its cells may then be incomplete.
    It is a named tuple, as is whatever is made of every row: a million of them are made faster so.
    """

    place: str
    cells: Sequence[str]
    fault: str = ""


NamedTupleType = TypeVar("NamedTupleType", bound=tuple[Any, ...])


def records_from_columns(what: type[NamedTupleType], *columns: Iterable[object]) -> Iterator[NamedTupleType]:
    """Named tuples from columns for all of their fields, of which some may be one value without an end."""
    return map(partial(tuple.__new__, what), zip(*columns, strict=False))


@dataclass(frozen=True, slots=True)
class RowBatch:
    """Rows with nothing wrong, all of whose cells are mere text: where they stand, and columns of cells."""

    places: Sequence[str]
    columns: Sequence[Sequence[str]]

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.places)

    def __iter__(self) -> Iterator[Row]:
        """The rows one by one."""
        return records_from_columns(Row, self.places, zip(*self.columns, strict=True), repeat(""))


RowBatches: TypeAlias = Iterator[RowBatch | Sequence[Row]]


def batch_rows(rows: Callable[[], Iterator[Row]]) -> Callable[[], RowBatches]:
    """What gives the rows many at once that something gives one by one."""

    def stretches() -> RowBatches:
        coming = rows()
        while some := list(islice(coming, ROWS_PER_BATCH)):
            places, cells, wrong = zip(*some, strict=True)
            plain = not any(wrong) and {*map(type, chain.from_iterable(cells))} == {str}
            yield RowBatch(places, [*zip(*cells, strict=True)]) if plain else some

    return stretches


@dataclass(frozen=True, slots=True)
class ClassTable:
    """A table about a class; `batches` starts reading from the top each time it is called.

    - `header`: the place of the row that names the columns.
    - `locate`: the place of a row and the number of a column from 0 -> the exact place of that cell.
    - `digest`: a hash by which a file is known when it comes again: of its name and its bytes, or of where a
      folder is; empty where nothing tells two files apart.

    Reading the rows raises `TableError` where the file turns out to be unusable as a whole.
    """

    name: str
    origin: Origin
    columns: tuple[str, ...]
    batches: Callable[[], RowBatches]
    warnings: tuple[str, ...] = ()
    digest: str = ""
    header: str = ""
    locate: Callable[[str, int], SourcePosition] = lambda row, _column: SourcePosition(0, 0, row)

    def rows(self) -> Iterator[Row]:
        """All rows one by one, from the top."""
        return chain.from_iterable(self.batches())


def checked_row(place: str, cells: Sequence[str], width: int) -> Row:
    """A row, with what is wrong with it when it has not as many cells as there are columns."""
    if len(cells) == width:
        return Row(place, cells, cell_fault(cells))
    return Row(place, cells, f"{len(cells)} cells in a table of {width} columns")


def cell_fault(cells: Sequence[str]) -> str:
    """Why some cells cannot be read; empty when they can."""
    text = "".join(cells)
    if "\0" in text:
        return "a NUL character, which no text has"
    if len(text) > MAX_CELL_LENGTH and max(map(len, cells)) > MAX_CELL_LENGTH:
        return f"a cell of more than {MAX_CELL_LENGTH} characters; a quote may not be closed"
    if not text.isascii() and any("\ud800" <= sign <= "\udfff" for sign in text):
        return "bytes that are no text in the encoding of the file"
    return ""


def clean_column_names(name: str, cells: Sequence[str]) -> tuple[str, ...]:
    """The names of the columns, with single blanks. Raises `TableError` when there are too many."""
    if len(cells) > MAX_TABLE_COLUMNS:
        raise TableError(f"{name} has {len(cells)} columns; at most {MAX_TABLE_COLUMNS} are read")
    return tuple(" ".join(cell.split()) for cell in cells)


def replace_surrogates(text: str) -> str:
    """A text as it can be kept: half of a pair of surrogates, which is no character, is a question mark."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
