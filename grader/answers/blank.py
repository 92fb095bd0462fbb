"""Boxes to fill in and options to choose in place of a reply, where programs mark that read no replies."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from grader.base.numbers import Number
from grader.base.phrases import ENGLISH, Saying, saying

NONE = "none"
"""What is written where there is nothing to name."""

JOINED = "; "
"""What stands between options that were chosen together."""


class BlankError(ValueError):
    """A blank that holds what cannot be read; the message names it and quotes what it holds.

    The message is a phrase with these values, or a saying, which has its own.
    """

    def __init__(self, message: str | Saying, /, **values: object) -> None:
        self.message = saying(message, values)
        super().__init__(ENGLISH.said(self.message))


@dataclass(frozen=True, slots=True)
class Box:
    """A box to write in.

    - `label`: what belongs into it; empty when the question says so.
    - `spellings`: everything that counts as right, the plainest first; case does not matter.
    - `whole`: the whole number that is right, where only numbers are wanted; else None.
    - `points`: what it is worth; 0 for a box that must be there so that its absence gives nothing away.
    """

    label: str
    spellings: tuple[str, ...]
    points: Number
    whole: int | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """One option and the share of the points that choosing it earns or costs, from -1 to 1."""

    text: str
    share: Fraction


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of several, or any number of them with `several`; the shares add up, never below 0.

    With `strict` only all the right options and no other earn anything. `box` asks for the same in
    writing, for platforms that cannot be strict about options.
    """

    label: str
    options: tuple[Option, ...]
    points: Number
    several: bool = False
    strict: bool = False
    box: Box | None = None


Blank: TypeAlias = Box | Choice


@dataclass(frozen=True, slots=True)
class Blanks:
    """All blanks of one part, the sentence that says how to fill them in, and the one that says what counts.

    `written` is what to do where strict choices become boxes. `counts` is true of a platform that adds up
    points and shares as they are here; it is empty where nobody could think otherwise.
    """

    ask: str
    blanks: tuple[Blank, ...]
    written: str = ""
    counts: str = ""

    @property
    def boxed(self) -> "Blanks":
        """The same with a box for every strict choice."""
        if not self.written:
            return self
        boxes = tuple(
            blank.box if isinstance(blank, Choice) and blank.strict and blank.box else blank
            for blank in self.blanks
        )
        return Blanks(self.written, boxes, counts=self.counts)
