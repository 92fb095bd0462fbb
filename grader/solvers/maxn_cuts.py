"""Whether a branch may be cut in max^n: what the game can still come to when its payoffs are not known."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count, product

from grader.base.numbers import INFINITY, Bound, Number, normalize_number
from grader.solvers.maxn import maxn
from grader.solvers.solvable import Unsolvable
from grader.trees.tree import Tree, Vector

STEPS_PER_UNIT = 4
"""In quarters every order of three payoffs among whole numbers occurs that a whole sum allows."""


@dataclass(frozen=True, slots=True)
class _Span:
    """The numbers from `low` to `high`, either end excluded where it is `strict`."""

    low: Bound = 0
    low_strict: bool = False
    high: Bound = INFINITY
    high_strict: bool = False

    def above(self, low: Bound, strict: bool) -> "_Span":
        """Those that are more than a number, or at least as much, where there is no largest."""
        return _Span(*max((self.low, self.low_strict), (low, strict)))

    @property
    def empty(self) -> bool:
        """Whether no number is left."""
        return self.low > self.high or (self.low == self.high and (self.low_strict or self.high_strict))


def possible_root_values(tree: Tree, branch: int, total: Number) -> tuple[frozenset[Vector], Vector | None]:
    """What the root can be worth when nobody knows what a branch is worth; an example of what else there is.

    The payoffs of a leaf are at least 0 and sum to `total`, and so does what the branch may be worth. Either
    play does not come to the branch, and the root is worth one of the vectors; or it does, and where that
    leaves a choice of payoffs the second is one, else None. Ties go to the leftmost child.
    Raises `Unsolvable` for chance nodes and games of two sides.
    """
    if tree.has_chance or not tree.seats:
        raise Unsolvable("this is for games of several players without chance")
    values = maxn(tree)
    spans = [_Span()] * tree.seats
    found: set[Vector] = set()
    node = branch
    while node > 0:
        seat, row, place = _choice(tree, node, values)
        left: Bound = max((vector[seat] for vector in row[:place]), default=-INFINITY)
        right: Bound = max((vector[seat] for vector in row[place + 1 :]), default=-INFINITY)
        bound, strict = (left, False) if left >= right else (right, True)
        short = replace(spans[seat], high=bound, high_strict=strict)
        missed = [*spans[:seat], short, *spans[seat + 1 :]]
        others = row[:place] + row[place + 1 :]
        node = tree.parents[node]
        if others and _possible(missed, total):
            found.add(_with(tree, node, max(others, key=lambda vector: vector[seat]), values))
        spans[seat] = spans[seat].above(left, True).above(right, False)
    if not _possible(spans, total):
        return frozenset(found), None
    least = [Fraction(span.low) for span in spans]
    left_over = total - sum(least)
    if not left_over:
        return frozenset((*found, tuple(map(normalize_number, least)))), None
    examples = _handed_out(least, [span.low_strict for span in spans], left_over)
    return frozenset(found), next(vector for vector in examples if vector not in found)


def _handed_out(least: Sequence[Fraction], more: Sequence[bool], left_over: Number) -> Iterator[Vector]:
    """Different vectors that sum to the total, with more than the least for those who have to get more.

    Whole numbers first: one more for each of these, and all that remains for one player. Then smaller and
    smaller parts, and ever more of what remains for all alike.
    """
    for part in (Fraction(1, 2**turn) for turn in count()):
        if part * sum(more) <= left_over:
            rest = left_over - part * sum(more)
            alike = Fraction(rest * (1 - part), len(least))
            for lucky in range(len(least)):
                yield tuple(
                    normalize_number(low + part * gets + alike + rest * part * (seat == lucky))
                    for seat, (low, gets) in enumerate(zip(least, more, strict=True))
                )


def can_be_pruned(tree: Tree, branch: int, total: Number) -> bool:
    """Whether the root is worth the same whatever stands below a branch; raises what `outcomes` raises."""
    found, another = possible_root_values(tree, branch, total)
    return another is None and len(found) == 1


def can_be_pruned_by_trial(tree: Tree, branch: int, total: int) -> bool:
    """The same for three players and whole payoffs, by trying every vector of quarters."""
    values = tuple(tuple(number * STEPS_PER_UNIT for number in vector) for vector in maxn(tree))
    steps: list[tuple[int, Vector | None, Vector | None]] = []
    node = branch
    while node > 0:
        seat, row, place = _choice(tree, node, values)
        steps.append((seat, _most(row[:place], seat), _most(row[place + 1 :], seat)))
        node = tree.parents[node]
    found: set[Vector] = set()
    vector: Vector
    for vector in _vectors(total * STEPS_PER_UNIT, tree.seats):
        for seat, elder_best, younger_best in steps:
            if elder_best is not None and elder_best[seat] >= vector[seat]:
                vector = elder_best
            if younger_best is not None and younger_best[seat] > vector[seat]:
                vector = younger_best
        found.add(vector)
        if len(found) > 1:
            return False
    return True


def _possible(spans: Sequence[_Span], total: Number) -> bool:
    """Whether numbers in these spans, of which one or none has a largest, can sum to the total."""
    low = sum(span.low for span in spans)
    just = low == total and not any(span.low_strict for span in spans)
    return (low < total or just) and not any(span.empty for span in spans)


def _with(tree: Tree, node: int, vector: Vector, values: Sequence[Vector]) -> Vector:
    """What the root is worth when a node is worth this vector and all others what they are worth."""
    while node > 0:
        seat, row, place = _choice(tree, node, values)
        row[place] = vector
        vector = max(row, key=lambda each: each[seat])
        node = tree.parents[node]
    return vector


def _choice(tree: Tree, node: int, values: Sequence[Vector]) -> tuple[int, list[Vector], int]:
    """Who chooses above a node, among which vectors, and at which place the node stands."""
    parent = tree.parents[node]
    player, children = tree.players[parent], tree.children[parent]
    seat = 0 if player is None or player.seat is None else player.seat
    return seat, [values[child] for child in children], children.index(node)


def _most(row: Sequence[Vector], seat: int) -> Vector | None:
    """The leftmost vector with the most for a player, None of none."""
    return max(row, key=lambda vector: vector[seat], default=None)


def _vectors(total: int, seats: int) -> Iterator[tuple[int, ...]]:
    """All vectors of whole numbers that are at least 0 and sum to the total."""
    for parts in product(range(total + 1), repeat=seats - 1):
        if sum(parts) <= total:
            yield (*parts, total - sum(parts))
