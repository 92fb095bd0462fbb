"""Lines of plain text: how wide they are in a terminal, and where they break."""

import re
import unicodedata
from collections.abc import Iterator

_OPENING = frozenset("([{“‘（［｛《〈「『【")
"""The signs that no line ends with."""

_CLOSING = frozenset(")]},.;:!?%”’…。，、；：？！）］｝》〉」』】％")
"""The signs that no line begins with."""

_WORDS = re.compile(r"([ \t]*)([^ \t]+)")


def display_width(words: str) -> int:
    """Return the number of columns that the words take in a terminal."""
    if words.isascii():
        return len(words)
    return sum(map(_sign_width, words))


def _sign_width(sign: str) -> int:
    """Return how many columns of a terminal a character takes: 0, 1 or 2."""
    if unicodedata.combining(sign):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def wrap_line(
    text: str, width: int, head: str = "", indent: str = "", *, max_unit: int | None = None
) -> list[str]:
    """Break a line of text into lines of at most `width` columns, at spaces and next to Chinese characters.

    The first line begins with `head`, all others with `indent`. No line begins with a closing sign or ends
    with an opening one. A word that has no place to break stays whole, up to `max_unit` characters.
    """
    lines, line, used = list[str](), head, display_width(head)
    is_empty = True
    for space, unit in _units(text, max_unit):
        columns = display_width(space) + display_width(unit)
        if is_empty or used + columns <= width:
            line, used, is_empty = line + space + unit, used + columns, False
        else:
            lines.append(line)
            line, used = indent + unit, display_width(indent) + display_width(unit)
    return [*lines, line] if not is_empty else lines


def _units(text: str, max_unit: int | None) -> Iterator[tuple[str, str]]:
    """Yield the pieces of a text that stay whole, each with the space before it."""
    for space, word in _WORDS.findall(text):
        start = 0
        for place in range(1, len(word)):
            if place - start == max_unit or _can_break(word[place - 1], word[place]):
                yield space, word[start:place]
                space, start = "", place
        yield space, word[start:]


def _can_break(before: str, after: str) -> bool:
    """Return whether a line may end between two characters of a word."""
    if before in _OPENING or after in _CLOSING or (before.isascii() and after.isascii()):
        return False
    return _sign_width(before) == 2 or _sign_width(after) == 2
