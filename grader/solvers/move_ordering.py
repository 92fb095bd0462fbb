"""The order of children that lets alpha-beta visit the fewest leaves, and the most, over all orders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import factorial, prod
from operator import itemgetter
from typing import Any, Literal

from grader.base.numbers import INFINITY, Bound, Number
from grader.solvers.minimax import minimax
from grader.solvers.solvable import Unsolvable
from grader.trees.rules import Order, Rules
from grader.trees.tree import Player, Tree

MAX_REORDERED_CHILDREN = 10
"""Nodes with more children are not reordered, because every subset of the children is tried."""


@dataclass(frozen=True, slots=True)
class Ordering:
    """An order of the children of every node, and how many leaves alpha-beta visits in it.

    - `orders`: aligned with the nodes, the children of each from left to right; empty at leaves.
    - `share`: the fraction of all orders that visit exactly this many leaves.
    """

    orders: tuple[tuple[int, ...], ...]
    visited: int
    share: Fraction


def best_ordering(tree: Tree, rules: Rules) -> Ordering:
    """Return an order that visits the fewest leaves, as close to the given order as possible.

    Exact: for a given window, the leaves visited below a node depend only on the orders below it, and the
    window of a child depends only on the set of its elder siblings (see `grader.solvers.sweep`). So it is
    enough to try every subset of the children of a node once for each window. Raises `Unsolvable` for
    chance nodes, several players, unknown payoffs and nodes with more than ten children.
    """
    return _ordering(tree, rules, 1)


def worst_ordering(tree: Tree, rules: Rules) -> Ordering:
    """Return an order that visits the most leaves; otherwise like `best_ordering`."""
    return _ordering(tree, rules, -1)


def _ordering(tree: Tree, rules: Rules, sign: Literal[1, -1]) -> Ordering:
    """Return the best ordering, or the worst if `sign` is -1: dynamic programming over sets of children."""
    for node in tree.internal:
        if len(tree.children[node]) > MAX_REORDERED_CHILDREN:
            raise Unsolvable(
                "{node} has more than {limit} children", node=tree.names[node], limit=MAX_REORDERED_CHILDREN
            )
    values = minimax(tree)
    orders = [tree.visiting(node, rules.order) for node in range(len(tree))]
    order_counts = _count_orders(tree)

    @cache
    def cost(node: int, alpha: Bound, beta: Bound) -> tuple[int, int]:
        """Return `sign` times the leaves visited in a best order, and the number of best orders."""
        if not tree.children[node]:
            return sign, 1
        least, _, count = rest_cost(node, alpha, beta, (1 << len(tree.children[node])) - 1)
        return least, count

    @cache
    def rest_cost(node: int, alpha: Bound, beta: Bound, rest: int) -> tuple[int, int, int]:
        """Return the same for the children in the bit set `rest`, with the place of the first in between.

        The place is -1 if no child is visited.
        """
        if not rest or alpha > beta or (alpha == beta and rules.ties == "cut"):
            skipped = [child for place, child in enumerate(orders[node]) if rest >> place & 1]
            return 0, -1, factorial(len(skipped)) * prod(order_counts[child] for child in skipped)
        candidates: list[tuple[int, int, int]] = []
        for place, child in enumerate(orders[node]):
            if rest >> place & 1:
                own_cost, own_count = cost(child, alpha, beta)
                window = _window_after(tree, values, child, alpha, beta)
                other_cost, _, other_count = rest_cost(node, *window, rest & ~(1 << place))
                candidates.append((own_cost + other_cost, place, own_count * other_count))
        least, first, _ = min(candidates)
        return least, first, sum(count for total, _, count in candidates if total == least)

    total, best_count = cost(0, -INFINITY, INFINITY)
    chosen = list(orders)
    waiting: list[tuple[int, Bound, Bound]] = [(0, -INFINITY, INFINITY)]
    while waiting:
        node, alpha, beta = waiting.pop()
        rest = (1 << len(orders[node])) - 1
        order: list[int] = []
        while (place := rest_cost(node, alpha, beta, rest)[1]) >= 0:
            child = orders[node][place]
            waiting.append((child, alpha, beta))
            order.append(child)
            rest &= ~(1 << place)
            alpha, beta = _window_after(tree, values, child, alpha, beta)
        chosen[node] = (*order, *(child for child in orders[node] if child not in order))
    if rules.order == "right-to-left":
        chosen = [order[::-1] for order in chosen]
    return Ordering(tuple(chosen), sign * total, Fraction(best_count, order_counts[0]))


def _window_after(
    tree: Tree, values: Sequence[Number], child: int, alpha: Bound, beta: Bound
) -> tuple[Bound, Bound]:
    """Return the window at the parent of a child after the child has been searched."""
    if tree.players[tree.parents[child]] is Player.MAX:
        return max(alpha, values[child]), beta
    return alpha, min(beta, values[child])


def _count_orders(tree: Tree) -> list[int]:
    """Return the number of orders of each subtree: the product of n! over its nodes with n children."""
    counts = [1] * len(tree)
    for node in reversed(tree.internal):
        children = tree.children[node]
        counts[node] = factorial(len(children)) * prod(counts[child] for child in children)
    return counts


def ordering_by_permutations(tree: Tree, rules: Rules, sign: Literal[1, -1]) -> Ordering:
    """Return the same as `best_ordering`, or as `worst_ordering` if `sign` is -1, by trying every order.

    A second algorithm to check these two: it searches a node in each of its orders and in every window.
    """
    values, chosen = minimax(tree), list(tree.children)
    step = 1 if rules.order == "left-to-right" else -1
    order_counts = _count_orders(tree)

    @cache
    def cheapest(node: int, alpha: Bound, beta: Bound) -> tuple[int, tuple[int, ...], int]:
        """Return the cost of a node times `sign`, its first best order, and the number of best orders."""
        if not tree.children[node]:
            return sign, (), 1
        orders = permutations(tree.visiting(node, rules.order))
        candidates = [(*cost(order, alpha, beta), order) for order in orders]
        least, _, first = min(candidates, key=itemgetter(0))
        return least, first, sum(count for total, count, _ in candidates if total == least)

    def cost(order: Sequence[int], alpha: Bound, beta: Bound) -> tuple[int, int]:
        """Return the cost, times `sign`, of visiting the children of a node in this order.

        Also return how many choices of orders below the node have this cost; for children that a cutoff
        skips, every choice has it.
        """
        total, count = 0, 1
        for place, child in enumerate(order, 1):
            child_cost, _, child_count = cheapest(child, alpha, beta)
            total, count = total + child_cost, count * child_count
            alpha, beta = _window_after(tree, values, child, alpha, beta)
            if alpha > beta or (alpha == beta and rules.ties == "cut"):
                return total, count * prod(order_counts[skipped] for skipped in order[place:])
        return total, count

    def record_orders(node: int, alpha: Bound, beta: Bound) -> None:
        """Write the first best orders of a node and of all nodes below it, left to right, into `chosen`."""
        order = cheapest(node, alpha, beta)[1]
        chosen[node] = order[::step]
        # After a cutoff all orders cost the same, so the children stay in the given order.
        for child in order:
            record_orders(child, alpha, beta)
            alpha, beta = _window_after(tree, values, child, alpha, beta)

    total, _, best_count = cheapest(0, -INFINITY, INFINITY)
    record_orders(0, -INFINITY, INFINITY)
    return Ordering(tuple(chosen), sign * total, Fraction(best_count, order_counts[0]))


def best_first_orders(tree: Tree, order: Order) -> tuple[tuple[int, ...], ...]:
    """Return the children of every node, the best exact value for the moving player visited first.

    Equal children keep their order. On uniform trees no order visits fewer leaves; on others one may.
    """
    return orders_by_score(tree, order, tree.children, minimax(tree))


def orders_by_score(
    tree: Tree, order: Order, orders: Sequence[tuple[int, ...]], scores: Sequence[Bound | None]
) -> tuple[tuple[int, ...], ...]:
    """Return the children of every node, the best score for the moving player visited first.

    `orders` are the children from left to right before sorting. Equal children keep their order;
    children without a score come last, in their order.
    """
    step = 1 if order == "left-to-right" else -1
    changed = list(orders)
    for node in tree.internal:
        visiting = orders[node][::step]
        scored = [(score, child) for child in visiting if (score := scores[child]) is not None]
        scored.sort(key=itemgetter(0), reverse=tree.players[node] is Player.MAX)
        unscored = [child for child in visiting if scores[child] is None]
        changed[node] = (*(child for _, child in scored), *unscored)[::step]
    return tuple(changed)


def mirrored_orders(tree: Tree) -> tuple[tuple[int, ...], ...]:
    """Return the children of every node from right to left."""
    return tuple(children[::-1] for children in tree.children)


@dataclass(frozen=True, slots=True)
class ReorderedTree:
    """A tree with its children in another order; its node `k` is node `nodes[k]` of the original tree."""

    tree: Tree
    nodes: tuple[int, ...]


def reorder_children(tree: Tree, orders: Mapping[int, tuple[int, ...]]) -> ReorderedTree:
    """Return the tree with the children of some nodes in another order.

    Raises ValueError if an order is not a permutation of the children of its node.
    """
    for node, order in orders.items():
        if sorted(order) != list(tree.children[node]):
            raise ValueError(f"the order at {tree.names[node]} does not name its children, each once")
    nodes: list[int] = []
    waiting = [0]
    while waiting:
        node = waiting.pop()
        nodes.append(node)
        waiting += reversed(orders.get(node, tree.children[node]))
    places = {node: place for place, node in enumerate(nodes)}
    columns = ("players", "payoffs", "given", "moves", "probabilities", "claims", "crosses", "attributes")
    moved: dict[str, Any] = {name: tuple(getattr(tree, name)[node] for node in nodes) for name in columns}
    parents = tuple(places[tree.parents[node]] if node else -1 for node in nodes)
    estimates = frozenset(places[node] for node in tree.estimates)
    return ReorderedTree(replace(tree, parents=parents, estimates=estimates, **moved), tuple(nodes))


def fewest_leaves(branching: int, depth: int) -> int:
    """Return b^⌈d/2⌉ + b^⌊d/2⌋ − 1: no order visits fewer leaves of a uniform tree.

    Knuth and Moore, An analysis of alpha-beta pruning, Artificial Intelligence 6 (1975), corollary 1.
    """
    leaves: int = branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1
    return leaves


def uniform_shape(tree: Tree) -> tuple[int, int] | None:
    """Return branching and depth of a uniform tree in which MAX and MIN alternate, None of other trees."""
    depths = {tree.depths[leaf] for leaf in tree.leaves}
    sizes = {len(tree.children[node]) for node in tree.internal}
    alternate = all(
        tree.players[node] is not tree.players[tree.parents[node]] for node in tree.internal if node
    )
    if len(depths) != 1 or len(sizes) != 1 or not alternate or tree.has_chance:
        return None
    return sizes.pop(), depths.pop()
