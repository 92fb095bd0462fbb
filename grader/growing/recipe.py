"""What a good exercise looks like: a recipe, read from TOML and checked before anything is grown."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal, TypeAlias, get_args

from grader.answers.form import Policy, Terms
from grader.growing.shape import SIMPLE_ODDS, Naming, Odds, Shape, Span, fixed_skeleton, most
from grader.kinds import KINDS, AnyKind, kind_named
from grader.notation import tables
from grader.notation.diagnostics import Code, Diagnostics, Mistake, report
from grader.numerals import Number, NumeralError, exact, read_number, write_number
from grader.rules import CHOICES, Rules, RulesError
from grader.shipped import shipped
from grader.tree import Player

WIDEST = 4096
"""The most leaves a grown tree may have."""

DEEPEST = 12
"""The most plies a grown tree may have."""

CAP = 200_000
"""How many candidates are tried for one exercise when the recipe does not say."""

PAYOFFS = 10_000
"""The most different payoffs there may be to draw from."""

LONGEST = 64 * 1024
"""The most characters a recipe may have."""

OtherTies: TypeAlias = Literal["same", "different", "any"]
BestLeaf: TypeAlias = Literal["anywhere", "not-first-branch", "not-last-branch"]
Evenly: TypeAlias = Literal["best-move", "best-leaf", "visited", "pruned-leaves", "none"]
Measure: TypeAlias = Literal[
    "visited", "alpha-cuts", "beta-cuts", "chance-cuts", "deep-cuts", "subtree-cuts", "load"
]


@dataclass(frozen=True, slots=True)
class Payoffs:
    """What stands at the leaves: numbers from `low` to `high` in steps, no two alike when `distinct`."""

    low: Number
    high: Number
    step: Number = 1
    distinct: bool = True

    @property
    def size(self) -> int:
        """How many different payoffs there are to draw from."""
        return int((self.high - self.low) / self.step) + 1

    def numbered(self, place: int) -> Number:
        """The payoff in this place, counted from 0 at the smallest."""
        return exact(self.low + place * self.step)


@dataclass(frozen=True, slots=True)
class Require:
    """What must be so in every tree.

    - `pruned`: how many leaves alpha-beta prunes.
    - `alpha_cuts`, `beta_cuts`, `chance_cuts`: the fewest cuts at MIN, at MAX and at chance nodes.
    - `deep_cuts`: the fewest cuts that the values seen at the parent alone would not make
      (Knuth and Moore 1975: those that procedure F2 makes and F1 does not).
    - `subtree_cuts`: the fewest crossed branches with two leaves or more below them.
    - `one_optimal_move`: only one move at the root is optimal.
    - `best_leaf`: where the best move leads.
    - `ties`: whether the other tie rule prunes the same leaves.
    - `places`: the most decimals the value of any node needs; None when anything goes.
    """

    pruned: Span | None = None
    alpha_cuts: int = 0
    beta_cuts: int = 0
    chance_cuts: int = 0
    deep_cuts: int = 0
    subtree_cuts: int = 0
    one_optimal_move: bool = True
    best_leaf: BestLeaf = "anywhere"
    ties: OtherTies = "same"
    places: int | None = None


@dataclass(frozen=True, slots=True)
class Separate:
    """Which beliefs must lead to another answer than the key, and than each other; None stands for all."""

    key: tuple[str, ...] | None = None
    each_other: tuple[str, ...] | None = ()


@dataclass(frozen=True, slots=True)
class Variants:
    """What parallel variants share, and what is spread evenly over them.

    - `same`: the measures of the difficulty profile in which all variants of one run agree.
    - `evenly`: what is drawn first, before any tree, so that nobody can bet on it: the best move, the best
      leaf, the number of visited leaves, or the set of pruned leaves (see `grader.growing.survey`).
    """

    same: tuple[Measure, ...] = get_args(Measure)
    evenly: Evenly = "best-move"


@dataclass(frozen=True, slots=True)
class Recipe:
    """A checked recipe: `read_recipe` and `with_` are the ways to get one.

    `cap` is how many candidates are tried for one exercise before the generator gives up; when a recipe
    does not say, a tenth as many with chance, where every candidate is searched.
    """

    kind: str
    shape: Shape
    payoffs: Payoffs
    rules: Rules
    require: Require
    separate: Separate
    variants: Variants
    question: Terms
    cap: int

    def with_(self, changes: Mapping[str, Any]) -> "Recipe | Diagnostics":
        """The recipe with some fields changed, named as in the file: `{"shape.plies": 2}`.

        Values are as TOML gives them (text, whole and exact numbers, lists); None leaves a field as it is.
        A diagnostic shows the place in the changed recipe as `write_recipe` writes it.
        """
        said = _said(self)
        for name, value in changes.items():
            if value is not None:
                said[name] = value
        return read_recipe(_toml(said))

    @property
    def asked(self) -> AnyKind:
        """The kind of question."""
        kind = kind_named(self.kind)
        if kind is None:
            raise KeyError(self.kind)
        return kind

    @property
    def separated(self) -> tuple[str, ...]:
        """The beliefs whose answers must differ from the key, without those that never can."""
        names = tuple(self.asked.beliefs) if self.separate.key is None else self.separate.key
        pointless = self.moot
        return tuple(name for name in names if name not in pointless)

    @property
    def told_apart(self) -> tuple[str, ...]:
        """The beliefs whose answers must differ from each other."""
        names = tuple(self.asked.beliefs) if self.separate.each_other is None else self.separate.each_other
        pointless = self.moot
        return tuple(name for name in names if name not in pointless)

    @property
    def moot(self) -> dict[str, str]:
        """The beliefs of the kind that lead to the key on every tree of this recipe, each with the reason."""
        return _moot(self)


_EXAMPLE = """kind = "pruned-paths"
shape = {plies = 3, branching = 3}
payoffs = {range = [0, 40]}
"""

CODES = (
    Code("recipe-syntax", "The text is not TOML.", "kind = pruned-paths"),
    Code("recipe-key", "There is no such field.", f"{_EXAMPLE}requires = {{pruned = [6, 9]}}"),
    Code("recipe-missing", "A field that every recipe needs is not there.", 'kind = "pruned-paths"'),
    Code("recipe-type", "A value is of the wrong type.", _EXAMPLE.replace("plies = 3", 'plies = "three"')),
    Code("recipe-value", "A value is out of range.", _EXAMPLE.replace("plies = 3", "plies = 0")),
    Code("recipe-kind", "There is no such kind of question.", _EXAMPLE.replace("paths", "path")),
    Code("recipe-belief", "The kind knows no such belief.", f'{_EXAMPLE}separate = {{key = ["own-bond"]}}'),
    Code(
        "recipe-rules", "Rules do not go together.", f'{_EXAMPLE}rules = {{ties = "keep", returns = "hard"}}'
    ),
    Code("recipe-wide", "The tree has too many leaves.", _EXAMPLE.replace("branching = 3", "branching = 30")),
    Code(
        "recipe-chance",
        "Such a tree does not suit the kind.",
        _EXAMPLE.replace("branching = 3", "branching = 3, chance = [1]"),
    ),
    Code("recipe-payoffs", "There are too few different payoffs.", _EXAMPLE.replace("40", "20")),
    Code("recipe-bounds", "The bounds do not hold all payoffs.", f"{_EXAMPLE}rules = {{bounds = [0, 5]}}"),
    Code("recipe-pruned", "No tree prunes that many leaves.", f"{_EXAMPLE}require = {{pruned = [17, 20]}}"),
    Code("recipe-cuts", "No tree has that many such cuts.", f"{_EXAMPLE}require = {{deep_cuts = 1}}"),
    Code(
        "recipe-ties",
        "Distinct payoffs leave the tie rule nothing to decide.",
        f'{_EXAMPLE}require = {{ties = "different"}}',
    ),
    Code(
        "recipe-separate",
        "A belief can never differ from the key.",
        f'{_EXAMPLE}separate = {{key = ["shallow-only"]}}',
    ),
)
"""What can be wrong with a recipe, each with a recipe that has exactly this fault."""


@dataclass(frozen=True, slots=True)
class _Field:
    """One field of a recipe: its full name, how its TOML value is read, and whether it must be there."""

    name: str
    read: Callable[[Any], Any]
    needed: bool = False


class _WrongTypeError(Exception):
    """A TOML value of the wrong type; the message says what is wanted."""


class _WrongValueError(Exception):
    """A TOML value of the right type that makes no sense; the message says why."""


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _WrongTypeError("a text in quotes is wanted")
    return value


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _WrongTypeError("true or false is wanted")
    return value


def _whole(low: int, high: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise _WrongTypeError("a whole number is wanted")
        if not low <= value <= high:
            raise _WrongValueError(f"a whole number from {low} to {high} is wanted")
        return value

    return read


def _number(value: Any) -> Number:
    if isinstance(value, tables.Numeral | str):
        try:
            return read_number(str(value).replace("_", ""))
        except NumeralError as error:
            raise _WrongTypeError(f"{value} {error}") from None
    if not isinstance(value, int) or isinstance(value, bool):
        raise _WrongTypeError("a number is wanted; a fraction is written in quotes")
    if abs(value) >= 10**30:
        raise _WrongValueError("the number has more than 30 digits")
    return value


def _word(words: tuple[str, ...]) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise _WrongTypeError(f"{tables.either(words)} is wanted, in quotes")
        if value not in words:
            meant = tables.meant(value, words)
            raise _WrongValueError(f"{tables.either(words)} is wanted{meant and f'; {meant}'}")
        return value

    return read


def _words(words: tuple[str, ...]) -> Callable[[Any], tuple[str, ...]]:
    one = _word(words)

    def read(value: Any) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise _WrongTypeError("a list of texts in brackets is wanted")
        return tuple(map(one, value))

    return read


def _beliefs(value: Any) -> tuple[str, ...] | None:
    if value == "all":
        return None
    if value == "none":
        return ()
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise _WrongTypeError('"all", "none" or a list of beliefs is wanted')
    return tuple(value)


def _span(value: Any, low: int, high: int) -> Span:
    if not isinstance(value, list) or len(value) != 2:
        raise _WrongTypeError("a pair [least, most] is wanted")
    one = _whole(low, high)
    least, greatest = one(value[0]), one(value[1])
    if least > greatest:
        raise _WrongValueError(f"the least, {least}, is more than the most, {greatest}")
    return least, greatest


def _leaves(value: Any) -> Span:
    return _span(value, 0, WIDEST)


def _limits(value: Any) -> tuple[Number, Number]:
    if not isinstance(value, list) or len(value) != 2:
        raise _WrongTypeError("a pair [least, most] is wanted")
    low, high = _number(value[0]), _number(value[1])
    if low > high:
        raise _WrongValueError(f"the least, {write_number(low)}, is more than the most, {write_number(high)}")
    return low, high


def _levels(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise _WrongTypeError("a list of levels is wanted, 0 being the root")
    levels = tuple(map(_whole(0, DEEPEST - 1), value))
    if len(set(levels)) < len(levels):
        raise _WrongValueError("a level is named twice")
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
            raise _WrongValueError("the points lost for an error are more than 0")
        return Policy("deduct", lost)
    if text in ("exact", "net", "each"):
        return Policy(text)  # type: ignore[arg-type]  # mypy does not narrow text by the tuple above
    raise _WrongValueError(
        '"exact", "net", "each" or "deduct:k" with the points k lost for an error is wanted'
    )


def _positive(value: Any) -> Number:
    number = _number(value)
    if number <= 0:
        raise _WrongValueError("a number above 0 is wanted")
    return number


_FIELDS = (
    _Field("kind", _text, needed=True),
    _Field("cap", _whole(1, 10**9)),
    _Field("shape.plies", _whole(1, DEEPEST), needed=True),
    _Field("shape.branching", _branching, needed=True),
    _Field("shape.root", _word(("MAX", "MIN"))),
    _Field("shape.chance", _levels),
    _Field("shape.probabilities", _word(get_args(Odds))),
    _Field("shape.names", _word(get_args(Naming))),
    _Field("payoffs.range", _limits, needed=True),
    _Field("payoffs.step", _positive),
    _Field("payoffs.distinct", _boolean),
    *(_Field(f"rules.{name}", _word(words)) for name, words in CHOICES.items()),
    _Field("rules.bounds", _limits),
    _Field("require.pruned", _leaves),
    _Field("require.alpha_cuts", _whole(0, WIDEST)),
    _Field("require.beta_cuts", _whole(0, WIDEST)),
    _Field("require.chance_cuts", _whole(0, WIDEST)),
    _Field("require.deep_cuts", _whole(0, WIDEST)),
    _Field("require.subtree_cuts", _whole(0, WIDEST)),
    _Field("require.one_optimal_move", _boolean),
    _Field("require.best_leaf", _word(get_args(BestLeaf))),
    _Field("require.ties", _word(get_args(OtherTies))),
    _Field("require.places", _whole(0, 30)),
    _Field("separate.key", _beliefs),
    _Field("separate.each_other", _beliefs),
    _Field("variants.same", _words(get_args(Measure))),
    _Field("variants.evenly", _word(get_args(Evenly))),
    _Field("question.points", _positive),
    _Field("question.policy", _policy),
    _Field("question.digits", _whole(0, 30)),
    _Field("question.every", _boolean),
    _Field("question.decimal_comma", _boolean),
)
_NAMES = tuple(field.name for field in _FIELDS)
_TABLES = tuple(dict.fromkeys(name.partition(".")[0] for name in _NAMES if "." in name))


def read_recipe(text: str) -> Recipe | Diagnostics:
    """Read a recipe; what comes back is checked, or it is everything that is wrong with the text.

    A recipe that no tree can fulfil is refused here, with the reason.
    """
    reading = _Reading(text)
    said = reading.toml()
    if said is None:
        return reading.diagnostics()
    values = reading.values(said)
    if reading.mistakes:
        return reading.diagnostics()
    recipe = _assemble(values, reading)
    if recipe is not None:
        for wrong in _impossible(recipe):
            reading.fault(wrong.code, wrong.message, wrong.name, wrong.hint, wrong.word)
    if recipe is None or reading.mistakes:
        return reading.diagnostics()
    return recipe


def write_recipe(recipe: Recipe) -> str:
    """The recipe as TOML, every field said; reading it gives the same recipe."""
    return _toml(_said(recipe))


def read_changes(texts: Sequence[str]) -> dict[str, Any] | Diagnostics:
    """What `Recipe.with_` takes, from texts such as `shape.plies=4` or `rules.ties=keep`.

    Each is a line of TOML, but a word needs no quotes.
    """
    reading = _Reading("\n".join(_BARE_WORD.sub(r'\1"\2"', text) for text in texts))
    said = reading.toml()
    return reading.diagnostics() if said is None or reading.mistakes else said


_BARE_WORD = re.compile(r"^(\s*[\w.]+\s*=\s*)(?!(?:true|false)\s*$)([A-Za-z][\w-]*)\s*$")


def default_recipe(kind: str) -> Recipe:
    """The recipe that comes with a kind.

    Raises `FileNotFoundError` when the kind has none, `ValueError` when the file has been damaged.
    """
    path = shipped("problems") / "recipes" / f"{kind}.toml"
    recipe = read_recipe(path.read_text(encoding="utf-8"))
    if isinstance(recipe, Diagnostics):
        raise ValueError(f"{path}\n{recipe}")
    return recipe


class _Reading:
    """One recipe text while it is read, and the mistakes found in it so far."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.mistakes: list[Mistake] = []
        self.places: dict[str, int] = {}

    def fault(self, code: str, message: str, name: str, hint: str = "", word: str = "") -> None:
        """Add a mistake at a field, at a quoted word in its value, or at its table; else at the end."""
        start = self.places.get(name, self.places.get(name.partition(".")[0], len(self.text)))
        if word and name in self.places:
            start = max(start, self.text.find(f'"{word}"', start))
        self.at(code, message, start, hint)

    def at(self, code: str, message: str, start: int, hint: str = "") -> None:
        """Add a mistake at a place, which is a field or a quoted word."""
        self.mistakes.append(tables.mistake_at(self.text, start, code, message, hint))

    def toml(self) -> dict[str, Any] | None:
        """What TOML makes of the text, flat: full field names to values."""
        if len(self.text) > LONGEST:
            self.at("recipe-syntax", f"the recipe has more than {LONGEST} characters", 0)
            return None
        found = tables.read_tables(self.text)
        if isinstance(found, tuple):
            self.at("recipe-syntax", found[1], found[0], "texts stand in quotes")
            return None
        self.places = {".".join(map(str, path)): start for path, start in tables.places(self.text).items()}
        said: dict[str, Any] = {}
        for name, value in found.items():
            if isinstance(value, dict) and name not in _NAMES:
                said.update({f"{name}.{inner}": below for inner, below in value.items()})
                if not value and name not in _TABLES:
                    said[name] = value
            elif name in _TABLES:
                self.fault(
                    "recipe-type", f"{name} is a table", name, f"write [{name}] and its fields below it"
                )
            else:
                said[name] = value
        return said

    def values(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """The fields that can be read; unknown, missing and wrong ones become mistakes."""
        for name in said:
            if name not in _NAMES:
                self.fault("recipe-key", f"there is no field {name}", name, _nearest(name))
        found: dict[str, Any] = {}
        for field in _FIELDS:
            if field.name not in said:
                continue
            try:
                found[field.name] = field.read(said[field.name])
            except _WrongTypeError as error:
                self.fault("recipe-type", f"{field.name}: {error}", field.name)
            except _WrongValueError as error:
                self.fault("recipe-value", f"{field.name}: {error}", field.name)
        missing = [field.name for field in _FIELDS if field.needed and field.name not in said]
        if missing:
            are = "is" if len(missing) == 1 else "are"
            hint = "; ".join(_EXAMPLES[name] for name in missing)
            self.fault(
                "recipe-missing", f"{' and '.join(missing)} {are} missing", missing[0], f"write {hint}"
            )
        if "kind" in found and kind_named(found["kind"]) is None:
            kinds = tuple(kind.name for kind in KINDS)
            hint = tables.meant(found["kind"], kinds) or f"the kinds are {', '.join(kinds)}"
            self.fault("recipe-kind", f"there is no kind {found['kind']!r}", "kind", hint)
        return found

    def diagnostics(self) -> Diagnostics:
        """All mistakes found, in reading order."""
        return report(self.text, self.mistakes)


_EXAMPLES = {
    "kind": 'kind = "pruned-paths" in the first line',
    "shape.plies": "plies = 3 below [shape]",
    "shape.branching": "branching = 3, or one number for every level, below [shape]",
    "payoffs.range": "range = [0, 40] below [payoffs]",
}


def _nearest(name: str) -> str:
    """The field that was probably meant, looked for by the full name and by its last part."""
    table, _, last = name.rpartition(".")
    here = [known for known in _NAMES if known.rpartition(".")[0] == table]
    near = get_close_matches(name, here, n=1) or get_close_matches(name, _NAMES, n=1, cutoff=0.8)
    near = near or [known for known in _NAMES if known.rpartition(".")[2] == last]
    near = near or get_close_matches(table or name, _TABLES, n=1)
    if near:
        return f"did you mean {near[0]}?"
    if here and table:
        return f"the fields of [{table}] are {', '.join(known.partition('.')[2] for known in here)}"
    return f"the tables are {', '.join(_TABLES)}"


def _assemble(values: dict[str, Any], reading: _Reading) -> Recipe | None:
    """The records of a recipe from its fields; what only shows when fields meet becomes a fault."""

    def table(name: str) -> dict[str, Any]:
        return {key.partition(".")[2]: value for key, value in values.items() if key.startswith(f"{name}.")}

    shape = table("shape")
    plies, branching = shape["plies"], shape["branching"]
    if isinstance(branching, int):
        branching = ((branching, branching),) * plies
    if len(branching) != plies:
        reading.fault(
            "recipe-value",
            f"shape.branching: {len(branching)} levels are given, and the tree has {plies} plies",
            "shape.branching",
            "give one number for all levels, or one for each ply",
        )
        return None
    shape["branching"] = branching
    if "root" in shape:
        shape["root"] = Player(shape["root"])
    if any(level >= plies for level in shape.get("chance", ())):
        reading.fault(
            "recipe-value", f"shape.chance: the levels are 0 to {plies - 1}", "shape.chance", "0 is the root"
        )
        return None
    drawn = table("payoffs")
    low, high = drawn.pop("range")
    payoffs = Payoffs(low, high, **drawn)
    if (high - low) % payoffs.step:
        reading.fault(
            "recipe-value",
            f"payoffs.step: steps of {write_number(payoffs.step)} do not lead "
            f"from {write_number(low)} to {write_number(high)}",
            "payoffs.step",
        )
        return None
    if payoffs.size > PAYOFFS:
        reading.fault(
            "recipe-value",
            f"payoffs.range: there are {payoffs.size} payoffs to draw from, and {PAYOFFS} is the most",
            "payoffs.range",
            "take a narrower range or a larger step",
        )
        return None
    try:
        rules = Rules(**table("rules"))
    except RulesError as error:
        reading.fault("recipe-rules", str(error), "rules.returns")
        return None
    return Recipe(
        kind=values["kind"],
        shape=Shape(**shape),
        payoffs=payoffs,
        rules=rules,
        require=Require(**table("require")),
        separate=Separate(**table("separate")),
        variants=Variants(**table("variants")),
        question=Terms(**table("question")),
        cap=values.get("cap", CAP // 10 if shape.get("chance") else CAP),
    )


@dataclass(frozen=True, slots=True)
class _Impossible:
    """Why no tree fulfils a recipe: the field (and the word in it) that asks for it, and what it asks."""

    name: str
    code: str
    message: str
    hint: str = ""
    word: str = ""


def _impossible(recipe: Recipe) -> list[_Impossible]:
    """Everything a recipe asks for that no tree can give."""
    leaves = recipe.shape.widest()
    if leaves > WIDEST:
        message = f"such a tree can have {leaves} leaves, and {WIDEST} is the most"
        return [_Impossible("shape.branching", "recipe-wide", message, "take fewer plies or fewer children")]
    return _wrong_chance(recipe) or [
        *_wrong_payoffs(recipe),
        *_too_many(recipe),
        *_wrong_beliefs(recipe),
    ]


def _wrong_chance(recipe: Recipe) -> list[_Impossible]:
    """Why the tree suits neither the kind nor the probabilities."""
    shape = recipe.shape
    found: list[_Impossible] = []
    why = recipe.asked.suits(fixed_skeleton(shape), recipe.rules)
    if why is not None:
        name = "shape.chance" if "chance" in why else "shape.branching"
        message = f"{recipe.kind} cannot be asked of such a tree: {why}"
        found.append(_Impossible(name, "recipe-chance", message))
    widest = max((shape.branching[level][1] for level in shape.chance), default=1)
    if shape.probabilities == "simple" and widest > max(SIMPLE_ODDS):
        message = f"there are no simple probabilities for {widest} outcomes"
        hint = f'take at most {max(SIMPLE_ODDS)} outcomes, or probabilities = "uniform"'
        found.append(_Impossible("shape.probabilities", "recipe-chance", message, hint))
    if recipe.require.chance_cuts and not shape.chance:
        found.append(_Impossible("require.chance_cuts", "recipe-chance", "no level of the tree is chance's"))
    return found


def _wrong_payoffs(recipe: Recipe) -> list[_Impossible]:
    """Too few payoffs, bounds that do not hold them, ties where there are none."""
    payoffs, bounds, leaves = recipe.payoffs, recipe.rules.bounds, recipe.shape.widest()
    found: list[_Impossible] = []
    if payoffs.distinct and payoffs.size < leaves:
        message = f"{leaves} leaves cannot all differ: there are {payoffs.size} payoffs to draw from"
        hint = f"widen the range to {leaves} payoffs at least, or set distinct = false"
        found.append(_Impossible("payoffs.range", "recipe-payoffs", message, hint))
    if bounds is not None and not bounds[0] <= payoffs.low <= payoffs.high <= bounds[1]:
        message = (
            f"payoffs lie between {write_number(payoffs.low)} and {write_number(payoffs.high)}, "
            f"and the bounds say {write_number(bounds[0])} to {write_number(bounds[1])}"
        )
        found.append(
            _Impossible("rules.bounds", "recipe-bounds", message, "the bounds must hold every payoff")
        )
    if recipe.require.ties == "different" and payoffs.distinct and not recipe.shape.chance:
        message = "with distinct payoffs both tie rules always prune the same leaves"
        hint = "set distinct = false below [payoffs]"
        found.append(_Impossible("require.ties", "recipe-ties", message, hint))
    return found


_REASONS = {
    "alpha_cuts": "a MIN node can be cut when it has two children and a MAX node above it has seen a value",
    "beta_cuts": "a MAX node can be cut when it has two children and a MIN node above it has seen a value",
    "deep_cuts": "the bound must come from above the parent, so a deep cut takes four plies",
    "subtree_cuts": "the cut node must lie below the root and two plies or more above the leaves",
}


def _too_many(recipe: Recipe) -> list[_Impossible]:
    """The counts that no tree of the shape reaches."""
    shape, require = recipe.shape, recipe.require
    leaves = shape.widest()
    fewest = require.pruned[0] if require.pruned is not None else 0
    found: list[_Impossible] = []
    if shape.chance:
        if fewest >= leaves:
            message = f"the tree has at most {leaves} leaves, and the first is always visited"
            hint = f"ask for {leaves - 1} at most"
            found.append(_Impossible("require.pruned", "recipe-pruned", message, hint))
        return found
    limit = most(shape)
    if limit.pruned == 0 and recipe.kind in SEARCHES:
        message = "alpha-beta visits every leaf of such a tree, so there is nothing to ask"
        found.append(
            _Impossible("shape.plies", "recipe-pruned", message, "take two plies or more, and two children")
        )
    elif fewest > limit.pruned:
        message = (
            f"{fewest} pruned leaves are asked for, and of {leaves} leaves alpha-beta always "
            f"visits {leaves - limit.pruned} or more (Knuth and Moore 1975)"
        )
        found.append(
            _Impossible("require.pruned", "recipe-pruned", message, f"ask for {limit.pruned} at most")
        )
    for name, reason in _REASONS.items():
        asked, possible = getattr(require, name), getattr(limit, name)
        if asked > possible:
            message = f"{asked} {name.replace('_', ' ')} asked for, at most {possible} possible: {reason}"
            hint = f"ask for {possible} at most"
            found.append(_Impossible(f"require.{name}", "recipe-cuts", message, hint))
    return found


def _wrong_beliefs(recipe: Recipe) -> list[_Impossible]:
    """Beliefs the kind does not know, and beliefs that never lead astray."""
    found: list[_Impossible] = []
    known, moot = tuple(recipe.asked.beliefs), recipe.moot
    for name, beliefs in (
        ("separate.key", recipe.separate.key),
        ("separate.each_other", recipe.separate.each_other),
    ):
        for belief in beliefs or ():
            if belief not in known:
                hint = tables.meant(belief, known) or f"its beliefs are {', '.join(known)}"
                message = f"{recipe.kind} knows no belief {belief!r}"
                found.append(_Impossible(name, "recipe-belief", message, hint, belief))
            elif belief in moot:
                message = f"{belief} always leads to the right answer here: {moot[belief]}"
                hint = "leave it out, or change the tree"
                found.append(_Impossible(name, "recipe-separate", message, hint, belief))
    return found


SEARCHES = ("pruned-paths", "pruned-branches", "visited-count", "windows", "visiting-order", "chance-cuts")
"""The kinds whose answer depends on what alpha-beta prunes."""


def _moot(recipe: Recipe) -> dict[str, str]:
    """The beliefs of the kind that cannot lead astray, each with the reason."""
    shape = recipe.shape
    reasons: dict[str, str] = {}
    if recipe.rules.returns == "hard":
        reasons["latest-not-best"] = "a child that cannot improve the best value reports that very value"
    if recipe.require.ties == "same":
        for name in ("ties-kept", "ties-cut"):
            reasons[name] = "only trees are kept on which both tie rules prune the same leaves"
    if not shape.chance:
        limit = most(shape)
        if recipe.payoffs.distinct:
            for name in ("ties-kept", "ties-cut", "stops-at-tie"):
                reasons[name] = "no two payoffs are alike"
        # Windows come from above the parent one ply before cuts do.
        if not limit.deep_cuts and (recipe.kind != "windows" or shape.plies < 3):
            reasons["shallow-only"] = "a deep cut takes four plies"
        if not limit.subtree_cuts:
            reasons["leaves-only"] = "no whole subtree can be cut"
        if not limit.beta_cuts:
            reasons["only-at-min"] = "no MAX node can be cut"
        if not limit.alpha_cuts:
            reasons["only-at-max"] = "no MIN node can be cut"
    elif shape.probabilities == "uniform":
        reasons["plain-average"] = "all outcomes are equally likely"
    if Player.MIN not in shape.movers:
        reasons["ignores-opponent"] = "MIN never moves"
    return {name: reason for name, reason in reasons.items() if name in recipe.asked.beliefs}


def _said(recipe: Recipe) -> dict[str, Any]:
    """The recipe as TOML values, by full field name."""
    shape, payoffs, rules, require = recipe.shape, recipe.payoffs, recipe.rules, recipe.require
    question = recipe.question
    policy = question.policy
    branching = [low if low == high else [low, high] for low, high in shape.branching]
    said: dict[str, Any] = {
        "kind": recipe.kind,
        "cap": recipe.cap,
        "shape.plies": shape.plies,
        "shape.branching": branching,
        "shape.root": str(shape.root),
        "shape.chance": list(shape.chance),
        "shape.probabilities": shape.probabilities,
        "shape.names": shape.names,
        "payoffs.range": [payoffs.low, payoffs.high],
        "payoffs.step": payoffs.step,
        "payoffs.distinct": payoffs.distinct,
        **{f"rules.{name}": getattr(rules, name) for name in CHOICES},
        "rules.bounds": None if rules.bounds is None else list(rules.bounds),
        "require.pruned": None if require.pruned is None else list(require.pruned),
        **{f"require.{name}": getattr(require, name) for name in _COUNTS},
        "require.one_optimal_move": require.one_optimal_move,
        "require.best_leaf": require.best_leaf,
        "require.ties": require.ties,
        "require.places": require.places,
        "separate.key": "all" if recipe.separate.key is None else list(recipe.separate.key),
        "separate.each_other": (
            "all" if recipe.separate.each_other is None else list(recipe.separate.each_other)
        ),
        "variants.same": list(recipe.variants.same),
        "variants.evenly": recipe.variants.evenly,
        "question.points": question.points,
        "question.policy": (
            policy.name if policy.name != "deduct" else f"deduct:{write_number(policy.deduction)}"
        ),
        "question.digits": question.digits,
        "question.every": question.every,
        "question.decimal_comma": question.decimal_comma,
    }
    return {name: value for name, value in said.items() if value is not None}


_COUNTS = ("alpha_cuts", "beta_cuts", "chance_cuts", "deep_cuts", "subtree_cuts")


def _toml(said: Mapping[str, Any]) -> str:
    """TOML text of flat fields: those of no table first, then table by table."""
    plain = [f"{name} = {write_field(value)}" for name, value in said.items() if "." not in name]
    tables: dict[str, list[str]] = {}
    for name, value in said.items():
        table, dot, field = name.partition(".")
        if dot:
            tables.setdefault(table, []).append(f"{field} = {write_field(value)}")
    blocks = [plain, *([f"[{table}]", *fields] for table, fields in tables.items())]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def write_field(value: Any) -> str:
    """A TOML value; numbers that are not whole become texts, which read back exactly."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(write_field, value))}]"
    text = value if isinstance(value, str) else write_number(value)
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return (
        '"' + "".join(letter if letter.isprintable() else f"\\u{ord(letter):04X}" for letter in escaped) + '"'
    )
