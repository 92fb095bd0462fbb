"""Lay out text for a terminal: how wide it is, where lines break, and where they are cut."""

import shutil
import sys

from grader.base.line_wrapping import display_width, wrap_line
from grader.cli.shared.terminal import printable

MAX_COLUMNS = 100
"""The widest that text and pictures become, however wide the terminal is."""


def terminal_width() -> int:
    """The columns that text may have; without a terminal always 79, so that output is reproducible."""
    columns = shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else 80
    return max(40, min(MAX_COLUMNS, columns)) - 1


def wrap_text(text: str, head: str = "", indent: str | None = None) -> list[str]:
    """Wrap text to the terminal; its own line ends stay.

    The first line begins with `head`, all others with `indent`, which is the head again if it is None.
    """
    width, indent = terminal_width(), head if indent is None else indent
    max_unit = width - max(map(display_width, (head, indent)))
    return [
        line
        for each in text.split("\n")
        for line in wrap_line(each, width, head, indent, max_unit=max_unit) or [""]
    ]


def shorten_line(text: str, columns: int) -> str:
    """Text from outside the program, on one line of at most this many columns."""
    shortened = printable(text, columns)
    while display_width(shortened) > columns:
        shortened = printable(shortened, len(shortened) - 1)
    return shortened
