"""Kinds that ask about more than a tree, or about none: what is given is drawn, stored, separated, asked."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import grader.generation.recipe_file
from grader.answers.form import Item
from grader.answers.number import NUMBER
from grader.answers.numeral import Numeral
from grader.base.phrases import Language
from grader.exercises.exercise import Exercise, ExerciseError
from grader.exercises.exercise_file import read_exercise
from grader.exercises.marking import State, mark
from grader.generation.grower import Grower, exercise_on_tree, grow, grow_many
from grader.generation.recipe import Recipe
from grader.generation.recipe_file import default_recipe, read_recipe, with_changes, write_recipe
from grader.generation.recipe_stress import stress_recipe
from grader.generation.selection import ExhaustedError
from grader.questions import kind_by_code
from grader.questions.case import Case
from grader.questions.given import NOTHING_GIVEN, Given
from grader.questions.kind import Kind
from grader.questions.randomness import Draw
from grader.questions.reasons import VALUE_SOLUTION, Reason, SolvedExercise, WorkedSolution
from grader.questions.wording import Prompt
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.minimax import minimax
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.notation.reading import read_tree, tree_of
from grader.trees.notation.writing import write_tree
from grader.trees.rules import Rules
from grader.trees.tree import EMPTY, Tree
from tests.cli.running import gametree
from tests.questions.asking import with_kinds


def _replaced(case: Case) -> Tree:
    tree = case.tree
    leaf = tree.leaves[case.given["path"] - 1]
    row = [case.given["payoff"] if node == leaf else tree.payoffs[node] or 0 for node in tree.leaves]
    return tree.with_payoffs(tuple(row))


def _a_path(case: Case) -> str | None:
    return None if 1 <= case.given.get("path", 0) <= len(case.tree.leaves) else "no leaf is given"


def _another_payoff(draw: Draw, case: Case) -> Case | None:
    asked = replace(
        case, given=Given({"path": draw.between(1, len(case.tree.leaves)), "payoff": draw.below(100)})
    )
    return asked if minimax(_replaced(asked))[0] != minimax(case.tree)[0] else None


def _right_answer(solved: SolvedExercise, item: Item) -> Reason | None:
    if item.verdict == "right" or not item.right:
        return None
    say = solved.language.say
    return Reason(say("The correct answer is {answer}.", answer=solved.language.reply(item.right)))


REPLACED = Kind(
    name="replaced-payoff",
    about="values",
    form=NUMBER,
    objection=_a_path,
    prompt=lambda _case, _language: Prompt((), "What is the game worth then?"),
    key=lambda case: Numeral(minimax(_replaced(case))[0]),
    independent_key=lambda case: Numeral(expectiminimax(_replaced(case))[0]),
    beliefs={"never-prunes": lambda case: Numeral(minimax(case.tree)[0])},
    explain_item=_right_answer,
    worked_solution=VALUE_SOLUTION,
    draw=_another_payoff,
    given_names=("path", "payoff"),
)
"""What is the game worth when one leaf pays something else? Whoever forgets that has a belief."""


def _prompt(case: Case, _language: Language) -> Prompt:
    return Prompt((), f"What is {case.given['first']} + {case.given['second']}?")


def _two_numbers(draw: Draw, case: Case) -> Case | None:
    first, second = draw.below(6), draw.choose(draw.shuffle(range(6)))
    return None if first == second else replace(case, given=Given({"first": first, "second": second}))


ADDED = Kind(
    name="sum",
    about="values",
    form=NUMBER,
    objection=lambda case: None if {"first", "second"} <= case.given.keys() else "two numbers are missing",
    prompt=_prompt,
    key=lambda case: Numeral(case.given["first"] + case.given["second"]),
    independent_key=lambda case: Numeral(case.given["second"] + case.given["first"]),
    beliefs={"players-swapped": lambda case: Numeral(case.given["first"] - case.given["second"])},
    explain_item=_right_answer,
    worked_solution=WorkedSolution(lambda _solved: ()),
    draw=_two_numbers,
    given_names=("first", "second"),
    needs_tree=False,
)
"""What is the sum of two numbers? A belief takes the difference, which a second number of 0 does not show."""

WITH_TREE = 'kind = "replaced-payoff"\nshape = {plies = 2, branching = 2}\npayoffs = {range = [0, 40]}\n'
WITHOUT_TREE = 'kind = "sum"\n'


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    with_kinds(monkeypatch, REPLACED, ADDED)


def _recipe(text: str) -> Recipe:
    recipe = read_recipe(text)
    assert isinstance(recipe, Recipe), str(recipe)
    return recipe


@pytest.mark.parametrize("text", [WITH_TREE, WITHOUT_TREE])
def test_what_is_given_is_a_part_of_the_exercise(text: str) -> None:
    """It is drawn with the exercise, in the record and the checksum, and reads back; a seed fixes it."""
    exercises = list(grow_many(_recipe(text), "given", 12))
    assert [exercise.to_json() for exercise in grow_many(_recipe(text), "given", 12)] == [
        exercise.to_json() for exercise in exercises
    ]
    assert len({exercise.public.given for exercise in exercises}) > 8
    for exercise in exercises:
        record = exercise.to_json()
        assert record["given"] == exercise.public.given.to_json() != {}
        again = read_exercise(json.dumps(record))
        assert not isinstance(again, Diagnostics), str(again)
        assert again.to_json() == record
        forged = read_exercise(json.dumps(record | {"given": record["given"] | {"more": 1}}))
        assert isinstance(forged, Diagnostics)
        assert mark(exercise, exercise.key).points == 1
        for reply in exercise.beliefs.values():
            assert mark(exercise, reply).points == 0


def test_a_belief_is_separated_by_what_is_given() -> None:
    """What a belief gets right is not asked, and what nothing can be asked about is counted."""
    recipe = _recipe(WITHOUT_TREE)
    exercises = list(grow_many(recipe, "separated", 15))
    assert all(exercise.public.given["second"] != 0 for exercise in exercises)
    assert len({exercise.public.given for exercise in exercises}) == 15
    report = stress_recipe(_recipe(WITH_TREE), 12)
    assert report.separated == 1
    assert report.report.refused["nothing to ask"] > 0


def test_no_question_is_asked_twice() -> None:
    """Of six times six pairs 25 can be asked, and when they are used up the generator says so."""
    exercises = grow_many(_recipe("cap = 5000\n" + WITHOUT_TREE), "all", 100)
    assert len({next(exercises).public.given for _ in range(25)}) == 25
    with pytest.raises(ExhaustedError, match="question seen before"):
        next(exercises)


def test_a_question_without_a_tree_has_none_in_its_record() -> None:
    """Its tree is empty, it has no profile, and it is marked and measured like any other."""
    exercise = next(grow_many(_recipe(WITHOUT_TREE), 1, 1))
    assert exercise.public.tree == EMPTY
    assert exercise.to_json()["tree"] == ""
    assert exercise.profile == {}
    assert mark(exercise, "MAX (1 2)").state is not State.GRADED
    report = stress_recipe(_recipe(WITHOUT_TREE), 5)
    assert report.best_moves is None
    assert report.separated == 1


def test_recipes_without_a_tree_have_no_shape() -> None:
    """Such a recipe reads back from what is written of it, and a shape in it is a mistake."""
    recipe = _recipe(WITHOUT_TREE)
    assert "shape" not in write_recipe(recipe)
    assert _recipe(write_recipe(recipe)) == recipe
    wrong = read_recipe(WITH_TREE.replace("replaced-payoff", "sum"))
    assert isinstance(wrong, Diagnostics)
    assert "asks about no tree" in str(wrong)


def test_a_kind_that_needs_a_tree_is_not_asked_without() -> None:
    """The empty tree is refused before the kind looks at it, in a record too."""
    with pytest.raises(ExerciseError, match="there is no tree"):
        exercise_on_tree(EMPTY, REPLACED, Rules(), given=Given({"path": 1, "payoff": 2}))
    exercise = next(grow_many(_recipe(WITH_TREE), 1, 1))
    wrong = read_exercise(json.dumps(exercise.to_json() | {"tree": ""}))
    assert isinstance(wrong, Diagnostics)
    assert "there is no tree" in str(wrong)


@pytest.mark.parametrize("name", ["expected-values", "root-value", "best-move", "chance-cuts"])
def test_payoffs_outside_the_bounds_are_asked_about_by_no_kind(name: str) -> None:
    """A tree with chance that breaks its own bounds is refused, also where no search is asked about."""
    tree = tree_of("@bounds [0, 10]\nMAX (CHANCE (0.5: 2 0.5: 12) CHANCE (0.25: 3 0.75: 7))")
    with pytest.raises(ExerciseError, match=r"12 of leaf 2 lies outside the bounds \[0, 10\]"):
        exercise_on_tree(tree, kind_by_code(name), tree.rules())


def test_the_empty_tree_is_a_tree() -> None:
    """Every column of it is empty, and so is its text."""
    assert len(EMPTY) == 0
    assert write_tree(EMPTY) == write_tree(EMPTY, "outline") == ""
    assert EMPTY.bare() == EMPTY.with_payoffs(()) == EMPTY
    for column in ("children", "ends", "depths", "leaves", "paths", "internal", "breadth_first", "names"):
        assert getattr(EMPTY, column) == ()
    assert EMPTY.covering(frozenset({1})) == EMPTY.tops(()) == EMPTY.crossed_paths == EMPTY.unknowns == ()
    assert EMPTY.index == {}
    assert EMPTY.seats == 0
    assert not EMPTY.movers


def test_what_is_given_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--given` goes with `--tree`, stands alone where there is no tree, and is refused where it is wrong."""
    recipes = {"sum": _recipe(WITHOUT_TREE), "replaced-payoff": _recipe(WITH_TREE)}
    monkeypatch.setattr(grader.generation.recipe_file, "default_recipe", lambda kind, _size: recipes[kind])
    tree = tmp_path / "tree.txt"
    tree.write_text("MAX (MIN (3 12) MIN (2 4))")

    def generated(*arguments: str, code: int = 0) -> str:
        result = gametree("generate", *arguments)
        assert result.code == code, result.err
        return result.err if code else result.out

    by_hand = generated("replaced-payoff", "--tree", str(tree), "--given", '{"path": 1, "payoff": 1}')
    assert json.loads(by_hand)["key"]["reply"] == "2"
    assert "no leaf is given" in generated("replaced-payoff", "--tree", str(tree), code=2)
    assert "no leaf is given" in generated("replaced-payoff", "--tree", str(tree), "--given", "{}", code=2)
    assert json.loads(generated("sum", "--given", '{"first": 4, "second": 5}'))["key"]["reply"] == "9"
    assert "asks about a tree" in generated("replaced-payoff", "--given", '{"path": 1}', code=2)
    for wrong in ("[1]", "{", '{"x": "\\ud800"}', '{"x": NaN}'):
        assert "not a JSON object" in generated("sum", "--given", wrong, code=2)
    too_large = "not a JSON object: a number in it is too large"
    assert too_large in generated("sum", "--given", '{"x": 1e999}', code=2)
    out = tmp_path / "out"
    generated("sum", "-n", "2", "-o", str(out))
    assert sorted(path.suffix for path in out.iterdir()) == [".json"] * 4


def test_without_a_draw_nothing_is_given() -> None:
    """The kinds that ask about the tree alone are asked with nothing beside it."""
    tree = read_tree("MAX (MIN (3 12) MIN (2 4))")
    assert isinstance(tree, Tree)
    kind = grader.questions.find_kind("root-value")
    assert kind is not None
    assert exercise_on_tree(tree, kind, Rules()).public.given == NOTHING_GIVEN


def test_what_is_never_drawn_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A recipe that settles what its kind never draws is refused after a while, which tells why."""
    monkeypatch.setattr("grader.generation.grower.MAX_REFUSALS", 50)
    recipe = with_changes(default_recipe("board-position.move"), {"given.game": ["nim"]})
    assert isinstance(recipe, Recipe)
    with pytest.raises(ExhaustedError, match="nothing to ask with what is given"):
        grow(recipe, "never")


@pytest.mark.parametrize(
    "ask", ["value", "move", "evaluation", "values", "pruned", "legal", "over", "utility"]
)
def test_boards_are_of_one_level(ask: str) -> None:
    """All papers have as many marks on the board, but for full boards, and 9 to 12 positions to evaluate."""
    run = list(grow_many(default_recipe(f"board-position.{ask}"), "level", 12))
    marks = {sum(map(each.public.given["position"].count, "XO")) for each in run}
    assert max(marks) - min(marks) <= (2 if ask == "utility" else 0)
    if ask in ("values", "pruned"):
        assert all(9 <= len(each.public.tree.leaves) <= 12 for each in run)
        answers = [len(each.answer(each.key)) for each in run]
        assert max(answers) - min(answers) <= 2


def test_a_question_with_few_variants_soon_says_how_many() -> None:
    """Each of the hundred positions for a move is found, without thousands of draws for the last ones."""
    grower = Grower(default_recipe("board-position.move"), "all")
    exercises: list[Exercise] = []
    with pytest.raises(ExhaustedError):
        exercises.extend(grower.exercises(101))
    assert len({each.public.given for each in exercises}) == len(exercises) == 100
    assert grower.report.candidates < 3000
