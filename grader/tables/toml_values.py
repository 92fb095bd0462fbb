"""The types of values in a TOML document, each with its description, its reader and its writer."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grader.base.numbers import (
    MAX_NUMERAL_DIGITS,
    Number,
    NumeralError,
    normalize_number,
    read_number,
    write_number,
)
from grader.base.safe_text import unsafe_places
from grader.tables.toml import TomlFloat, did_you_mean, quoted_choice
from grader.trees.notation.diagnostics import clip

MAX_POINTS = 10_000
"""The most points that a question may be worth."""


class InvalidValueError(Exception):
    """A value that cannot be read.

    `code` is `type`, `value` or a code of the document; an empty message stands for the type's description.
    """

    def __init__(self, code: str, message: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint


def _write_list(values: Any) -> list[Any] | None:
    return None if values is None else list(values)


@dataclass(frozen=True, slots=True)
class ValueType:
    """A type of value.

    - `description`: the type in words: `a whole number from 1 to 12`.
    - `example`: TOML of such a value.
    - `parse`: TOML value -> value; raises `InvalidValueError`.
    - `write`: value -> TOML value; None if the field is left out.
    """

    description: str
    example: str
    parse: Callable[[Any], Any]
    write: Callable[[Any], Any] = lambda value: value

    def read(self, value: Any) -> Any:
        """Read a value. Raises `InvalidValueError`, whose message may be the description of the type."""
        try:
            return self.parse(value)
        except InvalidValueError as error:
            message = error.message or f"{self.description} is expected"
            raise InvalidValueError(error.code, message, error.hint) from None

    def holds(self, value: Any) -> bool:
        """Return whether the value can be read."""
        try:
            self.read(value)
        except InvalidValueError:
            return False
        return True

    def has_type_of(self, value: Any) -> bool:
        """Return whether the value has this type, even if it cannot be read."""
        try:
            self.read(value)
        except InvalidValueError as error:
            return error.code != "type"
        return True


def _text(value: Any) -> str:
    """Return a text without white space around it; it may be empty and have several lines.

    Raises `InvalidValueError` for anything else, also for a `TomlFloat`, and for invisible characters.
    """
    if not isinstance(value, str) or isinstance(value, TomlFloat):
        raise InvalidValueError("type")
    place = next(unsafe_places(value, lines=True), None)
    if place is not None:
        raise InvalidValueError(
            "value", f"the text contains the character U+{ord(value[place]):04X}, which is invisible"
        )
    return value.strip()


def _line(value: Any) -> str:
    """Return a text as `_text` does. Raises `InvalidValueError` if it is empty or has several lines."""
    text = _text(value)
    if not text:
        raise InvalidValueError("value", "the text is empty")
    if "\n" in text:
        raise InvalidValueError("value", "the text has more than one line")
    return text


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise InvalidValueError("type")
    return value


def _number(value: Any) -> Number:
    """Return an exact number: a whole number, a fraction, a TOML float as written, or a text such as `1/3`.

    Raises `InvalidValueError` for anything else and for too many digits.
    """
    if isinstance(value, bool) or not isinstance(value, int | str | Fraction):
        raise InvalidValueError("type")
    if isinstance(value, str):
        try:
            return read_number(value.replace("_", ""))
        except NumeralError as error:
            raise InvalidValueError("type", f"{clip(value)} {error}") from None
    if isinstance(value, int) and abs(value) >= 10**MAX_NUMERAL_DIGITS:
        raise InvalidValueError("value", f"the number has more than {MAX_NUMERAL_DIGITS} digits")
    return normalize_number(value)


TEXT = ValueType("a text in quotes", '"..."', _text)
LINE = ValueType("a line of text in quotes", '"..."', _line)
BOOLEAN = ValueType("true or false", "true", _boolean)
NUMBER = ValueType("a number, or a fraction in quotes", "2.5", _number)


def number(description: str, example: str, is_valid: Callable[[Number], bool]) -> ValueType:
    """Return the type of the numbers that are valid."""

    def read(value: Any) -> Number:
        parsed = _number(value)
        if not is_valid(parsed):
            raise InvalidValueError("value")
        return parsed

    return ValueType(description, example, read)


POSITIVE = number("a number above 0", "0.5", lambda value: value > 0)
SHARE = number("a share from 0 to 1", '"2/3"', lambda share: 0 <= share <= 1)
POINTS = number(f"a number above 0 and at most {MAX_POINTS}", "4", lambda value: 0 < value <= MAX_POINTS)
POINTS_OR_DROPPED = number(f"a number from 0 to {MAX_POINTS}", "4", lambda value: 0 <= value <= MAX_POINTS)


def whole_number(low: int, high: int) -> ValueType:
    """Return the type of the whole numbers from `low` to `high`, both included."""

    def read(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise InvalidValueError("type")
        if not low <= value <= high:
            raise InvalidValueError("value")
        return value

    return ValueType(f"a whole number from {low} to {high}", str(max(low, 1)), read)


def pair(item: ValueType, plural: str, example: str) -> ValueType:
    """Return the type of pairs of a lower and an upper bound; `plural` describes them."""

    def read(value: Any) -> tuple[Any, Any]:
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise InvalidValueError("type")
        low, high = map(item.read, value)
        if low > high:
            message = f"the least, {write_number(low)}, is more than the most, {write_number(high)}"
            raise InvalidValueError("value", message)
        return low, high

    return ValueType(f"a pair [least, most] of {plural}", example, read, _write_list)


def one_word_of(words: tuple[str, ...]) -> ValueType:
    """Return the type whose values are these words."""

    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise InvalidValueError("type")
        if value not in words:
            raise InvalidValueError("value", hint=did_you_mean(value, words))
        return value

    return ValueType(quoted_choice(words), f'"{words[-1]}"', read)


def list_of(item: ValueType, plural: str) -> ValueType:
    """Return the type of lists of distinct items; `plural` describes them."""

    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise InvalidValueError("type")
        items = tuple(map(item.read, value))
        if len(set(items)) < len(items):
            raise InvalidValueError("value", "something is named twice")
        return items

    return ValueType(f"a list of {plural}, each {item.description},", f"[{item.example}]", read, _write_list)
