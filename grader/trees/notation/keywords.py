"""The words of the notation: players, names that need no quotes, and quoted strings."""

import re

from grader.base.numbers import to_plain_characters
from grader.trees.tree import Player

SYMBOLS = {
    **dict.fromkeys("△▲▵▴", Player.MAX),
    **dict.fromkeys("▽▼▿▾", Player.MIN),
    **dict.fromkeys("○◯", Player.CHANCE),
}
"""The symbols of players in drawn trees."""

PLAYERS: dict[str, Player] = {player.value: player for player in Player} | SYMBOLS
"""All spellings of players, words in capitals."""

_WORD = re.compile(r"[^\W\d][\w']*")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


_INFINITE_WORDS = ("inf", "infinity", "oo")
"""Words for infinite payoffs, which must not be read as names of unknowns."""


def is_word(text: str) -> bool:
    """Return whether a name is one plain word, and not infinity.

    The words of players pass too; callers exclude them.
    """
    if text.casefold() in _INFINITE_WORDS:
        return False
    return text.isidentifier() or (_WORD.fullmatch(text) is not None and text[0].isalpha())


def write_word(name: str) -> str:
    """Write a name, move label or unknown, in quotes if it needs them."""
    if is_word(name) and to_plain_characters(name) == name and name.upper() not in PLAYERS:
        return name
    return quote_text(name)


def quote_text(text: str) -> str:
    """Quote a text, with its quotes and backslashes escaped."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def unquote_text(text: str) -> str:
    """Return the text between the quotes with its escapes resolved."""
    inner = text[1:-1]
    return _ESCAPE.sub(r"\1", inner) if "\\" in inner else inner
