"""Ways to damage a good text, bytes or a record, for the campaign of hostile inputs."""

import json
from random import Random

from grader.base.canonical_json import canonical_json
from tests.answers.test_hostile import HOSTILE
from tests.trees.notation.test_fuzz import LETTERS

MOST = 4_000
"""Good files are damaged in so many of their first characters: all of them are short."""


def damaged(random: Random, text: str, other: str = "") -> str:
    """A text with a few edits: pieces left out, doubled, taken from another, hostile pieces put in."""
    text = text[:MOST]
    for _ in range(random.randint(1, 6)):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice((0, 1, 1, 2, 8, 40)))
        begin = random.randrange(len(other) + 1)
        pieces = (
            "",
            random.choice(LETTERS),
            text[start:end] * 2,
            other[begin : begin + random.randrange(60)],
            random.choice(HOSTILE)[: random.choice((3, 30, 300))],
            str(random.choice((0, -1, 10**9, 1.5, 10**40))),
        )
        text = text[:start] + random.choice(pieces) + text[end:]
    return text


def damaged_bytes(random: Random, content: bytes) -> bytes:
    """Bytes of which some are others, left out or doubled."""
    changed = bytearray(content)
    for _ in range(random.randint(1, 8)):
        place = random.randrange(len(changed) + 1)
        match random.randrange(4):
            case 0:
                changed[place : place + 1] = random.randbytes(random.choice((1, 1, 4)))
            case 1:
                del changed[place : place + random.choice((1, 8, 200))]
            case 2:
                changed[place:place] = changed[place : place + 30]
            case _:
                del changed[place + 1 :]
                changed += random.randbytes(random.randrange(40))
    return bytes(changed)


def damaged_record(random: Random, record: object) -> object:
    """A JSON document with something in it exchanged for something else."""
    others = (None, True, 0, -1, 2.5, 10**40, "", "x", "\x1b", "\ud800", "9" * 300, [], {}, [[]], {"": 0})
    if isinstance(record, dict) and record and random.random() < 0.9:
        name = random.choice(list(record))
        if random.random() < 0.1:
            return {key: value for key, value in record.items() if key != name}
        return {**record, name: damaged_record(random, record[name])}
    if isinstance(record, list) and record and random.random() < 0.9:
        place = random.randrange(len(record))
        return [*record[:place], damaged_record(random, record[place]), *record[place + 1 :]]
    if isinstance(record, str) and random.random() < 0.5:
        return damaged(random, record, record[::-1])
    return random.choice(others)


def damaged_json(random: Random, record: object) -> bytes:
    """A JSON document with something else in it, or its text with a few edits."""
    if random.random() < 0.5:
        return json.dumps(damaged_record(random, record)).encode()
    return damaged(random, canonical_json(record)).encode("utf-8", "surrogatepass")


def changed_bytes(random: Random, content: bytes) -> bytes:
    """Bytes of which a few are others, most of them near an end, where files say what is in them."""
    changed = bytearray(content)
    for _ in range(random.randint(1, 6)):
        near = random.randrange(min(400, len(changed)))
        place = random.choice((near, len(changed) - 1 - near, random.randrange(len(changed))))
        changed[place] = random.choice((0, 127, 128, 255, random.randrange(256)))
    return bytes(changed)
