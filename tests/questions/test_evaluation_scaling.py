"""Scaled payoffs as questions: the textbook's trees, and what is refused."""

import pytest

from grader.exercises.exercise import make_exercise
from grader.exercises.marking import mark
from grader.questions import kind_by_code
from grader.questions.case import Case
from grader.questions.given import Given
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import EMPTY, Tree

DICE = tree_of("MAX A (a1: CHANCE B (0.9: 2, 0.1: 3) a2: CHANCE C (0.9: 1, 0.1: 4))")
STRETCHED = {"pairs": [[1, 1], [2, 20], [3, 30], [4, 400]]}
"""Russell and Norvig, 4th ed., fig. 5.13: the order of the leaves stays, and the best move does not."""

PLAIN = tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))")
TURNED = {"power": [1, -1, 0]}
SQUARED = {"power": [2, 1, 0], "at least": 0}


@pytest.mark.parametrize(
    ("ask", "tree", "beside", "key"),
    [
        ("tree", DICE, STRETCHED, "false"),
        ("move", DICE, STRETCHED, "a2"),
        ("tree", DICE, {"power": [1, 10, 7]}, "true"),  # CMSC 421: the same with a positive linear function
        ("tree", PLAIN, SQUARED, "true"),
        ("tree", PLAIN, TURNED, "false"),
        ("move", PLAIN, TURNED, "C"),
        ("always", EMPTY, SQUARED | {"chance": False}, "true"),
        ("always", EMPTY, SQUARED | {"chance": True}, "false"),
        ("always", EMPTY, {"power": [2, 1, 0], "chance": False}, "false"),
        ("always", EMPTY, STRETCHED | {"chance": True}, "false"),
        ("why", EMPTY, {"power": [1, 10, 7]}, "1"),
        ("why", EMPTY, STRETCHED, "2"),
        ("why", EMPTY, TURNED, "3"),
    ],
)
def test_what_is_right(ask: str, tree: Tree, beside: dict[str, object], key: str) -> None:
    """What books and lectures say of such transformations earns the full mark."""
    kind = kind_by_code(f"evaluation-scaling.{ask}")
    exercise = make_exercise(kind, tree, Rules(), given=Given(beside))
    assert mark(exercise, key).points == 1, exercise.key


def test_the_question_says_what_becomes_of_payoffs() -> None:
    """Each payoff with what stands in its place, or the formula by which they change."""
    for beside, said in ((STRETCHED, "1 by 1, 2 by 20, 3 by 30 and 4 by 400"), (SQUARED, "x × x")):
        exercise = make_exercise(
            kind_by_code("evaluation-scaling.tree"),
            PLAIN if beside is SQUARED else DICE,
            Rules(),
            given=Given(beside),
        )
        assert f"replaced {'as follows: ' if beside is STRETCHED else 'by '}{said}." in exercise.public.prompt


@pytest.mark.parametrize(
    ("ask", "tree", "beside", "why"),
    [
        ("tree", PLAIN, {}, "three whole numbers"),
        ("tree", PLAIN, {"power": [4, 1, 0]}, "the exponent is"),
        ("tree", PLAIN, {"power": [1, 0, 0]}, "the factor is not 0"),
        ("tree", PLAIN, SQUARED | {"at least": "0"}, "not a whole number"),
        ("tree", PLAIN, {"pairs": [[1]]}, "lists of two"),
        ("tree", PLAIN, STRETCHED, "nothing is said about the payoff 12"),
        ("move", tree_of("CHANCE (MAX (1 2) MAX (3 4))"), TURNED, "chance moves at the root"),
        ("move", tree_of("MAX (MIN (1 2))"), TURNED, "only one move"),
        ("always", EMPTY, TURNED, "neither true nor false"),
        ("why", EMPTY, {"power": "x"}, "three whole numbers"),
    ],
)
def test_what_cannot_be_asked(ask: str, tree: Tree, beside: dict[str, object], why: str) -> None:
    """A transformation that is none is refused with the reason."""
    reason = kind_by_code(f"evaluation-scaling.{ask}").objection(Case(tree, Rules(), Given(beside)))
    assert reason is not None
    assert why in reason, reason
