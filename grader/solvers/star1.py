"""Star1: alpha-beta search of trees in which chance moves too."""

from fractions import Fraction
from operator import ge, gt, le, lt

from grader.base.numbers import INFINITY, Bound, Number, exact
from grader.rules import Rules
from grader.solvers.expectiminimax import probability
from grader.solvers.payoffs import number_at, require_bounds, require_two_players
from grader.solvers.trace import Recorder, Search
from grader.tree import Player, Tree


def star1(tree: Tree, rules: Rules, *, traced: bool = True) -> Search:
    """Alpha-beta that slides the window at chance nodes by the outcomes still to come.

    With window (alpha, beta) at a chance node, expectation `total` gathered so far, a child of
    probability `share`, probability `remaining` behind it, and leaf values within [low, high],
    the child matters only where its value lies between
    `(alpha - total - high * remaining) / share` and `(beta - total - low * remaining) / share`,
    cut to [low, high]. Emptiness is tested before descending, children of probability zero are
    skipped, and the root starts at (low, high). Without bounds low and high are infinite,
    and only the last child of a chance node can get a finite window.

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
    record = Recorder(tree, traced)

    def visit(node: int, alpha: Bound, beta: Bound) -> Bound:
        record.enter(node, alpha, beta)
        player = tree.players[node]
        value: Bound
        if player is None:
            value = number_at(tree, node)
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

    def chance_value(node: int, alpha: Bound, beta: Bound) -> Bound:
        children = tree.visiting(node, rules.order)
        total: Number = 0
        remaining = sum(probability(tree, child) for child in children)
        latest, after = node, 0
        for place, child in enumerate(children):
            share = probability(tree, child)
            if share == 0:
                continue
            ceiling = reach(total, high, remaining)
            if falls_to(ceiling, alpha):
                record.cut(node, latest, ceiling, alpha, beta, children[after:])
                return alpha if hard else ceiling
            floor = reach(total, low, remaining)
            if reaches(floor, beta):
                record.cut(node, latest, floor, alpha, beta, children[after:])
                return beta if hard else floor
            remaining = exact(remaining - share)
            value = visit(
                child,
                max(low, needed(alpha, reach(total, high, remaining), share)),
                min(high, needed(beta, reach(total, low, remaining), share)),
            )
            total = exact(total + share * finite(value))
            record.gather(node, child, total, remaining)
            latest, after = child, place + 1
        return total

    visit(0, low, high)
    return record.search()


def reach(total: Number, limit: Bound, remaining: Number) -> Bound:
    """The expectation when all outcomes still to come are worth `limit`; infinity times zero is zero."""
    if remaining == 0:
        return total
    return limit if isinstance(limit, float) else exact(total + limit * remaining)


def needed(bound: Bound, elsewhere: Bound, share: Number) -> Bound:
    """What a child of probability `share` must be worth for the expectation to meet `bound`.

    `elsewhere` is what the other outcomes contribute. An infinite contribution opens the window
    at its own end: however low alpha is, outcomes without a ceiling can still lift the expectation.
    """
    if isinstance(elsewhere, float):
        return -elsewhere
    return bound if isinstance(bound, float) else exact(Fraction(bound - elsewhere) / share)


def finite(value: Bound) -> Number:
    """The value as a number: what a search returns from below a chance node is never infinite."""
    assert not isinstance(value, float), "a node returned an infinite value"
    return value
