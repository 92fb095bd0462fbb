"""Reads well-formed trees in round brackets without the grammar, which is slow to load and to parse."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import Any, TypeVar

from grader.base.numbers import Number, NumeralError, normalize_number, read_number
from grader.trees.annotations import ATTRIBUTES, Attributes, Header
from grader.trees.notation.facts import Fact, FactKind, attribute_fact, header_fact, is_typed_fraction
from grader.trees.notation.keywords import PLAYERS, is_word, unquote_text
from grader.trees.notation.laws import tree_violations
from grader.trees.tree import Claim, Payoff, Player, Tree
from grader.trees.tree_builder import even_shares

T = TypeVar("T")

SMALL_NUMBERS: dict[str, Number] = {str(number): number for number in range(-100, 1000)}
"""Most payoffs, so that they need no parsing."""

_WORD = r'[^ ()\[\]{}<>=~:,#"@]+'
_STRING = r'"(?:[^"\\]|\\["\\])*"'
_ROW = r"\[[^\[\]]*\]"
_VECTOR = r"<[^<>=]*>"

_PIECES = re.compile(
    rf"""
      (?:{_STRING}|{_WORD}) (?:\ *:)?     # a payoff, player or name; with a colon, a label
    | [(),~]
    | (?:<=|>=|=) \ * (?:{_STRING}|{_WORD}|{_VECTOR})  # a claim, or the payoff of a named leaf
    | {_VECTOR}
    | \{{ (?:{_STRING}|[^{{}}"\#])* \}}   # attributes
    | \#.*
    | [^ ]                                # anything else, which is not plain
    """,
    re.VERBOSE,
)

_HEADER = re.compile(rf"@([a-z]+) +({_STRING}|{_ROW}|{_WORD}) *(?:#.*)?")
_ATTRIBUTE = re.compile(rf" *([a-z]+) *= *({_STRING}|{_ROW}|{_WORD}) *(?:, *(?! *$))?")
_NUMBER_OF_ROW = re.compile(rf" *({_WORD}) *(?:, *(?! *$))?")
_NUMERAL = re.compile(_WORD)
_NUMERIC = frozenset("0123456789+-.")

_OPPONENTS = {Player.MAX: Player.MIN, Player.MIN: Player.MAX}


class _NotPlainError(ValueError):
    """The text needs the grammar: it has a mistake, or something that is not plain."""


def read_plain(text: str) -> Tree | None:
    """Return the tree of a text, or None if the text needs the grammar, as every text with a mistake does.

    The grammar reads the same tree from the text.
    """
    all_lines = text.replace("\r\n", "\n").split("\n")
    if not text.isascii() or not all(map(str.isprintable, all_lines)):
        return None
    lines = iter(all_lines)
    facts: dict[str, Any] = {}
    try:
        for line in lines:
            start = line.lstrip(" ")
            if start[:1] == "@":
                _read_header(line, facts)
            elif start and start[0] != "#":
                tree = _read_nodes(chain((line,), lines), Header.from_keys(facts))
                return None if tree_violations(tree) else tree
    except (_NotPlainError, NumeralError):
        pass
    return None


def _read_header(line: str, facts: dict[str, Any]) -> None:
    """Add the fact of a header line. Raises `_NotPlainError`."""
    match = _HEADER.fullmatch(line)
    if match is None or match[1] in facts:
        raise _NotPlainError
    facts[match[1]] = fact = header_fact(match[1], *_fact(match[2]))
    if fact is None:
        raise _NotPlainError


def _fact(text: str) -> tuple[FactKind, Fact]:
    """Return the kind and the value of a word, number, text or row."""
    if text[0] == '"':
        return "TEXT", unquote_text(text)
    if text[0] == "[":
        return "ROW", _numbers(text)
    return ("NUMBER", read_number(text)) if _is_numeric(text) else ("WORD", text)


def _numbers(text: str) -> tuple[Number, ...]:
    """Read the numbers between two brackets. Raises `_NotPlainError`."""
    inner, position, numbers = text[1:-1], 0, list[Number]()
    while inner[position:].strip(" "):
        match = _NUMBER_OF_ROW.match(inner, position)
        if match is None:
            raise _NotPlainError
        numbers.append(read_number(match[1]))
        position = match.end()
    return tuple(numbers)


def _attributes(text: str) -> Attributes:
    """Read the attributes between two braces. Raises `_NotPlainError`."""
    inner, position, pairs = text[1:-1], 0, dict[str, Any]()
    while inner[position:].strip(" "):
        match = _ATTRIBUTE.match(inner, position)
        if match is None or match[1] not in ATTRIBUTES or match[1] in pairs:
            raise _NotPlainError
        pairs[match[1]] = value = attribute_fact(match[1], *_fact(match[2]))
        if value is None:
            raise _NotPlainError
        position = match.end()
    return Attributes.from_keys(pairs)


def _is_numeric(word: str) -> bool:
    """Return whether the grammar reads a word as a number, valid or not."""
    return word[0] in _NUMERIC and word.lstrip("+-.")[:1].isdigit()


@lru_cache(maxsize=1024)
def _label(text: str) -> str | Number:
    """Read a label with its colon: a move, or a probability, which may be a percentage."""
    label = text[:-1].rstrip(" ")
    if not _is_numeric(label):
        return _name(label)
    if label[-1] == "%":
        return normalize_number(Fraction(read_number(label[:-1]), 100))
    return read_number(label)


def _claim(text: str) -> Claim:
    """Read a relation and a value."""
    relation = text[:1] if text[0] == "=" else text[:2]
    value = _payoff(text[len(relation) :].lstrip(" "))
    return Claim(relation, value)  # type: ignore[arg-type]  # an unknown is refused at a node


def _payoff(text: str) -> Payoff:
    """Read a number, a vector or the name of an unknown. Raises `_NotPlainError`."""
    if _is_numeric(text):
        return read_number(text)
    if text[0] != "<":
        return _name(text)
    numbers = _numbers(text)
    if not numbers:
        raise _NotPlainError
    return numbers


def _has_typed_fraction(text: str, payoff: Payoff) -> bool:
    """Return whether a number of a payoff is typed as a fraction that has a finite decimal."""
    return "/" in text and payoff.__class__ is not str and any(map(is_typed_fraction, _NUMERAL.findall(text)))


def _name(word: str) -> str:
    """Read a name, a move label or an unknown, with or without quotes. Raises `_NotPlainError`."""
    if word[0] == '"' and len(word) > 1:
        return unquote_text(word)
    if not is_word(word) or word.upper() in PLAYERS:
        raise _NotPlainError
    return word


def _next_player(parent: int, players: Sequence[Player | None], parents: Sequence[int]) -> Player | None:
    """Return the player of a group without one below this node; None if the text has to say it."""
    while parent >= 0 and players[parent] is Player.CHANCE:
        parent = parents[parent]
    player = players[parent] if parent >= 0 else Player.MIN
    return None if player is None else _OPPONENTS.get(player)


def _read_nodes(lines: Iterable[str], header: Header) -> Tree:
    """Read the lines of a tree. Its loop calls no functions for the most frequent pieces, to be fast.

    - `parent`: the node whose children are being read, -1 outside of all brackets.
    - `head`: an internal node before its bracket, or -1.
    - `latest`: the node to which a claim or attributes would belong, or -1.
    - `needs_node`: True after a label, a cross or a comma.
    - `after_word`: True if the last child is a word, before a group perhaps a misspelt player.
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
    parent = head = latest = -1
    move: str | None = None
    needs_node = after_word = has_fraction = False
    for line in lines:
        # Outside of brackets a line end has a meaning, except after the whole tree.
        if parents and parent < 0 and (head >= 0 or line.lstrip(" ")[:1] not in ("", "#")):
            raise _NotPlainError
        for piece in _PIECES.findall(line):
            node = len(parents)
            payoff: Payoff | None = SMALL_NUMBERS.get(piece)
            player = PLAYERS.get(piece) if payoff is None else None
            if payoff is None and player is None:
                sign = piece[0]
                if sign == ")" or sign == ",":
                    if parent < 0 or node - 1 == parent or head >= 0 or needs_node:
                        raise _NotPlainError
                    latest, after_word = -1, False
                    if sign == ",":
                        needs_node = True
                    else:
                        parent = parents[parent]
                    continue
                if sign == "(" and head >= 0:
                    parent, head, latest = head, -1, -1
                    continue
                if sign == "#":
                    break
                if sign == "~" or (piece[-1] == ":" and len(piece) > 1):
                    label = None if sign == "~" else _label(piece)
                    if parent < 0 or head >= 0:
                        raise _NotPlainError
                    if label is None and node not in crosses:
                        crosses.add(node)
                    elif isinstance(label, str) and move is None:
                        move = label
                    elif isinstance(label, int | Fraction) and node not in shares:
                        shares[node] = label
                    else:
                        raise _NotPlainError
                    needs_node, latest = True, -1
                    continue
                if len(piece) > 1 and (sign == "=" or piece.startswith(("<=", ">="))):
                    claim = _claim(piece)
                    name = payoffs[latest] if latest >= 0 else None
                    if latest == head >= 0 and latest not in claims and not isinstance(claim.value, str):
                        claims[latest] = claim
                    elif isinstance(name, str) and claim.relation == "=" and latest not in names:
                        names[latest], payoffs[latest] = name, claim.value
                        has_fraction = has_fraction or _has_typed_fraction(piece, claim.value)
                    else:
                        raise _NotPlainError
                    continue
                if sign == "{":
                    if latest < 0 or latest in attributes or len(piece) == 1:
                        raise _NotPlainError
                    attributes[latest] = _attributes(piece)
                    continue
                if sign == "(":
                    player = _next_player(parent, players, parents)
                    if player is None or after_word:
                        raise _NotPlainError
                elif (player := PLAYERS.get(piece.upper())) is None:
                    payoff = _payoff(piece)
                    has_fraction = has_fraction or _has_typed_fraction(piece, payoff)
            if head >= 0:
                # The name comes before all marks.
                if not isinstance(payoff, str) or head in names or head in claims or head in attributes:
                    raise _NotPlainError
                names[head] = payoff
                continue
            if parent < 0 and (node or player is None):
                raise _NotPlainError
            parents.append(parent)
            payoffs.append(payoff)
            players.append(player)
            moves.append(move)
            move, needs_node, latest = None, False, node
            after_word = isinstance(payoff, str)
            if piece == "(":
                parent, latest = node, -1
            elif player is not None:
                head = node
    if parent >= 0 or head >= 0:
        raise _NotPlainError
    count = len(parents)
    probabilities = [*_column(shares, count)]
    even_shares(players, parents, probabilities)
    return Tree(
        players=tuple(players),
        parents=tuple(parents),
        payoffs=tuple(payoffs),
        given=_column(names, count),
        moves=tuple(moves),
        probabilities=tuple(probabilities),
        claims=_column(claims, count),
        crosses=tuple(node in crosses for node in range(count)) if crosses else (False,) * count,
        attributes=_column(attributes, count),
        header=replace(header, numbers="fractions") if has_fraction and header.numbers is None else header,
    )


def _column(entries: Mapping[int, T], count: int) -> tuple[T | None, ...]:
    """Return the entries of `count` nodes, None where there is none."""
    return tuple(map(entries.get, range(count))) if entries else (None,) * count
