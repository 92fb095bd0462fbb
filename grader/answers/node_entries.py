"""Entries for nodes, as tables and windows have them: put together."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from grader.answers.mention import Mention
from grader.answers.named_things import choose
from grader.answers.number import DASH
from grader.answers.number_rows import Cell, Name, cells
from grader.answers.reply import Reply, UnreadableError, UnsureError
from grader.base.phrases import Phrase, Saying

if TYPE_CHECKING:
    from lark import Token

V = TypeVar("V")


def entry(name: Name, values: Sequence[Any]) -> Mention:
    """What a reply says of one node; several values when it contradicts itself on the spot."""
    ways = [(node, values[0]) for node in name.nodes] + [(name.nodes[0], value) for value in values[1:]]
    return Mention(tuple(ways), name.place, name.why or Saying(_TWO))


def denied(reply: Reply, place: int) -> UnreadableError:
    """The complaint about a word such as `not` or `pruned` beside numbers, which it takes back."""
    return UnreadableError(
        "with {word} the numbers beside it may not be meant",
        place,
        "write the numbers alone, or none for this node",
        word=reply.clip(place),
    )


_TWO = Phrase("there are two values for one node")


def _assembled(entries: Sequence[Mention]) -> tuple[tuple[int, Any], ...]:
    """The entries sorted by node.

    Raises `UnsureError` when a name can mean two nodes, or a node has two different values.
    """
    first = choose(entries, _filled)
    last = _filled(entry.ways[0] for entry in reversed(entries))
    if last != first:
        raise UnsureError(_TWO, (first, last))
    return first


def _filled(ways: Iterable[tuple[int, V]]) -> tuple[tuple[int, V], ...]:
    """The entries sorted by node; of two for a node the first counts."""
    found: dict[int, V] = {}
    for node, value in ways:
        found.setdefault(node, value)
    return tuple(sorted(found.items(), key=lambda item: item[0]))


def in_rows(
    reply: Reply,
    tokens: "Sequence[Token]",
    heads: Sequence[str],
    entries: Callable[[Reply, Sequence[Cell]], Iterable[Mention]],
) -> tuple[tuple[int, Any], ...]:
    """What a reply says of nodes in rows of names and numbers; `entries` makes entries of the cells of a row.

    Raises `UnsureError` where a dash may be a sign or a link.
    """
    if tokens[0].type in ("NONE", "NO"):
        return ()
    ways = [_assembled(list(entries(reply, row))) for row in cells(reply, tokens, heads)]
    if len(ways) > 1:
        raise UnsureError(DASH, ways)
    return ways[0]
