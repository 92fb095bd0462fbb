"""Where a kind takes chance from when it draws what a question gives, and the words of its language."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from grader.base.phrases import ENGLISH, Language

T = TypeVar("T")


class Chance(Protocol):
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
    """Draws for a question in a language, in which things that are drawn have their names."""

    chance: Chance
    language: Language = ENGLISH

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
