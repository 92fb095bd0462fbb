"""The x for which a property holds, by trial: x at every payoff, between two payoffs, and beyond."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise

from grader.base.intervals import Span, Spans, union
from grader.base.numbers import INFINITY, Bound, Number, normalize_number
from grader.trees.tree import Tree


def substitute_unknowns(tree: Tree, numbers: Mapping[str, Number]) -> Tree:
    """Return the tree with numbers in place of these unknowns."""
    payoffs = [tree.payoffs[leaf] for leaf in tree.leaves]
    known = (numbers.get(payoff, payoff) if isinstance(payoff, str) else payoff for payoff in payoffs)
    return tree.with_payoffs(tuple(payoff or 0 for payoff in known))


def substitute_zeros(tree: Tree) -> Tree:
    """Return the tree with 0 for every unknown payoff, for results that do not depend on them."""
    zeros = {str(tree.payoffs[leaf]): 0 for leaf in tree.unknowns}
    return substitute_unknowns(tree, zeros) if zeros else tree


def spans_by_trial(tree: Tree, name: str, holds: Callable[[Tree], bool]) -> Spans:
    """Return the x for which a property holds of the tree with x as the payoff.

    The property must depend only on the order of the payoffs, as every result of comparisons does.
    """
    known = sorted({payoff for payoff in tree.payoffs if isinstance(payoff, int | Fraction)}) or [0]
    spans = [Span(x, True, x, True) for x in known if holds(substitute_unknowns(tree, {name: x}))]
    ends: list[Bound] = [-INFINITY, *known, INFINITY]
    between = [normalize_number(Fraction(low + high) / 2) for low, high in pairwise(known)]
    for (low, high), x in zip(pairwise(ends), (known[0] - 1, *between, known[-1] + 1), strict=True):
        if holds(substitute_unknowns(tree, {name: x})):
            spans.append(Span(low, False, high, False))
    return union(spans)
