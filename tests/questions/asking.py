"""How tests ask: about a tree as it is, or with what the kind draws beside it."""

import sys
from functools import cache
from types import ModuleType
from typing import cast

import pytest

import grader.questions
from grader.answers.form import Terms
from grader.base.phrases import ENGLISH, Language, Phrase
from grader.exercises.exercise import Exercise, find_objection, make_exercise
from grader.generation.stream import Stream
from grader.questions.case import Case
from grader.questions.given import NOTHING_GIVEN, Given
from grader.questions.kind import AnyKind
from grader.questions.randomness import Draw
from grader.questions.titles import TITLES
from grader.trees.rules import Rules
from grader.trees.tree import EMPTY, Tree


def with_kinds(monkeypatch: pytest.MonkeyPatch, *kinds: AnyKind) -> None:
    """Lets the program know these kinds as well, as modules with one line each, until the end of the test."""
    names = tuple(dict.fromkeys(kind.name for kind in kinds))
    monkeypatch.setattr(
        grader.questions, "KIND_NAMES", tuple(dict.fromkeys((*grader.questions.KIND_NAMES, *names)))
    )
    monkeypatch.setattr(grader.questions, "load_kinds", cache(grader.questions.load_kinds.__wrapped__))
    for name in names:
        module = ModuleType(f"grader.questions.{name.replace('-', '_')}")
        module.__dict__["KINDS"] = tuple(kind for kind in kinds if kind.name == name)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    for kind in kinds:
        monkeypatch.setitem(cast(dict[str, Phrase], TITLES), kind.code, Phrase(kind.code))


def drawn(
    kind: AnyKind, tree: Tree, rules: Rules, seed: int = 0, language: Language = ENGLISH
) -> tuple[Tree, Given] | None:
    """The tree asked about and what is given, as a kind draws it; None where it cannot be asked."""
    start = Case(tree if kind.needs_tree else EMPTY, rules)
    found = start if kind.draw is None else kind.draw(Draw(Stream(seed), language), start)
    return None if found is None or find_objection(kind, found) is not None else (found.tree, found.given)


def asked(kind: AnyKind, tree: Tree, rules: Rules, language: Language = ENGLISH) -> tuple[Tree, Given] | None:
    """The tree and nothing beside it where that can be asked about, else what the kind draws; or None."""
    if find_objection(kind, Case(tree, rules)) is None:
        return tree, NOTHING_GIVEN
    return drawn(kind, tree, rules, language=language)


def asked_of(kind: AnyKind, tree: Tree, rules: Rules, terms: Terms | None = None) -> Exercise:
    """The exercise that `asked` makes of a tree that suits the kind."""
    found = asked(kind, tree, rules, ENGLISH if terms is None else terms.language)
    assert found is not None
    return make_exercise(kind, found[0], rules, terms, given=found[1])
