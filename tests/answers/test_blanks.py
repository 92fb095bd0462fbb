"""The laws of blanks: what a platform asks in place of a reply is worth the same and gives nothing away."""

from fractions import Fraction

import pytest

from grader.answers.blank import Box, Choice
from grader.exercise import Exercise
from tests.publishing.lms.exams import PRUNING, THIRDS, exercise_of
from tests.publishing.papers import NAMES, paper_of


def part_of(kind: str) -> Exercise:
    """The exercise of a kind."""
    return paper_of(kind).questions[0].parts[0]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", NAMES)
def test_points_add_up(kind: str) -> None:
    """In every kind the blanks are worth the points of the part, exactly."""
    part = part_of(kind)
    assert sum(Fraction(blank.points) for blank in part.blanks.blanks) == part.public.terms.points


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", NAMES)
def test_shares_are_fair(kind: str) -> None:
    """In every kind the right options make 1 together, or each of them where one is to be chosen."""
    for blank in part_of(kind).blanks.blanks:
        if isinstance(blank, Choice):
            right = [option.share for option in blank.options if option.share > 0]
            assert sum(right) == 1 if blank.several else set(right) == {1}
            assert all(-1 <= option.share <= 1 for option in blank.options)
            assert len({option.text for option in blank.options}) == len(blank.options)


@pytest.mark.parametrize("kind", ["visiting-order", "windows", "pruned-paths", "pruned-branches"])
def test_blanks_depend_on_the_tree_alone(kind: str) -> None:
    """How many blanks there are, what they are called and what can be chosen is the same for every key."""
    shown = set()
    for payoffs in ("3 12 8 2 4 6 14 5", "1 2 3 4 5 6 7 8", "8 7 6 5 4 3 2 1", "1 1 1 1 1 1 1 1"):
        a, b, c, d, e, f, g, h = payoffs.split()
        tree = f"MAX A (MIN B (MAX D ({a} {b}) MAX E ({c} {d})) MIN C (MAX F ({e} {f}) MAX G ({g} {h})))"
        made = exercise_of(kind, tree).blanks
        options = [
            tuple(option.text for option in blank.options) if isinstance(blank, Choice) else ()
            for blank in made.blanks
        ]
        shown.add((made.ask, tuple(blank.label for blank in made.blanks), tuple(options)))
    assert len(shown) == 1


def test_boxes_for_chance_hide_their_values() -> None:
    """Where a value need not be whole, a box does not tell whether it is."""
    boxes = exercise_of("expected-values", THIRDS.replace("1 2 5", "1 2 6")).blanks.blanks
    assert [isinstance(box, Box) and box.whole is None for box in boxes] == [True, True, True]


def test_branches_below_the_key_say_nothing() -> None:
    """To tick a branch below one that is pruned earns nothing and costs nothing."""
    tree = "MAX A (MIN B (3 12) MIN C (2 MAX D (5 6)))"
    exercise = exercise_of("pruned-branches", tree)
    assert exercise.key == "D"
    (choice,) = exercise.blanks.blanks
    assert isinstance(choice, Choice)
    shares = {option.text: option.share for option in choice.options}
    assert shares == {"B": -1, "C": -1, "1": -1, "2": -1, "3": -1, "D": 1, "4": 0, "5": 0, "none of them": -1}


@pytest.mark.parametrize("policy", ["exact", "net"])
def test_strict_choices_become_boxes(policy: str) -> None:
    """All or nothing is a box for a platform that adds up shares, and stays a choice for others."""
    made = exercise_of("pruned-paths", PRUNING, policy).blanks
    assert isinstance(made.blanks[0], Choice)
    assert isinstance(made.boxed.blanks[0], Box) == (policy == "exact")
    assert (made.boxed.ask != made.ask) == (policy == "exact")
