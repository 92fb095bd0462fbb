"""The reasons why alpha-beta cuts at some nodes and not at others."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from operator import ge, gt, le, lt

from grader.base.numbers import INFINITY, Bound
from grader.solvers.mistaken_search import mistaken_search
from grader.solvers.search_choice import search
from grader.solvers.solvable import require_max_and_min
from grader.solvers.trace import Cut, Leave, Search
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree


class CutKind(StrEnum):
    """The bound that a node met."""

    ALPHA = "alpha"
    BETA = "beta"


@dataclass(frozen=True, slots=True)
class CutReason:
    """The reason why the search left a node early.

    - `node`: the node; `child`: its last visited child; `skipped`: the children that were never visited.
    - `kind`: an alpha cutoff at a MIN node, a beta cutoff at a MAX node.
    - `value`: the node's value at the cutoff: an upper bound at a MIN node, a lower bound at a MAX node.
    - `cause`: the ancestor of the other player whose own value so far is the bound in the window; the
      topmost if several have it.
    - `bound`: the value of `cause`; `cause_child`: its child with that value.
    - `deep`: whether a search that compares a node only with its parent would still visit the next child.
      Knuth and Moore, An analysis of alpha-beta pruning, Artificial Intelligence 6 (1975).
    - `undisputed`: whether two other definitions of a deep cutoff agree: by the values returned to the node
      and to its parent, which may be bounds, and by the exact value of the parent so far.
    """

    node: int
    child: int
    skipped: tuple[int, ...]
    kind: CutKind
    value: Bound
    cause: int
    bound: Bound
    cause_child: int
    deep: bool
    undisputed: bool


class NoCut(StrEnum):
    """The reason why nothing is pruned directly below a node."""

    LEAF = "leaf"
    """It has no children."""
    PRUNED = "pruned"
    """It was not visited."""
    ONLY_CHILD = "only-child"
    """There is nothing to skip after the first child."""
    NO_BOUND = "no-bound"
    """No ancestor of the other player has a value when the node is searched."""
    LAST_CHILD = "last-child"
    """Its value meets the bound, but only with its last child."""
    TIE_KEPT = "tie-kept"
    """Its value equals the bound before its last child, which does not cut under the tie rule."""
    NOT_MET = "not-met"
    """Its value never meets the bound."""


@dataclass(frozen=True, slots=True)
class NoCutReason:
    """The reason why nothing is pruned below a node, its final value, and the bound that it did not meet.

    Value and bound are None at a leaf and at an unvisited node; an infinite bound means there is none.
    """

    node: int
    kind: NoCut
    value: Bound | None
    bound: Bound | None


def cut_reasons(tree: Tree, rules: Rules) -> tuple[CutReason, ...]:
    """Return the reason of every cut, in the order in which the search makes them.

    Raises `UnknownPayoff` when this search, or one that compares a node only with its parent, comes to an
    unknown leaf, `Unsolvable` for chance nodes and several players.
    """
    require_max_and_min(tree)
    shallow = mistaken_search(tree, rules, "shallow-only")
    best_so_far: dict[int, tuple[Bound, int]] = {}  # the value of a node, and the child that has it
    reasons: list[CutReason] = []
    for event in search(tree, rules).trace:
        if isinstance(event, Leave) and event.node:
            parent = tree.parents[event.node]
            better = max if tree.players[parent] is Player.MAX else min
            before = best_so_far.get(parent)
            if before is None or better(before[0], event.value) != before[0]:
                best_so_far[parent] = (event.value, event.node)
        elif isinstance(event, Cut):
            reasons.append(_cut_reason(tree, rules, event, best_so_far, shallow))
    return tuple(reasons)


def _cut_reason(
    tree: Tree, rules: Rules, cut: Cut, best_so_far: Mapping[int, tuple[Bound, int]], shallow: Search
) -> CutReason:
    """Return the reason of one cut; `shallow` is the search that compares a node only with its parent."""
    reaches, falls_to = (ge, le) if rules.ties == "cut" else (gt, lt)
    player = tree.players[cut.node]
    meets, extreme = (falls_to, max) if player is Player.MIN else (reaches, min)
    bounds = {
        node: best_so_far[node][0]
        for node in tree.ancestors(cut.node)
        if tree.players[node] is not player and node in best_so_far and meets(cut.value, best_so_far[node][0])
    }
    bound = extreme(bounds.values())
    nearest, topmost = next(iter(bounds)), [node for node in bounds if bounds[node] == bound][-1]
    parent_bound = (shallow.alphas if player is Player.MIN else shallow.betas)[cut.node]
    assert parent_bound is not None, "that search comes wherever this one does"
    is_deep = shallow.visited[cut.skipped[0]]
    is_deep_by_returned = nearest != tree.parents[cut.node]
    return CutReason(
        node=cut.node,
        child=cut.child,
        skipped=cut.skipped,
        kind=CutKind.ALPHA if player is Player.MIN else CutKind.BETA,
        value=cut.value,
        cause=topmost,
        bound=bound,
        cause_child=best_so_far[topmost][1],
        deep=is_deep,
        undisputed=is_deep == is_deep_by_returned == (not meets(cut.value, parent_bound)),
    )


def no_cut_reason(tree: Tree, rules: Rules, node: int) -> NoCutReason | None:
    """Return the reason why nothing is pruned directly below a node; None if something is.

    Raises what `cut_reasons` raises.
    """
    require_max_and_min(tree)
    result = search(tree, rules)
    player, children = tree.players[node], tree.visiting(node, rules.order)
    if not result.visited[node]:
        return NoCutReason(node, NoCut.PRUNED, None, None)
    if player is None:
        return NoCutReason(node, NoCut.LEAF, None, None)
    if not all(result.visited[child] for child in children):
        return None
    alpha, beta = result.alphas[node], result.betas[node]
    bound = alpha if player is Player.MIN else beta
    better = min if player is Player.MIN else max
    below = [value for child in children if (value := result.returned[child]) is not None]
    value = better(below)
    assert bound is not None, "a visited node has a window"
    if len(children) == 1:
        reason = NoCut.ONLY_CHILD
    elif abs(bound) == INFINITY:
        reason = NoCut.NO_BOUND
    elif better(below[:-1]) == bound:
        reason = NoCut.TIE_KEPT
    elif better(value, bound) == value and (value != bound or rules.ties == "cut"):
        reason = NoCut.LAST_CHILD
    else:
        reason = NoCut.NOT_MET
    return NoCutReason(node, reason, value, bound)


def seemingly_best(tree: Tree, result: Search) -> tuple[int, ...]:
    """Return the children of the root that seem to be best by the values that the search returned.

    A pruned child may return the value of the best one: a false tie, because its exact value may be worse.
    """
    return tuple(child for child in tree.children[0] if result.returned[child] == result.returned[0])
