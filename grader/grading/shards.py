"""A shard: a stretch of replies that one worker marks, writes to a file of its own, and counts."""

import json
import struct
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from grader.base.files import write_file
from grader.base.numbers import read_number
from grader.exercise import Exercise, read_exercise
from grader.following import follow
from grader.grading.exam_keys import PartKey, QuestionKey, digest
from grader.grading.executors import keep_watch, stop_watch
from grader.grading.records import UNREAD, Entry
from grader.marking import Mark, Marker, State, read_mark, write_mark
from grader.notation.diagnostics import Diagnostics
from grader.version import VERSION

STRETCH = 64
"""For so many students the watch is set anew."""


class Reply(NamedTuple):
    """A student's reply to one part; with `failed` it is not to be marked again, and says why.

    A named tuple, as is `Unit`: a million of them go to other processes, which is faster so.
    """

    part: str
    submission: int
    text: str
    contested: str = ""
    failed: str = ""


class Unit(NamedTuple):
    """What is marked together: a student's replies to the parts of one question of one variant."""

    student: str
    variant: str
    question: str
    replies: tuple[Reply, ...]


@dataclass(frozen=True, slots=True)
class Shard:
    """Units with the keys they need."""

    units: tuple[Unit, ...]
    keys: Mapping[tuple[str, str], QuestionKey]


_PLACE = struct.Struct("<II")


class Place:
    """Where the marking of a shard has got to, in a file that outlives the worker: eight bytes a reply."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb", buffering=0)

    def at(self, unit: int, reply: int) -> None:
        """Say that this reply of this unit is next."""
        self._file.write(_PLACE.pack(unit, reply))

    def close(self) -> None:
        """Give the file back."""
        self._file.close()


def read_place(path: Path) -> tuple[int, int]:
    """The unit and the reply at which a worker was last; the first when it had not begun."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return 0, 0
    whole = len(data) // _PLACE.size
    return _PLACE.unpack_from(data, (whole - 1) * _PLACE.size) if whole else (0, 0)


def mark_shard(shard: Shard, name: str, folder: str) -> dict[str, int]:
    """Mark a shard, write what came out to `folder/name.json`, and return how many marks have which state.

    The file is there as a whole or not at all. Whatever an exercise or a reply raises is raised;
    `folder/name.at` then tells which reply it was.
    """
    place = Place(Path(folder) / f"{name}.at")
    states: list[State] = []
    contents: dict[str, int] = {}
    bases: dict[tuple[str, str], int] = {}
    marks = []
    questions = {
        name: (question.follow_through, {key.part: key for key in question.parts})
        for name, question in shard.keys.items()
    }
    try:
        for number, unit in enumerate(shard.units):
            if number % STRETCH == 0:
                keep_watch()
            following, keys = questions[unit.variant, unit.question]
            for reply, state, content, basis in _unit(unit, following, keys, place, number):
                states.append(state)
                said = contents.setdefault(content, len(contents))
                key = keys[reply.part]
                by = bases.setdefault((key.key, key.policy), len(bases))
                marks.append((unit.student, reply.part, reply.submission, said, basis, by))
    finally:
        stop_watch()
        place.close()
    record = {"program": VERSION, "contents": list(contents), "by": list(bases), "marks": marks}
    write_file(Path(folder) / f"{name}.json", json.dumps(record, separators=(",", ":")).encode())
    return {state.value: count for state, count in Counter(states).items()}


def read_entries(path: Path) -> list[Entry]:
    """The marks that `mark_shard` wrote. Raises `FileNotFoundError` when there are none."""
    record = json.loads(path.read_bytes())
    program = record["program"]
    outcomes = [(_mark(content), content) for content in record["contents"]]
    entries = []
    for student, part, submission, content, basis, by in record["marks"]:
        mark, text = outcomes[content]
        key, policy = record["by"][by]
        state, points, maximum = mark.state, mark.points, mark.maximum
        entries.append(
            Entry(student, part, submission, state, points, maximum, text, basis, key, policy, program)
        )
    return entries


_mark = lru_cache(maxsize=10_000)(read_mark)


_basis = lru_cache(maxsize=10_000)(digest)


def _unit(
    unit: Unit, following: bool, keys: Mapping[str, PartKey], place: Place, number: int
) -> Iterator[tuple[Reply, State, str, str]]:
    """Every reply of a unit with the state of its mark, the mark as JSON text, and the basis of both."""
    earlier: list[tuple[Exercise, Any]] = []
    said: list[str] = []
    for at, reply in enumerate(unit.replies):
        key = keys[reply.part]
        said.append(f"{reply.part}:{reply.contested or reply.text}")
        basis = digest(*said) if following else _basis(said[-1])
        place.at(number, at)
        marker = reply.failed or _marker(key.exercise)
        if isinstance(marker, str):
            maximum = read_number(_points(key.exercise))
            yield reply, State.ERROR, write_mark(Mark(State.ERROR, None, maximum, message=marker)), basis
            continue
        if reply.contested:
            maximum = marker.exercise.public.terms.points
            state = State.UNPARSEABLE if reply.contested.startswith(UNREAD) else State.AMBIGUOUS
            message = reply.contested.removeprefix(UNREAD)
            yield reply, state, write_mark(Mark(state, None, maximum, message=message)), basis
            continue
        mark, answer, content = marker.marked(reply.text)
        if following:
            followed = follow(marker.exercise, mark, answer, earlier)
            earlier.append((marker.exercise, answer))
            if followed is not mark:
                content = write_mark(followed)
        yield reply, mark.state, content, basis


def _points(exercise: str) -> str:
    return str(json.loads(exercise)["points"])


@lru_cache(maxsize=64)
def _marker(exercise: str) -> Marker | str:
    """What marks replies to an exercise, or why its record cannot be read."""
    read = read_exercise(exercise)
    if isinstance(read, Diagnostics):
        return f"the key cannot be read: {next(iter(read)).message}"
    return Marker(read)


def split(shard: Shard, unit: int) -> tuple[Shard, ...]:
    """The shard as up to three: what comes before a unit, the unit alone, and what comes after it."""
    pieces = (shard.units[:unit], shard.units[unit : unit + 1], shard.units[unit + 1 :])
    return tuple(shard_of(piece, shard.keys) for piece in pieces if piece)


def shard_of(units: Sequence[Unit], keys: Mapping[tuple[str, str], QuestionKey]) -> Shard:
    """A shard of these units, with those of the keys that they need."""
    needed = dict.fromkeys((unit.variant, unit.question) for unit in units)
    return Shard(tuple(units), {name: keys[name] for name in needed})


def give_up(shard: Shard, at: int, why: str) -> Shard:
    """The shard of one unit with one of its replies never to be tried again."""
    (unit,) = shard.units
    replies = tuple(
        reply._replace(failed=why) if number == at else reply for number, reply in enumerate(unit.replies)
    )
    return Shard((unit._replace(replies=replies),), shard.keys)


def units_in_shards(units: Iterable[Unit], size: int) -> Iterator[tuple[Unit, ...]]:
    """The units in stretches of this size."""
    stretch: list[Unit] = []
    for unit in units:
        stretch.append(unit)
        if len(stretch) >= size:
            yield tuple(stretch)
            stretch = []
    if stretch:
        yield tuple(stretch)
