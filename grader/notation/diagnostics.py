"""What is wrong with a text and where, in words a teacher would use."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias
from unicodedata import east_asian_width

from grader.notation.faults import UNPRINTABLE

MOST = 50
"""How many diagnostics are reported in full; one more then says how many there are besides."""

WINDOW = 100
"""How many characters of a long line are shown around the place."""

_LINE_END = re.compile(r"\r\n?|\n")


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake in a text.

    - `code`: stable and listed in `CODES`.
    - `message`: what is wrong.
    - `line`, `column`: the place, counted from 1; both 0 where a text has places of another kind.
    - `excerpt`: the offending line with a caret line under it (a window of it when it is long);
      in JSON the path of the offending value.
    - `hint`: what to do about it.
    """

    code: str
    message: str
    line: int
    column: int
    excerpt: str
    hint: str

    def __str__(self) -> str:
        if self.line:
            place, shown = f"line {self.line}, column {self.column}", self.excerpt.split("\n")
        else:
            place, shown = self.excerpt, []
        lines = [f"{place}: {self.message} [{self.code}]" if place else f"{self.message} [{self.code}]"]
        if shown and shown[0].strip():
            lines += [f"    {line}".rstrip() for line in shown]
        lines += [f"  {self.hint}"] if self.hint else []
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """Everything that is wrong with a text, in reading order; never empty."""

    items: tuple[Diagnostic, ...]

    def __post_init__(self) -> None:
        if not self.items:
            raise ValueError("a text without mistakes has no diagnostics")

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __str__(self) -> str:
        return "\n".join(map(str, self.items))


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake on its way to becoming a `Diagnostic`: its place is still a range of characters."""

    start: int
    end: int
    code: str
    message: str
    hint: str


def report(text: str, mistakes: list[Mistake], more: int = 0) -> Diagnostics:
    """The diagnostics for the mistakes of a text, in reading order; `more` counts mistakes left out."""
    unique = {(mistake.start, mistake.code): mistake for mistake in reversed(mistakes)}
    ordered = sorted(unique.values(), key=lambda mistake: mistake.start)
    items = [_diagnostic(text, mistake) for mistake in ordered[:MOST]]
    return Diagnostics(tuple(capped(items, len(ordered) - len(items) + more)))


def capped(items: list[Diagnostic], more: int = 0) -> list[Diagnostic]:
    """At most `MOST` diagnostics, and one that counts the others; `more` counts those already left out."""
    more += max(0, len(items) - MOST)
    if not more:
        return items
    last = items[:MOST][-1]
    words = f"and {more} more mistake{'s' * (more > 1)}"
    return [
        *items[:MOST],
        Diagnostic("more", words, last.line, last.column, last.excerpt, "correct the ones above first"),
    ]


def _diagnostic(text: str, mistake: Mistake) -> Diagnostic:
    """A mistake with its line and column looked up."""
    start = min(mistake.start, len(text))
    ends = list(_LINE_END.finditer(text, 0, start)) if "\r" in text else None
    if ends is None:
        line = text.count("\n", 0, start) + 1
        begin = text.rfind("\n", 0, start) + 1
    else:
        line = len(ends) + 1
        begin = ends[-1].end() if ends else 0
    end_match = _LINE_END.search(text, start)
    finish = end_match.start() if end_match else len(text)
    excerpt = _excerpt(text, begin, finish, start, max(mistake.end, start + 1))
    return Diagnostic(mistake.code, mistake.message, line, start - begin + 1, excerpt, mistake.hint)


def _excerpt(text: str, begin: int, finish: int, start: int, end: int) -> str:
    """The line from `begin` to `finish` and carets under `start` to `end`, clipped to a window."""
    left, right = begin, finish
    if right - left > WINDOW:
        left = max(begin, min(start - WINDOW // 3, finish - WINDOW))
        right = min(finish, left + WINDOW)
    before = shown(text[left:start])
    line = before + shown(text[start:right])
    carets = max(1, columns(shown(text[start : min(end, right)])))
    front, back = "… " * (left > begin), " …" * (right < finish)
    return f"{front}{line}{back}\n{' ' * columns(front + before)}{'^' * carets}"


def shown(text: str) -> str:
    """Text that a terminal can show: tabs as blanks, other control characters as a replacement character."""
    return (
        text if text.isascii() and text.isprintable() else UNPRINTABLE.sub("\ufffd", text.replace("\t", " "))
    )


def columns(text: str) -> int:
    """How many terminal columns a text takes."""
    return len(text) if text.isascii() else sum(1 + (east_asian_width(letter) in "WF") for letter in text)


def clipped(text: str, most: int = 30) -> str:
    """A word from a text for use in a message, shortened when it is long."""
    return shown(text if len(text) <= most else f"{text[: most - 1]}…")


Reader: TypeAlias = Literal["text", "bytes", "json", "efg", "write-efg"]


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of mistake: its code, what it means, and an example that has exactly this mistake.

    `reader` says which reader finds it: `text` and `bytes` (the example in Latin-1) for the notation,
    `json` and `efg` for the exchange formats; for `write-efg` the example is the tree that cannot be written.
    """

    code: str
    meaning: str
    example: str
    reader: Reader = "text"


CODES: tuple[Code, ...] = ()
