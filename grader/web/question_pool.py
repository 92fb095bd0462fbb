"""The questions of a page: vetted exercises of every kind and level, grown before anybody asks for them."""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
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
"""How large the trees of a page are; the first is what every kind has."""

QUESTIONS_AHEAD = 12
"""So many questions are grown ahead of those that were asked for: enough that some tell a mistake apart."""

QUESTION_SECONDS = 0.02
"""How long one process takes to grow a question, on the average of all kinds."""

MAX_SMALL_CHILDREN = 2
"""So many children a node of a small tree has, at most, and the root one more."""


def recipe_of(kind: str, level: str) -> Recipe:
    """The recipe of a kind at a level; that of an exam where the kind has no other."""
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
    """The questions of one kind and level: those that are grown, and what grows more."""

    grower: Grower | None
    asked: int = 0
    records: list[Mapping[str, Any]] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)


class QuestionPool:
    """Questions by kind and level, grown when they are asked for and then kept; several may ask at once."""

    def __init__(
        self, number: int, seed: Seed, language: Language = ENGLISH, kinds: Container[str] = TITLES
    ) -> None:
        self._number, self._seed, self.language, self._kinds = number, seed, language, kinds
        self._grown: dict[tuple[str, str], _Growing] = {}
        self._lock = Lock()

    def questions(self, kind: str, level: str, number: int | None = None) -> list[Mapping[str, Any]]:
        """The exercises of a kind at a level, so many if a tree of this shape allows as many different ones.

        A kind without that level has those of an exam; a level or a kind that the page has not has none.
        """
        if level not in LEVELS or kind not in self._kinds:
            return []
        wanted = self._number if number is None else number
        with self._lock:
            found = self._grown.get((kind, level))
            if found is None:
                recipe = recipe_of(kind, level).in_language(self.language)
                grower = Grower(recipe, f"{self._seed}/{level}")
                found = self._grown[kind, level] = _Growing(grower)
        while found.grower is not None and len(found.records) < wanted:
            with found.lock:  # for one question at a time, so that nobody waits for what is grown ahead
                if found.grower is None or len(found.records) >= wanted:
                    break
                try:
                    found.records += (each.to_json() for each in found.grower.exercises(1))
                except ExhaustedError:
                    found.grower = None
        return list(found.records)

    def handler(self) -> MessageHandler:
        """What answers messages with these questions."""
        return MessageHandler(self._more, self.language)

    def _more(self, kind: str, level: str) -> list[Mapping[str, Any]]:
        """The questions of a kind at a level, one more with every call, and some more are grown behind."""
        if not self.questions(kind, level, 1):
            return []
        growing = self._grown[kind, level]
        with self._lock:
            growing.asked += 1
            wanted = min(self._number, growing.asked + 1)
        there = self.questions(kind, level, wanted)
        ahead = (kind, level, min(self._number, wanted + QUESTIONS_AHEAD))
        Thread(target=self.questions, args=ahead, daemon=True).start()
        return there


def everything(
    number: int,
    seed: Seed,
    pairs: Iterable[tuple[str, str]],
    language: Language = ENGLISH,
    *,
    run: ParallelMap = in_turn,
    tell: Callable[[int], None] = lambda _pairs: None,
) -> dict[str, dict[str, list[Mapping[str, Any]]]]:
    """The questions of these kinds at these levels, for a file; `tell` hears of each pair that is done."""
    found: dict[str, dict[str, list[Mapping[str, Any]]]] = {}
    for kind, level, questions in run(partial(_questions, number, seed, language), pairs):
        found.setdefault(kind, {})[level] = questions
        tell(1)
    return found


def _questions(
    number: int, seed: Seed, language: Language, pair: tuple[str, str]
) -> tuple[str, str, list[Mapping[str, Any]]]:
    """A kind and a level with their questions, for a file: most as in exams, a quarter small."""
    kind, level = pair
    small = max(1, number // 4)
    wanted = small if level == SMALL else number - small
    return kind, level, QuestionPool(number, seed, language).questions(kind, level, wanted)
