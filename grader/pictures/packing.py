"""Where the nodes of a tree go along one axis."""

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
    """Places along one axis: no two subtrees share any of it, and a parent stands midway over its children.

    `before` and `after` are what each node needs on either side; `whole` keeps whole numbers whole.
    Above an odd number of children a parent stands right over the middle one, if that moves it by no
    more than `snap`.
    Returns the places and the whole length.
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
