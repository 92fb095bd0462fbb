"""Good trees for a recipe: random ones, changed little by little until no mistake earns too much."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from grader.generation.candidate_pool_file import StoredPool, shipped_pool
from grader.generation.candidate_search import Column
from grader.generation.candidates import Block, PayoffRow, block_size, draw_block, mutate
from grader.generation.key_portfolio import balance_keys
from grader.generation.limits import beliefs_apart_from_each_other
from grader.generation.mistake_credit import (
    FULL_MARK_WEIGHT,
    batch_measured_beliefs,
)
from grader.generation.recipe import Recipe
from grader.generation.requirements import measure_block
from grader.generation.selection import (
    UNMET_REQUIREMENT_WEIGHT,
    ExhaustedError,
    Refusals,
    SharedMeasures,
    Survivor,
    draw_question,
    judge_block,
    select_survivors,
)
from grader.generation.separation import UNSEPARATED_WEIGHT, lazy_belief_answers, separation_penalty
from grader.generation.shape import draw_skeleton, has_few_sets
from grader.generation.stream import Stream
from grader.trees.tree import EMPTY, Tree

if TYPE_CHECKING:
    pass


POOL_NODE_BUDGET = 40_000
"""How many nodes the trees have that are bred together, all in all."""

SKELETON_COUNT = 8
"""How many skeletons are tried where they are drawn."""

MAX_GENERATIONS = 40
"""How often every tree that is not yet good is changed."""

MAX_SINGLY_CHECKED_TREES = 600
"""How many trees are looked at one by one where that is the only way to see what mistakes earn."""

MAX_GOOD_TREES = 60
"""So many good ones among them are enough."""

MIN_GOOD_TREES = 12
"""With fewer good trees than that those are taken too on which mistakes earn a little more."""

MAX_GROUPS = 6
"""From how many likenesses that of a run of variants is drawn."""

MIN_ANSWERS = 6
"""With fewer answers than that, those are taken too whose trees let mistakes earn more."""


MAX_SEARCHED_LEAVES = 1_000_000
"""How many leaves candidates have, all in all, that are searched one by one: those of trees with chance."""


@dataclass(frozen=True, slots=True)
class CandidateGroup:
    """Good trees of one likeness: for every place that is drawn evenly, those that have it.

    `stratum_slack` is the slack of those places that have one of their own, so that there are more answers.
    """

    shared_measures: SharedMeasures
    trees_by_stratum: Mapping[int, tuple[Survivor, ...]]
    stratum_slack: Mapping[int, int] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many trees there are."""
        return sum(map(len, self.trees_by_stratum.values()))


@dataclass(frozen=True, slots=True)
class CandidatePool:
    """The families from which exercises of a recipe come.

    `slack` is how much speaks against the worst of their trees (`grader.generation.selection.judge_block`):
    0 where all mistakes keep within what the recipe allows.
    """

    groups: tuple[CandidateGroup, ...]
    slack: int

    def draw_group(self, stream: Stream) -> CandidateGroup:
        """The family of a run of variants, the more often the larger it is."""
        left = stream.below(sum(family.size for family in self.groups))
        for family in self.groups:
            left -= family.size
            if left < 0:
                return family
        raise AssertionError("the sizes were summed before")


OnProgress: TypeAlias = Callable[[int], None]
"""Hears how many candidates were tried or looked at so far."""


def ignore_progress(_done: int) -> None:
    """Tells nobody."""


@lru_cache(maxsize=64)
def _shelf(recipe: Recipe) -> list[CandidatePool]:
    """Where the stock of a recipe is kept: empty until it is there."""
    del recipe
    return []


def load_candidate_pool(recipe: Recipe, tell: OnProgress = ignore_progress) -> CandidatePool:
    """The good trees of a recipe, always the same ones: those in its file, or else bred anew.

    Raises `ExhaustedError` when no candidate within the cap meets the requirements, and when beliefs that
    the recipe names cannot be told from the key.
    """
    shelf = _shelf(recipe)
    if not shelf:
        known = shipped_pool(recipe) if recipe.question_kind.needs_tree else None
        shelf.append(build_candidate_pool(recipe, tell) if known is None else _again(recipe, known))
    return shelf[0]


def build_candidate_pool(
    recipe: Recipe, tell: OnProgress = ignore_progress, herds: int = SKELETON_COUNT
) -> CandidatePool:
    """The good trees of a recipe, bred from random ones; `herds` are tried where skeletons are drawn.

    Raises `ExhaustedError`.
    """
    if not recipe.question_kind.needs_tree:
        return CandidatePool((CandidateGroup((), {0: (Survivor(EMPTY, (), (), 0, 0),)}),), 0)
    refusals = Refusals(recipe)
    stream = _stream(recipe)
    found: list[tuple[int, Survivor]] = []
    for number in range(1 if recipe.shape.is_fixed else herds):
        found += _herd(recipe, _stream(recipe, number), refusals, tell)
    one_by_one = not batch_measured_beliefs(recipe) or bool(beliefs_apart_from_each_other(recipe))
    if one_by_one:
        found = _looked_at(recipe, found, stream, refusals, tell)
    worst = sorted(total for total, _ in found)
    slack = worst[min(len(worst), MIN_GOOD_TREES) - 1] if worst else UNSEPARATED_WEIGHT
    limit = FULL_MARK_WEIGHT if recipe.separate.key is not None else UNSEPARATED_WEIGHT
    if slack >= limit:
        raise ExhaustedError(refusals.report())
    beyond = _beyond(recipe, found, slack, limit)
    families: dict[SharedMeasures, dict[int, list[Survivor]]] = {}
    for total, survivor in found:
        if total <= beyond.get(survivor.stratum, slack):
            families.setdefault(survivor.shared_measures, {}).setdefault(survivor.stratum, []).append(
                survivor
            )
    wide = max(map(len, families.values()))
    chosen = [
        CandidateGroup(likeness, balance_keys(recipe, places), beyond)
        for likeness, places in sorted(families.items())
        if 2 * len(places) >= wide
    ]
    chosen.sort(key=lambda family: -len(family.trees_by_stratum))
    chosen = chosen[:MAX_GROUPS]
    if not one_by_one:
        chosen = [_asked_in(recipe, family, stream) for family in chosen]
    if not any(family.trees_by_stratum for family in chosen):
        raise ExhaustedError(refusals.report())
    return CandidatePool(tuple(family for family in chosen if family.trees_by_stratum), slack)


def _stream(recipe: Recipe, *herd: int) -> Stream:
    """What the stock of a recipe is drawn from, or one of its herds."""
    stream = Stream("stock").sub(recipe.kind)
    return stream.sub("herd", *herd) if herd else stream


def _skeletons(recipe: Recipe) -> list[Tree]:
    """The skeleton of every herd."""
    if not recipe.question_kind.needs_tree:
        return [EMPTY]
    count = 1 if recipe.shape.is_fixed else SKELETON_COUNT
    return [draw_skeleton(recipe.shape, _stream(recipe, herd).sub("shape", 0)) for herd in range(count)]


def _again(recipe: Recipe, known: StoredPool) -> CandidatePool:
    """The stock that was kept as these trees."""
    import numpy

    families: dict[SharedMeasures, dict[int, list[Survivor]]] = {}
    skeletons = _skeletons(recipe)
    for herd in sorted({herd for herd, _ in known.trees}):
        rows = [row for number, row in known.trees if number == herd]
        block = Block(skeletons[herd], recipe.payoffs, numpy.array(rows, numpy.int64))
        measures, _, _ = measure_block(recipe, block)
        for survivor in select_survivors(recipe, block, measures, numpy.ones(len(rows), numpy.bool_), 0):
            families.setdefault(survivor.shared_measures, {}).setdefault(survivor.stratum, []).append(
                survivor
            )
    found = [
        CandidateGroup(likeness, {place: tuple(places[place]) for place in sorted(places)})
        for likeness, places in sorted(families.items())
    ]
    return CandidatePool(tuple(found), known.slack)


def pool_record(recipe: Recipe, stock: CandidatePool) -> StoredPool:
    """A stock as it is kept."""
    skeletons = _skeletons(recipe)
    every = (tree for family in stock.groups for trees in family.trees_by_stratum.values() for tree in trees)
    trees = sorted((skeletons.index(tree.skeleton), tree.row) for tree in every)
    return StoredPool(stock.slack, tuple(trees))


def _asked_in(recipe: Recipe, family: CandidateGroup, stream: Stream) -> CandidateGroup:
    """The family without places of which nothing can be asked, told by one tree of each."""
    places = {
        place: trees
        for place, trees in family.trees_by_stratum.items()
        if not _against(recipe, trees[0], stream, UNSEPARATED_WEIGHT)[0]
    }
    return replace(family, trees_by_stratum=places)


def _beyond(
    recipe: Recipe, found: Sequence[tuple[int, Survivor]], slack: int, limit: int
) -> Mapping[int, int]:
    """The slack of those places that come besides, where the place is the answer and there are too few.

    A class in which all have the same answer is worse than one in which a mistake pays now and then.
    """
    if not (recipe.variants.is_drawn_by_search and has_few_sets(recipe.shape)):
        return {}
    least: dict[int, int] = {}
    for total, survivor in sorted(found, key=lambda each: (each[0], each[1].stratum)):
        if total < limit:
            least.setdefault(survivor.stratum, total)
    wide = list(least.items())[:MIN_ANSWERS]
    return {place: total for place, total in wide if total > slack}


def _herd(
    recipe: Recipe, stream: Stream, refusals: Refusals, tell: OnProgress
) -> Iterator[tuple[int, Survivor]]:
    """The trees of one skeleton that came of breeding and meet the requirements; what speaks against each."""
    import numpy

    first = block = _start(recipe, stream)
    # What has to be so on average is best so in every tree.
    wanted = replace(recipe.separate, most=min(recipe.separate.most, recipe.separate.average))
    better_than = replace(recipe, separate=wanted)
    total = _counted(better_than, block, refusals)
    for generation in range(MAX_GENERATIONS):
        tell(refusals.candidates)
        bad = (total > 0).nonzero()[0]
        if 4 * len(bad) <= len(total) or refusals.candidates >= max_candidates(recipe):
            break
        draws = stream.sub("generation", generation)
        steps = draws.below_each_many([4], len(bad))[:, 0] + 1
        children = mutate(block.select(bad), [draws], steps)
        after = _counted(better_than, children, refusals)
        better = after <= total[bad]
        places = block.places.copy()
        places[bad[better]] = children.places[better]
        total[bad[better]] = after[better]
        block = Block(block.skeleton, block.payoffs, places)
    if recipe.variants.is_drawn_by_search and has_few_sets(recipe.shape):
        # Of few answers none is given up for being better told from mistakes.
        places = numpy.concatenate([block.places, first.places])
        block = Block(block.skeleton, block.payoffs, places)
    judgement = judge_block(recipe, block)
    total = judgement.penalty
    good = select_survivors(recipe, block, judgement.measures, total < UNMET_REQUIREMENT_WEIGHT, 0)
    yield from zip(total[numpy.flatnonzero(total < UNMET_REQUIREMENT_WEIGHT)].tolist(), good, strict=True)


def _counted(recipe: Recipe, block: Block, refusals: Refusals) -> Column:
    """What speaks against each candidate of a block; those against which anything does are counted."""
    judgement = judge_block(recipe, block)
    judgement.count(refusals)
    return judgement.penalty


def max_candidates(recipe: Recipe) -> int:
    """After how many candidates nothing is changed any more."""
    return (
        min(recipe.cap, MAX_SEARCHED_LEAVES // recipe.shape.max_leaves())
        if recipe.shape.chance
        else recipe.cap
    )


def _start(recipe: Recipe, stream: Stream) -> Block:
    """Random trees of one skeleton, those that are least off of some blocks."""
    import numpy

    block = draw_block(recipe, stream, *range(4 if recipe.shape.is_fixed else 1))
    size = max(32, POOL_NODE_BUDGET // len(block.skeleton))
    if not recipe.shape.is_fixed:
        size = min(size, block_size(recipe.shape))
    _, off, _ = measure_block(recipe, block)
    return block.select(numpy.argsort(off, kind="stable")[:size])


def _looked_at(
    recipe: Recipe, found: list[tuple[int, Survivor]], stream: Stream, refusals: Refusals, tell: OnProgress
) -> list[tuple[int, Survivor]]:
    """The trees with what else speaks against them, as far as that has to be looked at one by one.

    Likenesses, places and skeletons take turns, so that none of them is left out.
    """
    waiting: dict[tuple[SharedMeasures, int, int], list[tuple[int, Survivor]]] = {}
    for total, survivor in sorted(found, key=lambda each: each[0]):
        herd = id(survivor.skeleton)
        waiting.setdefault((survivor.shared_measures, survivor.stratum, herd), []).append((total, survivor))
    looked: list[tuple[int, Survivor]] = []
    totals = [UNSEPARATED_WEIGHT] * MIN_GOOD_TREES
    good = turn = 0
    rows = list(waiting.values())
    while rows and len(looked) < MAX_SINGLY_CHECKED_TREES and good < max(MAX_GOOD_TREES, 2 * len(waiting)):
        tell(refusals.candidates + len(looked))
        rows = [row for row in rows if turn < len(row)]
        for row in rows:
            total, why = _against(recipe, row[turn][1], stream, totals[-1])
            totals = sorted([*totals, total])[:MIN_GOOD_TREES]
            if total:
                refusals.refused[why] += 1
            looked.append((row[turn][0] + total, row[turn][1]))
            good += not total
        turn += 1
    return looked


def _against(recipe: Recipe, survivor: Survivor, stream: Stream, enough: int) -> tuple[int, str]:
    case, kind = draw_question(recipe, survivor, stream), recipe.question_kind
    if case is None:
        return UNSEPARATED_WEIGHT, "nothing to ask"
    return separation_penalty(recipe, case, kind.key(case), lazy_belief_answers(kind, case), enough)


def offspring_blocks(
    recipe: Recipe, wanted: Sequence[tuple[tuple[Survivor, ...], Stream]]
) -> Iterator[tuple[Block, list[int]]]:
    """Return the offspring of some trees: `LEAF_CHANGES_PER_CHILD` for each of them, most changed first.

    Each litter has its parents and a stream of its own. Those of one skeleton stand below each other in one
    block, with the places of their litters among those wanted.
    """
    import numpy

    alike: dict[int, list[int]] = {}
    firsts: list[Survivor] = []
    rows: list[list[PayoffRow]] = []
    for place, (parents, stream) in enumerate(wanted):
        first = parents[stream.below(len(parents))]
        of_one = [parent for parent in parents if parent.skeleton is first.skeleton]
        chosen = stream.below_each_many([len(of_one)], len(LEAF_CHANGES_PER_CHILD))[:, 0].tolist()
        firsts.append(first)
        rows.append([of_one[parent].row for parent in chosen])
        alike.setdefault(id(first.skeleton), []).append(place)
    for places in alike.values():
        every = numpy.array([row for place in places for row in rows[place]], numpy.int64)
        block = Block(firsts[places[0]].skeleton, recipe.payoffs, every)
        streams = [wanted[place][1] for place in places]
        yield mutate(block, streams, numpy.array(LEAF_CHANGES_PER_CHILD * len(places))), places


LEAF_CHANGES_PER_CHILD = (
    24,
    24,
    16,
    16,
    12,
    12,
    8,
    8,
    6,
    6,
    5,
    5,
    4,
    4,
    4,
    3,
    3,
    3,
    3,
    2,
    2,
    2,
    2,
    1,
    1,
    1,
    1,
    1,
    0,
)
"""How often the children of a litter are changed; the first that is good is the least like its parent."""
