"""What the kinds about alpha-beta share: which trees suit them, and answers read off a search."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import TypeVar

from grader.questions.case import Case
from grader.questions.kind import BeliefKey, Key
from grader.solvers.mistaken_search import PRUNING_BELIEFS, belief_applies, mistaken_search
from grader.solvers.search_choice import search
from grader.solvers.solvable import UnknownPayoff
from grader.solvers.sweep import Sweep, sweep
from grader.solvers.trace import Enter, Search
from grader.solvers.trial_numbers import substitute_zeros
from grader.solvers.visited_nodes import pruned_paths
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree

A = TypeVar("A")

TIE_BELIEFS = {"cut": "ties-kept", "keep": "ties-cut"}
"""For each tie rule the belief of a student who uses the other one."""

SEARCH_BELIEFS = ("never-prunes", "players-swapped", "right-to-left", *PRUNING_BELIEFS, "sign-overlooked")
CHANCE_BELIEFS = ("players-swapped", "right-to-left", "window-through-chance", "no-chance-cuts")


def two_player_objection(case: Case) -> str | None:
    """Return why the tree is not a game of MAX and MIN with known payoffs, or None."""
    tree = case.tree
    if tree.seats:
        return "the game has several players"
    if tree.unknowns:
        return f"the payoff {tree.payoffs[tree.unknowns[0]]} is unknown"
    if len(tree) == 1:
        return "the tree is a single leaf"
    if case.rules.depth is not None:
        return "the rules have a depth limit, and this kind asks about the whole tree"
    return None


def choice_objection(tree: Tree) -> str | None:
    """Return why there is no move to choose at the root, or None."""
    if len(tree) and tree.players[0] is Player.CHANCE:
        return "chance moves at the root, so there is no move to choose"
    return "there is only one move at the root" if len(tree) and len(tree.children[0]) == 1 else None


def search_objection(case: Case) -> str | None:
    """Why alpha-beta from an open window, without chance nodes, cannot be asked of this tree, or None."""
    why = windowed_search_objection(case)
    if why is None and case.rules.narrows_root:
        return "the rules give bounds or a window to start with, and this kind asks about a full search"
    return why


def windowed_search_objection(case: Case) -> str | None:
    """Return why alpha-beta with any window at the root cannot be asked of this tree, or None."""
    if case.tree.has_chance:
        return "the tree has chance nodes; chance-cuts is the kind for it"
    return two_player_objection(case)


def soft_search_objection(case: Case) -> str | None:
    """Return why the values that cut cannot be asked for, or None.

    It is a `search_objection`, or that nodes return bounds instead of these values.
    """
    if case.rules.returns == "hard":
        return "nodes return bounds (returns = hard), and this asks for the values that cut"
    return search_objection(case)


def visits_objection(case: Case) -> str | None:
    """Return why the visits of a search cannot be asked about, or None.

    Payoffs that the search does not visit may be unknown.
    """
    tree = case.tree
    why = windowed_search_objection(replace(case, tree=substitute_zeros(tree)))
    if why is None and tree.unknowns:
        try:
            search(tree, case.rules, traced=False)
        except UnknownPayoff as unknown:
            return f"the payoff {tree.payoffs[unknown.leaf]} is unknown, and the search visits it"
    return why


def key_from_search(answer: Callable[[Tree, Search], A], *, traced: bool = False) -> Key[A]:
    """The right answer, read off what the search did."""
    return lambda case: answer(case.tree, cached_search(case.tree, case.rules, traced=traced))


@lru_cache(maxsize=2)
def cached_search(tree: Tree, rules: Rules, *, traced: bool) -> Search:
    """The search, remembered: one question asks for it again and again."""
    return search(tree, rules, traced=traced)


def key_from_sweep(answer: Callable[[Tree, Sweep], A]) -> Key[A]:
    """The right answer, read off the two sweeps that need no search."""
    return lambda case: answer(case.tree, sweep(substitute_zeros(case.tree), case.rules))


def search_beliefs(
    answer: Callable[[Tree, Search], A], names: tuple[str, ...] = SEARCH_BELIEFS
) -> Mapping[str, BeliefKey[A]]:
    """Return the answers of every mistaken search, and of the other tie rule, by belief."""

    def believed(belief: str, case: Case) -> A | None:
        """Return the answer of a student with this belief, or None where it does not apply.

        It does not apply if it is about the tie rule in force or about what the tree lacks, or if its search
        reaches an unknown payoff.
        """
        tree, rules = case.tree, case.rules
        if belief in TIE_BELIEFS.values() and belief != TIE_BELIEFS[rules.ties]:
            return None
        if not belief_applies(tree, belief):
            return None
        try:
            return answer(tree, mistaken_search(tree, rules, belief))
        except UnknownPayoff:
            return None  # the mistaken search visits an unknown payoff

    return {name: partial(believed, name) for name in (*names, *TIE_BELIEFS.values())}


def pruned_leaves(tree: Tree, performed: Search | Sweep) -> frozenset[int]:
    """Return the numbers of the leaves that were not visited."""
    return frozenset(pruned_paths(tree, performed.visited))


def remaining_leaves(tree: Tree, paths: frozenset[int]) -> frozenset[int]:
    """The numbers of all other leaves than these."""
    return frozenset(range(1, len(tree.leaves) + 1)) - paths


def visited_leaves_in_order(tree: Tree, performed: Search) -> tuple[int, ...]:
    """Return the numbers of the visited leaves, in the order of their visits."""
    return tuple(
        tree.paths[event.node]
        for event in performed.trace
        if isinstance(event, Enter) and tree.paths[event.node]
    )
