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

    def choose(self, items: Sequence[T]) -> T:
        """Return one of the items."""

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in another order."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Random choices for a question; names that are drawn are in its language.

    `fixed` has the fields that a recipe has set.
    """

    chance: RandomSource
    language: Language = ENGLISH
    fixed: Given = NOTHING_GIVEN

    def fixed_rules(self, meanings: Iterable[str]) -> dict[str, str]:
        """Return those of these rules that a recipe has fixed, with their meaning."""
        return {name: self.fixed[name] for name in meanings if name in self.fixed}

    def below(self, limit: int) -> int:
        """A whole number from 0 to `limit - 1`."""
        return self.chance.below(limit)

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return self.chance.between(low, high)

    def choose(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return self.chance.choose(items)

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in another order."""
        return self.chance.shuffle(items)

    def names(self, phrases: Sequence[str]) -> tuple[str, ...]:
        """The names of things in the language, by the phrases for them."""
        return tuple(map(self.language.term, phrases))
