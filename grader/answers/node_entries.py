"""Entries for nodes, as tables and windows have them: put together."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from grader.answers.number import DASH
from grader.answers.number_rows import Cell, Name, cells
from grader.answers.reply import Reply, UnreadableError, UnsureError
from grader.base.phrases import Phrase, Saying

if TYPE_CHECKING:
    from lark import Token

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


def in_rows(
    reply: Reply,
    tokens: "Sequence[Token]",
    heads: Sequence[str],
    entries: Callable[[Reply, Sequence[Cell]], Iterable[Entry[V]]],
) -> tuple[tuple[int, V], ...]:
    """What a reply says of nodes in rows of names and numbers; `entries` makes entries of the cells of a row.

    Raises `UnsureError` where a dash may be a sign or a link.
    """
    if tokens[0].type in ("NONE", "NO"):
        return ()
    row, unclear = cells(reply, tokens, heads, "sign")
    if not unclear:
        return assemble(list(entries(reply, row)))
    linked, _ = cells(reply, tokens, heads, "link")
    raise UnsureError(DASH, [assemble(list(entries(reply, way))) for way in (linked, row)])
