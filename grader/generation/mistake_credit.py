"""The marks that the answers of mistaken searches earn, of many trees at once in arrays."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, TypeAlias

from grader.answers.form import Terms
from grader.answers.order_credit import counts_prefix, forced_prefix_length, prefix_share
from grader.answers.policies import SetCounts, share_of_counts
from grader.generation.candidate_result import Column
from grader.generation.candidates import Block
from grader.generation.limits import beliefs_apart_from_key
from grader.generation.recipe import Recipe
from grader.solvers.mistaken_search import MISCONCEPTIONS, Misconception
from grader.trees.tree import Tree

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Flags: TypeAlias = NDArray[numpy.bool_]
    Columns: TypeAlias = Sequence[NDArray[numpy.int64] | NDArray[numpy.bool_]]


RowShare: TypeAlias = Callable[[tuple[int, ...]], Fraction]
"""The share of a reply by its counts."""


@lru_cache(maxsize=64)
def batch_measured_beliefs(recipe: Recipe) -> tuple[str, ...]:
    """Return the beliefs whose marks are measured of many trees at once: those about the search.

    The others are measured tree by tree (`grader.generation.selection`).
    """
    kind = recipe.question_kind
    if not kind.visits_shown or kind.draw is not None:
        return ()
    excluded = ("right-to-left",) if kind.visits_shown == "order" else ()
    return tuple(
        name for name in beliefs_apart_from_key(recipe) if name in MISCONCEPTIONS and name not in excluded
    )


@dataclass(frozen=True, slots=True)
class EarnedShares:
    """The shares of the mark that replies earn: `places` has for each its place among the few in `shares`."""

    places: "NDArray[numpy.intp]"
    shares: tuple[Fraction, ...]

    def map(self, value: Callable[[Fraction], int]) -> Column:
        """Return a whole number for every reply, computed once for each different share."""
        import numpy

        return numpy.array([value(share) for share in self.shares], numpy.int64)[self.places]


def mistake_shares(recipe: Recipe, block: Block, names: tuple[str, ...], visited: "Flags") -> EarnedShares:
    """Return the shares that mistaken searches earn, mistakes by trees.

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
    return shares_of_visits(recipe, block.skeleton, visited, wrong)


def _mistaken_visits(recipe: Recipe, block: Block, misconceptions: list[Misconception]) -> "Flags":
    """Return the visits of mistaken searches that all take tree, payoffs and rules alike."""
    from grader.solvers.lockstep import lockstep
    from grader.solvers.lockstep_mistakes import lockstep_search_with_mistakes
    from grader.solvers.mistaken_search import Mistake

    view, parts = misconceptions[0], block.payoffs.denominator
    tree = block.skeleton if view.change_tree is None else view.change_tree(block.skeleton)
    rules = recipe.rules if view.change_rules is None else view.change_rules(recipe.rules)
    needs_numbers = tree.has_chance or view.change_payoff or rules.narrows_root
    payoffs = block.numbers if needs_numbers else block.places
    if view.change_payoff is not None:
        payoffs = view.change_payoff(payoffs)
    mistakes = [each.mistake for each in misconceptions]
    if mistakes == [Mistake()] and not tree.has_chance:
        return lockstep(tree, payoffs, rules, parts).visited[:, None]
    return lockstep_search_with_mistakes(tree, payoffs, rules, mistakes, parts)


def shares_of_visits(recipe: Recipe, tree: Tree, visited: "Flags", wrong: "Flags") -> EarnedShares:
    """Return the shares that the answers read off wrong visits earn, mistakes by trees.

    The replies are only counted here: `grader.answers` says what each combination of counts earns.
    """
    leaves, terms = list(tree.leaves), recipe.question
    match recipe.question_kind.visits_shown:
        case "leaves":
            counts = _set_counts(~visited[leaves], ~wrong[leaves])
            return _shares(counts, _set_share(terms, len(leaves)))
        case "branches":
            above = list(tree.parents[1:])
            # Crossing out a branch below one of the key is correct.
            crossed = wrong[above] & ~wrong[1:] & visited[above][:, None]
            counts = _set_counts(visited[above] & ~visited[1:], crossed)
            return _shares(counts, _set_share(terms, len(above)))
        case "order":
            return _shares_of_orders(recipe, tree, visited, wrong)
        case _:
            is_right = visited[leaves].sum(axis=0) == wrong[leaves].sum(axis=0)
            return _shares((is_right,), lambda row: Fraction(row[0]))


@lru_cache(maxsize=64)
def _set_share(terms: Terms, size: int) -> RowShare:
    """Return the function from counts to shares; it remembers what it was asked before."""

    @lru_cache(maxsize=50_000)
    def share(row: tuple[int, ...]) -> Fraction:
        right, wrong, missing, lists_everything = row
        return share_of_counts(SetCounts(right, wrong, missing, bool(lists_everything)), size, terms)

    return share


def _set_counts(key: "Flags", reply: "Flags") -> "Columns":
    """Return how many things are right, wrong and missing, mistakes by trees, and whether all are listed.

    `key` has things by trees, `reply` things by mistakes by trees.
    """
    import numpy

    both = reply & key[:, None]
    right, listed = both.sum(axis=0), reply.sum(axis=0)
    lists_everything: Flags = numpy.logical_and.reduce(reply)
    return right, listed - right, key.sum(axis=0) - right, lists_everything


def _shares_of_orders(recipe: Recipe, tree: Tree, visited: "Flags", wrong: "Flags") -> EarnedShares:
    """Return what orders earn; mistaken searches visit leaves in the same direction, so none is misplaced."""
    import numpy

    terms, certain = recipe.question, forced_prefix_length(tree, recipe.rules.order)
    leaves = list(tree.leaves if recipe.rules.order == "left-to-right" else tree.leaves[::-1])
    key, reply = visited[leaves], wrong[leaves]
    if not counts_prefix(terms):
        right, *others, lists_everything = _set_counts(key, reply)
        right = numpy.maximum(right - certain, 0)
        counts = (right, *others, lists_everything & ~key.all(axis=0))
        return _shares(counts, _set_share(terms, len(leaves)))
    differs = reply != key[:, None]
    before = numpy.concatenate([numpy.zeros_like(key[:1], numpy.int64), key.cumsum(axis=0)])
    prefix = numpy.take_along_axis(before, differs.argmax(axis=0), axis=0)
    length = numpy.broadcast_to(before[-1], prefix.shape)
    return _shares(
        (prefix, length, ~differs.any(axis=0)),
        lambda row: prefix_share(row[0], row[1], certain, is_whole=bool(row[2])),
    )


def _shares(counts: "Columns", share: RowShare) -> EarnedShares:
    """Return the shares of replies that are counted like this; `share` is asked once for equal counts."""
    import numpy

    sizes = [int(count.max(initial=0)) + 1 for count in counts]
    codes = numpy.ravel_multi_index([count.astype(numpy.int64) for count in counts], sizes)
    different, places = numpy.unique(codes, return_inverse=True)
    rows = zip(*(column.tolist() for column in numpy.unravel_index(different, sizes)), strict=True)
    index: dict[Fraction, int] = {}
    share_index = numpy.array([index.setdefault(share(row), len(index)) for row in rows], numpy.intp)
    return EarnedShares(share_index[places].reshape(codes.shape), tuple(index))


def excess_per_mille(
    recipe: Recipe, names: tuple[str, ...], shares: EarnedShares, max_share: Fraction
) -> Column:
    """Return by how many thousandths of the mark each mistake earns more than `max_share`.

    A full mark adds `FULL_MARK_WEIGHT`.
    """
    import numpy

    mild = numpy.array([name in recipe.separate.mild for name in names], numpy.bool_)[:, None]
    excess = shares.map(lambda share: max(0, ceil(1000 * (share - max_share))))
    return numpy.where(mild, 0, excess) + shares.map(lambda share: FULL_MARK_WEIGHT * (share == 1))


FULL_MARK_WEIGHT = 10_000
"""The penalty for a full mark, in addition to one for each thousandth above the limit."""
