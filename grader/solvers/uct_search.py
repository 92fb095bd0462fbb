"""UCT: the child that a Monte Carlo tree search tries next, and the backpropagation of a result."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from math import isqrt
from typing import Literal, TypeAlias

from grader.base.numbers import INFINITY, Bound, Number, normalize_number, round_number
from grader.solvers.solvable import Unsolvable, require_max_and_min
from grader.trees.annotations import Attributes
from grader.trees.tree import Player, Tree

PHASES = ("selection", "expansion", "simulation", "backpropagation")
"""The phases of one step of a Monte Carlo tree search, in order."""

WinsOf: TypeAlias = Literal["mover", "max"]
Total: TypeAlias = Literal["parent", "all"]


@dataclass(frozen=True, slots=True)
class UctRules:
    """The rules for the scores of children.

    - `c_squared`: the square of the exploration constant c, so c = sqrt(2) is exact too; at least 0.
    - `wins`: the player whose wins are counted.
      `mover`: the player who moved into the node, at the root the opponent of the player to move; every
      player takes the highest mean + c sqrt(ln N / n).
      `max`: MAX at every node; MIN takes the lowest mean - c sqrt(ln N / n).
    - `total`: N is the number of visits of the parent, or of the root (all steps so far).
    """

    c_squared: Number = 2
    wins: WinsOf = "mover"
    total: Total = "parent"

    def __post_init__(self) -> None:
        if self.c_squared < 0:
            raise ValueError("the square of a number is not negative")


@dataclass(frozen=True, slots=True)
class Score:
    """`mean + sign * sqrt(factor * ln total)`, an exact number that is rounded only on demand.

    `total` is at least 1. An unvisited child has an infinite `mean`.
    """

    mean: Bound
    sign: Literal[1, -1]
    factor: Number
    total: int

    @property
    def rational(self) -> bool:
        """Whether the score is its mean: ln 1 is 0."""
        return self.factor == 0 or self.total == 1 or isinstance(self.mean, float)


def enclose_score(score: Score, digits: int) -> tuple[Fraction, Fraction]:
    """Return a lower and an upper bound of a score, at most `10 ** -digits` apart.

    `decimal` rounds the logarithm correctly, and its error is propagated exactly.
    Raises ValueError for the score of an unvisited child.
    """
    if isinstance(score.mean, float):
        raise ValueError("a child never visited has no finite score")
    mean = Fraction(score.mean)
    if score.rational:
        return mean, mean
    precision = digits + 10
    while True:
        with localcontext(prec=precision, rounding=ROUND_HALF_EVEN):
            logarithm = Decimal(score.total).ln()
            slack = Fraction(1, 10 ** (precision - logarithm.adjusted() - 2))
        square = Fraction(logarithm) * score.factor
        error = slack * score.factor
        low, high = _root(square - error, precision), _root(square + error, precision, up=True)
        if high - low <= Fraction(1, 10**digits):
            return (mean + low, mean + high) if score.sign == 1 else (mean - high, mean - low)
        precision *= 2


def _root(square: Fraction, digits: int, *, up: bool = False) -> Fraction:
    """Return the square root of a number of at least 0, rounded down, or up, to `digits` decimals."""
    scale = 10**digits
    scaled = square.numerator * scale * scale // square.denominator
    return Fraction(isqrt(scaled) + (1 if up else 0), scale)


def compare_scores(one: Score, other: Score) -> int:
    """Return -1, 0 or 1 as the first score is below, equal to or above the second; exact.

    1. If both scores are rational, a child is unvisited, or both have the same number of visits, the means
       decide.
    2. Else the scores of siblings differ: equal scores would make the square root of a logarithm algebraic,
       which is impossible (Lindemann). So enough digits separate them.

    Raises ValueError for logarithms of different numbers, to which rule 2 does not apply.
    """
    is_decided_by_means = (one.rational and other.rational) or INFINITY in (abs(one.mean), abs(other.mean))
    if is_decided_by_means or (one.sign, one.factor, one.total) == (other.sign, other.factor, other.total):
        return (one.mean > other.mean) - (one.mean < other.mean)
    if one.total != other.total and not one.rational and not other.rational:
        raise ValueError("only scores of siblings are compared")
    digits = 10
    while True:
        low, high = enclose_score(one, digits)
        other_low, other_high = enclose_score(other, digits)
        if high < other_low:
            return -1
        if low > other_high:
            return 1
        digits *= 2


def round_score(score: Score, places: int) -> Number:
    """Return the score rounded to `places` decimals, halves away from zero; always correct, even near a half.

    Raises ValueError for the score of an unvisited child.
    """
    digits = places + 5
    while True:
        low, high = (round_number(end, places) for end in enclose_score(score, digits))
        if low == high:
            return low
        digits *= 2


def visits_and_wins(tree: Tree, node: int) -> tuple[int, Number]:
    """Return visits and wins of a node; both are 0 if the tree does not give them."""
    attributes = tree.attributes[node] or Attributes()
    return attributes.visits or 0, attributes.wins or 0


def scores(tree: Tree, node: int, rules: UctRules) -> tuple[Score, ...]:
    """Return the scores of a node's children, from left to right: UCB1 as in Kocsis and Szepesvári (2006).

    An unvisited child is infinitely good. Raises `Unsolvable` for chance nodes, several players, leaves,
    and an unvisited node with visited children.
    """
    require_max_and_min(tree)
    player, children = tree.players[node], tree.children[node]
    if player is None:
        raise Unsolvable("nobody chooses at {node}", node=tree.names[node])
    total = visits_and_wins(tree, 0 if rules.total == "all" else node)[0]
    takes_lowest = rules.wins == "max" and player is Player.MIN
    sign: Literal[1, -1] = -1 if takes_lowest else 1
    result = []
    for child in children:
        visits, wins = visits_and_wins(tree, child)
        if visits == 0:
            result.append(Score(sign * INFINITY, sign, 0, 1))
        elif total < 1:
            raise Unsolvable(
                "{node} was never visited, and yet {child} was",
                node=tree.names[node],
                child=tree.names[child],
            )
        else:
            factor = normalize_number(Fraction(rules.c_squared) / visits)
            result.append(Score(normalize_number(Fraction(wins) / visits), sign, factor, total))
    return tuple(result)


def select_child(tree: Tree, node: int, rules: UctRules) -> int:
    """Return the child that is tried next: the first unvisited one, else the first with the best score."""
    pairs = list(zip(tree.children[node], scores(tree, node, rules), strict=True))
    best_child, best = pairs[0]
    for child, score in pairs[1:]:
        if compare_scores(score, best) * best.sign > 0:
            best_child, best = child, score
    return best_child


def selection_path(tree: Tree, rules: UctRules) -> tuple[int, ...]:
    """Return the path of one selection from the root to a leaf of the tree or an unvisited node."""
    path = [0]
    while tree.children[path[-1]] and (path[-1] == 0 or visits_and_wins(tree, path[-1])[0] > 0):
        path.append(select_child(tree, path[-1], rules))
    return tuple(path)


def backpropagate(tree: Tree, path: Sequence[int], result: Number, rules: UctRules) -> Tree:
    """Return the tree after a playout from the last node of a path; `result` is between 0 and 1, for MAX.

    Every node of the path gets one more visit, and the result as wins; 1 - result if the rules count the
    wins of MIN there.
    """
    attributes = list(tree.attributes)
    for node in path:
        visits, wins = visits_and_wins(tree, node)
        gain = result if _counts_for_max(tree, node, rules) else 1 - result
        attributes[node] = replace(
            attributes[node] or Attributes(),
            visits=visits + 1,
            wins=normalize_number(Fraction(wins + gain)),
        )
    return replace(tree, attributes=tuple(attributes))


def _counts_for_max(tree: Tree, node: int, rules: UctRules) -> bool:
    """Return whether the wins of a node are those of MAX."""
    if rules.wins == "max":
        return True
    if node == 0:
        return tree.players[0] is Player.MIN
    return tree.players[tree.parents[node]] is Player.MAX


def mean_of_playouts(results: Sequence[Number]) -> Number:
    """Return the mean of the results of playouts; raises ValueError if there are none."""
    if not results:
        raise ValueError("there is no playout")
    return normalize_number(Fraction(sum(results)) / len(results))
