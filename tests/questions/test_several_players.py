"""The kinds about several players, asked about trees of the bank, and the laws that only they have."""

import pytest
from hypothesis import given as given_by
from hypothesis import strategies as st

from grader.answers.form import Terms
from grader.exercises.exercise import make_exercise
from grader.exercises.marking import State, mark
from grader.questions import kind_by_code
from grader.questions.case import Case
from grader.questions.given import Given
from grader.solvers import maxn_ties
from grader.solvers.maxn_cuts import can_be_pruned, can_be_pruned_by_trial
from grader.solvers.maxn_ties import all_vectors, all_vectors_by_choices
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from tests.strategies import trees
from tests.test_bank import BANK, tree_in

CASES = (
    ("aima-fig-5-4-three-players", "payoff-vectors.value", {}, "<1, 2, 6>", True),
    ("four-players", "payoff-vectors.value", {}, "<5, 9, 2, 6>", True),
    ("two-players-as-vectors", "payoff-vectors.general-sum", {}, "<3, -3>", True),
    ("trust-game", "payoff-vectors.general-sum", {}, "<4, 5>", True),
    ("kingmaker", "payoff-vectors.value", {}, "<3, 3, 2>", True),
    ("kingmaker", "payoff-vectors.value", {}, "<4, 3, 1>", False),
    ("kingmaker", "payoff-vectors.value", {"ties": "any"}, "<4, 3, 1>", True),
    ("kingmaker", "payoff-vectors.value", {"ties": "any"}, "<3, 3, 2>", True),
    ("kingmaker", "payoff-vectors.value", {"ties": "any"}, "<5, 0, 0>", False),
    ("kingmaker", "payoff-vectors.ties", {"player": 1, "end": "least"}, "3", True),
    ("kingmaker", "payoff-vectors.ties", {"player": 1, "end": "most"}, "4", True),
    ("kingmaker", "payoff-vectors.ties", {"player": 3, "end": "least"}, "1", True),
)
"""Trees with what their sources say of them: kind, what is given, a reply, and whether it is right."""


@pytest.mark.parametrize(("name", "kind", "given", "reply", "right"), CASES)
def test_what_is_known_of_the_trees_of_the_bank(
    name: str, kind: str, given: dict[str, object], reply: str, right: bool
) -> None:
    """What a tree of the bank is said to be worth earns the full mark, and what another rule gives not."""
    tree = tree_in(BANK / f"{name}.tree")
    exercise = make_exercise(kind_by_code(kind), tree, tree.rules(), given=Given(given))
    assert (mark(exercise, reply).points == 1) == right


@pytest.mark.parametrize("ties", ["leftmost", "any"])
def test_payoffs_are_rounded_as_the_question_asks(ties: str) -> None:
    """A rounded payoff needs the decimals of the question, also where any vector is right that ties allow."""
    tree = tree_of("P1 A (CHANCE B (1/3: <1, 2>, 2/3: <0, 5>) P2 C (<1/3, 4> <0, 4>))")
    replies = ("<1/3, 4>", "<0.333, 4>", "<0.33, 4>", "<0.3, 4>")
    for digits, right in ((1, [1, 1, 1, 1]), (2, [1, 1, 1, 0]), (3, [1, 1, 0, 0])):
        terms, given = Terms(digits=digits), Given({"ties": ties})
        exercise = make_exercise(kind_by_code("payoff-vectors.value"), tree, tree.rules(), terms, given=given)
        assert [mark(exercise, reply).points for reply in replies] == right


@given_by(st.data())
def test_a_cut_is_sound_when_no_payoffs_change_anything(data: st.DataObject) -> None:
    """What follows from the bounds of the players on the way is what trying every order of payoffs finds."""
    tree = data.draw(trees(plies=4, leaves=10, seats=3))
    total = data.draw(st.integers(1, 6))
    rows = []
    for _ in tree.leaves:
        first = data.draw(st.integers(0, total))
        second = data.draw(st.integers(0, total - first))
        rows.append((first, second, total - first - second))
    tree = tree.with_payoffs(tuple(rows))
    for branch in range(1, len(tree)):
        assert can_be_pruned(tree, branch, total) == can_be_pruned_by_trial(tree, branch, total)


@given_by(trees(plies=4, leaves=8, seats=3, chance=True, payoffs=st.integers(0, 2)))
def test_ties_allow_what_some_choices_lead_to(tree: Tree) -> None:
    """What is as good as the least of the others is what is best among some outcomes of them."""
    assert all_vectors(tree)[0] == all_vectors_by_choices(tree)


def test_ties_that_allow_too_much_are_not_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where more vectors are possible than are worked out, the reason is told at once."""
    monkeypatch.setattr(maxn_ties, "MAX_VECTORS_PER_NODE", 3)
    tree = tree_of("P1 A (P2 B (<1, 2> <4, 2>) P2 C (<3, 2> <0, 2>))")
    why = kind_by_code("payoff-vectors.ties").objection(
        Case(tree, Rules(), Given({"player": 1, "end": "least"}))
    )
    assert why == "ties allow more than 3 vectors at A"


def test_the_payoff_of_another_player_is_not_taken_for_the_one_asked_for() -> None:
    """A number may be called after the player who is asked about; one called after another is not read."""
    tree, given = tree_in(BANK / "kingmaker.tree"), Given({"player": 3, "end": "least"})
    exercise = make_exercise(kind_by_code("payoff-vectors.ties"), tree, tree.rules(), given=given)
    assert mark(exercise, "P3 = 1").points == 1
    other = mark(exercise, "P1 = 1")
    assert other.state is State.UNPARSEABLE
    assert other.message == "'P1' is not expected here (write only the number)"
