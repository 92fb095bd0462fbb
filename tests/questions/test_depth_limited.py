"""Depth limits as questions: what books, lectures and courses say of them, and what cannot be asked."""

import re

import pytest

from grader.answers.form import Terms
from grader.base.catalogues import shipped_languages
from grader.exercises.exercise import make_exercise
from grader.exercises.marking import mark
from grader.generation.grower import grow_many
from grader.generation.recipe_file import default_recipe
from grader.questions import kind_by_code
from grader.questions.case import Case
from grader.questions.given import Given
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import EMPTY, Tree
from tests.test_bank import BANK, tree_in

FLIPS, QUIET, FEATURES, PIECES = (
    tree_in(BANK / f"{name}.tree")
    for name in ("berkeley-depth-flips", "quiescence", "two-features", "material-count")
)

TWELVE = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"

CHESS = {"percent": [82, 2, 16], "utilities": ["1", "0", "1/2"]}
"""Russell and Norvig, section 5.3.1; the lecture of Hiple, evaluation functions."""

FUNCTIONS = {
    "utilities": [-1, 0, 1],
    "functions": [[-1, 0, 1, 0, 0, 2], [-1, 0, 1, 0, 1, 0], [0, 0, 1, 0, 0, 0], [-2, 0, 1, 0, 0, 0]],
}


@pytest.mark.parametrize(
    ("ask", "tree", "beside", "key"),
    [
        ("move", FLIPS, {"depth": 2}, "Right"),  # Berkeley, 2-4a-vary-depth
        ("value", FLIPS, {"depth": 2}, "5"),
        ("flip", QUIET, {}, "2"),
        ("value", QUIET, {"depth": 1}, "9"),
        ("move", QUIET, {"depth": 1}, "capture"),
        ("features", FEATURES, {"depth": 1}, "5"),
        ("features", PIECES, {"depth": 2}, "3"),
        ("category", EMPTY, CHESS, "0.9"),
        ("legal", EMPTY, FUNCTIONS, "2"),
        ("bounds", tree_of(TWELVE), {"known": {"C": ["at most", "2"]}}, "4 5 6"),  # CS7IS2
    ],
)
def test_what_is_right(ask: str, tree: Tree, beside: dict[str, object], key: str) -> None:
    """What the sources say earns the full mark."""
    kind = kind_by_code(f"depth-limited.{ask}")
    rules = Rules(ties=tree.header.ties or "cut")
    exercise = make_exercise(kind, tree, rules, given=Given(beside))
    assert mark(exercise, key).points == 1, exercise.key


@pytest.mark.parametrize(
    ("ask", "tree", "beside", "why"),
    [
        ("value", QUIET, {"depth": 2}, "from 1 to 1"),
        ("value", tree_of("MAX (MIN (MAX (1 2) 3) 4)"), {"depth": 1}, "neither eval= nor features"),
        ("move", tree_of("CHANCE (MIN (1 2) MIN (3 4))"), {}, "chance moves at the root"),
        ("features", QUIET, {"depth": 1}, "no node has features"),
        ("flip", tree_of("MAX (MIN {eval=1} (1 2) MIN {eval=3} (3 4))"), {}, "the same at every depth"),
        ("flip", tree_of("MAX (MIN {eval=3} (1 2) MIN {eval=3} (3 4))"), {}, "several moves are best"),
        ("flip", tree_of("MAX (MIN {eval=3} (1 2) MIN {eval=1} (1 4))"), {}, "several moves are best"),
        ("category", EMPTY, {"percent": [82, 2, 17], "utilities": ["1", "0", "1/2"]}, "do not sum to 100"),
        ("category", EMPTY, {"percent": [82, 18], "utilities": ["1", "0", "1/2"]}, "three whole numbers"),
        ("category", EMPTY, {"percent": [82, 2, 16], "utilities": ["1"]}, "three numbers"),
        ("legal", EMPTY, {}, "three whole numbers"),
        ("legal", EMPTY, {"utilities": [-1, 0, 1], "functions": []}, "4 lists"),
        (
            "legal",
            EMPTY,
            {"utilities": [0, 1, 2], "functions": [[0, 1, 2, 1, 1, 1]] * 4},
            "4 of the functions",
        ),
        ("legal", EMPTY, {"utilities": [0, 1, 2], "functions": [[0, 1, 2]] * 4}, "six whole numbers"),
        (
            "legal",
            EMPTY,
            {"utilities": [0, 1, 2], "functions": [[0, 1, 2, 1, 1, "1"]] * 4},
            "six whole numbers",
        ),
        ("bounds", tree_of(TWELVE), {}, "no bound is known"),
        ("bounds", tree_of(TWELVE), {"known": {"C": ["at most", "1"]}}, "C is worth 2, so"),
        ("bounds", tree_of(TWELVE), {"known": {"A": ["at most", "9"]}}, "no inner node A below"),
        ("bounds", tree_of(TWELVE), {"known": {"C": ["under", "9"]}}, "a bound is"),
        ("bounds", tree_of(TWELVE), {"known": {"C": ["at most", "x"]}}, "is not a number"),
    ],
)
def test_what_cannot_be_asked(ask: str, tree: Tree, beside: dict[str, object], why: str) -> None:
    """A limit below the tree, a missing evaluation, a bound that is not true: refused with the reason."""
    reason = kind_by_code(f"depth-limited.{ask}").objection(Case(tree, Rules(), Given(beside)))
    assert reason is not None
    assert why in reason, reason


def test_a_node_is_left_by_its_bound_only_when_that_settles_it() -> None:
    """Under the strict rule an equal bound is not enough, and a lower bound leaves a MAX node."""
    kind, equal = kind_by_code("depth-limited.bounds"), Given({"known": {"C": ["at most", "3"]}})
    tree = tree_of("MAX A (MIN B (3 12 8) MIN C (9 3 6))")
    assert kind.key(Case(tree, Rules(), equal)) == frozenset((4, 5, 6))
    assert kind.key(Case(tree, Rules(ties="keep"), equal)) == frozenset()
    deep = tree_of("MIN A (MAX B (3 1) MAX C (2 4))")
    assert kind.key(Case(deep, Rules(), Given({"known": {"C": ["at least", "4"]}}))) == frozenset((3, 4))


@pytest.mark.parametrize("code", shipped_languages())
def test_all_bounds_stand_in_one_sentence(code: str) -> None:
    """However many bounds are known, the question says once how."""
    known = Given(
        {"known": {name: ["at most", str(number)] for name, number in zip("BCD", (4, 3, 9), strict=True)}}
    )
    kind, terms = kind_by_code("depth-limited.bounds"), Terms(language_code=code)
    asked = make_exercise(kind, tree_of(TWELVE), Rules(), terms, given=known).public.prompt
    (told,) = (each for each in re.split("[.?!。？！]", asked) if re.search(r"\b[BCD]\b", each))
    assert re.findall(r"\b[BCD]\b|[0-9]", told) == ["B", "4", "C", "3", "D", "9"]


@pytest.mark.parametrize("code", ["depth-limited.value", "depth-limited.move", "depth-limited.features"])
def test_the_solution_of_a_limited_search_shows_the_values_at_the_limit(code: str) -> None:
    """Every node down to the limit has its value in the picture of the key, and no inner node below it."""
    for exercise in grow_many(default_recipe(code), "limits", 3):
        tree, depth = exercise.public.tree, exercise.public.given["depth"]
        assert exercise.kind.key_picture is not None
        shown = exercise.kind.key_picture(exercise.solved())
        assert shown is not None
        assert {*shown.values} == {node for node in range(len(tree)) if tree.depths[node] <= depth}


def test_the_solution_of_an_iteration_shows_its_cutoffs() -> None:
    """The leaves below the crossed branches in the picture are those that the iteration prunes."""
    for exercise in grow_many(default_recipe("deepening.pruned"), "cutoffs", 3):
        tree = exercise.public.tree
        assert exercise.kind.key_picture is not None
        shown = exercise.kind.key_picture(exercise.solved())
        assert shown is not None
        leaves = {tree.paths[leaf] for node in shown.cuts for leaf in tree.leaves_below(node)}
        assert leaves == exercise.answer(exercise.key)
