"""The options about recipes, and the recipe that results from them."""

import tomllib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from grader.cli.shared.options import SearchOptions, read_bounds
from grader.cli.shared.parameters import option
from grader.cli.shared.sources import read_input_text, require_parsed
from grader.cli.shared.terminal import note, printable, refuse

if TYPE_CHECKING:
    from grader.generation.recipe import Recipe
    from grader.trees.notation.diagnostics import Diagnostics

Size: TypeAlias = Literal["exam", "homework", "lecture"]

RULES = ("order", "ties", "test", "returns", "bounds", "window")
"""The options that also apply to a given tree."""

FIT_FAULT_CODES = {"recipe-payoffs", "recipe-bounds", "recipe-pruned", "recipe-cuts", "recipe-ties"}
"""The faults of a recipe that only a changed shape of its trees can cause."""

TERMS = ("points", "policy")
"""The options that decide what a reply is worth."""

MAX_EXAM_LEAVES = 18
"""The most leaves of a question in an exam."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecipeOptions(SearchOptions):
    """The fields of a recipe given on the command line; None leaves the decision to the recipe."""

    recipe: Annotated[
        str | None, option("Your own recipe instead of the kind's recipe.", metavar="R.toml")
    ] = None
    size: Annotated[
        Size | None, option("What the trees are for: exam, homework or lecture; exam if not given.")
    ] = None
    plies: Annotated[int | None, option("Moves from the root to a leaf.", metavar="D")] = None
    branching: Annotated[
        str | None, option("Children of every node: 3, for each level 3,2,2, or a range 2-4.", metavar="B")
    ] = None
    root: Annotated[Literal["MAX", "MIN"] | None, option("Who moves first.")] = None
    payoffs: Annotated[str | None, option("Smallest and largest payoff of a leaf.", metavar="L,U")] = None
    repeats: Annotated[
        bool | None,
        option("Whether a payoff may occur twice.", "--repeats/--no-repeats"),
    ] = None
    pruned: Annotated[
        str | None,
        option("How many leaves are pruned: 6, or a range 4-9.", metavar="N-M"),
    ] = None
    points: Annotated[str | None, option("The full mark.", metavar="P")] = None
    policy: Annotated[
        str | None,
        option(
            "Credit for sets and orders: keep:1/2 (each mistake halves the points), net, exact; for sets "
            "also deduct:K; for tables: players, entries, minus, exact; for intervals: limits, exact.",
            metavar="POLICY",
        ),
    ] = None
    fields: Annotated[
        list[str] | None,
        option(
            "Any other field of the recipe: --set require.deep_cuts=1. Can be repeated.",
            "--set",
            metavar="FIELD=VALUE",
        ),
    ] = None

    def recipe_of(self, kind: str) -> "Recipe":
        """The recipe of a kind with these options; refuse one that is for earlier exercises only."""
        from grader.generation.recipe_fields import earlier_policy_objection

        recipe = self._fitted_recipe(kind)
        objection = earlier_policy_objection(recipe.question_kind, recipe.question.policy)
        if objection is not None:
            refuse(f"question.policy: {objection[0]}.", f"{objection[1]}.")
        return recipe

    def _fitted_recipe(self, kind: str) -> "Recipe":
        """The recipe of a kind with these options; refuse one that no tree can fulfil."""
        from grader.generation.recipe_file import apply_changes, with_changes, write_field
        from grader.generation.recipe_fit import fit_recipe

        start = self._base_recipe(kind)
        changes = self._changes(start)
        if not changes:
            return start
        for name in changes:
            _require_field(name, start)
        if "kind" in changes:
            refuse("The kind is not a field to set.", "It is the first argument of the command.")
        requested, faults = apply_changes(start, changes)
        fits: dict[str, Any] = {}
        if requested is not None and {fault.code for fault in faults} <= FIT_FAULT_CODES:
            payoff_range = requested.payoffs.range if "payoffs.range" in changes else None
            ties = requested.require.ties
            base = replace(start, require=replace(start.require, ties=ties), payoffs=requested.payoffs)
            demands = fit_recipe(base, requested.shape, payoff_range)
            fits = {name: value for name, value in demands.items() if name not in changes}
        recipe = require_parsed(
            "the recipe with these options", _naming_options(with_changes(start, {**fits, **changes}))
        )
        if fits:
            listing = ", ".join(f"{name} = {write_field(value)}" for name, value in fits.items())
            note(f"the recipe was fitted to this tree: {listing}.")
        if (self.plies, self.branching) != (None, None):
            _note_missed_limits(recipe)
        return recipe

    def other_options(self, allowed: tuple[str, ...]) -> list[str]:
        """The options that are given but not allowed, as they are typed."""
        return [
            "--set" if name == "fields" else f"--{name}"
            for name in self.__dataclass_fields__
            if name not in allowed and getattr(self, name) not in (None, [])
        ]

    def _base_recipe(self, kind: str) -> "Recipe":
        """The recipe without changes: the given file, which must be for this kind, or the kind's own."""
        from grader.generation.recipe_file import default_recipe, read_recipe

        if self.recipe is None:
            return default_recipe(kind, self.size or "exam")
        if self.size is not None:
            refuse(
                "--size is for the recipes that come with the kinds.",
                f'Write size = "{self.size}" in {self.recipe}.',
            )
        recipe = require_parsed(self.recipe, read_recipe(read_input_text(self.recipe, "a recipe")))
        if recipe.kind != kind:
            refuse(f"{self.recipe} is a recipe for {recipe.kind}, not for {kind}.")
        return recipe

    def _changes(self, start: "Recipe") -> dict[str, Any]:
        """The changed fields: values as in TOML, by the full name of the field.

        Other plies alone keep the branching of the recipe's levels; its last one is repeated.
        """
        changes: dict[str, Any] = {
            "shape.plies": self.plies,
            "shape.root": self.root,
            "payoffs.range": None if self.payoffs is None else list(read_bounds(self.payoffs, "--payoffs")),
            "payoffs.distinct": None if self.repeats is None else not self.repeats,
            "require.pruned": None if self.pruned is None else _pruned(self.pruned),
            **{f"rules.{name}": getattr(self, name) for name in RULES},
            "rules.bounds": None if self.bounds is None else list(read_bounds(self.bounds)),
            "rules.window": None if self.window is None else list(read_bounds(self.window, "--window")),
            "question.points": self.points,
            "question.policy": self.policy,
        }
        plies = self.plies if self.plies is not None else start.shape.plies
        if self.branching is not None:
            changes["shape.branching"] = _branching(self.branching, plies)
        elif self.plies is not None and plies > 0:
            levels = [low if low == high else [low, high] for low, high in start.shape.branching]
            changes["shape.branching"] = (levels + levels[-1:] * plies)[:plies]
        changes |= dict(map(_field, self.fields or ()))
        return {name: value for name, value in changes.items() if value is not None}


def _require_field(name: str, recipe: "Recipe") -> None:
    """Refuse the name of a field that a recipe does not have, with the full names that may be meant."""
    from grader.base.suggest import close_matches
    from grader.generation.recipe_fields import RECIPE

    tables = [(header.strip("[]"), table) for header, table in RECIPE.body.within()]
    names = [f"{path}.{field.name}".lstrip(".") for path, table in tables for field in table.fields]
    names += [f"given.{given}" for given in recipe.question_kind.given_names]
    if name in names or name.startswith("given."):
        return
    last = name.rpartition(".")[2]
    candidates = [each for each in names if each.rpartition(".")[2] == last] or close_matches(name, names, 1)
    hint = f"Write {' or '.join(f'--set {each}=VALUE' for each in candidates)}."
    refuse(
        f"A recipe for {recipe.kind} has no field {printable(name, 60)}.",
        hint if candidates else "`gametree help recipe` lists the fields.",
    )


def _note_missed_limits(recipe: "Recipe") -> None:
    """Note which limits of exam questions do not hold for a shape that was chosen by hand."""
    leaves, missed = recipe.shape.max_leaves(), []
    if leaves > MAX_EXAM_LEAVES:
        missed.append(f"there are up to {leaves} leaves, but exams allow at most {MAX_EXAM_LEAVES}")
    if recipe.question_kind.depends_on_search and recipe.require.visited is None:
        missed.append("variants may differ in how many leaves are visited")
    if missed:
        note(f"with trees of this shape {', and '.join(missed)}.")


def _branching(text: str, plies: int) -> int | list[Any]:
    """The field `branching` of a recipe: one count for all plies, or a count or range for each of them."""
    levels = _counts("--branching", text)
    if len(levels) > 1:
        return levels
    return levels[0] if isinstance(levels[0], int) else levels * plies


def _pruned(text: str) -> list[Any]:
    """The field `pruned` of a recipe, a range; a single count is both its ends."""
    counts = _counts("--pruned", text)
    if len(counts) > 1:
        return counts
    return counts[0] if isinstance(counts[0], list) else counts * 2


def _counts(option: str, text: str) -> list[Any]:
    """Read whole numbers and ranges with commas between them; a range `2-4` becomes a pair."""
    counts: list[Any] = []
    for count in map(str.strip, text.split(",")):
        low, dash, high = count.partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()) or len(count) > 9:
            refuse(f"{option} {text}: {count!r} is not a whole number.", f"Write {_COUNTS[option]}.")
        counts.append([int(low), int(high)] if dash else int(low))
    return counts


_COUNTS = {
    "--branching": "3 for every node, 3,2,2 for each level from the root down, or a range such as 2-4",
    "--pruned": "--pruned 6, or a range: --pruned 4-9",
}


def _field(text: str) -> tuple[str, Any]:
    """Read a field and its value: TOML if possible, else a string. Refuse a text without a value."""
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        refuse(f"--set {text} has no value.", "Write --set require.deep_cuts=1.")
    try:
        return name.strip(), tomllib.loads(f"value = {value}", parse_float=str)["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return name.strip(), value.strip()


def _naming_options(recipe: "Recipe | Diagnostics") -> "Recipe | Diagnostics":
    """Let hints name the option of the command instead of the field of a recipe file."""
    from grader.generation.limits import REPEATS_CURE
    from grader.trees.notation.diagnostics import Diagnostics

    if not isinstance(recipe, Diagnostics):
        return recipe
    return Diagnostics(
        tuple(replace(each, hint=each.hint.replace(REPEATS_CURE, "add --repeats")) for each in recipe)
    )
