"""Max^n with shallow and immediate pruning: which cuts bounded payoffs make sound."""

from dataclasses import dataclass
from fractions import Fraction

from grader.base.numbers import INFINITY, Bound, Number, normalize_number
from grader.solvers.solvable import Unsolvable, vector_at
from grader.trees.rules import Order
from grader.trees.tree import Tree, Vector


@dataclass(frozen=True, slots=True)
class Shallow:
    """What max^n with shallow and immediate pruning did; tuples aligned with the nodes.

    What lies below a node that it never came to cannot matter: cutting there is sound.

    - `visited`: whether the search came to a node.
    - `values`: the vectors it found; None where it never came and at nodes that it left early.
    - `cut_by`: for nodes left early, the parent whose player already has as much, or the node itself
      when its own player already has everything there is; else None.
    """

    visited: tuple[bool, ...]
    values: tuple[Vector | None, ...]
    cut_by: tuple[int | None, ...]


def shallow(tree: Tree, total: Number, least: Number = 0, order: Order = "left-to-right") -> Shallow:
    """Max^n that leaves a node as soon as its parent cannot want it, or its own player cannot do better.

    The components of every payoff sum to at most `total` and are at least `least`. When the player of a
    node has v there, the player of its parent gets at most total - v - (n - 2) least by it; when that is
    no more than the parent already has, the node is left (shallow pruning); when v is all that the others
    leave, its other children cannot be better (immediate pruning). Of equal values the first visited
    counts, so a cut changes no value at the root. Bounds of grandparents cut nothing: deep pruning is not
    sound with more than two players. Korf, Multi-player alpha-beta pruning, Artificial Intelligence 48
    (1991).
    Raises `Unsolvable` for games of two players, chance nodes and payoffs beyond the bounds.
    """
    if not tree.seats:
        raise Unsolvable("max^n is for games with a payoff for each player")
    if tree.has_chance:
        raise Unsolvable("shallow pruning is for games without chance")
    players = tree.seats
    for leaf in tree.leaves:
        vector = vector_at(tree, leaf)
        if sum(vector) > total or min(vector) < least:
            raise Unsolvable(f"the payoff of {tree.names[leaf]} lies beyond the bounds")
    visited = [False] * len(tree)
    values: list[Vector | None] = [None] * len(tree)
    cut_by: list[int | None] = [None] * len(tree)
    everything = normalize_number(Fraction(total - (players - 1) * least))

    def visit(node: int, parent_seat: int | None, parent_has: Bound) -> Vector:
        visited[node] = True
        player = tree.players[node]
        if player is None:
            values[node] = vector = vector_at(tree, node)
            return vector
        seat = player.seat
        assert seat is not None, "such payoffs are for players with a number"
        best: Vector | None = None
        children = tree.visiting(node, order)
        for place, child in enumerate(children):
            found = visit(child, seat, -INFINITY if best is None else best[seat])
            if best is None or found[seat] > best[seat]:
                best = found
            if place == len(children) - 1:
                break
            left_over = total - best[seat] - (players - 2) * least
            if parent_seat is not None and parent_seat != seat and left_over <= parent_has:
                cut_by[node] = tree.parents[node]
            elif best[seat] >= everything:
                cut_by[node] = node
                values[node] = best
            if cut_by[node] is not None:
                return best
        assert best is not None, "a node has children"
        values[node] = best
        return best

    visit(0, None, -INFINITY)
    return Shallow(tuple(visited), tuple(values), tuple(cut_by))
