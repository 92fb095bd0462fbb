"""The valid values of header lines and attributes, for the plain reader and the grammar."""

from typing import Any, Literal, TypeAlias

from grader.base.numbers import Number
from grader.trees.rules import CHOICES

FactKind: TypeAlias = Literal["WORD", "NUMBER", "TEXT", "ROW"]
"""The form of a fact: a word, a number, a text in quotes, or numbers in square brackets."""

Fact: TypeAlias = str | Number | tuple[Number, ...]


def header_fact(name: str, kind: FactKind, fact: Fact) -> Any:
    """Return the value of a header line, or None if it is invalid."""
    if name in ("title", "source"):
        return fact if kind == "TEXT" else None
    if name in CHOICES:
        return fact if kind == "WORD" and fact in CHOICES[name] else None
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
