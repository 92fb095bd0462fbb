"""Payoffs with which alpha-beta prunes exactly the crossed branches, or the reason why there are none."""

from collections.abc import Collection, Iterator, Set
from dataclasses import dataclass
from enum import Enum, StrEnum
from fractions import Fraction
from functools import cache
from itertools import pairwise

from grader.base.numbers import INFINITY, Bound, Number
from grader.solvers.solvable import require_max_and_min
from grader.trees.rules import Order
from grader.trees.tree import Player, Tree


class InfeasibleReason(StrEnum):
    """The reason why no payoffs prune exactly these branches."""

    ROOT = "root"
    """The root is crossed, but a search always visits it."""
    FIRST_CHILD = "first-child"
    """The first child of a visited node is crossed, but a search always visits it."""
    GAP = "gap"
    """A branch is visited after a crossed elder sibling, but a cutoff skips all that follow."""
    NO_BOUND = "no-bound"
    """No ancestor of the other player has a value when the search reaches the node, so nothing can cut it."""
    CONFLICT = "conflict"
    """The node can be cut, but not together with the cutoffs before it."""
    FORCED = "forced"
    """The cutoffs are possible, but they always prune a child of this node that is not crossed.

    The node is the root if it is not always the same node.
    """


@dataclass(frozen=True, slots=True)
class Infeasible:
    """No payoffs prune exactly the crossed branches: the reason, and the node it is about, if it is one."""

    reason: InfeasibleReason
    node: int | None


class _Outcome(Enum):
    """The value that a visited node returns: below its window, inside it, or above it."""

    BELOW = "below"
    INSIDE = "inside"
    ABOVE = "above"


def payoffs_for_pattern(tree: Tree, order: Order, crossed: Set[int]) -> tuple[Number, ...] | Infeasible:
    """Return payoffs, by leaf number, that prune exactly the crossed branches, or why there are none.

    `crossed` are the nodes below the crossed branches; everything below them is pruned too. The payoffs of
    the tree are ignored. The possible results at a node depend only on whether alpha and beta are finite,
    because there is always a number between two others. So the decision is exact and takes linear time.
    Ties are never needed: any pattern with ties is also possible without them.
    Raises `Unsolvable` for chance nodes and several players.
    """
    require_max_and_min(tree)
    if (reason := _local_reason(tree, order, crossed)) is not None:
        return reason
    pattern = _Pattern(tree, order, frozenset(crossed), frozenset(tree.internal))
    if not pattern.possible():
        return _joint_reason(tree, order, frozenset(crossed))
    numbers: dict[int, Fraction] = {}
    pattern.assign_payoffs(0, -INFINITY, INFINITY, _Outcome.INSIDE, numbers)
    ranks = {number: rank for rank, number in enumerate(sorted(set(numbers.values())), 1)}
    return tuple(
        ranks[numbers[leaf]] if leaf in numbers else 1 + 7 * path % len(ranks)
        for path, leaf in enumerate(tree.leaves, 1)
    )


def _visited(tree: Tree, crossed: Set[int]) -> list[int]:
    """Return the nodes without a cross above them, in preorder."""
    pruned = set(crossed)
    for node, parent in enumerate(tree.parents):
        if parent in pruned:
            pruned.add(node)
    return [node for node in range(len(tree)) if node not in pruned]


def _local_reason(tree: Tree, order: Order, crossed: Set[int]) -> Infeasible | None:
    """Return the first reason, in preorder, that concerns a single node and its surroundings."""
    if 0 in crossed:
        return Infeasible(InfeasibleReason.ROOT, 0)
    visited = _visited(tree, crossed)
    for node in visited:
        children = tree.visiting(node, order)
        if children and children[0] in crossed:
            return Infeasible(InfeasibleReason.FIRST_CHILD, children[0])
        for elder, child in pairwise(children):
            if elder in crossed and child not in crossed:
                return Infeasible(InfeasibleReason.GAP, child)
    for node in visited:
        if crossed & set(tree.children[node]) and not _bounded(tree, order, node):
            return Infeasible(InfeasibleReason.NO_BOUND, node)
    return None


def _bounded(tree: Tree, order: Order, node: int) -> bool:
    """Return whether an ancestor of the other player has a value when the search reaches a node."""
    child = node
    for ancestor in tree.ancestors(node):
        is_other = tree.players[ancestor] is not tree.players[node]
        if is_other and tree.visiting(ancestor, order)[0] != child:
            return True
        child = ancestor
    return False


def _joint_reason(tree: Tree, order: Order, crossed: frozenset[int]) -> Infeasible:
    """Return the reason that concerns several nodes together.

    1. The first cutoff, in search order, that is impossible together with those before it.
    2. Else the first node, in preorder, that loses an uncrossed child whenever all cutoffs happen.
    3. Else no node in particular: different nodes lose children.
    """

    def possible(demanded: Collection[int]) -> bool:
        return _Pattern(tree, order, crossed, frozenset(demanded)).possible()

    visited = [node for node in _visited(tree, crossed) if tree.children[node]]
    cuts = [node for node in visited if crossed & set(tree.children[node])]
    cuts.sort(key=lambda node: (tree.ends[node], -node) if order == "left-to-right" else (-node, 0))
    for count, node in enumerate(cuts, 1):
        if not possible(cuts[:count]):
            return Infeasible(InfeasibleReason.CONFLICT, node)
    losing = next((node for node in visited if not possible([*cuts, node])), None)
    return Infeasible(InfeasibleReason.FORCED, losing)


class _Pattern:
    """The possible results of every node if the demanded nodes are visited and cut exactly as crossed."""

    def __init__(self, tree: Tree, order: Order, crossed: frozenset[int], demanded: frozenset[int]) -> None:
        self._tree, self._order = tree, order
        self._crossed, self._demanded = crossed, demanded
        self._visited = demanded.union(*map(tree.ancestors, demanded))
        self._outcomes = cache(self._all_outcomes)

    def possible(self) -> bool:
        """Return whether the whole search is possible; the window of the root is infinite on both sides."""
        return bool(self._outcomes(0, False, False))

    def _all_outcomes(self, node: int, alpha: bool, beta: bool) -> tuple[_Outcome, ...]:
        """Return the possible results of a visited node; `alpha` and `beta` say whether these are finite."""
        if not self._tree.children[node]:
            possible = ((_Outcome.BELOW, alpha), (_Outcome.INSIDE, True), (_Outcome.ABOVE, beta))
            return tuple(outcome for outcome, can_be in possible if can_be)
        outcomes = {outcome for _, outcome in self._plays(node, alpha, beta)}
        # In a fixed order on every machine, because the payoffs depend on which is tried first.
        return tuple(outcome for outcome in _Outcome if outcome in outcomes)

    def _visited_counts(self, node: int) -> tuple[tuple[int, bool], ...]:
        """Return how many children of a node can be visited, each count with whether a cutoff follows.

        A demanded node visits exactly its uncrossed children. Any other may be cut anywhere, but not before
        the last child that is demanded or has a demanded node below it. No cutoff follows the last child.
        """
        children = self._tree.visiting(node, self._order)
        whole = len(children)
        if node in self._demanded:
            count = sum(child not in self._crossed for child in children)
            return ((count, count < whole),)
        least = max((place for place, child in enumerate(children, 1) if child in self._visited), default=1)
        return tuple((count, count < whole) for count in range(least, whole + 1))

    def _plays(self, node: int, alpha: bool, beta: bool) -> Iterator[tuple[tuple[_Outcome, ...], _Outcome]]:
        """Yield the possible results of the visited children in order, with the result of the node."""
        maximizes = self._tree.players[node] is Player.MAX
        # A child with this result cuts the node, so it is the last visited child.
        better = _Outcome.ABOVE if maximizes else _Outcome.BELOW
        children = self._tree.visiting(node, self._order)
        yielded: set[tuple[int, bool, _Outcome]] = set()
        for count, cut in self._visited_counts(node):
            waiting: list[tuple[tuple[_Outcome, ...], bool]] = [((), False)]
            reached: set[tuple[int, bool]] = set()
            while waiting:
                before, improved = waiting.pop()
                ends = (alpha or improved, beta) if maximizes else (alpha, beta or improved)
                possible = self._outcomes(children[len(before)], *ends)
                if len(before) == count - 1:
                    for last in possible:
                        if cut and last is not better:
                            continue
                        result = last if last is better or not improved else _Outcome.INSIDE
                        if (count, cut, result) not in yielded:
                            yielded.add((count, cut, result))
                            yield (*before, last), result
                    continue
                for outcome in possible:
                    state = (len(before) + 1, improved or outcome is _Outcome.INSIDE)
                    if outcome is not better and state not in reached:
                        reached.add(state)
                        waiting.append(((*before, outcome), state[1]))

    def assign_payoffs(
        self, node: int, alpha: Bound, beta: Bound, wanted: _Outcome, numbers: dict[int, Fraction]
    ) -> Fraction:
        """Assign payoffs below a node that give it the wanted result, and return its value.

        `numbers` receives the payoffs by leaf; pruned leaves get none.
        """
        if not self._tree.children[node]:
            numbers[node] = _number(alpha, beta, wanted)
            return numbers[node]
        maximizes = self._tree.players[node] is Player.MAX
        better = max if maximizes else min
        finite = (not isinstance(alpha, float), not isinstance(beta, float))
        outcomes = next(play for play, result in self._plays(node, *finite) if result is wanted)
        value: Fraction | None = None
        for child, outcome in zip(self._tree.visiting(node, self._order), outcomes, strict=False):
            child_value = self.assign_payoffs(child, alpha, beta, outcome, numbers)
            value = child_value if value is None else better(value, child_value)
            if maximizes:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
        if value is None:
            raise AssertionError("a visited node has a visited child")
        return value


def _number(alpha: Bound, beta: Bound, wanted: _Outcome) -> Fraction:
    """Return a number below, inside or above a window, never at its ends."""
    low = None if isinstance(alpha, float) else Fraction(alpha)
    high = None if isinstance(beta, float) else Fraction(beta)
    if wanted is _Outcome.BELOW and low is not None:
        return low - 1
    if wanted is _Outcome.ABOVE and high is not None:
        return high + 1
    if low is None:
        return Fraction(0) if high is None else high - 1
    return low + 1 if high is None else Fraction(low + high, 2)
