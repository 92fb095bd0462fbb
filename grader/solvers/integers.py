"""Integer types for the sweeps over arrays of payoffs."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.signedinteger[Any]]
"""Payoffs, values or bounds; the extremes of the type stand for the infinities."""


def to_narrowest_type(payoffs: Integers, *ends: int) -> Integers:
    """Copy payoffs to the narrowest signed type in which they and `ends` leave both extremes unused.

    Sweeps are bound by memory, so the narrowest type is the fastest.
    Raises ValueError for a payoff at the extremes of int64.
    """
    numbers = (*ends, int(payoffs.min()), int(payoffs.max())) if payoffs.size else (0, *ends)
    lowest, highest = min(numbers), max(numbers)
    for narrow in (np.int8, np.int16, np.int32, np.int64):
        if np.iinfo(narrow).min < lowest and highest < np.iinfo(narrow).max:
            return payoffs.astype(narrow, order="C")
    raise ValueError("a payoff lies at the extremes of int64, which stand for the infinities")
