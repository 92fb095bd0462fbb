"""Boxes and options in place of a reply: what platforms ask that mark by themselves, and what it says."""

from grader.blanks.blank import Blank, BlankError, Blanks, Box, Choice, Option
from grader.blanks.cells import (
    Labels,
    count_in,
    labels_of,
    read_cell,
    right_answers,
    signature,
    signed,
    write_cell,
)
from grader.blanks.forms import BY_FORM, blanks, reply_in, spellings

__all__ = [
    "BY_FORM",
    "Blank",
    "BlankError",
    "Blanks",
    "Box",
    "Choice",
    "Labels",
    "Option",
    "blanks",
    "count_in",
    "labels_of",
    "read_cell",
    "reply_in",
    "right_answers",
    "signature",
    "signed",
    "spellings",
    "write_cell",
]
