"""Requirements recomputed from the definitions, by nothing the generator uses."""

from fractions import Fraction
from itertools import product

from grader.base.numbers import Number
from grader.trees.rules import Order
from grader.trees.tree import Player, Tree

Weights = dict[int, Number]


def value(tree: Tree, node: int, payoffs: Weights) -> Number:
    """The exact value of a node when the leaves are worth `payoffs`."""
    player = tree.players[node]
    if player is None:
        return payoffs[node]
    below = [value(tree, child, payoffs) for child in tree.children[node]]
    if player is Player.MAX:
        return max(below)
    if player is Player.MIN:
        return min(below)
    shares = [tree.probabilities[child] for child in tree.children[node]]
    return sum(
        (Fraction(share or 0) * worth for share, worth in zip(shares, below, strict=True)), Fraction(0)
    )


def payoffs_of(tree: Tree) -> Weights:
    """The payoffs of all leaves, which are plain numbers."""
    payoffs: Weights = {}
    for leaf in tree.leaves:
        payoff = tree.payoffs[leaf]
        assert isinstance(payoff, int | Fraction)
        payoffs[leaf] = payoff
    return payoffs


def pruned_by_definition(tree: Tree, order: Order = "left-to-right", ties: str = "cut") -> frozenset[int]:
    """The numbers of the leaves that are pruned, by what a pruned leaf is, in trees of MAX and MIN.

    With the leaves before it known, a leaf is visited when some values of the leaves after it let the root
    depend on it. The root is monotone in every leaf, so each later leaf takes the extreme at which it
    stands least in the way: the low one when it meets the leaf at a MAX node, else the high one.
    For `keep` the leaf is also visited when it is just reached by an equal value: the gap may be empty.
    """
    payoffs = payoffs_of(tree)
    leaves = tree.leaves if order == "left-to-right" else tree.leaves[::-1]
    low, high = min(payoffs.values()) - 1, max(payoffs.values()) + 1
    pruned = set()
    for place, leaf in enumerate(leaves):
        above = {leaf, *tree.ancestors(leaf)}
        trial = dict(payoffs)
        for later in leaves[place + 1 :]:
            meeting = next(node for node in tree.ancestors(later) if node in above)
            trial[later] = low if tree.players[meeting] is Player.MAX else high
        roots = [value(tree, 0, trial | {leaf: extreme}) for extreme in (low, high)]
        if ties == "cut" and roots[0] == roots[1]:
            pruned.add(tree.paths[leaf])
        if ties == "keep" and not _just_reached(tree, leaf, leaves[:place], payoffs):
            pruned.add(tree.paths[leaf])
    return frozenset(pruned)


def _just_reached(tree: Tree, leaf: int, before: tuple[int, ...], payoffs: Weights) -> bool:
    """Whether the best that MAX has elsewhere is at most the best that MIN has, on the way to the leaf."""
    known = set(before)
    floor: list[Number] = []
    ceiling: list[Number] = []
    child = leaf
    for node in tree.ancestors(leaf):
        for sibling in tree.children[node]:
            if sibling != child and set(tree.leaves_below(sibling)) <= known:
                (floor if tree.players[node] is Player.MAX else ceiling).append(value(tree, sibling, payoffs))
        child = node
    return not floor or not ceiling or max(floor) <= min(ceiling)


def pruned_by_brute_force(tree: Tree) -> frozenset[int]:
    """The same for `cut` and left to right, by trying all values of all later leaves in small trees."""
    payoffs = payoffs_of(tree)
    span = range(int(min(payoffs.values())) - 1, int(max(payoffs.values())) + 2)
    pruned = set()
    for place, leaf in enumerate(tree.leaves):
        later = tree.leaves[place + 1 :]
        matters = any(
            value(tree, 0, payoffs | dict(zip(later, chosen, strict=True)) | {leaf: span[0]})
            != value(tree, 0, payoffs | dict(zip(later, chosen, strict=True)) | {leaf: span[-1]})
            for chosen in product(span, repeat=len(later))
        )
        if not matters:
            pruned.add(tree.paths[leaf])
    return frozenset(pruned)


def cuts(tree: Tree, pruned: frozenset[int], order: Order = "left-to-right") -> dict[int, tuple[int, ...]]:
    """For every node that is cut the children that are skipped: nothing below them is visited."""
    dead = {
        node
        for node in range(len(tree))
        if all(tree.paths[leaf] in pruned for leaf in tree.leaves_below(node))
    }
    found = {}
    for node in range(len(tree)):
        skipped = tuple(child for child in tree.visiting(node, order) if child in dead)
        if skipped and node not in dead:
            found[node] = skipped
    return found


def deep(tree: Tree, node: int, skipped: tuple[int, ...], order: Order = "left-to-right") -> bool:
    """Whether a cut (under the rule that ties cut) needs a bound from above the parent.

    Knuth and Moore 1975: procedure F1, which knows the values seen at the parent only, would go on.
    """
    payoffs = payoffs_of(tree)
    parent = tree.parents[node]
    siblings = tree.visiting(parent, order)
    elders = [value(tree, elder, payoffs) for elder in siblings[: siblings.index(node)]]
    seen = [value(tree, child, payoffs) for child in tree.children[node] if child not in skipped]
    if not elders:
        return True
    if tree.players[node] is Player.MIN:
        return min(seen) > max(elders)
    return max(seen) < min(elders)
