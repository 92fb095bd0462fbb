"""What is so for a question whoever words it, and how a board is spoken of."""

from dataclasses import replace

import pytest

from grader.base.phrases import ENGLISH
from grader.exercises.exercise import make_exercise, with_wording
from grader.exercises.marking import mark
from grader.questions import kind_by_code
from grader.questions.board_position.boards import board_of, one_ply_tree, with_move_labels
from grader.questions.given import Given
from grader.questions.kind import AnyKind
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from tests.questions.asking import asked, asked_of
from tests.questions.test_conformance import each_kind

TREES = (
    "MAX A (MIN B (3 12 8) MIN C (2 4 6))",
    "MIN A (MAX B (3) MAX C (2 MIN D (5 7)))",
    "MAX A (CHANCE B (1/3: 3, 2/3: 12) CHANCE C (1/2: 2, 1/2: 4))",
    "CHANCE A (1/4: MAX B (3 5), 3/4: MIN C (2 4))",
    "P1 A (P2 B (<3, 1> <2, 4>) P2 C (<1, 5> <0, 0>))",
    "P1 A (P2 B (<3, 1> <2, 4>) CHANCE C (1/2: <1, 5>, 1/2: <0, 0>))",
    "MAX A (MIN B (3 x) MIN C (2 4))",
    "MAX A (3 5)",
    "7",
)

MIRRORED = Rules("right-to-left", "keep", "window", bounds=(0, 12))

CASES = (
    *((text, Rules()) for text in TREES),
    (TREES[0], replace(MIRRORED, bounds=None)),
    (TREES[0], Rules(bounds=(0, 12))),
    (TREES[0], Rules(window=(3, 8))),
    (TREES[3], MIRRORED),
    (TREES[3], Rules(bounds=(0, 12), window=(3, 8))),
)
"""Trees, and the rules by which they are asked about."""


@pytest.mark.sampled(5)
@each_kind
def test_a_teachers_words_leave_what_is_so(kind: AnyKind) -> None:
    """Whoever words a question of any kind: its conventions follow, in the same order."""
    for text, rules in CASES:
        tree = tree_of(text)
        if not asked(kind, tree, rules):
            continue
        exercise = asked_of(kind, tree, rules)
        own = with_wording(exercise, "Tell me!").public
        states = " ".join(kind.prompt(own.case, own.terms.language).conventions)
        assert own.prompt.startswith("Tell me! ")
        assert states in own.prompt, f"{kind.code}: {own.prompt}"


def test_squares_are_words_in_sentences() -> None:
    """A square is called `top left` in sentences, and an answer may write so as well."""
    kind = kind_by_code("board-position.move")
    given = Given({"game": "tictactoe", "position": "X.O/.X./..O"})
    board = board_of(given)
    exercise = make_exercise(kind, with_move_labels(one_ply_tree(board), ENGLISH), Rules(), given=given)
    told = " ".join(exercise.kind.worked_solution.steps(exercise.solved()))
    assert "middle right" in told
    assert "_" not in f"{told} {exercise.public.prompt}"
    assert mark(exercise, "middle right").points == mark(exercise, "middle_right").points == 1
