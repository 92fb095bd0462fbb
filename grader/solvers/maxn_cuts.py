"""Pruning in max^n: the vectors that the root can still have if the values below a branch are unknown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count, product

from grader.base.numbers import INFINITY, Bound, Number, normalize_number
from grader.solvers.maxn import maxn
from grader.solvers.solvable import Unsolvable, seat_at
from grader.trees.tree import Tree, Vector

STEPS_PER_UNIT = 4
"""Quarters are enough for every order of three payoffs among whole numbers with a whole sum."""


@dataclass(frozen=True, slots=True)
class _Span:
    """The numbers from `low` to `high`; a `strict` end is excluded."""

    low: Bound = 0
    low_strict: bool = False
    high: Bound = INFINITY
    high_strict: bool = False

    def above(self, low: Bound, strict: bool) -> "_Span":
        """Return the part of a span without an upper end that is above `low`, or at least `low`."""
        return _Span(*max((self.low, self.low_strict), (low, strict)))

    @property
    def empty(self) -> bool:
        """Whether the span has no number."""
        return self.low > self.high or (self.low == self.high and (self.low_strict or self.high_strict))


def possible_root_values(tree: Tree, branch: int, total: Number) -> tuple[frozenset[Vector], Vector | None]:
    """Return the vectors that the root can have if the value of a branch is unknown, and another example.

    Payoffs are at least 0 and sum to `total`, also in the unknown vector. There are two cases:

    1. Play does not reach the branch: the root has one of the returned vectors.
    2. Play reaches the branch: the root has the unknown vector. If only one is possible, it is among the
       returned vectors, and the example is None; else the example is another possible one.

    Ties go to the leftmost child. Raises `Unsolvable` for chance nodes and two-player games.
    """
    if tree.has_chance or not tree.seats:
        raise Unsolvable("this is for games of several players without chance")
    values = maxn(tree)
    spans = [_Span()] * tree.seats
    root_values: set[Vector] = set()
    node = branch
    while node > 0:
        seat, row, place = _choice(tree, node, values)
        left: Bound = max((vector[seat] for vector in row[:place]), default=-INFINITY)
        right: Bound = max((vector[seat] for vector in row[place + 1 :]), default=-INFINITY)
        bound, strict = (left, False) if left >= right else (right, True)
        below_best = replace(spans[seat], high=bound, high_strict=strict)
        unreached = [*spans[:seat], below_best, *spans[seat + 1 :]]
        others = row[:place] + row[place + 1 :]
        node = tree.parents[node]
        if others and _has_vector(unreached, total):
            root_values.add(_root_value(tree, node, max(others, key=lambda vector: vector[seat]), values))
        spans[seat] = spans[seat].above(left, True).above(right, False)
    if not _has_vector(spans, total):
        return frozenset(root_values), None
    least = [Fraction(span.low) for span in spans]
    left_over = total - sum(least)
    if not left_over:
        return frozenset((*root_values, tuple(map(normalize_number, least)))), None
    examples = _distributions(least, [span.low_strict for span in spans], left_over)
    return frozenset(root_values), next(vector for vector in examples if vector not in root_values)


def _distributions(least: Sequence[Fraction], more: Sequence[bool], left_over: Number) -> Iterator[Vector]:
    """Yield different vectors that sum to the total; `more` says who must get more than the least.

    Whole numbers come first: each of these players gets 1 more, and one player gets all the rest. Then the
    extra share becomes smaller and smaller, and more and more of the rest is divided equally.
    """
    for extra in (Fraction(1, 2**turn) for turn in count()):
        if extra * sum(more) <= left_over:
            rest = left_over - extra * sum(more)
            equal_share = Fraction(rest * (1 - extra), len(least))
            for favored in range(len(least)):
                yield tuple(
                    normalize_number(low + extra * gets_more + equal_share + rest * extra * (seat == favored))
                    for seat, (low, gets_more) in enumerate(zip(least, more, strict=True))
                )


def can_be_pruned(tree: Tree, branch: int, total: Number) -> bool:
    """Return whether no value below a branch changes the root; raises what `possible_root_values` raises."""
    vectors, other_vector = possible_root_values(tree, branch, total)
    return other_vector is None and len(vectors) == 1


def can_be_pruned_by_trial(tree: Tree, branch: int, total: int) -> bool:
    """Decide `can_be_pruned` for three players and whole payoffs by trying every vector of quarters."""
    values = tuple(tuple(number * STEPS_PER_UNIT for number in vector) for vector in maxn(tree))
    steps: list[tuple[int, Vector | None, Vector | None]] = []
    node = branch
    while node > 0:
        seat, row, place = _choice(tree, node, values)
        steps.append((seat, _leftmost_best(row[:place], seat), _leftmost_best(row[place + 1 :], seat)))
        node = tree.parents[node]
    root_values: set[Vector] = set()
    vector: Vector
    for vector in _vectors(total * STEPS_PER_UNIT, tree.seats):
        for seat, elder_best, younger_best in steps:
            if elder_best is not None and elder_best[seat] >= vector[seat]:
                vector = elder_best
            if younger_best is not None and younger_best[seat] > vector[seat]:
                vector = younger_best
        root_values.add(vector)
        if len(root_values) > 1:
            return False
    return True


def _has_vector(spans: Sequence[_Span], total: Number) -> bool:
    """Return whether numbers in these spans can sum to the total; at most one span has an upper end."""
    low = sum(span.low for span in spans)
    exact = low == total and not any(span.low_strict for span in spans)
    return (low < total or exact) and not any(span.empty for span in spans)


def _root_value(tree: Tree, node: int, vector: Vector, values: Sequence[Vector]) -> Vector:
    """Return the value of the root if one node has this vector instead of its own value."""
    while node > 0:
        seat, row, place = _choice(tree, node, values)
        row[place] = vector
        vector = max(row, key=lambda candidate: candidate[seat])
        node = tree.parents[node]
    return vector


def _choice(tree: Tree, node: int, values: Sequence[Vector]) -> tuple[int, list[Vector], int]:
    """Return the seat of the player above a node, the vectors to choose from, and the place of the node."""
    parent = tree.parents[node]
    children = tree.children[parent]
    return seat_at(tree, parent), [values[child] for child in children], children.index(node)


def _leftmost_best(row: Sequence[Vector], seat: int) -> Vector | None:
    """Return the leftmost vector with the most for a player, None from an empty row."""
    return max(row, key=lambda vector: vector[seat], default=None)


def _vectors(total: int, seats: int) -> Iterator[tuple[int, ...]]:
    """Yield all vectors of whole numbers that are at least 0 and sum to the total."""
    for parts in product(range(total + 1), repeat=seats - 1):
        if sum(parts) <= total:
            yield (*parts, total - sum(parts))
