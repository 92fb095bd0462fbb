"""Replies to three exercises of every question, marked as version 0.1.0 marked them."""

import tomllib
from collections import Counter

import pytest

from grader import Exercise, mark, read_exercise
from tests.made_by_0_1.frozen import (
    CHANGED,
    EXAMS,
    Outcome,
    changes,
    exercises_marked,
    hold,
    outcomes_kept,
    results_kept,
)

PER_ASK = 3
"""How many exercises there are of a question."""


@pytest.mark.parametrize(
    "place", [pytest.param(place, id=line["exercise"]["id"]) for place, line in enumerate(exercises_marked())]
)
def test_replies_are_marked_as_by_0_1_0(place: int) -> None:
    """An exercise of version 0.1.0 is read, keeps its id, and every reply to it gets its old mark."""
    line = exercises_marked()[place]
    exercise = read_exercise(line["exercise"])
    assert isinstance(exercise, Exercise), f"{line['exercise']['id']} is not read any more: {exercise}"
    assert exercise.public.id == line["exercise"]["id"]
    kept = outcomes_kept(line)
    now = dict[str, Outcome]()
    for reply, (text, *_) in zip(kept, line["replies"], strict=True):
        given = mark(exercise, text)
        points = "" if given.points is None else str(given.points)
        now[reply] = (given.state.value, points, " ".join(note.code for note in given.notes))
    hold(kept, now)


def test_every_question_has_its_exercises() -> None:
    """There are three exercises of each of 90 questions, each with its key and thirty wrong replies."""
    asks = Counter((line["exercise"]["kind"], line["exercise"]["ask"]) for line in exercises_marked())
    assert len(asks) == 90
    assert set(asks.values()) == {PER_ASK}
    for line in exercises_marked():
        texts = [text for text, *_ in line["replies"]]
        assert len(texts) == len(set(texts)) == 31 + len(set(line["exercise"]["beliefs"].values()))


def test_every_listed_change_is_one() -> None:
    """`changed.toml` gives a reason, and names replies of this folder that had another outcome before."""
    kept = {reply: was for line in exercises_marked() for reply, was in outcomes_kept(line).items()}
    for exam in EXAMS:
        kept |= results_kept(exam)
    unknown = sorted(changes().keys() - kept.keys())
    assert not unknown, f"changed.toml names replies that are not in this folder: {unknown}"
    unchanged = [reply for reply, outcome in changes().items() if kept[reply] == outcome]
    assert not unchanged, f"changed.toml lists what version 0.1.0 gave already: {unchanged}"
    listed = tomllib.loads(CHANGED.read_text(encoding="utf-8")).get("changed", [])
    assert all(each["why"].strip() for each in listed)
    assert sum(len(each["replies"]) for each in listed) == len(changes()), "a reply is listed twice"
