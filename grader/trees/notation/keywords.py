"""The words of the notation: players, names that need no quotes, quoted strings, and keys."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from grader.base.numbers import to_plain_characters
from grader.trees.tree import Attributes, Header, Player

SYMBOLS = {
    **dict.fromkeys("△▲▵▴", Player.MAX),
    **dict.fromkeys("▽▼▿▾", Player.MIN),
    **dict.fromkeys("○◯", Player.CHANCE),
}
"""The players as teachers draw them."""

PLAYERS: dict[str, Player] = {player.value: player for player in Player} | SYMBOLS
"""Every spelling of a player, words in capitals."""

_WORD = re.compile(r"[^\W\d][\w']*")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


_INFINITE = ("inf", "infinity", "oo")
"""What a payoff would be that is not finite: as an unknown of this name it would go unnoticed."""


def is_word(text: str) -> bool:
    """Whether a text may stand without quotes where it is clear that no player is meant."""
    if text.casefold() in _INFINITE:
        return False
    return text.isidentifier() or (_WORD.fullmatch(text) is not None and text[0].isalpha())


@lru_cache(maxsize=1024)
def write_word(name: str) -> str:
    """A name, move label or unknown as it is written: in quotes where it needs them."""
    if is_word(name) and to_plain_characters(name) == name and name.upper() not in PLAYERS:
        return name
    return quote_text(name)


def quote_text(text: str) -> str:
    """A text in quotes, its quotes and backslashes escaped."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def unquote_text(text: str) -> str:
    """What stands between the quotes, escapes resolved; `text` begins and ends with a quote."""
    inner = text[1:-1]
    return _ESCAPE.sub(r"\1", inner) if "\\" in inner else inner


def attributes_from_keys(values: Mapping[str, Any]) -> Attributes:
    """Return the attributes with these values by key; None for the others."""
    return Attributes(
        evaluation=values.get("eval"),
        features=values.get("f"),
        visits=values.get("n"),
        wins=values.get("w"),
        board=values.get("board"),
    )


def header_from_keys(values: Mapping[str, Any]) -> Header:
    """Return the `@` lines with these values by name; None for the others."""
    return Header(
        title=values.get("title"),
        source=values.get("source"),
        order=values.get("order"),
        ties=values.get("ties"),
        test=values.get("test"),
        returns=values.get("returns"),
        bounds=values.get("bounds"),
        depth=values.get("depth"),
        weights=values.get("weights"),
    )
