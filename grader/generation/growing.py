"""From a recipe and a seed to finished exercises: drawn, judged, separated, solved in two ways, marked."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from grader.answers.form import Terms
from grader.exercise import Exercise, ExerciseError, make_exercise, unsuited
from grader.generation.breeding import litter, stock
from grader.generation.profile import has_profile, profile_of
from grader.generation.recipe import Recipe
from grader.generation.selection import ExhaustedError, Refusals, Survivor, asked_about, judged, survivors
from grader.generation.separation import against, believed
from grader.generation.stream import Seed, Stream
from grader.kinds.given import NOTHING, Given
from grader.kinds.kind import AnyKind
from grader.rules import Rules
from grader.tree import Payoff, Tree

PATIENCE = 8
"""How often an answer that was given before is refused in a row before it may be given once more."""


def grow(recipe: Recipe, seed: Seed) -> Exercise:
    """One exercise. Raises `ExhaustedError` when the cap is reached, `TypeError` for what is no recipe."""
    if not isinstance(recipe, Recipe):
        raise TypeError(f"this is no recipe, such as default_recipe and read_recipe give: {recipe!r}")
    return next(grow_many(recipe, seed, 1))


def grow_many(recipe: Recipe, seed: Seed, count: int) -> Iterator[Exercise]:
    """Parallel variants: equally hard, no two with the same bottom nodes, payoffs told by their order.

    Answers are given again only when new ones have become rare. The first exercises do not depend on how
    many are asked for.
    Raises `ExhaustedError` when the cap is reached for one of them.
    """
    return Grower(recipe, seed).exercises(count)


class Grower:
    """Grows the variants of one recipe and one seed, and keeps count."""

    def __init__(self, recipe: Recipe, seed: Seed) -> None:
        self.recipe, self.seed = recipe, seed
        self.tally = Refusals(recipe)
        self._stream = Stream(seed).sub("grow", recipe.kind)
        self._stock = stock(recipe)
        self._family = self._stock.drawn(self._stream.sub("likeness"))
        self._patterns: set[Any] = set()
        self._given: Counter[Any] = Counter()
        self._allowed = 0
        self._impatience = 0
        self._round: list[int] = []
        self._rounds = 0
        self._litters = 0
        self._waiting: dict[int, Iterator[Survivor]] = {}
        drawn_by_search = recipe.variants.evenly in ("visited", "pruned-leaves")
        # Whether the place that is drawn evenly is the answer, or all of it but the numbers.
        self._tells_place = recipe.asked.searches == drawn_by_search

    def exercises(self, count: int) -> Iterator[Exercise]:
        """The next exercises of this seed, as many as asked for."""
        for _ in range(count):
            yield self._grown()

    def _grown(self) -> Exercise:
        start = self.tally.candidates
        number = self.tally.exercises + 1
        place = self._turn(self._stream.sub("turn", number))
        while self.tally.candidates - start < self.recipe.cap:
            for survivor in self._waiting.setdefault(place, self._litter(place)):
                exercise = self._finished(survivor, number)
                if exercise is not None:
                    self.tally.exercises += 1
                    return exercise
            del self._waiting[place]
        raise ExhaustedError(self.tally.report())

    def _turn(self, turns: Stream) -> int:
        """Whose turn it is among the places that are drawn evenly: each has one in every round."""
        if not self._round:
            self._round = sorted(self._family.places)
            if len(self._round) > 1 and self._tells_place:
                # A new round gives every answer again.
                self._allowed = max(self._allowed, self._rounds)
            self._rounds += 1
        return self._round.pop(turns.below(len(self._round)))

    def _litter(self, place: int) -> Iterator[Survivor]:
        """The next good children of the trees of one place, those first that are least like them."""
        parents = self._family.places[place]
        self._litters += 1
        if not self.recipe.asked.needs_tree:
            self.tally.candidates += 1
            yield replace(parents[0], number=self._litters)
            return
        block, steps = litter(self.recipe, parents, self._stream.sub("litter", self._litters))
        measures, total = judged(self.recipe, block, self.tally, self._stock.slack)
        fit = total <= self._stock.slack
        for survivor in survivors(self.recipe, block, measures, fit, self._litters * len(steps)):
            if (survivor.likeness, survivor.place) == (self._family.likeness, place):
                yield survivor
            else:
                self.tally.refused["another profile"] += 1

    def _finished(self, survivor: Survivor, number: int) -> Exercise | None:
        """The exercise of a survivor, None with the reason in the tally when it has to go."""
        recipe = self.recipe
        asked = asked_about(recipe, survivor, self._stream)
        if asked is None:
            self.tally.refused["nothing to ask"] += 1
            return None
        tree, given = asked
        pattern = (bottom_pattern(tree), given)
        if pattern in self._patterns:
            self.tally.refused["bottom nodes seen before"] += 1
            return None
        key = recipe.asked.key(tree, recipe.rules, given)
        if self._given[key] > self._allowed:
            self.tally.refused["answer given before"] += 1
            self._impatience += 1
            if self._impatience >= PATIENCE:
                self._impatience = 0
                self._allowed += 1
            return None
        answers = believed(recipe.asked, tree, recipe.rules, given)
        total, why = against(recipe, tree, given, key, answers, self._stock.slack)
        if total > self._stock.slack:
            self.tally.refused[why] += 1
            return None
        self._impatience = 0
        self._patterns.add(pattern)
        self._given[key] += 1
        seed = f"{self.seed} #{number}"
        return _made(recipe.asked, tree, recipe.rules, recipe.question, given, seed, answers)


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


def bottom_pattern(tree: Tree) -> frozenset[Any]:
    """How often each bottom node is there, its payoffs as in the order pattern, wherever it stands.

    A bottom node is one with a leaf below it: it has its player, the payoffs, and how likely they are.
    """
    ordered = order_pattern(tree)
    bottom = Counter(
        (tree.players[node], tuple((ordered.payoffs[child], tree.probabilities[child]) for child in children))
        for node, children in enumerate(tree.children)
        if any(not tree.children[child] for child in children)
    )
    return frozenset(bottom.items())


def _made(
    kind: AnyKind,
    tree: Tree,
    rules: Rules,
    terms: Terms | None,
    given: Given,
    seed: str | None,
    answers: Mapping[str, Any] | None = None,
) -> Exercise:
    """The finished record; making it solves the tree in two ways, reads the key back and marks it."""
    profile = profile_of(tree, rules, searching=kind.searches).to_json() if has_profile(tree) else {}
    return make_exercise(kind, tree, rules, terms, given=given, profile=profile, seed=seed, believed=answers)


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
