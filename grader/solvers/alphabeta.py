"""Alpha-beta search of MAX and MIN nodes, in the two forms in which it is printed."""

from operator import ge, gt, le, lt

from grader.base.numbers import INFINITY, Bound
from grader.solvers.solvable import number_at, require_bounds, require_max_and_min
from grader.solvers.trace import Recorder, Search
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree


def value_test(tree: Tree, rules: Rules, *, traced: bool = True) -> Search:
    """Alpha-beta that compares the running value with the window before it updates the window.

    Russell and Norvig, Artificial Intelligence: A Modern Approach, 3rd ed., fig. 5.7
    (the 4th edition updates alpha first and makes the same test).
    With `returns=hard` a node whose value meets the window returns the bound it ran into.
    It starts with the bounds or the window that the rules give, else with an open window.
    Raises `UnknownPayoff` when the search comes to an unknown leaf, `BoundsError` for a payoff outside the
    bounds, `Unsolvable` for chance nodes and several players. Without `traced` the events are left out.
    """
    require_max_and_min(tree)
    require_bounds(tree, rules.bounds)
    reaches, falls_to = (ge, le) if rules.ties == "cut" else (gt, lt)
    hard = rules.returns == "hard"
    record = Recorder(tree, traced)

    def visit(node: int, alpha: Bound, beta: Bound) -> Bound:
        """Search a node with a window, record entering and leaving it, and return its value."""
        record.enter(node, alpha, beta)
        player = tree.players[node]
        value: Bound
        if player is None:
            value = number_at(tree, node)
        elif player is Player.MAX:
            value = max_value(node, alpha, beta)
        else:
            value = min_value(node, alpha, beta)
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

    alpha, beta = rules.root_window
    if not known_at_root(record, tree, rules):
        visit(0, alpha, beta)
    return record.search()


def window_test(tree: Tree, rules: Rules, *, traced: bool = True) -> Search:
    """Alpha-beta that updates the window and then tests whether alpha has met beta.

    The form of lectures and of https://en.wikipedia.org/wiki/Alpha-beta_pruning (fail-soft).
    With `returns=hard` a node whose window closes returns the bound it ran into.
    It starts with the bounds or the window that the rules give, else with an open window.
    Raises `UnknownPayoff` when the search comes to an unknown leaf, `BoundsError` for a payoff outside the
    bounds, `Unsolvable` for chance nodes and several players. Without `traced` the events are left out.
    """
    require_max_and_min(tree)
    require_bounds(tree, rules.bounds)
    meets = ge if rules.ties == "cut" else gt
    hard = rules.returns == "hard"
    record = Recorder(tree, traced)

    def alphabeta(node: int, alpha: Bound, beta: Bound) -> Bound:
        record.enter(node, alpha, beta)
        player = tree.players[node]
        value: Bound
        if player is None:
            value = number_at(tree, node)
        elif player is Player.MAX:
            value = -INFINITY
            children = tree.visiting(node, rules.order)
            for place, child in enumerate(children):
                value = max(value, alphabeta(child, alpha, beta))
                if value > alpha:
                    alpha = value
                    record.update(node, child, "alpha", alpha)
                if meets(alpha, beta):
                    record.cut(node, child, value, alpha, beta, children[place + 1 :])
                    value = beta if hard else value
                    break
        else:
            value = INFINITY
            children = tree.visiting(node, rules.order)
            for place, child in enumerate(children):
                value = min(value, alphabeta(child, alpha, beta))
                if value < beta:
                    beta = value
                    record.update(node, child, "beta", beta)
                if meets(alpha, beta):
                    record.cut(node, child, value, alpha, beta, children[place + 1 :])
                    value = alpha if hard else value
                    break
        record.leave(node, value)
        return value

    alpha, beta = rules.root_window
    if not known_at_root(record, tree, rules):
        alphabeta(0, alpha, beta)
    return record.search()


def known_at_root(record: Recorder, tree: Tree, rules: Rules) -> bool:
    """Return whether equal bounds of the payoffs leave nothing to search; then the root is cut at once."""
    alpha, beta = rules.root_window
    children = tree.visiting(0, rules.order)
    if not children or alpha < beta or (alpha == beta and rules.ties == "keep"):
        return False
    record.enter(0, alpha, beta)
    record.cut(0, 0, alpha, alpha, beta, children)
    record.leave(0, alpha)
    return True
