"""What every kind asks: a short question, how to answer, and what is given, each in its place."""

import re
from functools import cache

import pytest

from grader.base.phrases import ENGLISH
from grader.exercises.exercise import Exercise, make_exercise
from grader.exercises.question_text import QuestionText
from grader.questions import kind_by_code
from grader.questions.kind import AnyKind
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import EMPTY
from tests.questions.asking import drawn
from tests.questions.test_conformance import each_kind

TREES = (
    "MAX A (MIN B (MAX D (8 5) MAX E (9 2)) MIN C (MAX F (5 7) MAX G (8 3 4) MAX H (6 1)))",
    "MAX A (CHANCE B (1/3: MIN D (3 7), 2/3: 12) CHANCE C (1/2: 2, 1/2: MIN E (4 9) ))",
    "P1 A (P2 B (<3, 1> P1 D (<2, 4> <0, 4>)) P2 C (<1, 5> <6, 0>))",
    "MAX A (MIN B (3 12) MIN C (2 4))",
    "MAX A (MIN B (MAX D (MIN H (8 5) MIN I (9 2)) MAX E (MIN J (4 7) MIN K (1 6))) "
    "MIN C (MAX F (MIN L (5 7) MIN M (0 3)) MAX G (MIN N (2 9) MIN O (6 1))))",
)
"""Trees of every kind of game; the last one is as large as those that are printed."""

SEEDS = range(3)

MAX_QUESTION_SENTENCES = 2
MAX_SENTENCE_WORDS = 25
MAX_QUESTION_AND_ANSWER_WORDS = 60

SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=[^\W\d_a-z])")
"""Where a sentence ends: `1, 2, 3, ... from left to right` goes on."""


@cache
def examples(code: str) -> tuple[Exercise, ...]:
    """Return exercises about what a kind draws: for each of the trees, or for none if it needs no tree."""
    kind = kind_by_code(code)
    trees = [tree_of(text) for text in TREES] if kind.needs_tree else [EMPTY]
    found = [drawn(kind, tree, Rules(), seed) for tree in trees for seed in SEEDS]
    exercises = tuple(make_exercise(kind, tree, Rules(), given=given) for tree, given in filter(None, found))
    assert exercises, f"{code} asks about none of the trees"
    return exercises


def sentences(text: str) -> list[str]:
    """Split a text into its sentences."""
    return [sentence for sentence in SENTENCE_END.split(text) if sentence]


def faults_of_length(text: QuestionText) -> list[str]:
    """Return what is too long in a question or in how to answer it."""
    asked = sentences(text.question)
    faults = [f"{len(asked)} sentences: {text.question}"] if len(asked) > MAX_QUESTION_SENTENCES else []
    faults += [f"too long: {each}" for each in asked if len(each.split()) > MAX_SENTENCE_WORDS]
    both = f"{text.question} {text.instruction} {text.demands}"
    if len(both.split()) > MAX_QUESTION_AND_ANSWER_WORDS:
        faults.append(f"question and how to answer have {len(both.split())} words: {both}")
    return faults


def repeated_sentences(text: QuestionText) -> list[str]:
    """Return the sentences that a text states twice."""
    stated = sentences(text.whole)
    return [sentence for place, sentence in enumerate(stated) if sentence in stated[:place]]


@each_kind
def test_a_question_is_short_and_how_to_answer_it_too(kind: AnyKind) -> None:
    """A question has at most two sentences of 25 words; with how to answer it has at most 60 words."""
    faults = [fault for each in examples(kind.code) for fault in faults_of_length(each.public.wording)]
    assert not faults, "\n".join(faults)


@each_kind
def test_nothing_is_stated_twice(kind: AnyKind) -> None:
    """No sentence of a question, its instruction, its conventions and its marking occurs twice."""
    repeated = [
        each for exercise in examples(kind.code) for each in repeated_sentences(exercise.public.wording)
    ]
    assert not repeated, "\n".join(repeated)


@each_kind
def test_each_convention_is_one_text_of_the_record(kind: AnyKind) -> None:
    """Every convention of a kind is in the record as a text of its own, and none is empty."""
    for exercise in examples(kind.code):
        conventions = kind.prompt(exercise.public.case, ENGLISH).conventions
        assert list(conventions) == exercise.public.content["conventions"]
        assert all(conventions)


@each_kind
def test_what_an_answer_has_to_observe_is_a_demand(kind: AnyKind) -> None:
    """What a kind says about the answer is a demand, for boxes and platforms replace how to write it."""
    for exercise in examples(kind.code):
        prompt, wording = kind.prompt(exercise.public.case, ENGLISH), exercise.public.wording
        assert wording.instruction == kind.form.instruction(ENGLISH)
        assert wording.demands.startswith(prompt.demands)


@pytest.mark.parametrize(
    ("text", "number_of_faults"),
    [
        (QuestionText("What is it? Write it. Write it all."), 1),
        (QuestionText("Why " * 25 + "why?"), 1),
        (QuestionText("What is it?", "Write it. " * 15, "Write all of it. " * 7), 1),
        (QuestionText("Why " * 30 + "why? Why? Why?", "Write it. " * 20), 3),
        (QuestionText("Which of the leaves 1, 2, 3, ... are pruned? Write none if there are none."), 0),
    ],
)
def test_what_is_too_long_is_found(text: QuestionText, number_of_faults: int) -> None:
    """A question with more sentences, longer ones or more words than allowed is found."""
    assert len(faults_of_length(text)) == number_of_faults


def test_what_is_stated_twice_is_found() -> None:
    """A sentence of the question that the conventions state again is found, and no other."""
    text = QuestionText("What is b? Call it x.", "Write x.", conventions=("It is 3.", "No. Call it x."))
    assert repeated_sentences(text) == ["Call it x."]
