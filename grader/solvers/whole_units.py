"""Whole numbers for searches of many trees of one shape: payoffs, bounds and probabilities in units."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm

from grader.base.numbers import Number
from grader.solvers.expectiminimax import probability
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree


@dataclass(frozen=True, slots=True)
class WholeUnits:
    """Whole numbers in place of fractions: every payoff, bound and expectation is a multiple of `1 / unit`.

    - `shares`: the probabilities, aligned with the nodes, as multiples of `1 / whole`.
    - `bounds`, `root_window`: those of the rules in units; None if there are none.
    """

    unit: int
    whole: int
    shares: tuple[int, ...]
    bounds: tuple[int, int] | None
    root_window: tuple[int, int] | None


@lru_cache(maxsize=64)
def whole_units(tree: Tree, rules: Rules, denominator: int) -> WholeUnits:
    """Return the units for a search of trees of this shape with payoffs in `1 / denominator`."""
    shares, draws = [Fraction(1)] * len(tree), [0] * len(tree)
    for node in range(1, len(tree)):
        parent = tree.parents[node]
        by_chance = tree.players[parent] is Player.CHANCE
        shares[node] = Fraction(probability(tree, node)) if by_chance else Fraction(1)
        draws[node] = draws[parent] + by_chance
    whole = lcm(*(share.denominator for share in shares))
    ends = (*(rules.bounds or ()), *(rules.window or ()))
    unit = lcm(denominator, *(Fraction(end).denominator for end in ends)) * whole ** max(draws)

    def in_units(low: Number | float, high: Number | float) -> tuple[int, int]:
        return int(low * unit), int(high * unit)

    return WholeUnits(
        unit,
        whole,
        tuple(int(share * whole) for share in shares),
        None if rules.bounds is None else in_units(*rules.bounds),
        in_units(*rules.root_window) if rules.narrows_root else None,
    )
