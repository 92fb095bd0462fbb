"""What every form makes of replies that are spelled in other ways, and of its boxes; held by golden files."""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import get_args

from grader.answers.form import AnyForm
from grader.base.numbers import write_number
from grader.exam.paper import ScanMode
from grader.exercises.exercise import Exercise, make_exercise
from grader.exercises.feedback import credit_explanation
from grader.exercises.marking import Marker
from grader.generation.grower import grow
from grader.generation.recipe_file import default_recipe
from grader.questions import all_kinds
from grader.scanning.box_names import part_marks
from tests.answers.every_form import FORMS, policies_of
from tests.conftest import Golden
from tests.stand_ins import NUMBERED, QUOTED, numbered, standing_in, transcripts

GOLDEN = Path(__file__).parent / "golden"

SCANS: tuple[ScanMode, ...] = get_args(ScanMode)

KINDS = 4
"""So many kinds with a form are asked, of as many names as there are."""


def spellings(text: str) -> Iterator[str]:
    """A reply in other spellings, good ones and bad ones."""
    yield from (text.upper(), text.lower(), f"{text}.", f"The answer is {text}", f"I think: {text} (I hope)")
    for old, new in (
        (" ", ", "),
        (" ", "\n"),
        (" ", "; "),
        (" ", " and "),
        (" ", ""),
        ("=", ": "),
        ("=", " is "),
        ("->", " to "),
        ("->", ":"),
        ("-", "−"),
        ("-", " - "),
        (",", "."),
        (",", ";"),
        (":", " -"),
        ("[", "("),
        ("/", ","),
    ):
        if old in text:
            yield text.replace(old, new)
    yield from (f"{text} or 3", f"not {text}", f"{text} 99", f"99 {text}", f"{text} none", f"{text}?")
    yield from (f"A {text}", f"A: {text}", f"{text} {text}", f"<= {text}", f"{text}/2", f"-{text}")
    yield from (f"{text} (the largest)", text[:-1], text[1:])
    yield from (re.sub(r"\d+", "7", text), re.sub(r"\d+", "x", text), " ".join(reversed(text.split())))
    yield from ("none", "nothing", "all", "MAX", "-inf", "1 2", "1-3", "A B", "B=1", "A->B", "true")
    yield "I don't know"


def test_what_forms_make_of_spellings(golden: Golden) -> None:
    """What spellings of key and beliefs earn, by every policy, and the boxes, are those of the files.

    What several forms say of replies stands in one of these.
    """
    with standing_in():
        texts = {form.name: "\n".join(_of_form(form)) for form in FORMS}
    for name, text in transcripts(texts).items():
        golden.hold(GOLDEN / f"{name}.txt", text)


def _of_form(form: AnyForm) -> Iterator[str]:
    """Some kinds with a form: the boxes, what replies earn, and what the policies make of beliefs."""
    chosen = {kind.name: kind for kind in all_kinds() if kind.form is form}
    for kind in islice(chosen.values(), KINDS):
        grown = grow(default_recipe(kind.code), 5)
        exercise, counted = (in_words(grown, code) for code in (QUOTED, NUMBERED))
        yield from (f"## {kind.code}", "", *boxes(counted), "")
        marker = Marker(exercise)
        made: dict[str, list[str]] = {}
        for text in dict.fromkeys((exercise.key, *islice(exercise.beliefs.values(), 3))):
            for reply in dict.fromkeys((text, *spellings(text))):
                mark = marker.mark(reply)
                made.setdefault(mark.message or f"{mark.understood} ({mark.points})", []).append(repr(reply))
        for told, replies in made.items():
            yield from (f"{told}:", textwrap.indent("\n".join(replies), "  "))
        yield from ("", *by_policies(exercise), "")


def in_words(exercise: Exercise, code: str) -> Exercise:
    """The same exercise in a language."""
    public = exercise.public
    terms = replace(public.terms, language_code=code)
    return make_exercise(exercise.kind, public.tree, public.rules, terms, given=public.given)


def boxes(exercise: Exercise) -> Iterator[str]:
    """What stands for the answers in boxes on platforms and on paper, and what else a form says of a key."""
    form, public = exercise.kind.form, exercise.public
    tree, terms = public.tree, public.terms
    key = exercise.answer(exercise.key)
    yield f"boxes: {short([part_marks(public, scan) for scan in SCANS])}"
    yield f"blanks: {short(form.blanks(key, tree, terms))}"
    remark = form.key_remark(key, tree) if form.key_remark else ""
    yield f"possible: {form.answer_count(key, tree)}; doubt: {remark}"
    if form.payoff_blind_answers:
        yield f"thoughtless: {form.payoff_blind_answers(tree, public.rules)}"
    if form.by_payoffs:
        yield f"by payoffs: {form.by_payoffs(key, tree)}"


def by_policies(exercise: Exercise) -> Iterator[str]:
    """What the beliefs earn by every policy of the form, and how that is told."""
    public = exercise.public
    for policy in policies_of(exercise.kind.form) if exercise.kind.form.policies else ():
        terms = replace(public.terms, points=6, policy=policy)
        other = make_exercise(exercise.kind, public.tree, public.rules, terms, given=public.given)
        marker = Marker(other)
        for belief, reply in other.beliefs.items():
            mark = marker.mark(reply)
            told = (
                credit_explanation(other, mark, write_number),
                credit_explanation(other, mark, write_number, released=False),
            )
            yield f"{policy.name}, {belief}: {mark.points} {' | '.join(told)}"


def short(thing: object) -> str:
    """A few signs that stand for everything in a thing, its sentences in any words."""
    return sha256(numbered(repr(thing)).encode()).hexdigest()[:12]
