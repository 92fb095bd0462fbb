"""From a recipe and a seed to exercises: good trees without repeats, solved, marked."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import ne
from typing import Any

from grader.answers.form import Terms
from grader.exercises.exercise import Exercise, ExerciseError, find_objection, make_exercise
from grader.generation.candidates import Block, PayoffRow, draw_block, mutate
from grader.generation.level import Survivor
from grader.generation.measures import has_profile, profile_of, shared_fields
from grader.generation.recipe import Recipe
from grader.generation.repeats import (
    RepeatLimiter,
    TableLimiter,
    bottom_node_pattern,
    has_table,
    payoff_ranks,
)
from grader.generation.selection import (
    NOTHING_TO_ASK,
    BeliefAnswer,
    ExhaustedError,
    GenerationReport,
    draw_question,
    judge_block,
    lazy_belief_answers,
    select_survivors,
    separation_penalty,
    shares_of_mistakes,
)
from grader.generation.stream import Seed, Stream
from grader.generation.survey import has_partial_credit, take_survey
from grader.questions.case import Case
from grader.questions.given import NOTHING_GIVEN, Given
from grader.questions.kind import AnyKind
from grader.trees.rules import Rules
from grader.trees.tree import Tree

ANSWER_PATIENCE = 8
"""How many repeated answers are refused in a row before each may come once more."""

UNSTRATIFIED_ANSWER_PATIENCE = 24
"""The same if nothing is spread evenly, so that answers are about equally frequent; and for entries."""

SET_PATIENCE = 60
"""The same for sets and orders, which hardly any two students should share."""

BOTTOM_PATTERN_PATIENCE = 200
"""The same for repeated patterns of bottom nodes."""

MAX_REPEATED_QUESTIONS = 400
"""Give up after this many repeated questions in a row: hardly any other is left."""

MAX_REFUSALS = 5_000
"""Give up after this many refusals since the last exercise."""

MAX_SHAPES = 60
"""How many shapes the trees of a run have at most: each costs the time of a block."""

MAX_WAITING_TREES = 128
"""How many trees of one block wait for their turn."""

OFFSPRING_COUNT = 64
"""How many changed copies of good trees are judged together, where few random trees are good."""

MAX_LEAF_CHANGES = 6
"""How often the leaves of such a copy are changed at most."""


KEY_SAMPLE = 32
"""Among the keys of this many good trees the key of an exercise is drawn that is one of a run."""


def grow(recipe: Recipe, seed: Seed) -> Exercise:
    """Grow one exercise. Raises `ExhaustedError` when the cap is reached, `TypeError` without a recipe."""
    if not isinstance(recipe, Recipe):
        raise TypeError(f"this is not a recipe, such as default_recipe and read_recipe give: {recipe!r}")
    return next(grow_many(recipe, seed, 1))


def grow_many(recipe: Recipe, seed: Seed, count: int, *, run: Seed | None = None) -> Iterator[Exercise]:
    """Grow parallel variants, equally hard, no two with the same tree.

    Answers and patterns of bottom nodes repeat only when new ones have become rare.
    The first exercises do not depend on `count`. Exercises of several seeds are equally hard as well if they
    have the same `run`, the seed from which the level is drawn.
    Raises `ExhaustedError` when the cap is reached for one of them.
    """
    return Grower(recipe, seed, run).exercises(count)


REPEATED_QUESTION, OTHER_LEVEL = "question seen before", "not at the level of the other variants"
"""Reasons of refusals that are counted in several places."""


class Rounds:
    """Gives each of the items once in every round, in random order."""

    def __init__(self, items: Sequence[int], stream: Stream) -> None:
        self._items, self._stream = tuple(items), stream
        self._remaining: list[int] = []
        self.finished = -1  # the number of rounds before this one

    def next(self) -> int:
        """Return the next item."""
        if not self._remaining:
            self._remaining = list(self._stream.shuffle(self._items))
            self.finished += 1
        return self._remaining.pop()


class Grower:
    """Grows the variants of one recipe and one seed, and counts refusals.

    They are good trees of one level of the survey, without those that repeat. The strata of the level take
    turns, and so do its shapes.

    With a `run` there are growers of other seeds that cannot be seen from here, whose exercises are to have
    other answers. So the first exercise is drawn in two steps: a key of the good trees at hand, each key
    equally likely, and then a tree that has it. A key that many trees have is as likely as any other.
    """

    def __init__(self, recipe: Recipe, seed: Seed, run: Seed | None = None) -> None:
        self.recipe, self.seed = recipe, seed
        self.report = GenerationReport(recipe.kind)
        self._stream = Stream(seed).sub("grow", recipe.kind)
        self._survey = take_survey(recipe)
        self._is_one_of_a_run = run is not None
        self._level = self._survey.draw_level(
            Stream(seed if run is None else run).sub("grow", recipe.kind).sub("level")
        )
        self._keys: dict[Any, Any] = {}  # by the question
        self._patterns = RepeatLimiter(BOTTOM_PATTERN_PATIENCE)
        self._answers = RepeatLimiter(
            ANSWER_PATIENCE
            if len(self._level.strata) > 1
            else SET_PATIENCE
            if has_partial_credit(recipe.question_kind)
            else UNSTRATIFIED_ANSWER_PATIENCE
        )
        if answers := recipe.question_kind.form.fixed_answers:
            # As if one had come before, so that the first exercises of many seeds have each answer as often.
            self._answers.record(self._stream.sub("first").choose(answers))
        self._tables = TableLimiter(UNSTRATIFIED_ANSWER_PATIENCE)
        self._strata = Rounds(self._level.strata, self._stream.sub("strata"))
        shapes = self._stream.sub("shapes").shuffle(range(len(self._level.skeletons)))[:MAX_SHAPES]
        self._skeletons = Rounds(shapes, self._stream.sub("skeletons"))
        self._wanted_key, self._draws = None, 0
        self._block_count = self._survivor_count = self._repeated = 0
        self._waiting: dict[tuple[int, int], list[Survivor]] = {}  # by skeleton and stratum
        # The belief that refused the last tree is the first to be tried on the next.
        self._last_reason = ""
        # Whether the stratum is the answer, or all of it but the numbers.
        self._stratum_is_answer = (
            len(self._level.strata) > 1
            and recipe.question_kind.depends_on_search == recipe.variants.is_drawn_by_search
        )

    def exercises(self, count: int) -> Iterator[Exercise]:
        """Yield the next exercises of this seed."""
        for _ in range(count):
            yield self._next_exercise()

    def _next_exercise(self) -> Exercise:
        """Return the next good exercise of the next stratum.

        Raises `ExhaustedError` after too many candidates, repeated questions or refused exercises.
        """
        start, number = self.report.candidates, self.report.exercises + 1
        refused = self._repeated = 0
        stratum = self._strata.next()
        if self._stratum_is_answer:
            # A new round gives every answer again.
            self._answers.allow(self._strata.finished)
        while (
            self.report.candidates - start < self.recipe.cap
            and self._repeated < MAX_REPEATED_QUESTIONS
            and refused < MAX_REFUSALS
        ):
            survivor = self._next_survivor(stratum)
            if survivor is None:
                continue
            exercise = self._exercise_of(survivor, number)
            if exercise is not None:
                self.report.exercises += 1
                return exercise
            refused += 1
        raise ExhaustedError(self.report)

    def _next_survivor(self, stratum: int) -> Survivor | None:
        """Return a good tree of this stratum on the next shape; None if its next block has none."""
        index = self._skeleton_of_a_key(stratum) if self._is_one_of_a_run else self._skeletons.next()
        shapes = self._shapes_waiting(stratum)
        # Rather a tree of a shape that came before than another block of one whose trees still wait.
        if index not in shapes and not (shapes and any(index == shape for shape, _ in self._waiting)):
            if self.recipe.question_kind.needs_tree:
                self._search_block(index)
            else:
                self._number_questions(index, stratum)
            if self._is_one_of_a_run:
                self._draw_by_key((index, stratum))
            shapes = self._shapes_waiting(stratum)
        if not shapes:
            return None
        place = (index if index in shapes else shapes[0]), stratum
        survivor = self._waiting[place].pop(0)
        if not self._waiting[place]:
            del self._waiting[place]
        return survivor

    def _shapes_waiting(self, stratum: int) -> list[int]:
        """Return the shapes with a waiting tree of this stratum, the first found first."""
        return [shape for shape, of in self._waiting if of == stratum]

    def _skeleton_of_a_key(self, stratum: int) -> int:
        """Draw a key of this stratum and a shape on which trees have it; any shape if keys hardly recur."""
        self._draws += 1
        stream, by_key = self._stream.sub("key", self._draws), dict[Any, list[int]]()
        for (index, of), keys in self._level.keys.items():
            for key in keys if of == stratum else ():
                by_key.setdefault(key, []).append(index)
        if not by_key:
            return self._skeletons.next()
        self._wanted_key = stream.choose(tuple(by_key))
        return stream.choose(by_key[self._wanted_key])

    def _number_questions(self, index: int, stratum: int) -> None:
        """Let questions wait that need no tree: their number alone tells them apart."""
        count = KEY_SAMPLE if self._is_one_of_a_run else 1
        for _ in range(count):
            self._survivor_count += 1
            survivor = Survivor(self._level.skeletons[index], (), (), stratum, self._survivor_count, ())
            self._waiting.setdefault((index, stratum), []).append(survivor)
        self.report.candidates += count

    def _draw_by_key(self, place: tuple[int, int]) -> None:
        """Keep some of the trees here, one for each key first: the wanted one, then others at random."""
        survivors = self._waiting.pop(place, [])
        by_key: dict[Any, list[Survivor]] = {}
        if not self._survey.is_rich:
            # Growers of a run change the same good trees: the most changed half differs most from theirs.
            parents = [payoff_ranks(row) for rows in self._level.rows for row in rows]
            by_changes = sorted(survivors, key=lambda each: -_least_changes(each.row, parents))
            survivors = by_changes[: -(-len(by_changes) // 2)]
        for survivor in survivors[:KEY_SAMPLE]:
            case = draw_question(self.recipe, survivor, self._stream)
            if case is not None:
                by_key.setdefault(self.recipe.question_kind.key(case), []).append(survivor)
        if not by_key:
            return
        keys = self._stream.sub("keys", self._survivor_count).shuffle(tuple(by_key))
        keys = tuple(sorted(keys, key=lambda key: key != self._wanted_key))
        self._waiting[place] = [
            by_key[key][turn]
            for turn in range(max(map(len, by_key.values())))
            for key in keys
            if turn < len(by_key[key])
        ]

    def _search_block(self, index: int) -> None:
        """Let good trees of this level wait that are found in another block of a shape."""
        import numpy

        recipe, level = self.recipe, self._level
        self._block_count += 1
        skeleton, stream = level.skeletons[index], self._stream.sub("block", self._block_count)
        if self._survey.is_rich:
            block = draw_block(recipe.payoffs, skeleton, stream)
        else:
            parents = numpy.array(level.rows[index], numpy.int64)
            chosen = stream.below_each_many([len(parents)], OFFSPRING_COUNT)[:, 0]
            block = mutate(Block(skeleton, recipe.payoffs, parents[chosen]), stream, MAX_LEAF_CHANGES)
        judgement = judge_block(recipe, block, self._survey.max_share)
        judgement.count(self.report)
        is_good = judgement.penalty <= max(self._survey.slack, *self._survey.stratum_slack.values(), 0)
        is_fit = is_good.copy()
        for field, wanted in zip(shared_fields(recipe), level.shared_measures, strict=True):
            is_fit &= getattr(judgement.measures, field) == wanted
        for share, (low, high) in zip(judgement.shares, level.shares, strict=False):
            is_fit &= (low <= share) & (share <= high)
        self.report.refused[OTHER_LEVEL] += int((is_good & ~is_fit).sum())
        rows = numpy.flatnonzero(is_fit)[:MAX_WAITING_TREES].tolist()
        for survivor in select_survivors(recipe, block, judgement, rows, self._survivor_count):
            self._survivor_count += 1
            stratum = survivor.stratum
            if stratum in level.strata and survivor.penalty <= self._survey.slack_of(stratum):
                self._waiting.setdefault((index, stratum), []).append(survivor)

    def _exercise_of(self, survivor: Survivor, number: int) -> Exercise | None:
        """Make the exercise of a survivor, or refuse it, count the reason and return None.

        It is refused, in this order, if

        1. there is nothing to ask,
        2. the same question of the same tree came before,
        3. the pattern of its bottom nodes, its answer or its entries came too often,
        4. a mistake earns too much, or more or less than in the other variants.
        """
        recipe = self.recipe
        case = draw_question(recipe, survivor, self._stream)
        if case is None:
            reason = f"{NOTHING_TO_ASK} with what is given" if recipe.given else NOTHING_TO_ASK
            self.report.refused[reason] += 1
            return None
        tree, given, kind = case.tree, case.given, recipe.question_kind
        if (tree, given) in self._keys:
            key = self._keys[tree, given]
            # Its answer came before as well: where few questions are left, others are waited for in vain.
            self._answers.offer(key, kind.form.answer_count(key, tree))
            self.report.refused[REPEATED_QUESTION] += 1
            self._repeated += 1
            return None
        self._repeated = 0
        pattern = f"{bottom_node_pattern(tree)} {given}"
        if not self._patterns.offer(pattern):
            self.report.refused["bottom nodes seen before"] += 1
            return None
        key = kind.key(case)
        possible = kind.form.answer_count(key, tree)
        if not self._answers.offer(key, possible):
            self.report.refused["answer given before"] += 1
            return None
        entries = key if has_table(kind) and len(key) > 1 else ()
        if entries and not self._tables.offer(entries, possible):
            self.report.refused["entries given before"] += 1
            return None
        self._keys[replace(tree), given] = key  # a copy without derived columns takes less room
        answers = lazy_belief_answers(kind, case)
        slack = self._survey.slack_of(survivor.stratum)
        penalty, reason = separation_penalty(
            recipe, case, key, answers, self._survey.max_share, slack, self._last_reason
        )
        if penalty > slack:
            self.report.refused[reason] += 1
            self._last_reason = reason
            return None
        if has_partial_credit(kind):
            shares = survivor.shares + shares_of_mistakes(recipe, case, key, answers)
            if not self._level.includes(shares, key):
                self.report.refused[OTHER_LEVEL] += 1
                return None
        self._patterns.record(pattern)
        self._answers.record(key)
        if entries:
            self._tables.record(entries)
        seed = f"{self.seed} #{number}"
        return _make(kind, case, recipe.question, seed, answers)


def _least_changes(row: PayoffRow, parents: Sequence[Sequence[object]]) -> int:
    """Return at how many leaves the ranks of a row differ from the nearest ones of as many leaves."""
    ranks = payoff_ranks(row)
    return min(
        (sum(map(ne, ranks, parent)) for parent in parents if len(parent) == len(ranks)), default=len(ranks)
    )


def _make(
    kind: AnyKind, case: Case, terms: Terms | None, seed: str | None, answers: BeliefAnswer | None = None
) -> Exercise:
    """Make the exercise, which solves the tree in two ways, reads the key back and marks it.

    `answers` gives those of the beliefs, if they have been computed already.
    """
    tree, rules = case.tree, case.rules
    profile = profile_of(tree, rules, searching=kind.depends_on_search).to_json() if has_profile(tree) else {}
    return make_exercise(
        kind, tree, rules, terms, given=case.given, profile=profile, seed=seed, believed=answers
    )


def exercise_on_tree(
    tree: Tree, kind: AnyKind, rules: Rules, terms: Terms | None = None, given: Given = NOTHING_GIVEN
) -> Exercise:
    """Make the exercise of a kind on a given tree: solved twice and read back, with no demands on the tree.

    Raises `ExerciseError` with the reason when the kind does not suit the tree.
    """
    reason = find_objection(kind, Case(tree, rules, given))
    if reason is not None:
        raise ExerciseError(reason)
    return _make(kind, Case(tree.bare(), rules, given), terms, None)
