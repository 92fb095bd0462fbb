"""Recipes as TOML: read and checked before anything is grown, changed field by field, and written."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from grader.answers import write_policy
from grader.answers.form import Terms
from grader.base.numbers import write_number
from grader.base.shipped import shipped
from grader.generation.fields import FIELDS, NAMES, TABLES, no_policy
from grader.generation.limits import impossible
from grader.generation.recipe import CAP, PAYOFFS, Payoffs, Recipe, Require, Separate, Variants
from grader.generation.shape import NO_TREE, Shape
from grader.kinds import KINDS, kind_named
from grader.notation.diagnostics import Code, Diagnostics, Mistake, report
from grader.rules import CHOICES, Rules, RulesError
from grader.tables import toml as tables
from grader.tables.toml_values import WrongTypeError, WrongValueError
from grader.tree import Player

LONGEST = 64 * 1024
"""The most characters a recipe may have."""

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
    Code(
        "recipe-policy",
        "The kind is marked without a policy.",
        f'{_EXAMPLE.replace("pruned-paths", "best-move")}question = {{policy = "net"}}',
    ),
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
        for wrong in impossible(recipe):
            reading.fault(wrong.code, wrong.message, wrong.name, wrong.hint, wrong.word)
    if recipe is None or reading.mistakes:
        return reading.diagnostics()
    return recipe


def write_recipe(recipe: Recipe) -> str:
    """The recipe as TOML, every field said; reading it gives the same recipe."""
    return _toml(_said(recipe))


def with_changes(recipe: Recipe, changes: Mapping[str, Any]) -> Recipe | Diagnostics:
    """The recipe with some fields changed, named as in the file: `{"shape.plies": 2}`.

    Values are as TOML gives them (text, whole and exact numbers, lists); None leaves a field as it is.
    A diagnostic shows the place in the changed recipe as `write_recipe` writes it.
    """
    said = _said(recipe)
    for name, value in changes.items():
        if value is not None:
            said[name] = value
    return read_recipe(_toml(said))


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
            if isinstance(value, dict) and name not in NAMES:
                said.update({f"{name}.{inner}": below for inner, below in value.items()})
                if not value and name not in TABLES:
                    said[name] = value
            elif name in TABLES:
                self.fault(
                    "recipe-type", f"{name} is a table", name, f"write [{name}] and its fields below it"
                )
            else:
                said[name] = value
        return said

    def values(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """The fields that can be read; unknown, missing and wrong ones become mistakes."""
        for name in said:
            if name not in NAMES:
                self.fault("recipe-key", f"there is no field {name}", name, _nearest(name))
        found: dict[str, Any] = {}
        for field in FIELDS:
            if field.name not in said:
                continue
            try:
                found[field.name] = field.read(said[field.name])
            except WrongTypeError as error:
                self.fault("recipe-type", f"{field.name}: {error}", field.name)
            except WrongValueError as error:
                self.fault("recipe-value", f"{field.name}: {error}", field.name)
        kind = kind_named(found["kind"]) if "kind" in found else None
        treeless = kind is not None and not kind.needs_tree
        missing = [field.name for field in FIELDS if field.needed and not treeless and field.name not in said]
        if missing:
            are = "is" if len(missing) == 1 else "are"
            hint = "; ".join(_EXAMPLES[name] for name in missing)
            self.fault(
                "recipe-missing", f"{' and '.join(missing)} {are} missing", missing[0], f"write {hint}"
            )
        refused = no_policy(kind) if kind is not None and "question.policy" in found else None
        if refused is not None:
            message, hint = refused
            self.fault("recipe-policy", f"question.policy: {message}", "question.policy", hint)
        if "kind" in found and kind is None:
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
    here = [known for known in NAMES if known.rpartition(".")[0] == table]
    near = get_close_matches(name, here, n=1) or get_close_matches(name, NAMES, n=1, cutoff=0.8)
    near = near or [known for known in NAMES if known.rpartition(".")[2] == last]
    near = near or get_close_matches(table or name, TABLES, n=1)
    if near:
        return f"did you mean {near[0]}?"
    if here and table:
        return f"the fields of [{table}] are {', '.join(known.partition('.')[2] for known in here)}"
    return f"the tables are {', '.join(TABLES)}"


def _assemble(values: dict[str, Any], reading: _Reading) -> Recipe | None:
    """The records of a recipe from its fields; what only shows when fields meet becomes a fault."""

    def table(name: str) -> dict[str, Any]:
        return {key.partition(".")[2]: value for key, value in values.items() if key.startswith(f"{name}.")}

    shape = table("shape")
    plies, branching = shape.setdefault("plies", NO_TREE.plies), shape.get("branching", NO_TREE.branching)
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
    low, high = drawn.pop("range", (0, 0))
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


def _said(recipe: Recipe) -> dict[str, Any]:
    """The recipe as TOML values, by full field name."""
    shape, payoffs, rules, require = recipe.shape, recipe.payoffs, recipe.rules, recipe.require
    question = recipe.question
    branching = [low if low == high else [low, high] for low, high in shape.branching]
    needless = (
        () if recipe.asked.needs_tree else [name for name in NAMES if name.startswith(("shape.", "payoffs."))]
    )
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
        "question.policy": write_policy(question.policy) if recipe.asked.form.policies else None,
        "question.digits": question.digits,
        "question.every": question.every,
        "question.decimal_comma": question.decimal_comma,
    }
    return {name: value for name, value in said.items() if value is not None and name not in needless}


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
