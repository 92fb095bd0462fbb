"""Against an opponent who plays a known policy: what minimax play gets, and what the best reply gets."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from grader.base.numbers import Number, normalize_number
from grader.solvers.backup import back_up
from grader.solvers.expectiminimax import expectiminimax, probability
from grader.solvers.solvable import Unsolvable, number_at
from grader.solvers.values import best_children
from grader.trees.tree import Player, Tree

OpponentPolicy: TypeAlias = Mapping[int, Mapping[int, Number]]
"""With which probability the opponent moves to which child, for every node of the opponent."""


class OpponentError(Unsolvable):
    """A policy that does not fit the tree; the message says where."""


@dataclass(frozen=True, slots=True)
class PolicyOutcome:
    """What a tree is worth against a policy; tuples aligned with the nodes.

    - `minimax`: the exact values against best play.
    - `worst_minimax`, `best_minimax`: the values when one moves by a minimax strategy, which is optimal at
      every own node: of all such strategies the one that gets least, and the one that gets most, from this
      opponent.
    - `best_reply_values`: the values when one plays the best reply to the policy.
    - `best_replies`: all children that are best replies at one's own nodes; empty elsewhere.
    """

    minimax: tuple[Number, ...]
    worst_minimax: tuple[Number, ...]
    best_minimax: tuple[Number, ...]
    best_reply_values: tuple[Number, ...]
    best_replies: tuple[tuple[int, ...], ...]


def pure_policy(moves: Mapping[int, int]) -> OpponentPolicy:
    """The policy that always makes these moves: the child moved to, for every node."""
    return {node: {child: 1} for node, child in moves.items()}


def uniform_policy(tree: Tree) -> OpponentPolicy:
    """The policy under which all moves of MIN are equally likely."""
    return {
        node: {
            child: normalize_number(Fraction(1, len(tree.children[node]))) for child in tree.children[node]
        }
        for node in tree.internal
        if tree.players[node] is Player.MIN
    }


def evaluate_against(tree: Tree, policy: OpponentPolicy, opponent: Player = Player.MIN) -> PolicyOutcome:
    """What minimax play and the best reply get from an opponent, MIN or MAX, who keeps to a policy.

    Minimax play never gets less than the minimax value, and the best reply never less than minimax
    play; against some policies all three are equal. Chance may move too.
    Raises `OpponentError` for a policy that leaves out a node of the opponent, moves elsewhere than to
    its children, or whose probabilities are not a distribution; `Unsolvable` for several players.
    """
    if opponent not in (Player.MAX, Player.MIN):
        raise OpponentError("the opponent is MAX or MIN")
    for node in tree.internal:
        if tree.players[node] is opponent:
            _require_distribution(tree, node, policy)
    exact_values, optimal = _perfect(tree)
    worst, best = (max, min) if opponent is Player.MAX else (min, max)

    def played(
        better: Callable[[Iterable[Number]], Number], allowed: Sequence[tuple[int, ...]]
    ) -> tuple[Number, ...]:
        """The values when one makes the better of the moves that are allowed at every node."""
        values: list[Number] = [0] * len(tree)
        for node in reversed(range(len(tree))):
            player = tree.players[node]
            if player is None:
                values[node] = number_at(tree, node)
            elif player is opponent:
                values[node] = _mean(policy[node], values)
            elif player is Player.CHANCE:
                values[node] = back_up(tree, node, [values[child] for child in tree.children[node]])
            else:
                values[node] = better(values[child] for child in allowed[node])
        return tuple(values)

    reply = played(best, tree.children)
    mine = {Player.MAX, Player.MIN} - {opponent}
    replies = tuple(
        tuple(child for child in children if player in mine and reply[child] == reply[node])
        for node, (player, children) in enumerate(zip(tree.players, tree.children, strict=True))
    )
    return PolicyOutcome(exact_values, played(worst, optimal), played(best, optimal), reply, replies)


@lru_cache(maxsize=4)
def _perfect(tree: Tree) -> tuple[tuple[Number, ...], tuple[tuple[int, ...], ...]]:
    """The exact values and all optimal moves: many policies are tried against one tree."""
    exact_values = expectiminimax(tree)
    return exact_values, best_children(tree, exact_values)


def _mean(shares: Mapping[int, Number], values: Sequence[Number]) -> Number:
    """The expectation over children; where all are equally likely, their values are summed first."""
    child, first = next(iter(shares.items()))
    if len(shares) == 1:
        return values[child]
    if all(share == first for share in shares.values()):
        return normalize_number(Fraction(sum(values[child] for child in shares)) * first)
    return normalize_number(Fraction(sum(share * values[child] for child, share in shares.items())))


def opponent_as_chance(tree: Tree, policy: OpponentPolicy) -> Tree:
    """The game in which chance moves, with the probabilities of the policy, where the policy says how."""
    probabilities = list(tree.probabilities)
    for node, shares in policy.items():
        for child in tree.children[node]:
            probabilities[child] = shares.get(child, 0)
    players = tuple(Player.CHANCE if node in policy else player for node, player in enumerate(tree.players))
    return replace(tree, players=players, probabilities=tuple(probabilities))


def mean_of_leaves(tree: Tree, policy: OpponentPolicy) -> Number:
    """The mean payoff when everybody keeps to a policy: every leaf with the probability of coming there."""
    likely: list[Number] = [1] * len(tree)
    for node in range(1, len(tree)):
        parent = tree.parents[node]
        if tree.players[parent] is Player.CHANCE:
            share = probability(tree, node)
        else:
            share = policy[parent].get(node, 0)
        likely[node] = likely[parent] * share
    return normalize_number(Fraction(sum(likely[leaf] * number_at(tree, leaf) for leaf in tree.leaves)))


def minimax_play_by_leaves(tree: Tree, policy: OpponentPolicy) -> Number:
    """What minimax play gets from a policy of MIN, leaf by leaf; MAX makes the leftmost of its best moves."""
    best = best_children(tree, expectiminimax(tree))
    mine = pure_policy({node: best[node][0] for node in tree.internal if tree.players[node] is Player.MAX})
    return mean_of_leaves(tree, {**policy, **mine})


def _require_distribution(tree: Tree, node: int, policy: OpponentPolicy) -> None:
    name = tree.names[node]
    if node not in policy:
        raise OpponentError(f"the policy says nothing of {name}")
    shares = policy[node]
    if not set(shares) <= set(tree.children[node]):
        raise OpponentError(f"the policy moves from {name} to a node that is no child of it")
    if sum(shares.values()) != 1 or any(share < 0 for share in shares.values()):
        raise OpponentError(f"the probabilities at {name} do not sum to 1")
