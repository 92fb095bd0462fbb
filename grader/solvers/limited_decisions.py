"""What a depth limit does to a decision, legal evaluations, and pruning by bounds known at a node."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from grader.base.numbers import INFINITY, Bound, Number
from grader.solvers.depth_limit import truncate_at_depth
from grader.solvers.expectiminimax import expectation
from grader.solvers.solvable import number_at, require_no_chance, require_two_players
from grader.solvers.sweep import sweep
from grader.solvers.trace import Recorder, Search
from grader.solvers.value_intervals import Interval
from grader.solvers.values import best_children, values
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree, Value


@dataclass(frozen=True, slots=True)
class DepthDecision:
    """What a search to a depth says of the root: its value and its best moves, as nodes of the whole tree."""

    depth: int
    value: Value
    best: tuple[int, ...]


def decisions_by_depth(tree: Tree) -> tuple[DepthDecision, ...]:
    """Value and best moves of the root at depth 1, 2, ... up to the depth of the tree.

    Raises `LimitError` where a node at a limit has no static evaluation.
    """
    found = []
    for depth in range(1, max(tree.depths) + 1):
        cut = truncate_at_depth(tree, depth)
        exact_values = values(cut)
        # Limiting keeps the order of the children, so the k-th child is the k-th child of the whole tree.
        optimal = best_children(cut, exact_values)[0]
        pairs = zip(tree.children[0], cut.children[0], strict=True)
        best = tuple(whole for whole, child in pairs if child in optimal)
        found.append(DepthDecision(depth, exact_values[0], best))
    return tuple(found)


def changed_depths(found: Sequence[DepthDecision]) -> tuple[int, ...]:
    """The depths at which the best moves are others than one ply before."""
    return tuple(after.depth for before, after in pairwise(found) if before.best != after.best)


def expected_utility(outcomes: Sequence[tuple[Number, Number]]) -> Number:
    """The mean utility of a category of positions, from the share and the utility of each outcome.

    82 % won (1), 2 % lost (0), 16 % drawn (1/2) are worth 0.90 (Russell and Norvig, section 5.3.1).
    Raises ValueError when the shares do not sum to 1.
    """
    if sum(share for share, _ in outcomes) != 1:
        raise ValueError("the shares do not sum to 1")
    return expectation(*zip(*outcomes, strict=True))


class IllegalEvaluation(StrEnum):
    """Why a function is no evaluation function."""

    BEYOND = "beyond"
    """A position is evaluated below a loss or above a win."""
    NOT_UTILITY = "not-utility"
    """A position that is over is not worth its utility."""


@dataclass(frozen=True, slots=True)
class EvaluatedPosition:
    """A position with its evaluation, and its utility where the game is over."""

    evaluation: Number
    utility: Number | None = None


def illegal_evaluations(
    positions: Sequence[EvaluatedPosition], loss: Number, win: Number
) -> tuple[tuple[int, IllegalEvaluation], ...]:
    """The places of the positions that a legal evaluation would treat otherwise, with the reason.

    EVAL(s) = UTILITY(s) where the game is over, and UTILITY(loss) <= EVAL(s) <= UTILITY(win) everywhere else
    (Russell and Norvig, section 5.3).
    """
    found = []
    for place, position in enumerate(positions):
        if position.utility is not None:
            if position.evaluation != position.utility:
                found.append((place, IllegalEvaluation.NOT_UTILITY))
        elif not loss <= position.evaluation <= win:
            found.append((place, IllegalEvaluation.BEYOND))
    return tuple(found)


def search_with_bounds(tree: Tree, rules: Rules, known: Mapping[int, Interval]) -> Search:
    """Alpha-beta that does not look below a node whose known bound already meets the window.

    `known` says of nodes between which values they lie before they are searched.
    A MIN node whose upper bound is at most alpha is left unsearched, as if its value had fallen to alpha;
    a MAX node whose lower bound is at least beta likewise; and either by the other bound. Under
    `ties=keep` equal ones do not do. The node itself counts as visited, and its `Cut` names it as the
    child after which it was left. The bounds must be true, or the root may come out wrong.
    Raises `UnknownPayoff` when the search comes to an unknown leaf, `Unsolvable` for chance nodes and
    several players.
    """
    require_two_players(tree)
    require_no_chance(tree)
    keep = rules.ties == "keep"
    record = Recorder(tree, traced=True)

    def meets(one: Bound, other: Bound) -> bool:
        return one > other or (one == other and not keep)

    def visit(node: int, alpha: Bound, beta: Bound) -> Bound:
        record.enter(node, alpha, beta)
        value = searched(node, alpha, beta)
        record.leave(node, value)
        return value

    def searched(node: int, alpha: Bound, beta: Bound) -> Bound:
        player, children = tree.players[node], tree.visiting(node, rules.order)
        if player is None:
            return number_at(tree, node)
        least, most = known.get(node, (-INFINITY, INFINITY))
        for bound, closes in ((most, meets(alpha, most)), (least, meets(least, beta))):
            if closes and abs(bound) != INFINITY:
                record.cut(node, node, bound, alpha, beta, children)
                return bound
        maximizes = player is Player.MAX
        value: Bound = -INFINITY if maximizes else INFINITY
        for place, child in enumerate(children):
            below = visit(child, alpha, beta)
            value = max(value, below) if maximizes else min(value, below)
            if meets(value, beta) if maximizes else meets(alpha, value):
                record.cut(node, child, value, alpha, beta, children[place + 1 :])
                return value
            if maximizes and value > alpha:
                alpha = value
                record.update(node, child, "alpha", alpha)
            elif not maximizes and value < beta:
                beta = value
                record.update(node, child, "beta", beta)
        return value

    visit(0, -INFINITY, INFINITY)
    return record.search()


def visited_with_bounds(tree: Tree, rules: Rules, known: Mapping[int, Interval]) -> tuple[bool, ...]:
    """What `search_with_bounds` visits, from exact values and without a search (`grader.solvers.sweep`).

    Raises `UnknownPayoff` at any unknown leaf, `Unsolvable` for chance nodes and several players.
    """
    swept = sweep(tree, rules)
    visited = list(swept.visited)
    for node in range(len(tree)):
        alpha, beta = swept.alphas[node], swept.betas[node]
        least, most = known.get(node, (-INFINITY, INFINITY))
        closed = (alpha > most or least > beta) if rules.ties == "keep" else (alpha >= most or least >= beta)
        if visited[node] and closed and tree.children[node]:
            visited[node + 1 : tree.ends[node]] = [False] * (tree.ends[node] - node - 1)
    return tuple(visited)
