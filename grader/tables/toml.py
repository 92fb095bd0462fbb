"""TOML that people write: every value with its place, so that every mistake can be shown where it is."""

import re
import tomllib
from typing import Any, TypeAlias

from grader.base.suggest import close_matches

Path: TypeAlias = tuple[str | int, ...]
"""How to get to a value: the keys of tables and the places in lists, from the outside in."""

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r'[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'')
_VALUE = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|[^,\]}#\n]*',
    re.DOTALL,
)


class TomlFloat(str):
    """A TOML float as it was written, so that it can be read as an exact number."""

    __slots__ = ()


def read_toml(text: str) -> dict[str, Any] | tuple[int, str]:
    """What TOML makes of a text, floats as `TomlFloat`; or the place of what is no TOML, and why."""
    try:
        return tomllib.loads(text, parse_float=TomlFloat)
    except RecursionError:
        return 0, "brackets are nested too deeply"
    except ValueError as error:
        message, _, place = str(error).partition(" (at ")
        message = message.partition("; use sys.")[0]  # what a number of 5,000 digits makes Python advise
        return _offset(text, place), f"this is not TOML: {message}"


def _offset(text: str, place: str) -> int:
    """The offset of a place as the TOML reader words it, `line 3, column 5)`; the end for any other."""
    found = re.match(r"line (\d+), column (\d+)\)", place)
    if found is None:
        return len(text)
    lines = text.split("\n")
    return sum(len(line) + 1 for line in lines[: int(found[1]) - 1]) + int(found[2]) - 1


def did_you_mean(word: str, words: tuple[str, ...]) -> str:
    """`did you mean 'net'?`, or nothing when no word is near; capitals or not makes no difference."""
    known = {each.casefold(): each for each in words}
    close = close_matches(word.casefold(), known)
    return f"did you mean {known[close[0]]!r}?" if close else ""


def quoted_choice(words: tuple[str, ...]) -> str:
    """The words in quotes as a choice: `"a", "b" or "c"`."""
    quoted = [f'"{word}"' for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def value_offsets(text: str) -> dict[Path, int]:
    """Where every key, every table and every element of a list starts in a text that is TOML."""
    return _Places(text).walk()


class _Places:
    """A walk over a TOML text that only notes where things are; the text is known to be TOML."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found: dict[Path, int] = {}
        self.counts: dict[Path, int] = {}

    def walk(self) -> dict[Path, int]:
        table: Path = ()
        while self.more():
            if self.passes("["):
                table = self.header()
            else:
                self.entry(table)
        return self.found

    def more(self) -> bool:
        """Go to what counts next; False at the end of the text."""
        self.take(_BLANK)
        return self.at < len(self.text)

    def passes(self, sign: str) -> bool:
        """Go to what counts next, and behind it if it is this sign."""
        there = self.more() and self.text.startswith(sign, self.at)
        self.at += len(sign) if there else 0
        return there

    def take(self, form: re.Pattern[str]) -> str:
        """Go behind what stands here in this form."""
        found = form.match(self.text, self.at)
        if found is None:
            raise AssertionError("the TOML reader took this for a key")
        self.at = found.end()
        return found[0]

    def key(self, path: Path) -> tuple[Path, int]:
        """The path of a dotted key in a table, and where its last word is; of a list on the way, its last."""
        while True:
            self.more()
            start, word = self.at, self.take(_KEY)
            path = (*path, word[1:-1] if word[0] in "\"'" else word)
            self.found.setdefault(path, start)
            if not self.passes("."):
                return path, start
            path = self.last(path, start)

    def last(self, path: Path, start: int) -> Path:
        """The path, or that of the last table where it is one of a list of tables."""
        if path in self.counts:
            path = (*path, self.counts[path] - 1)
            self.found.setdefault(path, start)
        return path

    def header(self) -> Path:
        """The path of a table header; of a list of tables, that of its next table."""
        many = self.passes("[")
        path, start = self.key(())
        if many:
            self.counts[path] = self.counts.get(path, 0) + 1
        for _ in range(1 + many):
            self.passes("]")
        return self.last(path, start)

    def entry(self, table: Path) -> None:
        """A key, an equals sign and a value."""
        path, _ = self.key(table)
        self.passes("=")
        self.value(path)

    def value(self, path: Path) -> None:
        """A value, and what is in it."""
        number = 0
        if self.passes("{"):
            while not self.passes("}"):
                if not self.passes(","):
                    self.entry(path)
        elif self.passes("["):
            while not self.passes("]"):
                if not self.passes(","):
                    self.found[(*path, number)] = self.at
                    self.value((*path, number))
                    number += 1
        else:
            self.take(_VALUE)
