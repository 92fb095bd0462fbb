"""Belief states, against the vacuum world of the textbook."""

import pytest

from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.minimax import minimax
from grader.solvers.partial_observation import (
    World,
    WorldError,
    actions,
    belief_tree,
    beliefs_by_percept,
    goal_test,
    result,
)
from grader.solvers.strategies import guaranteed_value, leftmost_optimal_strategy
from grader.trees.tree import Player
from tests.solvers.all_strategies import choices
from tests.test_bank import BANK, shape, tree_in


def vacuum(percepts: bool) -> World:
    """The eight states of the vacuum world, numbered as in Russell and Norvig, fig. 4.9.

    Odd states have the robot on the left; 1 2 both dirty, 3 4 left dirty, 5 6 right dirty, 7 8 clean.
    """
    dirt = {1: "LR", 2: "LR", 3: "L", 4: "L", 5: "R", 6: "R", 7: "", 8: ""}
    where = {state: "L" if state % 2 else "R" for state in dirt}
    number = {(where[state], dirt[state]): str(state) for state in dirt}
    moves = {
        str(state): {
            "Left": number["L", dirt[state]],
            "Right": number["R", dirt[state]],
            "Suck": number[where[state], dirt[state].replace(where[state], "")],
        }
        for state in dirt
    }
    seen = {str(state): where[state] + "*" * (where[state] in dirt[state]) for state in dirt}
    states = tuple(map(str, dirt))
    return World(states, moves, seen if percepts else {}, frozenset("78"), {})


ALL = frozenset("12345678")


def test_the_sensorless_vacuum_world() -> None:
    """Right, Suck, Left, Suck: {2 4 6 8}, {4 8}, {3 7}, {7} (Russell and Norvig, section 4.4.1)."""
    world, belief = vacuum(percepts=False), ALL
    for action, wanted in (("Right", "2468"), ("Suck", "48"), ("Left", "37"), ("Suck", "7")):
        assert not goal_test(world, belief)
        belief = result(world, belief, action)
        assert belief == frozenset(wanted)
    assert goal_test(world, belief)


def test_twelve_beliefs() -> None:
    """Of the 256 belief states 12 can be reached from knowing nothing (Russell and Norvig, fig. 4.14)."""
    world, found = vacuum(percepts=False), [ALL]
    for belief in found:
        after = {result(world, belief, action) for action in actions(world, belief)}
        found.extend(after.difference(found))
    assert len(found) == 12


def test_the_shortest_plan() -> None:
    """Three moves guarantee nothing without percepts, four do; the strategy is the plan of the textbook."""
    world = vacuum(percepts=False)
    three, four = (belief_tree(world, ALL, moves).tree for moves in (3, 4))
    assert (minimax(three)[0], minimax(four)[0]) == (0, 1)
    strategy = leftmost_optimal_strategy(four, Player.MAX)
    assert guaranteed_value(four, Player.MAX, choices(strategy)) == 1
    plans = {("Right", "Suck", "Left", "Suck"), ("Left", "Suck", "Right", "Suck")}
    plan, node = [], 0
    while node in strategy:
        node = strategy[node]
        plan.append(four.moves[node])
    assert tuple(plan) in plans


def test_percepts_tell_states_apart() -> None:
    """The local-sensing robot at [L, dirty] is in 1 or 3; after Right it is in 2 or 4 and sees which."""
    world = vacuum(percepts=True)
    start = dict(beliefs_by_percept(world, ALL))["L*"]
    assert start == frozenset("13")
    after = result(world, start, "Right")
    assert beliefs_by_percept(world, after) == (("R*", frozenset("2")), ("R", frozenset("4")))
    found = belief_tree(world, start, 2)
    tree = found.tree
    right = next(child for child in tree.children[0] if tree.moves[child] == "Right")
    assert tree.players[right] is Player.MIN
    assert [tree.moves[child] for child in tree.children[right]] == ["R*", "R"]
    assert [found.beliefs[child] for child in tree.children[right]] == [frozenset("2"), frozenset("4")]


def test_the_tree_of_the_bank() -> None:
    """The robot of the bank: two moves from {5, 7}, a leaf worth the squares that are clean for sure."""
    world = vacuum(percepts=True)
    clean = {"1": 0, "2": 0, "3": 1, "4": 1, "5": 1, "6": 1, "7": 2, "8": 2}
    world = World(world.states, world.moves, world.percepts, world.goals, clean)
    found = belief_tree(world, frozenset("57"), 2).tree
    assert shape(found) == shape(tree_in(BANK / "robot-with-one-sensor.tree"))
    assert minimax(found)[0] == 2


def test_worst_case_and_chance() -> None:
    """MIN picks the worst percept; by chance two of three cases lead to x: (4 + 4 + 1) / 3."""
    world = World(
        ("a", "b", "c", "x", "y"),
        {"a": {"go": "x"}, "b": {"go": "x"}, "c": {"go": "y"}},
        {"x": "bright", "y": "dark"},
        frozenset("x"),
        {"x": 4, "y": 1},
    )
    belief = frozenset("abc")
    worst = belief_tree(world, belief, 1).tree
    mean = belief_tree(world, belief, 1, percepts="chance").tree
    assert minimax(worst)[0] == 1
    assert expectiminimax(mean)[0] == 3
    blind = World(world.states, world.moves, {}, world.goals, world.utilities)
    assert belief_tree(blind, belief, 1).tree.payoffs[-1] == 1
    assert expectiminimax(belief_tree(blind, belief, 1, percepts="chance").tree)[0] == 3


def test_union_and_intersection() -> None:
    """With `union`, a move legal in some state may be made, and changes nothing where it is illegal."""
    world = World(
        ("a", "b", "c"), {"a": {"up": "c", "stay": "a"}, "b": {"stay": "b"}}, {}, frozenset("c"), {}
    )
    belief = frozenset("ab")
    assert actions(world, belief) == ("stay",)
    assert actions(world, belief, "union") == ("up", "stay")
    assert result(world, belief, "up") == frozenset("cb")
    assert not goal_test(world, frozenset("cb"))
    assert goal_test(world, world.goals)
    assert actions(world, frozenset("c")) == ()


def test_refusals() -> None:
    """A state that is not there, a move legal nowhere and an empty belief are refused."""
    with pytest.raises(WorldError, match="no state z"):
        World(("a",), {"a": {"go": "z"}}, {}, frozenset(), {})
    world = vacuum(percepts=True)
    with pytest.raises(WorldError):
        result(world, ALL, "Fly")
    with pytest.raises(WorldError):
        belief_tree(world, frozenset(), 1)
