"""From a recipe and a seed to finished exercises: drawn, judged, separated, solved in two ways, marked."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from grader.answers.form import Terms
from grader.exercises.exercise import Exercise, ExerciseError, find_objection, make_exercise
from grader.generation.candidate_pool import LEAF_CHANGES_PER_CHILD, load_candidate_pool, offspring_blocks
from grader.generation.candidates import Block
from grader.generation.profile import has_profile, profile_of
from grader.generation.recipe import Recipe
from grader.generation.repeat_limits import EntryBalancer, RepeatLimiter
from grader.generation.selection import (
    BlockJudgement,
    ExhaustedError,
    Refusals,
    Survivor,
    draw_question,
    judge_block,
    select_survivors,
)
from grader.generation.separation import BeliefAnswer, lazy_belief_answers, separation_penalty
from grader.generation.stream import Seed, Stream
from grader.questions.case import Case
from grader.questions.given import NOTHING_GIVEN, Given
from grader.questions.kind import AnyKind
from grader.trees.rules import Rules
from grader.trees.tree import Payoff, Tree

ANSWER_PATIENCE = 8
"""How often an answer that was given before is refused in a row before it may be given once more."""

UNSTRATIFIED_ANSWER_PATIENCE = 40
"""The same where nothing is drawn evenly, so that answers are about as frequent as each other; of entries."""

BOTTOM_PATTERN_PATIENCE = 200
"""The same of bottom nodes that were seen before."""

MAX_REPEATED_TREES = 400
"""After so many trees in a row that were asked about before there are no others."""

MAX_EMPTY_DRAWS = 5_000
"""After so many draws in a row that gave nothing to ask, none will: what a recipe settles is never drawn."""


def grow(recipe: Recipe, seed: Seed) -> Exercise:
    """One exercise. Raises `ExhaustedError` when the cap is reached, `TypeError` for what is no recipe."""
    if not isinstance(recipe, Recipe):
        raise TypeError(f"this is no recipe, such as default_recipe and read_recipe give: {recipe!r}")
    return next(grow_many(recipe, seed, 1))


def grow_many(recipe: Recipe, seed: Seed, count: int) -> Iterator[Exercise]:
    """Parallel variants, equally hard, no two with the same tree.

    Answers, and bottom nodes with their payoffs told by their order, are given again only when new ones have
    become rare. The first exercises do not depend on how many are asked for.
    Raises `ExhaustedError` when the cap is reached for one of them.
    """
    return Grower(recipe, seed).exercises(count)


MAX_BLOCKS_AHEAD = 16
"""So many litters are judged together, where so many more exercises are wanted."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedOffspring:
    """One of the litters that were judged together: `rows` are its children."""

    block: Block
    judgement: BlockJudgement
    rows: slice


class Grower:
    """Grows the variants of one recipe and one seed, and keeps count."""

    def __init__(self, recipe: Recipe, seed: Seed) -> None:
        self.recipe, self.seed = recipe, seed
        self.refusals = Refusals(recipe)
        self._stream = Stream(seed).sub("grow", recipe.kind)
        self._stock = load_candidate_pool(recipe)
        self._family = self._stock.draw_group(self._stream.sub("likeness"))
        self._trees: set[Any] = set()
        self._same = self._empty = 0
        self._patterns = RepeatLimiter(BOTTOM_PATTERN_PATIENCE)
        self._given = RepeatLimiter(
            UNSTRATIFIED_ANSWER_PATIENCE if recipe.variants.evenly == "none" else ANSWER_PATIENCE
        )
        if answers := recipe.question_kind.form.fixed_answers:
            # So that the first exercise of a seed has each as often, too: as if another had come before it.
            self._given.record(self._stream.sub("first").choose(answers))
        self._entries = EntryBalancer(UNSTRATIFIED_ANSWER_PATIENCE)
        self._round: list[int] = []
        self._rounds = 0
        self._litters = 0
        self._wanted = 1
        self._ahead: dict[tuple[int, int], JudgedOffspring] = {}
        self._waiting: dict[int, Iterator[Survivor]] = {}
        self._likely = ""  # what spoke against the last tree
        # Whether the place that is drawn evenly is the answer, or all of it but the numbers.
        self._tells_place = recipe.question_kind.depends_on_search == recipe.variants.is_drawn_by_search

    def exercises(self, count: int) -> Iterator[Exercise]:
        """The next exercises of this seed, as many as asked for."""
        for self._wanted in range(count, 0, -1):
            yield self._grown()

    def _grown(self) -> Exercise:
        start = self.refusals.candidates
        number = self.refusals.exercises + 1
        place = self._turn(self._stream.sub("turn", number))
        while (
            self.refusals.candidates - start < self.recipe.cap
            and self._same < MAX_REPEATED_TREES
            and self._empty < MAX_EMPTY_DRAWS
        ):
            for survivor in self._waiting.setdefault(place, self._litter(place)):
                exercise = self._finished(survivor, number)
                if exercise is not None:
                    self.refusals.exercises += 1
                    return exercise
            del self._waiting[place]
        raise ExhaustedError(self.refusals.report())

    def _turn(self, turns: Stream) -> int:
        """Whose turn it is among the places that are drawn evenly: each has one in every round."""
        if not self._round:
            self._round = sorted(self._family.trees_by_stratum)
            if len(self._round) > 1 and self._tells_place:
                # A new round gives every answer again.
                self._given.allow(self._rounds)
            self._rounds += 1
        return self._round.pop(turns.below(len(self._round)))

    def _litter(self, place: int) -> Iterator[Survivor]:
        """The next good children of the trees of one place, those first that are least like them."""
        parents = self._family.trees_by_stratum[place]
        self._litters += 1
        if not self.recipe.question_kind.needs_tree:
            self.refusals.candidates += 1
            yield replace(parents[0], number=self._litters)
            return
        if (self._litters, place) not in self._ahead:
            self._ahead = self._judged(self._coming(place))
        litter = self._ahead.pop((self._litters, place))
        slack, rows, judgement = self._slack(place), litter.rows, litter.judgement
        judgement.count(self.refusals, slack, rows)
        fit = judgement.penalty <= slack
        fit[: rows.start] = fit[rows.stop :] = False
        start = self._litters * len(LEAF_CHANGES_PER_CHILD) - rows.start
        for survivor in select_survivors(self.recipe, litter.block, judgement.measures, fit, start):
            if (survivor.shared_measures, survivor.stratum) == (self._family.shared_measures, place):
                yield survivor
            else:
                self.refusals.refused["another profile than all variants are to have"] += 1

    def _coming(self, place: int) -> list[tuple[int, int]]:
        """The next litters, number and place: those that will be wanted when there are good ones in each."""
        coming, left, number = [(self._litters, place)], list(self._round), self.refusals.exercises + 1
        while left and len(coming) < min(MAX_BLOCKS_AHEAD, self._wanted):
            number += 1
            place = left.pop(self._stream.sub("turn", number).below(len(left)))
            if place not in self._waiting:
                coming.append((self._litters + len(coming), place))
        return coming

    def _judged(self, coming: list[tuple[int, int]]) -> dict[tuple[int, int], JudgedOffspring]:
        """Litters by number and place, judged together."""
        wanted = [
            (self._family.trees_by_stratum[place], self._stream.sub("litter", number))
            for number, place in coming
        ]
        found, size = {}, len(LEAF_CHANGES_PER_CHILD)
        for block, places in offspring_blocks(self.recipe, wanted):
            judgement = judge_block(self.recipe, block)
            for at, place in enumerate(places):
                found[coming[place]] = JudgedOffspring(block, judgement, slice(size * at, size * at + size))
        return found

    def _slack(self, place: int) -> int:
        """How much may speak against a tree of a place."""
        return self._family.stratum_slack.get(place, self._stock.slack)

    def _finished(self, survivor: Survivor, number: int) -> Exercise | None:
        """The exercise of a survivor, None with the reason among the refusals when it has to go."""
        recipe = self.recipe
        case = draw_question(recipe, survivor, self._stream)
        if case is None:
            what = "nothing to ask with what is given" if recipe.given else "nothing to ask"
            self.refusals.refused[what] += 1
            self._empty += 1
            return None
        self._empty = 0
        tree, given = case.tree, case.given
        if (tree, given) in self._trees:
            self.refusals.refused["question seen before"] += 1
            self._same += 1
            return None
        self._same = 0
        pattern = f"{bottom_node_pattern(tree)} {given}"
        if self._patterns.refuses(pattern):
            self.refusals.refused["bottom nodes seen before"] += 1
            return None
        key = recipe.question_kind.key(case)
        if self._given.refuses(key):
            self.refusals.refused["answer given before"] += 1
            return None
        entries, possible = _entries(recipe.question_kind, key, tree)
        if possible and self._entries.refuses(entries, possible):
            self.refusals.refused["entries given before"] += 1
            return None
        answers = lazy_belief_answers(recipe.question_kind, case)
        slack = self._slack(survivor.stratum)
        total, why = separation_penalty(recipe, case, key, answers, slack, self._likely)
        if total > slack:
            self.refusals.refused[why] += 1
            self._likely = why
            return None
        self._trees.add((replace(tree), given))  # without what was derived of it, which takes more room
        self._patterns.record(pattern)
        self._given.record(key)
        self._entries.record(entries)
        seed = f"{self.seed} #{number}"
        return _made(recipe.question_kind, case, recipe.question, seed, answers)


def _entries(kind: AnyKind, key: Any, tree: Tree) -> tuple[Collection[Any], int | Fraction | None]:
    """The entries of a key, and how many each could be; none where nobody can count them."""
    if not kind.form.has_entries or kind.accepts is not None:
        return (), None
    possible = kind.form.answer_count(key, tree)
    return (key, possible) if possible else ((), None)


def order_pattern(tree: Tree) -> Sequence[Payoff | None]:
    """The order of the payoffs, aligned with the nodes: for every leaf how many different ones are smaller.

    Payoffs that are not all numbers stay as they are.
    """
    if tree.unknowns or tree.seats:
        return tree.payoffs
    numbers: Any = {*tree.payoffs} - {None}
    ordered: dict[Payoff | None, int] = {number: rank for rank, number in enumerate(sorted(numbers))}
    return [*map(ordered.get, tree.payoffs)]


def bottom_node_pattern(tree: Tree) -> str:
    """The bottom nodes, their payoffs as in the order pattern, wherever they stand; a text takes little room.

    A bottom node is one with a leaf below it: it has its player, the payoffs, and how likely they are.
    """
    likely = zip(order_pattern(tree), tree.probabilities, strict=True)
    branches = [str(payoff) if odds is None else f"{payoff}:{odds}" for payoff, odds in likely]
    children = tree.children
    bottom = [
        f"{player} {' '.join([branches[child] for child in below])}"
        for player, below in zip(tree.players, children, strict=True)
        if below and not all(map(children.__getitem__, below))
    ]
    return "; ".join(sorted(bottom))


def _made(
    kind: AnyKind, case: Case, terms: Terms | None, seed: str | None, answers: BeliefAnswer | None = None
) -> Exercise:
    """The finished record; making it solves the tree in two ways, reads the key back and marks it."""
    tree, rules = case.tree, case.rules
    profile = profile_of(tree, rules, searching=kind.depends_on_search).to_json() if has_profile(tree) else {}
    return make_exercise(
        kind, tree, rules, terms, given=case.given, profile=profile, seed=seed, believed=answers
    )


def exercise_on_tree(
    tree: Tree, kind: AnyKind, rules: Rules, terms: Terms | None = None, given: Given = NOTHING_GIVEN
) -> Exercise:
    """The exercise a kind makes of a given tree: solved twice and read back, with no demands on the tree.

    Raises `ExerciseError` with the reason when the kind does not suit the tree.
    """
    reason = find_objection(kind, Case(tree, rules, given))
    if reason is not None:
        raise ExerciseError(reason)
    return _made(kind, Case(tree.bare(), rules, given), terms, None)
