"""The survey of a recipe: on which shapes there are good trees, and what variants can have in common."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from grader.answers.form import all_or_nothing
from grader.base.progress import OnCount
from grader.generation.candidates import BLOCK_SIZE, Block, PayoffRow, draw_block, mutate
from grader.generation.level import CheckedTree, Level, SharedMeasures, Shares, Survivor, find_level
from grader.generation.mistake_credit import FULL_MARK_WEIGHT
from grader.generation.recipe import Recipe
from grader.generation.selection import (
    NOTHING_TO_ASK,
    UNMET_REQUIREMENT_WEIGHT,
    UNSEPARATED_WEIGHT,
    BlockJudgement,
    ExhaustedError,
    GenerationReport,
    draw_question,
    judge_block,
    lazy_belief_answers,
    select_survivors,
    separation_penalty,
    shares_of_mistakes,
    strata_of,
)
from grader.generation.shape import draw_skeleton, has_few_sets
from grader.generation.stream import Stream
from grader.questions.kind import AnyKind
from grader.trees.tree import EMPTY, Tree

SKELETON_COUNT = 140
"""How many skeletons are drawn if the recipe does not fix the only one; those that repeat are skipped."""

TARGET_GOOD_PER_BLOCK = 12
"""Improve the trees of a block until this many are good."""

MAX_GENERATIONS = 40
"""How often trees with a penalty are replaced by better offspring."""

MAX_OFFSPRING_CHANGES = 4
"""How often the leaves of a tree are changed for an offspring."""

MAX_SEARCHED_LEAVES = 1_000_000
"""How many leaves all candidates with chance nodes may have in a survey: those take ten times as long."""

MAX_CHECKED_TREES = 400
"""How many trees are checked one by one."""

MAX_GOOD_TREES, MAX_GOOD_PER_TURN = 60, 4
"""Stop checking trees one by one after this many good ones, and this many of each shape and stratum."""

SIMPLE_DIVISOR = 2
"""By how much smaller these are if no mistake earns a part of the mark: then no shares are compared."""

MAX_CHECKS_PER_GOOD_TREE = 4
"""Random trees are rich if one of this many is good when they are checked one by one."""

MIN_GOOD_TREES = 12
"""Below this many good trees, accept slightly worse ones."""

MIN_ACCEPTED_COPIES = 4
"""How many changed copies show that more trees of a stratum can be found with its slack."""

MAX_LEVELS = 6
"""The most levels of a survey."""

MIN_ANSWERS = 6
"""Below this many answers, accept worse trees with other answers."""


@dataclass(frozen=True, slots=True)
class Survey:
    """The result of a survey, and the words that all modules here use.

    - A candidate is a tree of the recipe's shape with payoffs (`grader.generation.candidates`).
    - A survivor is a candidate that meets all requirements. Its penalty is 0 if no mistake earns more on it
      than the recipe allows: then it is good (`grader.generation.selection`).
    - The stratum of a survivor is its value of what the recipe spreads evenly, such as the best move.
    - A level has the survivors that are equally hard. All variants of one run are of one level.

    - `max_share`: the largest share that a mistake may earn on its trees. It is `Recipe.max_average` if
      possible, because a limit on average is met most easily if every tree meets it.
    - `is_rich`: whether many random trees are good; else exercises are changed copies of the good ones.
    - `slack`: the largest penalty that is accepted; `stratum_slack` where it is another one in a stratum.
    """

    max_share: Fraction
    is_rich: bool
    slack: int
    stratum_slack: Mapping[int, int]
    levels: tuple[Level, ...]

    def slack_of(self, stratum: int) -> int:
        """Return the largest penalty that is accepted in a stratum."""
        return self.stratum_slack.get(stratum, self.slack)

    def draw_level(self, stream: Stream) -> Level:
        """Draw the level of a run of variants, with a probability proportional to its size."""
        offset = stream.below(sum(level.size for level in self.levels))
        for level in self.levels:
            offset -= level.size
            if offset < 0:
                return level
        raise AssertionError("the sizes were summed before")


_surveys: dict[tuple[Recipe, int], Survey] = {}
"""The surveys that this process has taken, by recipe and `skeletons`, the oldest first."""

MAX_SURVEYS_IN_MEMORY = 512
"""How many surveys a process keeps, each of about 10 KB: more than there are kinds, so that a page that asks
about all of them in turn takes each survey once."""


def take_survey(
    recipe: Recipe, tell: OnCount = lambda _done: None, skeletons: int = SKELETON_COUNT
) -> Survey:
    """Return the survey of a recipe, from this number of drawn skeletons if it does not fix the only one.

    It depends on these two alone, and is the same one in every language. It is kept, and returned again
    without a call of `tell`, which gets the number of candidates that were tried or checked so far.

    1. Take random trees, then trees improved step by step, then those that only meet the limit of single
       trees, until enough are good.
    2. If there are never enough, accept penalties until there are `MIN_GOOD_TREES`, but never a full mark for
       a mistake unless the recipe leaves open which beliefs it separates.
    3. Accept more in some strata if there are too few answers.
    4. Keep the levels with the most strata.

    Raises `ExhaustedError` when no candidate within the cap meets the requirements, and when beliefs that
    the recipe names cannot be separated from the key.
    """
    # What trees are worth does not depend on the words of the question.
    in_english = replace(recipe, question=replace(recipe.question, language_code="en", own=None))
    if (in_english, skeletons) not in _surveys:
        if len(_surveys) >= MAX_SURVEYS_IN_MEMORY:
            _surveys.pop(next(iter(_surveys)))
        _surveys[in_english, skeletons] = _survey(in_english, tell, skeletons)
    return _surveys[in_english, skeletons]


def has_partial_credit(kind: AnyKind) -> bool:
    """Return whether a mistake can earn a part of the mark."""
    return kind.accepts is None and kind.form.share is not all_or_nothing


def has_few_answers(recipe: Recipe) -> bool:
    """Return whether the stratum is the answer, and there are only a few sets of leaves to be pruned."""
    return recipe.variants.is_drawn_by_search and has_few_sets(recipe.shape)


def _survey(recipe: Recipe, tell: OnCount, skeletons: int) -> Survey:
    """Take the survey as `take_survey` says; it is not cached here."""
    if not recipe.question_kind.needs_tree and not has_partial_credit(recipe.question_kind):
        level = Level((), (), (0, 0), (1, 1), (EMPTY,), ((),), (0,), 1)
        return Survey(recipe.max_share, True, 0, {}, (level,))
    separate = recipe.separate
    strict, lenient = (
        replace(recipe, separate=replace(separate, most=limit))
        for limit in (min(recipe.max_share, recipe.max_average), recipe.max_share)
    )
    report = GenerationReport(recipe.kind)
    checked: list[CheckedTree] = []
    # Offspring of trees with few answers soon all have the same one.
    generations = 0 if has_few_answers(recipe) else MAX_GENERATIONS
    attempts = (strict, 0), (strict, generations), (lenient, generations)
    for candidate_recipe, generations in dict.fromkeys(attempts):
        candidates = _sample(candidate_recipe, generations, skeletons, report, tell)
        checked = _check_singly(candidate_recipe, candidates, report, tell)
        for number in range(OFFSPRING_ROUNDS if generations and recipe.question_kind.needs_tree else 0):
            if not _has_enough(checked):
                offspring = _offspring(
                    candidate_recipe, checked, Stream("offspring").sub(recipe.kind, number), report
                )
                checked += _check_singly(candidate_recipe, offspring, report, tell)
        if _has_enough(checked):
            break
    penalties = sorted(tree.penalty for tree in checked)[:MIN_GOOD_TREES]
    slack = penalties[-1] if penalties else UNSEPARATED_WEIGHT
    limit = FULL_MARK_WEIGHT if separate.key is not None else UNSEPARATED_WEIGHT
    if slack >= limit:
        raise ExhaustedError(report)
    stratum_slack = (
        _slack_for_another_answer(candidate_recipe, checked, slack, limit, report, tell)
        if recipe.spreads_another_answer
        else _stratum_slack(recipe, checked, slack, limit)
    )
    by_measures: dict[SharedMeasures, list[CheckedTree]] = {}
    for tree in checked:
        if tree.penalty <= stratum_slack.get(tree.survivor.stratum, slack):
            by_measures.setdefault(tree.survivor.shared_measures, []).append(tree)
    # Additional strata are so few that no level has several of them.
    spreads = (1, 1) if stratum_slack else (separate.spread, separate.mean_spread)
    max_spreads = [int(1000 * spread) for spread in spreads]
    levels = [find_level(trees, *max_spreads) for _, trees in sorted(by_measures.items())]
    max_strata = max(len(level.strata) for level in levels)
    divisor = 1 if recipe.spreads_another_answer else 2
    levels = [level for level in levels if divisor * len(level.strata) >= max_strata]
    levels.sort(key=lambda level: (-len(level.strata), -level.size))
    good = sum(tree.penalty <= slack for tree in checked)
    is_rich = not generations and good * MAX_CHECKS_PER_GOOD_TREE >= len(checked)
    return Survey(candidate_recipe.max_share, is_rich, slack, stratum_slack, tuple(levels[:MAX_LEVELS]))


def _has_enough(checked: Sequence[CheckedTree]) -> bool:
    """Return whether enough trees are good."""
    return sum(not tree.penalty for tree in checked) >= MIN_GOOD_TREES


def _sample(
    recipe: Recipe, generations: int, skeletons: int, report: GenerationReport, tell: OnCount
) -> list[Survivor]:
    """Return survivors of random blocks: the good ones of each, or its best ones if few are good."""
    if not recipe.question_kind.needs_tree:
        return [Survivor(EMPTY, (), (), 0, number, ()) for number in range(MAX_CHECKED_TREES)]
    stream = Stream("survey").sub(recipe.kind)
    candidates: list[Survivor] = []
    shapes: set[Any] = set()
    block_count = BLOCKS_OF_FIXED_SKELETON if recipe.shape.is_fixed else skeletons
    limit = report.candidates + max_candidates(recipe)
    for index in range(block_count):
        if index and report.candidates >= limit:
            break
        skeleton = draw_skeleton(recipe.shape, stream.sub("shape", index))
        shape = skeleton.parents, skeleton.probabilities
        if shape in shapes and not recipe.shape.is_fixed:
            continue
        shapes.add(shape)
        purpose = stream.sub("block", index)
        block = draw_block(recipe.payoffs, skeleton, purpose)
        block, judgement = _improved_block(recipe, block, purpose, generations, limit, report, tell)
        count = BLOCK_SIZE if has_few_answers(recipe) else MAX_SAMPLED_TREES // block_count
        candidates += _best_survivors(recipe, block, judgement, count)
    return candidates


def _best_survivors(
    recipe: Recipe, block: Block, judgement: BlockJudgement, count: int
) -> Iterator[Survivor]:
    """Yield the survivors of a block, smallest penalties first; `count` of each stratum if some are rare."""
    order = judgement.penalty.argsort(kind="stable")
    rows = order[judgement.penalty[order] < UNMET_REQUIREMENT_WEIGHT].tolist()
    strata = strata_of(recipe, judgement.measures) if recipe.spreads_another_answer else None
    by_stratum: dict[int, list[int]] = {}
    for row in rows:
        by_stratum.setdefault(0 if strata is None else int(strata[row]), []).append(row)
    rows = [row for same in by_stratum.values() for row in same[:count]]
    return select_survivors(recipe, block, judgement, rows, 0)


def _offspring(
    recipe: Recipe, checked: Sequence[CheckedTree], stream: Stream, report: GenerationReport
) -> list[Survivor]:
    """Return changed copies of the best trees that were checked one by one."""
    import numpy

    rows_by_skeleton: dict[int, list[PayoffRow]] = {}
    skeletons: dict[int, Tree] = {}
    for tree in sorted(checked, key=lambda each: each.penalty)[:PARENT_COUNT]:
        skeleton = tree.survivor.skeleton
        skeletons[id(skeleton)] = skeleton
        rows_by_skeleton.setdefault(id(skeleton), []).append(tree.survivor.row)
    candidates: list[Survivor] = []
    for number, (name, rows) in enumerate(rows_by_skeleton.items()):
        parents = numpy.array(rows * CHILDREN_PER_PARENT, numpy.int64)
        block = Block(skeletons[name], recipe.payoffs, parents)
        block = mutate(block, stream.sub(number), MAX_OFFSPRING_CHANGES)
        judgement = judge_block(recipe, block, recipe.max_share)
        judgement.count(report)
        candidates += _best_survivors(recipe, block, judgement, len(parents))
    return candidates


BLOCKS_OF_FIXED_SKELETON = 4
"""How many blocks a survey has of the only skeleton of a shape."""

MAX_SAMPLED_TREES = 2_000
"""How many trees of all blocks a survey has."""

OFFSPRING_ROUNDS, PARENT_COUNT, CHILDREN_PER_PARENT = 6, 16, 16
"""How often copies of how many trees are changed, and how many of each, if few of those checked are good."""


def _improved_block(
    recipe: Recipe,
    block: Block,
    stream: Stream,
    generations: int,
    limit: int,
    report: GenerationReport,
    tell: OnCount,
) -> tuple[Block, BlockJudgement]:
    """Judge a block, after replacing bad trees by better offspring until enough are good.

    No more are tried when `limit` candidates have been counted.
    """
    judgement = judge_block(recipe, block, recipe.max_share)
    judgement.count(report)
    penalty = judgement.penalty.copy()
    for generation in range(generations):
        tell(report.candidates)
        bad = (penalty > 0).nonzero()[0]
        if len(penalty) - len(bad) >= TARGET_GOOD_PER_BLOCK or report.candidates >= limit:
            break
        offspring = mutate(block.select(bad), stream.sub("generation", generation), MAX_OFFSPRING_CHANGES)
        offspring_judgement = judge_block(recipe, offspring, recipe.max_share)
        offspring_judgement.count(report)
        better = offspring_judgement.penalty <= penalty[bad]
        places = block.places.astype(offspring.places.dtype)
        places[bad[better]] = offspring.places[better]
        penalty[bad[better]] = offspring_judgement.penalty[better]
        block = Block(block.skeleton, block.payoffs, places)
    return block, judge_block(recipe, block, recipe.max_share) if generations else judgement


def max_candidates(recipe: Recipe) -> int:
    """Return after how many candidates trees are not improved any more."""
    if not recipe.shape.chance:
        return recipe.cap
    return min(recipe.cap, MAX_SEARCHED_LEAVES // recipe.shape.max_leaves())


def _check_singly(
    recipe: Recipe, candidates: list[Survivor], report: GenerationReport, tell: OnCount
) -> list[CheckedTree]:
    """Check trees one by one, with what that adds to their penalties, until enough are good.

    Measures, strata and skeletons take turns, each with its best trees first, so that none is left out.
    """
    by_turn: dict[tuple[SharedMeasures, int, int], list[Survivor]] = {}
    for survivor in sorted(candidates, key=lambda each: each.penalty):
        place = survivor.shared_measures, survivor.stratum, id(survivor.skeleton)
        by_turn.setdefault(place, []).append(survivor)
    stream = Stream("survey").sub(recipe.kind, "question")
    checked: list[CheckedTree] = []
    # More than the worst of the best penalties so far need not be measured exactly.
    best_penalties = [UNSEPARATED_WEIGHT] * MIN_GOOD_TREES
    good = turn = 0
    queues = list(by_turn.values())
    target = max(MAX_GOOD_TREES, MAX_GOOD_PER_TURN * len(queues))
    limit = MAX_CHECKED_TREES
    if not has_partial_credit(recipe.question_kind):
        target, limit = target // SIMPLE_DIVISOR, limit // SIMPLE_DIVISOR
    while queues and len(checked) < limit and good < target:
        tell(report.candidates + len(checked))
        queues = [queue for queue in queues if turn < len(queue)]
        for queue in queues:
            tree, reason = _check(recipe, queue[turn], stream, best_penalties[-1])
            best_penalties = sorted([*best_penalties, tree.penalty])[:MIN_GOOD_TREES]
            if tree.penalty > tree.survivor.penalty:
                report.refused[reason] += 1
            checked.append(tree)
            good += not tree.penalty
        turn += 1
    return checked


def _check(recipe: Recipe, survivor: Survivor, stream: Stream, cutoff: int) -> tuple[CheckedTree, str]:
    """Check one tree; also return the reason that adds most to its penalty."""
    kind, case = recipe.question_kind, draw_question(recipe, survivor, stream)
    if case is None:
        return CheckedTree(survivor, UNSEPARATED_WEIGHT, None, ()), NOTHING_TO_ASK
    key, answers = kind.key(case), lazy_belief_answers(kind, case)
    more, reason = separation_penalty(recipe, case, key, answers, recipe.max_share, cutoff)
    penalty = survivor.penalty + more
    shares: Shares = ()
    if has_partial_credit(recipe.question_kind) and penalty < UNSEPARATED_WEIGHT:
        shares = survivor.shares + shares_of_mistakes(recipe, case, key, answers)
    return CheckedTree(survivor, penalty, key, shares), reason


def _stratum_slack(
    recipe: Recipe, checked: Sequence[CheckedTree], slack: int, limit: int
) -> Mapping[int, int]:
    """Return the slack of additional strata, if there are too few answers.

    A class in which all have the same answer is worse than one in which a mistake pays now and then.
    """
    if not has_few_answers(recipe):
        return {}
    smallest_penalty: dict[int, int] = {}
    for tree in sorted(checked, key=lambda each: (each.penalty, each.survivor.stratum)):
        if tree.penalty < limit:
            smallest_penalty.setdefault(tree.survivor.stratum, tree.penalty)
    offered = list(smallest_penalty.items())[:MIN_ANSWERS]
    return {stratum: penalty for stratum, penalty in offered if penalty > slack}


def _slack_for_another_answer(
    recipe: Recipe,
    checked: Sequence[CheckedTree],
    slack: int,
    limit: int,
    report: GenerationReport,
    tell: OnCount,
) -> Mapping[int, int]:
    """Return the slack of strata that have too few good trees, so that no best move is left out.

    A slack accepts `MIN_GOOD_TREES` of its stratum. A stratum is left out if changed copies of these trees
    are hardly ever accepted as well: then no variant would be found.
    """
    by_stratum: dict[int, list[CheckedTree]] = {}
    for tree in sorted(checked, key=lambda each: each.penalty):
        if tree.penalty < limit:
            by_stratum.setdefault(tree.survivor.stratum, []).append(tree)
    wider: dict[int, int] = {}
    for stratum, trees in by_stratum.items():
        accepted = trees[:MIN_GOOD_TREES]
        highest, rows = accepted[-1].penalty, {tree.survivor.row for tree in accepted}
        if highest > slack:
            stream = Stream("offspring").sub(recipe.kind, "stratum", stratum)
            copies = _check_singly(recipe, _offspring(recipe, accepted, stream, report), report, tell)
            found = {
                copy.survivor.row
                for copy in copies
                if copy.survivor.stratum == stratum and copy.penalty <= highest
            }
            if len(found - rows) >= MIN_ACCEPTED_COPIES:
                wider[stratum] = highest
    return wider
