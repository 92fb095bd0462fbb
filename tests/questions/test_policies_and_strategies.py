"""The kinds about policies and strategies, asked about textbook trees, and what only they have to keep."""

import pytest
from hypothesis import given as given_by

from grader.answers.move_choices import MOVE_CHOICES
from grader.exercises.exercise import make_exercise
from grader.exercises.feedback import Feedback
from grader.exercises.marking import mark
from grader.generation.grower import grow_many
from grader.generation.recipe_file import default_recipe
from grader.questions import kind_by_code
from grader.questions.given import Given
from grader.questions.strategy.endgames import CELLS, endgame_tree
from grader.solvers.strategies import count_strategies_reaching, guaranteed_value
from grader.trees.games.tictactoe import GAME
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree
from tests.questions.asking import drawn
from tests.solvers.all_strategies import all_strategies, choices
from tests.strategies import trees

PLAIN = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"
TWO_MOVES = "MAX (A: MIN A (C: 3 D: 5) B: MIN B (C: 2 D: 1))"
CASES = (
    (PLAIN, "imperfect-opponent.minimax-play", {"moves": "random"}, "23/3", True),
    (PLAIN, "imperfect-opponent.best-reply", {"moves": "random"}, "23/3", True),
    (PLAIN, "imperfect-opponent.minimax-play", {"moves": {"B": "1", "C": "6", "D": "7"}}, "3", True),
    (PLAIN, "imperfect-opponent.best-reply", {"moves": {"B": "1", "C": "6", "D": "7"}}, "14", True),
    (PLAIN, "imperfect-opponent.best-reply", {"moves": "leftmost"}, "14", True),
    (PLAIN, "imperfect-opponent.best-move", {"moves": {"B": "1", "C": "6", "D": "7"}}, "D", True),
    # "If MIN does not play optimally, MAX will do even better" (CMSC 421): not always.
    (PLAIN, "imperfect-opponent.gain", {"moves": {"B": "1", "C": "6", "D": "7"}}, "false", True),
    (PLAIN, "imperfect-opponent.gain", {"moves": {"B": "2", "C": "4", "D": "9"}}, "true", True),
    (PLAIN, "strategy.optimal", {}, "A->B", True),
    (PLAIN, "strategy.optimal", {"player": "MIN"}, "B->1, C->4, D->9", True),
    (PLAIN, "strategy.optimal", {"player": "MIN"}, "B->1, C->6, D->9", False),
    (PLAIN, "strategy.optimal", {"player": "MIN"}, "B->1, C->4", False),
    # The two-move game (CSI 4106): strategies of both players.
    (TWO_MOVES, "strategy.optimal", {}, "root->A", True),
    (TWO_MOVES, "strategy.optimal", {"player": "MIN"}, "A->C, B->C", True),
    (TWO_MOVES, "strategy.optimal", {"player": "MIN"}, "A->C, B->D", True),
    (TWO_MOVES, "strategy.optimal", {"player": "MIN"}, "A->D, B->D", False),
)
"""Trees of textbook and lectures: kind, what is given, a reply, and whether it earns the mark."""


@pytest.mark.parametrize(("text", "kind", "given", "reply", "right"), CASES)
def test_what_is_known_of_textbook_trees(
    text: str, kind: str, given: dict[str, object], reply: str, right: bool
) -> None:
    """What follows by hand earns the full mark; where several strategies are as good, each of them does."""
    tree = tree_of(text)
    exercise = make_exercise(kind_by_code(kind), tree, tree.rules(), given=Given(given))
    assert (mark(exercise, reply).points == 1) == right


@pytest.mark.parametrize("kind", ["imperfect-opponent.best-move", "imperfect-opponent.gain"])
def test_no_plan_is_drawn_that_names_cannot_tell(kind: str) -> None:
    """Where one node is called as the leaf number of another, no plan can be written."""
    tree = tree_of('MAX (MIN (3 5) MAX "1" (MIN (2 7) 4))')
    assert all(drawn(kind_by_code(kind), tree, tree.rules(), seed) is None for seed in range(20))


def test_every_strategy_that_never_loses_is_right() -> None:
    """From the ending that the bank has, every strategy of X is right exactly if it does not lose."""
    kind = kind_by_code("strategy.never-lose")
    position = Given({"player": "MAX", "position": "XXO/.O./X.O"})
    tree = endgame_tree(GAME.position("XXO/.O./X.O"))
    exercise = make_exercise(kind, tree, tree.rules(), given=position)
    for strategy in all_strategies(tree, Player.MAX):
        reply = MOVE_CHOICES.write(
            tuple((node, frozenset((child,))) for node, child in sorted(strategy.items())), tree
        )
        assert (mark(exercise, reply).points == 1) == (
            guaranteed_value(tree, Player.MAX, choices(strategy)) >= 0
        )


def test_endings_ask_for_as_much() -> None:
    """No variant is answered by one move, none by eight; and no node is called as a square is."""
    for exercise in grow_many(default_recipe("strategy.never-lose"), "class", 30):
        tree = exercise.public.tree
        assert len(exercise.answer(exercise.key)) in (4, 5, 6)
        assert {name.lower() for name in tree.given if name}.isdisjoint(CELLS.values())


@given_by(trees(plies=3, leaves=8, branching=2))
def test_strategies_are_counted_by_what_they_guarantee(tree: Tree) -> None:
    """Those that reach a target are as many as guarantee so much."""
    worth = [guaranteed_value(tree, Player.MAX, choices(each)) for each in all_strategies(tree, Player.MAX)]
    for target in set(worth):
        assert count_strategies_reaching(tree, Player.MAX, target) == sum(value >= target for value in worth)


def test_a_node_with_one_move_needs_no_answer() -> None:
    """What the game can come to without a move there is a node with a choice."""
    assert guaranteed_value(tree_of("MAX A (MIN B (MAX D (7) 8))"), Player.MAX, {}) == 7
    tree = tree_of("MAX A (MIN B (MAX D (7) MAX E (1 2)) MIN C (3 4))")
    exercise = make_exercise(kind_by_code("strategy.optimal"), tree, tree.rules())
    (told,) = Feedback(exercise).sentences(mark(exercise, "A->B"))
    assert "Play can reach MAX E, but your strategy does not give a move there." in told


@pytest.mark.parametrize(
    ("text", "player", "reply", "understood"),
    [
        (PLAIN, "MAX", "B", "A->B"),
        (PLAIN, "MAX", "move B.", "A->B"),
        (PLAIN, "MAX", "A", ""),
        (PLAIN, "MAX", "4", ""),
        (PLAIN, "MAX", "not B", ""),
        (PLAIN, "MAX", "B, C", ""),
        (PLAIN, "MAX", "B->", ""),
        (PLAIN, "MIN", "B", ""),
        (PLAIN, "MIN", "4", ""),
        ("MAX A (MIN B (MAX C (3)) MIN D (MAX E (4)))", "MAX", "D", "A->D"),
        ("MAX A (MIN B (MAX C (3 2)) MIN D (MAX E (4)))", "MAX", "D", ""),
        ("MIN A (MAX B (3 2))", "MAX", "2", "B->2"),
        ("MAX A (3 2)", "MAX", "2", "A->2"),
    ],
)
def test_a_child_alone_is_a_choice_where_one_node_has_any(
    text: str, player: str, reply: str, understood: str
) -> None:
    """The name of a child says where it is chosen if no other node of the player has a move to choose."""
    given = Given({"player": player})
    exercise = make_exercise(kind_by_code("strategy.optimal"), tree_of(text), Rules(), given=given)
    assert mark(exercise, reply).understood == understood
