"""What a search can afford, by other ways than `budget`: logarithms, and levels counted one by one."""

from decimal import Decimal, localcontext
from fractions import Fraction

from grader.base.numbers import Number, normalize_number
from grader.solvers.budget import Model

DECIMAL_PRECISION = 60


def leaves_in_best_order(branching: int, depth: int) -> int:
    """How many leaves alpha-beta visits in perfect order, by the types of nodes (Knuth and Moore 1975).

    Below a node of type 1 the first child is of type 1 and the others of type 2; below one of type 2 only
    the first child is visited, of type 3; below one of type 3 all children are, of type 2.
    """
    first = second = third = 1
    for _ in range(depth):
        first, second, third = first + (branching - 1) * second, third, branching * second
    return first


def plies(nodes: int, branching: int, model: Model) -> Decimal:
    """The depth at which a power of the branching comes to so many nodes; of the exact model no such is."""
    with localcontext(prec=DECIMAL_PRECISION):
        depth = Decimal(nodes).ln() / Decimal(branching).ln()
        return depth if model is Model.MINIMAX else 2 * depth


def depth_by_logarithms(nodes: int, branching: int, model: Model) -> int:
    """The largest depth that is searched completely.

    A logarithm that is too close to a whole number to tell is a whole one, for the powers are equal then.
    """
    if model is Model.KNUTH_MOORE:
        depth = 0
        while leaves_in_best_order(branching, depth + 1) <= nodes:
            depth += 1
        return depth
    with localcontext(prec=DECIMAL_PRECISION):
        return int(plies(nodes, branching, model) + Decimal(10) ** -40)


def nearest_by_logarithms(nodes: int, branching: int, model: Model) -> int:
    """The depth rounded to whole plies, halves up."""
    with localcontext(prec=DECIMAL_PRECISION):
        return int(plies(nodes, branching, model) + Decimal("0.5") + Decimal(10) ** -40)


def root_by_logarithms(number: int, degree: int, places: int) -> Number:
    """The root of a number, rounded to so many decimals."""
    with localcontext(prec=DECIMAL_PRECISION):
        root = (Decimal(number).ln() / degree).exp() + Decimal(10) ** -40
        return normalize_number(Fraction(round(root.scaleb(places))) * Fraction(1, 10**places))


def exponent_in_digits(number: int) -> int:
    """The power of ten that a positive whole number has, counted in its digits."""
    return len(f"{number:d}") - 1


def natural_exponent(number: int) -> int:
    """The power of e that it has."""
    with localcontext(prec=DECIMAL_PRECISION):
        return int(Decimal(number).ln())
