"""Entries for nodes, as tables and windows have them: put together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from grader.answers.number_rows import Name
from grader.answers.reply import Reply, UnreadableError, UnsureError
from grader.base.phrases import Phrase, Saying

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Entry(Generic[V]):
    """What a reply says of one node; several values when it contradicts itself on the spot."""

    name: Name
    values: tuple[V, ...]


def denied(reply: Reply, place: int) -> UnreadableError:
    """The complaint about a word such as `not` or `pruned` beside numbers, which it takes back."""
    return UnreadableError(
        "with {word} the numbers beside it may not be meant",
        place,
        "write the numbers alone, or none for this node",
        word=reply.clip(place),
    )


_TWO = Phrase("there are two values for one node")


def assemble(entries: Sequence[Entry[V]]) -> tuple[tuple[int, V], ...]:
    """The entries sorted by node.

    Raises `UnsureError` when a name can mean two nodes, or a node has two different values.
    """
    first = _filled(entries, -1, 0, 0)
    others: list[tuple[tuple[int, V], ...]] = []
    why: Saying | None = None
    for index, entry in enumerate(entries):
        for way, value in [(way, 0) for way in range(1, len(entry.name.nodes))] + [
            (0, value) for value in range(1, len(entry.values))
        ]:
            others.append(_filled(entries, index, way, value))
            why = why or entry.name.why or Saying(_TWO)
            if len(others) == 3:
                raise UnsureError(why, (first, *others))
    last = _filled(entries[::-1], -1, 0, 0)
    if last != first:
        others.append(last)
    different = [other for other in others if other != first]
    if different:
        raise UnsureError(why or _TWO, (first, *different))
    return first


def _filled(entries: Sequence[Entry[V]], at: int, way: int, value: int) -> tuple[tuple[int, V], ...]:
    """The entries in their first reading, apart from the one at `at`; of two for a node the first counts."""
    found: dict[int, V] = {}
    if at >= 0:
        found[entries[at].name.nodes[way]] = entries[at].values[value]
    for index, entry in enumerate(entries):
        if index != at:
            found.setdefault(entry.name.nodes[0], entry.values[0])
    return tuple(sorted(found.items(), key=lambda item: item[0]))
