"""How hard a question is: what variants have in common, and the level that has the most answers."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from grader.generation.candidates import PayoffRow
from grader.generation.shape import IntegerRange
from grader.trees.tree import Tree

SharedMeasures: TypeAlias = tuple[int, ...]
"""The measures that parallel variants share."""

Shares: TypeAlias = tuple[int | None, ...]
"""What mistakes earn in thousandths of the full mark; None for one that leads to no answer."""

MIN_LEVEL_TREES = 6
"""A level is not made narrower than leaves this many of the trees of a survey."""

MAX_SIZE_SPREAD = 2
"""By how many leaves or entries the answers of a level differ."""

MIN_LEVEL_FRACTION = Fraction(1, 12)
"""The same as a fraction of these trees."""

MIN_STRATUM_FRACTION = Fraction(1, 8)
"""A stratum is spread over variants if it has at least this fraction of the trees of an average one."""


@dataclass(frozen=True, slots=True)
class Level:
    """What all variants of a run have in common, so that they are equally hard.

    - `shared_measures`: the measures of the profile that the recipe names.
    - `shares`: between what each mistake earns, in thousandths of the mark; empty if none earns a part.
    - `mean_share`: between what all mistakes earn on average.
    - `answer_size`: between how many leaves or entries an answer has, where mistakes earn a part.
    - `skeletons`: the shapes on which such trees are found; `rows`: the payoffs of these trees, by shape.
    - `strata`: the values that are spread evenly.
    - `size`: the number of trees of this level in the survey.
    - `keys`: a shape and a stratum -> the keys of these trees; without those that hardly come again.
    """

    shared_measures: SharedMeasures
    shares: tuple[IntegerRange, ...]
    mean_share: IntegerRange
    answer_size: IntegerRange
    skeletons: tuple[Tree, ...]
    rows: tuple[tuple[PayoffRow, ...], ...]
    strata: tuple[int, ...]
    size: int
    keys: Mapping[tuple[int, int], tuple[Hashable, ...]] = field(default_factory=dict)

    def includes(self, shares: Shares, answer: Any) -> bool:
        """Return whether a question on which mistakes earn these shares is of this level."""
        spans = (*self.shares, self.mean_share, self.answer_size)
        return all(map(_is_within, (*shares, mean_of_shares(shares), answer_size(answer)), spans))


def mean_of_shares(shares: Shares) -> int:
    """Return what mistakes earn on average, of those that lead to an answer."""
    answered = [share for share in shares if share is not None]
    return sum(answered) // max(1, len(answered))


def answer_size(answer: Any) -> int:
    """Return how many leaves or entries an answer has, 1 if it is none of several."""
    return len(answer) if isinstance(answer, frozenset | tuple) else 1


@dataclass(frozen=True, slots=True)
class Survivor:
    """A candidate that meets all requirements.

    - `shared_measures`: the measures in which variants agree.
    - `stratum`: the value that is spread evenly: the number of the best move or leaf, the count of visited
      leaves, or the set of pruned leaves as a binary number.
    - `number`: distinguishes it from the others of its stream.
    - `shares`: the shares of the mistakes that are measured of many trees at once.
    - `penalty`: how many thousandths of the mark these mistakes earn too much in all.
    """

    skeleton: Tree
    row: PayoffRow
    shared_measures: SharedMeasures
    stratum: int
    number: int
    shares: Shares
    penalty: int = 0


@dataclass(frozen=True, slots=True)
class CheckedTree:
    """A survivor that was checked by itself: its penalty in all, its answer and what mistakes earn."""

    survivor: Survivor
    penalty: int
    answer: Hashable
    shares: Shares


def find_level(trees: Sequence[CheckedTree], max_spread: int, max_mean_spread: int) -> Level:
    """Return the level whose trees have the most answers, of trees with the same shared measures.

    The share of each mistake is narrowed to `max_spread` thousandths, then the size of answers, then the
    average share to `max_mean_spread`; where that leaves too few trees, only as far as enough are left.
    """
    least = min(len(trees), max(MIN_LEVEL_TREES, int(MIN_LEVEL_FRACTION * len(trees))))
    chosen = list(trees)
    spans: dict[int, IntegerRange] = {}
    while len(spans) < len(trees[0].shares):
        narrowed = [
            (*_narrow([tree.shares[index] for tree in chosen], chosen, max_spread, least), index)
            for index in range(len(trees[0].shares))
            if index not in spans
        ]
        # The mistake that leaves the fewest answers is narrowed first.
        _, span, index = min(narrowed)
        spans[index] = span
        chosen = [tree for tree in chosen if _is_within(tree.shares[index], span)]
    _, size_span = _narrow([answer_size(tree.answer) for tree in chosen], chosen, MAX_SIZE_SPREAD, least)
    chosen = [tree for tree in chosen if _is_within(answer_size(tree.answer), size_span)]
    _, mean_span = _narrow([mean_of_shares(tree.shares) for tree in chosen], chosen, max_mean_spread, least)
    chosen = [tree for tree in chosen if _is_within(mean_of_shares(tree.shares), mean_span)]
    by_skeleton: dict[int, list[CheckedTree]] = {}
    for tree in chosen:
        by_skeleton.setdefault(id(tree.survivor.skeleton), []).append(tree)
    return Level(
        trees[0].survivor.shared_measures,
        tuple(span for _, span in sorted(spans.items())),
        mean_span,
        size_span,
        tuple(same[0].survivor.skeleton for same in by_skeleton.values()),
        tuple(tuple(tree.survivor.row for tree in same) for same in by_skeleton.values()),
        _frequent_strata(chosen),
        len(chosen),
        _recurring_keys(list(by_skeleton.values())),
    )


def _recurring_keys(
    by_skeleton: Sequence[Sequence[CheckedTree]],
) -> Mapping[tuple[int, int], tuple[Hashable, ...]]:
    """Return the keys of the trees of each shape and stratum; none if most keys are found only once.

    How many keys are found once estimates how likely the next tree has a new one (Good 1953). This is asked
    of all trees, and again of those of each stratum that has several keys.
    """
    counts = Counter(tree.answer for trees in by_skeleton for tree in trees)
    if _hardly_recur(counts):
        return {}
    by_stratum: dict[int, Counter[Hashable]] = {}
    keys: dict[tuple[int, int], dict[Hashable, None]] = {}
    for index, trees in enumerate(by_skeleton):
        for tree in trees:
            keys.setdefault((index, tree.survivor.stratum), {})[tree.answer] = None
            by_stratum.setdefault(tree.survivor.stratum, Counter())[tree.answer] += 1
    new = {stratum for stratum, found in by_stratum.items() if len(found) > 1 and _hardly_recur(found)}
    return {place: tuple(found) for place, found in keys.items() if place[1] not in new}


def _hardly_recur(counts: Counter[Hashable]) -> bool:
    """Return whether most keys are found only once."""
    return 2 * sum(count == 1 for count in counts.values()) > counts.total()


def _frequent_strata(trees: Sequence[CheckedTree]) -> tuple[int, ...]:
    """Return the strata with at least a fraction, `MIN_STRATUM_FRACTION`, of the average number of trees."""
    counts = Counter(tree.survivor.stratum for tree in trees)
    fewest = Fraction(len(trees), len(counts)) * MIN_STRATUM_FRACTION
    return tuple(sorted(stratum for stratum, count in counts.items() if count >= fewest))


def _narrow(
    shares: Sequence[int | None], trees: Sequence[CheckedTree], max_spread: int, least: int
) -> tuple[int, IntegerRange]:
    """Return the span of this width in which trees have the most answers, and how many.

    The stratum with the fewest answers counts first. The span is wider if fewer than `least` trees have such
    shares.
    """
    strata = _frequent_strata(trees)
    spans: list[tuple[int, int, int, IntegerRange]] = []
    known = sorted({share for share in shares if share is not None}) or [0]
    for low in known:
        within = [_is_within(share, (low, low + max_spread)) for share in shares]
        chosen = [tree for tree, inside in zip(trees, within, strict=True) if inside]
        if len(chosen) >= least:
            answers = {(tree.survivor.stratum, tree.answer) for tree in chosen}
            fewest = min(sum(stratum == each for each, _ in answers) for stratum in strata)
            spans.append((fewest, len(answers), -low, (low, low + max_spread)))
    if not spans:
        return len({tree.answer for tree in trees}), _narrowest(shares, least)
    _, answer_count, _, span = max(spans)
    return answer_count, span


def _narrowest(shares: Sequence[int | None], least: int) -> IntegerRange:
    """Return the narrowest span that has the shares of `least` trees or more."""
    known = sorted(share for share in shares if share is not None)
    needed = max(1, least - (len(shares) - len(known)))
    spans = zip(known, known[needed - 1 :], strict=False)
    return min(spans, key=lambda span: span[1] - span[0])


def _is_within(share: int | None, span: IntegerRange) -> bool:
    return share is None or span[0] <= share <= span[1]
