"""Entries for nodes, as tables and windows have them: read from rows of names and numbers."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from operator import itemgetter
from typing import Any, TypeVar

from grader.answers.mention import Mention
from grader.answers.mention_lists import build_unambiguous
from grader.answers.number import DASH
from grader.answers.number_rows import CLOSING, LINKS, OPENING, Cell, Name, Quantity, Sign
from grader.answers.reply import MISPLACED, Reply, UnreadableError, UnsureError
from grader.answers.reply_tokens import Token
from grader.base.phrases import BoundPhrase, Phrase

V = TypeVar("V")

_TWO = Phrase("there are two values for one node")


def is_none(tokens: Sequence[Token]) -> bool:
    """Whether a reply is `none` or `{}`."""
    return tokens[0].type in ("NONE", "NO") or all(token.type in ("LBRACE", "RBRACE") for token in tokens)


def assemble_entries(entries: Sequence[Mention], two: Phrase = _TWO) -> tuple[tuple[int, Any], ...]:
    """The entries as pairs, sorted by node; the ways of each are nodes with what is said of them.

    Raises `UnsureError` when a name can mean two nodes, or with `two` when a node has two different values.
    """
    first = build_unambiguous(entries, _filled)
    last = _filled(entry.readings[0] for entry in reversed(entries))
    if last != first:
        raise UnsureError(two, (first, last))
    return first


def _filled(ways: Iterable[tuple[int, V]]) -> tuple[tuple[int, V], ...]:
    """The entries sorted by node; of two for a node the first counts."""
    first = dict(reversed([*ways]))
    return tuple(sorted(first.items(), key=itemgetter(0)))


def read_rows(
    reply: Reply,
    rows: Iterable[Sequence[Cell]],
    values: Callable[[Reply, Name, Sequence[Cell]], Sequence[Any]],
    lacking: Phrase,
    hint: Phrase,
) -> tuple[tuple[int, Any], ...]:
    """What a reply says of nodes in one row, or in two where a dash may be a sign or a link.

    `values` reads the cells behind a name, as several values where these contradict themselves; `lacking` is
    the complaint about a name without any, and `hint` says how an entry is written.
    """
    ways = []
    for row in rows:
        entries: list[Mention] = []
        for names, body in _sections(reply, row, lacking, hint):
            said = values(reply, names[0], body)
            entries += [_entry(name, said) for name in names]
        ways.append(assemble_entries(entries))
    if len(ways) > 1:
        raise UnsureError(DASH, ways)
    return ways[0]


def _sections(
    reply: Reply, row: Sequence[Cell], lacking: Phrase, hint: Phrase
) -> Iterator[tuple[Sequence[Name], Sequence[Cell]]]:
    """Names with the numbers behind them: several that "and" or a sign of equality joins share theirs.

    What is pruned is left out, and so is a name behind which nothing stands but a sign such as `=`.
    """
    starts = [(index, cell) for index, cell in enumerate(row) if isinstance(cell, Name)]
    before = row[: starts[0][0]] if starts else row
    numbers = [cell.place for cell in before if isinstance(cell, Quantity)]
    if numbers:
        raise UnreadableError("this number has no label before it", numbers[0], hint)
    _check_no_denial(reply, before)
    bounds = [cell for cell in before if isinstance(cell, Sign) and cell.kind in _BOUNDS]
    if bounds and bounds[0].kind == "BETA":  # columns the other way round
        raise UnreadableError(MISPLACED, bounds[0].place, hint, word=reply.clip(bounds[0].place))
    if not starts:
        raise UnreadableError("there is no node here", row[0].place if row else 0, hint)
    names: list[Name] = []
    for (begin, name), after in zip_longest(starts, starts[1:]):
        names.append(name)
        body = row[begin + 1 : after[0] if after else len(row)]
        if any(isinstance(cell, Quantity) for cell in body):
            _check_no_denial(reply, body)
            yield names, body
            names = []
            continue
        signs = [cell.kind for cell in body if isinstance(cell, Sign) and cell.kind not in _BRACKETS]
        parted = after is None or "\n" in reply.text[name.place : after[1].place] or signs[-1:] in _PARTING
        if _DENYING & {*signs} or (parted and _LINKING & {*signs}):
            names = []
        elif after is None or signs[-1:] not in _JOINING or _BOUNDS & {*signs}:
            raise UnreadableError(lacking, name.place, hint, name=reply.clip(name.place))


_BRACKETS = (*OPENING, *CLOSING)
_BOUNDS = {"ALPHA", "BETA"}
_DENYING = {"CUT", "BLANK"}
_LINKING = {*LINKS} - {"BAR"}
_JOINING = (["AND"], ["EQUALS"])
_PARTING = (["COMMA"], ["SEMICOLON"], ["DOT"])
"""The last signs behind a name that join it with the next one, or part it from that."""


def _check_no_denial(reply: Reply, body: Sequence[Cell]) -> None:
    """Raise `UnreadableError` for a word such as `pruned` beside numbers, which it takes back."""
    for cell in body:
        if isinstance(cell, Sign) and cell.kind in _DENYING:
            raise UnreadableError(
                "because of {word}, it is unclear whether the numbers next to it are part of the answer",
                cell.place,
                "write only the numbers, or none for this node",
                word=reply.clip(cell.place),
            )


def _entry(name: Name, values: Sequence[Any]) -> Mention:
    """What a reply says of one node; several values when it contradicts itself on the spot."""
    ways = [(node, values[0]) for node in name.nodes] + [(name.nodes[0], value) for value in values[1:]]
    return Mention(tuple(ways), name.place, name.why or BoundPhrase(_TWO))
