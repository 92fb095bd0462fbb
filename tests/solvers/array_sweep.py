"""The sweep by arrays, of a tree as it is read."""

from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.base.numbers import INFINITY, Bound, Number, normalize_number
from grader.solvers.integers import Integers
from grader.solvers.levels import read_levels, sweep_levels
from grader.solvers.solvable import number_at
from grader.solvers.sweep import Sweep
from grader.trees.rules import Rules
from grader.trees.tree import Tree

ROOM = 2**62
"""Payoffs read from a tree stay below it, far from the extremes of int64."""


def array_sweep(tree: Tree, rules: Rules) -> Sweep | None:
    """Return the result of `grader.solvers.sweep.sweep`, by arrays; None if the payoffs do not fit.

    Fractions are scaled by their common denominator and scaled back; when that, or a payoff times
    it, leaves 62 bits, only plain Python is exact. Raises what `sweep` raises.
    """
    levels = read_levels(tree, rules.order)
    whole = _whole([number_at(tree, leaf) for leaf in tree.leaves])
    if whole is None:
        return None
    payoffs, scale = whole
    found = sweep_levels(levels, payoffs, rules.ties)
    extremes = np.iinfo(found.values.dtype)

    def in_preorder(column: NDArray[Any]) -> list[Any]:
        ordered = np.empty_like(column)
        ordered[levels.nodes] = column
        return list(ordered.tolist())

    def numbers(column: Integers) -> list[Number]:
        scaled = in_preorder(column)
        return [normalize_number(Fraction(number, scale)) for number in scaled] if scale > 1 else [*scaled]

    def bounds(column: Integers) -> tuple[Bound, ...]:
        ends = {
            normalize_number(Fraction(int(extremes.min), scale)): -INFINITY,
            normalize_number(Fraction(int(extremes.max), scale)): INFINITY,
        }
        return tuple(ends.get(number, number) for number in numbers(column))

    return Sweep(
        values=tuple(numbers(found.values)),
        alphas=bounds(found.alphas),
        betas=bounds(found.betas),
        visited=tuple(in_preorder(found.visited)),
    )


def _whole(payoffs: list[Number]) -> tuple[Integers, int] | None:
    """The payoffs times their common denominator, and that denominator; None when they grow too large."""
    scale = 1
    for payoff in payoffs:
        scale = lcm(scale, payoff.denominator)
        if scale >= ROOM or not -ROOM < payoff < ROOM:
            return None
    scaled = [int(payoff * scale) for payoff in payoffs]
    return (np.array(scaled, dtype=np.int64), scale) if max(abs(number) for number in scaled) < ROOM else None
