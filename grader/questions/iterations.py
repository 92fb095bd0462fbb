"""Shared by the questions about iterative deepening: the fields, and the iteration that answers them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import TypeVar, get_args

from grader.answers.children_order import Orders
from grader.answers.numeral import Numeral
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.kind import BeliefKey, Key
from grader.questions.randomness import Draw
from grader.questions.search_answers import choice_objection, search_objection
from grader.solvers.depth_limit import LimitError, static_evaluation
from grader.solvers.iterative_deepening import Evaluations, Iteration, Scores, iterative_deepening
from grader.solvers.iterative_deepening_by_values import (
    IterationByValues,
    SortingHabits,
    iterations_by_values,
)
from grader.solvers.minimax import minimax
from grader.solvers.mistaken_search import swap_players
from grader.trees.annotations import Attributes
from grader.trees.tree import Tree

A = TypeVar("A")

MAX_DRAWS = 12
"""How many evaluations are drawn for a tree until every misconception leads to another answer."""

# What a question gives --------------------------------------


def iteration_number(case: Case) -> int:
    """Return the number of the iteration in question: the last one unless another one is given."""
    depth: int = case.given.get("depth", max(case.tree.depths))
    return depth


SCORES: Mapping[str, Sequence[str]] = {"scores": get_args(Scores)}
"""The rules for the score of a node; the usual one first."""


def scores_of(given: Given) -> Scores:
    """Return by which scores children are sorted: their own evaluations unless something else is given."""
    return "backed-up" if given.get("scores") == "backed-up" else "own"


def evaluations_of(tree: Tree) -> Evaluations:
    """Return how nodes are evaluated: as given in the tree, else by the average of the leaves below them."""
    are_given = any(tree.attributes[node] is not None for node in tree.internal if node)
    return "given" if are_given else "average"


def iteration_objection(case: Case) -> str | None:
    """Return why there is no question about an iteration of this tree, or None."""
    tree = case.tree
    if why := search_objection(case):
        return why
    depth = case.given.get("depth", 1)
    if not isinstance(depth, int) or isinstance(depth, bool) or not 1 <= depth <= max(tree.depths):
        return f"depth is not a number of plies from 1 to {max(tree.depths)}"
    if case.given.get("scores", "own") not in ("own", "backed-up"):
        return "scores are own or backed-up"
    if evaluations_of(tree) == "given":
        try:
            for node in tree.internal:
                if 0 < tree.depths[node] <= iteration_number(case):
                    static_evaluation(tree, node)
        except LimitError as error:
            return str(error)
    return None


def order_objection(case: Case) -> str | None:
    """Return why the order of an iteration cannot be asked for, or None.

    It is an objection to the iteration, or that the iteration sorts nothing.
    """
    why = iteration_objection(case)
    return why or (None if sorted_nodes(case) else "no node has children that were scored before")


def leaves_objection(case: Case) -> str | None:
    """Return why the leaves of an iteration cannot be asked about, or None.

    It is an objection to the iteration, or that it does not reach the leaves.
    """
    why = iteration_objection(case)
    if why is None and iteration_number(case) < max(case.tree.depths):
        return "only the last iteration reaches the leaves"
    return why


def move_objection(case: Case) -> str | None:
    """Return why the best move of an iteration cannot be asked for, or None.

    It is an objection to the iteration, or that its best move is tied, or the only move.
    """
    if why := iteration_objection(case) or choice_objection(case.tree):
        return why
    values = iterations_with_habits(case, SortingHabits(scores_of(case.given)))[-1].values
    is_tied = [values[child] for child in case.tree.children[0]].count(values[0]) > 1
    return "two moves are equally good in this iteration" if is_tied else None


def draw_with_evaluations(
    answer: Callable[[Case, IterationByValues], A],
    beliefs: Mapping[str, BeliefKey[A]],
    *,
    early: int = 0,
    fits: Callable[[A], bool] = bool,
) -> Callable[[Draw, Case], Case | None]:
    """Return a function that draws evaluations for which every misconception leads to a wrong answer.

    The iteration in question is `early` plies before the last one; its answer `fits`.
    """

    def draw_case(draw: Draw, case: Case) -> Case | None:
        """Draw evaluations until the key fits and no belief has it; after `MAX_DRAWS`, keep the last ones.

        None if the tree does not suit.
        """
        depth = max(case.tree.depths, default=0) - early
        if not len(case.tree) or search_objection(case) is not None or depth < 1:
            return None
        given = Given({"depth": depth, "scores": "own", **draw.fixed_rules(SCORES)})
        subtle_first = tuple(beliefs.values())[::-1]  # the last ones are wrong least often
        for _ in range(MAX_DRAWS):
            candidate = Case(draw_evaluations(draw, case.tree), case.rules, given)
            key = answer(candidate, independent_iteration(candidate))
            if fits(key) and all(belief(candidate) != key for belief in subtle_first):
                break
        return candidate

    return draw_case


def is_mostly_reordered(orders: Orders) -> bool:
    """Return whether few nodes keep the order of their children, as nodes with pruned children do."""
    unchanged = sum(list(order) == sorted(order) for _, order in orders)
    return bool(orders) and unchanged <= max(1, len(orders) // 4)


def draw_evaluations(draw: Draw, tree: Tree) -> Tree:
    """Draw evaluations that are near the values of the nodes and differ from each other."""
    values = minimax(tree)
    payoffs = [values[leaf] for leaf in tree.leaves]
    low, high = -int(-min(payoffs) // 1), int(max(payoffs) // 1)
    spread = (high - low) // 2 + 2
    evaluations = set[int]()  # the free numbers between far payoffs would fill the memory
    attributes = list(tree.attributes)
    for node in tree.internal[1:]:
        number = min(max(int(values[node]) + draw.between(-spread, spread), low), high)
        near = (other for step in range(high - low + 1) for other in (number - step, number + step))
        number = next((other for other in near if low <= other <= high and other not in evaluations), number)
        evaluations.add(number)
        attributes[node] = Attributes(evaluation=number)
    return replace(tree, attributes=tuple(attributes))


# The searches ---------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def _final_iteration(case: Case) -> Iteration:
    """Return the iteration in question, as the search finds it."""
    return iterative_deepening(
        case.tree,
        case.rules,
        scores=scores_of(case.given),
        evaluations=evaluations_of(case.tree),
        depth=iteration_number(case),
    )[-1]


@lru_cache(maxsize=16)
def iterations_with_habits(case: Case, habits: SortingHabits) -> tuple[IterationByValues, ...]:
    """Return all iterations up to the one in question, for a student with these habits."""
    return iterations_by_values(
        case.tree, case.rules, habits, evaluations_of(case.tree), iteration_number(case)
    )


def independent_iteration(case: Case) -> IterationByValues:
    """Return the iteration in question, from exact values."""
    return iterations_with_habits(case, SortingHabits(scores_of(case.given)))[-1]


def key_from_values(answer: Callable[[Case, IterationByValues], A]) -> Key[A]:
    """Return the key that is read off the iteration in question, from exact values."""
    return lambda case: answer(case, independent_iteration(case))


def unvisited_leaves(step: IterationByValues) -> tuple[int, ...]:
    """Return the nodes that an iteration would evaluate but never visits."""
    return tuple(node for node in step.frontier if not step.visited[node])


def sorted_nodes(case: Case) -> tuple[int, ...]:
    """Return the nodes with at least two children that an earlier iteration can score, level by level."""
    deep = iteration_number(case) - 1
    return tuple(
        node
        for node in case.tree.by_level
        if case.tree.depths[node] < deep and len(case.tree.children[node]) > 1
    )


# The answers, read off an iteration done from values ------------------------------------------------


def order_in(case: Case, step: IterationByValues) -> Orders:
    """Return the orders of the children of the nodes in question."""
    return tuple((node, step.orders[node]) for node in sorted(sorted_nodes(case)))


def pruned_in(case: Case, step: IterationByValues) -> frozenset[int]:
    """Return the leaf numbers of the leaves that an iteration prunes."""
    return frozenset(case.tree.paths[node] for node in unvisited_leaves(step))


def count_in(case: Case, step: IterationByValues) -> Numeral:
    """Count the leaves that an iteration visits."""
    return Numeral(len(step.frontier) - len(unvisited_leaves(step)))


def move_in(case: Case, step: IterationByValues) -> frozenset[int]:
    """Return the best move after an iteration, by its place at the root."""
    return frozenset((case.tree.children[0].index(step.move),))


def order_by_search(case: Case) -> Orders:
    """Return the orders by the search itself."""
    orders, step = _final_iteration(case).orders, 1 if case.rules.order == "left-to-right" else -1
    return tuple((node, orders[node][::step]) for node in sorted(sorted_nodes(case)))


def pruned_by_search(case: Case) -> frozenset[int]:
    """Return the pruned leaves by the search itself."""
    return frozenset(case.tree.paths[node] for node in _final_iteration(case).pruned)


def count_by_search(case: Case) -> Numeral:
    """Count the visited leaves by the search itself."""
    found = _final_iteration(case)
    return Numeral(len(set(found.frontier) & set(found.visited)))


def move_by_search(case: Case) -> frozenset[int]:
    """Return the best move by the search itself."""
    return frozenset((case.tree.children[0].index(_final_iteration(case).move),))


_HABITS: Mapping[str, SortingHabits] = {
    "not-reordered": SortingHabits(sorts_children=False),
    "largest-first": SortingHabits(visits_first="largest"),
    "worst-first": SortingHabits(visits_first="worst"),
    "pruned-scored": SortingHabits(scores_pruned=True),
}
_OTHER: Mapping[str, Scores] = {"backed-up-for-own": "backed-up", "own-for-backed-up": "own"}


def habit_beliefs(answer: Callable[[Case, IterationByValues], A]) -> Mapping[str, BeliefKey[A]]:
    """Return the answers of students who sort in another way."""

    def believed(belief: str, case: Case) -> A | None:
        """Return the answer after the last iteration with a habit; None if the case states the habit."""
        own = scores_of(case.given)
        if _OTHER.get(belief) == own:
            return None
        habits = SortingHabits(_OTHER[belief]) if belief in _OTHER else replace(_HABITS[belief], scores=own)
        return answer(case, iterations_with_habits(case, habits)[-1])

    return {name: partial(believed, name) for name in (*_HABITS, *_OTHER)}


def move_at_depth(further: int, case: Case) -> frozenset[int] | None:
    """Return the best move of an iteration `further` plies deeper than the one in question.

    None if the tree has no such iteration.
    """
    depth = iteration_number(case) + further
    if not 1 <= depth <= max(case.tree.depths):
        return None
    other = replace(case, given=Given({**case.given, "depth": depth}))
    return None if iteration_objection(other) else move_in(case, independent_iteration(other))


def move_of_swapped_game(case: Case) -> frozenset[int]:
    """Return the best move after the iteration in the game with MAX and MIN exchanged."""
    swapped = replace(case, tree=swap_players(case.tree))
    return move_in(swapped, independent_iteration(swapped))
