"""A shard: a stretch of replies that one worker marks."""

import json
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from io import FileIO
from pathlib import Path
from typing import Any, NamedTuple

from grader.base.catalogues import OwnCatalogue
from grader.base.garbage_collection import freeze_existing_objects
from grader.base.numbers import read_number
from grader.exercises.exercise import Exercise
from grader.exercises.exercise_file import read_exercise
from grader.exercises.follow_through import apply_follow_through
from grader.exercises.marking import Mark, Marker, State, write_mark
from grader.grading.exam_keys import QuestionKey, hash_texts
from grader.grading.executors import start_watchdog, stop_watchdog
from grader.grading.records import UNREADABLE_BLANK, Outcome
from grader.trees.notation.diagnostics import Diagnostics
from grader.version import VERSION

UNITS_PER_WATCH = 64
"""For so many students the watch is set anew."""


class PartReply(NamedTuple):
    """A reply to one part, whoever gave it; a named tuple, as is `Unit`: a million of them are compared."""

    part: str
    text: str
    contested: str = ""


class Unit(NamedTuple):
    """What is marked together: replies to parts of one question of one variant, whoever gave them."""

    variant: str
    question: str
    replies: tuple[PartReply, ...]


@dataclass(frozen=True, slots=True)
class Shard:
    """Units with the keys they need.

    `failed` says of replies to the only unit why they are not to be marked again, by their number.
    """

    units: tuple[Unit, ...]
    keys: Mapping[tuple[str, str], QuestionKey]
    failed: Mapping[int, str] = field(default_factory=dict)


_PLACE = struct.Struct("<II")


def read_place(path: Path) -> tuple[int, int]:
    """The unit and the reply at which a worker was last; the first when it had not begun."""
    data = path.read_bytes() if path.exists() else b""
    return _PLACE.unpack(data) if data else (0, 0)


def warm_up() -> None:
    """Nothing; a worker that has done it has loaded all that marking needs."""


def mark_shard(shard: Shard, place: str) -> list[tuple[Outcome, ...]]:
    """The marks of every unit of a shard, to be appended to the gradebook for everybody who replied so.

    Whatever an exercise or a reply raises is raised; the file `place`, which outlives the worker, then tells
    which reply it was.
    """
    made: list[tuple[Outcome, ...]] = []
    try:
        with freeze_existing_objects(), Path(place).open("wb", buffering=0) as begun:
            for number, unit in enumerate(shard.units):
                if number % UNITS_PER_WATCH == 0:
                    start_watchdog()
                question = shard.keys[unit.variant, unit.question]
                made.append(tuple(_unit(unit, question, shard.failed, begun, number)))
    finally:
        stop_watchdog()
    return made


_basis = lru_cache(maxsize=10_000)(hash_texts)


def _unit(
    unit: Unit, question: QuestionKey, failed: Mapping[int, str], begun: FileIO, number: int
) -> Iterator[Outcome]:
    """The mark of every reply of a unit, which is the one with this number in its shard."""
    keys = {key.part: key for key in question.parts}
    earlier: list[tuple[Exercise, Any]] = []
    said: list[str] = []
    for at, reply in enumerate(unit.replies):
        key = keys[reply.part]
        said.append(f"{reply.part}:{reply.contested or reply.text}")
        basis = hash_texts(*said) if question.follow_through else _basis(said[-1])
        begun.seek(0)
        begun.write(_PLACE.pack(number, at))
        marker = failed.get(at) or _marker(key.exercise, key.own)
        if isinstance(marker, str):
            maximum = read_number(str(json.loads(key.exercise)["points"]))
            content = write_mark(Mark(State.ERROR, None, maximum, message=marker))
        elif reply.contested:
            maximum = marker.exercise.public.terms.points
            state = State.UNPARSEABLE if reply.contested.startswith(UNREADABLE_BLANK) else State.AMBIGUOUS
            content = write_mark(
                Mark(state, None, maximum, message=reply.contested.removeprefix(UNREADABLE_BLANK))
            )
        else:
            mark, answer, content = marker.mark_with_answer(reply.text)
            if question.follow_through:
                followed = apply_follow_through(marker.exercise, mark, answer, earlier)
                earlier.append((marker.exercise, answer))
                if followed is not mark:
                    content = write_mark(followed)
        yield Outcome(content, basis, key.key, key.policy, VERSION)


@lru_cache(maxsize=64)
def _marker(exercise: str, own: OwnCatalogue | None) -> Marker | str:
    """What marks replies to an exercise, or why its record cannot be read."""
    read = read_exercise(exercise, own)
    if isinstance(read, Diagnostics):
        return f"the key cannot be read: {next(iter(read)).message}"
    return Marker(read)


def split_shard(shard: Shard, unit: int) -> tuple[Shard, ...]:
    """The shard as up to three: what comes before a unit, the unit alone, and what comes after it."""
    pieces = (shard.units[:unit], shard.units[unit : unit + 1], shard.units[unit + 1 :])
    return tuple(Shard(piece, shard.keys) for piece in pieces if piece)


def give_up_reply(shard: Shard, at: int, why: str) -> Shard:
    """The shard of one unit with one of its replies never to be tried again."""
    return replace(shard, failed={**shard.failed, at: why})
