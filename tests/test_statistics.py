"""The statistics of the package against printed tables and examples worked out by hand."""

import math
from fractions import Fraction

import pytest

from grader.base.statistics import (
    chi_squared_of_counts,
    chi_squared_tail,
    correlation,
    kruskal_wallis,
    kruskal_wallis_test,
)


@pytest.mark.parametrize(
    ("freedom", "five", "one"),
    [
        (1, 3.841, 6.635),
        (2, 5.991, 9.210),
        (3, 7.815, 11.345),
        (5, 11.070, 15.086),
        (10, 18.307, 23.209),
        (20, 31.410, 37.566),
        (25, 37.652, 44.314),
        (30, 43.773, 50.892),
        (100, 124.342, 135.807),
    ],
)
def test_chi_squared_tails_are_those_of_the_tables(freedom: int, five: float, one: float) -> None:
    """The upper points at 5 % and 1 % are those of Pearson and Hartley, Biometrika Tables, table 8."""
    assert chi_squared_tail(five, freedom) == pytest.approx(0.05, abs=2e-5)
    assert chi_squared_tail(one, freedom) == pytest.approx(0.01, abs=2e-5)


def test_far_tails_keep_their_digits() -> None:
    """With two degrees of freedom the tail is an exponential, also where it is all but nothing."""
    for statistic in (0.001, 1.0, 80.0, 400.0):
        assert chi_squared_tail(statistic, 2) == pytest.approx(math.exp(-statistic / 2), rel=1e-12)
    assert chi_squared_tail(0.0, 4) == 1
    assert chi_squared_tail(5.0, 0) == 1
    assert chi_squared_tail(1e9, 7) == 0


def test_unevenness_is_pearsons() -> None:
    """Equal counts and no counts have 0; a die that falls 5, 8, 9, 8, 10, 20 times in 60 has 13.4."""
    assert chi_squared_of_counts([50, 50, 50]) == chi_squared_of_counts([0, 0]) == 0
    # Squared distances from 10: 25 + 4 + 1 + 4 + 0 + 100 = 134.
    assert chi_squared_of_counts([5, 8, 9, 8, 10, 20]) == pytest.approx(13.4)


def test_ranks_are_compared_as_kruskal_and_wallis_do() -> None:
    """H is that of the rank sums, and there is none where all values are alike."""
    # Ranks 1 2 3, 4 5 6, 7 8 9: rank sums 6, 15, 24, H = 12/90 * 279 - 30 = 7.2.
    assert kruskal_wallis([[1, 2, 3], [4, 5, 6], [7, 8, 9]]) == pytest.approx(7.2)
    # Ranks 1.5 1.5, 3 4: sums 3 and 7, H = 12/20 * 29 - 15 = 2.4, over 1 - 6/60 for the tie.
    assert kruskal_wallis([[1, 1], [2, 3]]) == pytest.approx(2.4 / 0.9)
    assert kruskal_wallis([[1, 1], [1, 1]]) is None
    assert kruskal_wallis_test([[1, 2, 3], [4, 5, 6], [7, 8, 9]])[1] == pytest.approx(math.exp(-7.2 / 2))
    assert kruskal_wallis_test([[1, 2, 3]]) == kruskal_wallis_test([[1, 1], [1, 1]]) == (None, None)


def test_correlation_is_pearsons() -> None:
    """It is 1 and -1 on lines, and none for two pairs or where one side does not vary."""
    pairs = [(Fraction(x), Fraction(2 * x + 1)) for x in range(4)]
    assert correlation(pairs) == pytest.approx(1)
    assert correlation([(x, -y) for x, y in pairs]) == pytest.approx(-1)
    assert correlation([(x, Fraction(1)) for x, _ in pairs]) is None
    assert correlation(pairs[:2]) is None
