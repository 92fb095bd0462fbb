"""Trees with payoffs that nobody knows: asked about wherever the answer does not depend on them."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grader.answers.form import Terms
from grader.exercise import ExerciseError, make_exercise
from grader.feedback import Feedback
from grader.kinds import the_kind
from grader.kinds.given import NOTHING
from grader.kinds.search_answers import suits_visits
from grader.marking import State, mark
from grader.rules import Rules
from grader.solvers.searching import search
from grader.solvers.trace import pruned_paths
from grader.solvers.trying import with_numbers
from grader.tree import Tree
from tests.kinds.test_conformance import small
from tests.strategies import TIED, rules, trees

VISITS = ("pruned-paths", "pruned-branches", "visited-count", "visiting-order")


@pytest.mark.parametrize("name", VISITS)
@given(tree=trees(plies=4, leaves=9, payoffs=TIED), convention=rules(), number=st.integers(-9, 9))
def test_what_is_never_visited_may_be_unknown(name: str, tree: Tree, convention: Rules, number: int) -> None:
    """With x in place of pruned payoffs the answer is that for any number in place of x, and is marked so."""
    kind = the_kind(name)
    pruned = pruned_paths(tree, search(tree, convention).visited)
    assume(len(tree) > 1 and pruned)
    row = [tree.payoffs[leaf] or 0 for leaf in tree.leaves]
    for path in pruned:
        row[path - 1] = "x"
    asked = tree.with_payoffs(tuple(row))
    assert kind.suits(asked, convention, NOTHING) is None
    filled = with_numbers(asked, {"x": number})
    key = kind.key(asked, convention, NOTHING)
    assert key == kind.second_way(asked, convention, NOTHING) == kind.key(filled, convention, NOTHING)
    exercise = make_exercise(kind, asked, convention, Terms(points=2))
    assert mark(exercise, exercise.key).points == 2
    for reply in exercise.beliefs.values():
        marked = mark(exercise, reply)
        assert marked.state is State.GRADED
        assert Feedback(exercise).sentences(marked)


def test_what_is_visited_has_to_be_known() -> None:
    """A payoff that the search looks at and nobody knows leaves nothing to ask; the reason names it."""
    tree = small("MAX (MIN (3 x) MIN (2 4))")
    assert suits_visits(tree, Rules(), NOTHING) == "the payoff x is unknown, and the search looks at it"
    for name in (*VISITS, "root-value", "windows"):
        with pytest.raises(ExerciseError, match="the payoff x is unknown"):
            make_exercise(the_kind(name), tree, Rules())
