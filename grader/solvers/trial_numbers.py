"""For which x something holds, found by trying: with x at every payoff, between two payoffs, and beyond."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise

from grader.base.intervals import Span, Spans, union
from grader.base.numbers import INFINITY, Bound, Number, normalize_number
from grader.trees.tree import Tree


def substitute_unknowns(tree: Tree, numbers: Mapping[str, Number]) -> Tree:
    """The tree with numbers in place of these unknowns."""
    row = [tree.payoffs[leaf] for leaf in tree.leaves]
    told = (numbers.get(payoff, payoff) if isinstance(payoff, str) else payoff for payoff in row)
    return tree.with_payoffs(tuple(payoff or 0 for payoff in told))


def substitute_zeros(tree: Tree) -> Tree:
    """The tree with 0 for every unknown payoff, for what does not depend on them."""
    return (
        substitute_unknowns(tree, {str(tree.payoffs[leaf]): 0 for leaf in tree.unknowns})
        if tree.unknowns
        else tree
    )


def spans_by_trial(tree: Tree, name: str, holds: Callable[[Tree], bool]) -> Spans:
    """The x for which something holds of the tree with x put in.

    It has to hang on the order of the payoffs alone, as everything does that only compares them.
    """
    known = sorted({payoff for payoff in tree.payoffs if isinstance(payoff, int | Fraction)}) or [0]
    found = [Span(x, True, x, True) for x in known if holds(substitute_unknowns(tree, {name: x}))]
    ends: list[Bound] = [-INFINITY, *known, INFINITY]
    between = [normalize_number(Fraction(low + high) / 2) for low, high in pairwise(known)]
    for (low, high), x in zip(pairwise(ends), (known[0] - 1, *between, known[-1] + 1), strict=True):
        if holds(substitute_unknowns(tree, {name: x})):
            found.append(Span(low, False, high, False))
    return union(found)
