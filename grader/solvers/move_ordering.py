"""The order of children that lets alpha-beta visit the fewest leaves, and the most, over all orders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import factorial, prod
from operator import itemgetter
from typing import Any, Literal

from grader.base.numbers import INFINITY, Bound
from grader.solvers.minimax import minimax
from grader.solvers.solvable import Unsolvable
from grader.trees.rules import Order, Rules
from grader.trees.tree import Player, Tree

MAX_REORDERED_CHILDREN = 10
"""Nodes with more children are not reordered: all subsets of the children are gone through."""


@dataclass(frozen=True, slots=True)
class Ordering:
    """An order of the children of every node, and how many leaves alpha-beta visits in it.

    - `orders` is aligned with the nodes: the children of each from left to right, empty at leaves.
    - `share`: of all orders, how many visit as many leaves.
    """

    orders: tuple[tuple[int, ...], ...]
    visited: int
    share: Fraction


def best_ordering(tree: Tree, rules: Rules) -> Ordering:
    """An order that visits the fewest leaves among all orders, as close to the given one as can be.

    Exact: given the window of a
    node, what its subtree costs depends on the order below it alone, and the window of a child on the
    set of its elder siblings alone (see `grader.solvers.sweep`), so each node goes through the subsets
    of its children once for each window. Raises `Unsolvable` for chance nodes, several players, unknown
    payoffs and nodes with more than ten children.
    """
    return _ordering(tree, rules, 1)


def worst_ordering(tree: Tree, rules: Rules) -> Ordering:
    """An order that visits the most leaves among all orders; otherwise as `best_ordering`."""
    return _ordering(tree, rules, -1)


def _ordering(tree: Tree, rules: Rules, sign: Literal[1, -1]) -> Ordering:
    for node in tree.internal:
        if len(tree.children[node]) > MAX_REORDERED_CHILDREN:
            raise Unsolvable(f"{tree.names[node]} has more than {MAX_REORDERED_CHILDREN} children")
    values = minimax(tree)
    orders = [tree.visiting(node, rules.order) for node in range(len(tree))]
    keep = rules.ties == "keep"

    def narrowed(node: int, child: int, alpha: Bound, beta: Bound) -> tuple[Bound, Bound]:
        if tree.players[node] is Player.MAX:
            return max(alpha, values[child]), beta
        return alpha, min(beta, values[child])

    def closed(alpha: Bound, beta: Bound) -> bool:
        return alpha > beta if keep else alpha >= beta

    ways = _ways(tree)

    @cache
    def cost(node: int, alpha: Bound, beta: Bound) -> tuple[int, int]:
        """How many leaves a visited subtree costs in its best order, counted with the sign; how many do."""
        if not tree.children[node]:
            return sign, 1
        least, _, many = onward(node, alpha, beta, (1 << len(tree.children[node])) - 1)
        return least, many

    @cache
    def onward(node: int, alpha: Bound, beta: Bound, left: int) -> tuple[int, int, int]:
        """What the children still left cost, which comes first, and how many orders cost as much.

        The first is told by its place, -1 when none is visited.
        """
        if not left or closed(alpha, beta):
            after = [child for place, child in enumerate(orders[node]) if left >> place & 1]
            return 0, -1, factorial(len(after)) * prod(ways[each] for each in after)
        found: list[tuple[int, int, int]] = []
        for place, child in enumerate(orders[node]):
            if left >> place & 1:
                here, below = cost(child, alpha, beta)
                others, _, beside = onward(node, *narrowed(node, child, alpha, beta), left & ~(1 << place))
                found.append((here + others, place, below * beside))
        least, first, _ = min(found)
        return least, first, sum(many for each, _, many in found if each == least)

    total, many = cost(0, -INFINITY, INFINITY)
    chosen = list(orders)
    waiting: list[tuple[int, Bound, Bound]] = [(0, -INFINITY, INFINITY)]
    while waiting:
        node, alpha, beta = waiting.pop()
        left = (1 << len(orders[node])) - 1
        order: list[int] = []
        while (place := onward(node, alpha, beta, left)[1]) >= 0:
            child = orders[node][place]
            waiting.append((child, alpha, beta))
            order.append(child)
            left &= ~(1 << place)
            alpha, beta = narrowed(node, child, alpha, beta)
        chosen[node] = (*order, *(child for child in orders[node] if child not in order))
    if rules.order == "right-to-left":
        chosen = [order[::-1] for order in chosen]
    return Ordering(tuple(chosen), sign * total, Fraction(many, ways[0]))


def _ways(tree: Tree) -> list[int]:
    """How many orders there are below every node, with its own."""
    ways = [1] * len(tree)
    for node in reversed(tree.internal):
        children = tree.children[node]
        ways[node] = factorial(len(children)) * prod(ways[child] for child in children)
    return ways


def ordering_by_permutations(tree: Tree, rules: Rules, sign: Literal[1, -1]) -> Ordering:
    """The same as `best_ordering`, or with -1 as `worst_ordering`, by going through every order of each node.

    Made to check these: a node is searched in each of its orders and in every window it is entered with.
    """
    values, chosen = minimax(tree), list(tree.children)
    way = 1 if rules.order == "left-to-right" else -1

    ways = _ways(tree)

    @cache
    def cheapest(node: int, alpha: Bound, beta: Bound) -> tuple[int, tuple[int, ...], int]:
        """What a node costs, counted with the sign, in which order, and in how many orders below it."""
        if not tree.children[node]:
            return sign, (), 1
        orders = permutations(tree.visiting(node, rules.order))
        found = [(*cost(node, order, alpha, beta), order) for order in orders]
        least, _, first = min(found, key=itemgetter(0))
        return least, first, sum(many for each, many, _ in found if each == least)

    def cost(node: int, order: Sequence[int], alpha: Bound, beta: Bound) -> tuple[int, int]:
        total, many = 0, 1
        for place, child in enumerate(order, 1):
            here, _, below = cheapest(child, alpha, beta)
            total, many = total + here, many * below
            if tree.players[node] is Player.MAX:
                alpha = max(alpha, values[child])
            else:
                beta = min(beta, values[child])
            if alpha > beta or (alpha == beta and rules.ties == "cut"):
                return total, many * prod(ways[other] for other in order[place:])
        return total, many

    def follow(node: int, alpha: Bound, beta: Bound) -> None:
        order = cheapest(node, alpha, beta)[1]
        chosen[node] = order[::way]
        # Behind a cut all orders cost the same, one leaf: the children stay in theirs.
        for child in order:
            follow(child, alpha, beta)
            if tree.players[node] is Player.MAX:
                alpha = max(alpha, values[child])
            else:
                beta = min(beta, values[child])

    total, _, many = cheapest(0, -INFINITY, INFINITY)
    follow(0, -INFINITY, INFINITY)
    return Ordering(tuple(chosen), sign * total, Fraction(many, ways[0]))


def best_first_orders(tree: Tree, order: Order) -> tuple[tuple[int, ...], ...]:
    """The children of every node, the best for who moves visited first, by their exact values.

    Equal ones keep their order. On uniform trees no order visits fewer leaves; on others one may.
    """
    return orders_by_score(tree, order, tree.children, minimax(tree))


def orders_by_score(
    tree: Tree, order: Order, orders: Sequence[tuple[int, ...]], scores: Sequence[Bound | None]
) -> tuple[tuple[int, ...], ...]:
    """The children of every node, the best score for who moves visited first.

    `orders` are the children from left to right before. Equal ones keep their order, and those that
    have no score yet come behind, in theirs.
    """
    way = 1 if order == "left-to-right" else -1
    changed = list(orders)
    for node in tree.internal:
        visiting = orders[node][::way]
        scored = [(score, child) for child in visiting if (score := scores[child]) is not None]
        scored.sort(key=itemgetter(0), reverse=tree.players[node] is Player.MAX)
        first = [child for _, child in scored]
        first += [child for child in visiting if scores[child] is None]
        changed[node] = tuple(first[::way])
    return tuple(changed)


def mirrored_orders(tree: Tree) -> tuple[tuple[int, ...], ...]:
    """The children of every node from right to left."""
    return tuple(children[::-1] for children in tree.children)


@dataclass(frozen=True, slots=True)
class ReorderedTree:
    """A tree with its children in another order; node `k` of it is node `nodes[k]` of the first tree."""

    tree: Tree
    nodes: tuple[int, ...]


def reorder_children(tree: Tree, orders: Mapping[int, tuple[int, ...]]) -> ReorderedTree:
    """The tree with the children of some nodes in another order.

    Raises ValueError when an order does not name the children of its node, each once.
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
    """b^⌈d/2⌉ + b^⌊d/2⌋ − 1: the leaves of a uniform tree that every order visits at least.

    Knuth and Moore, An analysis of alpha-beta pruning, Artificial Intelligence 6 (1975), corollary 1.
    """
    leaves: int = branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1
    return leaves


def uniform_shape(tree: Tree) -> tuple[int, int] | None:
    """Branching and depth of a tree in which MAX and MIN alternate and all is alike; None for others."""
    depths = {tree.depths[leaf] for leaf in tree.leaves}
    sizes = {len(tree.children[node]) for node in tree.internal}
    alternate = all(
        tree.players[node] is not tree.players[tree.parents[node]] for node in tree.internal if node
    )
    if len(depths) != 1 or len(sizes) != 1 or not alternate or tree.has_chance:
        return None
    return sizes.pop(), depths.pop()
