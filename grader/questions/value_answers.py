"""What the kinds about values share: tables of values, and the values that mistaken students compute."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import TypeVar

from grader.answers.numeral import Numeral, exact_numeral, matches_key
from grader.answers.table import Table
from grader.base.numbers import Number
from grader.questions.case import Case, requested_nodes
from grader.questions.kind import BeliefKey
from grader.solvers.backup import back_up
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.mistaken_search import (
    VALUE_BELIEFS,
    Mistake,
    belief_applies,
    mistaken_values,
    search_with_mistake,
)
from grader.solvers.search_choice import search
from grader.solvers.solvable import number_at
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree, Value

A = TypeVar("A")


def mistaken_numbers(tree: Tree, belief: str) -> list[Number]:
    """Return the value of every node of a two-player game for a student with this belief."""
    return [value for value in mistaken_values(tree, belief) if not isinstance(value, tuple)]


def value_beliefs(answer: Callable[[Case, Sequence[Number]], A]) -> Mapping[str, BeliefKey[A]]:
    """For every mistaken way to back values up, the answer read off those values."""

    def believed(belief: str, case: Case) -> A | None:
        applies = belief_applies(case.tree, belief)
        return answer(case, mistaken_numbers(case.tree, belief)) if applies else None

    return {name: partial(believed, name) for name in VALUE_BELIEFS}


def root_moves(tree: Tree, values: Sequence[Value]) -> frozenset[int]:
    """The moves that give the root its value, as places among its children counted from 0."""
    return frozenset(place for place, child in enumerate(tree.children[0]) if values[child] == values[0])


def best_case_values(tree: Tree, player: Player = Player.MAX) -> list[Number]:
    """Return the value of every node for someone who believes that all players help this one."""
    better = max if player is Player.MAX else min
    values: list[Number] = [0] * len(tree)
    for node in reversed(range(len(tree))):
        below = [values[child] for child in tree.children[node]]
        values[node] = better(below) if below else number_at(tree, node)
    return values


def value_table(case: Case, values: Sequence[Number]) -> Table:
    """Return these values of the requested inner nodes."""
    return tuple([(node, exact_numeral(values[node])) for node in sorted(requested_nodes(case))])


@lru_cache(maxsize=1)
def exact_values(tree: Tree) -> tuple[Number, ...]:
    """The exact values, remembered: one question asks for them again and again."""
    return expectiminimax(tree)


def table_by_search(case: Case) -> Table:
    """Return the exact values of the requested inner nodes by a search."""
    return value_table(case, values_by_search(case.tree, case.rules))


def root_value_by_search(case: Case) -> Numeral:
    """The value that a search returns at the root, with soft values and without limits on the payoffs."""
    returned = search(case.tree, Rules(order=case.rules.order), traced=False).returned[0]
    if returned is None or isinstance(returned, float):
        raise AssertionError("a search returned no number at the root")
    return exact_numeral(returned)


def values_by_search(tree: Tree, rules: Rules) -> list[Number]:
    """The exact values again, aligned with the nodes: what a search returns that never cuts."""
    returned = search_with_mistake(tree, Rules(order=rules.order), _NEVER_CUTS).returned
    values: list[Number] = []
    while len(values) < len(tree):
        value = returned[len(values)]
        if value is None:  # below a probability of zero no search looks
            values += values_by_search(tree.subtree(len(values)), rules)
        elif isinstance(value, float):
            raise AssertionError("a search returned no number")
        else:
            values.append(value)
    return values


_NEVER_CUTS = Mistake(cuts_at=frozenset(), chance_window="open")


def root_moves_by_search(case: Case) -> frozenset[int]:
    """The moves that are best at the root by a search."""
    values = values_by_search(case.tree, case.rules)
    below = [values[child] for child in case.tree.children[0]]
    best = back_up(case.tree, 0, below)
    return frozenset(place for place, value in enumerate(below) if value == best)


def implied_table(case: Case, reply: Table) -> Table:
    """Return the values that follow from the student's entries one level below; correct entries stay.

    A child without an entry counts with its exact value. Nothing follows from children with equal entries of
    which more than one is incorrect: one number at every node is not a computation.
    """
    tree = case.tree
    exact = exact_values(tree)
    own = list(exact)
    wrong = set[int]()
    for node, entry in reply:
        if entry.value != exact[node] and not matches_key(entry, exact_numeral(exact[node]), 0):
            wrong.add(node)
        own[node] = entry.value

    def implied(node: int) -> Number:
        below = [own[child] for child in tree.children[node]]
        guessed = len({*below}) == 1 and len(wrong.intersection(tree.children[node])) > 1
        return back_up(tree, node, below) if node in wrong and not guessed else exact[node]

    return tuple([(node, exact_numeral(implied(node))) for node in sorted(requested_nodes(case))])
