"""The depth that a search can reach in a given time, in exact whole numbers."""

from collections.abc import Callable
from enum import StrEnum
from fractions import Fraction

from grader.base.numbers import Number, normalize_number, round_number
from grader.solvers.move_ordering import fewest_leaves


class Model(StrEnum):
    """The number of leaves that a search of depth d visits if every position has b moves, by its formula."""

    MINIMAX = "b^d"
    HALF_DEPTH = "b^(d/2)"
    """Alpha-beta in perfect order, as lectures put it."""
    KNUTH_MOORE = "b^⌈d/2⌉ + b^⌊d/2⌋ − 1"
    """Alpha-beta in perfect order, exactly (Knuth and Moore 1975)."""


def affordable_nodes(seconds: Number, rate: Number) -> int:
    """Return the number of nodes that can be searched in this time; `rate` is in nodes per second."""
    return int(Fraction(seconds) * Fraction(rate))


def fits_budget(nodes: int, branching: int, depth: int, model: Model) -> bool:
    """Return whether a search of this depth visits at most `nodes` leaves; exact, also for odd depths."""
    leaves = fewest_leaves(branching, depth) if model is Model.KNUTH_MOORE else branching**depth
    return leaves <= (nodes**2 if model is Model.HALF_DEPTH else nodes)


def depth_reached(nodes: int, branching: int, model: Model) -> int:
    """Return the largest depth that is searched completely.

    Raises ValueError for fewer than two moves, because then no depth is the largest, and for no nodes.
    """
    if branching < 2 or nodes < 1:
        raise ValueError("there are at least two moves and one node")
    depth = 0
    while fits_budget(nodes, branching, depth + 1, model):
        depth += 1
    return depth


def rounded_depth(nodes: int, branching: int, model: Model, places: int = 0) -> Number:
    """Return the depth at which a search visits exactly `nodes` leaves, rounded to `places` decimals.

    A million nodes with 35 moves give 7.77 plies under b^(d/2): about 8, as lectures say, but only 7 are
    searched completely. Raises ValueError for `Model.KNUTH_MOORE`, which is defined at whole depths only, for
    more than two decimals, for fewer than two moves, and for no nodes.
    """
    if model is Model.KNUTH_MOORE or not 0 <= places <= 2 or branching < 2 or nodes < 1:
        raise ValueError("only powers have a depth in digits, of at most two places")
    scale = 2 * 10**places
    power = scale if model is Model.MINIMAX else 2 * scale
    # Powers of whole numbers are exact: b^depth <= nodes^(1 or 2), both to the power of the scale.
    return _in_digits(lambda depth: bool(branching ** int(depth * scale) <= nodes**power), places)


def rounded_root(number: Number, degree: int, places: int = 0) -> Number:
    """Return the root of a number of at least 0, rounded to `places` decimals, halves up.

    With leaves and a depth it is the effective branching: perfect ordering reduces that of chess from 35
    to about 6. Raises ValueError for a negative number or a degree below 1.
    """
    if number < 0 or degree < 1:
        raise ValueError("roots are taken of numbers that are not negative")
    return _in_digits(lambda root: root**degree <= number, places)


def tree_nodes(branching: int, depth: int) -> int:
    """Return the number of nodes of a uniform tree: 1 + b + ... + b^depth."""
    return sum(branching**ply for ply in range(depth + 1))


def scientific(number: int, digits: int = 1) -> tuple[Number, int]:
    """Return the mantissa, rounded to `digits` digits, and the power of ten of a positive whole number.

    35^80 is 3.35 times 10^123, 361! is 1.44 times 10^768. Raises ValueError for a number below 1.
    """
    if number < 1 or digits < 1:
        raise ValueError("only positive whole numbers have a power of ten")
    exponent = _largest(lambda power: bool(10**power <= number))
    mantissa = round_number(Fraction(number, 10**exponent), digits - 1)
    return (1, exponent + 1) if mantissa == 10 else (mantissa, exponent)


def _in_digits(holds: Callable[[Fraction], bool], places: int) -> Number:
    """Return the number up to which `holds` is true, rounded to `places` decimals, halves up."""
    scale = 10**places
    return normalize_number(Fraction(_largest(lambda k: holds(Fraction(2 * k - 1, 2 * scale))), scale))


def _largest(holds: Callable[[int], bool]) -> int:
    """Return the largest whole number for which `holds` is true; it is also true for all smaller ones."""
    high = 1
    while holds(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
