"""A shard: the replies that one worker marks at a time."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from grader.base.catalogues import OwnCatalogue
from grader.base.numbers import read_number
from grader.exercises.exercise import Exercise
from grader.exercises.exercise_file import read_exercise_once
from grader.exercises.follow_through import apply_follow_through
from grader.exercises.marking import Mark, Marker, State, write_mark
from grader.grading.exam_keys import PartKey, QuestionKey, hash_texts
from grader.grading.executors import start_watchdog, stop_watchdog
from grader.grading.records import UNREADABLE_BLANK, Outcome
from grader.trees.notation.diagnostics import Diagnostics
from grader.version import VERSION

UNITS_PER_WATCH = 64
"""The watchdog is restarted after this many units."""

FAILED_PREFIX = "marking failed: "
"""The beginning of the message of a mark whose reply made marking fail."""

MAX_FAILURE_LENGTH = 300
"""The most characters of the reason in such a message."""


class PartReply(NamedTuple):
    """A reply to one part, of any student. A named tuple, like `Unit`: a million of them are compared."""

    part: str
    text: str
    contested: str = ""


class Unit(NamedTuple):
    """Replies to parts of one question of one variant that are marked together, of any student."""

    variant: str
    question: str
    replies: tuple[PartReply, ...]


@dataclass(frozen=True, slots=True)
class Shard:
    """Units with the keys they need.

    `given_up` has the messages for replies of the only unit that are not to be marked again, by their index.
    """

    units: tuple[Unit, ...]
    keys: Mapping[tuple[str, str], QuestionKey]
    given_up: Mapping[int, str] = field(default_factory=dict)


def warm_up() -> None:
    """Do nothing; a worker that has done it has loaded everything that marking needs."""


def mark_shard(shard: Shard) -> list[tuple[Outcome, ...]]:
    """Return the outcomes of every unit of a shard, one for each reply.

    A reply that makes marking raise an exception gets the state ERROR. Raises `OSError`.
    """
    outcomes: list[tuple[Outcome, ...]] = []
    try:
        for index, unit in enumerate(shard.units):
            if index % UNITS_PER_WATCH == 0:
                start_watchdog()
            question = shard.keys[unit.variant, unit.question]
            outcomes.append(tuple(_outcomes(unit, question, shard.given_up)))
    finally:
        stop_watchdog()
    return outcomes


def failure_message(reason: str) -> str:
    """Return the message of a mark whose reply made marking fail."""
    return FAILED_PREFIX + reason[:MAX_FAILURE_LENGTH]


def _outcomes(unit: Unit, question: QuestionKey, given_up: Mapping[int, str]) -> Iterator[Outcome]:
    """Yield the outcome of every reply of a unit; one that is given up or fails has the state ERROR."""
    keys = {key.part: key for key in question.parts}
    earlier: list[tuple[Exercise, Any]] = []
    basis_texts: list[str] = []
    for index, reply in enumerate(unit.replies):
        key = keys[reply.part]
        text = f"{reply.part}:{reply.contested or reply.text}"
        basis_texts = [*basis_texts, text] if question.follow_through else [text]
        message = given_up.get(index, "")
        if not message:
            try:
                content = _mark_content(reply, key, earlier if question.follow_through else None)
            except OSError:  # not the fault of the reply
                raise
            except Exception as error:  # a fault of ours ends as the ERROR of this reply alone
                message = failure_message(repr(error))
        if message:
            content = _error_content(key, message)
        yield Outcome(content, hash_texts(*basis_texts), key.key, key.policy, VERSION)


def _mark_content(reply: PartReply, key: PartKey, earlier: list[tuple[Exercise, Any]] | None) -> str:
    """Mark one reply, and return the mark as JSON.

    With follow-through, `earlier` has the exercises and answers of the earlier parts, and this one is added.
    """
    marker = _marker(key.exercise, key.own)
    if isinstance(marker, str):
        return _error_content(key, marker)
    if reply.contested:
        maximum = marker.exercise.public.terms.points
        state = State.UNPARSEABLE if reply.contested.startswith(UNREADABLE_BLANK) else State.AMBIGUOUS
        message = reply.contested.removeprefix(UNREADABLE_BLANK)
        return write_mark(Mark(state, None, maximum, message=message))
    mark, answer, content = marker.mark_with_answer(reply.text)
    if earlier is None:
        return content
    followed = apply_follow_through(marker.exercise, mark, answer, earlier)
    earlier.append((marker.exercise, answer))
    return content if followed is mark else write_mark(followed)


def _error_content(key: PartKey, message: str) -> str:
    maximum = read_number(str(json.loads(key.exercise)["points"]))
    return write_mark(Mark(State.ERROR, None, maximum, message=message))


@lru_cache(maxsize=64)
def _marker(exercise: str, own: OwnCatalogue | None) -> Marker | str:
    """Return what marks replies to an exercise and keeps its marks, or why its record cannot be read."""
    result = read_exercise_once(exercise, own)
    if isinstance(result, Diagnostics):
        return f"the key cannot be read: {next(iter(result)).message}"
    return Marker(result)
