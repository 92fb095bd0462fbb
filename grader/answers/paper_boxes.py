"""Boxes on paper in place of a written reply: crosses that a scanner reads, and boxes for handwriting."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal, TypeAlias

from grader.answers.blank import NO_NODE, Blank, Blanks, node_label
from grader.answers.vocabulary import vocabulary
from grader.base.numbers import Number, write_number
from grader.base.phrases import Language, Phrase
from grader.trees.tree import Tree

MAX_DIGIT_NUMBER = 999
"""The largest number that is entered digit by digit."""

ROW_WIDTH_MM = 142.0
"""The room for choices next to the name of a node, in millimetres."""

ONE_BOX = Phrase("Put a cross in one box.")
ONE_LEAF_BOX = Phrase("Put a cross in the box of one leaf.")
_ONE_BOX_A_ROW = Phrase("Put a cross in one box in each row.")
BEST_BOXES = Phrase("Put a cross in the box of each best option.")
_DIGIT_BOXES = Phrase(
    "For each digit, put a cross in one box. For a negative number, also put a cross in the minus box."
)
_UNSIGNED_CELLS = Phrase("Write one digit in each box.")
_SIGNED_CELLS = Phrase("Write one digit in each box. The first box is for a minus sign.")
_FRACTION_CELLS = Phrase(
    "Write one digit in each box. "
    "The first box is for a minus sign, and the fifth box is for a fraction bar or a decimal point. "
    "Write a whole number before the fifth box."
)

NumberMethod: TypeAlias = Literal["written", "choice", "bubbles"]
"""How a number is entered: written, as one of several, or digit by digit."""

BoxPlace: TypeAlias = Literal["leaf", "branch", "row", "digits", "cells", "written"]
"""Where boxes are: at leaves or on branches of the picture, in a row, in a row for each digit, one to write
each digit in, or nowhere: a person reads the handwriting."""

SIGN_CELL, DIVIDER_CELL, DIGIT_CELL = "-", "/", ""
"""The meanings of the boxes to write a number in: its minus sign, its fraction bar or point, one digit."""

FRACTION_DIGITS = 3
"""The boxes for digits before and after the fraction bar or the point."""


@dataclass(frozen=True, slots=True)
class NumberEntry:
    """How a number may be entered: written, one of these values, or digit by digit.

    - `values`: all that it can be, in ascending order; empty if they are not known.
    - `bounds`: the least and the greatest value it can have; None if they are not known.
    """

    method: NumberMethod = "written"
    values: tuple[Number, ...] = ()
    bounds: tuple[Number, Number] | None = None

    def allows(self, value: Number) -> bool:
        """Return whether the number can be this; anything can if nothing is known."""
        if self.values:
            return value in self.values
        return self.bounds is None or self.bounds[0] <= value <= self.bounds[1]


@dataclass(frozen=True, slots=True)
class BoxGroup:
    """The boxes for one entry of a reply.

    - `node`, `label`: the node whose entry it is, as printed; none where there is one entry only.
    - `prefix`: the text before the entry in the reply: `B=`.
    - `columns`: the reply text for a cross in each box: one column, or one for the sign and each digit.
    - `texts`: the labels of the boxes of a column.
    - `nodes`: the nodes in the picture that have the boxes, if they are there.
    - `allows_several`: whether several boxes of a column may be crossed.
    - `has_none_box`: whether the last box means none.
    - `offered`: the possible numbers in a box for handwriting.
    """

    place: BoxPlace
    node: int = NO_NODE
    label: str = ""
    prefix: str = ""
    columns: tuple[tuple[str, ...], ...] = ()
    texts: tuple[str, ...] = ()
    nodes: tuple[int, ...] = ()
    allows_several: bool = False
    has_none_box: bool = False
    offered: NumberEntry = NumberEntry()

    @property
    def meanings(self) -> tuple[str, ...]:
        """The reply text for a cross in each box, column by column; empty for one box for handwriting."""
        return tuple(text for column in self.columns for text in column) or ("",)

    @property
    def is_digit_entry(self) -> bool:
        """Whether a number is entered digit by digit."""
        return self.place == "digits"

    @property
    def is_handwritten(self) -> bool:
        """Whether the entry is written by hand, so that a person has to read it."""
        return self.place in ("cells", "written")


@dataclass(frozen=True, slots=True)
class PaperBoxes:
    """The boxes of one part, the separator of their entries, and the instruction.

    `ask` replaces the instruction of the form; None if that is true of boxes too.
    """

    groups: tuple[BoxGroup, ...]
    separator: str = " "
    ask: Phrase | None = None


def boxes_on_paper(blanks: Blanks, tree: Tree, language: Language, entry: NumberEntry) -> PaperBoxes:
    """The boxes for blanks: those of each node in a row, a number entered as the blueprint chooses."""
    groups = []
    for node, (blank, *others) in groupby(blanks.blanks, lambda blank: blank.node):
        group = BoxGroup("written")
        if node != NO_NODE:
            name = vocabulary(tree).write_guarded(node)
            label = node_label(tree, node, language)
            group = BoxGroup("written", node, label, f"{name}{blanks.link}")
        if blank.options:
            group = _option_group(group, blank)
        elif blank.numbers is not None and not others:
            offered = replace(entry, values=blank.numbers, bounds=None) if blank.numbers else entry
            group = _number_group(group, offered, language)
        groups.append(group)
    ask = blanks.paper_ask
    if not blanks.blanks[0].options:  # numbers that have boxes are not written
        in_rows = ONE_BOX if len(groups) == 1 else _ONE_BOX_A_ROW
        asks = {"digits": _DIGIT_BOXES, "row": in_rows, "cells": _cells_instruction(groups[0])}
        ask = asks.get(groups[0].place, ask)
    return PaperBoxes(tuple(groups), blanks.separator, ask)


def _option_group(group: BoxGroup, blank: Blank) -> BoxGroup:
    """A box for every option."""
    return replace(
        group,
        place=blank.place,
        columns=(tuple(option.reply for option in blank.options),),
        texts=tuple(option.text for option in blank.options),
        nodes=tuple(option.node for option in blank.options if option.node != NO_NODE),
        allows_several=blank.allows_several,
        has_none_box=blank.has_none_option,
    )


def _number_group(group: BoxGroup, offered: NumberEntry, language: Language) -> BoxGroup:
    """One number, entered by the method of the blueprint where that is possible, else written."""
    numbers, method = offered.values, offered.method
    texts = tuple(map(language.number, numbers))
    if numbers and method == "choice" and (group.node == NO_NODE or _side_by_side(texts)):
        return replace(group, place="row", columns=(tuple(map(write_number, numbers)),), texts=texts)
    whole = [number for number in numbers if isinstance(number, int) and abs(number) <= MAX_DIGIT_NUMBER]
    if numbers and method == "bubbles" and len(whole) == len(numbers):
        places = max(len(str(abs(number))) for number in whole)
        sign = (("-",),) if min(whole) < 0 else ()
        digits = tuple("0123456789")
        return replace(group, place="digits", columns=(*sign, *([digits] * places)), texts=digits)
    cells = _cells(offered)
    if not cells:
        return group
    marks = {SIGN_CELL: "−", DIVIDER_CELL: "/ ," if language.comma else "/ .", DIGIT_CELL: ""}
    columns, texts = tuple((cell,) for cell in cells), tuple(marks[cell] for cell in cells)
    return replace(group, place="cells", columns=columns, texts=texts, offered=offered)


def _cells(offered: NumberEntry) -> tuple[str, ...]:
    """Return the meanings of the boxes to write a number in; none if its length is not known."""
    limits: Sequence[Number] = offered.values or offered.bounds or ()
    if not limits or any(not -MAX_DIGIT_NUMBER <= value <= MAX_DIGIT_NUMBER for value in limits):
        return ()
    whole = [value for value in offered.values if isinstance(value, int)]
    if whole and len(whole) == len(limits):
        count = max(len(str(abs(value))) for value in whole)
        return (*(SIGN_CELL for _ in range(min(whole) < 0)), *(DIGIT_CELL for _ in range(count)))
    digits = (DIGIT_CELL,) * FRACTION_DIGITS
    return (SIGN_CELL, *digits, DIVIDER_CELL, *digits)


def _cells_instruction(group: BoxGroup) -> Phrase:
    """Return how the boxes of a number are written in."""
    if DIVIDER_CELL in group.meanings:
        return _FRACTION_CELLS
    return _SIGNED_CELLS if SIGN_CELL in group.meanings else _UNSIGNED_CELLS


def _side_by_side(texts: Sequence[str]) -> bool:
    """Return whether boxes with these texts above them fit side by side; many boxes have small texts."""
    letter, box, gap = 1.3 if len(texts) > 24 else 1.9, 4.0, 1.2
    return sum(max(box, letter * len(text)) + gap for text in texts) <= ROW_WIDTH_MM
