"""The depth that a search can reach, by logarithms and level by level: a check of `budget`."""

from decimal import Decimal, localcontext
from fractions import Fraction

from grader.base.numbers import Number, normalize_number
from grader.solvers.budget import Model

DECIMAL_PRECISION = 60


def leaves_in_best_order(branching: int, depth: int) -> int:
    """Count the leaves that alpha-beta visits in perfect order, by node types (Knuth and Moore 1975).

    Below a node of type 1 the first child is of type 1 and the others of type 2; below one of type 2 only
    the first child is visited, of type 3; below one of type 3 all children are, of type 2.
    """
    first = second = third = 1
    for _ in range(depth):
        first, second, third = first + (branching - 1) * second, third, branching * second
    return first


def plies(nodes: int, branching: int, model: Model) -> Decimal:
    """Return the depth at which a power of the branching equals `nodes`; not defined for the exact model."""
    with localcontext(prec=DECIMAL_PRECISION):
        depth = Decimal(nodes).ln() / Decimal(branching).ln()
        return depth if model is Model.MINIMAX else 2 * depth


def depth_by_logarithms(nodes: int, branching: int, model: Model) -> int:
    """Return the largest depth that is searched completely.

    A logarithm within 10^-40 of a whole number is that whole number, because the powers are then equal.
    """
    if model is Model.KNUTH_MOORE:
        depth = 0
        while leaves_in_best_order(branching, depth + 1) <= nodes:
            depth += 1
        return depth
    with localcontext(prec=DECIMAL_PRECISION):
        return int(plies(nodes, branching, model) + Decimal(10) ** -40)


def nearest_by_logarithms(nodes: int, branching: int, model: Model) -> int:
    """Return the depth rounded to whole plies, halves up."""
    with localcontext(prec=DECIMAL_PRECISION):
        return int(plies(nodes, branching, model) + Decimal("0.5") + Decimal(10) ** -40)


def root_by_logarithms(number: int, degree: int, places: int) -> Number:
    """Return the root of a number, rounded to `places` decimals."""
    with localcontext(prec=DECIMAL_PRECISION):
        root = (Decimal(number).ln() / degree).exp() + Decimal(10) ** -40
        return normalize_number(Fraction(round(root.scaleb(places))) * Fraction(1, 10**places))


def exponent_in_digits(number: int) -> int:
    """Return the power of ten of a positive whole number by counting its digits."""
    return len(f"{number:d}") - 1


def natural_exponent(number: int) -> int:
    """Return the power of e of a positive whole number."""
    with localcontext(prec=DECIMAL_PRECISION):
        return int(Decimal(number).ln())
