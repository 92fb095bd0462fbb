"""From a recipe and a seed to exercises: offspring of its candidate pool, separated, solved, marked."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from grader.answers.form import Terms
from grader.exercises.exercise import Exercise, ExerciseError, find_objection, make_exercise
from grader.generation.candidate_pool import LEAF_CHANGES, load_candidate_pool, offspring_blocks
from grader.generation.candidates import Block
from grader.generation.measures import has_profile, profile_of
from grader.generation.recipe import Recipe
from grader.generation.repeat_limits import EntryBalancer, RepeatLimiter
from grader.generation.selection import (
    BeliefAnswer,
    BlockJudgement,
    ExhaustedError,
    Refusals,
    Survivor,
    draw_question,
    judge_block,
    lazy_belief_answers,
    select_survivors,
    separation_penalty,
)
from grader.generation.stream import Seed, Stream
from grader.questions.case import Case
from grader.questions.given import NOTHING_GIVEN, Given
from grader.questions.kind import AnyKind
from grader.trees.rules import Rules
from grader.trees.tree import Payoff, Tree

ANSWER_PATIENCE = 8
"""How many repeated answers are refused in a row before each may come once more."""

UNSTRATIFIED_ANSWER_PATIENCE = 40
"""The same if nothing is spread evenly, so that answers are about equally frequent; and for entries."""

BOTTOM_PATTERN_PATIENCE = 200
"""The same for repeated patterns of bottom nodes."""

MAX_REPEATED_TREES = 400
"""Give up after this many repeated trees in a row."""

MAX_EMPTY_DRAWS = 5_000
"""Give up after this many draws in a row that gave nothing to ask: the recipe fixes what is never drawn."""


def grow(recipe: Recipe, seed: Seed) -> Exercise:
    """Grow one exercise. Raises `ExhaustedError` when the cap is reached, `TypeError` without a recipe."""
    if not isinstance(recipe, Recipe):
        raise TypeError(f"this is not a recipe, such as default_recipe and read_recipe give: {recipe!r}")
    return next(grow_many(recipe, seed, 1))


def grow_many(recipe: Recipe, seed: Seed, count: int) -> Iterator[Exercise]:
    """Grow parallel variants, equally hard, no two with the same tree.

    Answers and patterns of bottom nodes repeat only when new ones have become rare.
    The first exercises do not depend on `count`.
    Raises `ExhaustedError` when the cap is reached for one of them.
    """
    return Grower(recipe, seed).exercises(count)


MAX_BLOCKS_AHEAD = 16
"""The most strata whose offspring are judged together."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedOffspring:
    """The offspring of one stratum in a block that was judged together: `rows` are its children."""

    block: Block
    judgement: BlockJudgement
    rows: slice


class Grower:
    """Grows the variants of one recipe and one seed, and counts what is refused.

    They are offspring of one group of the candidate pool, without those that repeat or let a mistake earn too
    much. The strata of the group take turns.
    """

    def __init__(self, recipe: Recipe, seed: Seed) -> None:
        self.recipe, self.seed = recipe, seed
        self.refusals = Refusals(recipe)
        self._stream = Stream(seed).sub("grow", recipe.kind)
        self._pool = load_candidate_pool(recipe)
        self._group = self._pool.draw_group(self._stream.sub("likeness"))
        self._questions: set[Any] = set()
        self._repeated_trees = self._empty_draws = 0
        self._patterns = RepeatLimiter(BOTTOM_PATTERN_PATIENCE)
        self._answers = RepeatLimiter(
            UNSTRATIFIED_ANSWER_PATIENCE if recipe.variants.evenly == "none" else ANSWER_PATIENCE
        )
        if answers := recipe.question_kind.form.fixed_answers:
            # As if one had come before, so that the first exercises of many seeds have each answer as often.
            self._answers.record(self._stream.sub("first").choose(answers))
        self._entries = EntryBalancer(UNSTRATIFIED_ANSWER_PATIENCE)
        self._round: list[int] = []  # the strata that have not had their turn in this round
        self._rounds = 0
        self._batch = 0  # the number of the last offspring
        self._remaining = 1  # how many exercises are still to be grown
        self._judged: dict[tuple[int, int], JudgedOffspring] = {}  # by batch and stratum
        self._waiting: dict[int, Iterator[Survivor]] = {}
        self._last_reason = (
            ""  # the belief that refused the last tree: it is the first to be tried on the next
        )
        # Whether the stratum is the answer, or all of it but the numbers.
        self._stratum_is_answer = recipe.question_kind.depends_on_search == recipe.variants.is_drawn_by_search

    def exercises(self, count: int) -> Iterator[Exercise]:
        """Yield the next exercises of this seed."""
        for self._remaining in range(count, 0, -1):
            yield self._next_exercise()

    def _next_exercise(self) -> Exercise:
        start = self.refusals.candidates
        number = self.refusals.exercises + 1
        stratum = self._next_stratum(self._stream.sub("turn", number))
        while (
            self.refusals.candidates - start < self.recipe.cap
            and self._repeated_trees < MAX_REPEATED_TREES
            and self._empty_draws < MAX_EMPTY_DRAWS
        ):
            for survivor in self._waiting.setdefault(stratum, self._offspring(stratum)):
                exercise = self._exercise_of(survivor, number)
                if exercise is not None:
                    self.refusals.exercises += 1
                    return exercise
            del self._waiting[stratum]
        raise ExhaustedError(self.refusals.report())

    def _next_stratum(self, turns: Stream) -> int:
        """Draw the stratum whose turn it is: each has one turn in every round."""
        if not self._round:
            self._round = sorted(self._group.trees_by_stratum)
            if len(self._round) > 1 and self._stratum_is_answer:
                # A new round gives every answer again.
                self._answers.allow(self._rounds)
            self._rounds += 1
        return self._round.pop(turns.below(len(self._round)))

    def _offspring(self, stratum: int) -> Iterator[Survivor]:
        """Yield the next good offspring of a stratum, the least similar to their parents first."""
        parents = self._group.trees_by_stratum[stratum]
        self._batch += 1
        if not self.recipe.question_kind.needs_tree:
            self.refusals.candidates += 1
            yield replace(parents[0], number=self._batch)
            return
        if (self._batch, stratum) not in self._judged:
            self._judged = self._judge_batches(self._coming_batches(stratum))
        offspring = self._judged.pop((self._batch, stratum))
        slack, rows, judgement = self._slack(stratum), offspring.rows, offspring.judgement
        judgement.count(self.refusals, slack, rows)
        fit = judgement.penalty <= slack
        fit[: rows.start] = fit[rows.stop :] = False
        start = self._batch * len(LEAF_CHANGES) - rows.start
        for survivor in select_survivors(self.recipe, offspring.block, judgement.measures, fit, start):
            if (survivor.shared_measures, survivor.stratum) == (self._group.shared_measures, stratum):
                yield survivor
            else:
                self.refusals.refused["another profile than all variants are to have"] += 1

    def _coming_batches(self, stratum: int) -> list[tuple[int, int]]:
        """List this batch and the next ones with their strata, as they come if each has a good tree."""
        batches, strata, number = [(self._batch, stratum)], list(self._round), self.refusals.exercises + 1
        while strata and len(batches) < min(MAX_BLOCKS_AHEAD, self._remaining):
            number += 1
            stratum = strata.pop(self._stream.sub("turn", number).below(len(strata)))
            if stratum not in self._waiting:
                batches.append((self._batch + len(batches), stratum))
        return batches

    def _judge_batches(self, batches: list[tuple[int, int]]) -> dict[tuple[int, int], JudgedOffspring]:
        """Judge the offspring of several batches together."""
        requests = [
            (self._group.trees_by_stratum[stratum], self._stream.sub("litter", batch))
            for batch, stratum in batches
        ]
        judged, size = {}, len(LEAF_CHANGES)
        for block, indices in offspring_blocks(self.recipe, requests):
            judgement = judge_block(self.recipe, block)
            for start, index in zip(range(0, size * len(indices), size), indices, strict=True):
                judged[batches[index]] = JudgedOffspring(block, judgement, slice(start, start + size))
        return judged

    def _slack(self, stratum: int) -> int:
        """Return the largest penalty that is accepted in a stratum."""
        return self._group.stratum_slack.get(stratum, self._pool.slack)

    def _exercise_of(self, survivor: Survivor, number: int) -> Exercise | None:
        """Make the exercise of a survivor, or refuse it, count the reason and return None.

        It is refused, in this order, if

        1. there is nothing to ask,
        2. the same question of the same tree came before,
        3. the pattern of its bottom nodes, its answer or the entries of its answer came too often,
        4. a mistake earns too much.
        """
        recipe = self.recipe
        case = draw_question(recipe, survivor, self._stream)
        if case is None:
            reason = "nothing to ask with what is given" if recipe.given else "nothing to ask"
            self.refusals.refused[reason] += 1
            self._empty_draws += 1
            return None
        self._empty_draws = 0
        tree, given = case.tree, case.given
        if (tree, given) in self._questions:
            self.refusals.refused["question seen before"] += 1
            self._repeated_trees += 1
            return None
        self._repeated_trees = 0
        pattern = f"{bottom_node_pattern(tree)} {given}"
        if self._patterns.refuses(pattern):
            self.refusals.refused["bottom nodes seen before"] += 1
            return None
        key = recipe.question_kind.key(case)
        if self._answers.refuses(key):
            self.refusals.refused["answer given before"] += 1
            return None
        entries, possible = _entries(recipe.question_kind, key, tree)
        if possible and self._entries.refuses(entries, possible):
            self.refusals.refused["entries given before"] += 1
            return None
        answers = lazy_belief_answers(recipe.question_kind, case)
        slack = self._slack(survivor.stratum)
        penalty, reason = separation_penalty(recipe, case, key, answers, slack, self._last_reason)
        if penalty > slack:
            self.refusals.refused[reason] += 1
            self._last_reason = reason
            return None
        self._questions.add((replace(tree), given))  # a copy without derived columns takes less room
        self._patterns.record(pattern)
        self._answers.record(key)
        self._entries.record(entries)
        seed = f"{self.seed} #{number}"
        return _make(recipe.question_kind, case, recipe.question, seed, answers)


def _entries(kind: AnyKind, key: Any, tree: Tree) -> tuple[Collection[Any], int | Fraction | None]:
    """Return the entries of a key and the number of possible values of each; no entries if it is unknown."""
    if not kind.form.has_entries or kind.accepts is not None:
        return (), None
    possible = kind.form.answer_count(key, tree)
    return (key, possible) if possible else ((), None)


def order_pattern(tree: Tree) -> Sequence[Payoff | None]:
    """Return for every leaf how many different payoffs are smaller, aligned with the nodes.

    Payoffs that are not all numbers stay as they are.
    """
    if tree.unknowns or tree.seats:
        return tree.payoffs
    numbers: Any = {*tree.payoffs} - {None}
    ordered: dict[Payoff | None, int] = {number: rank for rank, number in enumerate(sorted(numbers))}
    return [*map(ordered.get, tree.payoffs)]


def bottom_node_pattern(tree: Tree) -> str:
    """Return the bottom nodes of a tree as sorted text: player, payoffs as in `order_pattern`, probabilities.

    A bottom node has a leaf as a child; where it is in the tree does not matter.
    """
    leaves = zip(order_pattern(tree), tree.probabilities, strict=True)
    branches = [str(payoff) if odds is None else f"{payoff}:{odds}" for payoff, odds in leaves]
    children = tree.children
    bottom = [
        f"{player} {' '.join([branches[child] for child in below])}"
        for player, below in zip(tree.players, children, strict=True)
        if below and not all(map(children.__getitem__, below))
    ]
    return "; ".join(sorted(bottom))


def _make(
    kind: AnyKind, case: Case, terms: Terms | None, seed: str | None, answers: BeliefAnswer | None = None
) -> Exercise:
    """Make the exercise, which solves the tree in two ways, reads the key back and marks it."""
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
