"""What a recipe yields: which candidates meet the requirements, and what is to be drawn evenly."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from typing import TypeAlias

from grader.exercise import unsuited
from grader.generation.candidates import ROWS, Block, Row, draw_block, draw_rows, plant, rows_of
from grader.generation.findings import Column
from grader.generation.measures import Measures
from grader.generation.profile import shared
from grader.generation.recipe import Recipe
from grader.generation.requirements import judge_many, judge_one
from grader.generation.separation import unseparated
from grader.generation.stream import Stream
from grader.kinds.given import NOTHING, Given
from grader.tree import EMPTY, Tree

SURVEYED = 8 * ROWS
"""How many candidates a survey tries where they are judged in lockstep."""

SEARCHED = 512
"""How many it tries where every candidate is searched."""

COMMON = 4
"""A place is common when it is at most so many times rarer than the commonest of its likeness."""

CHOICE = 6
"""From how many likenesses that of a run of variants is drawn."""

SAMPLES = 16
"""How many candidates of each place are tried for separation before the place counts as impossible."""

LONG = 3
"""How many times longer than it takes on average a place is waited for."""

LEVEL = 1 << 20
"""The weight of a candidate, large enough that parts of it are weights too."""

LEVELLING = 200
"""How many steps are made towards leaves that are no likelier pruned than not."""

OTHER_PROFILE = "another profile"
"""What refuses a candidate that meets the requirements but is harder or easier than its variants."""

Likeness: TypeAlias = tuple[int, ...]
"""The measures that parallel variants share."""


@dataclass(frozen=True, slots=True)
class Report:
    """How a run of the generator went: what was tried, what came of it, what refused how many.

    Each refused candidate counts for the first thing that refused it.
    """

    kind: str
    candidates: int
    exercises: int
    refused: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        lines = [f"{self.kind}: {self.candidates} candidates tried, {self.exercises} exercises grown"]
        width = max((len(reason) for reason, _ in self.refused), default=0)
        lines += [f"  {reason.ljust(width)}  refused {count}" for reason, count in self.refused if count]
        return "\n".join(lines)


class ExhaustedError(Exception):
    """No exercise was found within the cap of the recipe; `report` says what refused how many."""

    def __init__(self, report: Report) -> None:
        # The one argument, so that the copy that a worker process sends is made of the same.
        super().__init__(report)
        self.report = report

    def __str__(self) -> str:
        return f"no exercise was found within the cap\n{self.report}"


class Tally:
    """What was tried and refused so far; the counts behind a `Report`."""

    def __init__(self, recipe: Recipe) -> None:
        self.kind = recipe.kind
        self.candidates = 0
        self.exercises = 0
        self.refused: Counter[str] = Counter()

    def report(self) -> Report:
        """The counts as they stand."""
        return Report(self.kind, self.candidates, self.exercises, tuple(self.refused.items()))


@dataclass(frozen=True, slots=True)
class Survivor:
    """A candidate that meets all requirements.

    `likeness` are its measures in which variants agree; `place` is what is drawn evenly: the number of the
    best move or leaf, the count of visited leaves, or the set of pruned leaves as a binary number;
    `number` counts the candidates of its stream.
    """

    skeleton: Tree
    row: Row
    likeness: Likeness
    place: int
    number: int


def survivors(
    recipe: Recipe, stream: Stream, tally: Tally, *, likeness: Likeness | None = None
) -> Iterator[Survivor | None]:
    """All candidates of a stream that meet the requirements, in the order in which they are drawn.

    With a likeness only those that have it. Blocks without chance nodes are judged at once, the trees of
    the others one by one.
    It never ends; a None after every block lets the caller look at the tally, which counts whole blocks.
    """
    number, rows = 0, rows_of(recipe.shape)
    while True:
        start = number * rows
        if not recipe.asked.needs_tree:
            tally.candidates += rows
            yield from (Survivor(EMPTY, (), (), 0, start + row) for row in range(rows))
        elif recipe.shape.chance:
            yield from one_by_one(recipe, *draw_rows(recipe, stream, number), likeness, tally, start)
        else:
            yield from at_once(recipe, draw_block(recipe, stream, number), likeness, tally, start)
        yield None
        number += 1


def at_once(
    recipe: Recipe, block: Block, wanted: Likeness | None, tally: Tally, start: int
) -> Iterator[Survivor]:
    """The survivors of a block whose first candidate has the number `start`, all judged in lockstep."""
    measures, fit, refused = judge_many(recipe, block)
    tally.candidates += len(fit)
    tally.refused.update(refused)
    same = [getattr(measures, field) for field in shared(recipe)]
    if wanted is not None:
        before = int(fit.sum())
        for column, measure in zip(same, wanted, strict=True):
            fit &= column == measure
        tally.refused[OTHER_PROFILE] += before - int(fit.sum())
    places = _place(recipe, measures)
    for row in fit.nonzero()[0].tolist():
        likeness = tuple(int(column[row]) for column in same)
        place = 0 if places is None else int(places[row])
        yield Survivor(block.skeleton, tuple(block.places[row].tolist()), likeness, place, start + row)


def one_by_one(
    recipe: Recipe, skeleton: Tree, rows: Iterator[Row], wanted: Likeness | None, tally: Tally, start: int
) -> Iterator[Survivor]:
    """The survivors of the same block, each tree judged by itself."""
    tally.candidates += rows_of(recipe.shape)
    for number, row in enumerate(rows, start):
        measures, refusal = judge_one(recipe, plant(skeleton, recipe.payoffs, row))
        likeness: Likeness = ()
        if refusal is None:
            likeness = tuple(getattr(measures, field) for field in shared(recipe))
            if wanted is not None and likeness != wanted:
                refusal = OTHER_PROFILE
        if refusal is not None:
            tally.refused[refusal] += 1
            continue
        place = _place(recipe, measures)
        yield Survivor(skeleton, row, likeness, 0 if place is None else place, number)


def asked_about(recipe: Recipe, survivor: Survivor, stream: Stream) -> tuple[Tree, Given] | None:
    """The tree that is asked about and what is given, for a survivor of a stream; None to ask nothing."""
    tree = plant(survivor.skeleton, recipe.payoffs, survivor.row)
    if recipe.asked.draw is None:
        return tree, NOTHING
    drawn = recipe.asked.draw(stream.sub("given", survivor.number), tree)
    if drawn is None or unsuited(recipe.asked, drawn[0], recipe.rules, drawn[1]) is not None:
        return None
    return drawn


def _place(recipe: Recipe, measures: Measures) -> Column | None:
    """The measure that is drawn evenly, of one tree or of many; None when none is.

    Leaves of trees of different shapes cannot be compared, so there they are not drawn evenly.
    """
    evenly = recipe.variants.evenly
    drawn = any(low < high for low, high in recipe.shape.branching)
    if evenly == "none" or (drawn and evenly in ("best-leaf", "pruned-leaves")):
        return None
    return getattr(measures, evenly.replace("-", "_"))


@dataclass(frozen=True, slots=True)
class Kindred:
    """The surveyed candidates of one likeness.

    How many there are, how many of the rarest common place, and for each common place, the commonest first,
    how many it has and some of them.
    """

    likeness: Likeness
    count: int
    rarest: int
    samples: tuple[tuple[int, int, tuple[Survivor, ...]], ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What the variants of one seed are to be: their likeness, and the places with their weights.

    Without a likeness the first exercise sets it; without weights any place will do. `patience` is how
    many candidates are tried for one place before it is another's turn.
    """

    likeness: Likeness | None
    weights: Mapping[int, int]
    patience: int


def _surveyed(recipe: Recipe) -> Stream:
    return Stream("survey").sub(recipe.kind)


@lru_cache(maxsize=64)
def survey(recipe: Recipe) -> tuple[Kindred, ...]:
    """What a recipe yields before separation, by likeness; always looks at the same candidates.

    Raises `ExhaustedError` when no candidate within the cap meets the requirements.
    """
    tally = Tally(recipe)
    enough = _enough(recipe)
    counts: dict[Likeness, Counter[int]] = {}
    samples: dict[tuple[Likeness, int], list[Survivor]] = {}
    source = survivors(recipe, _surveyed(recipe), tally)
    for survivor in source:
        if tally.candidates >= enough and counts:
            break
        if survivor is None:
            if tally.candidates >= recipe.cap and not counts:
                raise ExhaustedError(tally.report())
            continue
        counts.setdefault(survivor.likeness, Counter())[survivor.place] += 1
        few = samples.setdefault((survivor.likeness, survivor.place), [])
        if len(few) < SAMPLES:
            few.append(survivor)
    return tuple(
        Kindred(
            likeness,
            found.total(),
            min(count for count in found.values() if count * COMMON >= max(found.values())),
            tuple(
                (place, count, tuple(samples[likeness, place]))
                for place, count in sorted(found.items(), key=lambda entry: (-entry[1], entry[0]))
                if count * COMMON >= max(found.values())
            ),
        )
        for likeness, found in sorted(counts.items())
    )


def plan(recipe: Recipe, stream: Stream) -> Plan:
    """What the variants of a seed will have in common, and what is drawn evenly over them.

    One of `plans`, the more often the more exercises it yields.
    Raises `ExhaustedError` when no candidate within the cap meets the requirements.
    """
    choice = plans(recipe)
    drawn = stream.below(sum(share for share, _ in choice))
    for share, drawn_plan in choice:
        drawn -= share
        if drawn < 0:
            return drawn_plan
    raise AssertionError("the shares were summed before")


@lru_cache(maxsize=64)
def plans(recipe: Recipe) -> tuple[tuple[int, Plan], ...]:
    """The likenesses that are good for variants, with the share of the surveyed candidates each has.

    Variants of one likeness are to differ in their answers, so it must have about as many places as any;
    it must be common; and some surveyed candidates must separate. Where there is none such, variants take
    the likeness of the first exercise that is found.
    """
    kindred, enough = survey(recipe), _enough(recipe)
    most = max(len(kin.samples) for kin in kindred)
    wide = [kin for kin in kindred if 2 * len(kin.samples) >= most]
    narrow = [kin for kin in kindred if 2 * len(kin.samples) < most]
    found: list[_Found] = []
    for kin in (*_commonest_first(wide), *_commonest_first(narrow)):
        places, tried = _separating(recipe, kin)
        if places:
            patience = LONG * tried // len(places) * (enough // kin.rarest)
            found.append(_Found(kin.likeness, places, max(1, kin.count * len(places) // tried), patience))
            if len(found) == CHOICE:
                break
    if not found:
        return ((1, Plan(None, {}, recipe.cap)),)
    widest = max(len(each.places) for each in found)
    return _weighed(recipe, [each for each in found if 2 * len(each.places) >= widest])


@dataclass(frozen=True, slots=True)
class _Found:
    """A likeness: the places that separate, with their counts; its share of the candidates; its patience."""

    likeness: Likeness
    places: tuple[tuple[int, int], ...]
    share: int
    patience: int


def _weighed(recipe: Recipe, found: list[_Found]) -> tuple[tuple[int, Plan], ...]:
    """The plans of these likenesses with the weights of their places.

    Places are equally likely, but for sets of leaves: there are many, some of them rare, so their weights
    go with the square root of their counts, and are then levelled.
    """
    sets = recipe.variants.evenly == "pruned-leaves"
    weights = []
    for each in found:
        row = [isqrt(LEVEL * count) if sets else LEVEL for _, count in each.places]
        weights.append([max(1, LEVEL * each.share * weight // sum(row)) for weight in row])
    places = [tuple(place for place, _ in each.places) for each in found]
    if sets:
        _level(places, weights)
    return tuple(
        (sum(row), Plan(each.likeness, dict(zip(mine, row, strict=True)), each.patience))
        for each, mine, row in zip(found, places, weights, strict=True)
    )


def _enough(recipe: Recipe) -> int:
    """How many candidates a survey of a recipe tries."""
    return SEARCHED if recipe.shape.chance else SURVEYED


def _commonest_first(kindred: list[Kindred]) -> list[Kindred]:
    return sorted(kindred, key=lambda kin: (-kin.count, kin.likeness))


def _separating(recipe: Recipe, kin: Kindred) -> tuple[tuple[tuple[int, int], ...], int]:
    """The places at which some surveyed candidate separates, with their counts, and how many were tried."""
    places: list[tuple[int, int]] = []
    tried = 0
    for place, count, samples in kin.samples:
        for one in samples:
            tried += 1
            asked = asked_about(recipe, one, _surveyed(recipe))
            if asked is None:
                continue
            tree, given = asked
            if unseparated(recipe, tree, given, recipe.asked.key(tree, recipe.rules, given)) is None:
                places.append((place, count))
                break
    return tuple(places), tried


def _level(places: list[tuple[int, ...]], weights: list[list[int]]) -> None:
    """Change the weights of sets of leaves until no leaf is in more than half of them, as far as that goes.

    Whoever has to bet on a leaf then gains nothing. The sets that hold the likeliest leaf lose a sixteenth
    of their weight until it is no likelier than not; none falls below a fiftieth of where it started.
    """
    floors = [[weight // 50 + 1 for weight in row] for row in weights]
    leaves = max(place.bit_length() for row in places for place in row)
    for _ in range(LEVELLING):
        total = sum(map(sum, weights))
        pairs = [
            (place, weight)
            for row, each in zip(places, weights, strict=True)
            for place, weight in zip(row, each, strict=True)
        ]
        held = [sum(weight for place, weight in pairs if place >> leaf & 1) for leaf in range(leaves)]
        likeliest = max(range(leaves), key=held.__getitem__, default=0)
        if not held or 2 * held[likeliest] <= total:
            return
        for row, each, floor in zip(places, weights, floors, strict=True):
            for at, place in enumerate(row):
                if place >> likeliest & 1:
                    each[at] = max(floor[at], each[at] - each[at] // 16)
