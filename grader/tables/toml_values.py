"""What a field of a TOML document may hold: each type of value with its words, its reader and its writer."""

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

    `code` is `type`, `value` or a code of the document's own; without a message it is what is wanted.
    """

    def __init__(self, code: str, message: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint


def _same(value: Any) -> Any:
    return value


def _listed(values: Any) -> list[Any] | None:
    return None if values is None else list(values)


@dataclass(frozen=True, slots=True)
class Value:
    """A type of value.

    - `description`: what is wanted, in words: `a whole number from 1 to 12`.
    - `example`: TOML of such a value.
    - `read`: the value from what TOML gives; raises `InvalidValueError`.
    - `write`: the way back; None where the field is left out.
    """

    description: str
    example: str
    read: Callable[[Any], Any]
    write: Callable[[Any], Any] = _same

    def holds(self, value: Any) -> bool:
        """Whether the value can be read."""
        try:
            self.read(value)
        except InvalidValueError:
            return False
        return True

    def has_type_of(self, value: Any) -> bool:
        """Whether the value is of this type, even if it cannot be read."""
        try:
            self.read(value)
        except InvalidValueError as wrong:
            return wrong.code != "type"
        return True


def _text(value: Any) -> str:
    if not isinstance(value, str) or isinstance(value, TomlFloat):
        raise InvalidValueError("type")
    place = next(unsafe_places(value, lines=True), None)
    if place is not None:
        raise InvalidValueError(
            "value", f"the text holds the character U+{ord(value[place]):04X}, which nobody sees"
        )
    return value.strip()


def _line(value: Any) -> str:
    found = _text(value)
    if not found:
        raise InvalidValueError("value", "the text is empty")
    if "\n" in found:
        raise InvalidValueError("value", "the text has more than one line")
    return found


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise InvalidValueError("type")
    return value


def _number(value: Any) -> Number:
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


TEXT = Value("a text in quotes", '"..."', _text)
LINE = Value("a line of text in quotes", '"..."', _line)
BOOLEAN = Value("true or false", "true", _boolean)
NUMBER = Value("a number; a fraction stands in quotes", "2.5", _number)


def number(wanted: str, example: str, fits: Callable[[Number], bool]) -> Value:
    """A number that fits."""

    def read(value: Any) -> Number:
        found = _number(value)
        if not fits(found):
            raise InvalidValueError("value")
        return found

    return Value(wanted, example, read)


POSITIVE = number("a number above 0", "0.5", lambda found: found > 0)
POINTS = number(f"a number above 0 and at most {MAX_POINTS}", "4", lambda found: 0 < found <= MAX_POINTS)


def whole_number(low: int, high: int) -> Value:
    """A whole number between two, both included."""

    def read(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise InvalidValueError("type")
        if not low <= value <= high:
            raise InvalidValueError("value")
        return value

    return Value(f"a whole number from {low} to {high}", str(max(low, 1)), read)


def pair(each: Value, things: str, example: str) -> Value:
    """A least and a most value."""

    def read(value: Any) -> tuple[Any, Any]:
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise InvalidValueError("type")
        least, most = (read_nested(each, one) for one in value)
        if least > most:
            message = f"the least, {write_number(least)}, is more than the most, {write_number(most)}"
            raise InvalidValueError("value", message)
        return least, most

    return Value(f"a pair [least, most] of {things}", example, read, _listed)


def one_word_of(words: tuple[str, ...]) -> Value:
    """One of these words."""

    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise InvalidValueError("type")
        if value not in words:
            raise InvalidValueError("value", hint=did_you_mean(value, words))
        return value

    return Value(quoted_choice(words), f'"{words[-1]}"', read)


def list_of(each: Value, things: str) -> Value:
    """A list of values, no two alike."""

    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise InvalidValueError("type")
        found = tuple(read_nested(each, one) for one in value)
        if len(set(found)) < len(found):
            raise InvalidValueError("value", "something is named twice")
        return found

    return Value(f"a list of {things}, each {each.description},", f"[{each.example}]", read, _listed)


def read_nested(each: Value, value: Any) -> Any:
    """A value inside another one, whose own words say what is wrong with it."""
    try:
        return each.read(value)
    except InvalidValueError as wrong:
        raise InvalidValueError(
            wrong.code, wrong.message or f"{each.description} is wanted", wrong.hint
        ) from None
