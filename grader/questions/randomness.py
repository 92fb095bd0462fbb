"""Where a kind takes chance from when it draws what a question gives, and the words of its language."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from grader.base.phrases import ENGLISH, Language
from grader.questions.given import NOTHING_GIVEN, Given

T = TypeVar("T")


class RandomSource(Protocol):
    """Draws that are the same for the same exercise on every machine; each outcome is equally likely."""

    def below(self, limit: int) -> int:
        """A whole number from 0 to `limit - 1`."""

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""

    def choose(self, things: Sequence[T]) -> T:
        """One of some things."""

    def shuffle(self, things: Sequence[T]) -> tuple[T, ...]:
        """The same things in another order."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Draws for a question in a language, in which things that are drawn have their names.

    `fixed` is what a recipe leaves no choice about: a kind asks for it where a rule has another meaning.
    """

    chance: RandomSource
    language: Language = ENGLISH
    fixed: Given = NOTHING_GIVEN

    def fixed_rules(self, meanings: Iterable[str]) -> dict[str, str]:
        """What is settled of some rules; those of which nothing is settled are left out."""
        return {name: self.fixed[name] for name in meanings if name in self.fixed}

    def below(self, limit: int) -> int:
        """A whole number from 0 to `limit - 1`."""
        return self.chance.below(limit)

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return self.chance.between(low, high)

    def choose(self, things: Sequence[T]) -> T:
        """One of some things."""
        return self.chance.choose(things)

    def shuffle(self, things: Sequence[T]) -> tuple[T, ...]:
        """The same things in another order."""
        return self.chance.shuffle(things)

    def names(self, phrases: Sequence[str]) -> tuple[str, ...]:
        """The names of things in the language, by the phrases for them."""
        return tuple(map(self.language.term, phrases))
