"""Recipes: what can be said, what is refused and where, and what no tree can fulfil."""

import dataclasses
import tomllib
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.base.numbers import Number, normalize_number
from grader.base.shipped import shipped_folder
from grader.generation.recipe import Payoffs, Recipe
from grader.generation.recipe_fields import RECIPE
from grader.generation.recipe_file import (
    apply_changes,
    default_recipe,
    read_recipe,
    with_changes,
    write_field,
    write_recipe,
)
from grader.generation.recipe_fit import fit_recipe
from grader.generation.shape import Shape, draw_skeleton, search_maxima
from grader.generation.stream import Stream
from grader.questions import all_kinds
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.tree import Player
from tests.generation.oracle import cuts, deep, pruned_by_brute_force, pruned_by_definition

BASE = """kind = "pruned-paths"

[shape]
plies = 3
branching = 3

[payoffs]
range = [0, 40]
"""


def read(text: str) -> Recipe:
    """A recipe that has no fault."""
    recipe = read_recipe(text)
    assert isinstance(recipe, Recipe), str(recipe)
    return recipe


def faults(text: str) -> Diagnostics:
    """What is wrong with a text."""
    found = read_recipe(text)
    assert isinstance(found, Diagnostics)
    return found


SMALL = """kind = "pruned-paths"
shape = {plies = 3, branching = 3}
payoffs = {range = [0, 40]}
"""

FAULTY = {
    "recipe-syntax": "kind = pruned-paths",
    "recipe-key": f"{SMALL}requires = {{pruned = [6, 9]}}",
    "recipe-missing": 'kind = "pruned-paths"',
    "recipe-type": SMALL.replace("plies = 3", 'plies = "three"'),
    "recipe-value": SMALL.replace("plies = 3", "plies = 0"),
    "recipe-kind": SMALL.replace("paths", "path"),
    "recipe-given": 'kind = "uct.mean"\ngiven = {wins = "max"}',
    "recipe-policy": f'{SMALL.replace("pruned-paths", "best-move")}question = {{policy = "net"}}',
    "recipe-belief": f'{SMALL}separate = {{key = ["own-bond"]}}',
    "recipe-rules": f'{SMALL}rules = {{ties = "keep", returns = "hard"}}',
    "recipe-shape": f'kind = "uct.mean"\n{SMALL.partition(chr(10))[2]}',
    "recipe-wide": SMALL.replace("branching = 3", "branching = 30"),
    "recipe-chance": SMALL.replace("branching = 3", "branching = 3, chance = [1]"),
    "recipe-payoffs": SMALL.replace("40", "20"),
    "recipe-bounds": f"{SMALL}rules = {{bounds = [0, 5]}}",
    "recipe-pruned": f"{SMALL}require = {{pruned = [17, 20]}}",
    "recipe-cuts": f"{SMALL}require = {{deep_cuts = 1}}",
    "recipe-ties": f'{SMALL}require = {{ties = "different"}}',
    "recipe-separate": f'{SMALL}separate = {{key = ["shallow-only"]}}',
}
"""For every code a recipe with exactly this fault."""


@pytest.mark.parametrize(("code", "text"), FAULTY.items(), ids=FAULTY)
def test_every_example_has_exactly_its_fault(code: str, text: str) -> None:
    """The example of a code triggers it, and nothing else."""
    assert [fault.code for fault in faults(text)] == [code]


def test_every_code_has_an_example() -> None:
    """There is one for each code that help lists."""
    assert FAULTY.keys() == RECIPE.codes.keys()


def test_every_code_in_the_source_is_listed() -> None:
    """The codes that the modules can give are those of the table."""
    folder = shipped_folder("problems").parent / "grader" / "generation"
    source = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))
    used = {word.split('"')[0] for word in source.split('"') if word.startswith("recipe-")}
    assert used == RECIPE.codes.keys()


@pytest.mark.parametrize(
    ("text", "line", "column", "said", "hint"),
    [
        (BASE.replace("plies = 3", "plys = 3"), 4, 1, "there is no field shape.plys", "shape.plies"),
        (BASE + "steps = 2\n", 9, 1, "there is no field payoffs.steps", "payoffs.step"),
        (BASE.replace("[payoffs]", "[payofs]"), 7, 2, "there is no table [payofs]", "[payoffs]"),
        (BASE.replace("[shape]", ""), 4, 1, "there is no field plies", "it belongs below [shape]"),
        (BASE + "[require]\nties = 3\n", 10, 1, '"same", "different" or "any" is expected', ""),
        (BASE + '[require]\nties = "sme"\n', 10, 1, "is expected", "did you mean 'same'?"),
        (BASE.replace("[0, 40]", "[40, 0]"), 8, 1, "the least, 40, is more than the most, 0", ""),
        (BASE.replace("branching = 3", "branching = [3, 3]"), 5, 1, "2 levels are given", "one for each ply"),
        (BASE.replace("branching = 3", "branching = [3, 0, 3]"), 5, 1, "whole number from 1", ""),
        (BASE + "step = 0.3\n", 9, 1, "do not lead from 0 to 40", ""),
        (BASE + "step = inf\n", 9, 1, "is not a number", ""),
        (BASE + '[question]\npolicy = "deduct:0"\n', 10, 1, "more than 0", ""),
        (
            BASE + "[require]\ndeep_cuts = 1\n",
            10,
            1,
            "takes four plies",
            "write below [require]: deep_cuts = 0",
        ),
        (
            BASE + "[require]\npruned = [17, 27]\n",
            10,
            1,
            "alpha-beta always visits 11 of 27",
            "pruned = [1, 16]",
        ),
        (BASE.replace("plies = 3", "plies = 1"), 4, 1, "nothing to ask", "two plies"),
        (
            BASE.replace("range = [0, 40]", "range = [1, 26]"),
            8,
            1,
            "27 leaves cannot all differ",
            "27 payoffs",
        ),
        (
            BASE.replace("plies = 3", "plies = 3\nchance = [3]"),
            5,
            1,
            "the levels are 0 to 2",
            "0 is the root",
        ),
        (BASE.replace('"pruned-paths"', '"pruned"'), 1, 1, "no kind 'pruned'", "take pruned-paths, pruned-b"),
        (BASE.replace('"pruned-paths"', '"pruned-path"'), 1, 1, "no kind 'pruned-path'", "'pruned-paths'"),
        (BASE + '[separate]\nkey = ["one-latte"]', 10, 8, "knows no belief 'one-latte'", "'one-late'"),
        (
            BASE.replace("branching = 3", "branching = [3]"),
            5,
            1,
            "1 level is given, but the tree has 3 plies",
            "",
        ),
        (BASE.replace("[0, 40]", "[0, 0]"), 8, 1, ": 1 payoff to draw from", "distinct = false"),
        (BASE + "[rules]\nwindow = [41, 90]", 10, 1, "none is between 41 and 90", "that contains payoffs"),
        (
            BASE + "[rules]\nwindow = [-9, -1]",
            10,
            1,
            "payoffs are drawn from 0 to 40",
            "that contains payoffs",
        ),
        (BASE + "kind = [", 9, 9, "this is not TOML", ""),
        (
            BASE.replace('"pruned-paths"', "\u201cpruned-paths\u201d"),
            1,
            8,
            "\u201c is a curly quote; use straight",
            "",
        ),
    ],
)
def test_a_fault_says_where_it_is_and_what_helps(
    text: str, line: int, column: int, said: str, hint: str
) -> None:
    """A diagnostic stands at the field or the word that is wrong, and hints at what was meant."""
    found = {(fault.line, fault.column): f"{fault.message} {fault.hint}" for fault in faults(text)}
    assert said in found[line, column]
    assert hint in found[line, column]


def test_all_faults_are_reported_at_once() -> None:
    """Faults in different fields do not hide each other."""
    text = """kind = "pruned-path"
[shape]
plies = "three"
branchings = 3
[payoffs]
range = [5, 1]
[require]
ties = "maybe"
"""
    codes = [(fault.line, fault.code) for fault in faults(text)]
    assert codes == [
        (1, "recipe-kind"),
        (2, "recipe-missing"),
        (3, "recipe-type"),
        (4, "recipe-key"),
        (6, "recipe-value"),
        (8, "recipe-value"),
    ]


def test_cheap_faults_are_reported_with_others() -> None:
    """An unknown belief and a demand of chance are reported whatever else is wrong with the tree."""
    text = """kind = "pruned-paths"
[shape]
plies = 3
branching = [2, 2, [2, 9]]
leaves = [36, 36]
[payoffs]
range = [0, 99]
[require]
chance_cuts = 1
[separate]
key = ["own-bond"]
"""
    codes = [(fault.line, fault.code) for fault in faults(text)]
    assert codes == [(5, "recipe-value"), (9, "recipe-chance"), (11, "recipe-belief")]


@pytest.mark.parametrize(
    ("kind", "changes", "field"),
    [
        ("pruned-paths", {"shape.chance": [1]}, "shape.chance"),
        ("best-move", {"shape.chance": [0]}, "shape.chance"),
        ("expected-values", {"shape.chance": []}, "shape.chance"),
        ("best-move", {"shape.branching": 1}, "shape.branching"),
    ],
)
def test_an_unsuitable_tree_is_blamed_on_its_field(kind: str, changes: dict[str, object], field: str) -> None:
    """A kind that cannot be asked of a tree names the field that has to change."""
    _, found = apply_changes(default_recipe(kind), changes)
    assert [".".join(fault.path) for fault in found if "cannot be asked of" in fault.message] == [field]


@given(
    st.text(max_size=60) | st.sampled_from(["[[", "a.b.c = 1", "shape = 3", "[shape.plies]\nx = 1", "[kind]"])
)
def test_any_text_gives_a_recipe_or_diagnostics(text: str) -> None:
    """No text makes the reader fail."""
    assert isinstance(read_recipe(text), Recipe | Diagnostics)
    assert isinstance(read_recipe(BASE + text), Recipe | Diagnostics)


@pytest.mark.parametrize("text", [f"x = {'[' * 5000}", "x = 1\n" * 20_000, f"x = {'9' * 9000}"])
def test_a_hostile_text_is_a_diagnostic(text: str) -> None:
    """Deep brackets, long texts and huge numbers are refused without an exception."""
    assert all(fault.code in {"recipe-syntax", "recipe-key"} for fault in faults(text))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", all_kinds(), ids=lambda kind: kind.code)
def test_every_kind_comes_with_a_recipe_of_its_own(kind: object) -> None:
    """The file is named like the kind, says the same kind, and writing it and reading it gives the same."""
    name = str(getattr(kind, "code", ""))
    recipe = default_recipe(name)
    assert recipe.kind == name
    assert read(write_recipe(recipe)) == recipe


def test_no_recipe_belongs_to_no_kind() -> None:
    """Every file among the recipes is the recipe of a kind."""
    files = {path.stem for path in (shipped_folder("problems") / "recipes").glob("*.toml")}
    assert files == {kind.code for kind in all_kinds()}


def test_numbers_in_a_recipe_are_exact() -> None:
    """A decimal, a fraction in quotes and a whole number are read as what they are, never as a float."""
    recipe = read(BASE.replace("[0, 40]", '[-0.1, "119/10"]') + 'step = "1/10"\n')
    assert recipe.payoffs.size == 121
    assert recipe.payoffs.payoff_at(4) * 10 == 3
    assert read(write_recipe(recipe)) == recipe


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_every_text_is_read_back(text: str) -> None:
    """A text in a recipe is written as TOML that holds just this text, whatever its characters are."""
    assert tomllib.loads(f"text = {write_field(text)}") == {"text": text}


@pytest.mark.parametrize(
    ("changes", "field", "wanted"),
    [
        ({"rules.ties": "keep"}, lambda recipe: recipe.rules.ties, "keep"),
        ({"require.pruned": [7, 9]}, lambda recipe: recipe.require.pruned, (7, 9)),
        (
            {"shape.branching": [3, 2, [2, 3]]},
            lambda recipe: recipe.shape.branching,
            ((3, 3), (2, 2), (2, 3)),
        ),
        ({"shape.plies": 4, "shape.branching": 2}, lambda recipe: recipe.shape.branching, ((2, 2),) * 4),
        ({"separate.each_other": "all"}, lambda recipe: recipe.separate.each_other, None),
        ({"question.policy": "deduct:0.5"}, lambda recipe: str(recipe.question.policy.amount), "1/2"),
        ({"rules.ties": None}, lambda recipe: recipe.rules.ties, "cut"),
    ],
)
def test_a_change_changes_that_field(changes: dict[str, object], field: object, wanted: object) -> None:
    """`with_changes` sets the named fields as a file would, and leaves the others alone."""
    recipe = read(BASE)
    changed = with_changes(recipe, changes)
    assert isinstance(changed, Recipe)
    assert callable(field)
    assert field(changed) == wanted
    same = {name.partition(".")[0] for name in changes}
    for record in dataclasses.fields(Recipe):
        if record.name not in same:
            assert getattr(changed, record.name) == getattr(recipe, record.name)


def test_a_change_that_makes_no_sense_is_a_diagnostic() -> None:
    """`with_` checks as strictly as the reader does."""
    changed = with_changes(read(BASE), {"require.deep_cuts": 2})
    assert isinstance(changed, Diagnostics)
    assert [fault.code for fault in changed] == ["recipe-cuts"]
    unknown = with_changes(read(BASE), {"require.deepcuts": 2})
    assert isinstance(unknown, Diagnostics)
    assert "require.deep_cuts" in str(unknown)


@pytest.mark.parametrize("kind", [kind.code for kind in all_kinds() if not kind.needs_tree])
def test_a_kind_that_asks_about_no_tree_has_no_shape(kind: str) -> None:
    """A field of the tree is refused by its name, in a change as in a recipe of a size."""
    for name, value in (("shape.plies", 2), ("shape.branching", [2]), ("payoffs.range", [0, 9])):
        changed = with_changes(default_recipe(kind), {name: value})
        assert isinstance(changed, Diagnostics)
        assert [fault.code for fault in changed] == ["recipe-key"]
        assert f"{name}: {kind} asks about no tree" in str(changed)
    written = read_recipe(f'kind = "{kind}"\nsize = "exam"\nshape = {{plies = 2, branching = 3}}\n')
    assert isinstance(written, Diagnostics)
    assert {fault.code for fault in written} == {"recipe-key"}


@pytest.mark.parametrize(
    ("plies", "branching"), [(2, 2), (2, 3), (3, 2), (3, 3), (4, 2), (4, 3), (5, 2), (6, 2)]
)
def test_the_most_that_can_be_pruned_is_what_knuth_and_moore_say(plies: int, branching: int) -> None:
    """In uniform trees the bound is leaves - (b^ceil(d/2) + b^floor(d/2) - 1)."""
    limit = search_maxima(Shape(plies, ((branching, branching),) * plies))
    visited = branching ** (-(-plies // 2)) + branching ** (plies // 2) - 1
    assert limit.pruned == branching**plies - visited


@pytest.mark.parametrize(
    "shape",
    [
        pytest.param(Shape(3, ((2, 2), (2, 2), (2, 2))), marks=pytest.mark.slow),
        pytest.param(Shape(3, ((2, 2), (2, 2), (2, 2)), root=Player.MIN), marks=pytest.mark.slow),
        Shape(3, ((2, 2), (1, 1), (3, 3))),
        Shape(2, ((2, 2), (3, 3))),
        Shape(2, ((3, 3), (2, 2))),
        Shape(4, ((2, 2), (1, 1), (1, 1), (2, 2))),
        Shape(4, ((1, 1), (2, 2), (2, 2), (1, 1))),
    ],
    ids=str,
)
def test_no_tree_beats_the_most_and_some_tree_reaches_it(shape: Shape) -> None:
    """Over all payoffs in a small range no count exceeds its limit, and the pruned count attains it."""
    skeleton = draw_skeleton(shape, Stream(0))
    limit = search_maxima(shape)
    reached = {"pruned": 0, "alpha": 0, "beta": 0, "deep": 0, "subtree": 0}
    for payoffs in product((0, 1, 2), repeat=len(skeleton.leaves)):
        tree = skeleton.with_payoffs(payoffs)
        pruned = pruned_by_definition(tree)
        found = cuts(tree, pruned)
        counts = {
            "pruned": len(pruned),
            "alpha": sum(tree.players[node] is Player.MIN for node in found),
            "beta": sum(tree.players[node] is Player.MAX for node in found),
            "deep": sum(deep(tree, node, skipped) for node, skipped in found.items()),
            "subtree": sum(len(tree.leaves_below(child)) > 1 for below in found.values() for child in below),
        }
        for name, count in counts.items():
            reached[name] = max(reached[name], count)
    assert reached["pruned"] == limit.pruned
    assert reached["alpha"] <= limit.alpha_cuts
    assert reached["beta"] <= limit.beta_cuts
    assert reached["deep"] <= limit.deep_cuts
    assert (reached["deep"] > 0) == (limit.deep_cuts > 0)
    assert reached["subtree"] <= limit.subtree_cuts
    assert (reached["subtree"] > 0) == (limit.subtree_cuts > 0)


@pytest.mark.parametrize("branching", [(2, 2), (3, 2), (2, 1, 2), (2, 2, 1)])
def test_the_oracle_agrees_with_trying_everything(branching: tuple[int, ...]) -> None:
    """The definition worked out by two evaluations gives what trying all later leaves gives."""
    shape = Shape(len(branching), tuple((number, number) for number in branching))
    skeleton = draw_skeleton(shape, Stream(0))
    stream = Stream("oracle")
    for _ in range(15):
        tree = skeleton.with_payoffs(tuple(stream.below(3) for _ in skeleton.leaves))
        assert pruned_by_definition(tree) == pruned_by_brute_force(tree)


@given(
    low=st.integers(-150, 150),
    size=st.integers(1, 26),
    step=st.sampled_from((1, 2, 5, Fraction(1, 2), Fraction(1, 3))),
)
def test_a_widened_range_includes_the_old_one(low: int, size: int, step: Number) -> None:
    """A range that is too narrow grows at the ends that it has, in its steps; two digits stay two."""
    narrow = Payoffs(low, normalize_number(low + (size - 1) * step), step)
    shape = Shape(plies=3, branching=((3, 3),) * 3)
    recipe = dataclasses.replace(default_recipe("root-value"), payoffs=narrow)
    least, greatest = fit_recipe(recipe, shape)["payoffs.range"]
    assert least <= narrow.low <= narrow.high <= greatest
    assert (narrow.low - least) % step == (greatest - narrow.high) % step == 0
    assert (least < 0) <= (narrow.low < 0 or narrow.high <= 0)
    assert (greatest > 0) <= (narrow.high > 0 or narrow.low >= 0)
    furthest, reach = (max(-one, other) for one, other in (narrow.range, (least, greatest)))
    assert reach <= 99 or furthest > 99
    # Both ends of a range with both signs are rounded towards 0.
    widened = dataclasses.replace(narrow, low=least, high=greatest)
    assert widened.size >= 2 * shape.max_leaves() - 1 or reach > 99 - step
