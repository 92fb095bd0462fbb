"""What the kinds about alpha-beta share: which trees suit them, and the searches of mistaken students."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from grader.kinds.kind import BeliefKey
from grader.rules import Rules
from grader.solvers.mistaken import mistaken_search
from grader.solvers.trace import Enter, Search
from grader.tree import Tree

A = TypeVar("A")

TIE_BELIEFS = {"cut": "ties-kept", "keep": "ties-cut"}
"""For each tie rule the belief of a student who uses the other one."""

SEARCH_BELIEFS = (
    "players-swapped",
    "right-to-left",
    "shallow-only",
    "only-at-min",
    "only-at-max",
    "leaves-only",
    "latest-not-best",
    "root-alpha-forgotten",
    "own-bound",
    "one-late",
    "stops-at-tie",
)
CHANCE_BELIEFS = ("players-swapped", "right-to-left", "window-through-chance", "no-chance-cuts")


def suits_two_players(tree: Tree, rules: Rules) -> str | None:
    """Why the tree is no game of MAX and MIN with known payoffs, or None."""
    if tree.seats:
        return "the game has several players"
    if tree.unknowns:
        return f"the payoff {tree.payoffs[tree.unknowns[0]]} is unknown"
    if len(tree) == 1:
        return "the tree is a single leaf"
    if rules.depth is not None:
        return "the rules have a depth limit, and this kind asks about the whole tree"
    return None


def suits_search(tree: Tree, rules: Rules) -> str | None:
    """Why alpha-beta without chance nodes cannot be asked of this tree, or None."""
    if tree.has_chance:
        return "the tree has chance nodes; chance-cuts is the kind for it"
    return suits_two_players(tree, rules)


def search_beliefs(
    answer: Callable[[Tree, Search], A], names: tuple[str, ...] = SEARCH_BELIEFS, *, traced: bool = False
) -> Mapping[str, BeliefKey[A]]:
    """For every mistaken search, and for the other tie rule, the answer read off what it did.

    `traced` keeps the events of the searches, for answers that depend on their order.
    """

    def believing(belief: str) -> BeliefKey[A]:
        def key(tree: Tree, rules: Rules) -> A | None:
            if belief in TIE_BELIEFS.values() and belief != TIE_BELIEFS[rules.ties]:
                return None
            return answer(tree, mistaken_search(tree, rules, belief, traced=traced))

        return key

    return {name: believing(name) for name in (*names, *TIE_BELIEFS.values())}


def leaves_in_order(tree: Tree, found: Search) -> tuple[int, ...]:
    """The path numbers of the visited leaves, in the order in which the search met them."""
    return tuple(
        tree.paths[event.node] for event in found.trace if isinstance(event, Enter) and tree.paths[event.node]
    )
