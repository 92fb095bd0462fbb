"""A number as someone typed it: its value, and how many decimals it shows."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache

from grader.answers.reply_words import FRACTION_SIGNS
from grader.base.numbers import (
    MAX_NUMERAL_DIGITS,
    NUMERAL_LIMIT,
    Number,
    NumeralError,
    read_number,
    to_plain_characters,
    write_number,
)
from grader.trees.tree import Tree


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a reply or a key.

    `places` is the number of decimals typed, None for whole numbers, fractions and keys.
    Two numerals are equal if their values are, no matter how they were typed.
    """

    value: Number
    places: int | None = field(default=None, compare=False)

    def __neg__(self) -> "Numeral":
        return Numeral(-self.value, self.places)


@lru_cache(maxsize=1_000)
def exact_numeral(value: Number) -> Numeral:
    """A number as keys say it, who say the same ones again and again."""
    return Numeral(value)


def parse_numeral(text: str) -> Numeral:
    """Read one number: what `grader.base.numbers.read_number` reads, or one character such as `½`.

    Raises `grader.base.numbers.NumeralError` when the text is not a number.
    """
    if text.isascii() and text.isdigit():
        return Numeral(read_number(text))
    text = FRACTION_SIGNS.get(text) or to_plain_characters(text).replace(" ", "").replace("\t", "")
    value = read_number(text)
    mantissa, _, exponent = text.casefold().partition("e")
    _, _, decimals = mantissa.partition(".")
    places = len(decimals) - int(exponent or 0)
    return Numeral(value, places if places > 0 else None)


def parse_value(text: str) -> Number | None:
    """The number that a text is, None where it is none."""
    try:
        return parse_numeral(text).value
    except NumeralError:
        return None


def parse_digits(text: str) -> int:
    """The whole number that ASCII digits spell, -1 for anything else; a long one is just very large."""
    return bounded_number(text) if text.isdigit() and text.isascii() else -1


def bounded_number(decimals: str) -> int:
    """Return the number that decimal digits spell; a long one, which `int` refuses, is just very large."""
    digits = decimals.lstrip("0") or "0"
    return int(digits) if len(digits) < 10 else 10**9


def could_be_equal(one: Numeral, two: Numeral) -> bool:
    """Return whether two numbers are equal, or one may be the other rounded."""
    if one.places is None and two.places is None:
        return one.value == two.value
    return matches_key(one, two, 1) or matches_key(two, one, 1)


def claimed_value(tree: Tree, node: int) -> Numeral | None:
    """The number that someone wrote at a node as its value; None where there is none, or only a bound."""
    claim = tree.claims[node]
    if claim is None or claim.relation != "=" or isinstance(claim.value, tuple):
        return None
    return Numeral(claim.value)


def mixed_number(whole: Numeral, rest: Numeral) -> Numeral | None:
    """`2` and `1/3` as `2 1/3`; None unless a whole number and a proper fraction, or with too many digits."""
    if whole.places is not None or not isinstance(whole.value, int):
        return None
    if rest.places is not None or not isinstance(rest.value, Fraction) or not 0 < rest.value < 1:
        return None
    value = whole.value - rest.value if whole.value < 0 else whole.value + rest.value
    return Numeral(value) if abs(value.numerator) < NUMERAL_LIMIT else None


def write_numeral(numeral: Numeral) -> str:
    """Write canonical text; the typed decimals stay, because they decide whether rounding was correct.

    Zeros at the end are left out if there are too many digits: `100e-30`.
    """
    text = write_number(numeral.value)
    if numeral.places is None or "/" in text or "e" in text:
        return text
    whole, _, places = text.partition(".")
    room = MAX_NUMERAL_DIGITS - len(whole.lstrip("-"))
    return f"{whole}.{places.ljust(min(numeral.places, room), '0')}" if numeral.places else whole


def matches_key(typed: Numeral, key: Numeral, digits: int) -> bool:
    """Return whether a typed number is correct: equal, or the key rounded to the typed decimals.

    A rounded decimal needs at least `digits` decimals. Halves may be rounded away from zero
    or to the even digit.
    """
    if typed.value == key.value:
        return True
    if typed.places is None or typed.places < digits:
        return False
    unit: int = 10**typed.places
    above = (typed.value - key.value) * unit * 2
    if -1 < above < 1:
        return True
    away = above == (1 if key.value > 0 else -1)
    return away or (above in (1, -1) and typed.value * unit % 2 == 0)


def discredit_wrong_decimals(
    typed: Numeral, decimals: int, rounded: Callable[[int], Number | None]
) -> Numeral:
    """Return the number with only `decimals` places if it has more and these are incorrect.

    `rounded` returns the exact number rounded to this many decimals.
    """
    if typed.places is None or typed.places <= decimals or rounded(typed.places) == typed.value:
        return typed
    return replace(typed, places=decimals)


def matches_rounded_key(typed: Numeral, key: Numeral, _digits: int) -> bool:
    """Return whether a typed number is correct if the key itself is rounded.

    More decimals are correct if they round to the key, halves either way.
    """
    if typed.value == key.value:
        return True
    decimals = key.places or 0
    off = abs(Fraction(typed.value) - Fraction(key.value))
    finer = typed.places is None or typed.places > decimals
    return finer and off <= Fraction(1, 2 * 10**decimals)
