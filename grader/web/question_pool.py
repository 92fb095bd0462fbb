"""The questions of a page: exercises of every kind and level, grown ahead of time."""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from threading import Lock, Thread
from typing import Any

from grader.base.phrases import ENGLISH, Language, Phrase
from grader.generation.grower import Grower
from grader.generation.recipe import Recipe
from grader.generation.recipe_file import default_recipe, with_changes
from grader.generation.recipe_fit import fit_recipe
from grader.generation.selection import ExhaustedError
from grader.generation.stream import Seed
from grader.publishing.parallel import ParallelMap, in_turn
from grader.questions.titles import TITLES
from grader.trees.notation.diagnostics import Diagnostics
from grader.web.messages.handler import MessageHandler

EXAM, SMALL = "exam", "small"

LEVELS: Mapping[str, Phrase] = {EXAM: Phrase("trees as in exams"), SMALL: Phrase("small trees")}
"""The sizes of trees on a page; every kind has the first."""

QUESTIONS_AHEAD = 12
"""The number of questions that are grown ahead, so that some of them separate a misconception."""

QUESTION_SECONDS = 0.02
"""The average time in which one process grows a question."""

MAX_SMALL_CHILDREN = 2
"""The most children of a node in a small tree; the root may have one more."""


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
    """The questions of one kind and level, and their grower, which is None when it is exhausted."""

    make_grower: Callable[[], Grower]
    requests: int = 0
    records: list[Mapping[str, Any]] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    @cached_property
    def grower(self) -> Grower | None:
        """The grower; fitting a recipe takes time, so it is made when the first question is grown."""
        return self.make_grower()


class QuestionPool:
    """Questions by kind and level, grown on demand and kept; several threads may use it."""

    def __init__(
        self, number: int, seed: Seed, language: Language = ENGLISH, kinds: Container[str] = TITLES
    ) -> None:
        self._number, self._seed, self.language, self._kinds = number, seed, language, kinds
        self._grown: dict[tuple[str, str], _Growing] = {}
        self._lock = Lock()

    def questions(self, kind: str, level: str, number: int | None = None) -> list[Mapping[str, Any]]:
        """Return the exercises of a kind at a level: `number` of them unless the grower is exhausted first.

        A kind without that level has those of an exam; an unknown kind or level has none.
        """
        if level not in LEVELS or kind not in self._kinds:
            return []
        wanted = self._number if number is None else number
        with self._lock:
            growing = self._grown.get((kind, level))
            if growing is None:
                growing = self._grown[kind, level] = _Growing(partial(self._grower, kind, level))
        while len(growing.records) < wanted:
            # Locked for one question at a time: a request does not wait for those grown ahead.
            with growing.lock:
                if growing.grower is None or len(growing.records) >= wanted:
                    break
                try:
                    growing.records += (each.to_json() for each in growing.grower.exercises(1))
                except ExhaustedError:
                    growing.grower = None
        return list(growing.records)

    def _grower(self, kind: str, level: str) -> Grower:
        return Grower(recipe_of(kind, level).in_language(self.language), f"{self._seed}/{level}")

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


def everything(
    number: int,
    seed: Seed,
    pairs: Iterable[tuple[str, str]],
    language: Language = ENGLISH,
    *,
    run: ParallelMap = in_turn,
    tell: Callable[[int], None] = lambda _pairs: None,
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
    return kind, level, QuestionPool(number, seed, language).questions(kind, level, wanted)
