"""Every strategy there is: the definition by which strategies are judged."""

from collections.abc import Iterator
from itertools import product

from grader.trees.tree import Player, Tree


def all_strategies(tree: Tree, player: Player, node: int = 0) -> Iterator[dict[int, int]]:
    """Yield every strategy below a node, with moves only at reachable nodes; there may be very many."""
    children = tree.children[node]
    if not children:
        yield {}
    elif tree.players[node] is player:
        for child in children:
            for below in all_strategies(tree, player, child):
                yield {node: child, **below}
    else:
        for parts in product(*(tuple(all_strategies(tree, player, child)) for child in children)):
            yield {own: move for part in parts for own, move in part.items()}


def choices(strategy: dict[int, int]) -> dict[int, tuple[int]]:
    """A strategy as the only choice at each of its nodes."""
    return {node: (child,) for node, child in strategy.items()}
