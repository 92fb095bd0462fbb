"""Places of the nodes of a tree along one axis."""

import math
from collections.abc import Sequence

from grader.trees.tree import Tree


def pack(
    tree: Tree,
    before: Sequence[float],
    after: Sequence[float],
    gap: float,
    snap: float,
    *,
    whole: bool = False,
) -> tuple[list[float], float]:
    """Return places along one axis, and the total length.

    Subtrees do not overlap, and a parent is halfway between its first and last child. Above an odd number of
    children it is at the middle child instead, if that is at most `snap` away.

    `before` and `after` are the lengths that each node needs on either side; `whole` rounds parents down to
    whole numbers.
    """
    low, high = list(before), list(after)
    offset = [0.0] * len(tree)
    for node in range(len(tree) - 1, -1, -1):
        children = tree.children[node]
        if not children:
            continue
        end = 0.0
        for child in children:
            offset[child] = end + low[child]
            end = offset[child] + high[child] + gap
        middle = (offset[children[0]] + offset[children[-1]]) / 2
        centre = offset[children[len(children) // 2]]
        if len(children) % 2 and abs(centre - middle) <= snap:
            middle = centre
        elif whole:
            middle = float(math.floor(middle))
        for child in children:
            offset[child] -= middle
        low[node] = max(before[node], low[children[0]] - offset[children[0]])
        high[node] = max(after[node], offset[children[-1]] + high[children[-1]])
    places = [low[0]] * len(tree)
    for node in range(1, len(tree)):
        places[node] = places[tree.parents[node]] + offset[node]
    return places, low[0] + high[0]
