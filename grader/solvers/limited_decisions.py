"""Decisions under a depth limit, legal evaluations, and pruning by known bounds of a node."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from grader.base.numbers import INFINITY, Bound, Number
from grader.solvers.depth_limit import truncate_at_depth
from grader.solvers.expectiminimax import expectation
from grader.solvers.solvable import number_at, require_max_and_min
from grader.solvers.star1 import player_node_search
from grader.solvers.sweep import sweep
from grader.solvers.trace import Recorder, Search
from grader.solvers.value_intervals import Interval
from grader.solvers.values import best_children, values
from grader.trees.rules import Rules
from grader.trees.tree import Tree, Value


@dataclass(frozen=True, slots=True)
class DepthDecision:
    """The result of a search to a depth: value and best moves of the root, as nodes of the whole tree."""

    depth: int
    value: Value
    best: tuple[int, ...]


def decisions_by_depth(tree: Tree) -> tuple[DepthDecision, ...]:
    """Return value and best moves of the root at depth 1, 2, ... up to the depth of the tree.

    Raises `LimitError` if a node at a limit has no static evaluation.
    """
    decisions = []
    for depth in range(1, max(tree.depths) + 1):
        cut = truncate_at_depth(tree, depth)
        exact_values = values(cut)
        # The limit keeps the order of the children, so the k-th child is the k-th child of the whole tree.
        optimal = best_children(cut, exact_values)[0]
        pairs = zip(tree.children[0], cut.children[0], strict=True)
        best = tuple(whole for whole, child in pairs if child in optimal)
        decisions.append(DepthDecision(depth, exact_values[0], best))
    return tuple(decisions)


def changed_depths(decisions: Sequence[DepthDecision]) -> tuple[int, ...]:
    """Return the depths at which the best moves differ from those one ply before."""
    return tuple(after.depth for before, after in pairwise(decisions) if before.best != after.best)


def expected_utility(outcomes: Sequence[tuple[Number, Number]]) -> Number:
    """Return the mean utility of a category of positions, from the share and the utility of each outcome.

    82% wins (1), 2% losses (0) and 16% draws (1/2) give 0.90 (Russell and Norvig, section 5.3.1).
    Raises ValueError if the shares do not sum to 1.
    """
    if sum(share for share, _ in outcomes) != 1:
        raise ValueError("the shares do not sum to 1")
    return expectation(*zip(*outcomes, strict=True))


class IllegalEvaluation(StrEnum):
    """The reason why a function is not a legal evaluation function."""

    BEYOND = "beyond"
    """The evaluation of a position is below a loss or above a win."""
    NOT_UTILITY = "not-utility"
    """The evaluation of a finished position is not its utility."""


@dataclass(frozen=True, slots=True)
class EvaluatedPosition:
    """A position with its evaluation, and its utility if the game is over."""

    evaluation: Number
    utility: Number | None = None


def illegal_evaluations(
    positions: Sequence[EvaluatedPosition], loss: Number, win: Number
) -> tuple[tuple[int, IllegalEvaluation], ...]:
    """Return the indices of the positions with an illegal evaluation, and the reason for each.

    EVAL(s) = UTILITY(s) if the game is over, else UTILITY(loss) <= EVAL(s) <= UTILITY(win)
    (Russell and Norvig, section 5.3).
    """
    illegal = []
    for index, position in enumerate(positions):
        if position.utility is not None:
            if position.evaluation != position.utility:
                illegal.append((index, IllegalEvaluation.NOT_UTILITY))
        elif not loss <= position.evaluation <= win:
            illegal.append((index, IllegalEvaluation.BEYOND))
    return tuple(illegal)


def search_with_bounds(tree: Tree, rules: Rules, known: Mapping[int, Interval]) -> Search:
    """Alpha-beta that does not search below a node whose known bounds already meet the window.

    `known` gives a lower and an upper bound of the value of some nodes before the search.
    A node of either player is left if its upper bound is at most alpha, or its lower bound at least beta;
    with `ties=keep`, only if it is less or more. The node itself counts as visited, and its `Cut` names
    it as its own last child. With false bounds the root may get a wrong value.
    Raises `UnknownPayoff` if the search reaches an unknown leaf, `Unsolvable` for chance nodes and
    several players.
    """
    require_max_and_min(tree)
    keep = rules.ties == "keep"
    record = Recorder(tree, traced=True)

    def meets(one: Bound, other: Bound) -> bool:
        return one > other or (one == other and not keep)

    def visit(node: int, alpha: Bound, beta: Bound) -> Bound:
        record.enter(node, alpha, beta)
        value = search_node(node, alpha, beta)
        record.leave(node, value)
        return value

    def search_node(node: int, alpha: Bound, beta: Bound) -> Bound:
        """Return the value of a node, or a known finite bound that already meets the window, as a cutoff."""
        player, children = tree.players[node], tree.visiting(node, rules.order)
        if player is None:
            return number_at(tree, node)
        lowest, highest = known.get(node, (-INFINITY, INFINITY))
        for bound, closes in ((highest, meets(alpha, highest)), (lowest, meets(lowest, beta))):
            if closes and abs(bound) != INFINITY:
                record.cut(node, node, bound, alpha, beta, children)
                return bound
        return player_value(node, alpha, beta)

    player_value = player_node_search(tree, replace(rules, returns="soft"), record, visit)
    visit(0, *rules.root_window)
    return record.search()


def visited_with_bounds(tree: Tree, rules: Rules, known: Mapping[int, Interval]) -> tuple[bool, ...]:
    """Return the nodes that `search_with_bounds` visits, without a search, by `grader.solvers.sweep`.

    Raises `UnknownPayoff` at any unknown leaf, `Unsolvable` for chance nodes and several players.
    """
    swept = sweep(tree, rules)
    visited = list(swept.visited)
    for node in range(len(tree)):
        alpha, beta = swept.alphas[node], swept.betas[node]
        lowest, highest = known.get(node, (-INFINITY, INFINITY))
        closed = (
            (alpha > highest or lowest > beta)
            if rules.ties == "keep"
            else (alpha >= highest or lowest >= beta)
        )
        if visited[node] and closed and tree.children[node]:
            visited[node + 1 : tree.ends[node]] = [False] * (tree.ends[node] - node - 1)
    return tuple(visited)
