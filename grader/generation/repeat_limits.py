"""Things that may come again only when new ones have become rare."""

from collections import Counter
from collections.abc import Collection
from fractions import Fraction
from typing import Any

MIN_PATIENCE_FRACTION = 8
"""Patience gets no shorter than so small a part of it."""


class RepeatLimiter:
    """Counts what came, and refuses what came too often, until that was refused too often in a row.

    Where all that is known came alike only something new is waited for: in vain, then half as long next time.
    """

    def __init__(self, patience: int) -> None:
        self._patience = patience
        self._came: Counter[Any] = Counter()
        self._allowed = 0
        self._refused = 0
        self._in_vain = 0

    def refuses(self, thing: Any) -> bool:
        """Whether a thing has come too often; after `patience` of these each may come once more."""
        if self._came[thing] <= self._allowed:
            return False
        self._refused += 1
        all_came = min(self._came.values()) > self._allowed
        wait = (
            max(self._patience >> self._in_vain, self._patience // MIN_PATIENCE_FRACTION)
            if all_came
            else self._patience
        )
        if self._refused >= wait:
            self._refused = 0
            self._allowed += 1
            self._in_vain += all_came
        return True

    def record(self, thing: Any) -> None:
        """A thing comes."""
        if thing not in self._came:
            self._in_vain = 0
        self._came[thing] += 1
        self._refused = 0

    def allow(self, again: int) -> None:
        """From now on each may have come so often before."""
        self._allowed = max(self._allowed, again)


class EntryBalancer:
    """Counts the entries of the answers that came, and refuses those whose entries are the commoner ones.

    After `patience` refusals in a row an answer comes whatever its entries are.
    """

    def __init__(self, patience: int) -> None:
        self._patience = patience
        self._came: Counter[Any] = Counter()
        self._answers = 0
        self._refused = 0

    def refuses(self, entries: Collection[Any], possible: int | Fraction) -> bool:
        """Whether these came oftener on average than one of so many possible entries should have come."""
        if sum(self._came[entry] for entry in entries) * possible <= self._answers * len(entries):
            return False
        self._refused += 1
        return self._refused < self._patience

    def record(self, entries: Collection[Any]) -> None:
        """An answer comes."""
        self._came.update(entries)
        self._answers += 1
        self._refused = 0
