"""What follows from a student's earlier answers, and how many points it adds to those earned anyway."""

from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from types import SimpleNamespace

import pytest

from grader.answers.form import Terms
from grader.answers.policies import read_policy
from grader.answers.table import TABLE
from grader.base.numbers import Number
from grader.exercises.exercise import Exercise, make_exercise
from grader.exercises.follow_through import apply_follow_through, earlier_sources
from grader.exercises.marking import Marker
from grader.questions import kind_by_code
from grader.questions.carry_over import VALUES, own_values, paths_from_values
from grader.questions.case import Case
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules


def asked(kind: str, points: int = 4) -> Exercise:
    """A question about the textbook tree, where leaves 5 and 6 are pruned, with one point off per error."""
    found, tree = kind_by_code(kind), tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))")
    return make_exercise(found, tree, Rules(), Terms(points=points, policy=read_policy("deduct:1")))


@pytest.mark.parametrize(
    ("branches", "order", "points"),
    [
        ("5 7", "1 2 3 4 6 9", 8),  # 5 and 7, or 5, 7 and 8: seven points, or eight
        ("5 7", None, 7),
        (None, "1 2 3 4 6 9", 8),
        ("5 7", "1 2 3 4 9", 7),  # 5, 7, or 5, 6, 7 and 8: seven points from either
        ("5 6 7", "1 2 3 4", 6),  # six points from either
        ("5 6", "1 2 3 4 7 8 9", 5),  # both are right, so nothing follows
        ("1", "7", 5),  # less is earned by following
        ("1 7", None, 5),  # not more than is earned anyway
        (None, None, 5),
    ],
)
def test_the_better_of_two_earlier_answers_counts(
    branches: str | None, order: str | None, points: Number
) -> None:
    """In either order of the parts the better way counts, and all above the strict points follows through."""
    exercise, answer = asked("pruned-paths", 8), frozenset((5, 7, 8))
    mark = Marker(exercise).mark("5 7 8")
    assert (mark.points, mark.follow_through) == (5, 0)
    earlier = [
        (part, None if said is None else part.answer(said))
        for part, said in ((asked("pruned-branches"), branches), (asked("visiting-order"), order))
    ]
    for way in permutations(earlier):
        followed = apply_follow_through(exercise, mark, answer, way)
        assert (followed.points, followed.follow_through) == (points, points - 5)
        assert (followed == mark) == (points == 5)
        first = apply_follow_through(exercise, mark, answer, way[:1])
        if first.points == points:  # what earns no more says nothing else
            assert followed == first
        again = apply_follow_through(exercise, replace(mark, points=6, follow_through=1), answer, way)
        assert (again.points, again.follow_through) == (max(points, 6), max(points, 6) - 5)


@pytest.mark.parametrize(
    ("reply", "strict", "points"),
    [
        ("5 7 8", 1, 2),  # all of it follows, and doubles what is right
        ("7 8", 0, 0),  # nothing is right
    ],
)
def test_following_through_earns_no_more_than_what_is_right_by_itself(
    reply: str, strict: int, points: int
) -> None:
    """Whatever follows, the points are at most twice those that are right by themselves."""
    exercise, part = asked("pruned-paths"), asked("pruned-branches")
    marked = Marker(exercise).mark_with_answer(reply)
    assert marked.mark.points == strict
    said = frozenset(part.public.tree.leaves[int(path) - 1] for path in reply.split())
    followed = apply_follow_through(exercise, marked.mark, marked.answer, [(part, said)])
    assert (followed.points, followed.follow_through) == (points, points - strict)


def test_items_say_what_follows() -> None:
    """What is right only by the student's own earlier answer is told as following; the rest stays."""
    exercise = asked("pruned-paths")
    mark = Marker(exercise).mark("4 5 7")
    followed = apply_follow_through(
        exercise, mark, frozenset((4, 5, 7)), [(asked("visiting-order"), (1, 2, 3, 4, 6, 8, 9))]
    )
    assert (followed.points, followed.follow_through) == (2, 1)
    assert [(item.reply, item.right, item.verdict) for item in mark.items] == [
        ("4", "", "extra"),
        ("5", "5", "right"),
        ("", "6", "missing"),
        ("7", "", "extra"),
    ]
    assert [item.verdict for item in followed.items] == ["extra", "right", "missing", "follows"]


@pytest.mark.parametrize("reply", ["", "???", "5-6-9", "5 6"])
def test_nothing_is_added_to_what_is_not_marked_or_full(reply: str) -> None:
    """A reply without points, and one with all of them, keep their marks whatever was answered before."""
    exercise = asked("pruned-paths")
    marked = Marker(exercise).mark_with_answer(reply)
    before = asked("visiting-order")
    assert apply_follow_through(exercise, marked.mark, marked.answer, [(before, (1, 2, 3, 4))]) is marked.mark


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("pruned-paths", "5 7 8"),  # the same question again: nobody follows from himself
        ("node-values", "A=3 B=3 C=2 D=2"),  # carries values, which pruned leaves do not follow from
        ("root-value", "4"),  # carries nothing
    ],
)
def test_other_parts_imply_nothing(kind: str, said: str) -> None:
    """Nothing follows from a part of the same kind, nor from one that carries nothing this kind takes."""
    exercise = asked("pruned-paths")
    mark = Marker(exercise).mark("5 7 8")
    part = asked(kind)
    assert apply_follow_through(exercise, mark, frozenset((5, 7, 8)), [(part, part.answer(said))]) is mark


def test_a_part_without_entries_implies_no_values() -> None:
    """From a table without entries no move follows, and from one with entries theirs does."""
    exercise, values = asked("best-move"), asked("node-values")
    tree, carried = exercise.public.tree, values.kind.carries[VALUES]
    empty, full = values.answer("none"), values.answer("A=9 B=3 C=9 D=2")
    assert carried(Case(tree, Rules()), empty) is None
    assert exercise.kind.takes[VALUES](Case(tree, Rules()), carried(Case(tree, Rules()), full)) == {1}


@pytest.mark.parametrize(
    ("table", "points"),
    [
        ("A=3 B=3 C=9 D=2", Fraction(10, 3)),  # five sixths of the table are right
        ("A=9 B=3 C=9 D=2", Fraction(4, 3)),  # a third of it is
        ("A=9 B=8 C=9 D=8", 0),  # nothing is
        ("A=9 B=9 C=9 D=9", 0),
    ],
)
def test_a_wrong_move_earns_no_more_than_the_values_it_follows_from(table: str, points: Number) -> None:
    """An answer that is right or wrong as a whole follows for as much as is right of the earlier one."""
    exercise, values = asked("best-move"), asked("node-values")
    marked = Marker(exercise).mark_with_answer("C")
    followed = apply_follow_through(exercise, marked.mark, marked.answer, [(values, values.answer(table))])
    assert (followed.points, followed.follow_through) == (points, points)


def test_all_that_a_part_carries_counts() -> None:
    """A part may carry several things: what this kind does not take hides nothing that it takes."""
    exercise, part = asked("pruned-paths"), asked("visiting-order")
    carries = {"nobody takes this": lambda *_: 0, **part.kind.carries}
    both = SimpleNamespace(public=part.public, kind=replace(part.kind, carries=carries))
    mark = Marker(exercise).mark("5 7 8")
    followed = apply_follow_through(
        exercise, mark, frozenset((5, 7, 8)), [(both, part.answer("1 2 3 4 6 9"))]
    )
    assert followed.points == 2


def test_where_nothing_is_carried_nothing_follows() -> None:
    """What a part carries, or this kind takes of it, may be nothing."""
    exercise, part = asked("pruned-paths"), asked("visiting-order")
    mark = Marker(exercise).mark("5 7 8")
    for carried, taken in ((None, frozenset((5, 7))), (0, None)):
        carries = {"this": lambda *_, found=carried: found}
        takes = {"this": lambda *_, found=taken: found}
        other = SimpleNamespace(public=part.public, kind=replace(part.kind, carries=carries))
        asking = SimpleNamespace(
            public=exercise.public,
            kind=replace(exercise.kind, takes=takes),
            key=exercise.key,
            answer=exercise.answer,
        )
        assert (
            apply_follow_through(asking, mark, frozenset((5, 7, 8)), [(other, part.answer("1 2 3 4 6 9"))])
            == mark
        )


@pytest.mark.parametrize(
    ("text", "values", "path"),
    [
        ("MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))", "A=9 B=3 C=9 D=2", {4}),
        ("MAX A (MIN B (3 3) MIN C (5 MAX D (6 7)))", "A=3 B=3 C=3 D=3", {1, 2, 5}),
        ("MAX A (MIN B (3 4) CHANCE C (1 9))", "A=5 B=5 C=5", None),
    ],
)
def test_the_path_that_values_imply(text: str, values: str, path: set[int] | None) -> None:
    """By a student's own values the game goes on to every best child, and by chance nowhere for certain."""
    tree = tree_of(text)
    table = TABLE.read(values, tree, Terms())
    own = own_values(Case(tree, Rules()), table)
    assert paths_from_values(Case(tree, Rules()), own) == path


def test_a_part_follows_from_earlier_parts_of_other_kinds_only() -> None:
    """Neither from an equal kind, nor from a later part, nor from one that carries nothing it takes."""
    codes = ("root-value", "node-values", "pruned-paths", "pruned-paths", "best-move", "visiting-order")
    assert list(earlier_sources([kind_by_code(code) for code in codes])) == [(4, (1,)), (5, (2, 3))]
