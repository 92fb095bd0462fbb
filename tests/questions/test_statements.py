"""Statements that are true or false: what they speak of, and what is said of them."""

from dataclasses import replace
from fractions import Fraction

import pytest

from grader.exercises.exercise import make_exercise
from grader.exercises.feedback import Feedback
from grader.exercises.marking import mark
from grader.generation.grower import grow_many
from grader.generation.recipe_file import default_recipe
from grader.generation.stream import Stream
from grader.questions import kind_by_code
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.randomness import Draw
from grader.solvers.minimax import minimax
from grader.solvers.search_choice import search
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import Tree

SCALING, INNER = kind_by_code("true-false.scaling"), kind_by_code("true-false.inner-values")


@pytest.mark.parametrize("tree", ["MAX A (MIN B (3 12) MIN C (2 4))", "MAX A (MIN B (5 1) MIN C (0 9))"])
@pytest.mark.parametrize("times", [-2, -1, 1, 2, 3])
@pytest.mark.parametrize("reply", ["true", "false"])
def test_a_factor_is_explained_by_its_own_rule(tree: str, times: int, reply: str) -> None:
    """Whoever is wrong about a factor reads the rule for its sign, and never that for the other sign."""
    exercise = make_exercise(SCALING, tree_of(tree), Rules(), given=Given({"times": times, "plus": 5}))
    marked, feedback = mark(exercise, reply), Feedback(exercise)
    said = " ".join((*filter(None, feedback.sentences(marked)), *feedback.diagnosis(marked)))
    worked = " ".join(exercise.kind.worked_solution.steps(exercise.solved()))
    own, other = ("negative", "positive") if times < 0 else ("positive", "negative")
    assert own in worked.lower()
    assert other not in f"{said} {worked}".lower()
    assert marked.points == 1 or marked.notes


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "MAX A (MIN B (1 9) MIN C (5 6))",
            "in the opposite order, it would visit 4. So the statement is false",
        ),
        (
            "MAX A (MIN B (9 1) MIN C (5 6))",
            "in the opposite order, it would visit 3. So the statement is true",
        ),
    ],
)
def test_as_many_leaves_are_not_fewer(text: str, told: str) -> None:
    """The other direction is told to be better only where it visits fewer leaves."""
    exercise = make_exercise(kind_by_code("true-false.order"), tree_of(text), Rules())
    assert told in " ".join(exercise.kind.worked_solution.steps(exercise.solved()))


@pytest.mark.parametrize(
    "text",
    [
        "MAX A (MIN B (5 6) MIN C (5 7) MIN D (9 8))",
        "MAX A (MIN B (5 6) MIN C (MAX D (4 1) MAX E (7 7)) MIN F (8 7))",
    ],
)
def test_no_bound_that_happens_to_be_exact_is_asked_about(text: str) -> None:
    """A node that returns its value is asked about only if no payoff that was not seen could change it."""
    tree, rules = tree_of(text), Rules()
    found, values, asked = search(tree, rules), minimax(tree), set()
    for seed in range(40):
        drawn = INNER.draw and INNER.draw(Draw(Stream(seed)), Case(tree, rules))
        assert drawn is not None
        asked.add(tree.index[drawn.given["node"]])
    assert asked
    for node in asked:
        if found.returned[node] == values[node]:
            for unseen in (-99, 99):
                assert minimax(_with_unseen(tree, found.visited, unseen))[node] == values[node]


@pytest.mark.parametrize("ask", ["pruning", "inner-values", "scaling", "order", "optimal-play"])
def test_only_what_payoffs_decide_is_asked(ask: str) -> None:
    """Of each statement about a grown tree the truth is another one with other payoffs at its leaves."""
    kind, payoffs = kind_by_code(f"true-false.{ask}"), Stream("other payoffs")
    for exercise in grow_many(default_recipe(kind.code), "decided", 30):
        case = exercise.public.case
        others = (
            replace(case, tree=case.tree.with_payoffs(payoffs.sample(range(-9, 21), len(case.tree.leaves))))
            for _ in range(400)
        )
        asked = (other for other in others if kind.objection(other) is None)
        assert any(kind.key(other) != kind.key(case) for other in asked), case.given


def test_a_leaf_that_every_search_visits_may_be_asked_about_by_a_teacher() -> None:
    """Where a recipe fixes what a statement is about, the statement is asked although nothing decides it."""
    tree = tree_of("MAX A (MIN B (3 12) MIN C (2 4))")
    drawn = SCALING.draw and SCALING.draw(Draw(Stream(1), fixed=Given({"times": 2})), Case(tree, Rules()))
    assert drawn is not None


def _with_unseen(tree: Tree, visited: list[bool], payoff: int) -> Tree:
    """The tree with another payoff at every leaf that a search never saw."""
    return tree.with_payoffs(
        tuple((tree.payoffs[leaf] or Fraction(0)) if visited[leaf] else payoff for leaf in tree.leaves)
    )


def test_a_bound_that_happens_to_be_exact_is_called_one() -> None:
    """Where a teacher asks about such a node, the answer says that the search knew only a bound."""
    tree = tree_of("MAX A (MIN B (5 6) MIN C (5 7))")
    exercise = make_exercise(INNER, tree, Rules(), given=Given({"node": "C"}))
    assert exercise.key == "true"
    assert "only a bound" in " ".join(exercise.kind.worked_solution.steps(exercise.solved()))
