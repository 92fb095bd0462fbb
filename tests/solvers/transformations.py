"""Trees derived from a tree, for the laws of invariance."""

from collections.abc import Callable
from dataclasses import replace

from grader.base.numbers import Number
from grader.trees.tree import Player, Tree
from grader.trees.tree_builder import TreeBuilder

SWAPPED = {Player.MAX: Player.MIN, Player.MIN: Player.MAX}


def mapped(tree: Tree, change: Callable[[Number], Number]) -> Tree:
    """The tree with every payoff changed."""
    return tree.with_payoffs(tuple(change(tree.payoffs[leaf]) for leaf in tree.leaves))


def negated(tree: Tree) -> Tree:
    """The same game seen by the other player: payoffs negated, MAX and MIN swapped."""
    swapped = tuple(SWAPPED.get(player, player) for player in tree.players)
    return mapped(replace(tree, players=swapped), lambda payoff: -payoff)


def mirrored(tree: Tree) -> tuple[Tree, tuple[int, ...]]:
    """The mirror image, and for each of its nodes the node it mirrors."""
    builder, nodes = TreeBuilder(), []

    def add_part(node: int, parent: int) -> None:
        nodes.append(node)
        place = builder.add(
            parent, tree.players[node], tree.payoffs[node], probability=tree.probabilities[node]
        )
        for child in reversed(tree.children[node]):
            add_part(child, place)

    add_part(0, -1)
    return builder.tree(tree.header), tuple(nodes)


def uniform(branching: int, plies: int, payoffs: Callable[[int], Number], root: Player = Player.MAX) -> Tree:
    """A tree in which everybody has `branching` moves, with payoffs by leaf number."""
    builder = TreeBuilder()
    path = 0

    def add_part(parent: int, player: Player, to_go: int) -> None:
        nonlocal path
        if to_go == 0:
            path += 1
            builder.add(parent, None, payoffs(path))
            return
        node = builder.add(parent, player)
        for _ in range(branching):
            add_part(node, SWAPPED[player], to_go - 1)

    add_part(-1, root, plies)
    return builder.tree()
