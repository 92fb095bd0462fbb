"""TOML that people write: every value with its offset in the text, so that faults can be shown there."""

import re
import tomllib
from collections.abc import Iterable
from typing import Any, TypeAlias

from grader.base.suggest import close_matches

KeyPath: TypeAlias = tuple[str | int, ...]
"""The path to a value: keys of tables and numbers of list items, the outermost first."""

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r'[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'')
_VALUE = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|[^,\]}#\n]*',
    re.DOTALL,
)
_CURLY_QUOTE = re.compile("[\u201c\u201d\u201e\u2018\u2019\u201a]")


class TomlFloat(str):
    """A TOML float as it was written, so that it can be read as an exact number."""

    __slots__ = ()


def read_toml(text: str) -> dict[str, Any] | tuple[int, str]:
    """Parse TOML, with floats as `TomlFloat`; or return the offset of the syntax error and its message."""
    try:
        return tomllib.loads(text, parse_float=TomlFloat)
    except RecursionError:
        return 0, "brackets are nested too deeply"
    except ValueError as error:
        message, _, place = str(error).partition(" (at ")
        message = message.partition("; use sys.")[0]  # Python's advice for a number of 5,000 digits
        offset = _offset(text, place)
        curly = _CURLY_QUOTE.search(text, text.rfind("\n", 0, offset) + 1)
        if curly is not None and "\n" not in text[min(offset, curly.start()) : curly.start()]:
            return curly.start(), f'this is not TOML: {curly[0]} is a curly quote; use straight quotes: "'
        return offset, f"this is not TOML: {message}"


def _offset(text: str, place: str) -> int:
    """Return the offset of a place in an error of tomllib, `line 3, column 5)`; the end for any other."""
    match = re.match(r"line (\d+), column (\d+)\)", place)
    if match is None:
        return len(text)
    lines = text.split("\n")
    return sum(len(line) + 1 for line in lines[: int(match[1]) - 1]) + int(match[2]) - 1


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Return `did you mean 'net'?`, or an empty text if no word is similar; case is ignored."""
    known = {each.casefold(): each for each in words}
    close = close_matches(word.casefold(), known)
    return f"did you mean {known[close[0]]!r}?" if close else ""


def quoted_choice(words: tuple[str, ...]) -> str:
    """Return the words in quotes as a choice: `"a", "b" or "c"`."""
    quoted = [f'"{word}"' for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def value_offsets(text: str) -> dict[KeyPath, int]:
    """Return the offset of every key, table and list item in a text that is valid TOML."""
    return _OffsetScanner(text).scan()


class _OffsetScanner:
    """Scans a text that is known to be valid TOML, and records only offsets."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.offsets: dict[KeyPath, int] = {}
        self.table_counts: dict[KeyPath, int] = {}

    def scan(self) -> dict[KeyPath, int]:
        """Return the offset of every key, table and list item."""
        table: KeyPath = ()
        while self.skip_blank():
            if self.accept("["):
                table = self.header()
            else:
                self.entry(table)
        return self.offsets

    def skip_blank(self) -> bool:
        """Skip blanks and comments; return False at the end of the text."""
        self.consume(_BLANK)
        return self.position < len(self.text)

    def accept(self, sign: str) -> bool:
        """Skip blanks, then this sign if it follows; return if it does."""
        is_next = self.skip_blank() and self.text.startswith(sign, self.position)
        self.position += len(sign) if is_next else 0
        return is_next

    def consume(self, pattern: re.Pattern[str]) -> str:
        """Consume a match of the pattern and return it."""
        match = pattern.match(self.text, self.position)
        if match is None:
            raise AssertionError("the TOML reader took this for a key")
        self.position = match.end()
        return match[0]

    def key(self, path: KeyPath) -> tuple[KeyPath, int]:
        """Consume a dotted key in a table and record its offsets.

        Returns the path of the key and the offset of its last word.
        """
        while True:
            self.skip_blank()
            start, word = self.position, self.consume(_KEY)
            path = (*path, word[1:-1] if word[0] in "\"'" else word)
            self.offsets.setdefault(path, start)
            if not self.accept("."):
                return path, start
            path = self.enter_last_table(path, start)

    def enter_last_table(self, path: KeyPath, start: int) -> KeyPath:
        """Return the path of the last table in a list of tables, and record that it begins at `start`.

        Any other path is returned as it is.
        """
        if path in self.table_counts:
            path = (*path, self.table_counts[path] - 1)
            self.offsets.setdefault(path, start)
        return path

    def header(self) -> KeyPath:
        """Consume a header after its first bracket; return the path of the table that it starts."""
        is_list = self.accept("[")
        path, start = self.key(())
        if is_list:
            self.table_counts[path] = self.table_counts.get(path, 0) + 1
        for _ in range(1 + is_list):
            self.accept("]")
        return self.enter_last_table(path, start)

    def entry(self, table: KeyPath) -> None:
        """Consume a key, an equals sign and a value."""
        path, _ = self.key(table)
        self.accept("=")
        self.value(path)

    def value(self, path: KeyPath) -> None:
        """Consume a value with all nested values."""
        number = 0
        if self.accept("{"):
            while not self.accept("}"):
                if not self.accept(","):
                    self.entry(path)
        elif self.accept("["):
            while not self.accept("]"):
                if not self.accept(","):
                    self.offsets[(*path, number)] = self.position
                    self.value((*path, number))
                    number += 1
        else:
            self.consume(_VALUE)
