"""Boxes on paper in place of a written reply: crosses that a scanner reads, and what is written by hand."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from grader.base.numbers import Number
from grader.base.phrases import Phrase
from grader.trees.tree import Tree

BoxPlace: TypeAlias = Literal["leaf", "branch", "row", "digits", "cells", "written"]
"""Where boxes are: at leaves or on branches of the picture, in a row, in a row for each digit, one to write
each digit in, or nowhere: a person reads what is written."""

SIGN_CELL, DIVIDER_CELL, DIGIT_CELL = "-", "/", ""
"""The meanings of the boxes to write a number in: its minus sign, its fraction bar or point, one digit."""


@dataclass(frozen=True, slots=True)
class NumberEntry:
    """How a number may be entered: written, one of these values, or digit by digit.

    - `values`: all that it can be, in ascending order; empty if they are not known.
    - `bounds`: the least and the greatest value it can have; None if they are not known.
    """

    method: Literal["written", "choice", "bubbles"] = "written"
    values: tuple[Number, ...] = ()
    bounds: tuple[Number, Number] | None = None

    def allows(self, value: Number) -> bool:
        """Check whether the number can be this; anything can if nothing is known."""
        if self.values:
            return value in self.values
        return self.bounds is None or self.bounds[0] <= value <= self.bounds[1]


@dataclass(frozen=True, slots=True)
class BoxGroup:
    """Boxes that say one entry of a reply together.

    - `label`: whose entry it is, as it is printed; empty where there is one only.
    - `prefix`: what stands before the entry in the reply: `B=`.
    - `columns`: what a cross in each box says, as reply text: one column, or one for the sign and each digit.
    - `texts`: what is printed beside the boxes of a column.
    - `nodes`: the nodes in the picture at which the boxes stand, where they do.
    - `allows_several`: whether several boxes of a column may be crossed.
    - `has_none_box`: whether the last box says that there is none.
    - `offered`: what a number that is written there can be.
    """

    place: BoxPlace
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
        """What a cross in each box says, all columns in a row; of what is written there is one box."""
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
    """The boxes of one part, what stands between their entries, and how they are filled in.

    `ask` takes the place of the sentence of the form; None where that is still true.
    """

    groups: tuple[BoxGroup, ...]
    separator: str = " "
    ask: Phrase | None = None


def handwritten_boxes(_tree: Tree, _terms: object, _offered: NumberEntry) -> PaperBoxes:
    """A reply that is written by hand."""
    # whatever is asked
    return PaperBoxes((BoxGroup("written"),))
