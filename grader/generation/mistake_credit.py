"""The marks that the answers of mistaken searches earn, of many trees at once in arrays."""

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from grader.answers.form import Terms
from grader.answers.order import forced_prefix_length
from grader.generation.candidate_search import Column
from grader.generation.candidates import Block
from grader.generation.limits import beliefs_apart_from_key
from grader.generation.recipe import Recipe
from grader.solvers.mistaken_search import MISCONCEPTIONS, Misconception
from grader.trees.tree import Tree

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Flags: TypeAlias = NDArray[numpy.bool_]
    Counts: TypeAlias = NDArray[numpy.int64]


@lru_cache(maxsize=64)
def batch_measured_beliefs(recipe: Recipe) -> tuple[str, ...]:
    """Return the beliefs whose marks are measured of many trees at once: those about the search.

    The others are measured tree by tree (`grader.generation.separation`).
    """
    kind = recipe.question_kind
    if not kind.visits_shown or kind.draw is not None:
        return ()
    excluded = ("right-to-left",) if kind.visits_shown == "order" else ()
    return tuple(
        name for name in beliefs_apart_from_key(recipe) if name in MISCONCEPTIONS and name not in excluded
    )


def mistake_gains(
    recipe: Recipe, block: Block, names: tuple[str, ...], visited: "Flags"
) -> "tuple[Counts, Counts]":
    """Return the gains of mistaken searches, mistakes by trees, and the full mark of each tree.

    `visited` has the visits of the correct search, nodes by trees.
    """
    import numpy

    wrong = numpy.empty((len(visited), len(names), visited.shape[1]), numpy.bool_)
    misconceptions = [MISCONCEPTIONS[name] for name in names]
    # Those that search the same tree by the same rules are searched together.
    plain = [
        index
        for index, each in enumerate(misconceptions)
        if not (each.change_tree or each.change_rules or each.change_payoff)
    ]
    single = [[index] for index in range(len(misconceptions)) if index not in plain]
    for indices in filter(None, (plain, *single)):
        wrong[:, indices] = _mistaken_visits(recipe, block, [misconceptions[index] for index in indices])
    return gains_of_visits(recipe, block.skeleton, visited, wrong)


def _mistaken_visits(recipe: Recipe, block: Block, misconceptions: list[Misconception]) -> "Flags":
    """Return the visits of mistaken searches that all take tree, payoffs and rules alike."""
    from grader.solvers.lockstep import lockstep
    from grader.solvers.lockstep_mistakes import lockstep_search_with_mistakes
    from grader.solvers.mistaken_search import Mistake

    view, parts = misconceptions[0], block.payoffs.denominator
    tree = block.skeleton if view.change_tree is None else view.change_tree(block.skeleton)
    rules = recipe.rules if view.change_rules is None else view.change_rules(recipe.rules)
    payoffs = block.places if not (tree.has_chance or view.change_payoff) else block.numbers
    if view.change_payoff is not None:
        payoffs = view.change_payoff(payoffs)
    mistakes = [each.mistake for each in misconceptions]
    if mistakes == [Mistake()] and not tree.has_chance:
        return lockstep(tree, payoffs, rules).visited[:, None]
    return lockstep_search_with_mistakes(tree, payoffs, rules, mistakes, parts)


def gains_of_visits(recipe: Recipe, tree: Tree, visited: "Flags", wrong: "Flags") -> "tuple[Counts, Counts]":
    """Return the gains of the answers read off wrong visits, and the full marks."""
    import numpy

    leaves = list(tree.leaves)
    match recipe.question_kind.visits_shown:
        case "leaves":
            return _of_sets(~visited[leaves], ~wrong[leaves], recipe.question)
        case "branches":
            above = list(tree.parents[1:])
            # Crossing out a branch below one of the key is correct.
            crossed = wrong[above] & ~wrong[1:] & visited[above][:, None]
            return _of_sets(visited[above] & ~visited[1:], crossed, recipe.question)
        case "order":
            return _of_orders(recipe, tree, visited, wrong)
        case _:
            counts, others = visited[leaves].sum(axis=0), wrong[leaves].sum(axis=0)
            return (others == counts).astype(numpy.int64), numpy.ones(len(counts), numpy.int64)


def _of_sets(right: "Flags", wrong: "Flags", terms: Terms) -> "tuple[Counts, Counts]":
    """Credit sets as `grader.answers.policies.share` does.

    `right` has items by trees, `wrong` items by mistakes by trees.
    """
    import numpy

    size, key = len(right), right.sum(axis=0, dtype=numpy.int64)
    off = (wrong != right[:, None]).sum(axis=0, dtype=numpy.int64)
    lost = off
    match terms.policy.name:
        case "exact":
            whole = numpy.ones_like(key)
        case "net":
            whole = key
        case "each":
            whole = size - numpy.maximum(key, size - key)
        case "deduct":
            points, each = Fraction(terms.points), Fraction(terms.policy.deduction)
            whole = numpy.full_like(key, points.numerator * each.denominator)
            lost = off * each.numerator * points.denominator
    whole = numpy.maximum(whole, 1)
    return numpy.where(off == 0, whole, numpy.maximum(whole - lost, 0) * (lost > 0)), whole


def _of_orders(recipe: Recipe, tree: Tree, visited: "Flags", wrong: "Flags") -> "tuple[Counts, Counts]":
    """Credit orders as `grader.answers.order.share` does, up to the first mistake."""
    import numpy

    leaves = list(tree.leaves if recipe.rules.order == "left-to-right" else tree.leaves[::-1])
    right, other = visited[leaves], wrong[leaves]
    differs = other != right[:, None]
    same = ~differs.any(axis=0)
    before = numpy.concatenate([numpy.zeros_like(right[:1], numpy.int64), right.cumsum(axis=0)])
    prefix = numpy.take_along_axis(before, differs.argmax(axis=0), axis=0)
    certain = forced_prefix_length(tree, recipe.rules.order)
    whole = numpy.maximum(before[-1] - certain, 1)
    prefix = numpy.maximum(numpy.minimum(prefix, before[-1] - 1) - certain, 0)
    return numpy.where(same, whole, prefix), whole


def excess_per_mille(recipe: Recipe, names: tuple[str, ...], gain: "Counts", whole: "Counts") -> Column:
    """Return the excess of each mistake in thousandths of the mark; a full mark adds `FULL_MARK_WEIGHT`."""
    import numpy

    limit = Fraction(recipe.separate.most)
    mild = numpy.array([name in recipe.separate.mild for name in names], numpy.bool_)[:, None]
    excess = gain * limit.denominator - whole * limit.numerator
    per_mille = numpy.where(mild, 0, -(-1000 * excess // (limit.denominator * whole)))
    return numpy.maximum(per_mille, 0) + FULL_MARK_WEIGHT * (gain >= whole)


FULL_MARK_WEIGHT = 10_000
"""The penalty for a full mark, in addition to one for each thousandth above the limit."""
