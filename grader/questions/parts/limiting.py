"""What the questions about depth limits share: the limit, what is found at it, and trees with evaluations."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from grader.answers.numeral import Numeral
from grader.base.numbers import Number
from grader.base.phrases import Phrase
from grader.questions.given import NOTHING, Given
from grader.questions.kind import BeliefKey
from grader.questions.parts.iterating import evaluated
from grader.questions.randomness import Draw
from grader.questions.search_answers import suits_search, suits_two_players
from grader.questions.valuing import root_moves, root_moves_by_search, root_value_by_search
from grader.solvers.depth_limited import by_depth, flips
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.limit import LimitError, kept, limited
from grader.solvers.mistaken import mistaken_values
from grader.trees.rules import Rules
from grader.trees.tree import Attributes, Player, Tree

A = TypeVar("A")

TRIES = 24
"""How many evaluations are drawn for a tree, unless some are found before on which every belief shows."""


def depth_of(tree: Tree, given: Given) -> int:
    """How many plies are searched: all but the last one unless something else is given."""
    depth: int = given.get("depth", max(tree.depths) - 1)
    return depth


@lru_cache(maxsize=8)
def cut_off(tree: Tree, depth: int) -> Tree:
    """The tree as a search of so many plies sees it."""
    return limited(tree, depth)


def suits(tree: Tree, rules: Rules, given: Given) -> str | None:
    """Why nothing can be asked about a search that stops early, or None."""
    if why := suits_two_players(tree, rules, given):
        return why
    depth = given.get("depth", max(tree.depths) - 1)
    if not isinstance(depth, int) or isinstance(depth, bool) or not 1 <= depth < max(tree.depths):
        return f"depth is no number of plies from 1 to {max(tree.depths) - 1}"
    try:
        cut_off(tree, depth)
    except LimitError as error:
        return str(error)
    return None


def suits_move(tree: Tree, rules: Rules, given: Given) -> str | None:
    """The same, where there is no move to choose."""
    if len(tree) and tree.players[0] is Player.CHANCE:
        return "chance moves at the root, so there is no move to choose"
    why = suits(tree, rules, given)
    return why or ("there is only one move at the root" if len(tree.children[0]) == 1 else None)


def suits_features(tree: Tree, rules: Rules, given: Given) -> str | None:
    """The same, where nothing at the limit is evaluated by features."""
    return suits(tree, rules, given) or (None if featured(tree) else "no node has features")


def suits_flip(tree: Tree, rules: Rules, given: Given) -> str | None:
    """The same at any depth, and where the decision never changes, or it is open which move it is."""
    for depth in range(1, max(tree.depths, default=0)):
        if why := suits_move(tree, rules, Given({"depth": depth})):
            return why
    if why := suits_move(tree, rules, NOTHING):
        return why
    changes = _flips(tree)
    if not changes:
        return "the decision is the same at every depth"
    if any(len(found.best) > 1 for found in _at_every_depth(tree) if found.depth <= changes[0]):
        return "several moves are best at one of the depths"
    return None


def featured(tree: Tree) -> bool:
    """Whether nodes are evaluated by features."""
    return any(attributes is not None and attributes.features is not None for attributes in tree.attributes)


BACKED_UP = Phrase(
    "Values backed up from the evaluations at depth {depth}, below which the search does not look; "
    "thick: the line of play."
)
"""What is drawn of a search that stops early."""

# What is found --------------------------------------------------------------------------------------


def value_at(tree: Tree, depth: int) -> Numeral:
    """The value of the root for a search of so many plies."""
    return Numeral(expectiminimax(cut_off(tree, depth))[0])


def values_at(tree: Tree, depth: int) -> tuple[Number | None, ...]:
    """What every node is worth for such a search; None below the limit."""
    found: list[Number | None] = [None] * len(tree)
    for node, value in zip(kept(tree, depth), expectiminimax(cut_off(tree, depth)), strict=True):
        found[node] = value
    return tuple(found)


def move_at(tree: Tree, depth: int) -> frozenset[int]:
    """The best moves for such a search, as places among the root's children."""
    cut = cut_off(tree, depth)
    return root_moves(cut, expectiminimax(cut))


def value_again(tree: Tree, rules: Rules, given: Given) -> Numeral:
    """The value by a search with pruning."""
    return root_value_by_search(cut_off(tree, depth_of(tree, given)), Rules(order=rules.order), NOTHING)


def move_again(tree: Tree, rules: Rules, given: Given) -> frozenset[int]:
    """The best moves by a search below each of them."""
    return root_moves_by_search(cut_off(tree, depth_of(tree, given)), rules, NOTHING)


_at_every_depth = lru_cache(maxsize=8)(by_depth)


def _flips(tree: Tree) -> tuple[int, ...]:
    return flips(_at_every_depth(tree))


def flip(tree: Tree) -> Numeral:
    """The first depth at which the best moves are others than one ply before."""
    return Numeral(_flips(tree)[0])


def flip_again(tree: Tree, rules: Rules, given: Given) -> Numeral:
    """The same, by searches of each depth."""
    last = max(tree.depths)
    moves = [move_again(tree, rules, Given({"depth": depth})) for depth in range(1, last + 1)]
    return Numeral(next(place for place in range(1, last) if moves[place] != moves[place - 1]) + 1)


# What mistaken students find ------------------------------------------------------------------------


def at_depth(answer: Callable[[Tree, int], A], further: int | None) -> BeliefKey[A]:
    """The answer of a search that looks so many plies further, or at the whole tree."""

    def key(tree: Tree, _rules: Rules, given: Given) -> A | None:
        depth = max(tree.depths) if further is None else depth_of(tree, given) + further
        if depth < 1:
            return None
        try:
            return answer(tree, depth)
        except LimitError:
            return None

    return key


def _swapped(tree: Tree, given: Given) -> tuple[Tree, list[Number]]:
    """The tree as it is cut off, and its values where MAX minimises and MIN maximises."""
    cut = cut_off(tree, depth_of(tree, given))
    return cut, [value for value in mistaken_values(cut, "players-swapped") if not isinstance(value, tuple)]


def value_swapped(tree: Tree, _rules: Rules, given: Given) -> Numeral:
    """The value for players that are taken for each other."""
    return Numeral(_swapped(tree, given)[1][0])


def move_swapped(tree: Tree, _rules: Rules, given: Given) -> frozenset[int]:
    """The moves for players that are taken for each other."""
    return root_moves(*_swapped(tree, given))


def weighed_otherwise(change: Callable[[int], int]) -> BeliefKey[Numeral]:
    """The value where other weights are taken."""

    def key(tree: Tree, _rules: Rules, given: Given) -> Numeral | None:
        weights = tree.header.weights
        if weights is None:
            return None
        header = replace(tree.header, weights=tuple(change(int(weight)) for weight in weights))
        return value_at(replace(tree, header=header), depth_of(tree, given))

    return key


# Drawing --------------------------------------------------------------------------------------------


def drawing(
    write: Callable[[Draw, Tree], Tree],
    answer: Callable[[Tree, int], A],
    beliefs: Mapping[str, BeliefKey[A]],
    asked: Callable[[Tree, Rules, Given], str | None],
) -> Callable[[Draw, Tree, Rules], tuple[Tree, Given] | None]:
    """How a question draws: evaluations at inner nodes on which every belief goes astray."""

    def drawn(draw: Draw, tree: Tree, rules: Rules) -> tuple[Tree, Given] | None:
        depth = max(tree.depths, default=0) - 1
        if depth < 1 or suits_search(tree, rules, NOTHING) is not None:
            return None
        given, found = Given({"depth": depth}), None
        for _ in range(TRIES):
            tried = write(draw, tree)
            if asked(tried, rules, given) is None:
                found = tried, given
                key = answer(tried, depth)
                if all(belief(tried, rules, given) != key for belief in beliefs.values()):
                    break
        return found

    return drawn


def drawn_flip(draw: Draw, tree: Tree, rules: Rules) -> tuple[Tree, Given] | None:
    """Evaluations on which the decision changes once, at each depth equally often."""
    last = max(tree.depths, default=0)
    if last < 2 or suits_search(tree, rules, NOTHING) is not None or len(tree.children[0]) < 2:
        return None
    wanted, found = draw.between(2, last), None
    for _ in range(2 * TRIES):
        tried = evaluated(draw, tree)
        if suits_flip(tried, rules, NOTHING) is None:
            found = tried, NOTHING
            if _flips(tried) == (wanted,):
                break
    return found


def with_features(draw: Draw, tree: Tree) -> Tree:
    """The tree with three features at the nodes that have only leaves below them, and weights for them."""
    last = max(tree.depths) - 1
    weights = draw.shuffle((draw.between(2, 5), draw.between(1, 4), -draw.between(1, 3)))
    attributes = list(tree.attributes)
    for node in tree.internal[1:]:
        attributes[node] = None
        if tree.depths[node] == last:
            attributes[node] = Attributes(features=tuple(draw.between(0, 6) for _ in weights))
    return replace(tree, attributes=tuple(attributes), header=replace(tree.header, weights=weights))
