"""Files of version 0.1.0 that a teacher keeps: records of exercises and recipes."""

import json
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from grader import Exercise, Tree, mark, read_exercise, solve, tree_of
from tests.cli.running import gametree
from tests.made_by_0_1.frozen import HERE, text_of

KINDS = sorted(
    path.stem for path in (HERE / "exercises").glob("*.json") if not path.name.endswith(".public.json")
)

RECIPES = sorted((HERE / "recipes").glob("*.toml"))

RETIRED = {"deep-cuts"}
"""The recipes whose policy `each` is for earlier exercises only."""

DEPTHS = {"deep-cuts": 4, "values-of-a-small-game": 2, "dice": 3, "a-move-from-the-right": 3}
"""The plies that recipes with a tree ask for."""


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_is_marked_as_before(kind: str) -> None:
    """`gametree mark` reads a record of version 0.1.0, and says of its key and a mistake what it said."""
    for reply, kept in json.loads(text_of("exercises/said.json"))[kind].items():
        ran = gametree("mark", str(HERE / "exercises" / f"{kind}.json"), "--json", "-", typed=reply)
        now = json.loads(ran.out)
        for field in ("state", "points", "max", "notes", "understood"):
            assert now[field] == kept[field], f"{field} of {reply!r} moved"


def test_every_kind_has_its_record() -> None:
    """The records are of all 27 kinds, each with the record for students beside it."""
    assert len(KINDS) == 27
    for kind in KINDS:
        assert (HERE / "exercises" / f"{kind}.public.json").exists()


def depth(tree: Tree, node: int = 0) -> int:
    """How many moves lead from a node to the deepest leaf below it."""
    return max((1 + depth(tree, child) for child in tree.children[node]), default=0)


def wanted(exercise: Exercise, recipe: dict[str, Any], plies: int | None) -> None:
    """An exercise is as its recipe demands, by the text of the recipe and a search of its own."""
    record = exercise.to_json()
    question, require = recipe.get("question", {}), recipe.get("require", {})
    assert Fraction(record["points"]) == Fraction(question.get("points", 1))
    assert record["policy"] == question.get("policy", record["policy"])
    assert record["decimal_comma"] == question.get("decimal_comma", False)
    for name, said in recipe.get("rules", {}).items():
        assert record["rules"][name] == said
    assert mark(exercise, exercise.key).points == Fraction(record["points"])
    if plies is None:
        return
    tree = tree_of(record["tree"])
    payoffs = [tree.payoffs[leaf] for leaf in tree.leaves]
    least, most = recipe["payoffs"]["range"]
    assert depth(tree) == plies
    assert all(least <= payoff <= most for payoff in payoffs)
    assert not recipe["payoffs"].get("distinct") or len(set(payoffs)) == len(payoffs)
    solution = solve(tree, exercise.public.rules)
    if "pruned" in require:
        fewest, greatest = require["pruned"]
        assert fewest <= len(solution.pruned_paths) <= greatest
    if require.get("one_optimal_move"):
        assert len(solution.best[0]) == 1
    for belief in recipe["separate"]["key"] if recipe["separate"]["key"] != "none" else ():
        assert f"{recipe['kind']}.{belief}" in exercise.beliefs


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_a_recipe_grows_what_it_demands(path: Path) -> None:
    """A recipe of a teacher is read, and what it grows is as it demands, as what version 0.1.0 grew is.

    One with a policy that is for earlier exercises only is refused, and grows with one that is offered.
    """
    recipe = tomllib.loads(path.read_text(encoding="utf-8"))
    command = ("generate", recipe["kind"], "--recipe", str(path), "-n", "3", "--seed", "again")
    old = read_exercise(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert isinstance(old, Exercise), old
    wanted(old, recipe, DEPTHS.get(path.stem))
    if path.stem in RETIRED:
        ran = gametree(*command)
        assert ran.code == 2
        assert "cannot be marked with 'each'" in ran.err
        assert '"keep:1/2"' in ran.err
        recipe["question"]["policy"] = "keep:1/2"
        command = (*command, "--policy", "keep:1/2")
    ran = gametree(*command)
    assert ran.code == 0, ran.err
    grown = ran.out.splitlines()
    assert len(grown) == 3
    for text in grown:
        exercise = read_exercise(text)
        assert isinstance(exercise, Exercise), exercise
        wanted(exercise, recipe, DEPTHS.get(path.stem))
