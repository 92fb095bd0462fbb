"""UCT: which child a Monte Carlo tree search tries next, and what a result changes on the way back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from math import isqrt
from typing import Literal, TypeAlias

from grader.base.numbers import INFINITY, Bound, Number, normalize_number
from grader.solvers.solvable import Unsolvable, require_no_chance, require_two_players
from grader.trees.tree import Attributes, Player, Tree

PHASES = ("selection", "expansion", "simulation", "backpropagation")
"""What one step of a Monte Carlo tree search does, in this order."""

WinsOf: TypeAlias = Literal["mover", "max"]
Total: TypeAlias = Literal["parent", "all"]


@dataclass(frozen=True, slots=True)
class UctRules:
    """How children are scored.

    - `c_squared`: the square of the constant c that weighs exploration, so that the square root of 2 is
      exact too; not negative.
    - `wins`: wins are counted for the player who moved into the node, at the root for the opponent of who
      moves there (`mover`: every player takes the highest mean + c sqrt(ln N / n)), or for MAX at every
      node (`max`: MIN takes the lowest mean - c sqrt(ln N / n)).
    - `total`: N is the visits of the parent, or of the root: all steps so far.
    """

    c_squared: Number = 2
    wins: WinsOf = "mover"
    total: Total = "parent"

    def __post_init__(self) -> None:
        if self.c_squared < 0:
            raise ValueError("the square of a number is not negative")


@dataclass(frozen=True, slots=True)
class Score:
    """`mean + sign * sqrt(factor * ln total)`, an exact number that is written down in digits only on demand.

    `total` is at least 1. A child never visited has an infinite `mean`.
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
    """Two fractions between which a score lies, no further apart than `10 ** -digits`.

    The logarithm is rounded correctly by `decimal`, its error is carried on exactly; no rounding decides.
    Raises ValueError for the score of a child never visited.
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
    """The square root of a number that is not negative, rounded down, or up, to so many decimal places."""
    scale = 10**digits
    scaled = square.numerator * scale * scale // square.denominator
    return Fraction(isqrt(scaled) + (1 if up else 0), scale)


def compare_scores(one: Score, other: Score) -> int:
    """Minus one, zero or one as the first score is below, equal to or above the second; exact.

    Scores of siblings share `total`. With the same number of visits their means decide. Otherwise the
    difference of two equal scores would make the square root of a logarithm algebraic, which it never is
    (Lindemann), unless the factors are equal or the logarithm is 0; so digits enough tell them apart.
    Raises ValueError for two logarithms of different numbers, which no such law keeps apart.
    """
    known = (one.rational and other.rational) or INFINITY in (abs(one.mean), abs(other.mean))
    if known or (one.sign, one.factor, one.total) == (other.sign, other.factor, other.total):
        return (one.mean > other.mean) - (one.mean < other.mean)
    if one.total != other.total and not one.rational and not other.rational:
        raise ValueError("only scores of siblings are compared")
    digits = 10
    while True:
        low, high = enclose_score(one, digits)
        least, most = enclose_score(other, digits)
        if high < least:
            return -1
        if low > most:
            return 1
        digits *= 2


def round_score(score: Score, places: int) -> Number:
    """The score to so many decimal places, halves away from zero; guaranteed, however close to a half it is.

    Raises ValueError for the score of a child never visited.
    """
    digits = places + 5
    while True:
        low, high = (_nearest(end, places) for end in enclose_score(score, digits))
        if low == high:
            return low
        digits *= 2


def _nearest(number: Fraction, places: int) -> Number:
    scaled = abs(number) * 10**places
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return normalize_number(Fraction(whole if number >= 0 else -whole, 10**places))


def visits_and_wins(tree: Tree, node: int) -> tuple[int, Number]:
    """Visits and wins of a node; both 0 where the tree says nothing."""
    attributes = tree.attributes[node] or Attributes()
    return attributes.visits or 0, attributes.wins or 0


def scores(tree: Tree, node: int, rules: UctRules) -> tuple[Score, ...]:
    """The scores of a node's children, from left to right: UCB1 as in Kocsis and Szepesvári (2006).

    A child never visited is infinitely good. Raises `Unsolvable` for chance nodes, several players,
    leaves, and a node that is to score visited children though nobody has visited it.
    """
    require_two_players(tree)
    require_no_chance(tree)
    player, children = tree.players[node], tree.children[node]
    if player is None:
        raise Unsolvable(f"nobody chooses at {tree.names[node]}")
    total = visits_and_wins(tree, 0 if rules.total == "all" else node)[0]
    lowest = rules.wins == "max" and player is Player.MIN
    sign: Literal[1, -1] = -1 if lowest else 1
    found = []
    for child in children:
        visits, wins = visits_and_wins(tree, child)
        if visits == 0:
            found.append(Score(-INFINITY if lowest else INFINITY, sign, 0, 1))
        elif total < 1:
            raise Unsolvable(f"{tree.names[node]} was never visited, and yet {tree.names[child]} was")
        else:
            factor = normalize_number(Fraction(rules.c_squared) / visits)
            found.append(Score(normalize_number(Fraction(wins) / visits), sign, factor, total))
    return tuple(found)


def select_child(tree: Tree, node: int, rules: UctRules) -> int:
    """The child that is tried next: the first of those never visited, else the first of the best scores."""
    children, found = tree.children[node], scores(tree, node, rules)
    best = 0
    for place in range(1, len(children)):
        if compare_scores(found[place], found[best]) * found[best].sign > 0:
            best = place
    return children[best]


def selection_path(tree: Tree, rules: UctRules) -> tuple[int, ...]:
    """The path of one selection from the root, to a leaf of the tree or a node never visited."""
    path = [0]
    while tree.children[path[-1]] and (path[-1] == 0 or visits_and_wins(tree, path[-1])[0] > 0):
        path.append(select_child(tree, path[-1], rules))
    return tuple(path)


def backpropagate(tree: Tree, path: Sequence[int], result: Number, rules: UctRules) -> Tree:
    """The tree after a playout from the last node of a path, with its result for MAX: 1, 0, or between.

    Every node of the path has one visit more, and the wins that the rules count there: the result
    itself, or 1 - result where they are counted for MIN.
    """
    attributes = list(tree.attributes)
    for node in path:
        visits, wins = visits_and_wins(tree, node)
        gained = result if _counts_for_max(tree, node, rules) else 1 - result
        attributes[node] = replace(
            attributes[node] or Attributes(),
            visits=visits + 1,
            wins=normalize_number(Fraction(wins + gained)),
        )
    return replace(tree, attributes=tuple(attributes))


def _counts_for_max(tree: Tree, node: int, rules: UctRules) -> bool:
    """Whether the wins of a node are those of MAX."""
    if rules.wins == "max":
        return True
    if node == 0:
        return tree.players[0] is Player.MIN
    return tree.players[tree.parents[node]] is Player.MAX


def mean_of_playouts(results: Sequence[Number]) -> Number:
    """The mean of the results of playouts; raises ValueError when there is none."""
    if not results:
        raise ValueError("there is no playout")
    return normalize_number(Fraction(sum(results)) / len(results))
