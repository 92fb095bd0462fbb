"""The exact value of every node by the solver that suits the tree, and all optimal moves."""

from collections.abc import Sequence

from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.maxn import maxn
from grader.solvers.minimax import minimax
from grader.solvers.solvable import several_players
from grader.trees.tree import Player, Tree, Value

MAX_PRINCIPAL_VARIATIONS = 100
"""A tree of ties has more lines of best play than anybody reads."""


def values(tree: Tree) -> tuple[Value, ...]:
    """Return the exact value of every node: a number, or a vector for several players.

    Raises `grader.solvers.solvable.UnknownPayoff` if a payoff is unknown (see
    `grader.solvers.value_intervals`).
    """
    if several_players(tree):
        return maxn(tree)
    return expectiminimax(tree) if tree.has_chance else minimax(tree)


def best_children(tree: Tree, values: Sequence[Value]) -> tuple[tuple[int, ...], ...]:
    """Return all optimal children of every node, from left to right; empty at leaves and at chance nodes.

    `values` are the exact values, aligned with the nodes, not those that alpha-beta returns: a cut node
    may return the same value as its best sibling.
    """
    best: list[tuple[int, ...]] = [()] * len(tree)
    players, below = tree.players, tree.children
    for node in tree.internal:
        player, value = players[node], values[node]
        if player is Player.CHANCE or player is None:
            continue
        if isinstance(value, tuple):
            seat = player.seat or 0
            # In such a game every value is a vector.
            best[node] = tuple([child for child in below[node] if values[child][seat] == value[seat]])  # type: ignore[index]
        else:
            best[node] = tuple([child for child in below[node] if values[child] == value])
    return tuple(best)


def principal_variations(
    best: Sequence[tuple[int, ...] | None], max_lines: int = MAX_PRINCIPAL_VARIATIONS
) -> tuple[tuple[int, ...], ...]:
    """Return the lines of best play from the root, as tuples of nodes, from left to right.

    A line starts with the root and ends at a leaf, at a chance node, or at a node whose best moves are
    unknown (None in `best`).
    """
    lines: list[tuple[int, ...]] = []
    open_lines: list[tuple[int, ...]] = [(0,)]
    while open_lines and len(lines) < max_lines:
        line = open_lines.pop()
        next_nodes = best[line[-1]]
        if next_nodes:
            open_lines.extend((*line, child) for child in reversed(next_nodes))
        else:
            lines.append(line)
    return tuple(lines)
