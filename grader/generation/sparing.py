"""Things that may come again only when new ones have become rare."""

from collections import Counter
from typing import Any


class Sparing:
    """Counts what came, and refuses what came too often, until that was refused too often in a row."""

    def __init__(self, patience: int) -> None:
        self._patience = patience
        self._came: Counter[Any] = Counter()
        self._allowed = 0
        self._refused = 0

    def refuses(self, thing: Any) -> bool:
        """Whether a thing has come too often; after `patience` of these each may come once more."""
        if self._came[thing] <= self._allowed:
            return False
        self._refused += 1
        if self._refused >= self._patience:
            self._refused = 0
            self._allowed += 1
        return True

    def take(self, thing: Any) -> None:
        """A thing comes."""
        self._came[thing] += 1
        self._refused = 0

    def allow(self, again: int) -> None:
        """From now on each may have come so often before."""
        self._allowed = max(self._allowed, again)
