"""Trees with payoffs that nobody knows: asked about wherever the answer does not depend on them."""

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grader.answers.form import Policy, Terms
from grader.base.numbers import normalize_number
from grader.exercises.exercise import ExerciseError, make_exercise
from grader.exercises.feedback import Feedback
from grader.exercises.marking import State, mark
from grader.questions import best_move, kind_by_code
from grader.questions.case import Case
from grader.questions.given import NOTHING_GIVEN, Given
from grader.questions.payoff_independence import for_any_payoffs
from grader.questions.search_answers import visits_objection
from grader.questions.unknown_leaf.unknown_moves import _revealing_numbers
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.search_choice import search
from grader.solvers.trial_numbers import substitute_unknowns
from grader.solvers.values import best_children
from grader.solvers.visited_nodes import pruned_paths
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from tests.conftest import a_part
from tests.strategies import TIED, rules, trees

VISITS = ("pruned-paths", "pruned-branches", "visited-count", "visiting-order")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", VISITS)
@given(tree=trees(plies=4, leaves=9, payoffs=TIED), convention=rules(), number=st.integers(-9, 9))
def test_what_is_never_visited_may_be_unknown(name: str, tree: Tree, convention: Rules, number: int) -> None:
    """With x in place of pruned payoffs the answer is that for any number in place of x, and is marked so."""
    kind = kind_by_code(name)
    pruned = pruned_paths(tree, search(tree, convention).visited)
    assume(len(tree) > 1 and pruned)
    row = [tree.payoffs[leaf] or 0 for leaf in tree.leaves]
    for path in pruned:
        row[path - 1] = "x"
    asked = tree.with_payoffs(tuple(row))
    assert kind.objection(Case(asked, convention)) is None
    filled = substitute_unknowns(asked, {"x": number})
    key = kind.key(Case(asked, convention))
    assert key == kind.independent_key(Case(asked, convention)) == kind.key(Case(filled, convention))
    exercise = make_exercise(kind, asked, convention, Terms(points=2))
    assert mark(exercise, exercise.key).points == 2
    for reply in exercise.beliefs.values():
        marked = mark(exercise, reply)
        assert marked.state is State.GRADED
        assert Feedback(exercise).sentences(marked)


def test_what_is_visited_has_to_be_known() -> None:
    """A payoff that the search looks at and nobody knows leaves nothing to ask; the reason names it."""
    tree = tree_of("MAX (MIN (3 x) MIN (2 4))")
    assert visits_objection(Case(tree, Rules())) == "the payoff x is unknown, and the search visits it"
    for name in (*VISITS, "node-values", "windows"):
        with pytest.raises(ExerciseError, match="the payoff x is unknown, and the answer depends on it"):
            make_exercise(kind_by_code(name), tree, Rules())


def test_what_only_numbers_between_decide_has_to_be_known() -> None:
    """Five leaves are visited with x very small or very large, and six with 6: there is no one answer."""
    tree = tree_of("MAX A (MIN B (5 6) MIN C (x 9) MIN D (7 8))")
    kind = kind_by_code("visited-count")
    counts = [kind.key(Case(substitute_unknowns(tree, {"x": number}), Rules())) for number in (-99, 6, 99)]
    assert [count.value for count in counts] == [5, 6, 5]
    assert kind.objection(Case(tree, Rules())) == "the payoff x is unknown, and the answer depends on it"
    two = tree_of("MAX A (MIN B (5 y) MIN C (x 9) MIN D (7 8))")
    said = "the payoffs y, x are unknown, and the answer depends on them"
    assert kind.objection(Case(two, Rules())) == said


def test_nothing_follows_from_own_entries_that_an_unknown_decides() -> None:
    """With B = 1 the root is worth 1 or 2, as x has it, so that neither follows; with 0 for x 1 does."""
    tree, given = "MAX R (MIN B (3 12) MIN C (2 {}) MIN D (1 1))", Given({"nodes": ["R", "B", "D"]})
    with_x, with_0 = (
        make_exercise(kind_by_code("node-values"), tree_of(tree.format(leaf)), Rules(), given=given)
        for leaf in "x0"
    )
    assert [mark(with_x, f"R={root} B=1 D=1").follow_through for root in (1, 2)] == [0, 0]
    assert mark(with_0, "R=1 B=1 D=1").follow_through > 0


TEXTBOOK = "MAX A (MIN B (3 12 8) MIN C (2 x y) MIN D (14 5 2))"
ANSWERS: dict[str, tuple[dict[str, Any], str]] = {
    "root-value": ({}, "3"),
    "best-move": ({}, "B"),
    "best-path": ({}, "1"),
    "node-values": ({"nodes": ["A", "B", "D"]}, "A=3 B=3 D=2"),
    "pruned-paths": ({}, "5 6"),
    "windows": ({}, "A [-inf, inf] -> 3, B [-inf, inf] -> 3, C [3, inf] -> 2, D [3, inf] -> 2"),
    "windows.own-values": ({}, "A=3 B=3 C=2 D=2"),
    "strategy.optimal": ({}, "A->B"),
    "cut-reasons.where": ({"cuts": "alpha"}, "C"),
    "imperfect-opponent.minimax-play": ({"moves": {"B": "3", "C": "4", "D": "9"}}, "8"),
}
"""What is right whatever x and y are, worked out by hand; most of it is what the books say of this tree."""


@pytest.mark.parametrize("name", ANSWERS)
def test_the_tree_with_two_unknown_payoffs_is_asked_about(name: str) -> None:
    """3 12 8 / 2 x y / 14 5 2 has the books' answers in every question that x and y do not change."""
    given, answer = ANSWERS[name]
    exercise = make_exercise(
        kind_by_code(name), tree_of(TEXTBOOK), Rules(), Terms(points=4), given=Given(given)
    )
    marked = mark(exercise, answer)
    assert (marked.state, marked.points) == (State.GRADED, 4), exercise.key
    # Which leaves are pruned is asked without it: the search looks at neither.
    assert ("x and y are unknown" in exercise.public.prompt) is (name != "pruned-paths")
    for reply in exercise.beliefs.values():
        wrong = mark(exercise, reply)
        assert wrong.state is State.GRADED
        told = Feedback(exercise).sentences(wrong)
        assert told
        assert "000000" not in " ".join(map(str, told))


@pytest.mark.parametrize(("code", "joined"), [("en", "x and y"), ("es", "x e y")])
def test_unknown_payoffs_are_named_in_the_order_of_the_alphabet(code: str, joined: str) -> None:
    """In prompts and explanations x comes before y, also where the leaf of y is further left."""
    exercise = make_exercise(
        kind_by_code("unknown-leaf.matters"),
        tree_of("MAX A (MIN B (3 12 8) MIN C (2 y x) MIN D (14 5 2))"),
        Rules(),
        Terms(points=4, language_code=code),
        given=Given({"about": "value"}),
    )
    told = " ".join(map(str, Feedback(exercise).sentences(mark(exercise, "false"))))
    assert exercise.public.prompt.count(joined) == 2
    x, conjunction, y = joined.split()
    assert re.search(rf"{x} = \S+ {conjunction} {y} = ", told)


MAY_BE_ASKED = ("root-value", "best-move", "best-path", "windows", "windows.own-values", "cut-reasons.where")


@pytest.mark.parametrize("name", MAY_BE_ASKED)
@a_part(3)
@given(
    tree=trees(plies=3, leaves=7, payoffs=TIED),
    place=st.integers(0, 6),
    numbers=st.lists(st.fractions(-12, 12, max_denominator=4), min_size=4, max_size=4),
)
def test_what_changes_no_answer_may_be_unknown(
    name: str, tree: Tree, place: int, numbers: list[Fraction]
) -> None:
    """A question takes x for a payoff exactly when no number in its place changes the answer.

    Tried with numbers of its own: every payoff, halves of steps between them, and some drawn ones.
    """
    kind, at_alpha = (
        kind_by_code(name),
        Given({"cut": "alpha"}) if name == "cut-reasons.where" else NOTHING_GIVEN,
    )
    assume(
        len(tree) > 1 and place < len(tree.leaves) and kind.objection(Case(tree, Rules(), at_alpha)) is None
    )
    row = [tree.payoffs[leaf] or 0 for leaf in tree.leaves]
    row[place] = "x"
    asked = tree.with_payoffs(tuple(row))
    tried = {*numbers, *(Fraction(half, 2) for half in range(-25, 26)), Fraction(-(10**6)), Fraction(10**6)}
    filled = [substitute_unknowns(asked, {"x": normalize_number(number)}) for number in tried]
    # A search that tells something cut off at one number and nothing at another has no question there.
    answers = {
        kind.key(Case(each, Rules(), at_alpha))
        if kind.objection(Case(each, Rules(), at_alpha)) is None
        else None
        for each in filled
    }
    assert (kind.objection(Case(asked, Rules(), at_alpha)) is None) is (
        len(answers) == 1 and None not in answers
    )
    if kind.objection(Case(asked, Rules(), at_alpha)) is None:
        assert (
            {kind.key(Case(asked, Rules(), at_alpha))}
            == {kind.independent_key(Case(asked, Rules(), at_alpha))}
            == answers
        )


@pytest.mark.parametrize("name", ["root-value", "best-move", "node-values", "expected-values"])
def test_an_unknown_at_several_leaves_is_refused_where_means_are_taken(name: str) -> None:
    """With x in two moves below chance extremes decide nothing: B is best for them, and C where x is 4."""
    text = "MAX A (CHANCE B (1/2: x, 1/2: 0) CHANCE C (9/10: MIN D (x 4), 1/10: -1))"
    kind, asked = kind_by_code(name), tree_of(text)
    best = [
        kind_by_code("best-move").key(Case(substitute_unknowns(asked, {"x": x}), Rules()))
        for x in (-99, 4, 99)
    ]
    assert best[0] == best[2] != best[1]
    assert kind.objection(Case(asked, Rules())) == (
        "the unknown payoff x is at several leaves, and means are taken"
    )


def test_a_random_opponent_takes_means_as_well() -> None:
    """Against a random MIN an unknown at several leaves is refused, against one with a plan it is not."""
    asked = tree_of("MAX A (MIN B (9 8) MIN C (x 1) MIN D (x 0))")
    kind, plan = (
        kind_by_code("imperfect-opponent.best-move"),
        Given({"moves": {"B": "1", "C": "4", "D": "6"}}),
    )
    assert "means are taken" in str(kind.objection(Case(asked, Rules(bounds=(0, 9)))))
    assert kind.objection(Case(asked, Rules(bounds=(0, 9)), plan)) is None


@pytest.mark.parametrize("name", ["root-value", "best-move", "imperfect-opponent.best-reply"])
@a_part(3)
@given(
    tree=trees(plies=3, leaves=7, payoffs=TIED, chance=True),
    places=st.lists(st.integers(0, 6), min_size=1, max_size=2, unique=True),
    numbers=st.lists(st.fractions(-12, 12, max_denominator=4), min_size=4, max_size=4),
)
def test_what_is_asked_of_unknowns_anywhere_is_right_for_any_number(
    name: str, tree: Tree, places: list[int], numbers: list[Fraction]
) -> None:
    """With x at one leaf or two, below chance too, what is asked has one answer for all numbers."""
    kind = kind_by_code(name)
    row = [tree.payoffs[leaf] or 0 for leaf in tree.leaves]
    for place in places:
        row[place % len(row)] = "x"
    asked = tree.with_payoffs(tuple(row))
    if kind.objection(Case(asked, Rules())) is not None:
        return  # refused, as most are
    tried = {*numbers, *(Fraction(half, 2) for half in range(-25, 26)), Fraction(-(10**6)), Fraction(10**6)}
    found = {
        kind.key(Case(substitute_unknowns(asked, {"x": normalize_number(number)}), Rules()))
        for number in tried
    }
    assert found == {kind.key(Case(asked, Rules()))} == {kind.independent_key(Case(asked, Rules()))}


def test_the_second_way_puts_in_other_numbers() -> None:
    """A key that changes with the numbers put in differs from its second way, so that a check shows it."""
    seen = list[object]()

    def noted(case: Case) -> frozenset[int]:
        seen.append(next(case.tree.payoffs[leaf] for leaf in case.tree.leaves))
        return frozenset({1})

    tried = for_any_payoffs(replace(best_move.KIND, key=noted, independent_key=noted))
    asked = tree_of("MAX A (MIN B (x y) MIN C (3 4))")
    tried.key(Case(asked, Rules(bounds=(0, 9))))
    tried.independent_key(Case(asked, Rules(bounds=(0, 9))))
    assert seen == [0, 9]


def test_unknown_payoffs_below_chance_keep_within_their_limits() -> None:
    """Where chance moves, values grow with payoffs: the ends of the limits decide what may be asked."""
    asked, rules = tree_of("MAX (CHANCE (1/2: x, 1/2: 0) 6 5)"), Rules(bounds=(0, 10))
    assert kind_by_code("best-move").key(Case(asked, rules)) == frozenset({1})
    assert kind_by_code("root-value").objection(Case(asked, rules)) is None
    assert kind_by_code("root-value").objection(Case(asked, Rules())) is not None


def test_where_nothing_can_come_nothing_is_cut() -> None:
    """The search looks at no branch of probability 0, and what is told of it knows no cut."""
    tree, kind = tree_of("MAX (CHANCE (1: x, 0: 2) 6)"), kind_by_code("unknown-leaf.pruned")
    exercise = make_exercise(kind, tree, Rules(), given=Given({"node": "2"}))
    (text,) = Feedback(exercise).sentences(mark(exercise, "never"))
    assert "the search does not visit leaf 2" in text


def test_what_lies_below_the_depth_limit_may_be_unknown() -> None:
    """A search to a depth never comes to the payoffs below it."""
    tree = tree_of("MAX A (MIN B {eval=4} (x 2) MIN C {eval=3} (y 5))")
    for name, answer in (("depth-limited.value", "4"), ("depth-limited.move", "B")):
        exercise = make_exercise(
            kind_by_code(name), tree, Rules(), Terms(points=4), given=Given({"depth": 1})
        )
        assert mark(exercise, answer).points == 4


@pytest.mark.parametrize(
    ("ties", "reply", "points"),
    [
        ("cut", "x <= 3", 2),
        ("cut", "x < 3", 1),
        ("keep", "x < 3", 2),
        ("keep", "x <= 3", 1),
        ("cut", "x >= 3", 0),
        ("cut", "x <= 4", 0),
        ("cut", "x != 3", 0),
        ("cut", "never", 0),
        ("cut", "always", 0),
    ],
)
def test_only_the_kind_of_an_end_is_half_wrong(ties: Any, reply: str, points: int) -> None:
    """Right limits of which it is wrong whether they belong to the set earn half, and nothing else does."""
    tree = tree_of("MAX A (MIN B (3 12) MIN C (x 4 6))")
    kind = kind_by_code("unknown-leaf.pruned")
    exercise = make_exercise(kind, tree, Rules(ties=ties), Terms(points=2), given=Given({"node": "4"}))
    marked = mark(exercise, reply)
    assert marked.points == points, (exercise.key, reply)
    told = " ".join(filter(None, Feedback(exercise).sentences(marked)))
    assert ("for x = 3 itself" in told) == (points == 1), told
    whole = make_exercise(
        kind, tree, Rules(ties=ties), Terms(points=2, policy=Policy("exact")), given=Given({"node": "4"})
    )
    assert mark(whole, reply).points == (2 if points == 2 else 0)
    assert "earns half" in exercise.public.prompt
    assert "earns half" not in whole.public.prompt


def test_one_of_several_unknowns_below_two_moves_is_refused() -> None:
    """What is found for each move by itself says nothing there of which is best."""
    given = Given({"about": "moves"})
    for text in ("MAX A (MIN B (x y 1) MIN C (x y 1))", "MAX A (MIN B (x 1) MIN C (x y))"):
        with pytest.raises(ExerciseError, match="is below more than one move"):
            make_exercise(kind_by_code("unknown-leaf.matters"), tree_of(text), Rules(), Terms(), given=given)
    known = make_exercise(
        kind_by_code("unknown-leaf.matters"),
        tree_of("MAX A (MIN B (x 1) MIN C (2 3 y))"),
        Rules(),
        Terms(),
        given=given,
    )
    assert known.key == "false"


@given(
    tree=trees(plies=3, leaves=7, payoffs=TIED),
    places=st.lists(st.integers(0, 6), min_size=1, max_size=2, unique=True),
    about=st.sampled_from(("value", "moves")),
)
def test_the_numbers_that_are_told_show_that_unknowns_matter(
    tree: Tree, places: list[int], about: str
) -> None:
    """Where an answer hangs on unknowns, it differs for the two choices of numbers that are told."""
    row = [tree.payoffs[leaf] or 0 for leaf in tree.leaves]
    for name, place in zip("xy", places, strict=False):
        row[place % len(row)] = name
    asked, beside = tree.with_payoffs(tuple(row)), Given({"about": about})
    assume(len(tree) > 1 and asked.unknowns)
    kind = kind_by_code("unknown-leaf.matters")
    assume(kind.objection(Case(asked, Rules(), beside)) is None)
    one, other = (
        expectiminimax(substitute_unknowns(asked, known))
        for known in _revealing_numbers(asked, None, about == "moves")
    )
    differ = (
        best_children(asked, one)[0] != best_children(asked, other)[0]
        if about == "moves"
        else one[0] != other[0]
    )
    assert differ is not kind.key(Case(asked, Rules(), beside))


def test_one_unknown_small_and_another_large_show_that_moves_differ() -> None:
    """With both small, or both large, B and C are as good as each other; the numbers told part them."""
    tree = tree_of("MAX A (MIN B (x) MIN C (y))")
    for known, best in zip(_revealing_numbers(tree, None, moves=True), ("C", "B"), strict=True):
        values = expectiminimax(substitute_unknowns(tree, known))
        assert [tree.names[child] for child in best_children(tree, values)[0]] == [best]


def test_the_value_is_the_same_and_the_move_is_not() -> None:
    """The root is worth 3 whatever x is, and C is as good as B for large x: numbers show it."""
    tree, kind = tree_of("MAX A (MIN B (3 5) MIN C (3 x))"), kind_by_code("unknown-leaf.matters")
    belief = "unknown-leaf.matters.value-for-decision"
    for about, key, other in (("value", "true", "false"), ("moves", "false", "true")):
        exercise = make_exercise(kind, tree, Rules(), given=Given({"about": about}))
        assert (exercise.key, exercise.beliefs[belief]) == (key, other)
        (told,) = Feedback(exercise).sentences(mark(exercise, other))
        assert ("These values show" in told) is (key == "false")


def test_the_branch_that_follows_is_asked_about() -> None:
    """Where no branch is named, it is the one behind x, and 5 was seen before; behind a last x is none."""
    kind = kind_by_code("unknown-leaf.pruned")
    exercise = make_exercise(kind, tree_of("MAX A (MIN B (3 12) MIN C (5 x 4))"), Rules())
    assert exercise.key == "x <= 3"
    why = kind.objection(Case(tree_of("MAX A (MIN B (3 12) MIN C (5 x))"), Rules()))
    assert why == "nothing follows x"
