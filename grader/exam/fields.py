"""The fields of a blueprint: what each is called in its table, and how its TOML value is read."""

import datetime
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, get_args

from grader.exam.paper_words import WORDS
from grader.generation.fields import policy
from grader.rules import CHOICES
from grader.tables.toml_values import (
    Read,
    WrongTypeError,
    WrongValueError,
    boolean,
    limits,
    line,
    many_tables,
    points,
    table,
    text,
    whole,
    word,
)

FORMS = 26
"""The most forms: they are lettered."""

Size: TypeAlias = Literal["a4", "us-letter"]


def _day(value: Any) -> str:
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat().replace("T", " ")
    return text(value)


def _variants(value: Any) -> str:
    try:
        return word(("per-student",))(value)
    except (WrongTypeError, WrongValueError) as error:
        raise type(error)(f"{error}; forms = 3 instead makes three forms") from None


def _language(value: Any) -> str:
    said = line(value)
    parts = said.split("-")
    if (
        not all(part.isascii() and part.isalnum() and len(part) <= 8 for part in parts)
        or not 2 <= len(parts[0]) <= 3
    ):
        raise WrongValueError('a language code such as "en" or "de" is wanted')
    return said


def _recipe(value: Any) -> Any:
    if not isinstance(value, str | dict):
        raise WrongTypeError("the name of a recipe file, or a table of changes to the kind's own, is wanted")
    return value


Fields: TypeAlias = Mapping[str, Read]

TERMS: Fields = {
    "points": points,
    "policy": policy,
    "every": boolean,
    "digits": whole(0, 30),
    "decimal_comma": boolean,
    "prompt": text,
}
EXAM: Fields = {
    "title": line,
    "course": text,
    "date": _day,
    "instructions": text,
    "language": _language,
    "paper": word(get_args(Size)),
    "secret": line,
    "secret_file": line,
    "variants": _variants,
    "forms": whole(1, FORMS),
    "digits": whole(0, 30),
    "decimal_comma": boolean,
    "words": table,
    "question": many_tables,
}
TREES = ("tree", "tree_file", "bank")
SOURCES = ("recipe", *TREES)
QUESTION: Fields = {
    "title": line,
    "kind": line,
    **TERMS,
    "recipe": _recipe,
    "tree": text,
    "tree_file": line,
    "bank": line,
    "rules": table,
    "follow_through": boolean,
    "part": many_tables,
}
WORDINGS: Fields = dict.fromkeys(WORDS, line)
PART: Fields = {"kind": line, **TERMS}
RULES: Fields = {
    **{name: word(words) for name, words in CHOICES.items()},
    "bounds": limits,
    "depth": whole(0, 64),
}
