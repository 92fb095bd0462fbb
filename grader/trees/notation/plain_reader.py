"""Read a well-formed tree in round brackets without the grammar, which takes long to load and to parse."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from grader.base.numbers import Number, NumeralError, normalize_number, read_number
from grader.trees.notation.facts import Fact, FactKind, attribute_fact, header_fact
from grader.trees.notation.keywords import (
    PLAYERS,
    attributes_from_keys,
    header_from_keys,
    is_word,
    unquote_text,
)
from grader.trees.notation.laws import tree_violations
from grader.trees.tree import ATTRIBUTES, Attributes, Claim, Header, Payoff, Player, Tree
from grader.trees.tree_builder import even_shares

SMALL_NUMBERS: dict[str, Number] = {str(number): number for number in range(-100, 1000)}
"""What most payoffs are."""

_WORD = r'[^ ()\[\]{}<>=~:,#"@]+'
_STRING = r'"(?:[^"\\]|\\["\\])*"'
_ROW = r"\[[^\[\]]*\]"

_PIECES = re.compile(
    rf"""
      (?:{_STRING}|{_WORD}) (?:\ *:)?     # a payoff, player or name; with a colon, what labels a branch
    | [(),~]
    | <= | >= | =
    | < [^<>=]* >                         # a vector
    | \{{ (?:{_STRING}|[^{{}}"\#])* \}}   # attributes
    | \#.*
    | [^ ]                                # what is none of these
    """,
    re.VERBOSE,
)

_HEADER = re.compile(rf"@([a-z]+) +({_STRING}|{_ROW}|{_WORD}) *(?:#.*)?")
_ATTRIBUTE = re.compile(rf" *([a-z]+) *= *({_STRING}|{_ROW}|{_WORD}) *(?:, *(?! *$))?")
_NUMBER_OF_ROW = re.compile(rf" *({_WORD}) *(?:, *(?! *$))?")
_NUMERIC = frozenset("0123456789+-.")

_TURNS = {Player.MAX: Player.MIN, Player.MIN: Player.MAX}


class _NotPlainError(ValueError):
    """A text that the grammar has to read: it has a mistake, or something that is not plain."""


def read_plain(text: str) -> Tree | None:
    """Return the tree of a text, or None for a text that the grammar has to read.

    Whatever it reads, the grammar reads as the same tree; a text with a mistake is always for the grammar.
    """
    written = text.replace("\r\n", "\n").split("\n")
    if not text.isascii() or not all(map(str.isprintable, written)):
        return None
    lines = iter(written)
    facts: dict[str, Any] = {}
    try:
        for line in lines:
            start = line.lstrip(" ")
            if start[:1] == "@":
                _read_header(line, facts)
            elif start and start[0] != "#":
                tree = _read_nodes(line, lines, header_from_keys(facts))
                return None if tree_violations(tree) else tree
    except (_NotPlainError, NumeralError):
        pass
    return None


def _read_header(line: str, facts: dict[str, Any]) -> None:
    """Note what a header line says."""
    found = _HEADER.fullmatch(line)
    if found is None or found[1] in facts:
        raise _NotPlainError
    facts[found[1]] = fact = header_fact(found[1], *_fact(found[2]))
    if fact is None:
        raise _NotPlainError


def _fact(written: str) -> tuple[FactKind, Fact]:
    """What a word, number, text or row says, and which of these it is."""
    if written[0] == '"':
        return "TEXT", unquote_text(written)
    if written[0] == "[":
        return "ROW", _numbers(written)
    return ("NUMBER", read_number(written)) if _is_numeric(written) else ("WORD", written)


def _numbers(written: str) -> tuple[Number, ...]:
    """The numbers between two brackets."""
    inner, at, numbers = written[1:-1], 0, list[Number]()
    while inner[at:].strip(" "):
        found = _NUMBER_OF_ROW.match(inner, at)
        if found is None:
            raise _NotPlainError
        numbers.append(read_number(found[1]))
        at = found.end()
    return tuple(numbers)


def _attributes(written: str) -> Attributes:
    """What stands between two braces."""
    inner, at, pairs = written[1:-1], 0, dict[str, Any]()
    while inner[at:].strip(" "):
        found = _ATTRIBUTE.match(inner, at)
        if found is None or found[1] not in ATTRIBUTES or found[1] in pairs:
            raise _NotPlainError
        pairs[found[1]] = value = attribute_fact(found[1], *_fact(found[2]))
        if value is None:
            raise _NotPlainError
        at = found.end()
    return attributes_from_keys(pairs)


def _is_numeric(word: str) -> bool:
    """Whether the grammar takes a word for a number, well or badly written."""
    return word[0] in _NUMERIC and word.lstrip("+-.")[:1].isdigit()


def _share(written: str) -> Number:
    """A probability: a number or a percentage."""
    if written[-1] == "%":
        return normalize_number(Fraction(read_number(written[:-1]), 100))
    return read_number(written)


@lru_cache(maxsize=1024)
def _name(word: str) -> str:
    """A name, a move label or an unknown, in quotes or without."""
    if word[0] == '"' and len(word) > 1:
        return unquote_text(word)
    if not is_word(word) or word.upper() in PLAYERS:
        raise _NotPlainError
    return word


def _turn(parent: int, players: Sequence[Player | None], parents: Sequence[int]) -> Player | None:
    """Who moves in a group without a player below this node; None where that has to be said."""
    while parent >= 0 and players[parent] is Player.CHANCE:
        parent = parents[parent]
    player = players[parent] if parent >= 0 else Player.MIN
    return None if player is None else _TURNS.get(player)


def _read_nodes(first: str, others: Iterator[str], header: Header) -> Tree:
    """Read the lines of a tree.

    - `parent`: the node whose children are being read, -1 outside of all.
    - `head`: an inner node whose bracket has not come yet, or -1.
    - `latest`: the node that a claim or attributes would belong to, or -1.
    - `relation`: one that waits for its value, or empty.
    - `labelled`: whether a label or a cross waits for its node; `comma`: whether a comma waits for one.
    - `worded`: whether a word comes last: it may be a misspelt player if a group follows.
    """
    parents: list[int] = []
    payoffs: list[Payoff | None] = []
    players: list[Player | None] = []
    moves: list[str | None] = []
    names: dict[int, str] = {}
    shares: dict[int, Number] = {}
    crosses: set[int] = set()
    claims: dict[int, Claim] = {}
    attributes: dict[int, Attributes] = {}
    labels: dict[str, str] = {}
    parent = head = latest = -1
    relation = ""
    move: str | None = None
    labelled = comma = worded = False
    line: str | None = first
    while line is not None:
        # Outside of brackets a line end means something: only behind the whole tree it does not.
        if parents and parent < 0 and (head >= 0 or line.lstrip(" ")[:1] not in ("", "#")):
            raise _NotPlainError
        for piece in _PIECES.findall(line):
            payoff: Payoff | None = SMALL_NUMBERS.get(piece)
            player = PLAYERS.get(piece) if payoff is None else None
            if payoff is None and player is None:
                sign = piece[0]
                if piece == ")" or piece == ",":
                    if parent < 0 or len(parents) - 1 == parent or head >= 0 or relation or labelled or comma:
                        raise _NotPlainError
                    latest, worded = -1, False
                    if piece == ",":
                        comma = True
                    else:
                        parent = parents[parent]
                    continue
                if piece == "(" and head >= 0:
                    if relation:
                        raise _NotPlainError
                    parent, head, latest = head, -1, -1
                    continue
                if piece[-1] == ":" and piece != ":":
                    if parent < 0 or head >= 0 or relation:
                        raise _NotPlainError
                    label = labels.get(piece)
                    if label is None and _is_numeric(piece):
                        if len(parents) in shares:
                            raise _NotPlainError
                        shares[len(parents)] = _share(piece[:-1].rstrip(" "))
                    else:
                        if move is not None:
                            raise _NotPlainError
                        if label is None:
                            label = labels[piece] = _name(piece[:-1].rstrip(" "))
                        move = label
                    labelled, latest = True, -1
                    continue
                if piece == "~":
                    if parent < 0 or head >= 0 or relation or len(parents) in crosses:
                        raise _NotPlainError
                    crosses.add(len(parents))
                    labelled, latest = True, -1
                    continue
                if piece == "=" or piece == "<=" or piece == ">=":
                    if latest < 0 or relation or latest in claims:
                        raise _NotPlainError
                    relation = piece
                    continue
                if sign == "{" and len(piece) > 1:
                    if latest < 0 or relation or latest in attributes:
                        raise _NotPlainError
                    attributes[latest] = _attributes(piece)
                    continue
                if sign == "#":
                    break
                if piece == "(":
                    player = _turn(parent, players, parents)
                    if player is None or worded:
                        raise _NotPlainError
                elif sign == "<" and len(piece) > 1:
                    payoff = _numbers(piece)
                    if not payoff:
                        raise _NotPlainError
                elif _is_numeric(piece):
                    payoff = read_number(piece)
                elif (player := PLAYERS.get(piece.upper())) is None:
                    payoff = _name(piece)
            if relation:
                if player is not None:
                    raise _NotPlainError
                assert payoff is not None
                named = payoffs[latest]
                if latest == head:
                    if isinstance(payoff, str):
                        raise _NotPlainError
                    claims[latest] = Claim(relation, payoff)  # type: ignore[arg-type]  # it is one of three
                elif relation == "=" and isinstance(named, str) and latest not in names:
                    names[latest], payoffs[latest] = named, payoff
                else:
                    raise _NotPlainError
                relation = ""
                continue
            if head >= 0:
                # The name comes before all marks.
                if not isinstance(payoff, str) or head in names or head in claims or head in attributes:
                    raise _NotPlainError
                names[head] = payoff
                continue
            node = len(parents)
            if parent < 0 and (node or player is None):
                raise _NotPlainError
            parents.append(parent)
            payoffs.append(payoff)
            players.append(player)
            moves.append(move)
            labelled = comma = False
            move = None
            if player is None:
                worded, latest = isinstance(payoff, str), node
                continue
            worded = False
            if piece == "(":
                parent, latest = node, -1
            else:
                head = latest = node
        line = next(others, None)
    if parent >= 0 or head >= 0:
        raise _NotPlainError
    count = len(parents)
    nothing = (None,) * count
    every = range(count)
    probabilities = list(map(shares.get, every))
    even_shares(players, parents, probabilities)
    return Tree(
        players=tuple(players),
        parents=tuple(parents),
        payoffs=tuple(payoffs),
        given=tuple(map(names.get, every)) if names else nothing,
        moves=tuple(moves),
        probabilities=tuple(probabilities),
        claims=tuple(map(claims.get, every)) if claims else nothing,
        crosses=tuple(node in crosses for node in every) if crosses else (False,) * count,
        attributes=tuple(map(attributes.get, every)) if attributes else nothing,
        header=header,
    )
