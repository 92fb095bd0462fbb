"""Alpha-beta with a mistake, written as its sentence says it: another way to what students visit."""

from math import inf

from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree

PLANTED = (
    *("shallow-only", "only-at-min", "only-at-max", "root-alpha-forgotten", "own-bound"),
    *("latest-not-best", "one-late", "one-sibling-only", "leaves-only", "never-prunes"),
)
"""The mistakes that this search can make."""


def visited_nodes(tree: Tree, rules: Rules, mistake: str) -> list[int]:
    """Return the nodes in the order in which the search with this mistake visits them."""
    visited: list[int] = []

    def value_of(node: int, alpha: float, beta: float) -> float:
        visited.append(node)
        if not tree.children[node]:
            return tree.payoffs[node]  # type: ignore[return-value]  # a number in these questions
        children = list(tree.children[node])
        if rules.order == "right-to-left":
            children.reverse()
        is_max = tree.players[node] is Player.MAX
        # The window that children inherit, and the best (or latest) value found here, which narrows it.
        inherited = (-inf, inf) if mistake == "shallow-only" else (alpha, beta)
        values: list[float] = []
        own: float | None = None
        while children:
            values.append(value_of(children.pop(0), *_narrowed(inherited, own, node)))
            if _is_cut(_best(values, is_max), alpha, beta, is_max):
                # A child that is visited all the same gets the window of the child that led to the cutoff.
                values += [
                    value_of(child, *_narrowed(inherited, own, node)) for child in _still_visited(children)
                ]
                break
            own = values[-1] if mistake == "latest-not-best" else _best(values, is_max)
        return _best(values, is_max)

    def _narrowed(window: tuple[float, float], own: float | None, node: int) -> tuple[float, float]:
        if own is None or (mistake == "root-alpha-forgotten" and node == 0):
            return window
        low, high = window
        if mistake == "latest-not-best":
            return (own, high) if tree.players[node] is Player.MAX else (low, own)
        return (max(low, own), high) if tree.players[node] is Player.MAX else (low, min(high, own))

    def _is_cut(best: float, alpha: float, beta: float, is_max: bool) -> bool:
        if mistake == "never-prunes" or mistake == ("only-at-min" if is_max else "only-at-max"):
            return False
        if mistake == "own-bound":
            is_max = not is_max
        return _reaches(best, beta) if is_max else _reaches(alpha, best)

    def _reaches(high: float, low: float) -> bool:
        return high >= low if rules.ties == "cut" else high > low

    def _still_visited(children: list[int]) -> list[int]:
        if mistake == "one-late":
            return children[:1]
        if mistake == "one-sibling-only":
            return children[1:]
        return [child for child in children if tree.children[child]] if mistake == "leaves-only" else []

    value_of(0, -inf, inf)
    return visited


def _best(values: list[float], is_max: bool) -> float:
    return max(values) if is_max else min(values)
