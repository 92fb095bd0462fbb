"""Good trees for a recipe: random ones, changed little by little until no mistake earns too much."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from grader.generation.candidates import Block, Row, changed, draw_block, rows_of
from grader.generation.findings import Column, of_many
from grader.generation.limits import told_apart
from grader.generation.recipe import Recipe
from grader.generation.requirements import judge_many
from grader.generation.selection import (
    OFF,
    ExhaustedError,
    Likeness,
    Refusals,
    Survivor,
    asked_about,
    judge,
    survivors,
)
from grader.generation.separation import NEVER, against, believing
from grader.generation.shape import draw_skeleton, few_sets
from grader.generation.stock_file import Known, kept_trees
from grader.generation.stream import Stream
from grader.generation.worth import FULL, gained, gains, measured
from grader.trees.tree import EMPTY, Tree

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray


NODES = 40_000
"""How many nodes the trees have that are bred together, all in all."""

HERDS = 8
"""How many skeletons are tried where they are drawn."""

GENERATIONS = 40
"""How often every tree that is not yet good is changed."""

LOOKED = 600
"""How many trees are looked at one by one where that is the only way to see what mistakes earn."""

ENOUGH = 60
"""So many good ones among them are enough."""

FEW = 12
"""With fewer good trees than that those are taken too on which mistakes earn a little more."""

CHOICE = 6
"""From how many likenesses that of a run of variants is drawn."""

ANSWERS = 6
"""With fewer answers than that, those are taken too whose trees let mistakes earn more."""

KEYS = 32
"""So many sets of leaves are enough for a class."""

MEMBERS = 4
"""So many trees of each place are enough, those on which mistakes earn least; more where places are few."""

SEARCHED = 1_000_000
"""How many leaves candidates have, all in all, that are searched one by one: those of trees with chance."""

OFTEN = 700
"""The share of the variants, in thousandths, in which a leaf may be pruned."""

MARGIN, WEIGHT = 40, 5
"""How far averages, in thousandths, are kept below what is allowed, and what each step beyond that weighs."""

PAIRED = 400
"""The most sets of leaves that are compared with each other."""


@dataclass(frozen=True, slots=True)
class Family:
    """Good trees of one likeness: for every place that is drawn evenly, those that have it.

    `beyond` is the slack of those places that have one of their own, so that there are more answers.
    """

    likeness: Likeness
    places: Mapping[int, tuple[Survivor, ...]]
    beyond: Mapping[int, int] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many trees there are."""
        return sum(map(len, self.places.values()))


@dataclass(frozen=True, slots=True)
class Stock:
    """The families from which exercises of a recipe come.

    `slack` is how much speaks against the worst of their trees (`grader.generation.selection.judge`):
    0 where all mistakes keep within what the recipe allows.
    """

    families: tuple[Family, ...]
    slack: int

    def drawn(self, stream: Stream) -> Family:
        """The family of a run of variants, the more often the larger it is."""
        left = stream.below(sum(family.size for family in self.families))
        for family in self.families:
            left -= family.size
            if left < 0:
                return family
        raise AssertionError("the sizes were summed before")


Tell: TypeAlias = Callable[[int], None]
"""Hears how many candidates were tried or looked at so far."""


def quiet(_done: int) -> None:
    """Tells nobody."""


@lru_cache(maxsize=64)
def _shelf(recipe: Recipe) -> list[Stock]:
    """Where the stock of a recipe is kept: empty until it is there."""
    del recipe
    return []


def stock(recipe: Recipe, tell: Tell = quiet) -> Stock:
    """The good trees of a recipe, always the same ones: those in its file, or else bred anew.

    Raises `ExhaustedError` when no candidate within the cap meets the requirements, and when beliefs that
    the recipe names cannot be told from the key.
    """
    shelf = _shelf(recipe)
    if not shelf:
        known = kept_trees(recipe) if recipe.asked.needs_tree else None
        shelf.append(bred(recipe, tell) if known is None else _again(recipe, known))
    return shelf[0]


def bred(recipe: Recipe, tell: Tell = quiet, herds: int = HERDS) -> Stock:
    """The good trees of a recipe, bred from random ones; `herds` are tried where skeletons are drawn.

    Raises `ExhaustedError`.
    """
    if not recipe.asked.needs_tree:
        return Stock((Family((), {0: (Survivor(EMPTY, (), (), 0, 0),)}),), 0)
    refusals = Refusals(recipe)
    stream = _stream(recipe)
    found: list[tuple[int, Survivor]] = []
    for number in range(1 if recipe.shape.fixed else herds):
        found += _herd(recipe, _stream(recipe, number), refusals, tell)
    one_by_one = not measured(recipe) or bool(told_apart(recipe))
    if one_by_one:
        found = _looked_at(recipe, found, stream, refusals, tell)
    worst = sorted(total for total, _ in found)
    slack = worst[min(len(worst), FEW) - 1] if worst else NEVER
    limit = FULL if recipe.separate.key is not None else NEVER
    if slack >= limit:
        raise ExhaustedError(refusals.report())
    beyond = _beyond(recipe, found, slack, limit)
    families: dict[Likeness, dict[int, list[Survivor]]] = {}
    for total, survivor in found:
        if total <= beyond.get(survivor.place, slack):
            families.setdefault(survivor.likeness, {}).setdefault(survivor.place, []).append(survivor)
    wide = max(map(len, families.values()))
    chosen = [
        Family(likeness, _portfolio(recipe, places), beyond)
        for likeness, places in sorted(families.items())
        if 2 * len(places) >= wide
    ]
    chosen.sort(key=lambda family: -len(family.places))
    chosen = chosen[:CHOICE]
    if not one_by_one:
        chosen = [_asked_in(recipe, family, stream) for family in chosen]
    if not any(family.places for family in chosen):
        raise ExhaustedError(refusals.report())
    return Stock(tuple(family for family in chosen if family.places), slack)


def _stream(recipe: Recipe, *herd: int) -> Stream:
    """What the stock of a recipe is drawn from, or one of its herds."""
    stream = Stream("stock").sub(recipe.kind)
    return stream.sub("herd", *herd) if herd else stream


def _skeletons(recipe: Recipe) -> list[Tree]:
    """The skeleton of every herd."""
    if not recipe.asked.needs_tree:
        return [EMPTY]
    count = 1 if recipe.shape.fixed else HERDS
    return [draw_skeleton(recipe.shape, _stream(recipe, herd).sub("shape", 0)) for herd in range(count)]


def _again(recipe: Recipe, known: Known) -> Stock:
    """The stock that was kept as these trees."""
    import numpy

    families: dict[Likeness, dict[int, list[Survivor]]] = {}
    skeletons = _skeletons(recipe)
    for herd in sorted({herd for herd, _ in known.trees}):
        rows = [row for number, row in known.trees if number == herd]
        block = Block(skeletons[herd], recipe.payoffs, numpy.array(rows, numpy.int64))
        measures, _, _ = judge_many(recipe, block)
        for survivor in survivors(recipe, block, measures, numpy.ones(len(rows), numpy.bool_), 0):
            families.setdefault(survivor.likeness, {}).setdefault(survivor.place, []).append(survivor)
    found = [
        Family(likeness, {place: tuple(places[place]) for place in sorted(places)})
        for likeness, places in sorted(families.items())
    ]
    return Stock(tuple(found), known.slack)


def kept(recipe: Recipe, stock: Stock) -> Known:
    """A stock as it is kept."""
    skeletons = _skeletons(recipe)
    every = (tree for family in stock.families for trees in family.places.values() for tree in trees)
    trees = sorted((skeletons.index(tree.skeleton), tree.row) for tree in every)
    return Known(stock.slack, tuple(trees))


def _asked_in(recipe: Recipe, family: Family, stream: Stream) -> Family:
    """The family without places of which nothing can be asked, told by one tree of each."""
    places = {
        place: trees
        for place, trees in family.places.items()
        if not _against(recipe, trees[0], stream, NEVER)[0]
    }
    return replace(family, places=places)


def _beyond(
    recipe: Recipe, found: Sequence[tuple[int, Survivor]], slack: int, limit: int
) -> Mapping[int, int]:
    """The slack of those places that come besides, where the place is the answer and there are too few.

    A class in which all have the same answer is worse than one in which a mistake pays now and then.
    """
    if not (recipe.variants.by_search and few_sets(recipe.shape)):
        return {}
    least: dict[int, int] = {}
    for total, survivor in sorted(found, key=lambda each: (each[0], each[1].place)):
        if total < limit:
            least.setdefault(survivor.place, total)
    wide = list(least.items())[:ANSWERS]
    return {place: total for place, total in wide if total > slack}


def _herd(recipe: Recipe, stream: Stream, refusals: Refusals, tell: Tell) -> Iterator[tuple[int, Survivor]]:
    """The trees of one skeleton that came of breeding and meet the requirements; what speaks against each."""
    import numpy

    first = block = _start(recipe, stream)
    # What has to be so on average is best so in every tree.
    wanted = replace(recipe.separate, most=min(recipe.separate.most, recipe.separate.average))
    better_than = replace(recipe, separate=wanted)
    total = _counted(better_than, block, refusals)
    for generation in range(GENERATIONS):
        tell(refusals.candidates)
        bad = (total > 0).nonzero()[0]
        if 4 * len(bad) <= len(total) or refusals.candidates >= most_candidates(recipe):
            break
        draws = stream.sub("generation", generation)
        steps = draws.below_each_many([4], len(bad))[:, 0] + 1
        children = changed(block.only(bad), [draws], steps)
        after = _counted(better_than, children, refusals)
        better = after <= total[bad]
        places = block.places.copy()
        places[bad[better]] = children.places[better]
        total[bad[better]] = after[better]
        block = Block(block.skeleton, block.payoffs, places)
    if recipe.variants.by_search and few_sets(recipe.shape):
        # Of few answers none is given up for being better told from mistakes.
        places = numpy.concatenate([block.places, first.places])
        block = Block(block.skeleton, block.payoffs, places)
    judgement = judge(recipe, block)
    total = judgement.against
    good = survivors(recipe, block, judgement.measures, total < OFF, 0)
    yield from zip(total[numpy.flatnonzero(total < OFF)].tolist(), good, strict=True)


def _counted(recipe: Recipe, block: Block, refusals: Refusals) -> Column:
    """What speaks against each candidate of a block; those against which anything does are counted."""
    judgement = judge(recipe, block)
    judgement.count(refusals)
    return judgement.against


def most_candidates(recipe: Recipe) -> int:
    """After how many candidates nothing is changed any more."""
    return min(recipe.cap, SEARCHED // recipe.shape.widest()) if recipe.shape.chance else recipe.cap


def _start(recipe: Recipe, stream: Stream) -> Block:
    """Random trees of one skeleton, those that are least off of some blocks."""
    import numpy

    block = draw_block(recipe, stream, *range(4 if recipe.shape.fixed else 1))
    size = max(32, NODES // len(block.skeleton))
    if not recipe.shape.fixed:
        size = min(size, rows_of(recipe.shape))
    _, off, _ = judge_many(recipe, block)
    return block.only(numpy.argsort(off, kind="stable")[:size])


def _looked_at(
    recipe: Recipe, found: list[tuple[int, Survivor]], stream: Stream, refusals: Refusals, tell: Tell
) -> list[tuple[int, Survivor]]:
    """The trees with what else speaks against them, as far as that has to be looked at one by one.

    Likenesses, places and skeletons take turns, so that none of them is left out.
    """
    waiting: dict[tuple[Likeness, int, int], list[tuple[int, Survivor]]] = {}
    for total, survivor in sorted(found, key=lambda each: each[0]):
        herd = id(survivor.skeleton)
        waiting.setdefault((survivor.likeness, survivor.place, herd), []).append((total, survivor))
    looked: list[tuple[int, Survivor]] = []
    totals = [NEVER] * FEW
    good = turn = 0
    rows = list(waiting.values())
    while rows and len(looked) < LOOKED and good < max(ENOUGH, 2 * len(waiting)):
        tell(refusals.candidates + len(looked))
        rows = [row for row in rows if turn < len(row)]
        for row in rows:
            total, why = _against(recipe, row[turn][1], stream, totals[-1])
            totals = sorted([*totals, total])[:FEW]
            if total:
                refusals.refused[why] += 1
            looked.append((row[turn][0] + total, row[turn][1]))
            good += not total
        turn += 1
    return looked


def _against(recipe: Recipe, survivor: Survivor, stream: Stream, enough: int) -> tuple[int, str]:
    asked = asked_about(recipe, survivor, stream)
    if asked is None:
        return NEVER, "nothing to ask"
    tree, given = asked
    kind, rules = recipe.asked, recipe.rules
    answers = believing(kind, tree, rules, given)
    return against(recipe, tree, given, kind.key(tree, rules, given), answers, enough)


def _portfolio(recipe: Recipe, places: Mapping[int, list[Survivor]]) -> dict[int, tuple[Survivor, ...]]:
    """The places that are drawn evenly, with their trees.

    Of many sets of leaves `KEYS` are kept. Again and again that set goes which costs most: which has most in
    common with the others, in points that a neighbour earns, which makes mistakes earn more on average than
    the recipe allows, or which has leaves that are pruned too often.
    """
    import numpy

    names = measured(recipe)
    drawn = any(low < high for low, high in recipe.shape.branching)
    if not names or drawn or recipe.variants.evenly == "none":
        return {place: tuple(places[place]) for place in sorted(places)}
    average = int(1000 * recipe.separate.average)
    best: dict[int, tuple[Survivor, ...]] = {}
    shares = []
    members = max(MEMBERS, MEMBERS * KEYS // len(places))
    wide = sorted(places, key=lambda place: (-len(places[place]), place))[:PAIRED]
    every = _shares(recipe, names, [tree for place in wide for tree in places[place]])
    for place in wide:
        found, every = every[:, : len(places[place])], every[:, len(places[place]) :]
        order = numpy.maximum(found - average, 0).sum(axis=0).argsort(kind="stable")[:members]
        best[place] = tuple(places[place][row] for row in order.tolist())
        shares.append(found[:, order].sum(axis=1) // len(order))
    if recipe.variants.evenly != "pruned-leaves" or len(best) <= KEYS:
        return dict(sorted(best.items()))
    kept = numpy.array(sorted(range(len(best)), key=lambda number: list(best)[number]))
    worth, sets = numpy.array(shares), list(best)
    tree = best[sets[0]][0].skeleton
    visited = _visited(tree, sets)
    gain, whole = gained(
        recipe, tree, visited, numpy.broadcast_to(visited[:, :, None], (*visited.shape, len(sets)))
    )
    common = 1000 * gain // whole
    common = common + common.T
    pruned = 1000 * (~visited[list(tree.leaves)].T).astype(numpy.int64)
    while len(kept) > KEYS:
        cost = common[numpy.ix_(kept, kept)].sum(axis=1)
        for parts, limit in ((worth, average - MARGIN), (pruned, OFTEN - MARGIN)):
            often = parts[kept].sum(axis=0) > limit * len(kept)
            cost += WEIGHT * len(kept) * numpy.maximum(parts[kept][:, often] - limit, 0).sum(axis=1)
        kept = numpy.delete(kept, cost.argmax())
    return {sets[number]: best[sets[number]] for number in kept.tolist()}


def _shares(recipe: Recipe, names: tuple[str, ...], trees: list[Survivor]) -> "NDArray[numpy.int64]":
    """What mistakes earn, in thousandths of the full mark, mistakes by trees."""
    import numpy

    shares = numpy.zeros((len(names), len(trees)), numpy.int64)
    for skeleton in {id(tree.skeleton): tree.skeleton for tree in trees}.values():
        those = [place for place, tree in enumerate(trees) if tree.skeleton is skeleton]
        rows = numpy.array([trees[place].row for place in those], numpy.int64)
        block = Block(skeleton, recipe.payoffs, rows)
        gain, whole = gains(recipe, block, names, of_many(block, recipe.rules).visited)
        shares[:, those] = 1000 * gain // whole
    return shares


def _visited(tree: Tree, sets: list[int]) -> "NDArray[numpy.bool_]":
    """What is visited where these leaves are pruned, nodes by sets."""
    import numpy

    visited = numpy.ones((len(tree), len(sets)), numpy.bool_)
    for leaf, node in enumerate(tree.leaves):
        visited[node] = [not pruned >> leaf & 1 for pruned in sets]
    for node in reversed(tree.internal):
        visited[node] = numpy.logical_or.reduce([visited[child] for child in tree.children[node]])
    return visited


def litters(
    recipe: Recipe, wanted: Sequence[tuple[tuple[Survivor, ...], Stream]]
) -> Iterator[tuple[Block, list[int]]]:
    """Children of some trees, and of others: of each litter as many as `STEPS` says, most changed first.

    Each litter has its parents and a stream of its own. Those of one skeleton stand below each other in one
    block, with the places of their litters among those wanted.
    """
    import numpy

    alike: dict[int, list[int]] = {}
    firsts: list[Survivor] = []
    rows: list[list[Row]] = []
    for place, (parents, stream) in enumerate(wanted):
        first = parents[stream.below(len(parents))]
        of_one = [parent for parent in parents if parent.skeleton is first.skeleton]
        chosen = stream.below_each_many([len(of_one)], len(STEPS))[:, 0].tolist()
        firsts.append(first)
        rows.append([of_one[parent].row for parent in chosen])
        alike.setdefault(id(first.skeleton), []).append(place)
    for places in alike.values():
        every = numpy.array([row for place in places for row in rows[place]], numpy.int64)
        block = Block(firsts[places[0]].skeleton, recipe.payoffs, every)
        streams = [wanted[place][1] for place in places]
        yield changed(block, streams, numpy.array(STEPS * len(places))), places


STEPS = (24, 24, 16, 16, 12, 12, 8, 8, 6, 6, 5, 5, 4, 4, 4, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 0)
"""How often the children of a litter are changed; the first that is good is the least like its parent."""
