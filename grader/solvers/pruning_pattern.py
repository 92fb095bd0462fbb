"""Whether alpha-beta can prune exactly the crossed branches: payoffs that do it, or why there are none."""

from collections.abc import Collection, Iterator, Set
from dataclasses import dataclass
from enum import Enum, StrEnum
from fractions import Fraction
from functools import cache

from grader.base.numbers import INFINITY, Bound, Number
from grader.solvers.solvable import require_no_chance, require_two_players
from grader.trees.rules import Order
from grader.trees.tree import Player, Tree


class InfeasibleReason(StrEnum):
    """Why no payoffs prune exactly these branches."""

    ROOT = "root"
    """The root itself is crossed, which a search always visits."""
    FIRST_CHILD = "first-child"
    """The first child of a visited node is crossed, which a search always visits."""
    GAP = "gap"
    """A branch is visited after an elder sibling was crossed: a cut skips all that follow."""
    NO_BOUND = "no-bound"
    """When the search comes to the node, no ancestor of the other player has a value to cut it with."""
    CONFLICT = "conflict"
    """The node can be cut, but not together with what the cuts before it need."""
    FORCED = "forced"
    """The cuts are possible, but when they happen never all children of this node are visited that should be.

    The root stands for different nodes.
    """


@dataclass(frozen=True, slots=True)
class Infeasible:
    """That no payoffs prune exactly the crossed branches: why, and at which node."""

    reason: InfeasibleReason
    node: int


class _Outcome(Enum):
    """What a visited node returns: a value below its window, inside it, or above it."""

    LOW = "low"
    INSIDE = "inside"
    HIGH = "high"


def payoffs_for_pattern(tree: Tree, order: Order, crossed: Set[int]) -> tuple[Number, ...] | Infeasible:
    """Payoffs by path number that prune exactly the crossed branches of a shape, or why there are none.

    `crossed` are the nodes below the crossed branches; what lies below them is pruned with them, and
    payoffs of the tree are not looked at. What can happen at a node depends on its window only through
    whether alpha and beta are finite, for between two numbers there is always a third; so the question
    is decided exactly, in a time that grows with the tree. Ties are never needed: whatever can be pruned
    with them can be pruned without. Raises `Unsolvable` for chance nodes and several players.
    """
    require_two_players(tree)
    require_no_chance(tree)
    simple = _simple_reason(tree, order, crossed)
    if simple is not None:
        return simple
    pattern = _Pattern(tree, order, frozenset(crossed), frozenset(tree.internal))
    if not pattern.possible():
        return _deeper_reason(tree, order, frozenset(crossed))
    numbers: dict[int, Fraction] = {}
    pattern.give(0, -INFINITY, INFINITY, _Outcome.INSIDE, numbers)
    ranks = {number: rank for rank, number in enumerate(sorted(set(numbers.values())), 1)}
    return tuple(
        ranks[numbers[leaf]] if leaf in numbers else 1 + 7 * path % len(ranks)
        for path, leaf in enumerate(tree.leaves, 1)
    )


def _visited(tree: Tree, crossed: Set[int]) -> list[int]:
    """The nodes that have no cross above them, in preorder."""
    out = set(crossed)
    for node, parent in enumerate(tree.parents):
        if parent in out:
            out.add(node)
    return [node for node in range(len(tree)) if node not in out]


def _simple_reason(tree: Tree, order: Order, crossed: Set[int]) -> Infeasible | None:
    """A reason that can be seen in the pattern alone, the first in preorder."""
    if 0 in crossed:
        return Infeasible(InfeasibleReason.ROOT, 0)
    visited = _visited(tree, crossed)
    for node in visited:
        children = tree.visiting(node, order)
        if not crossed & set(children):
            continue
        if children[0] in crossed:
            return Infeasible(InfeasibleReason.FIRST_CHILD, children[0])
        first = next(place for place, child in enumerate(children) if child in crossed)
        for child in children[first:]:
            if child not in crossed:
                return Infeasible(InfeasibleReason.GAP, child)
    for node in visited:
        if crossed & set(tree.children[node]) and not _bounded(tree, order, node):
            return Infeasible(InfeasibleReason.NO_BOUND, node)
    return None


def _bounded(tree: Tree, order: Order, node: int) -> bool:
    """Whether an ancestor of the other player has a value when the search comes to a node."""
    child = node
    for ancestor in tree.ancestors(node):
        other = tree.players[ancestor] is not tree.players[node]
        if other and tree.visiting(ancestor, order)[0] != child:
            return True
        child = ancestor
    return False


def _deeper_reason(tree: Tree, order: Order, crossed: frozenset[int]) -> Infeasible:
    """The first cut, in the order of the search, that does not go with those before it.

    Else the first node, in preorder, whose children are never all visited when all cuts happen; the root
    where this is now one node and now another.
    """

    def possible(demanded: Collection[int]) -> bool:
        return _Pattern(tree, order, crossed, frozenset(demanded)).possible()

    visited = [node for node in _visited(tree, crossed) if tree.children[node]]
    cuts = [node for node in visited if crossed & set(tree.children[node])]
    cuts.sort(key=lambda node: (tree.ends[node], -node) if order == "left-to-right" else (-node, 0))
    for count, node in enumerate(cuts, 1):
        if not possible(cuts[:count]):
            return Infeasible(InfeasibleReason.CONFLICT, node)
    return Infeasible(
        InfeasibleReason.FORCED, next((node for node in visited if not possible([*cuts, node])), 0)
    )


class _Pattern:
    """What can happen at every node, when some are visited and cut as crossed, and others anyhow."""

    def __init__(self, tree: Tree, order: Order, crossed: frozenset[int], demanded: frozenset[int]) -> None:
        self._tree, self._order = tree, order
        self._crossed, self._demanded = crossed, demanded
        self._visited = demanded.union(*map(tree.ancestors, demanded))
        self._outcomes = cache(self._all_outcomes)

    def possible(self) -> bool:
        """Whether the whole search can go like this: at the root both ends of the window are infinite."""
        return bool(self._outcomes(0, False, False))

    def _all_outcomes(self, node: int, alpha: bool, beta: bool) -> tuple[_Outcome, ...]:
        """What a visited node can return, given whether the ends of its window are finite."""
        if not self._tree.children[node]:
            possible = ((_Outcome.LOW, alpha), (_Outcome.INSIDE, True), (_Outcome.HIGH, beta))
            return tuple(outcome for outcome, can_be in possible if can_be)
        found = {outcome for _, outcome in self._plays(node, alpha, beta)}
        # In one order on every machine, for the payoffs depend on which is tried first.
        return tuple(outcome for outcome in _Outcome if outcome in found)

    def _lengths(self, node: int) -> tuple[tuple[int, bool], ...]:
        """How many children may be visited, and whether a cut follows the last of them."""
        children = self._tree.visiting(node, self._order)
        whole = len(children)
        if node in self._demanded:
            count = sum(child not in self._crossed for child in children)
            return ((count, count < whole),)
        least = max((place for place, child in enumerate(children, 1) if child in self._visited), default=1)
        return tuple((count, count < whole) for count in range(least, whole + 1))

    def _plays(self, node: int, alpha: bool, beta: bool) -> Iterator[tuple[tuple[_Outcome, ...], _Outcome]]:
        """What the visited children can return one after the other, and what the node then returns."""
        maximizes = self._tree.players[node] is Player.MAX
        # A child that returns this cuts the node, so it is the last one visited.
        better = _Outcome.HIGH if maximizes else _Outcome.LOW
        children = self._tree.visiting(node, self._order)
        seen: set[tuple[int, bool, _Outcome]] = set()
        for count, cut in self._lengths(node):
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
                        if (count, cut, result) not in seen:
                            seen.add((count, cut, result))
                            yield (*before, last), result
                    continue
                for outcome in possible:
                    state = (len(before) + 1, improved or outcome is _Outcome.INSIDE)
                    if outcome is not better and state not in reached:
                        reached.add(state)
                        waiting.append(((*before, outcome), state[1]))

    def give(
        self, node: int, alpha: Bound, beta: Bound, wanted: _Outcome, numbers: dict[int, Fraction]
    ) -> Fraction:
        """Payoffs for the visited leaves below a node so that it returns what is wanted; gives that value."""
        if not self._tree.children[node]:
            numbers[node] = _number(alpha, beta, wanted)
            return numbers[node]
        maximizes = self._tree.players[node] is Player.MAX
        better = max if maximizes else min
        finite = (not isinstance(alpha, float), not isinstance(beta, float))
        outcomes = next(play for play, result in self._plays(node, *finite) if result is wanted)
        value: Fraction | None = None
        for child, outcome in zip(self._tree.visiting(node, self._order), outcomes, strict=False):
            found = self.give(child, alpha, beta, outcome, numbers)
            value = found if value is None else better(value, found)
            if maximizes:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
        if value is None:
            raise AssertionError("a visited node has a visited child")
        return value


def _number(alpha: Bound, beta: Bound, wanted: _Outcome) -> Fraction:
    """A number below, inside or above a window, never at its ends."""
    low = None if isinstance(alpha, float) else Fraction(alpha)
    high = None if isinstance(beta, float) else Fraction(beta)
    if wanted is _Outcome.LOW and low is not None:
        return low - 1
    if wanted is _Outcome.HIGH and high is not None:
        return high + 1
    if low is None:
        return Fraction(0) if high is None else high - 1
    return low + 1 if high is None else Fraction(low + high, 2)
