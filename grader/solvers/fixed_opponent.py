"""Play of MAX against a MIN with a known policy: the values of minimax play and of the best reply."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from grader.base.numbers import Number, normalize_number
from grader.solvers.backup import back_up
from grader.solvers.expectiminimax import expectation, expectiminimax, probability
from grader.solvers.solvable import Unsolvable, number_at
from grader.solvers.values import best_children
from grader.trees.tree import Player, Tree

OpponentPolicy: TypeAlias = Mapping[int, Mapping[int, Number]]
"""The probability of each child, for every node of MIN."""


class OpponentError(Unsolvable):
    """A policy that does not fit the tree; the message says where."""


@dataclass(frozen=True, slots=True)
class PolicyOutcome:
    """The values of a tree against a policy; tuples aligned with the nodes.

    - `minimax`: the exact values against optimal play.
    - `worst_minimax`, `best_minimax`: the values of a strategy that is minimax-optimal at every node of MAX;
      the one that is worst, and the one that is best, against this opponent.
    - `best_reply_values`: the values of the best reply to the policy.
    - `best_replies`: all children that are best replies at the nodes of MAX; empty elsewhere.
    """

    minimax: tuple[Number, ...]
    worst_minimax: tuple[Number, ...]
    best_minimax: tuple[Number, ...]
    best_reply_values: tuple[Number, ...]
    best_replies: tuple[tuple[int, ...], ...]


def pure_policy(moves: Mapping[int, int]) -> OpponentPolicy:
    """Return the policy that always makes these moves, given as the child for every node."""
    return {node: {child: 1} for node, child in moves.items()}


def uniform_policy(tree: Tree) -> OpponentPolicy:
    """Return the policy under which all moves of MIN are equally likely."""
    return {
        node: dict.fromkeys(children, normalize_number(Fraction(1, len(children))))
        for node, children in enumerate(tree.children)
        if tree.players[node] is Player.MIN
    }


def evaluate_against(tree: Tree, policy: OpponentPolicy) -> PolicyOutcome:
    """Evaluate minimax play of MAX, and its best reply, against a MIN with a fixed policy.

    Minimax play never gets less than the minimax value, and the best reply never less than minimax
    play; against some policies all three are equal. Trees may have chance nodes.
    Raises `OpponentError` for a policy that omits a node of MIN, moves to a node that is not its child, or
    whose probabilities are not a distribution; `Unsolvable` for several players.
    """
    for node in tree.internal:
        if tree.players[node] is Player.MIN:
            _require_distribution(tree, node, policy)
    exact_values = expectiminimax(tree)
    optimal = best_children(tree, exact_values)

    def values_of_play(
        better: Callable[[Iterable[Number]], Number], allowed: Sequence[tuple[int, ...]]
    ) -> tuple[Number, ...]:
        """Return the values if MAX makes the better one of the allowed moves at every node."""
        values: list[Number] = [0] * len(tree)
        for node in reversed(range(len(tree))):
            player = tree.players[node]
            if player is None:
                values[node] = number_at(tree, node)
            elif player is Player.MIN:
                shares = policy[node]
                values[node] = expectation([*shares.values()], [values[child] for child in shares])
            elif player is Player.CHANCE:
                values[node] = back_up(tree, node, [values[child] for child in tree.children[node]])
            else:
                values[node] = better(values[child] for child in allowed[node])
        return tuple(values)

    reply = values_of_play(max, tree.children)
    replies = tuple(
        tuple(child for child in children if player is Player.MAX and reply[child] == reply[node])
        for node, (player, children) in enumerate(zip(tree.players, tree.children, strict=True))
    )
    return PolicyOutcome(
        exact_values, values_of_play(min, optimal), values_of_play(max, optimal), reply, replies
    )


def opponent_as_chance(tree: Tree, policy: OpponentPolicy) -> Tree:
    """Return the game with chance nodes in place of the nodes of the policy."""
    probabilities = list(tree.probabilities)
    for node, shares in policy.items():
        for child in tree.children[node]:
            probabilities[child] = shares.get(child, 0)
    players = tuple(Player.CHANCE if node in policy else player for node, player in enumerate(tree.players))
    return replace(tree, players=players, probabilities=tuple(probabilities))


def mean_of_leaves(tree: Tree, policy: OpponentPolicy) -> Number:
    """Return the mean payoff if all players follow a policy: each leaf weighted by its probability."""
    reach: list[Number] = [1] * len(tree)
    for node in range(1, len(tree)):
        parent = tree.parents[node]
        if tree.players[parent] is Player.CHANCE:
            share = probability(tree, node)
        else:
            share = policy[parent].get(node, 0)
        reach[node] = reach[parent] * share
    return normalize_number(Fraction(sum(reach[leaf] * number_at(tree, leaf) for leaf in tree.leaves)))


def minimax_play_by_leaves(tree: Tree, policy: OpponentPolicy) -> Number:
    """Return the value of leftmost minimax play of MAX against a policy of MIN, leaf by leaf."""
    best = best_children(tree, expectiminimax(tree))
    max_policy = pure_policy(
        {node: best[node][0] for node in tree.internal if tree.players[node] is Player.MAX}
    )
    return mean_of_leaves(tree, {**policy, **max_policy})


def _require_distribution(tree: Tree, node: int, policy: OpponentPolicy) -> None:
    """Raise `OpponentError` unless the policy has a distribution over the children of a node."""
    name = tree.names[node]
    if node not in policy:
        raise OpponentError(f"the policy does not mention {name}")
    shares = policy[node]
    if not set(shares) <= set(tree.children[node]):
        raise OpponentError(f"the policy moves from {name} to a node that is not a child of it")
    if sum(shares.values()) != 1 or any(share < 0 for share in shares.values()):
        raise OpponentError(f"the probabilities at {name} do not sum to 1")
