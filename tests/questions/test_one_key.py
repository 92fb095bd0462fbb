"""The same question has one key: whatever changes the key is in the prompt, or in the picture of the tree."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from grader.base.phrases import ENGLISH
from grader.exercises.exercise import Exercise
from grader.generation.grower import grow_many
from grader.generation.recipe_file import default_recipe
from grader.questions import all_kinds, kind_by_code, load_kinds
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.kind import AnyKind
from grader.trees.rules import Rules, RulesError

CODES = [kind.code for kind in all_kinds()]

SOME, MANY = (8, 5), (20, 20)
"""How many exercises of each kind are looked at, and of each ask of its name for what else could be given."""

CHANGES: tuple[Mapping[str, Any], ...] = (
    {"ties": "keep"},
    {"returns": "hard"},
    {"test": "window"},
    {"order": "right-to-left"},
    {"bounds": (-100, 100)},
)


@cache
def _told(name: str, count: int) -> dict[str, list[Any]]:
    """What so many exercises of the kinds with this name give, by what it is called; nothing twice."""
    told: dict[str, list[Any]] = {}
    for code in load_kinds(name):
        for exercise in grow_many(default_recipe(code), "alike", count):
            for each, said in exercise.public.given.items():
                if said not in told.setdefault(each, []):
                    told[each].append(said)
    return told


def _others(kind: AnyKind, exercise: Exercise, count: int) -> Iterator[tuple[Rules, Given]]:
    """The exercise under other rules, and with what other exercises give, in place of its own or besides."""
    public = exercise.public
    for change in CHANGES:
        try:
            yield replace(public.rules, **change), public.given
        except RulesError:
            continue
    for name in kind.given_names:
        for said in _told(kind.name, count).get(name, ()):
            yield public.rules, Given({**public.given, name: said})
        yield public.rules, Given({each: said for each, said in public.given.items() if each != name})


@pytest.mark.parametrize(("exercises", "others"), [SOME, pytest.param(*MANY, marks=pytest.mark.slow)])
@pytest.mark.parametrize("code", CODES)
def test_the_same_question_has_one_key(code: str, exercises: int, others: int) -> None:
    """Other rules, or something else that is given, change the key only where they change the prompt."""
    kind = kind_by_code(code)
    for exercise in grow_many(default_recipe(code), "alike", exercises):
        public = exercise.public
        key = kind.key(public.case)
        prompt = kind.prompt(public.case, ENGLISH)
        for rules, given in _others(kind, exercise, others):
            if kind.objection(Case(public.tree, rules, given)) is None:
                same = kind.prompt(Case(public.tree, rules, given), ENGLISH) == prompt
                assert not same or kind.key(Case(public.tree, rules, given)) == key, (rules, given)
