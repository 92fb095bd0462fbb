"""Questions about Monte Carlo tree search: what a node earns, and which mistakes are known."""

from fractions import Fraction
from math import log, sqrt

import pytest

from grader.exercises.exercise import Exercise, make_exercise
from grader.exercises.feedback import Feedback, credit_explanation
from grader.exercises.marking import mark
from grader.generation.grower import grow_many
from grader.generation.recipe_file import default_recipe
from grader.questions import kind_by_code
from grader.questions.given import Given
from grader.questions.uct.playouts import uct_rules
from grader.solvers.uct_search import visits_and_wins
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import Player

COUNTED = tree_of(
    "MAX A {n=14, w=7} (MIN B {n=8, w=5} (MAX D {n=5, w=2} (L=1 {n=3, w=2} M=0 {n=2, w=1}) P=1 {n=3, w=1})"
    " MIN C {n=6, w=2} (Q=0 {n=4, w=3} R=1 {n=2, w=1}))"
)
"""Wins are those of the player who moved into a node."""

LOST, WON = Given({"path": 1, "result": "0"}), Given({"path": 1, "result": "1"})
"""A playout from L: the path is A, B, D, L, and MIN counts its wins at A's opponent, D."""


def wins(given: Given) -> Exercise:
    """The question for the wins along the path to L."""
    return make_exercise(kind_by_code("uct.wins"), COUNTED, Rules(), given=given)


def test_each_node_of_a_path_counts() -> None:
    """A right entry earns its part, a wrong one takes as much away, and one that is left out neither."""
    exercise = wins(LOST)
    assert exercise.key == "A=8 B=5 D=3 L=2"
    assert exercise.public.terms.policy.name == "minus"
    for reply, share in {
        "A=8 B=5 D=3 L=2": 1,
        "A=8 B=5 D=3 L=9": Fraction(1, 2),
        "A=8 B=5 D=3": Fraction(3, 4),
        "A=8 B=9 D=9 L=2": 0,
        "A=7 B=9 D=9 L=9": 0,
    }.items():
        assert mark(exercise, reply).points == share, reply
    half = mark(exercise, "A=8 B=5 D=3 L=9")
    assert "is 3 − 1 = 2, out of 4." in credit_explanation(exercise, half, str)


def visits() -> Exercise:
    """The question for the playouts along the path to L."""
    return make_exercise(kind_by_code("uct.visits"), COUNTED, Rules(), given=LOST)


@pytest.mark.parametrize(
    ("reply", "share"),
    [
        ("A=15 B=9 D=6 L=4", 1),
        ("A=15 B=9 D=6 L=4 C=6 P=3 M=2", 1),
        ("A=15 B=9 C=6 D=6 P=3 Q=4 R=2 L=4 M=2", 1),
        ("A=15 B=9 D=6 L=4 C=7", Fraction(3, 4)),
        ("A=15 B=9 D=6 L=4 C=7 P=3 M=3", Fraction(1, 2)),
        ("A=15 B=9 D=6 C=6", Fraction(3, 4)),
        ("A=15 B=9 D=6 C=7", Fraction(1, 2)),
    ],
)
def test_a_count_off_the_path_is_free_only_as_it_was(reply: str, share: Fraction | int) -> None:
    """Whoever writes down the whole table loses nothing; a count changed off the path is a wrong entry."""
    exercise = visits()
    assert exercise.key == "A=15 B=9 D=6 L=4"
    assert mark(exercise, reply).points == share
    form, terms = exercise.kind.form, exercise.public.terms
    said, right = (form.read(text, COUNTED, terms) for text in (reply, exercise.key))
    assert form.is_right(said, right, COUNTED, terms) is (share == 1)


@pytest.mark.parametrize(
    ("exercise", "reply", "belief"),
    [
        (visits(), "A=15 B=9 C=7 D=6 P=4 Q=5 R=3 L=4 M=3", "uct.visits.whole-tree-updated"),
        (wins(LOST), "A=8 B=5 C=2 D=3 P=2 Q=4 R=2 L=2 M=2", "uct.wins.whole-tree-updated"),
        (wins(LOST), "A=8 B=6 C=3 D=3 P=2 Q=4 R=2 L=3 M=2", "uct.wins.win-at-every-node"),
    ],
)
def test_who_updates_the_whole_tree_is_told_so_and_earns_nothing(
    exercise: Exercise, reply: str, belief: str
) -> None:
    """One more at every node of the tree is a mistake with a name, and no full mark."""
    marked = mark(exercise, reply)
    assert (marked.points, [note.code for note in marked.notes]) == (0, [belief])


def test_a_count_changed_off_the_path_is_explained() -> None:
    """Of a count that was changed off the path it is told that it stays, and what it is."""
    exercise = visits()
    told = Feedback(exercise).sentences(mark(exercise, "A=15 B=9 D=6 L=4 C=7"))
    assert told[-1] == "MIN C is not on the path, so its count stays 6."


def test_whole_trees_that_change_nothing_are_no_mistake() -> None:
    """Where wins are those of MAX and MIN has won, to update the whole tree changes nothing anywhere."""
    exercise = wins(Given({**LOST, "wins": "max"}))
    assert "uct.wins.whole-tree-updated" not in exercise.beliefs


@pytest.mark.parametrize(
    ("given", "reply", "belief"),
    [
        (LOST, "A=8 B=6 D=3 L=3", "win-for-everybody"),
        (WON, "A=8 B=6 D=3 L=3", "same-wins-for-both"),
        (LOST, "A=7 B=6 D=2 L=3", "wins-for-the-mover"),
        (WON, "A=7 B=5 D=2 L=3", "last-node-alone"),
        (LOST, "A=8 B=5 D=2 L=2", "root-alone"),
        (LOST, "A=7 B=5 D=3 L=2", "root-not-updated"),
    ],
)
def test_a_wrong_count_of_wins_is_recognised(given: Given, reply: str, belief: str) -> None:
    """Wins added everywhere, for the wrong player, or at one end of the path only, are told apart."""
    marked = mark(wins(given), reply)
    assert f"uct.wins.{belief}" in [note.code for note in marked.notes]
    assert marked.points is not None
    assert marked.points <= Fraction(1, 2)


def test_wins_of_max_everywhere_are_recognised() -> None:
    """Where wins are those of MAX and MIN has won, a win added everywhere is recognised, too."""
    exercise = wins(Given({**LOST, "wins": "max"}))
    marked = mark(exercise, "A=8 B=6 D=3 L=3")
    assert (marked.points, [note.code for note in marked.notes]) == (0, ["uct.wins.win-for-everybody"])


def test_a_selection_survives_rounding() -> None:
    """Students who round every number on the way to two decimals select the same leaf."""
    for exercise in grow_many(default_recipe("uct.selected"), "rounding-0", 40):
        tree, given = exercise.public.tree, exercise.public.given
        node, rules = 0, uct_rules(given)
        while tree.children[node]:
            below = {child: visits_and_wins(tree, child) for child in tree.children[node]}
            untried = [child for child, (visits, _) in below.items() if not visits]
            logarithm = round(log(visits_and_wins(tree, 0 if rules.total == "all" else node)[0]), 2)
            bonuses = {
                child: round(round(sqrt(rules.c_squared), 2) * round(sqrt(round(logarithm / n, 2)), 2), 2)
                for child, (n, _) in below.items()
                if n
            }
            lowest = rules.wins == "max" and tree.players[node] is Player.MIN
            shares = {child: round(float(w / n), 2) for child, (n, w) in below.items() if n}
            node = (
                untried[0]
                if untried
                else min(below, key=lambda child: shares[child] - bonuses[child])
                if lowest
                else max(below, key=lambda child: shares[child] + bonuses[child])
            )
        assert exercise.answer(exercise.key) == {tree.paths[node]}


def test_further_decimals_of_a_score_must_be_correct() -> None:
    """With three decimals, only the correctly rounded score counts, or the key with a zero."""
    exercise = make_exercise(kind_by_code("uct.scores"), COUNTED, Rules(), given=Given({"c_squared": 1}))
    score = round(5 / 8 + sqrt(log(14) / 8), 2), round(5 / 8 + sqrt(log(14) / 8), 3)
    near = [f"{score[1] + step / 1000:.3f}" for step in range(-6, 7)]
    correct = [text for text in near if mark(exercise, f"B={text}").points > 0]
    assert {float(text) for text in correct} == set(score)
