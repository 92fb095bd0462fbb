"""Limits to repeats: a value may come again only when new ones have become rare."""

from collections import Counter, deque
from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Any

from grader.questions.kind import AnyKind
from grader.trees.tree import Payoff, Tree

MIN_PATIENCE_FRACTION = 8
"""Patience shrinks to at most this fraction."""


class RepeatLimiter:
    """Accepts offered values, and refuses those that came too often, until too many were refused in a row.

    An accepted value counts only once it is recorded.

    If all known values came equally often, only a new one is waited for; after each time that none came the
    patience is halved.
    """

    def __init__(self, patience: int) -> None:
        self._patience = patience
        self._counts: Counter[Any] = Counter()
        self._allowed = 0
        self._refused = 0
        self._failed_waits = 0

    def offer(self, value: Any, possible: int | Fraction | None = None) -> bool:
        """Offer a value: return whether it may come, and count the refusal if it came too often.

        After `patience` refusals each value may come once more. `possible` is how many values there are at
        most, if that is known.
        """
        if self._counts[value] <= self._allowed:
            return True
        waits_for_new = min(self._counts.values()) > self._allowed
        if waits_for_new and possible is not None and len(self._counts) >= possible:
            self._allowed += 1
            return True
        self._refused += 1
        patience = self._patience
        if waits_for_new:
            patience = max(patience >> self._failed_waits, patience // MIN_PATIENCE_FRACTION)
        if self._refused >= patience:
            self._refused = 0
            self._allowed += 1
            self._failed_waits += waits_for_new
        return False

    def record(self, value: Any) -> None:
        """Count a value."""
        if value not in self._counts:
            self._failed_waits = 0
        self._counts[value] += 1
        self._refused = 0

    def allow(self, repeats: int) -> None:
        """From now on let each value repeat this often."""
        self._allowed = max(self._allowed, repeats)


class TableLimiter:
    """Refuses tables whose entries are common, and tables that share entries with an earlier one.

    After `patience` refusals in a row a table may share more than a third of its entries, after
    `COPY_PATIENCE_FACTOR` times as many any number of them. After each time that no other came the patience
    is halved; a table that shares few entries doubles it again.
    """

    def __init__(self, patience: int) -> None:
        self._patience = patience
        self._counts: Counter[Any] = Counter()
        self._tables: deque[frozenset[Any]] = deque(maxlen=MAX_COMPARED_TABLES)
        self._answers = 0
        self._refused = self._copies = self._failed_waits = 0

    def offer(self, entries: Collection[Any], possible: int | Fraction | None) -> bool:
        """Offer a table: return whether it may come, and count the refusal if it came too often.

        `possible` is the number of values of an entry, if that is known.
        """
        table = frozenset(entries)
        shared = max((len(table & other) for other in self._tables), default=0)
        occurrences = sum(self._counts[entry] for entry in entries)
        is_common = possible is not None and occurrences * possible > self._answers * len(entries)
        is_copy = 4 * shared >= 3 * len(entries)
        is_similar = 3 * shared > len(entries) and (possible is None or possible > MAX_CHANCE_ENTRIES)
        if not (is_copy or is_common or is_similar):
            self._failed_waits = max(self._failed_waits - 1, 0)
            return True
        patience = max(self._patience >> self._failed_waits, self._patience // MIN_PATIENCE_FRACTION)
        if is_copy:
            self._copies += 1
            is_accepted = self._copies >= patience * COPY_PATIENCE_FACTOR
        else:
            self._refused += 1
            is_accepted = self._refused >= patience
        self._failed_waits += is_accepted
        return is_accepted

    def record(self, entries: Collection[Any]) -> None:
        """Count the entries of an answer."""
        self._counts.update(entries)
        self._tables.append(frozenset(entries))
        self._answers += 1
        self._refused = self._copies = 0


MAX_COMPARED_TABLES = 200
"""With how many earlier tables each new one is compared."""

MAX_CHANCE_ENTRIES = 6
"""Tables whose entries have at most this many values share a third of them by chance."""

COPY_PATIENCE_FACTOR = 3
"""How much longer a table is waited for that shares fewer than three quarters of its entries."""


def has_table(kind: AnyKind) -> bool:
    """Return whether the only correct answer of a kind is a table, whose entries can be compared."""
    return kind.form.has_entries and kind.accepts is None


def payoff_ranks(payoffs: Sequence[Payoff | None]) -> tuple[Payoff | None, ...]:
    """Replace each number among the payoffs by the count of different numbers that are smaller."""
    numbers = {payoff for payoff in payoffs if isinstance(payoff, int | Fraction)}
    ranks: dict[Payoff | None, int] = {number: rank for rank, number in enumerate(sorted(numbers))}
    return tuple(ranks.get(payoff, payoff) for payoff in payoffs)


def bottom_node_pattern(tree: Tree) -> str:
    """Return the bottom nodes of a tree as sorted text: player, ranks of the payoffs, probabilities.

    A bottom node has a leaf as a child; where it is in the tree does not matter. Payoffs that are not all
    numbers are written themselves: which values an unknown one may have depends on the others.
    """
    payoffs = tree.payoffs if tree.unknowns or tree.seats else payoff_ranks(tree.payoffs)
    leaves = zip(payoffs, tree.probabilities, strict=True)
    branches = [str(payoff) if odds is None else f"{payoff}:{odds}" for payoff, odds in leaves]
    children = tree.children
    bottom = [
        f"{player} {' '.join([branches[child] for child in below])}"
        for player, below in zip(tree.players, children, strict=True)
        if below and not all(map(children.__getitem__, below))
    ]
    return "; ".join(sorted(bottom))
