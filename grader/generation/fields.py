"""The fields of a recipe file: what each is called, and how its TOML value is read."""

from dataclasses import dataclass
from typing import Any, get_args

from grader.answers import PolicyError, read_policy
from grader.answers.form import Policy
from grader.generation.recipe import DEEPEST, WIDEST, BestLeaf, Evenly, Measure, OtherTies
from grader.generation.shape import Naming, Odds, Span
from grader.kinds import KINDS, AnyKind
from grader.rules import CHOICES
from grader.tables.toml_values import (
    Read,
    WrongTypeError,
    WrongValueError,
    boolean,
    limits,
    line,
    points,
    positive,
    several,
    span,
    text,
    whole,
    word,
)


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a recipe: its full name, how its TOML value is read, and whether it must be there."""

    name: str
    read: Read
    needed: bool = False


def _beliefs(value: Any) -> tuple[str, ...] | None:
    if value == "all":
        return None
    if value == "none":
        return ()
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise WrongTypeError('"all", "none" or a list of beliefs is wanted')
    return tuple(value)


def _levels(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise WrongTypeError("a list of levels is wanted, 0 being the root")
    levels = tuple(map(whole(0, DEEPEST - 1), value))
    if len(set(levels)) < len(levels):
        raise WrongValueError("a level is named twice")
    return tuple(sorted(levels))


def _branching(value: Any) -> int | tuple[Span, ...]:
    one, spread = whole(1, WIDEST), span(1, WIDEST)
    if not isinstance(value, list):
        return one(value)
    return tuple(spread(level) if isinstance(level, list) else (one(level),) * 2 for level in value)


def policy(value: Any) -> Policy:
    """How a set of leaves or branches is credited."""
    try:
        return read_policy(line(value))
    except PolicyError as error:
        raise WrongValueError(str(error)) from None


def no_policy(kind: AnyKind) -> tuple[str, str] | None:
    """Why a policy says nothing about the answers of a kind, and what helps; None where it does."""
    if kind.form.policies:
        return None
    sets = ", ".join(each.name for each in KINDS if each.form.policies)
    return f"{kind.name} is marked without a policy", f"leave it out; policies are for sets: {sets}"


FIELDS = (
    Field("kind", text, needed=True),
    Field("cap", whole(1, 10**9)),
    Field("shape.plies", whole(1, DEEPEST), needed=True),
    Field("shape.branching", _branching, needed=True),
    Field("shape.root", word(("MAX", "MIN"))),
    Field("shape.chance", _levels),
    Field("shape.probabilities", word(get_args(Odds))),
    Field("shape.names", word(get_args(Naming))),
    Field("payoffs.range", limits, needed=True),
    Field("payoffs.step", positive),
    Field("payoffs.distinct", boolean),
    *(Field(f"rules.{name}", word(words)) for name, words in CHOICES.items()),
    Field("rules.bounds", limits),
    Field("require.pruned", span(0, WIDEST)),
    Field("require.alpha_cuts", whole(0, WIDEST)),
    Field("require.beta_cuts", whole(0, WIDEST)),
    Field("require.chance_cuts", whole(0, WIDEST)),
    Field("require.deep_cuts", whole(0, WIDEST)),
    Field("require.subtree_cuts", whole(0, WIDEST)),
    Field("require.one_optimal_move", boolean),
    Field("require.best_leaf", word(get_args(BestLeaf))),
    Field("require.ties", word(get_args(OtherTies))),
    Field("require.places", whole(0, 30)),
    Field("separate.key", _beliefs),
    Field("separate.each_other", _beliefs),
    Field("variants.same", several(get_args(Measure))),
    Field("variants.evenly", word(get_args(Evenly))),
    Field("question.points", points),
    Field("question.policy", policy),
    Field("question.digits", whole(0, 30)),
    Field("question.every", boolean),
    Field("question.decimal_comma", boolean),
)
NAMES = tuple(field.name for field in FIELDS)
TABLES = tuple(dict.fromkeys(name.partition(".")[0] for name in NAMES if "." in name))
