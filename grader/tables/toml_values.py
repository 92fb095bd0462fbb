"""How the values of TOML fields are read: one reader for each type of value, strict about it."""

from collections.abc import Callable
from typing import Any, TypeAlias

from grader.base.numbers import DIGITS, Number, NumeralError, read_number, write_number
from grader.notation.diagnostics import clipped
from grader.tables import toml as tables

Read: TypeAlias = Callable[[Any], Any]
"""Reads one value; raises `WrongTypeError` or `WrongValueError`."""


MOST_POINTS = 10_000
"""The most points that a question may be worth."""


class WrongTypeError(Exception):
    """A TOML value of the wrong type; the message says what is wanted."""


class WrongValueError(Exception):
    """A TOML value of the right type that makes no sense; the message says why."""


def text(value: Any) -> str:
    """A text, without the space around it."""
    if not isinstance(value, str) or isinstance(value, tables.Numeral):
        raise WrongTypeError("a text in quotes is wanted")
    if any(ord(sign) < 32 and sign not in "\n\t" for sign in value):
        raise WrongValueError("the text holds a control character")
    return value.strip()


def line(value: Any) -> str:
    """A text of one line that is not empty."""
    found = text(value)
    if not found:
        raise WrongValueError("the text is empty")
    if "\n" in found:
        raise WrongValueError("the text has more than one line")
    return found


def boolean(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise WrongTypeError("true or false is wanted")
    return value


def whole(low: int, high: int) -> Callable[[Any], int]:
    """A reader of whole numbers between two, both included."""

    def read(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise WrongTypeError("a whole number is wanted")
        if not low <= value <= high:
            raise WrongValueError(f"a whole number from {low} to {high} is wanted")
        return value

    return read


def number(value: Any) -> Number:
    """An exact number: whole, decimal, or a fraction in quotes."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise WrongTypeError("a number is wanted; a fraction is written in quotes")
    if isinstance(value, int):
        if abs(value) >= 10**DIGITS:
            raise WrongValueError(f"the number has more than {DIGITS} digits")
        return value
    try:
        return read_number(value.replace("_", ""))
    except NumeralError as error:
        raise WrongTypeError(f"{clipped(value)} {error}") from None


def positive(value: Any) -> Number:
    """A number above 0."""
    found = number(value)
    if found <= 0:
        raise WrongValueError("a number above 0 is wanted")
    return found


def points(value: Any) -> Number:
    """The full mark of a question."""
    found = positive(value)
    if found > MOST_POINTS:
        raise WrongValueError(f"a number above 0 and at most {MOST_POINTS} is wanted")
    return found


def limits(value: Any) -> tuple[Number, Number]:
    """A least and a most number."""
    low, high = map(number, pair(value))
    if low > high:
        raise WrongValueError(f"the least, {write_number(low)}, is more than the most, {write_number(high)}")
    return low, high


def span(low: int, high: int) -> Callable[[Any], tuple[int, int]]:
    """A reader of a least and a most whole number, both between two."""
    one = whole(low, high)

    def read(value: Any) -> tuple[int, int]:
        least, most = map(one, pair(value))
        if least > most:
            raise WrongValueError(f"the least, {least}, is more than the most, {most}")
        return least, most

    return read


def pair(value: Any) -> list[Any]:
    """A list of two values."""
    if not isinstance(value, list) or len(value) != 2:
        raise WrongTypeError("a pair [least, most] is wanted")
    return value


def word(words: tuple[str, ...]) -> Callable[[Any], str]:
    """A reader of one of these words."""

    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise WrongTypeError(f"{tables.either(words)} is wanted, in quotes")
        if value not in words:
            meant = tables.meant(value, words)
            raise WrongValueError(f"{tables.either(words)} is wanted{meant and f'; {meant}'}")
        return value

    return read


def several(words: tuple[str, ...]) -> Callable[[Any], tuple[str, ...]]:
    """A reader of a list of these words."""
    one = word(words)

    def read(value: Any) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise WrongTypeError("a list of texts in brackets is wanted")
        return tuple(map(one, value))

    return read


def table(value: Any) -> dict[str, Any]:
    """A table."""
    if not isinstance(value, dict):
        raise WrongTypeError("a table is wanted")
    return value


def many_tables(value: Any) -> list[dict[str, Any]]:
    """One table or more, each in double brackets."""
    if not isinstance(value, list) or not value or not all(isinstance(each, dict) for each in value):
        raise WrongTypeError("a list of tables is wanted")
    return value
