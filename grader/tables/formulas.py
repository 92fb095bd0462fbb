"""Text in tables for spreadsheets, which would compute every cell that looks like a formula."""

from grader.base.safe_text import safe_paragraph

MAX_TABLE_TEXT_LENGTH = 2_000
"""The most characters of one text in a table."""

_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "−")
"""The first characters of a formula; blanks may be before them."""


def guard_formula(text: str) -> str:
    """Return the text on one line, without control characters, and protected from being a formula.

    A formula that has apostrophes already gets one more: `unguard_formula` returns any text as it was shown.
    """
    line = safe_paragraph(text, MAX_TABLE_TEXT_LENGTH)
    return f"'{line}" if _is_formula(line) else line


def unguard_formula(cell: str) -> str:
    """Return a cell without the apostrophe that protects it from being a formula: `'-2` is `-2`."""
    return cell[1:] if cell[:1] == "'" and _is_formula(cell) else cell


def _is_formula(text: str) -> bool:
    """Return whether a text would be a formula without the apostrophes before it."""
    return text.lstrip("'").lstrip().startswith(_FORMULA)
