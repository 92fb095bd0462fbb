"""Where a kind takes chance from when it draws what a question gives."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Draw(Protocol):
    """Draws that are the same for the same exercise on every machine; each outcome is equally likely."""

    def below(self, limit: int) -> int:
        """A whole number from 0 to `limit - 1`."""

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""

    def choose(self, things: Sequence[T]) -> T:
        """One of some things."""

    def shuffle(self, things: Sequence[T]) -> tuple[T, ...]:
        """The same things in another order."""
