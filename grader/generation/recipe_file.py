"""Recipes as TOML: read and checked before anything is grown, changed field by field, and written."""

from collections.abc import Iterator, Mapping
from typing import Any

from grader.answers.form import Terms
from grader.base.numbers import format_count, write_number
from grader.base.shipped import shipped_folder
from grader.generation.limits import impossible_demands
from grader.generation.recipe import (
    DEFAULT_MAX_CANDIDATES,
    MAX_DISTINCT_PAYOFFS,
    Payoffs,
    Recipe,
    Require,
    Separate,
    Size,
    Variants,
)
from grader.generation.recipe_fields import RECIPE, policy_objection
from grader.generation.recipe_fit import size_changes, sizes
from grader.generation.shape import NO_TREE, Shape
from grader.questions.given import NOTHING_GIVEN, find_unknown_field
from grader.tables.schema import Document, Fault, SchemaTable, fault_at
from grader.tables.toml import quoted_choice
from grader.trees.notation.diagnostics import Diagnostic, Diagnostics
from grader.trees.rules import RulesError, rules_from_keys


def read_recipe(text: str) -> Recipe | Diagnostics:
    """Read a recipe and check it; return the recipe, or all mistakes in the text.

    A recipe whose demands no tree can meet is refused here, with the reason.
    """
    document = Document(RECIPE, text)
    values = document.values
    if "size" in values and not document.faults:
        default = default_recipe(values["kind"].code, values["size"])
        recipe, document.faults[:] = apply_changes(default, dict(flat_fields(document.raw)))
    else:
        recipe = _assemble(values, document.faults)
    return document.diagnostics() if recipe is None or document.faults else recipe


def flat_fields(table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a recipe's tables by full name, such as `payoffs.range`.

    The table `given` is one field. The `size` is left out: it selects the recipe that these fields change.
    """
    for name, value in table.items():
        if isinstance(value, dict) and name != "given":
            yield from ((f"{name}.{field}", below) for field, below in value.items())
        elif name != "size":
            yield name, value


def write_recipe(recipe: Recipe) -> str:
    """Return the recipe as TOML with every field; reading it gives the same recipe."""
    table = _toml_values(recipe)
    plain = [f"{name} = {write_field(value)}" for name, value in table.items() if not isinstance(value, dict)]
    blocks = [
        [f"[{name}]", *(f"{field} = {write_field(value)}" for field, value in fields.items())]
        for name, fields in table.items()
        if isinstance(fields, dict)
    ]
    return "\n\n".join("\n".join(block) for block in (plain, *blocks)) + "\n"


def with_changes(recipe: Recipe, changes: Mapping[str, Any]) -> Recipe | Diagnostics:
    """Return the recipe with some fields changed, named as in the file: `{"shape.plies": 2}`.

    Values are as TOML gives them (text, whole and exact numbers, lists); None leaves a field as it is.
    A diagnostic has no place: it names the field.
    """
    changed, faults = apply_changes(recipe, changes)
    if changed is not None and not faults:
        return changed
    return Diagnostics(
        tuple(Diagnostic(fault.code, fault.full_message, 0, 0, "", fault.hint) for fault in faults)
    )


def apply_changes(recipe: Recipe, changes: Mapping[str, Any]) -> tuple[Recipe | None, list[Fault]]:
    """Return the recipe changed as by `with_changes`, None if its fields contradict, and the faults."""
    if recipe.shape == NO_TREE and (faults := [*_tree_faults(recipe.kind, changes)]):
        return None, faults
    root = _toml_values(recipe)
    if not changes.keys().isdisjoint(("shape.plies", "shape.branching")):
        # They are said of the trees before the change.
        root["shape"].pop("leaves", None)
        root["require"].pop("visited", None)
    for name, value in changes.items():
        *tables, field = name.split(".")
        table = root
        for each in tables:
            if not isinstance(table.get(each), dict):
                table[each] = {}
            table = table[each]
        if value is not None:
            table[field] = value
    values, faults = RECIPE.check(root)
    return _assemble(values, faults), faults


def _tree_faults(kind: str, changes: Mapping[str, Any]) -> Iterator[Fault]:
    """Report changes of the tree of a kind that asks about none."""
    for name, value in changes.items():
        if value is not None and name.partition(".")[0] in TREE_TABLES:
            message = f"there is no field {name}: {kind} asks about no tree"
            yield fault_at(name, "recipe-key", message, "leave it out")


TREE_TABLES = ("shape", "payoffs")
"""The tables of a recipe that only kinds that ask about a tree have."""


def default_recipe(kind: str, size: Size = "exam") -> Recipe:
    """Return the recipe that comes with a kind, for questions of a size.

    Raises `FileNotFoundError` when the kind has none, `ValueError` when the file has been damaged.
    """
    path = shipped_folder("problems") / "recipes" / f"{kind}.toml"
    recipe = read_recipe(path.read_text(encoding="utf-8"))
    if isinstance(recipe, Diagnostics):
        raise ValueError(f"{path}\n{recipe}")
    branching = sizes().get(size, {}).get(kind)
    if branching is None:
        return recipe
    sized = with_changes(recipe, size_changes(recipe, **branching))
    if isinstance(sized, Diagnostics):
        raise ValueError(f"problems/sizes.toml, {size}, {kind}\n{sized}")
    return sized


def _assemble(values: Mapping[str, Any], faults: list[Fault]) -> Recipe | None:
    """Return the recipe, or None if its fields contradict; mistakes are added to `faults`."""
    policy = values.get("question", {}).get("policy")
    objection = policy_objection(values["kind"], policy) if "kind" in values and policy is not None else None
    if objection is not None:
        message, hint = objection
        faults.append(fault_at("question.policy", "recipe-policy", f"question.policy: {message}", hint))
    if faults:
        return None
    given = values.get("given", NOTHING_GIVEN)
    unknown = find_unknown_field(given, values["kind"].given_names)
    if unknown is not None:
        name, message, hint = unknown
        faults.append(fault_at(f"given.{name}", "recipe-given", f"given: {message}", hint))
        return None
    for name, value in given.items():
        known = values["kind"].rule_choices.get(name, (value,))
        if value not in known:
            message, hint = f"given.{name}: there is no such rule", f"write {quoted_choice(tuple(known))}"
            faults.append(fault_at(f"given.{name}", "recipe-given", message, hint))
            return None
    shape = NO_TREE
    if "shape" in values:
        plies, branching = values["shape"]["plies"], values["shape"]["branching"]
        if isinstance(branching, int):
            branching = ((branching, branching),) * plies
        shape = Shape(**values["shape"] | {"branching": branching})
    payoff_fields = dict(values.get("payoffs", {}))
    low, high = payoff_fields.pop("range", (0, 0))
    payoffs = Payoffs(low, high, **payoff_fields)
    faults += _contradictions(shape, payoffs)
    try:
        rules = rules_from_keys(values.get("rules", {}))
    except RulesError as error:
        faults.append(fault_at("rules.returns", "recipe-rules", str(error)))
    if faults:
        return None
    recipe = Recipe(
        kind=values["kind"].code,
        shape=shape,
        payoffs=payoffs,
        rules=rules,
        require=Require(**values.get("require", {})),
        separate=Separate(**values.get("separate", {})),
        variants=Variants(**values.get("variants", {})),
        question=values["kind"].form.with_valid_policy(Terms(**values.get("question", {}))),
        cap=values.get("cap", DEFAULT_MAX_CANDIDATES // 10 if shape.chance else DEFAULT_MAX_CANDIDATES),
        given=given,
    )
    faults += impossible_demands(recipe)
    return recipe


def _contradictions(shape: Shape, payoffs: Payoffs) -> Iterator[Fault]:
    """Report contradictions between fields of one table."""
    if len(shape.branching) != shape.plies:
        levels = format_count(len(shape.branching), "level is given", "levels are given")
        message = f"{levels}, but the tree has {format_count(shape.plies, 'ply', 'plies')}"
        hint = "give one number for all levels, or one for each ply"
        yield fault_at("shape.branching", "recipe-value", f"shape.branching: {message}", hint)
    if any(level >= shape.plies for level in shape.chance):
        message = f"shape.chance: the levels are 0 to {shape.plies - 1}"
        yield fault_at("shape.chance", "recipe-value", message, "0 is the root")
    if (payoffs.high - payoffs.low) % payoffs.step:
        low, high, step = map(write_number, (payoffs.low, payoffs.high, payoffs.step))
        message = f"payoffs.step: steps of {step} do not lead from {low} to {high}"
        yield fault_at("payoffs.step", "recipe-value", message)
    if payoffs.size > MAX_DISTINCT_PAYOFFS:
        limit = f"at most {MAX_DISTINCT_PAYOFFS} are allowed"
        message = f"payoffs.range: there are {payoffs.size} payoffs to draw from, but {limit}"
        hint = "take a narrower range or a larger step"
        yield fault_at("payoffs.range", "recipe-value", message, hint)


def _toml_values(recipe: Recipe) -> dict[str, Any]:
    """Return the recipe as TOML values, table by table."""
    values: dict[str, Any] = {"kind": recipe.kind, "cap": recipe.cap}
    if recipe.given:
        values["given"] = recipe.given.to_json()
    for table in RECIPE.body.entries:
        if isinstance(table, SchemaTable) and not (recipe.shape == NO_TREE and table.is_required):
            record = getattr(recipe, table.name)
            fields = {field.name: field.value.write(getattr(record, field.name)) for field in table.fields}
            values[table.name] = {name: value for name, value in fields.items() if value is not None}
    if not recipe.question_kind.form.is_credited_by(recipe.question.policy.name):
        del values["question"]["policy"]
    return values


def write_field(value: Any) -> str:
    """Return a TOML value; numbers that are not whole become texts, which read back exactly."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, dict):
        pairs = (f"{write_field(name)} = {write_field(field)}" for name, field in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(write_field, value))}]"
    text = value if isinstance(value, str) else write_number(value)
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    printable = (letter if letter.isprintable() else _escape(letter) for letter in escaped)
    return f'"{"".join(printable)}"'


def _escape(letter: str) -> str:
    return f"\\u{ord(letter):04X}" if letter <= "\uffff" else f"\\U{ord(letter):08X}"
