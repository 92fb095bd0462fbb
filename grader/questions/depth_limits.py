"""What the questions about depth limits share: the limit, the answers, and trees with evaluations."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from grader.answers.numeral import Numeral
from grader.base.numbers import Number
from grader.base.phrases import Phrase
from grader.questions.case import Case
from grader.questions.given import NOTHING_GIVEN, Given
from grader.questions.iterations import draw_evaluations
from grader.questions.kind import BeliefKey
from grader.questions.randomness import Draw
from grader.questions.search_answers import choice_objection, search_objection, two_player_objection
from grader.questions.value_answers import (
    mistaken_numbers,
    root_moves,
    root_moves_by_search,
    root_value_by_search,
)
from grader.solvers.depth_limit import LimitError, nodes_within_depth, truncate_at_depth
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.limited_decisions import changed_depths, decisions_by_depth
from grader.trees.annotations import Attributes
from grader.trees.rules import Rules
from grader.trees.tree import Tree

A = TypeVar("A")

MAX_DRAWS = 24
"""How many evaluations are drawn for a tree until every misconception leads to another answer."""


def searched_depth(case: Case) -> int:
    """Return how many plies are searched: all but the last one unless something else is given."""
    depth: int = case.given.get("depth", max(case.tree.depths) - 1)
    return depth


@lru_cache(maxsize=8)
def truncate_tree(tree: Tree, depth: int) -> Tree:
    """Return the tree as a search to this depth sees it."""
    return truncate_at_depth(tree, depth)


def depth_limit_objection(case: Case) -> str | None:
    """Return why there is no question about a depth-limited search of this tree, or None."""
    tree = case.tree
    if why := two_player_objection(case):
        return why
    depth = case.given.get("depth", max(tree.depths) - 1)
    if not isinstance(depth, int) or isinstance(depth, bool) or not 1 <= depth < max(tree.depths):
        return f"depth is not a number of plies from 1 to {max(tree.depths) - 1}"
    try:
        truncate_tree(tree, depth)
    except LimitError as error:
        return str(error)
    return None


def limited_move_objection(case: Case) -> str | None:
    """Return why no move can be asked for after a depth-limited search, or None.

    It is an objection to the depth limit, or that there is no move to choose.
    """
    return choice_objection(case.tree) or depth_limit_objection(case)


def features_objection(case: Case) -> str | None:
    """Return why features cannot be asked about under a depth limit, or None.

    It is an objection to the depth limit, or that no node has features.
    """
    return depth_limit_objection(case) or (None if has_features(case.tree) else "no node has features")


def flip_objection(case: Case) -> str | None:
    """Return why the depth that changes the decision cannot be asked for, or None.

    Every depth has to leave a move to choose; the best move has to change, without ties up to the change.
    """
    for depth in range(1, max(case.tree.depths, default=0)):
        if why := limited_move_objection(replace(case, given=Given({"depth": depth}))):
            return why
    if why := limited_move_objection(replace(case, given=NOTHING_GIVEN)):
        return why
    changes = _flips(case.tree)
    if not changes:
        return "the decision is the same at every depth"
    if any(len(found.best) > 1 for found in _at_every_depth(case.tree) if found.depth <= changes[0]):
        return "several moves are best at one of the depths"
    return None


def has_features(tree: Tree) -> bool:
    """Return whether nodes are evaluated by features."""
    return any(attributes is not None and attributes.features is not None for attributes in tree.attributes)


BACKED_UP_CAPTION = Phrase(
    "Values backed up from the evaluations at depth {depth}. Nodes below that depth are not searched. "
    "The principal variation is drawn with thick lines."
)
"""The caption of a depth-limited search."""

# Answers ----------------------------------------------------------------------------------------


def value_at_depth(tree: Tree, depth: int) -> Numeral:
    """Return the value of the root in a search to this depth."""
    return Numeral(expectiminimax(truncate_tree(tree, depth))[0])


def values_at(tree: Tree, depth: int) -> tuple[Number | None, ...]:
    """Return the value of every node in a search to this depth; None below the limit."""
    values: list[Number | None] = [None] * len(tree)
    for node, value in zip(
        nodes_within_depth(tree, depth), expectiminimax(truncate_tree(tree, depth)), strict=True
    ):
        values[node] = value
    return tuple(values)


def move_at(tree: Tree, depth: int) -> frozenset[int]:
    """Return the best moves in a search to this depth, as places among the root's children."""
    cut = truncate_tree(tree, depth)
    return root_moves(cut, expectiminimax(cut))


def independent_value(case: Case) -> Numeral:
    """Return the value by a search with pruning."""
    return root_value_by_search(
        Case(truncate_tree(case.tree, searched_depth(case)), Rules(order=case.rules.order))
    )


def independent_move(case: Case) -> frozenset[int]:
    """Return the best moves by a search below each of them."""
    return root_moves_by_search(Case(truncate_tree(case.tree, searched_depth(case)), case.rules))


_at_every_depth = lru_cache(maxsize=8)(decisions_by_depth)


def _flips(tree: Tree) -> tuple[int, ...]:
    return changed_depths(_at_every_depth(tree))


def flip_depth(tree: Tree) -> Numeral:
    """Return the first depth at which the best moves differ from those one ply before."""
    return Numeral(_flips(tree)[0])


def independent_flip_depth(case: Case) -> Numeral:
    """Return the same by a search to each depth."""
    last = max(case.tree.depths)
    moves = [independent_move(replace(case, given=Given({"depth": depth}))) for depth in range(1, last + 1)]
    return Numeral(next(place for place in range(1, last) if moves[place] != moves[place - 1]) + 1)


# Misconceptions ------------------------------------------------------------------------


def at_depth(answer: Callable[[Tree, int], A], further: int | None) -> BeliefKey[A]:
    """Return the answer of a search that is `further` plies deeper, or of the whole tree if that is None."""

    def key(case: Case) -> A | None:
        """Return the answer at that depth; None if it is below 1, or a node there has no evaluation."""
        depth = max(case.tree.depths) if further is None else searched_depth(case) + further
        if depth < 1:
            return None
        try:
            return answer(case.tree, depth)
        except LimitError:
            return None

    return key


def _swapped(case: Case) -> tuple[Tree, list[Number]]:
    """Return the truncated tree, and its values if MAX minimises and MIN maximises."""
    cut = truncate_tree(case.tree, searched_depth(case))
    return cut, mistaken_numbers(cut, "players-swapped")


def value_swapped(case: Case) -> Numeral:
    """Return the value if the players are swapped."""
    return Numeral(_swapped(case)[1][0])


def move_swapped(case: Case) -> frozenset[int]:
    """Return the moves if the players are swapped."""
    return root_moves(*_swapped(case))


def with_changed_weights(change: Callable[[int], int]) -> BeliefKey[Numeral]:
    """Return the value with changed weights."""

    def key(case: Case) -> Numeral | None:
        """Return the value with other weights, at the given depth; None if the tree states no weights."""
        weights = case.tree.header.weights
        if weights is None:
            return None
        header = replace(case.tree.header, weights=tuple(change(int(weight)) for weight in weights))
        return value_at_depth(replace(case.tree, header=header), searched_depth(case))

    return key


# Drawing --------------------------------------------------------------------------------------------


def draw_where_beliefs_differ(
    write: Callable[[Draw, Tree], Tree],
    answer: Callable[[Tree, int], A],
    beliefs: Mapping[str, BeliefKey[A]],
    objection: Callable[[Case], str | None],
) -> Callable[[Draw, Case], Case | None]:
    """Return a function that draws evaluations for which every misconception leads to a wrong answer."""

    def draw_case(draw: Draw, case: Case) -> Case | None:
        """Draw estimates for the level above the leaves until no belief has the key.

        After `MAX_DRAWS`, keep the last that can be asked; None if there is none or the tree does not suit.
        """
        depth = max(case.tree.depths, default=0) - 1
        if depth < 1 or search_objection(case) is not None:
            return None
        given, best = Given({"depth": depth}), None
        for _ in range(MAX_DRAWS):
            tree = write(draw, case.tree)
            candidate = Case(tree, case.rules, given)
            if objection(candidate) is None:
                best = candidate
                key = answer(tree, depth)
                if all(belief(candidate) != key for belief in beliefs.values()):
                    break
        return best

    return draw_case


def draw_flip(draw: Draw, case: Case) -> Case | None:
    """Draw evaluations for which the best move changes once; every depth is equally likely.

    If no draw changes it at that depth, keep one that changes it elsewhere. None if there is none, or the
    tree does not suit.
    """
    last = max(case.tree.depths, default=0)
    if last < 2 or search_objection(case) is not None or len(case.tree.children[0]) < 2:
        return None
    wanted, best = draw.between(2, last), None
    for _ in range(2 * MAX_DRAWS):
        candidate = replace(case, tree=draw_evaluations(draw, case.tree))
        if flip_objection(candidate) is None:
            best = candidate
            if _flips(candidate.tree) == (wanted,):
                break
    return best


def with_features(draw: Draw, tree: Tree) -> Tree:
    """Draw three features for every node one ply above the last level, and their weights."""
    last = max(tree.depths) - 1
    weights = draw.shuffle((draw.between(2, 5), draw.between(1, 4), -draw.between(1, 3)))
    attributes = list(tree.attributes)
    for node in tree.internal[1:]:
        attributes[node] = None
        if tree.depths[node] == last:
            attributes[node] = Attributes(features=tuple(draw.between(0, 6) for _ in weights))
    return replace(tree, attributes=tuple(attributes), header=replace(tree.header, weights=weights))
