"""What a question gives: a JSON object that nobody can change, and of which every name is known."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exam.blueprint_file import read_blueprint
from grader.exercises.exercise import find_objection
from grader.generation.grower import Grower
from grader.generation.recipe import Recipe
from grader.generation.recipe_file import default_recipe, read_recipe, with_changes, write_recipe
from grader.questions import all_kinds, kind_by_code
from grader.questions.case import Case
from grader.questions.given import NOTHING_GIVEN, Given
from grader.questions.kind import AnyKind
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import EMPTY
from tests.questions.asking import drawn
from tests.questions.test_conformance import SMALLEST, each_kind
from tests.questions.test_told import TREES

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
OBJECTS = st.dictionaries(st.text(max_size=3), VALUES, max_size=4)


@given(OBJECTS)
def test_it_is_the_object(content: dict[str, Any]) -> None:
    """What is given is a mapping with the names and values of the object, in whatever order they came."""
    found = Given(content)
    assert dict(found) == found.to_json() == content
    assert len(found) == len(content)
    turned = Given(dict(reversed(content.items())))
    assert (turned, hash(turned), repr(turned)) == (found, hash(found), repr(found))
    assert (found == NOTHING_GIVEN) == (not content)


def test_nobody_changes_it() -> None:
    """Neither the object it was made from nor what it hands out reaches into what is given."""
    content = {"moves": [1, 2]}
    found = Given(content)
    content["moves"].append(3)
    found.to_json()["moves"].append(4)
    assert found["moves"] == [1, 2]


def test_how_it_is_shown() -> None:
    """It is shown as JSON that a person can read, in one order."""
    assert repr(Given({"ß": 1, "a": [2]})) == 'Given({"a":[2],"ß":1})'


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, b"x"])
def test_only_json_is_given(value: object) -> None:
    """What is no JSON is refused."""
    with pytest.raises((TypeError, ValueError)):
        Given({"value": value})


@each_kind
def test_every_name_that_is_changedis_known(kind: AnyKind) -> None:
    """A kind draws only what it says it gives, and refuses any other name beside it, with what it takes."""
    found = [each for _, tree in SMALLEST for seed in range(3) if (each := drawn(kind, tree, Rules(), seed))]
    for tree, beside in found:
        assert set(beside) <= set(kind.given_names)
        assert find_objection(kind, Case(tree, Rules(), beside)) is None
        why = find_objection(kind, Case(tree, Rules(), Given({**beside, "polcy": "random"})))
        assert why is not None
        assert why.startswith("this question has no field 'polcy'; ")
        assert all(name in why for name in kind.given_names)


@pytest.mark.parametrize(
    ("name", "hint"), [("movs", "did you mean 'moves'?"), ("policy", "its fields are moves")]
)
def test_a_blueprint_is_told_where_a_name_is_unknown(name: str, hint: str, tmp_path: Path) -> None:
    """The fault stands at the name, says that it is nothing the question takes, and what is."""
    said = f"""title = "Quiz"
secret = "a long secret for a test of blueprints"
[[question]]
kind = "imperfect-opponent.gain"
points = 2
tree = "MAX A (MIN B (3 12 8) MIN C (2 4 6))"
given = {{moves = "leftmost", {name} = "random"}}
"""
    found = read_blueprint(said, tmp_path)
    assert isinstance(found, Diagnostics)
    (each,) = found
    assert (each.code, each.line, each.column) == ("exam-given", 7, 30)
    assert each.message == f"this question has no field {name!r}"
    assert each.hint == hint


@each_kind
def test_whatever_is_given_is_refused_or_asked(kind: AnyKind) -> None:
    """With nothing or something else under a name, a kind says why it cannot ask, or has a key at once."""
    trees = (*(tree for _, tree in SMALLEST), *map(tree_of, TREES))
    found = next((each for tree in trees if (each := drawn(kind, tree, Rules()))), None)
    assert found is not None
    tree, beside = found
    for name, other in product(kind.given_names, (None, "zz", -1, 0, True, 10**9, [], ["zz"], {"zz": "zz"})):
        less = {each: value for each, value in beside.items() if each != name}
        for changed in (Given(less), Given({**less, name: other})):
            if find_objection(kind, Case(tree, Rules(), changed)) is None:
                kind.key(Case(tree, Rules(), changed))


SMALL = "MAX A (MIN B (3 12) MIN C (2 4))"
NEVER = "MAX A {n=0, w=0} (B=0 {n=0, w=0} C=0 {n=0, w=0})"
TWO = "MAX A {n=3, w=2} (B=0.5 {n=2, w=1} C=1 {n=1, w=1})"
THREE = "P1 A (P2 B (<1, 2, 3> <0, 3, 3>) P3 C (<2, 2, 2> <6, 0, 0>))"
COUNTED = {"path": 1, "result": "1"}
SIZES = {"counts": "minimax", "branching": 3, "count": 3}
CHESS = {"game": "chess", "chance": False, "perfect": True}
SQUARES = {"position": "X.O/.X./..O"}


@pytest.mark.parametrize(
    ("code", "text", "content", "why"),
    [
        ("imperfect-opponent.gain", SMALL, {"moves": {"B": "2"}}, "does not mention C"),
        ("uct.mean", "", {"won": 1, "drawn": 0, "lost": 1, "loss": "-1"}, None),
        ("uct.mean", "", {"won": 1, "drawn": 0, "lost": 1, "loss": "1"}, "what a loss is worth"),
        ("uct.mean", "", {"won": 1, "drawn": -1, "lost": 1, "loss": "-1"}, "playouts are not given"),
        ("uct.mean", "", {"won": 0, "drawn": 0, "lost": 0, "loss": "-1"}, "playouts are not given"),
        ("uct.mean", "", {"won": 998, "drawn": 1, "lost": 1, "loss": "0"}, None),
        ("uct.mean", "", {"won": 998, "drawn": 1, "lost": 2, "loss": "0"}, "more than 1000 playouts"),
        ("uct.visits", TWO, COUNTED, None),
        ("uct.visits", TWO.replace("w=2", "w=4"), COUNTED, "A has more wins than playouts"),
        ("uct.visits", TWO.replace("n=1, w=1", "n=2, w=1"), COUNTED, "A has fewer playouts than"),
        (
            "uct.visits",
            "MAX A {n=0, w=0} (B=0 {n=0, w=0} C=0 {n=0, w=0})",
            COUNTED,
            "there was no playout yet",
        ),
        ("uct.visits", TWO, {**COUNTED, "path": 2}, None),
        ("uct.visits", TWO, {**COUNTED, "path": 3}, "number of a leaf"),
        ("uct.visits", TWO, {**COUNTED, "path": "1"}, "number of a leaf"),
        ("uct.visits", TWO, {**COUNTED, "wins": "all"}, "wins"),
        ("payoff-vectors.cut", THREE, {"total": 6, "branch": "C"}, None),
        ("payoff-vectors.cut", THREE, {"total": 5, "branch": "C"}, "do not sum to 5"),
        ("payoff-vectors.cut", THREE.replace("6, 0", "7, -1"), {"total": 6, "branch": "C"}, "is below 0"),
        ("true-false.complexity", "", {**SIZES, "plies": 2}, None),
        ("true-false.complexity", "", {**SIZES, "plies": 1}, "2 to"),
        ("true-false.complexity", "", {**SIZES, "branching": 1, "plies": 2}, "2 to"),
        ("true-false.games", "", CHESS, None),
        ("true-false.games", "", {**CHESS, "chance": 0}, "what is said of which game"),
        ("true-false.games", "", {**CHESS, "perfect": 1}, "what is said of which game"),
        ("search-budget.size", "", {"base": 1000, "power": 2}, None),
        ("search-budget.size", "", {"base": 1001, "power": 2}, "from 2 to 1000"),
        ("board-position.values", "", {**SQUARES, "evaluation": "zz"}, "has no such evaluation"),
        ("board-position.values", "", {**SQUARES, "evaluation": ["zz"]}, "has no such evaluation"),
        ("board-position.result", "", {"position": "XXX/OO./..."}, "that is not over"),
        ("board-position.result", "", {"game": "nim", "position": "1 2"}, "tic-tac-toe or connect four"),
    ],
)
def test_why_it_cannot_be_asked(code: str, text: str, content: dict[str, Any], why: str | None) -> None:
    """What is given is refused for what is wrong with it, and not on the near side of a limit."""
    said = kind_by_code(code).objection(Case(tree_of(text) if text else EMPTY, Rules(), Given(content)))
    assert said is None if why is None else said is not None and why in said, said


SETTLED = [
    (kind.code, name, said)
    for kind in all_kinds()
    for name, meanings in kind.rule_choices.items()
    for said in meanings
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("code", "name", "said"), SETTLED)
def test_a_recipe_settles_what_a_rule_says(code: str, name: str, said: str) -> None:
    """Each meaning of a rule is drawn where a recipe settles for it; any other is refused."""
    recipe = with_changes(default_recipe(code), {f"given.{name}": said})
    assert isinstance(recipe, Recipe)
    assert read_recipe(write_recipe(recipe)) == recipe
    assert next(Grower(recipe, 1).exercises(1)).public.given[name] == said
    refused = with_changes(default_recipe(code), {f"given.{name}": "nobody"})
    assert isinstance(refused, Diagnostics)
    assert [each.code for each in refused] == ["recipe-given"]
    assert f'"{said}"' in refused.items[0].hint
