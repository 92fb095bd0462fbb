"""Text in tables for spreadsheets, which would compute every cell that looks like a formula."""

import csv
import io
from collections.abc import Iterable

from grader.base.safe_text import safe_paragraph

MAX_TABLE_TEXT_LENGTH = 2_000
"""The most characters of one text in a table."""

_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "−")
"""The first characters of a formula; blanks may be before them."""


def guard_formula(text: str) -> str:
    """Return the text on one line, without control characters, and protected from being a formula."""
    line = safe_paragraph(text, MAX_TABLE_TEXT_LENGTH)
    return f"'{line}" if line.lstrip().startswith(_FORMULA) or line.startswith("'") else line


def unguard_formula(cell: str) -> str:
    """Return a cell without the apostrophe that protects it from being a formula: `'-2` is `-2`."""
    return cell[1:] if cell[:1] == "'" and cell[1:].lstrip().startswith(_FORMULA) else cell


def csv_bytes(rows: Iterable[Iterable[str]]) -> bytes:
    """Return rows as CSV: UTF-8 with a byte order mark, by which spreadsheets know it; cells as they are."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue().encode("utf-8-sig")
