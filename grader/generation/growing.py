"""From a recipe and a seed to finished exercises: drawn, judged, separated, solved in two ways, marked."""

from collections import Counter, deque
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from grader.answers.form import Terms
from grader.exercise import Exercise, ExerciseError, make_exercise, unsuited
from grader.generation.profile import has_profile, profile_of
from grader.generation.recipe import Recipe
from grader.generation.selection import ExhaustedError, Plan, Survivor, Tally, asked_about, plan, survivors
from grader.generation.separation import unseparated
from grader.generation.stream import Seed, Stream
from grader.kinds.given import NOTHING, Given
from grader.kinds.kind import AnyKind
from grader.rules import Rules
from grader.tree import Payoff, Tree

PATIENCE = 8
"""How often an answer that was given before is refused in a row before it may be given once more."""

ASIDE = 64
"""How many good candidates are kept for each place until it is that place's turn."""


def grow(recipe: Recipe, seed: Seed) -> Exercise:
    """One exercise. Raises `ExhaustedError` when the cap is reached."""
    return next(grow_many(recipe, seed, 1))


def grow_many(recipe: Recipe, seed: Seed, count: int) -> Iterator[Exercise]:
    """Parallel variants: equally hard, no two with the same order pattern of leaves.

    Answers are given again only when new ones have become rare. The first exercises do not depend on how
    many are asked for.
    Raises `ExhaustedError` when the cap is reached for one of them.
    """
    return Grower(recipe, seed).exercises(count)


class Grower:
    """Grows the variants of one recipe and one seed, and keeps count."""

    def __init__(self, recipe: Recipe, seed: Seed) -> None:
        self.recipe, self.seed = recipe, seed
        self.tally = Tally(recipe)
        self._stream = Stream(seed).sub("grow", recipe.kind)
        self._patterns: set[Any] = set()
        self._given: Counter[Any] = Counter()
        self._allowed = 0
        self._impatience = 0
        self._plan = plan(recipe, self._stream.sub("likeness"))
        self._source = self._candidates()
        self._round: dict[int, int] = {}
        self._rounds = 0
        self._aside: dict[int, deque[Survivor]] = {}

    def _candidates(self) -> Iterator[Survivor | None]:
        return survivors(self.recipe, self._stream, self.tally, likeness=self._plan.likeness)

    def exercises(self, count: int) -> Iterator[Exercise]:
        """The next exercises of this seed, as many as asked for."""
        for _ in range(count):
            yield self._grown()

    def _grown(self) -> Exercise:
        start = self.tally.candidates
        number = self.tally.exercises + 1
        turns = self._stream.sub("turn", number)
        while self.tally.candidates - start < self.recipe.cap:
            place = self._turn(turns)
            for survivor in self._wanted(place, self.tally.candidates + self._plan.patience):
                exercise = self._finished(survivor, number)
                if exercise is not None:
                    self.tally.exercises += 1
                    return exercise
            self.tally.refused["place not found in time"] += 1
        raise ExhaustedError(self.tally.report())

    def _turn(self, turns: Stream) -> int | None:
        """Whose turn it is: drawn by weight among the places that have not had theirs in this round."""
        if not self._plan.weights:
            return None
        if not self._round:
            self._round = dict(self._plan.weights)
            if self.recipe.variants.evenly in ("pruned-leaves", "visited"):
                # The place is the answer, or all of it but the numbers: a new round gives it again.
                self._allowed = max(self._allowed, self._rounds)
            self._rounds += 1
        drawn = turns.below(sum(self._round.values()))
        for place, weight in self._round.items():
            drawn -= weight
            if drawn < 0:
                del self._round[place]
                return place
        raise AssertionError("the weights were summed before")

    def _wanted(self, place: int | None, cap: int) -> Iterator[Survivor]:
        """The survivors for one place: first those laid aside, then new ones, until the cap is reached."""
        aside = self._aside.setdefault(-1 if place is None else place, deque(maxlen=ASIDE))
        while aside:
            yield aside.popleft()
        for survivor in self._source:
            if survivor is None:
                if self.tally.candidates >= cap:
                    return
            elif place is None or survivor.place == place:
                yield survivor
            else:
                self._aside.setdefault(survivor.place, deque(maxlen=ASIDE)).append(survivor)

    def _finished(self, survivor: Survivor, number: int) -> Exercise | None:
        """The exercise of a survivor, None with the reason in the tally when it has to go."""
        recipe = self.recipe
        asked = asked_about(recipe, survivor, self._stream)
        if asked is None:
            self.tally.refused["nothing to ask"] += 1
            return None
        tree, given = asked
        pattern = (order_pattern(tree), given)
        if pattern in self._patterns:
            self.tally.refused["order pattern seen before"] += 1
            return None
        key = recipe.asked.key(tree, recipe.rules, given)
        if self._given[key] > self._allowed:
            self.tally.refused["answer given before"] += 1
            self._impatience += 1
            if self._impatience >= PATIENCE:
                self._impatience = 0
                self._allowed += 1
            return None
        failed = unseparated(recipe, tree, given, key)
        if failed is not None:
            self.tally.refused[failed] += 1
            return None
        self._impatience = 0
        self._patterns.add(pattern)
        self._given[key] += 1
        if self._plan.likeness is None:
            self._plan = Plan(survivor.likeness, {}, recipe.cap)
            self._source = self._candidates()
        return _made(recipe.asked, tree, recipe.rules, recipe.question, given, f"{self.seed} #{number}")


def order_pattern(tree: Tree) -> Tree:
    """The tree with only the order of its payoffs left: for every leaf how many different ones are smaller.

    Payoffs that are not all numbers stay as they are.
    """
    row = [tree.payoffs[leaf] for leaf in tree.leaves]
    numbers = [payoff for payoff in row if isinstance(payoff, int | Fraction)]
    if len(numbers) < len(row):
        return tree
    ordered: dict[Payoff | None, int] = {number: rank for rank, number in enumerate(sorted(set(numbers)))}
    return tree.with_payoffs(tuple(ordered[payoff] for payoff in row))


def _made(
    kind: AnyKind, tree: Tree, rules: Rules, terms: Terms | None, given: Given, seed: str | None
) -> Exercise:
    """The finished record; making it solves the tree in two ways, reads the key back and marks it."""
    profile = profile_of(tree, rules, searching=kind.searches).to_json() if has_profile(tree) else {}
    return make_exercise(kind, tree, rules, terms, given=given, profile=profile, seed=seed)


def exercise_from(
    tree: Tree, kind: AnyKind, rules: Rules, terms: Terms | None = None, given: Given = NOTHING
) -> Exercise:
    """The exercise a kind makes of a given tree: solved twice and read back, with no demands on the tree.

    Raises `ExerciseError` with the reason when the kind does not suit the tree.
    """
    reason = unsuited(kind, tree, rules, given)
    if reason is not None:
        raise ExerciseError(reason)
    return _made(kind, tree.bare(), rules, terms, given, None)
