"""Boxes to fill in and options to choose in place of a reply, where programs mark that read no replies."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from grader.base.numbers import Number
from grader.base.phrases import ENGLISH, BoundPhrase, bind_phrase

NONE = "none"
"""What is written where there is nothing to name."""

OPTION_SEPARATOR = "; "
"""What stands between options that were chosen together."""


class BlankError(ValueError):
    """A blank that holds what cannot be read; the message names it and quotes what it holds.

    The message is a phrase with these values, or a saying, which has its own.
    """

    def __init__(self, message: str | BoundPhrase, /, **values: object) -> None:
        self.message = bind_phrase(message, values)
        super().__init__(ENGLISH.render(self.message))


@dataclass(frozen=True, slots=True)
class Box:
    """A box to write in.

    - `label`: what belongs into it; empty when the question says so.
    - `spellings`: everything that counts as right, the plainest first; case does not matter.
    - `whole_number`: the whole number that is right, where only numbers are wanted; else None.
    - `points`: what it is worth; 0 for a box that must be there so that its absence gives nothing away.
    """

    label: str
    spellings: tuple[str, ...]
    points: Number
    whole_number: int | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """One option and the share of the points that choosing it earns or costs, from -1 to 1."""

    text: str
    share: Fraction


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of several, or any number of them with `allows_several`; the shares add up, never below 0.

    With `is_strict` only all the right options and no other earn anything. `box_instead` asks for the same in
    writing, for platforms that cannot be strict about options.
    """

    label: str
    options: tuple[Option, ...]
    points: Number
    allows_several: bool = False
    is_strict: bool = False
    box_instead: Box | None = None


Blank: TypeAlias = Box | Choice


@dataclass(frozen=True, slots=True)
class Blanks:
    """All blanks of one part, the sentence that says how to fill them in, and the one that says what counts.

    `box_instruction` is what to do where strict choices become boxes. `counting_rule` is true of a platform
    that adds up points and shares as they are here; it is empty where nobody could think otherwise.
    """

    instruction: str
    blanks: tuple[Blank, ...]
    box_instruction: str = ""
    counting_rule: str = ""

    @property
    def with_boxes(self) -> "Blanks":
        """The same with a box for every strict choice."""
        if not self.box_instruction:
            return self
        boxes = tuple(
            blank.box_instead
            if isinstance(blank, Choice) and blank.is_strict and blank.box_instead
            else blank
            for blank in self.blanks
        )
        return Blanks(self.box_instruction, boxes, counting_rule=self.counting_rule)
