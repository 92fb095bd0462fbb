"""Play against a known policy, and strategies: every strategy there is as the oracle."""

from fractions import Fraction
from math import prod
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.fixed_opponent import OpponentError, evaluate_against, pure_policy, uniform_policy
from grader.solvers.solvable import Unsolvable
from grader.solvers.strategies import guaranteed_value, leftmost_optimal_strategy
from grader.trees.games import tictactoe
from grader.trees.games.game_tree import unfold
from grader.trees.notation.reading import tree_of
from grader.trees.tree import Player, Tree
from tests.solvers.all_strategies import all_strategies, choices
from tests.solvers.test_values import TEXTBOOK, build_tree
from tests.strategies import TIED, trees

SMALL = trees(plies=4, branching=2, leaves=8, chance=True, payoffs=TIED)


def result(
    tree: Tree, ours: dict[int, int], theirs: dict[int, dict[int, Fraction]], node: int = 0
) -> Fraction:
    """Return the expected payoff if both sides keep to their strategies."""
    if tree.players[node] is None:
        return Fraction(tree.payoffs[node])
    if tree.players[node] is Player.CHANCE:
        shares = {child: tree.probabilities[child] for child in tree.children[node]}
    else:
        shares = {ours[node]: 1} if node in ours else theirs[node]
    return sum((share * result(tree, ours, theirs, child) for child, share in shares.items()), Fraction(0))


def count_strategies(tree: Tree, player: Player) -> int:
    """Count the strategies, with moves only at reachable nodes."""
    counts = [1] * len(tree)
    for node in reversed(range(len(tree))):
        together = sum if tree.players[node] is player else prod
        counts[node] = together(counts[child] for child in tree.children[node])
    return counts[0]


@given(SMALL, st.randoms(use_true_random=False))
def test_against_every_strategy(tree: Tree, random: Random) -> None:
    """The best reply earns as much as the best strategy, and minimax play at least the minimax value."""
    policy = {}
    for node in tree.internal:
        if tree.players[node] is Player.MIN:
            weights = [random.randint(0, 3) for _ in tree.children[node]]
            weights[0] += 1
            policy[node] = {
                child: Fraction(weight, sum(weights))
                for child, weight in zip(tree.children[node], weights, strict=True)
            }
    outcome = evaluate_against(tree, policy)
    if count_strategies(tree, Player.MAX) > 300:
        return
    strategies = list(all_strategies(tree, Player.MAX))
    assert outcome.best_reply_values[0] == max(result(tree, strategy, policy) for strategy in strategies)
    values = expectiminimax(tree)
    minimax = [
        result(tree, strategy, policy)
        for strategy in strategies
        if all(values[child] == values[node] for node, child in strategy.items())
    ]
    assert (outcome.worst_minimax[0], outcome.best_minimax[0]) == (min(minimax), max(minimax))
    assert outcome.minimax[0] <= outcome.worst_minimax[0]
    assert outcome.best_minimax[0] <= outcome.best_reply_values[0]


def test_the_textbook_tree_against_a_random_player() -> None:
    """Against a random MIN minimax play by B gets 23/3 and not 3; D would get no more, 21/3."""
    found = evaluate_against(TEXTBOOK, uniform_policy(TEXTBOOK))
    assert found.minimax[0] == 3
    assert found.worst_minimax[0] == found.best_minimax[0] == found.best_reply_values[0] == Fraction(23, 3)
    assert found.best_replies[0] == (1,)


def test_a_wrong_policy() -> None:
    """Against a MIN that always takes its last move, D's 2 is real, and B gives 8."""
    moves = {node: TEXTBOOK.children[node][-1] for node in (1, 5, 9)}
    found = evaluate_against(TEXTBOOK, pure_policy(moves))
    assert (found.worst_minimax[0], found.best_reply_values[0]) == (8, 8)
    moves = {node: TEXTBOOK.children[node][0] for node in (1, 5, 9)}
    found = evaluate_against(TEXTBOOK, pure_policy(moves))
    assert (found.worst_minimax[0], found.best_reply_values[0], found.best_replies[0]) == (3, 14, (9,))


def test_policies_that_do_not_fit() -> None:
    """A policy that omits a node, moves to another node's child or is no distribution is refused."""
    for policy in ({}, {1: {0: 1}, 5: {6: 1}, 9: {10: 1}}, {1: {2: 1}, 5: {6: Fraction(1, 2)}, 9: {10: 1}}):
        with pytest.raises(OpponentError):
            evaluate_against(TEXTBOOK, policy)
    with pytest.raises(OpponentError, match="do not sum to 1"):
        evaluate_against(TEXTBOOK, {1: {2: 1}, 5: {6: 2, 7: -1}, 9: {10: 1}})
    with pytest.raises(Unsolvable, match="several players"):
        evaluate_against(tree_of("P1 (P2 (<1, 2> <3, 4>) <5, 6>)"), {})


@given(SMALL, st.sampled_from((Player.MAX, Player.MIN)))
def test_the_best_guarantee_is_the_value(tree: Tree, player: Player) -> None:
    """Of all strategies the best guarantees the value of the root, and so does the leftmost optimal one."""
    if count_strategies(tree, player) > 300:
        return
    strategies = list(all_strategies(tree, player))
    assert len(strategies) == count_strategies(tree, player)
    assert len({tuple(sorted(one.items())) for one in strategies}) == len(strategies)
    found = [guaranteed_value(tree, player, choices(strategy)) for strategy in strategies]
    value = expectiminimax(tree)[0]
    assert (max if player is Player.MAX else min)(found) == value
    assert leftmost_optimal_strategy(tree, player) in strategies
    assert guaranteed_value(tree, player, choices(leftmost_optimal_strategy(tree, player))) == value


@given(trees(plies=4, branching=2, leaves=6, payoffs=TIED))
def test_guarantees_by_playing(tree: Tree) -> None:
    """A strategy guarantees its worst result against all strategies of the other side."""
    if count_strategies(tree, Player.MAX) * count_strategies(tree, Player.MIN) > 200:
        return
    for ours in all_strategies(tree, Player.MAX):
        outcomes = []
        for theirs in all_strategies(tree, Player.MIN):
            node = 0
            while tree.children[node]:
                # A strategy of one side says nothing where that side itself keeps play away from.
                node = ours[node] if tree.players[node] is Player.MAX else theirs[node]
            outcomes.append(tree.payoffs[node])
        assert guaranteed_value(tree, Player.MAX, choices(ours)) == min(outcomes)


@pytest.mark.parametrize(
    ("player", "moves", "worth"),
    [
        (Player.MAX, {0: (4, 5)}, 2),
        (Player.MAX, {0: (1, 5)}, 1),
        (Player.MIN, {1: (2, 3)}, 5),
        (Player.MIN, {1: (2,)}, 3),
        (Player.MIN, {0: (1,)}, None),
    ],
)
def test_the_worst_of_some_moves(
    player: Player, moves: dict[int, tuple[int, ...]], worth: int | None
) -> None:
    """Of several moves at an own node the worst counts for its player; without one nothing is guaranteed."""
    assert guaranteed_value(tree_of("MAX (MIN (1 5) 2 3)"), player, moves) == worth


def test_strategies_are_of_two_players() -> None:
    """Of several there are no two sides."""
    with pytest.raises(Unsolvable, match="several players"):
        guaranteed_value(build_tree((Player.MAX, [(Player.P2, [1]), 2])), Player.MAX, {0: (1,)})


def test_never_losing_at_tic_tac_toe() -> None:
    """O answers a corner with the centre and never loses; with the opposite corner it can lose."""
    corner = tictactoe.read("X.. ... ...")
    tree = unfold(tictactoe.GAME, corner).tree
    assert tree.players[0] is Player.MIN
    strategy = leftmost_optimal_strategy(tree, Player.MIN)
    assert tree.moves[strategy[0]] == "centre"
    assert guaranteed_value(tree, Player.MIN, choices(strategy)) == 0
    values = expectiminimax(tree)
    far = next(child for child in tree.children[0] if tree.moves[child] == "bottom_right")
    assert values[far] == 1


def test_the_two_move_game() -> None:
    """Player 2 answers A with C and B with D, and holds player 1 to 3 (Turcotte, CSI 4106)."""
    tree = tree_of("MAX (A: MIN A (C: 3, D: 5), B: MIN B (C: 2, D: 1))")
    strategy = leftmost_optimal_strategy(tree, Player.MIN)
    assert [tree.moves[strategy[tree.index[name]]] for name in "AB"] == ["C", "D"]
    assert guaranteed_value(tree, Player.MIN, choices(strategy)) == 3
