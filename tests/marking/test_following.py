"""What follows from a student's earlier answers, and how many points it adds to those earned anyway."""

from itertools import permutations

import pytest

from grader.answers.form import Terms
from grader.answers.policies import read_policy
from grader.base.numbers import Number
from grader.exercise import Exercise, make_exercise
from grader.following import follow
from grader.kinds import kind_named
from grader.marking import Marker
from grader.notation import Diagnostics, read_tree
from grader.rules import Rules


def asked(kind: str) -> Exercise:
    """A question about the textbook tree, where leaves 5 and 6 are pruned, with one point off per error."""
    found, tree = kind_named(kind), read_tree("MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))")
    assert found is not None
    assert not isinstance(tree, Diagnostics)
    return make_exercise(found, tree, Rules(), Terms(points=4, policy=read_policy("deduct:1")))


@pytest.mark.parametrize(
    ("branches", "order", "points"),
    [
        ("5 7", "1 2 3 4 6 9", 4),  # 5 and 7, or 5, 7 and 8: three points, or four
        ("5 7", None, 3),
        (None, "1 2 3 4 6 9", 4),
        ("5 7", "1 2 3 4 9", 3),  # 5, 7, or 5, 6, 7 and 8: three points from either
        ("5 6 7", "1 2 3 4", 2),  # two points from either
        ("5 6", "1 2 3 4 7 8 9", 1),  # both are right, so nothing follows
        ("1", "7", 1),  # nothing is earned by following
        ("1 7", None, 1),  # not more than is earned anyway
        (None, None, 1),
    ],
)
def test_the_better_of_two_earlier_answers_counts(
    branches: str | None, order: str | None, points: Number
) -> None:
    """In either order of the parts the better way counts, and all above the strict points follows through."""
    exercise, answer = asked("pruned-paths"), frozenset((5, 7, 8))
    mark = Marker(exercise).mark("5 7 8")
    assert (mark.points, mark.follow_through) == (1, 0)
    earlier = [
        (part, None if said is None else part.answer(said))
        for part, said in ((asked("pruned-branches"), branches), (asked("visiting-order"), order))
    ]
    for way in permutations(earlier):
        followed = follow(exercise, mark, answer, way)
        assert (followed.points, followed.follow_through) == (points, points - 1)
        assert (followed == mark) == (points == 1)
