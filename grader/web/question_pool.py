"""The questions of a page: exercises of every kind and level, grown ahead of time."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from threading import Lock, Thread
from typing import Any, Protocol

from grader.base.phrases import ENGLISH, Language, Phrase
from grader.base.progress import OnProgress
from grader.exercises.exercise import Exercise, ExerciseError
from grader.exercises.exercise_file import read_exercise
from grader.generation.grower import Grower, exercise_on_tree
from grader.generation.recipe import Recipe
from grader.generation.recipe_file import default_recipe, with_changes
from grader.generation.recipe_fit import fit_recipe
from grader.generation.selection import ExhaustedError
from grader.generation.stream import Seed
from grader.publishing.parallel import ParallelMap, in_turn
from grader.questions import kind_by_code
from grader.questions.titles import TITLES
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from grader.web.messages.handler import MessageHandler
from grader.web.messages.question_choice import belief_classes, separates_belief

EXAM, SMALL = "exam", "small"

LEVELS: Mapping[str, Phrase] = {EXAM: Phrase("trees as in exams"), SMALL: Phrase("small trees")}
"""The sizes of trees on a page; every kind has the first."""

QUESTIONS_AHEAD = 12
"""The number of questions that are grown ahead, so that some of them separate a misconception."""

QUESTION_SECONDS = 0.02
"""The average time in which one process grows a question."""

MAX_SMALL_CHILDREN = 2
"""The most children of a node in a small tree; the root may have one more."""


DEEP_EVERY = 5
"""One of this many questions about a search is on a tree of four plies, if those of an exam have three."""

DEEP_BRANCHING = (3, 2, 2, 2)
"""The children of the nodes of such a tree, level by level; it tells deep cutoffs from shallow ones."""

MORE_CANDIDATES = 60
"""How many more questions are tried for beliefs that the questions of a file do not separate."""


def read_question(record: Mapping[str, Any], language: Language) -> Exercise:
    """Read an exercise of a pool in a language. Raises `ValueError` if the record was changed."""
    exercise = read_exercise(record)
    if isinstance(exercise, Diagnostics):
        raise ValueError(str(exercise))
    is_spoken = exercise.public.terms.language_code == language.code
    return exercise if is_spoken else exercise.in_language(language)


def deep_recipe(kind: str) -> Recipe | None:
    """Return the recipe of a kind about a search for trees of four plies; None if it has no such trees."""
    recipe = default_recipe(kind)
    shape = recipe.shape
    if not recipe.question_kind.depends_on_search or len(shape.branching) != len(DEEP_BRANCHING) - 1:
        return None
    fits = fit_recipe(recipe, replace(shape, branching=tuple((count, count) for count in DEEP_BRANCHING)))
    deep = {"shape.branching": list(DEEP_BRANCHING), "shape.plies": len(DEEP_BRANCHING)}
    changed = with_changes(recipe, {**fits, **deep})
    return None if isinstance(changed, Diagnostics) else changed


def recipe_of(kind: str, level: str) -> Recipe:
    """Return the recipe of a kind at a level, or that of exams if it has no such level."""
    recipe = default_recipe(kind)
    branching = tuple(
        (min(low, MAX_SMALL_CHILDREN + (place == 0)), min(high, MAX_SMALL_CHILDREN + (place == 0)))
        for place, (low, high) in enumerate(recipe.shape.branching)
    )
    if level == EXAM or branching == recipe.shape.branching:
        return recipe
    levels = [low if low == high else [low, high] for low, high in branching]
    fits = fit_recipe(recipe, replace(recipe.shape, branching=branching))
    changed = with_changes(recipe, {**fits, "shape.branching": levels})
    return recipe if isinstance(changed, Diagnostics) else changed


@dataclass
class _Growing:
    """The questions of one kind and level, and their growers: the usual one, and perhaps one of deep trees.

    A grower that is exhausted is removed.
    """

    make_growers: Callable[[], list[Grower]]
    requests: int = 0
    records: list[Mapping[str, Any]] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    @cached_property
    def growers(self) -> list[Grower]:
        """The growers; fitting a recipe takes time, so they are made when the first question is grown."""
        return self.make_growers()

    def grow(self) -> None:
        """Grow one question, or remove a grower that has no more."""
        is_deep = len(self.records) % DEEP_EVERY == DEEP_EVERY - 1
        grower = self.growers[-1 if is_deep else 0]
        try:
            self.records += (each.to_json() for each in grower.exercises(1))
        except ExhaustedError:
            self.growers.remove(grower)


class QuestionSource(Protocol):
    """Where a class gets its questions: grown trees, or one that is given."""

    @property
    def language(self) -> Language:
        """The language of the questions."""

    @property
    def levels(self) -> Mapping[str, Phrase]:
        """The levels to choose from."""

    def questions(self, kind: str, level: str, number: int | None = None) -> list[Mapping[str, Any]]:
        """Return the exercises of a kind at a level: `number` of them or more, if there are as many.

        Without `number`, as many as a page shows.
        """


@dataclass(frozen=True, slots=True)
class GivenTreeQuestions:
    """The questions about one given tree: the exercise of each kind that suits it, at one level."""

    records: Mapping[str, Mapping[str, Any]]
    language: Language

    @classmethod
    def about(
        cls, tree: Tree, rules: Rules, kinds: Iterable[str], language: Language
    ) -> "GivenTreeQuestions":
        """Return the questions of those of the kinds that suit a tree."""
        records = {}
        for code in kinds:
            kind = kind_by_code(code)
            if kind.needs_tree:
                terms = default_recipe(code).question.in_language(language)
                with suppress(ExerciseError):
                    records[code] = exercise_on_tree(tree, kind, rules, terms).to_json()
        return cls(records, language)

    @property
    def levels(self) -> Mapping[str, Phrase]:
        """One level, so that there is nothing to choose."""
        return {EXAM: LEVELS[EXAM]}

    def questions(self, kind: str, level: str, number: int | None = None) -> list[Mapping[str, Any]]:
        """Return the one exercise of a kind; none if the kind does not suit the tree."""
        found = kind in self.records and level in self.levels
        return [self.records[kind]][:number] if found else []


class QuestionPool:
    """Questions by kind and level, grown on demand and kept; several threads may use it."""

    levels = LEVELS

    def __init__(
        self, number: int, seed: Seed, language: Language = ENGLISH, kinds: Container[str] = TITLES
    ) -> None:
        self._number, self._seed, self.language, self._kinds = number, seed, language, kinds
        self._grown: dict[tuple[str, str], _Growing] = {}
        self._lock = Lock()

    def questions(self, kind: str, level: str, number: int | None = None) -> list[Mapping[str, Any]]:
        """Return the exercises of a kind at a level that were grown so far, after growing up to `number`.

        By default this is the number of the pool; there are fewer if the grower is exhausted. A kind without
        that level has those of an exam; an unknown kind or level has none.
        """
        if level not in LEVELS or kind not in self._kinds:
            return []
        wanted = self._number if number is None else number
        with self._lock:
            growing = self._grown.get((kind, level))
            if growing is None:
                growing = self._grown[kind, level] = _Growing(partial(self._growers, kind, level))
        while len(growing.records) < wanted:
            # Locked for one question at a time: a request does not wait for those grown ahead.
            with growing.lock:
                if not growing.growers or len(growing.records) >= wanted:
                    break
                growing.grow()
        return list(growing.records)

    def _growers(self, kind: str, level: str) -> list[Grower]:
        """Return the growers of a kind at a level; an exam also has deep trees where there are good ones."""
        recipes = [recipe_of(kind, level)]
        if level == EXAM and (deep := deep_recipe(kind)) is not None:
            recipes.append(deep)
        growers = []
        for recipe in recipes:
            with suppress(ExhaustedError):  # there may be no good deep tree
                growers.append(Grower(recipe.in_language(self.language), f"{self._seed}/{level}"))
        return growers

    def grow_first_questions(self) -> None:
        """Start growing one question of every kind, so that the first one of a kind is there at once."""
        Thread(target=self._grow_first_questions, daemon=True).start()

    def _grow_first_questions(self) -> None:
        for kind in TITLES:
            self.questions(kind, EXAM, 1)

    def handler(self) -> MessageHandler:
        """Return a message handler with these questions."""
        return MessageHandler(self._more_questions, self.language)

    def _more_questions(self, kind: str, level: str, place: int | None) -> list[Mapping[str, Any]]:
        """Return the questions of a kind at a level, one more with every call, and grow some ahead.

        With a place, return those before the question there and this question, if there are that many.
        """
        if place is not None:
            return self.questions(kind, level, place % self._number + 1)
        if not self.questions(kind, level, 1):
            return []
        growing = self._grown[kind, level]
        with self._lock:
            growing.requests += 1
            wanted = min(self._number, growing.requests + 1)
        records = self.questions(kind, level, wanted)
        ahead = (kind, level, min(self._number, wanted + QUESTIONS_AHEAD))
        Thread(target=self.questions, args=ahead, daemon=True).start()
        return records


def grow_pools(
    number: int,
    seed: Seed,
    pairs: Iterable[tuple[str, str]],
    language: Language = ENGLISH,
    *,
    run: ParallelMap = in_turn,
    tell: OnProgress = lambda _pairs: None,
) -> dict[str, dict[str, list[Mapping[str, Any]]]]:
    """Grow the questions for a file: kind -> level -> records; `tell(1)` is called after each pair."""
    pools: dict[str, dict[str, list[Mapping[str, Any]]]] = {}
    for kind, level, questions in run(partial(_questions, number, seed, language), pairs):
        pools.setdefault(kind, {})[level] = questions
        tell(1)
    return pools


def _questions(
    number: int, seed: Seed, language: Language, pair: tuple[str, str]
) -> tuple[str, str, list[Mapping[str, Any]]]:
    """Grow the questions of a kind at a level, for a file; a quarter of `number` are small."""
    kind, level = pair
    small = max(1, number // 4)
    wanted = small if level == SMALL else number - small
    pool = QuestionPool(number, seed, language)
    records = pool.questions(kind, level, wanted)
    if level == EXAM and not separates_all(records):
        records = _separating(records, pool.questions(kind, level, wanted + MORE_CANDIDATES)[wanted:])
    return kind, level, records


def separates_all(records: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether each class of beliefs is separated from all others by at least one question."""
    return all(_is_separated(beliefs, records) for beliefs in belief_classes(records))


def _is_separated(beliefs: Sequence[str], records: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether one of these questions separates some beliefs from all others."""
    return any(separates_belief(each, *beliefs) for each in records)


def _separating(
    records: list[Mapping[str, Any]], candidates: Sequence[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Return these questions, the last ones replaced by candidates that separate what they do not."""
    remaining, chosen = list(records), list[Mapping[str, Any]]()
    for beliefs in belief_classes([*records, *candidates]):
        if not _is_separated(beliefs, [*remaining, *chosen]):
            found = [each for each in candidates if separates_belief(each, *beliefs)][:1]
            chosen += found
            del remaining[len(remaining) - len(found) :]
    return [*remaining, *chosen]
