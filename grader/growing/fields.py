"""The fields of a recipe file: what each is called, and how its TOML value is read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args

from grader.answers.form import Policy
from grader.growing.recipe import DEEPEST, WIDEST, BestLeaf, Evenly, Measure, OtherTies
from grader.growing.shape import Naming, Odds, Span
from grader.notation import tables
from grader.numerals import Number, NumeralError, read_number, write_number
from grader.rules import CHOICES


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a recipe: its full name, how its TOML value is read, and whether it must be there."""

    name: str
    read: Callable[[Any], Any]
    needed: bool = False


class WrongTypeError(Exception):
    """A TOML value of the wrong type; the message says what is wanted."""


class WrongValueError(Exception):
    """A TOML value of the right type that makes no sense; the message says why."""


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise WrongTypeError("a text in quotes is wanted")
    return value


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise WrongTypeError("true or false is wanted")
    return value


def _whole(low: int, high: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise WrongTypeError("a whole number is wanted")
        if not low <= value <= high:
            raise WrongValueError(f"a whole number from {low} to {high} is wanted")
        return value

    return read


def _number(value: Any) -> Number:
    if isinstance(value, tables.Numeral | str):
        try:
            return read_number(str(value).replace("_", ""))
        except NumeralError as error:
            raise WrongTypeError(f"{value} {error}") from None
    if not isinstance(value, int) or isinstance(value, bool):
        raise WrongTypeError("a number is wanted; a fraction is written in quotes")
    if abs(value) >= 10**30:
        raise WrongValueError("the number has more than 30 digits")
    return value


def _word(words: tuple[str, ...]) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise WrongTypeError(f"{tables.either(words)} is wanted, in quotes")
        if value not in words:
            meant = tables.meant(value, words)
            raise WrongValueError(f"{tables.either(words)} is wanted{meant and f'; {meant}'}")
        return value

    return read


def _words(words: tuple[str, ...]) -> Callable[[Any], tuple[str, ...]]:
    one = _word(words)

    def read(value: Any) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise WrongTypeError("a list of texts in brackets is wanted")
        return tuple(map(one, value))

    return read


def _beliefs(value: Any) -> tuple[str, ...] | None:
    if value == "all":
        return None
    if value == "none":
        return ()
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise WrongTypeError('"all", "none" or a list of beliefs is wanted')
    return tuple(value)


def _span(value: Any, low: int, high: int) -> Span:
    if not isinstance(value, list) or len(value) != 2:
        raise WrongTypeError("a pair [least, most] is wanted")
    one = _whole(low, high)
    least, greatest = one(value[0]), one(value[1])
    if least > greatest:
        raise WrongValueError(f"the least, {least}, is more than the most, {greatest}")
    return least, greatest


def _leaves(value: Any) -> Span:
    return _span(value, 0, WIDEST)


def _limits(value: Any) -> tuple[Number, Number]:
    if not isinstance(value, list) or len(value) != 2:
        raise WrongTypeError("a pair [least, most] is wanted")
    low, high = _number(value[0]), _number(value[1])
    if low > high:
        raise WrongValueError(f"the least, {write_number(low)}, is more than the most, {write_number(high)}")
    return low, high


def _levels(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise WrongTypeError("a list of levels is wanted, 0 being the root")
    levels = tuple(map(_whole(0, DEEPEST - 1), value))
    if len(set(levels)) < len(levels):
        raise WrongValueError("a level is named twice")
    return tuple(sorted(levels))


def _branching(value: Any) -> int | tuple[Span, ...]:
    one = _whole(1, WIDEST)
    if not isinstance(value, list):
        return one(value)
    return tuple(_span(level, 1, WIDEST) if isinstance(level, list) else (one(level),) * 2 for level in value)


def _policy(value: Any) -> Policy:
    text = _text(value)
    name, colon, deduction = text.partition(":")
    if name == "deduct" and colon:
        lost = _number(deduction)
        if lost <= 0:
            raise WrongValueError("the points lost for an error are more than 0")
        return Policy("deduct", lost)
    if text in ("exact", "net", "each"):
        return Policy(text)  # type: ignore[arg-type]  # mypy does not narrow text by the tuple above
    raise WrongValueError(
        '"exact", "net", "each" or "deduct:k" with the points k lost for an error is wanted'
    )


def _positive(value: Any) -> Number:
    number = _number(value)
    if number <= 0:
        raise WrongValueError("a number above 0 is wanted")
    return number


FIELDS = (
    Field("kind", _text, needed=True),
    Field("cap", _whole(1, 10**9)),
    Field("shape.plies", _whole(1, DEEPEST), needed=True),
    Field("shape.branching", _branching, needed=True),
    Field("shape.root", _word(("MAX", "MIN"))),
    Field("shape.chance", _levels),
    Field("shape.probabilities", _word(get_args(Odds))),
    Field("shape.names", _word(get_args(Naming))),
    Field("payoffs.range", _limits, needed=True),
    Field("payoffs.step", _positive),
    Field("payoffs.distinct", _boolean),
    *(Field(f"rules.{name}", _word(words)) for name, words in CHOICES.items()),
    Field("rules.bounds", _limits),
    Field("require.pruned", _leaves),
    Field("require.alpha_cuts", _whole(0, WIDEST)),
    Field("require.beta_cuts", _whole(0, WIDEST)),
    Field("require.chance_cuts", _whole(0, WIDEST)),
    Field("require.deep_cuts", _whole(0, WIDEST)),
    Field("require.subtree_cuts", _whole(0, WIDEST)),
    Field("require.one_optimal_move", _boolean),
    Field("require.best_leaf", _word(get_args(BestLeaf))),
    Field("require.ties", _word(get_args(OtherTies))),
    Field("require.places", _whole(0, 30)),
    Field("separate.key", _beliefs),
    Field("separate.each_other", _beliefs),
    Field("variants.same", _words(get_args(Measure))),
    Field("variants.evenly", _word(get_args(Evenly))),
    Field("question.points", _positive),
    Field("question.policy", _policy),
    Field("question.digits", _whole(0, 30)),
    Field("question.every", _boolean),
    Field("question.decimal_comma", _boolean),
)
NAMES = tuple(field.name for field in FIELDS)
TABLES = tuple(dict.fromkeys(name.partition(".")[0] for name in NAMES if "." in name))
