"""Star1: alpha-beta search of trees with chance nodes."""

from collections.abc import Callable
from operator import ge, gt, le, lt
from typing import Literal, TypeAlias

from grader.base.numbers import INFINITY, Bound, Number
from grader.solvers.chance_weights import (
    ChanceWeights,
    divide_bound,
    divide_number,
    require_finite,
    required_contribution,
    scale_bound,
    total_with_rest_at,
)
from grader.solvers.solvable import number_at, require_bounds, require_two_players
from grader.solvers.trace import Recorder, Search
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree

ChanceWindow: TypeAlias = Literal["slide", "through", "open"]
"""How a chance node gets the windows of its children: it slides its own, passes it on, or opens it fully."""


def star1(tree: Tree, rules: Rules, *, traced: bool = True) -> Search:
    """Alpha-beta that slides the window at chance nodes by the outcomes still to come.

    With window (alpha, beta) at a chance node, expectation `total` gathered so far, a child of
    probability `share`, probability `remaining` for the later children, and leaf values within [low, high],
    the child matters only if its value is between
    `(alpha - total - high * remaining) / share` and `(beta - total - low * remaining) / share`,
    limited to [low, high]. An empty window is detected before descending, children of probability zero are
    skipped, and the root starts at (low, high) or in the window that the rules give. Without bounds low and
    high are infinite, and only the last child of a chance node can get a finite window.

    The search uses whole numbers (`grader.solvers.chance_weights`): probabilities are weights, and below a
    child of weight w all numbers are multiplied by w, so nothing is divided on the way down.

    MAX and MIN nodes compare before they update, as in `grader.solvers.alphabeta.value_test`.
    Ballard, The *-minimax search procedure for trees containing chance nodes, Artificial
    Intelligence 21 (1983).
    Raises `BoundsError` for a payoff outside the bounds, `UnknownPayoff` when the search comes
    to an unknown leaf, `Unsolvable` for several players. Without `traced` the events are left out.
    """
    require_two_players(tree)
    require_bounds(tree, rules.bounds)
    first_alpha, first_beta = rules.root_window
    reaches = ge if rules.ties == "cut" else gt
    chance_weights = ChanceWeights(tree, rules.bounds)
    scales = chance_weights.scales
    record = Recorder(tree, traced)

    def visit(node: int, alpha: Bound, beta: Bound) -> Bound:
        """Search a node with a scaled window, record entering and leaving it, and return its scaled value."""
        record.enter(node, alpha, beta)
        player = tree.players[node]
        value: Bound
        if player is None:
            value = scale_bound(number_at(tree, node), scales[node])
        elif reaches(alpha, beta):
            # Only at the root: its bounds are equal, so every value is known.
            value = alpha
            record.cut(node, node, value, alpha, beta, tree.visiting(node, rules.order))
        elif player is Player.CHANCE:
            value = chance_value(node, alpha, beta)
        else:
            value = player_value(node, alpha, beta)
        record.leave(node, value)
        return value

    player_value = player_node_search(tree, rules, record, visit)
    chance_value = chance_node_search(tree, rules, chance_weights, record, visit)
    visit(0, scale_bound(first_alpha, scales[0]), scale_bound(first_beta, scales[0]))
    return chance_weights.unscale(record.search())


def player_node_search(
    tree: Tree, rules: Rules, record: Recorder, visit: Callable[[int, Bound, Bound], Bound]
) -> Callable[[int, Bound, Bound], Bound]:
    """Return the search of a player's node, (node, alpha, beta) -> value; it calls `visit` for its children.

    Its value is compared with the window before the window is updated.
    """
    reaches, falls_to = (ge, le) if rules.ties == "cut" else (gt, lt)
    hard = rules.returns == "hard"

    def player_value(node: int, alpha: Bound, beta: Bound) -> Bound:
        maximizes = tree.players[node] is Player.MAX
        value: Bound = -INFINITY if maximizes else INFINITY
        children = tree.visiting(node, rules.order)
        for place, child in enumerate(children):
            below = visit(child, alpha, beta)
            value = max(value, below) if maximizes else min(value, below)
            if reaches(value, beta) if maximizes else falls_to(value, alpha):
                record.cut(node, child, value, alpha, beta, children[place + 1 :])
                bound = beta if maximizes else alpha
                return bound if hard else value
            if maximizes and value > alpha:
                alpha = value
                record.update(node, child, "alpha", alpha)
            elif not maximizes and value < beta:
                beta = value
                record.update(node, child, "beta", beta)
        return value

    return player_value


def chance_node_search(
    tree: Tree,
    rules: Rules,
    chance_weights: ChanceWeights,
    record: Recorder,
    visit: Callable[[int, Bound, Bound], Bound],
    window: ChanceWindow = "slide",
) -> Callable[[int, Bound, Bound], Bound]:
    """Return the search of a chance node, (node, alpha, beta) -> value; it calls `visit` for its children.

    Star1 slides the window. With any other window, a chance node never cuts.
    """
    low, high = rules.bounds or (-INFINITY, INFINITY)
    reaches, falls_to = (ge, le) if rules.ties == "cut" else (gt, lt)
    hard = rules.returns == "hard"
    scales, weights = chance_weights.scales, chance_weights.weights

    def chance_value(node: int, alpha: Bound, beta: Bound) -> Bound:
        children = tree.visiting(node, rules.order)
        whole, remaining = chance_weights.wholes[node], sum(weights[child] for child in children)
        lowest, highest = scale_bound(low, scales[node]), scale_bound(high, scales[node])
        goal, limit = scale_bound(alpha, whole), scale_bound(beta, whole)
        total: Number = 0
        latest, after = node, 0
        for place, child in enumerate(children):
            weight = weights[child]
            if weight == 0:
                continue
            if window == "slide":
                ceiling = total_with_rest_at(total, highest, remaining)
                if falls_to(ceiling, goal):
                    record.cut(node, latest, divide_bound(ceiling, whole), alpha, beta, children[after:])
                    return alpha if hard else divide_bound(ceiling, whole)
                floor = total_with_rest_at(total, lowest, remaining)
                if reaches(floor, limit):
                    record.cut(node, latest, divide_bound(floor, whole), alpha, beta, children[after:])
                    return beta if hard else divide_bound(floor, whole)
            remaining -= weight
            lower, upper = scale_bound(lowest, weight), scale_bound(highest, weight)
            if window == "slide":
                lower = max(lower, required_contribution(goal, total_with_rest_at(total, highest, remaining)))
                upper = min(upper, required_contribution(limit, total_with_rest_at(total, lowest, remaining)))
            elif window == "through":
                lower, upper = scale_bound(alpha, weight), scale_bound(beta, weight)
            total += require_finite(visit(child, lower, upper))
            record.gather(node, child, total, remaining)
            latest, after = child, place + 1
        return divide_number(total, whole)

    return chance_value
