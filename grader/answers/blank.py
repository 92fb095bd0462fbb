"""Blanks to fill in: boxes to write in and options to choose, on paper and where programs mark."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase, PhraseError
from grader.base.safe_text import safe_line
from grader.solvers.explaining.node_wording import node_name
from grader.trees.tree import Tree

NONE = "none"
"""The answer if there is nothing to name."""

OPTION_SEPARATOR = "; "
"""The separator of options that were chosen together."""

MAX_BLANK_LABEL_LENGTH = 120
"""The most characters of a label or an option."""

NOTHING_SPELLINGS = (NONE, "-", "never", "not entered")
"""The spellings that are correct in a box that has to stay empty."""

NO_NODE = -1
"""The node of a blank or an option that is about none."""


class BlankError(PhraseError):
    """A blank that holds what cannot be read; the message names it and quotes what it holds.

    - `blank`: the blank, if it is known which one it is.
    - `readings`: the texts that it may mean, if it can be read in several ways.
    """

    blank: "Blank | None" = None
    readings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """One option.

    - `share`: the share of the points that choosing it earns or costs, from -1 to 1.
    - `reply`: what choosing it says, as reply text.
    - `node`: the node in a picture at which its box is, if it has one there.
    """

    text: str
    share: Fraction = Fraction(0)
    reply: str = ""
    node: int = NO_NODE


@dataclass(frozen=True, slots=True)
class Blank:
    """A box to write in, or options to choose from.

    - `label`: its label; empty if the question says what belongs into it.
    - `node`: the node whose entry it holds, if it is one; the blanks of a node come one after the other.
    - `options`: what can be chosen; none for a box. With `allows_several` any number of them may be chosen,
      and the shares add up, never below 0. `has_none_option`: the last one is for none of the others.
    - `place`: where the options have their boxes on paper, if there is room.
    - `numbers`: all possible answers in a box for a number, in ascending order; empty if they depend on the
      exercise, None for a box for something else.
    - `is_strict`: whether only the exact set of correct options earns anything. Platforms that cannot be
      strict about options have a box instead.
    - `kept_share`: the share of the points that the policy `keep` leaves for each mistake, for platforms
      that can compute it; on others the shares add up.

    `BlankCodec.solve` adds the correct answer:

    - `points`: its worth; 0 for a blank that only hides how many entries the key has.
    - `spellings`: all correct texts for a box, the plainest first; case does not matter.
    - `whole_number`: the correct number, if only whole numbers are possible; else None.
    """

    label: str = ""
    node: int = NO_NODE
    options: tuple[Option, ...] = ()
    allows_several: bool = False
    has_none_option: bool = False
    place: Literal["leaf", "branch", "row"] = "row"
    numbers: tuple[Number, ...] | None = None
    is_strict: bool = False
    kept_share: Fraction | None = None
    points: Number = 0
    spellings: tuple[str, ...] = ()
    whole_number: int | None = None

    def with_shares(self, shares: Sequence[Fraction | int], points: Number) -> "Blank":
        """The same with what it is worth to choose each option."""
        options = zip(self.options, shares, strict=True)
        return replace(
            self,
            options=tuple(replace(option, share=Fraction(share)) for option, share in options),
            points=points,
        )

    def without_entry(self) -> "Blank":
        """Return the blank solved as one without an entry; its last option stands for that."""
        if self.options:
            return self.with_shares([*([0] * (len(self.options) - 1)), 1], 0)
        return replace(self, spellings=NOTHING_SPELLINGS)


@dataclass(frozen=True, slots=True)
class Blanks:
    """All blanks of one part, with the instruction and the marking rule.

    - `box_instruction`: what to do where strict choices become boxes.
    - `counting_rule`: the marking rule on a platform that adds up points and shares; empty if it is obvious.
    - `paper_ask`: how to fill in the boxes on paper; None if the instruction of the form is true of them.
    - `link`, `separator`: the text after the node of an entry, and between entries, in a reply.
    """

    instruction: str
    blanks: tuple[Blank, ...]
    box_instruction: str = ""
    counting_rule: str = ""
    paper_ask: Phrase | None = None
    link: str = ""
    separator: str = " "

    @property
    def with_boxes(self) -> "Blanks":
        """The same with a box for every strict choice."""
        if not self.box_instruction:
            return self
        boxes = tuple(
            Blank(blank.label, points=blank.points, spellings=blank.spellings) if blank.is_strict else blank
            for blank in self.blanks
        )
        return replace(self, instruction=self.box_instruction, blanks=boxes, box_instruction="")


def node_label(tree: Tree, node: int, language: Language) -> str:
    """The name of a node, as a label or an option."""
    return safe_line(node_name(tree, node, language), MAX_BLANK_LABEL_LENGTH)


def child_label(tree: Tree, node: int) -> str:
    """A node by its name, a leaf by its path number, and by its name if it has one."""
    path, name = tree.paths[node], safe_line(tree.names[node], MAX_BLANK_LABEL_LENGTH)
    if not path:
        return name
    return str(path) if tree.given[node] is None else f"{path}: {name}"
