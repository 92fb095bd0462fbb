"""Exact numbers: how they are read from text and written back."""

import math
import re
from fractions import Fraction
from typing import TypeAlias

Number: TypeAlias = int | Fraction
"""A payoff, probability, value or point: always exact."""

Bound: TypeAlias = int | Fraction | float
"""A `Number`, or one of the two infinities; no other float ever occurs."""

INFINITY = math.inf
"""The only float in the solvers; it compares exactly with `int` and `Fraction`."""

MAX_NUMERAL_DIGITS = 30
"""The most digits a numeral may have on either side of its slash, and the largest exponent."""

NUMERAL_LIMIT = 10**MAX_NUMERAL_DIGITS
"""The least whole number with more digits."""

MINUS_SIGNS = "\u2212\u2013\u2010\u2011\u2012\u2796\ufe63\uff0d"
BOUND_SIGNS = {"\u2a7d": "\u2264", "\u2266": "\u2264", "\u2a7e": "\u2265", "\u2267": "\u2265"}
"""Variants of the signs for at most and at least."""

SPACES = "\u00a0\u2002\u2003\u2007\u2008\u2009\u200a\u202f\u205f\u3000"

_FULLWIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_PASTED: dict[int, int | str] = {
    **_FULLWIDTH,
    **dict.fromkeys(map(ord, MINUS_SIGNS), "-"),
    **dict.fromkeys(map(ord, SPACES), " "),
    **{ord(sign): twin for sign, twin in BOUND_SIGNS.items()},
}

# Sizes are checked separately, so that `1e999999999` is one wrong numeral.
_PARTS = re.compile(
    r"(?P<sign>[+-]?)(?:(?P<whole>\d+)(?:\.(?P<places>\d*))?|\.(?P<only>\d+))"
    r"(?:[eE](?P<exponent>[+-]?\d+)|/(?P<below>\d+))?",
    re.ASCII,
)


class NumeralError(ValueError):
    """A text that is not a valid number.

    `phrase` is the reason, with the placeholders `{number}` and `{digits}`; the message is its part after
    the number.
    """

    def __init__(self, phrase: str) -> None:
        super().__init__(phrase.format(number="", digits=MAX_NUMERAL_DIGITS).strip())
        self.phrase = phrase


def _too_long() -> NumeralError:
    return NumeralError("{number} has more than {digits} digits")


def to_plain_characters(text: str) -> str:
    """Replace pasted minus signs, bound signs, spaces and fullwidth characters by plain ones.

    The result is as long as `text`, so positions in both are the same.
    """
    return text if text.isascii() else text.translate(_PASTED)


def read_number(text: str) -> Number:
    """Read one exact number such as `-2`, `2.5`, `.5`, `7/3` or `1e-3`.

    Raises `NumeralError` when the text is not a numeral, has more than 30 digits
    or an exponent beyond 30, or divides by zero.
    """
    if len(text) <= MAX_NUMERAL_DIGITS and text.isdigit() and text.isascii():
        return int(text)  # the usual case
    parts = _PARTS.fullmatch(to_plain_characters(text)) if len(text) <= 4 * MAX_NUMERAL_DIGITS else None
    if parts is None:
        raise NumeralError("{number} is not a number") if len(text) <= 4 * MAX_NUMERAL_DIGITS else _too_long()
    whole, places = parts["whole"] or "", parts["places"] or parts["only"] or ""
    below, exponent = parts["below"], parts["exponent"]
    if len(whole) + len(places) > MAX_NUMERAL_DIGITS or (
        below is not None and len(below) > MAX_NUMERAL_DIGITS
    ):
        raise _too_long()
    if exponent is not None and (len(exponent.lstrip("+-0")) > 2 or abs(int(exponent)) > MAX_NUMERAL_DIGITS):
        raise NumeralError("{number} has an exponent beyond {digits}")
    top = int(parts["sign"] + whole + places)
    if below is not None and places:
        raise NumeralError("{number} mixes a decimal point and a fraction bar")
    if below is not None:
        if int(below) == 0:
            raise NumeralError("{number} divides by zero")
        return normalize_number(Fraction(top, int(below)))
    power = int(exponent or 0) - len(places)
    return top * 10**power if power >= 0 else normalize_number(Fraction(top, 10**-power))


def normalize_number(value: Number) -> Number:
    """Return the same number, as an `int` if it is whole."""
    return value.numerator if value.denominator == 1 else value


def round_number(number: Number, places: int) -> Number:
    """Return a number rounded to `places` decimals, halves away from zero."""
    scaled = abs(Fraction(number)) * 10**places
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return normalize_number(Fraction(whole if number > 0 else -whole, 10**places))


def format_count(number: Number, one: str, many: str = "") -> str:
    """Return a number with its noun, in English: `1 row`, `3 rows`."""
    return f"{write_number(number)} {one if number == 1 else many or one + 's'}"


def write_number(value: Bound) -> str:
    """Write a number in canonical form: a decimal when it terminates, else a fraction; `-inf`, `inf`.

    A fraction is also used if the decimal would have too many digits.
    Every number from `read_number` reads back as the same number.
    """
    if isinstance(value, float):
        return "inf" if value > 0 else "-inf"
    if value.denominator == 1:
        whole = value.numerator
        return str(whole) if -NUMERAL_LIMIT < whole < NUMERAL_LIMIT else _scientific(whole, 0)
    places = _decimal_places(value.denominator)
    scaled = 0 if places is None else abs(value.numerator) * 10**places // value.denominator
    if places is None or scaled >= NUMERAL_LIMIT:
        return f"{value.numerator}/{value.denominator}"
    digits = str(scaled).rjust(places + 1, "0")
    if len(digits) > MAX_NUMERAL_DIGITS:
        return _scientific(scaled if value > 0 else -scaled, -places)
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def rounded_share(share: Number | float) -> str:
    """Return a share in canonical form, rounded to four decimals."""
    return write_number(normalize_number(round(Fraction(share), 4)))


def write_fraction(value: Bound) -> str:
    """Write a number as a fraction in lowest terms, `7/2`; one that would be too long as `write_number` does.

    Every number from `read_number` reads back as the same number.
    """
    if isinstance(value, Fraction) and max(abs(value.numerator), value.denominator) < NUMERAL_LIMIT:
        return str(value)
    return write_number(value)


def has_finite_decimal(value: Number) -> bool:
    """Return whether the decimal of a number terminates."""
    return _decimal_places(value.denominator) is not None


def number_to_json(value: Bound | tuple[Number, ...]) -> str | list[str]:
    """Return a value as JSON: a string, or a list of strings for several players."""
    return [write_number(part) for part in value] if isinstance(value, tuple) else write_number(value)


def _decimal_places(denominator: int) -> int | None:
    """Return the decimal places of a fraction in lowest terms; None if its decimal does not terminate."""
    twos = fives = 0
    while denominator % 2 == 0:
        denominator, twos = denominator // 2, twos + 1
    while denominator % 5 == 0:
        denominator, fives = denominator // 5, fives + 1
    return max(twos, fives) if denominator == 1 else None


def _scientific(digits: int, power: int) -> str:
    """Write `digits * 10**power`, moving the decimal point so that the exponent is within the limit."""
    while digits % 10 == 0:
        digits, power = digits // 10, power + 1
    if power > MAX_NUMERAL_DIGITS:
        digits, power = digits * 10 ** (power - MAX_NUMERAL_DIGITS), MAX_NUMERAL_DIGITS
    if power >= -MAX_NUMERAL_DIGITS:
        return f"{digits}e{power}"
    places = -power - MAX_NUMERAL_DIGITS
    text = str(abs(digits)).rjust(places + 1, "0")
    return f"{'-' if digits < 0 else ''}{text[:-places]}.{text[-places:]}e-{MAX_NUMERAL_DIGITS}"
