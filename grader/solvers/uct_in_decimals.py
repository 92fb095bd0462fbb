"""UCT in decimals, as on a calculator: a second way to its scores, and those of mistaken students."""

from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from grader.base.numbers import Number, normalize_number
from grader.solvers.uct_search import UctRules, visits_and_wins
from grader.trees.tree import Player, Tree

DECIMAL_PRECISION = 50

Formula: TypeAlias = Callable[[Decimal, Decimal, Decimal, Decimal], Decimal]
"""(mean, visits of the child, all visits, c) -> the score; with a negative c what explores is subtracted."""


def uct(mean: Decimal, visits: Decimal, total: Decimal, c: Decimal) -> Decimal:
    """The score as it should be."""
    return mean + c * (total.ln() / visits).sqrt()


def _mean_alone(mean: Decimal, _visits: Decimal, _total: Decimal, _c: Decimal) -> Decimal:
    return mean


MISTAKEN_FORMULAS: Mapping[str, Formula] = {
    "mean-alone": _mean_alone,
    "counts-exchanged": lambda mean, visits, total, c: mean + c * (visits.ln() / total).sqrt(),
    "no-square-root": lambda mean, visits, total, c: mean + c * total.ln() / visits,
    "common-logarithm": lambda mean, visits, total, c: mean + c * (total.log10() / visits).sqrt(),
    "constant-left-out": lambda mean, visits, total, c: uct(mean, visits, total, Decimal(1).copy_sign(c)),
    "exploration-turned": lambda mean, visits, total, c: uct(mean, visits, total, -c),
}
"""What students take for the score, by the names of their beliefs."""


def scores_in_decimals(
    tree: Tree, node: int, rules: UctRules, formula: Formula = uct
) -> tuple[Decimal | None, ...]:
    """The scores of a node's children by a formula; None for one that was never visited."""
    found: list[Decimal | None] = []
    total = visits_and_wins(tree, 0 if rules.total == "all" else node)[0]
    with localcontext(prec=DECIMAL_PRECISION):
        c = _decimal(rules.c_squared).sqrt()
        if takes_lowest(tree, node, rules):
            c = -c
        for child in tree.children[node]:
            visits, wins = visits_and_wins(tree, child)
            if visits:
                mean = _decimal(wins) / visits
                found.append(formula(mean, Decimal(visits), Decimal(total), c))
            else:
                found.append(None)
    return tuple(found)


def rounded_scores(
    tree: Tree, node: int, rules: UctRules, places: int, formula: Formula = uct
) -> tuple[Number, ...]:
    """The scores of children that were all visited, rounded, halves away from zero."""
    found = scores_in_decimals(tree, node, rules, formula)
    unit = Decimal(10) ** -places
    return tuple(
        normalize_number(Fraction((score or Decimal(0)).quantize(unit, ROUND_HALF_UP))) for score in found
    )


def takes_lowest(tree: Tree, node: int, rules: UctRules) -> bool:
    """Whether the player at a node takes the lowest score: MIN, where wins are those of MAX."""
    return rules.wins == "max" and tree.players[node] is Player.MIN


def walk(tree: Tree, choose: Callable[[int], int]) -> int:
    """The node to which a choice at every node leads from the root: a leaf, or one never visited."""
    node = 0
    while tree.children[node] and (node == 0 or visits_and_wins(tree, node)[0]):
        node = choose(node)
    return node


def select_in_decimals(tree: Tree, node: int, rules: UctRules, formula: Formula = uct) -> int:
    """The child that is tried next by a formula; one never visited comes first."""
    children, scores = tree.children[node], scores_in_decimals(tree, node, rules, formula)
    best = 0
    for place, score in enumerate(scores):
        if score is None:
            return children[place]
        ahead = scores[best] or Decimal(0)
        if (score < ahead) if takes_lowest(tree, node, rules) else (score > ahead):
            best = place
    return children[best]


def most_visited(tree: Tree, node: int, _rules: UctRules) -> int:
    """The child with the most visits."""
    return max(tree.children[node], key=lambda child: visits_and_wins(tree, child)[0])


def least_visited(tree: Tree, node: int, _rules: UctRules) -> int:
    """The child with the fewest visits."""
    return min(tree.children[node], key=lambda child: visits_and_wins(tree, child)[0])


def select_visited(tree: Tree, node: int, rules: UctRules) -> int:
    """The child with the best score among those that were visited."""
    return _best_tried(tree, node, rules, takes_lowest(tree, node, rules))


def select_worst_at_min(tree: Tree, node: int, rules: UctRules) -> int:
    """The child that is tried next, but of the scores MIN takes the worst one."""
    if tree.players[node] is not Player.MIN or not all(
        visits_and_wins(tree, child)[0] for child in tree.children[node]
    ):
        return select_in_decimals(tree, node, rules)
    return _best_tried(tree, node, rules, not takes_lowest(tree, node, rules))


def _best_tried(tree: Tree, node: int, rules: UctRules, lowest: bool) -> int:
    pairs = zip(tree.children[node], scores_in_decimals(tree, node, rules), strict=True)
    tried = [(child, score) for child, score in pairs if score is not None]
    if not tried:
        return tree.children[node][0]
    return (min if lowest else max)(tried, key=lambda pair: pair[1])[0]


MISTAKEN_SELECTIONS: Mapping[str, Callable[[Tree, int, UctRules], int]] = {
    "mean-alone": partial(select_in_decimals, formula=_mean_alone),
    "least-tried-first": least_visited,
    "most-tried-first": most_visited,
    "untried-passed-over": select_visited,
    "lowest-for-min": select_worst_at_min,
    "highest-for-min": select_worst_at_min,
}
"""How students choose the next child, by the names of their beliefs."""


def _decimal(number: Number) -> Decimal:
    top, below = Fraction(number).as_integer_ratio()
    return Decimal(top) / Decimal(below)
