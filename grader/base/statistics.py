"""Statistical tests of equal counts and of groups, and correlation."""

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import islice

from grader.base.numbers import Number

NORMAL_QUANTILE = 1.959963984540054
"""The point that 97.5 % of a normal distribution are below."""


def chi_squared_of_counts(counts: Sequence[int]) -> float:
    """Return Pearson's chi-squared of counts against equal ones (`len(counts) - 1` degrees of freedom).

    If all counts are 0 it is 0.
    """
    total = sum(counts)
    if not total:
        return 0.0
    expected = Fraction(total, len(counts))
    statistic = sum(((count - expected) ** 2 for count in counts), Fraction(0)) / expected
    return statistic.numerator / statistic.denominator


def chi_squared_tail(statistic: float, freedom: int) -> float:
    """Return the probability that a chi-squared variable with these degrees of freedom is >= `statistic`.

    With x = statistic / 2 and a = freedom / 2 that is Q(a, x), which starts at Q(1/2, x) = erfc(sqrt(x))
    or Q(1, x) = exp(-x) and grows by Q(a + 1, x) = Q(a, x) + x^a exp(-x) / Gamma(a + 1):
    NIST Digital Library of Mathematical Functions, 8.8.6. Without degrees of freedom it is 1.
    """
    if freedom < 1 or statistic <= 0:
        return 1.0
    half = statistic / 2
    order = 0.5 if freedom % 2 else 1.0
    tail = math.erfc(math.sqrt(half)) if freedom % 2 else math.exp(-half)
    while order < freedom / 2:
        tail += math.exp(order * math.log(half) - half - math.lgamma(order + 1))
        order += 1
    return min(1.0, tail)


def kruskal_wallis(groups: Sequence[Sequence[Number]]) -> float | None:
    """Return the H of Kruskal and Wallis (1952), corrected for ties; None if all values are equal."""
    values = [value for group in groups for value in group]
    count = len(values)
    ranks = iter(midranks(values))
    sums = [sum(islice(ranks, len(group)), Fraction(0)) for group in groups]
    ties = sum(size**3 - size for size in Counter(values).values())
    correction = 1 - Fraction(ties, count**3 - count)
    if not correction:
        return None
    between = sum(
        (total * total / len(group) for total, group in zip(sums, groups, strict=True)), Fraction(0)
    )
    statistic = (Fraction(12, count * (count + 1)) * between - 3 * (count + 1)) / correction
    return statistic.numerator / statistic.denominator


def kruskal_wallis_test(groups: Sequence[Sequence[Number]]) -> tuple[float | None, float | None]:
    """Return the H of some groups, and how probable one as large is if all have the same distribution.

    Both are None if there are fewer than two groups, or all values are equal.
    """
    statistic = kruskal_wallis(groups) if len(groups) > 1 else None
    return statistic, None if statistic is None else chi_squared_tail(statistic, len(groups) - 1)


def standard_deviation(values: Sequence[Fraction]) -> float:
    """Return the standard deviation of all values there are, not of a sample; 0 for none."""
    if not values:
        return 0.0
    mean = sum(values, Fraction(0)) / len(values)
    return math.sqrt(sum(((value - mean) ** 2 for value in values), Fraction(0)) / len(values))


def correlation(pairs: Sequence[tuple[Fraction, Fraction]]) -> float | None:
    """Return Pearson's correlation; None for fewer than three pairs, or if one side does not vary."""
    count = len(pairs)
    if count < 3:
        return None
    left = sum((pair[0] for pair in pairs), Fraction(0)) / count
    right = sum((pair[1] for pair in pairs), Fraction(0)) / count
    products = sum(((one - left) * (other - right) for one, other in pairs), Fraction(0))
    squares = sum(((one - left) ** 2 for one, _ in pairs), Fraction(0)) * sum(
        ((other - right) ** 2 for _, other in pairs), Fraction(0)
    )
    return products / math.sqrt(squares) if squares else None


def wilson_interval(share: float, count: float) -> tuple[float, float]:
    """Return the 95 % interval of Wilson (1927) for a share that was observed among `count` students.

    It is also valid, and on the safe side, for the mean of numbers from 0 to 1.
    """
    if not count:
        return 0.0, 1.0
    square = NORMAL_QUANTILE**2 / count
    centre = share + square / 2
    margin = NORMAL_QUANTILE * math.sqrt(share * (1 - share) / count + square / (4 * count))
    return max(0.0, (centre - margin) / (1 + square)), min(1.0, (centre + margin) / (1 + square))


def correlation_interval(transformed: float, weight: int) -> tuple[float, float]:
    """Return the 95 % interval of a correlation, given Fisher's z and its weight, the students minus 3."""
    margin = NORMAL_QUANTILE / math.sqrt(weight)
    return math.tanh(transformed - margin), math.tanh(transformed + margin)


def midranks(values: Sequence[Number]) -> list[Fraction]:
    """Return the rank of every value, the smallest being 1; equal values share their mean rank."""
    ordered = sorted(values)
    first = {value: place for place, value in reversed(list(enumerate(ordered, 1)))}
    last = {value: place for place, value in enumerate(ordered, 1)}
    return [Fraction(first[value] + last[value], 2) for value in values]
