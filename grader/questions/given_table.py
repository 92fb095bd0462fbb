"""A table of what a question gives, which papers print instead of the sentences that say the same."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from grader.base.json_records import JsonRecord


@dataclass(frozen=True, slots=True)
class GivenColumn(JsonRecord):
    """One column: its heading, a cell for each row, and the sentences that say the same in words."""

    heading: Annotated[str, "heading"]
    cells: Annotated[tuple[str, ...], "cells"]
    sentences: Annotated[tuple[str, ...], "sentences"] = ()


@dataclass(frozen=True, slots=True)
class GivenTable(JsonRecord):
    """A table with a sentence that explains it; the first column names the rows."""

    caption: Annotated[str, "caption"]
    columns: Annotated[tuple[GivenColumn, ...], "columns"]

    @property
    def sentences(self) -> tuple[str, ...]:
        """Everything that the table shows, in words."""
        return tuple(sentence for column in self.columns for sentence in column.sentences)

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The headings, then the cells of each row."""
        cells = zip(*(column.cells for column in self.columns), strict=True)
        return (tuple(column.heading for column in self.columns), *cells)


def merge_tables(tables: Iterable[GivenTable]) -> GivenTable | None:
    """Return the table with the columns of all of them; None without tables, or if their rows differ."""
    found = tuple(tables)
    if len({(table.caption, table.columns[0]) for table in found}) != 1:
        return None
    columns = dict.fromkeys(column for table in found for column in table.columns)
    return GivenTable(found[0].caption, tuple(columns))
