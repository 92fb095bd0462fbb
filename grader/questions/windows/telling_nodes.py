"""Which nodes to ask about: those at which mistakes are made, so that each mistake earns little."""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import TypeAlias

from grader.base.numbers import INFINITY

MAX_CANDIDATE_NODES = 60
"""Among how many nodes these are searched: of large trees only those at which most mistakes are made."""

CreditPair: TypeAlias = tuple[int, int]
"""What is earned, and out of how much."""

CreditByNode: TypeAlias = Mapping[int, CreditPair]
"""What one mistake earns at each node."""


def telling_nodes(
    nodes: Sequence[int], mistakes: Sequence[CreditByNode], fewest: int, most: int
) -> Sequence[int]:
    """Return from `fewest` to `most` of the nodes, such that the mistake that is paid best earns little.

    Nodes are dropped one by one, each time the one whose loss costs mistakes most. All are returned if
    there are fewer, or no mistakes.
    """
    left, rows = list(nodes), list(mistakes)
    if len(left) > MAX_CANDIDATE_NODES:
        left.sort(key=lambda node: sum(row[node][0] - row[node][1] for row in rows))
        left = sorted(left[:MAX_CANDIDATE_NODES])
        rows = [{node: row[node] for node in left} for row in rows]
    if len(left) < fewest or not rows:
        return left
    found: list[tuple[float, list[int]]] = []
    sums = [(sum(right), sum(asked)) for right, asked in (zip(*row.values(), strict=True) for row in rows)]
    while True:
        if len(left) <= most:
            found.append((max(map(_paid, sums)), list(left)))
        if len(left) == fewest:
            break
        gone = _told_least(left, rows, sums)
        left.remove(gone)
        sums = [
            (right - row[gone][0], asked - row[gone][1])
            for row, (right, asked) in zip(rows, sums, strict=True)
        ]
    return min(found, key=itemgetter(0))[1]


def _paid(earned: CreditPair) -> float:
    """Return the share that is earned: of counts as small as these no two different ones are one float."""
    right, asked = earned
    return right / (asked or 1)


def _told_least(left: Sequence[int], rows: Sequence[CreditByNode], sums: Sequence[CreditPair]) -> int:
    """Return the first node without which the mistake that is paid best earns least."""
    gone, least = left[0], INFINITY
    # Those first that are paid best now: mostly they tell at once that another node has to go.
    paid_best = sorted(zip(map(_paid, sums), rows, sums, strict=True), key=itemgetter(0), reverse=True)
    for node in left:
        most = 0.0
        for _, row, (right, asked) in paid_best:
            gained, out_of = row[node]
            most = max(most, (right - gained) / (asked - out_of or 1))
            if most >= least:
                break
        else:
            gone, least = node, most
    return gone
