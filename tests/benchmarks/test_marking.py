"""What a reply costs that nobody has given yet, and one to an exercise that nobody else has, in searches."""

from functools import cache
from random import Random
from statistics import median
from time import process_time

import pytest

from grader.base.canonical_json import canonical_json
from grader.exercise import Exercise
from grader.exercise_file import read_exercise
from grader.marking import Marker
from tests.benchmarks.test_grading import KINDS, asked, reply
from tests.benchmarks.textbook import AS_LONG, textbook_search

pytestmark = pytest.mark.benchmark

ROUNDS = 9
REPLIES = 150

NEW = {"pruned-paths": 5.3, "node-values": 12.5, "windows": 17.5}
"""The most textbook searches of 27 leaves that a new reply may cost."""

OWN = 25.5
"""The most that reading an exercise and marking one reply to it may cost."""


def searches(work: list[float], search: list[float]) -> float:
    """How many searches some work costs, by the middle one of rounds in each of which both were done."""
    return median(one / other for one, other in zip(work, search, strict=True))


@cache
def exercise(kind: str) -> Exercise:
    """An exercise about a random tree of 27 leaves."""
    return asked(Random(1), kind, 3)


def typed(random: Random, kind: str) -> str:
    """A reply as somebody may have typed it, of windows with every entry whole."""
    asked_of = exercise(kind)
    if kind != "windows":
        return reply(random, asked_of)
    entries = random.choice((asked_of.key, *asked_of.beliefs.values())).split("; ")
    if random.random() < 0.7:
        entries.pop(random.randrange(len(entries)))
        random.shuffle(entries)
    return random.choice(("; ", ", ", "\n")).join(entries)


@pytest.mark.parametrize("kind", NEW)
def test_a_new_reply(kind: str) -> None:
    """A reply of a class, right or nearly so, costs little more than some searches of its tree."""
    random = Random(3)
    texts = list(dict.fromkeys(typed(random, kind) for _ in range(2 * REPLIES)))[:REPLIES]
    ours, theirs = [], []
    for _ in range(ROUNDS):
        marker = Marker(exercise(kind))
        marker.marked(next(iter(exercise(kind).beliefs.values())))  # what is worked out once
        start = process_time()
        for text in texts:
            marker.marked(text)
        ours.append((process_time() - start) / len(texts))
        theirs.append(textbook_search(AS_LONG))
    print(f"\n{kind}: {median(ours) * 1e6:.0f} us a new reply, {searches(ours, theirs):.1f} searches")
    assert searches(ours, theirs) <= NEW[kind]


def test_own_papers() -> None:
    """Where each student has another exercise, reading it and marking one reply costs some searches."""
    random = Random(1)
    asked_of = [asked(random, kind, 3) for _ in range(20) for kind in KINDS]
    handed_in = [(canonical_json(each.to_json()), reply(random, each)) for each in asked_of]
    ours, theirs = [], []
    for _ in range(ROUNDS):
        start = process_time()
        for record, text in handed_in:
            found = read_exercise(record)
            assert isinstance(found, Exercise)
            Marker(found).marked(text)
        ours.append((process_time() - start) / len(handed_in))
        theirs.append(textbook_search(AS_LONG))
    print(f"\nown papers: {median(ours) * 1e6:.0f} us a reply, {searches(ours, theirs):.1f} searches")
    assert searches(ours, theirs) <= OWN
