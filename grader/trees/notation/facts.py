"""The valid values of header lines and attributes, for the plain reader and the grammar."""

from fractions import Fraction
from typing import Any, Literal, TypeAlias, get_args

from grader.base.numbers import Number, has_finite_decimal, read_number
from grader.trees.annotations import NumberStyle
from grader.trees.rules import CHOICES

FactKind: TypeAlias = Literal["WORD", "NUMBER", "TEXT", "ROW"]
"""The form of a fact: a word, a number, a text in quotes, or numbers in square brackets."""

Fact: TypeAlias = str | Number | tuple[Number, ...]

HEADER_CHOICES: dict[str, tuple[str, ...]] = {**CHOICES, "numbers": get_args(NumberStyle)}
"""The header lines with a choice of words."""

HEADER_EXAMPLES = {
    "title": ("a text in quotes", '"Figure 5.2"'),
    "source": ("a text in quotes", '"Russell and Norvig, fig. 5.2"'),
    **{name: (" or ".join(words), words[0]) for name, words in CHOICES.items()},
    "bounds": ("two numbers in square brackets", "[-2, 2]"),
    "window": ("two numbers in square brackets", "[3, 5]"),
    "depth": ("a whole number of plies, 0 or more", "2"),
    "weights": ("numbers in square brackets", "[3, 1]"),
    "numbers": (" or ".join(HEADER_CHOICES["numbers"]), "fractions"),
}
"""The required value of each header line, and an example."""


def header_fact(name: str, kind: FactKind, fact: Fact) -> Any:
    """Return the value of a header line, or None if it is invalid."""
    if name in ("title", "source"):
        return fact if kind == "TEXT" else None
    if name in HEADER_CHOICES:
        return fact if kind == "WORD" and fact in HEADER_CHOICES[name] else None
    if name == "depth":
        return fact if kind == "NUMBER" and isinstance(fact, int) and fact >= 0 else None
    if kind == "ROW" and isinstance(fact, tuple):
        return fact if name == "weights" or (name in ("bounds", "window") and len(fact) == 2) else None
    return None


def attribute_fact(key: str, kind: FactKind, fact: Fact) -> Any:
    """Return the value of an attribute, or None if it is invalid."""
    if key == "f":
        return fact if kind == "ROW" else None
    if key == "board":
        return fact if kind == "TEXT" and isinstance(fact, str) and fact.strip(" /") else None
    if kind != "NUMBER" or (key == "n" and not (isinstance(fact, int) and fact >= 0)):
        return None
    return fact


def is_typed_fraction(numeral: str) -> bool:
    """Return whether a numeral has a slash, and its value a finite decimal: `7/2`, but not `7/3` or `6/2`.

    A payoff typed so sets the header line `@numbers fractions`.
    """
    if "/" not in numeral:
        return False
    value = read_number(numeral)
    return isinstance(value, Fraction) and has_finite_decimal(value)
