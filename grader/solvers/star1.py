"""Star1: alpha-beta search of trees in which chance moves too."""

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

ChanceWindow: TypeAlias = Literal["slide", "through", "fresh"]
"""What a chance node does with its window for its children: slides it, passes it on, or gives a fresh one."""


def star1(tree: Tree, rules: Rules, *, traced: bool = True) -> Search:
    """Alpha-beta that slides the window at chance nodes by the outcomes still to come.

    With window (alpha, beta) at a chance node, expectation `total` gathered so far, a child of
    probability `share`, probability `remaining` behind it, and leaf values within [low, high],
    the child matters only where its value lies between
    `(alpha - total - high * remaining) / share` and `(beta - total - low * remaining) / share`,
    cut to [low, high]. Emptiness is tested before descending, children of probability zero are
    skipped, and the root starts at (low, high). Without bounds low and high are infinite,
    and only the last child of a chance node can get a finite window.

    It is done in whole numbers (`grader.solvers.chance_weights`): probabilities are weights, and below a
    child of weight w everything counts w times as much, so that nothing is divided on the way down.

    MAX and MIN nodes compare before they update, as in `grader.solvers.alphabeta.value_test`.
    Ballard, The *-minimax search procedure for trees containing chance nodes, Artificial
    Intelligence 21 (1983).
    Raises `BoundsError` for a payoff outside the bounds, `UnknownPayoff` when the search comes
    to an unknown leaf, `Unsolvable` for several players. Without `traced` the events are left out.
    """
    require_two_players(tree)
    low: Bound
    high: Bound
    low, high = (-INFINITY, INFINITY) if rules.bounds is None else rules.bounds
    if rules.bounds is not None:
        require_bounds(tree, rules.bounds)
    reaches, falls_to = (ge, le) if rules.ties == "cut" else (gt, lt)
    hard = rules.returns == "hard"
    weighed = ChanceWeights(tree, rules.bounds)
    scales = weighed.scales
    record = Recorder(tree, traced)

    def visit(node: int, alpha: Bound, beta: Bound) -> Bound:
        record.enter(node, alpha, beta)
        player = tree.players[node]
        value: Bound
        if player is None:
            value = scale_bound(number_at(tree, node), scales[node])
        elif reaches(alpha, beta):
            # Only the root can be entered like this: both bounds are the same, so every value is known.
            value = alpha
            record.cut(node, node, value, alpha, beta, tree.visiting(node, rules.order))
        elif player is Player.MAX:
            value = max_value(node, alpha, beta)
        elif player is Player.MIN:
            value = min_value(node, alpha, beta)
        else:
            value = chance_value(node, alpha, beta)
        record.leave(node, value)
        return value

    def max_value(node: int, alpha: Bound, beta: Bound) -> Bound:
        value: Bound = -INFINITY
        children = tree.visiting(node, rules.order)
        for place, child in enumerate(children):
            value = max(value, visit(child, alpha, beta))
            if reaches(value, beta):
                record.cut(node, child, value, alpha, beta, children[place + 1 :])
                return beta if hard else value
            if value > alpha:
                alpha = value
                record.update(node, child, "alpha", alpha)
        return value

    def min_value(node: int, alpha: Bound, beta: Bound) -> Bound:
        value: Bound = INFINITY
        children = tree.visiting(node, rules.order)
        for place, child in enumerate(children):
            value = min(value, visit(child, alpha, beta))
            if falls_to(value, alpha):
                record.cut(node, child, value, alpha, beta, children[place + 1 :])
                return alpha if hard else value
            if value < beta:
                beta = value
                record.update(node, child, "beta", beta)
        return value

    chance_value = chance_node_search(tree, rules, weighed, record, visit)
    visit(0, scale_bound(low, scales[0]), scale_bound(high, scales[0]))
    return weighed.unscale(record.search())


def chance_node_search(
    tree: Tree,
    rules: Rules,
    weighed: ChanceWeights,
    record: Recorder,
    visit: Callable[[int, Bound, Bound], Bound],
    window: ChanceWindow = "slide",
) -> Callable[[int, Bound, Bound], Bound]:
    """What searches a chance node, (node, alpha, beta) -> value, and its children by `visit`.

    Star1 slides the window; whoever does anything else with it never cuts at a chance node.
    """
    low, high = rules.bounds or (-INFINITY, INFINITY)
    reaches, falls_to = (ge, le) if rules.ties == "cut" else (gt, lt)
    hard = rules.returns == "hard"
    scales, weights = weighed.scales, weighed.weights

    def chance_value(node: int, alpha: Bound, beta: Bound) -> Bound:
        children = tree.visiting(node, rules.order)
        whole, remaining = weighed.wholes[node], sum(weights[child] for child in children)
        least, most = scale_bound(low, scales[node]), scale_bound(high, scales[node])
        goal, limit = scale_bound(alpha, whole), scale_bound(beta, whole)
        total: Number = 0
        latest, after = node, 0
        for place, child in enumerate(children):
            weight = weights[child]
            if weight == 0:
                continue
            if window == "slide":
                ceiling = total_with_rest_at(total, most, remaining)
                if falls_to(ceiling, goal):
                    record.cut(node, latest, divide_bound(ceiling, whole), alpha, beta, children[after:])
                    return alpha if hard else divide_bound(ceiling, whole)
                floor = total_with_rest_at(total, least, remaining)
                if reaches(floor, limit):
                    record.cut(node, latest, divide_bound(floor, whole), alpha, beta, children[after:])
                    return beta if hard else divide_bound(floor, whole)
            remaining -= weight
            lower, upper = scale_bound(least, weight), scale_bound(most, weight)
            if window == "slide":
                lower = max(lower, required_contribution(goal, total_with_rest_at(total, most, remaining)))
                upper = min(upper, required_contribution(limit, total_with_rest_at(total, least, remaining)))
            elif window == "through":
                lower, upper = scale_bound(alpha, weight), scale_bound(beta, weight)
            total += require_finite(visit(child, lower, upper))
            record.gather(node, child, total, remaining)
            latest, after = child, place + 1
        return divide_number(total, whole)

    return chance_value
