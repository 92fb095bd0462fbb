"""The candidate pool of a recipe: the good trees from which all its exercises are made."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from grader.generation.candidate_pool_file import StoredPool, shipped_pool
from grader.generation.candidates import Block, PayoffRow, block_size, draw_block, mutate
from grader.generation.key_portfolio import balance_keys
from grader.generation.limits import beliefs_apart_from_each_other
from grader.generation.measures import Column
from grader.generation.mistake_credit import FULL_MARK_WEIGHT, batch_measured_beliefs
from grader.generation.recipe import Recipe
from grader.generation.selection import (
    UNMET_REQUIREMENT_WEIGHT,
    UNSEPARATED_WEIGHT,
    ExhaustedError,
    Refusals,
    SharedMeasures,
    Survivor,
    draw_question,
    judge_block,
    lazy_belief_answers,
    measure_block,
    select_survivors,
    separation_penalty,
)
from grader.generation.shape import draw_skeleton, has_few_sets
from grader.generation.stream import Stream
from grader.trees.tree import EMPTY, Tree

POOL_NODE_BUDGET = 40_000
"""How many nodes the candidates of one skeleton have in all."""

SKELETON_COUNT = 8
"""How many skeletons are drawn if the recipe does not fix the only one."""

MAX_GENERATIONS = 40
"""How often trees with a penalty are replaced by offspring."""

MAX_SINGLY_CHECKED_TREES = 600
"""How many trees are checked one by one if what mistakes earn cannot be measured of many at once."""

MAX_GOOD_TREES = 60
"""Stop checking trees one by one after this many good ones."""

MIN_GOOD_TREES = 12
"""Below this many good trees, accept slightly worse ones."""

MAX_GROUPS = 6
"""The most groups of a pool."""

MIN_ANSWERS = 6
"""Below this many answers, accept worse trees with other answers."""

MAX_SEARCHED_LEAVES = 1_000_000
"""How many leaves all candidates have that are searched one by one, which are those with chance nodes."""

LEAF_CHANGES = (24, 24, 16, 16, 12, 12, 8, 8, 6, 6, 5, 5, 4, 4, 4, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 0)
"""How often each child among the offspring is changed; the first good one is the least like its parent."""

MAX_POOLS_IN_MEMORY = 64
"""How many pools a process keeps."""

PenalizedSurvivor: TypeAlias = tuple[int, Survivor]
"""A penalty and the survivor that has it."""

SurvivorsByGroup: TypeAlias = dict[SharedMeasures, dict[int, list[Survivor]]]
"""The survivors by their shared measures and then by stratum."""

OnProgress: TypeAlias = Callable[[int], None]
"""Called with the number of candidates that were tried or checked so far."""


def ignore_progress(_done: int) -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class CandidateGroup:
    """Good trees with the same shared measures, by stratum.

    `stratum_slack` has the penalty that is accepted in a stratum if it is not that of the pool.
    """

    shared_measures: SharedMeasures
    trees_by_stratum: Mapping[int, tuple[Survivor, ...]]
    stratum_slack: Mapping[int, int] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The number of trees."""
        return sum(map(len, self.trees_by_stratum.values()))


@dataclass(frozen=True, slots=True)
class CandidatePool:
    """The good trees of a recipe, and the words that all modules use of them.

    - A candidate is a tree of the recipe's shape with payoffs (`grader.generation.candidates`).
    - A survivor is a candidate that meets all requirements. Its penalty is 0 if no mistake earns more on it
      than the recipe allows (`grader.generation.selection`).
    - A group has the survivors that agree in the measures that parallel variants share. All variants of one
      run come from one group.
    - The stratum of a survivor is its value of what the recipe spreads evenly, such as the best move.
    - The offspring of a tree are copies in which some payoffs are changed. Every exercise is made of one.

    A pool is built from random trees of a few skeletons. Trees with a penalty are replaced by offspring with
    a smaller one until most are good. `slack` is the largest penalty that is accepted.
    """

    groups: tuple[CandidateGroup, ...]
    slack: int

    def draw_group(self, stream: Stream) -> CandidateGroup:
        """Draw the group of a run of variants, with a probability proportional to its size."""
        offset = stream.below(sum(group.size for group in self.groups))
        for group in self.groups:
            offset -= group.size
            if offset < 0:
                return group
        raise AssertionError("the sizes were summed before")


_pools: dict[Recipe, CandidatePool] = {}
"""The pools that this process has loaded, the oldest first."""


def load_candidate_pool(recipe: Recipe, tell: OnProgress = ignore_progress) -> CandidatePool:
    """Return the pool of a recipe, always the same one: from its file, or else built now.

    Raises `ExhaustedError` when no candidate within the cap meets the requirements, and when beliefs that
    the recipe names cannot be separated from the key.
    """
    if recipe not in _pools:
        stored = shipped_pool(recipe) if recipe.question_kind.needs_tree else None
        pool = build_candidate_pool(recipe, tell) if stored is None else _restore_pool(recipe, stored)
        if len(_pools) >= MAX_POOLS_IN_MEMORY:
            _pools.pop(next(iter(_pools)))
        _pools[recipe] = pool
    return _pools[recipe]


def build_candidate_pool(
    recipe: Recipe, tell: OnProgress = ignore_progress, skeletons: int = SKELETON_COUNT
) -> CandidatePool:
    """Build the pool of a recipe from random trees; `skeletons` are tried if the shape does not fix one.

    1. Improve the trees of every skeleton.
    2. Check trees one by one if the penalties measured of many at once are not all there is.
    3. Accept penalties until there are `MIN_GOOD_TREES`, but never a full mark for a mistake unless the
       recipe names the beliefs that it separates.
    4. Accept more in some strata if there are too few answers.
    5. Keep the groups with the most strata.
    6. Drop strata of which nothing can be asked.

    Raises `ExhaustedError` when no tree is left.
    """
    if not recipe.question_kind.needs_tree:
        return CandidatePool((CandidateGroup((), {0: (Survivor(EMPTY, (), (), 0, 0),)}),), 0)
    refusals = Refusals(recipe)
    stream = _pool_stream(recipe)
    candidates: list[PenalizedSurvivor] = []
    for index in range(1 if recipe.shape.is_fixed else skeletons):
        candidates += _improve_trees(recipe, _skeleton_stream(recipe, index), refusals, tell)
    one_by_one = not batch_measured_beliefs(recipe) or bool(beliefs_apart_from_each_other(recipe))
    if one_by_one:
        candidates = _check_singly(recipe, candidates, stream, refusals, tell)
    penalties = sorted(penalty for penalty, _ in candidates)[:MIN_GOOD_TREES]
    slack = penalties[-1] if penalties else UNSEPARATED_WEIGHT
    limit = FULL_MARK_WEIGHT if recipe.separate.key is not None else UNSEPARATED_WEIGHT
    if slack >= limit:
        raise ExhaustedError(refusals.report())
    stratum_slack = _stratum_slack(recipe, candidates, slack, limit)
    by_group = _grouped(
        survivor for penalty, survivor in candidates if penalty <= stratum_slack.get(survivor.stratum, slack)
    )
    max_strata = max(map(len, by_group.values()))
    groups = [
        CandidateGroup(shared_measures, balance_keys(recipe, by_stratum), stratum_slack)
        for shared_measures, by_stratum in sorted(by_group.items())
        if 2 * len(by_stratum) >= max_strata
    ]
    groups.sort(key=lambda group: -len(group.trees_by_stratum))
    groups = groups[:MAX_GROUPS]
    if not one_by_one:
        groups = [_askable_strata(recipe, group, stream) for group in groups]
    groups = [group for group in groups if group.trees_by_stratum]
    if not groups:
        raise ExhaustedError(refusals.report())
    return CandidatePool(tuple(groups), slack)


def _grouped(survivors: Iterable[Survivor]) -> SurvivorsByGroup:
    by_group: SurvivorsByGroup = {}
    for survivor in survivors:
        by_stratum = by_group.setdefault(survivor.shared_measures, {})
        by_stratum.setdefault(survivor.stratum, []).append(survivor)
    return by_group


# The names of streams decide what a seed means, so they stay: "stock" is the pool, a "herd" has one skeleton.


def _pool_stream(recipe: Recipe) -> Stream:
    return Stream("stock").sub(recipe.kind)


def _skeleton_stream(recipe: Recipe, index: int) -> Stream:
    return _pool_stream(recipe).sub("herd", index)


def _skeletons(recipe: Recipe) -> list[Tree]:
    if not recipe.question_kind.needs_tree:
        return [EMPTY]
    count = 1 if recipe.shape.is_fixed else SKELETON_COUNT
    return [
        draw_skeleton(recipe.shape, _skeleton_stream(recipe, index).sub("shape", 0)) for index in range(count)
    ]


def _restore_pool(recipe: Recipe, stored: StoredPool) -> CandidatePool:
    """Measure the trees of a stored pool again, and group them."""
    import numpy

    skeletons = _skeletons(recipe)
    survivors: list[Survivor] = []
    for index in sorted({index for index, _ in stored.trees}):
        rows = [row for skeleton, row in stored.trees if skeleton == index]
        block = Block(skeletons[index], recipe.payoffs, numpy.array(rows, numpy.int64))
        measures, _, _ = measure_block(recipe, block)
        survivors += select_survivors(recipe, block, measures, numpy.ones(len(rows), numpy.bool_), 0)
    groups = (
        CandidateGroup(
            shared_measures, {stratum: tuple(trees) for stratum, trees in sorted(by_stratum.items())}
        )
        for shared_measures, by_stratum in sorted(_grouped(survivors).items())
    )
    return CandidatePool(tuple(groups), stored.slack)


def pool_record(recipe: Recipe, pool: CandidatePool) -> StoredPool:
    """Return a pool as it is stored."""
    skeletons = _skeletons(recipe)
    every = (tree for group in pool.groups for trees in group.trees_by_stratum.values() for tree in trees)
    trees = sorted((skeletons.index(tree.skeleton), tree.row) for tree in every)
    return StoredPool(pool.slack, tuple(trees))


def _askable_strata(recipe: Recipe, group: CandidateGroup, stream: Stream) -> CandidateGroup:
    """Return the group without strata of which nothing can be asked, judged by the first tree of each."""
    by_stratum = {
        stratum: trees
        for stratum, trees in group.trees_by_stratum.items()
        if not _single_penalty(recipe, trees[0], stream, UNSEPARATED_WEIGHT)[0]
    }
    return replace(group, trees_by_stratum=by_stratum)


def _stratum_slack(
    recipe: Recipe, candidates: Sequence[PenalizedSurvivor], slack: int, limit: int
) -> Mapping[int, int]:
    """Return the slack of additional strata, if the stratum is the answer and there are too few answers.

    A class in which all have the same answer is worse than one in which a mistake pays now and then.
    """
    if not (recipe.variants.is_drawn_by_search and has_few_sets(recipe.shape)):
        return {}
    smallest_penalty: dict[int, int] = {}
    for penalty, survivor in sorted(candidates, key=lambda each: (each[0], each[1].stratum)):
        if penalty < limit:
            smallest_penalty.setdefault(survivor.stratum, penalty)
    offered = list(smallest_penalty.items())[:MIN_ANSWERS]
    return {stratum: penalty for stratum, penalty in offered if penalty > slack}


def _improve_trees(
    recipe: Recipe, stream: Stream, refusals: Refusals, tell: OnProgress
) -> Iterator[PenalizedSurvivor]:
    """Yield the survivors of one skeleton, after replacing trees by better offspring again and again."""
    import numpy

    first = block = _starting_block(recipe, stream)
    # A limit on average is met most easily if every tree meets it.
    separate = replace(recipe.separate, most=min(recipe.separate.most, recipe.separate.average))
    strict = replace(recipe, separate=separate)
    penalty = _penalty_of(strict, block, refusals)
    for generation in range(MAX_GENERATIONS):
        tell(refusals.candidates)
        bad = (penalty > 0).nonzero()[0]
        if 4 * len(bad) <= len(penalty) or refusals.candidates >= max_candidates(recipe):
            break
        draws = stream.sub("generation", generation)
        steps = draws.below_each_many([4], len(bad))[:, 0] + 1
        offspring = mutate(block.select(bad), [draws], steps)
        offspring_penalty = _penalty_of(strict, offspring, refusals)
        better = offspring_penalty <= penalty[bad]
        places = block.places.copy()
        places[bad[better]] = offspring.places[better]
        penalty[bad[better]] = offspring_penalty[better]
        block = Block(block.skeleton, block.payoffs, places)
    if recipe.variants.is_drawn_by_search and has_few_sets(recipe.shape):
        # With few answers, keep those of the first trees too, even if mistakes earn more there.
        places = numpy.concatenate([block.places, first.places])
        block = Block(block.skeleton, block.payoffs, places)
    judgement = judge_block(recipe, block)
    is_met = judgement.penalty < UNMET_REQUIREMENT_WEIGHT
    survivors = select_survivors(recipe, block, judgement.measures, is_met, 0)
    yield from zip(judgement.penalty[is_met].tolist(), survivors, strict=True)


def _penalty_of(recipe: Recipe, block: Block, refusals: Refusals) -> Column:
    """Return the penalty of each candidate of a block, and count the refused ones."""
    judgement = judge_block(recipe, block)
    judgement.count(refusals)
    return judgement.penalty


def max_candidates(recipe: Recipe) -> int:
    """Return after how many candidates trees are not improved any more."""
    if not recipe.shape.chance:
        return recipe.cap
    return min(recipe.cap, MAX_SEARCHED_LEAVES // recipe.shape.max_leaves())


def _starting_block(recipe: Recipe, stream: Stream) -> Block:
    """Draw random trees of one skeleton, and keep those that come closest to the requirements."""
    import numpy

    block = draw_block(recipe, stream, *range(4 if recipe.shape.is_fixed else 1))
    size = max(32, POOL_NODE_BUDGET // len(block.skeleton))
    if not recipe.shape.is_fixed:
        size = min(size, block_size(recipe.shape))
    _, distance, _ = measure_block(recipe, block)
    return block.select(numpy.argsort(distance, kind="stable")[:size])


def _check_singly(
    recipe: Recipe,
    candidates: list[PenalizedSurvivor],
    stream: Stream,
    refusals: Refusals,
    tell: OnProgress,
) -> list[PenalizedSurvivor]:
    """Return the trees that were checked one by one, with what that adds to their penalties.

    Groups, strata and skeletons take turns, each with its best trees first, so that none is left out.
    """
    by_turn: dict[tuple[SharedMeasures, int, int], list[PenalizedSurvivor]] = {}
    for candidate in sorted(candidates, key=lambda each: each[0]):
        survivor = candidate[1]
        place = survivor.shared_measures, survivor.stratum, id(survivor.skeleton)
        by_turn.setdefault(place, []).append(candidate)
    checked: list[PenalizedSurvivor] = []
    # More than the worst of the best penalties so far need not be measured exactly.
    best_penalties = [UNSEPARATED_WEIGHT] * MIN_GOOD_TREES
    good = turn = 0
    queues = list(by_turn.values())
    while queues and len(checked) < MAX_SINGLY_CHECKED_TREES and good < max(MAX_GOOD_TREES, 2 * len(by_turn)):
        tell(refusals.candidates + len(checked))
        queues = [queue for queue in queues if turn < len(queue)]
        for queue in queues:
            batch_penalty, survivor = queue[turn]
            penalty, reason = _single_penalty(recipe, survivor, stream, best_penalties[-1])
            best_penalties = sorted([*best_penalties, penalty])[:MIN_GOOD_TREES]
            if penalty:
                refusals.refused[reason] += 1
            checked.append((batch_penalty + penalty, survivor))
            good += not penalty
        turn += 1
    return checked


def _single_penalty(recipe: Recipe, survivor: Survivor, stream: Stream, cutoff: int) -> tuple[int, str]:
    """Return the part of a penalty that is measured tree by tree, as `separation_penalty` does."""
    kind, case = recipe.question_kind, draw_question(recipe, survivor, stream)
    if case is None:
        return UNSEPARATED_WEIGHT, "nothing to ask"
    return separation_penalty(recipe, case, kind.key(case), lazy_belief_answers(kind, case), cutoff)


def offspring_blocks(
    recipe: Recipe, requests: Sequence[tuple[tuple[Survivor, ...], Stream]]
) -> Iterator[tuple[Block, list[int]]]:
    """Yield offspring for every request, which has its parents and its stream: one child per `LEAF_CHANGES`.

    The offspring of parents with one skeleton come in one block, with the indices of their requests; the
    children of one request follow each other.
    """
    import numpy

    requests_by_skeleton: dict[int, list[int]] = {}
    skeletons: list[Tree] = []
    rows: list[list[PayoffRow]] = []
    for index, (parents, stream) in enumerate(requests):
        skeleton = parents[stream.below(len(parents))].skeleton
        same_skeleton = [parent for parent in parents if parent.skeleton is skeleton]
        chosen = stream.below_each_many([len(same_skeleton)], len(LEAF_CHANGES))[:, 0].tolist()
        skeletons.append(skeleton)
        rows.append([same_skeleton[parent].row for parent in chosen])
        requests_by_skeleton.setdefault(id(skeleton), []).append(index)
    for indices in requests_by_skeleton.values():
        parent_rows = numpy.array([row for index in indices for row in rows[index]], numpy.int64)
        block = Block(skeletons[indices[0]], recipe.payoffs, parent_rows)
        streams = [requests[index][1] for index in indices]
        yield mutate(block, streams, numpy.array(LEAF_CHANGES * len(indices))), indices
