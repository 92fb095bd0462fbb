"""What every answer form is: a way to read, write and credit one type of answer."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, Literal, NamedTuple, TypeAlias, TypeVar

from grader.base.numbers import Number
from grader.base.phrases import Language
from grader.tree import Tree

LONGEST = 64 * 1024
"""The most bytes a reply may have, in UTF-8."""


@dataclass(frozen=True, slots=True)
class Malformed:
    """A reply that cannot be read: where, why, and what was understood up to there.

    `line` and `column` count from 1; `understood` is canonical reply text, empty when nothing was.
    """

    message: str
    line: int
    column: int
    understood: str
    hint: str


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """A reply that can be read in two ways: both readings, each as canonical reply text."""

    message: str
    readings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Policy:
    """How a set of leaves or branches is credited.

    - `exact`: everything or nothing.
    - `net`: right minus wrong, over the size of the key, not below 0.
    - `each`: every leaf or branch of the tree is a yes/no item, except that a reply without
      any discrimination earns nothing: the score of the better of "all" and "none" is the zero.
    - `deduct`: `deduction` points off the full mark per error, not below 0.
    """

    name: Literal["exact", "net", "each", "deduct"] = "net"
    deduction: Number = 0


@dataclass(frozen=True, slots=True)
class Terms:
    """What the question demands of a reply, apart from the answer itself.

    - `points`: the full mark.
    - `policy`: how sets are credited.
    - `digits`: the least number of decimals with which a rounded decimal counts.
    - `every`: whether all optimal answers are asked for, not just one of them.
    - `decimal_comma`: whether `2,5` is read as a decimal, and numbers are printed like that.
    - `language_code`: the language of the question, as in HTML: `en`, `de-CH`.
    """

    points: Number = 1
    policy: Policy = Policy()
    digits: int = 2
    every: bool = False
    decimal_comma: bool = False
    language_code: str = "en"

    @property
    def language(self) -> Language:
        """How those who answer on these terms are spoken to."""
        return Language(self.language_code, self.decimal_comma)


Verdict: TypeAlias = Literal["right", "wrong", "missing", "extra", "follows"]
"""`missing`: the key has it, the reply does not; `extra`: the other way round;
`follows`: wrong, but what the student's own entries below imply."""


class Item(NamedTuple):
    """One thing in a reply or in the key, and what it earned.

    `node` is the node it speaks of (None when it speaks of none), `said` and `right` are reply text
    (empty where the reply or the key says nothing).
    """

    node: int | None
    said: str
    right: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Credit:
    """What a reply earned: the share of the full mark from 0 to 1, and the items it comes from."""

    share: Fraction
    items: tuple[Item, ...]


A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Form(Generic[A]):
    """One answer form.

    - `name`: as DESIGN of the formats has it: `number`, `move`, `paths`, ...
    - `ask`: the sentence that tells a student what to write.
    - `example`: a reply of this form, for the answer box.
    - `read`: (text, tree, terms) -> the answer, or why it cannot be read; text is never blank here.
    - `write`: (answer, tree) -> canonical reply text, which reads back as the same answer.
    - `parse`: (text, tree) -> the answer that is written as this text; raises
      `grader.answers.canonical.CanonicalError` where none is.
    - `credit`: (reply, key, tree, terms, implied) -> what it earned; `implied` is the answer that
      the student's own entries imply, entry by entry, or None when there is no follow-through.
    - `distance`: (reply, other) -> how many items differ, the measure of nearness for notes;
      None when the form knows only equal and different.
    - `names_nodes`, `counts_leaves`: whether replies name inner nodes, and whether they speak of path
      numbers, so that a picture has to show them.
    - `alternatives`: whether one answer is asked for of several that may be equally good.
    - `policies`: whether a reply is a set, which is credited by the policy of the terms.
    - `rounds`: whether a reply holds values that may be rounded.
    - `by_payoffs`: (answer, tree) -> the answer of someone who names its leaves by their payoffs, None where
      a payoff is no path number; None for a form whose replies name no leaves.
    - `drawn`: what the claims and crosses that someone drew on the tree say as an answer, None where they
      say nothing; None for a form that nobody draws.
    """

    name: str
    ask: str
    example: str
    read: Callable[[str, Tree, Terms], A | Malformed | Ambiguous]
    write: Callable[[A, Tree], str]
    parse: Callable[[str, Tree], A]
    credit: Callable[[A, A, Tree, Terms, A | None], Credit]
    distance: Callable[[A, A], int] | None
    names_nodes: bool = False
    counts_leaves: bool = False
    alternatives: bool = False
    policies: bool = False
    rounds: bool = False
    by_payoffs: Callable[[A, Tree], A | None] | None = None
    drawn: Callable[[Tree], A | None] | None = None

    def asked(self, language: Language) -> str:
        """The sentence that tells a student what to write, with the signs of the spelling in its example."""
        return self.ask.replace(self.example, language.reply(self.example))
