"""Limits to repeats: a value may come again only when new ones have become rare."""

from collections import Counter
from collections.abc import Collection
from fractions import Fraction
from typing import Any

MIN_PATIENCE_FRACTION = 8
"""Patience shrinks to at most this fraction."""


class RepeatLimiter:
    """Counts values, and refuses those that came too often, until too many were refused in a row.

    If all known values came equally often, only a new one is waited for; after each time that none came the
    patience is halved.
    """

    def __init__(self, patience: int) -> None:
        self._patience = patience
        self._counts: Counter[Any] = Counter()
        self._allowed = 0
        self._refused = 0
        self._failed_waits = 0

    def refuses(self, value: Any) -> bool:
        """Return whether a value came too often; after `patience` of these each may come once more."""
        if self._counts[value] <= self._allowed:
            return False
        self._refused += 1
        waits_for_new = min(self._counts.values()) > self._allowed
        patience = self._patience
        if waits_for_new:
            patience = max(patience >> self._failed_waits, patience // MIN_PATIENCE_FRACTION)
        if self._refused >= patience:
            self._refused = 0
            self._allowed += 1
            self._failed_waits += waits_for_new
        return True

    def record(self, value: Any) -> None:
        """Count a value."""
        if value not in self._counts:
            self._failed_waits = 0
        self._counts[value] += 1
        self._refused = 0

    def allow(self, repeats: int) -> None:
        """From now on let each value repeat this often."""
        self._allowed = max(self._allowed, repeats)


class EntryBalancer:
    """Counts the entries of answers, and refuses answers whose entries are common.

    After `patience` refusals in a row any answer may come.
    """

    def __init__(self, patience: int) -> None:
        self._patience = patience
        self._counts: Counter[Any] = Counter()
        self._answers = 0
        self._refused = 0

    def refuses(self, entries: Collection[Any], possible: int | Fraction) -> bool:
        """Return whether these entries came more often on average than each of the `possible` ones should."""
        if sum(self._counts[entry] for entry in entries) * possible <= self._answers * len(entries):
            return False
        self._refused += 1
        return self._refused < self._patience

    def record(self, entries: Collection[Any]) -> None:
        """Count the entries of an answer."""
        self._counts.update(entries)
        self._answers += 1
        self._refused = 0
