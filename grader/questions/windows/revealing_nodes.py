"""Which nodes to ask about: those at which mistakes are made, so that each mistake earns little."""

from collections.abc import Mapping, Sequence
from functools import partial
from operator import itemgetter
from typing import TypeAlias

MAX_CANDIDATE_NODES = 60
"""Among how many nodes these are searched: of large trees only those at which most mistakes are made."""

CreditPair: TypeAlias = tuple[int, int]
"""Credit earned, and the maximum."""

CreditByNode: TypeAlias = Mapping[int, CreditPair]
"""What one mistake earns at each node."""


def revealing_nodes(
    nodes: Sequence[int], mistakes: Sequence[CreditByNode], minimum: int, maximum: int
) -> Sequence[int]:
    """Return `minimum` to `maximum` of the nodes, such that the best-paid mistake earns little.

    Nodes are dropped one by one, each time the one without which the best-paid mistake earns least. All are
    returned if there are fewer, or no mistakes.
    """
    remaining, rows = list(nodes), list(mistakes)
    if len(remaining) > MAX_CANDIDATE_NODES:
        remaining.sort(key=lambda node: sum(row[node][0] - row[node][1] for row in rows))
        remaining = sorted(remaining[:MAX_CANDIDATE_NODES])
        rows = [{node: row[node] for node in remaining} for row in rows]
    if len(remaining) < minimum or not rows:
        return remaining
    choices: list[tuple[float, list[int]]] = []
    sums = [(sum(right), sum(total)) for right, total in (zip(*row.values(), strict=True) for row in rows)]
    while True:
        if len(remaining) <= maximum:
            choices.append((max(map(_share, sums)), list(remaining)))
        if len(remaining) == minimum:
            break
        dropped = min(remaining, key=partial(_best_share_without, rows, sums))
        remaining.remove(dropped)
        sums = [
            (right - row[dropped][0], total - row[dropped][1])
            for row, (right, total) in zip(rows, sums, strict=True)
        ]
    return min(choices, key=itemgetter(0))[1]


def _share(credit: CreditPair) -> float:
    """Return the share of the maximum; different shares of such small counts are different floats."""
    right, total = credit
    return right / (total or 1)


def _best_share_without(rows: Sequence[CreditByNode], sums: Sequence[CreditPair], dropped: int) -> float:
    """Return the share that the best-paid mistake earns without a node."""
    pairs = zip(rows, sums, strict=True)
    return max((right - row[dropped][0]) / (total - row[dropped][1] or 1) for row, (right, total) in pairs)
