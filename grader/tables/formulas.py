"""Text in tables that people open with a spreadsheet, which computes whatever looks like a formula."""

from grader.base.safe_text import safe_line

MAX_TABLE_TEXT_LENGTH = 2_000
"""The most characters of one text in a table."""

_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "−")
"""What a formula starts with; a tab or a line end before it has become a blank."""


def guard_formula(text: str) -> str:
    """A text that no spreadsheet takes for a formula, on one line and without control characters."""
    line = safe_line(text, MAX_TABLE_TEXT_LENGTH)
    return f"'{line}" if line.lstrip().startswith(_FORMULA) or line.startswith("'") else line


def unguard_formula(cell: str) -> str:
    """A cell without the apostrophe that kept a spreadsheet from computing it: `'-2` is `-2`."""
    return cell[1:] if cell[:1] == "'" and cell[1:].lstrip().startswith(_FORMULA) else cell
