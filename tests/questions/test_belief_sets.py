"""Sets of states and moves: what the picture shows of them, and how an answer is explained."""

import re

import pytest

from grader.base.phrases import ENGLISH
from grader.exercises.exercise import Exercise, make_exercise
from grader.exercises.feedback import Feedback
from grader.exercises.marking import mark
from grader.generation.stream import Stream
from grader.pictures.svg import svg
from grader.pictures.view import View
from grader.questions import kind_by_code
from grader.questions.case import Case
from grader.questions.randomness import Draw
from grader.trees.rules import Rules
from grader.trees.tree import EMPTY


def drawn(code: str, seed: int) -> Exercise:
    """The exercise that a kind draws."""
    kind = kind_by_code(code)
    found = kind.draw and kind.draw(Draw(Stream(seed)), Case(EMPTY, Rules()))
    assert found is not None
    return make_exercise(kind, found.tree, Rules(), given=found.given)


@pytest.mark.parametrize("code", ["belief-state.states", "belief-state.moves"])
def test_the_picture_shows_every_name_once(code: str) -> None:
    """Below b stand the names that answers are made of, each once, and nothing that is to be found out."""
    for seed in range(4):
        public = drawn(code, seed).public
        assert not public.numbers_leaves
        picture = svg(public.tree, view=View.question(public.tree), names="all", paths=public.numbers_leaves)
        written = [line for line in re.findall(r"<text[^>]*>([^<]*)<", picture) if line.strip()]
        assert sorted(written) == sorted(["b", *public.tree.names[1:]])


def test_every_missing_or_extra_state_is_explained() -> None:
    """Whoever names other states reads of each of them why it belongs to Result(b, a), or why not."""
    for seed in range(6):
        exercise = drawn("belief-state.states", seed)
        others = " ".join({*exercise.public.tree.names[1:]} - {*exercise.key.split()}) or "none"
        for reply in (*exercise.beliefs.values(), others):
            told = " ".join(filter(None, Feedback(exercise).sentences(mark(exercise, reply))))
            for state in set(reply.split()) ^ set(exercise.key.split()):
                assert re.search(rf"State {state} (belongs|does not belong) to Result\(b, ", told), told


def test_every_missing_or_extra_action_is_explained() -> None:
    """Whoever names the other actions reads of each action in which states of b it is legal or illegal."""
    for seed in range(6):
        exercise = drawn("belief-state.moves", seed)
        given, key = exercise.public.given, exercise.key.split()
        every = exercise.public.tree.names[1:]
        reply = " ".join(action for action in every if action not in key) or "none"
        sentences = [sentence for sentence in Feedback(exercise).sentences(mark(exercise, reply)) if sentence]
        assert len(sentences) == len(every)
        for action, sentence in zip(every, sentences, strict=True):
            legal = [state for state in given["belief"] if action in given["moves"][state]]
            illegal = [state for state in given["belief"] if state not in legal]
            is_union = given["legal"] == "union"
            named = (legal or ["no state"]) if is_union else (illegal or ["all states"])
            assert f"The action {action} {'belongs' if action in key else 'does not belong'}" in sentence
            assert all(state in sentence for state in named), sentence
            assert ("illegal" in sentence) is (not is_union and bool(illegal))


@pytest.mark.parametrize("code", ["belief-state.result", "belief-state.goal"])
def test_a_lost_point_is_explained_state_by_state(code: str) -> None:
    """Whoever goes wrong reads where the move leads from each state of b, and where the agent stays."""
    for seed in range(6):
        exercise = drawn(code, seed)
        for reply in exercise.beliefs.values():
            told = " ".join(filter(None, Feedback(exercise).sentences(mark(exercise, reply))))
            given = exercise.public.given
            for state in given["belief"]:
                after = given["moves"][state].get(given["action"])
                if after is not None:
                    assert f"from {state} to {after}" in told
                else:
                    assert re.search(rf"In states? [^.]*\b{state}\b[^.]* illegal", told), told


def test_no_cause_is_never_offered() -> None:
    """Where one child is asked for, nobody is told to write that there is none."""
    assert "none" not in kind_by_code("cut-reasons.cause").form.ask
    assert "none" in kind_by_code("cut-reasons.where").form.ask


@pytest.mark.parametrize(
    ("kind", "thing"), [("belief-state.moves", "action"), ("belief-state.states", "state")]
)
def test_boxes_and_choices_name_what_is_asked(kind: str, thing: str) -> None:
    """Where an answer is selected, crossed or typed, the instruction names states or actions, no branch."""
    blanks = drawn(kind, 0).blanks
    assert blanks.paper_ask is not None
    for instruction in (blanks.instruction, blanks.box_instruction, ENGLISH.say(blanks.paper_ask)):
        assert f"every such {thing}" in instruction
        assert not re.search("branch|node|leaf", instruction)
