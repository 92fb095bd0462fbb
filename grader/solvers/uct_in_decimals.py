"""UCT in decimals, as on a calculator: a second algorithm for the scores, and common mistakes."""

from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from grader.base.numbers import Number, normalize_number
from grader.solvers.uct_search import UctRules, visits_and_wins
from grader.trees.tree import Player, Tree

SCORE_PRECISION = 50

Formula: TypeAlias = Callable[[Decimal, Decimal, Decimal, Decimal], Decimal]
"""(mean, visits of the child, all visits, c) -> score; a negative c subtracts the exploration term."""


def uct(mean: Decimal, visits: Decimal, total: Decimal, c: Decimal) -> Decimal:
    """Return the correct score."""
    return mean + c * (total.ln() / visits).sqrt()


MISTAKEN_FORMULAS: Mapping[str, Formula] = {
    "mean-alone": lambda mean, _visits, _total, _c: mean,
    "counts-exchanged": lambda mean, visits, total, c: mean + c * (visits.ln() / total).sqrt(),
    "no-square-root": lambda mean, visits, total, c: mean + c * total.ln() / visits,
    "common-logarithm": lambda mean, visits, total, c: mean + c * (total.log10() / visits).sqrt(),
    "constant-left-out": lambda mean, visits, total, c: uct(mean, visits, total, Decimal(1).copy_sign(c)),
    "exploration-turned": lambda mean, visits, total, c: uct(mean, visits, total, -c),
}
"""Incorrect formulas for the score, by the name of the belief."""


def scores_in_decimals(
    tree: Tree, node: int, rules: UctRules, formula: Formula = uct
) -> tuple[Decimal | None, ...]:
    """Return the scores of a node's children by a formula; None for an unvisited child."""
    scores: list[Decimal | None] = []
    total = visits_and_wins(tree, 0 if rules.total == "all" else node)[0]
    with localcontext(prec=SCORE_PRECISION):
        c = _decimal(rules.c_squared).sqrt()
        if takes_lowest(tree, node, rules):
            c = -c
        for child in tree.children[node]:
            visits, wins = visits_and_wins(tree, child)
            mean = _decimal(wins) / visits if visits else None
            scores.append(None if mean is None else formula(mean, Decimal(visits), Decimal(total), c))
    return tuple(scores)


def rounded_scores(
    tree: Tree, node: int, rules: UctRules, places: int, formula: Formula = uct
) -> tuple[Number, ...]:
    """Return the rounded scores of children that were all visited, halves away from zero."""
    unit = Decimal(10) ** -places
    return tuple(
        normalize_number(Fraction((score or Decimal(0)).quantize(unit, ROUND_HALF_UP)))
        for score in scores_in_decimals(tree, node, rules, formula)
    )


def takes_lowest(tree: Tree, node: int, rules: UctRules) -> bool:
    """Return whether the player at a node takes the lowest score: MIN, if wins are those of MAX."""
    return rules.wins == "max" and tree.players[node] is Player.MIN


def walk(tree: Tree, choose: Callable[[int], int]) -> int:
    """Follow a choice at every node from the root to a leaf or an unvisited node."""
    node = 0
    while tree.children[node] and (node == 0 or visits_and_wins(tree, node)[0]):
        node = choose(node)
    return node


def select_in_decimals(tree: Tree, node: int, rules: UctRules, formula: Formula = uct) -> int:
    """Return the child that is tried next by a formula; an unvisited child comes first."""
    children, scores = tree.children[node], scores_in_decimals(tree, node, rules, formula)
    best = 0
    for place, score in enumerate(scores):
        if score is None:
            return children[place]
        best_score = scores[best] or Decimal(0)
        if (score < best_score) if takes_lowest(tree, node, rules) else (score > best_score):
            best = place
    return children[best]


def select_visited(tree: Tree, node: int, rules: UctRules) -> int:
    """Return the visited child with the best score."""
    return _best_visited(tree, node, rules, takes_lowest(tree, node, rules))


def select_worst_at_min(tree: Tree, node: int, rules: UctRules) -> int:
    """Return the child that is tried next if MIN takes the worst score."""
    if tree.players[node] is not Player.MIN or not all(
        visits_and_wins(tree, child)[0] for child in tree.children[node]
    ):
        return select_in_decimals(tree, node, rules)
    return _best_visited(tree, node, rules, not takes_lowest(tree, node, rules))


def _best_visited(tree: Tree, node: int, rules: UctRules, lowest: bool) -> int:
    """Return the visited child with the best score; the first child if none was visited."""
    pairs = zip(tree.children[node], scores_in_decimals(tree, node, rules), strict=True)
    visited = [(child, score) for child, score in pairs if score is not None]
    if not visited:
        return tree.children[node][0]
    return (min if lowest else max)(visited, key=lambda pair: pair[1])[0]


MISTAKEN_SELECTIONS: Mapping[str, Callable[[Tree, int, UctRules], int]] = {
    "mean-alone": partial(select_in_decimals, formula=MISTAKEN_FORMULAS["mean-alone"]),
    "least-tried-first": lambda tree, node, _rules: min(
        tree.children[node], key=lambda child: visits_and_wins(tree, child)[0]
    ),
    "most-tried-first": lambda tree, node, _rules: max(
        tree.children[node], key=lambda child: visits_and_wins(tree, child)[0]
    ),
    "untried-passed-over": select_visited,
    "lowest-for-min": select_worst_at_min,
    "highest-for-min": select_worst_at_min,
}
"""Incorrect choices of the next child, by the name of the belief."""


def _decimal(number: Number) -> Decimal:
    numerator, denominator = Fraction(number).as_integer_ratio()
    return Decimal(numerator) / Decimal(denominator)
