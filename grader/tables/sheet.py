"""What every reader of submissions gives: named columns, and rows of text that are read one by one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Origin: TypeAlias = Literal["table", "moodle", "canvas", "google", "microsoft", "lines", "sheets"]
"""Where the columns come from: it decides what their names mean."""


class SubmissionError(ValueError):
    """A file that cannot be used at all; `hint` says how to mend it."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class Dated(str):
    """A cell that a spreadsheet holds as a date, written as one; `3-4` may have been typed there."""

    __slots__ = ()


class Drawn(str):
    """A cell of a row that is nothing but a hand-typed tree, which answers what is asked about that tree."""

    __slots__ = ()


class Unsaid(str):
    """The empty cell of a row that does not speak of its column: nothing was handed in, not even a blank."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One row: where it stands, its cells aligned with the columns, and what is wrong with it.

    A row with something `wrong` is listed and never used; its cells may then be incomplete.
    """

    place: str
    cells: Sequence[str]
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of submissions; `rows` starts reading from the top each time it is called.

    `digest` is a hash by which a file is known when it comes again: of its name and its bytes, or of where a
    folder is; empty where nothing tells two files apart.
    Reading the rows raises `SubmissionError` where the file turns out to be unusable as a whole.
    """

    name: str
    origin: Origin
    columns: tuple[str, ...]
    rows: Callable[[], Iterator[Row]]
    warnings: tuple[str, ...] = ()
    digest: str = ""
