"""Star1: alpha-beta search of trees with chance nodes."""

from collections.abc import Callable
from fractions import Fraction
from operator import ge, gt, le, lt
from typing import Literal, TypeAlias

from grader.base.numbers import INFINITY, Bound, Number, normalize_number
from grader.solvers.expectiminimax import probability
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
    record = Recorder(tree, traced)

    def visit(node: int, alpha: Bound, beta: Bound) -> Bound:
        """Search a node with a scaled window, record entering and leaving it, and return its scaled value."""
        record.enter(node, alpha, beta)
        player = tree.players[node]
        value: Bound
        if player is None:
            value = number_at(tree, node)
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
    chance_value = chance_node_search(tree, rules, record, visit)
    visit(0, first_alpha, first_beta)
    return record.search()


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

    def chance_value(node: int, alpha: Bound, beta: Bound) -> Bound:
        children = tree.visiting(node, rules.order)
        total: Number = 0
        remaining: Number = 1
        latest, after = node, 0
        for place, child in enumerate(children):
            share = probability(tree, child)
            if share == 0:
                continue
            if window == "slide":
                ceiling = expectation_with_rest_at(total, high, remaining)
                if falls_to(ceiling, alpha):
                    record.cut(node, latest, ceiling, alpha, beta, children[after:])
                    return alpha if hard else ceiling
                floor = expectation_with_rest_at(total, low, remaining)
                if reaches(floor, beta):
                    record.cut(node, latest, floor, alpha, beta, children[after:])
                    return beta if hard else floor
            remaining = normalize_number(remaining - share)
            lower, upper = low, high
            if window == "slide":
                ceiling = expectation_with_rest_at(total, high, remaining)
                floor = expectation_with_rest_at(total, low, remaining)
                lower = max(low, required_value(alpha, ceiling, share))
                upper = min(high, required_value(beta, floor, share))
            elif window == "through":
                lower, upper = alpha, beta
            value = visit(child, lower, upper)
            assert not isinstance(value, float), "a child of a chance node returned an infinite value"
            total = normalize_number(total + share * value)
            record.gather(node, child, total, remaining)
            latest, after = child, place + 1
        return total

    return chance_value


def expectation_with_rest_at(total: Number, limit: Bound, remaining: Number) -> Bound:
    """Return the expectation if all remaining outcomes are worth `limit`; infinity times zero is zero."""
    if remaining == 0:
        return total
    return limit if isinstance(limit, float) else normalize_number(total + limit * remaining)


def required_value(bound: Bound, elsewhere: Bound, share: Number) -> Bound:
    """Return the value with which a child of probability `share` makes the expectation equal `bound`.

    `elsewhere` is the contribution of the other outcomes. If it is infinite, this end of the window is
    open: outcomes without a ceiling can still lift the expectation above any alpha.
    """
    if isinstance(elsewhere, float):
        return -elsewhere
    return bound if isinstance(bound, float) else normalize_number(Fraction(bound - elsewhere) / share)
