"""Statements about a case that is shown, which `true-false` asks about: each is checked by computing it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

from grader.base.numbers import normalize_number
from grader.base.phrases import Language, Phrase, plural_phrase
from grader.questions.case import Case
from grader.questions.kind import constant_key
from grader.questions.randomness import Draw
from grader.questions.reasons import SolvedExercise
from grader.questions.search_answers import SEARCH_BELIEFS
from grader.questions.value_answers import root_moves_by_search
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.explaining.node_wording import node_title
from grader.solvers.fixed_opponent import evaluate_against, minimax_play_by_leaves, pure_policy
from grader.solvers.minimax import minimax
from grader.solvers.mistaken_search import belief_applies, mistaken_search
from grader.solvers.search_choice import SEARCH_BY_TEST, search
from grader.solvers.sweep import sweep
from grader.solvers.value_intervals import proved_intervals
from grader.solvers.values import best_children
from grader.solvers.visited_nodes import visited_paths
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree

# What students read -------------------------------------------------------------------------------

VISITED_STATEMENT = Phrase("Alpha-beta search visits {leaf}.")

WHY_VISITED = Phrase("{leaf} is visited, so the statement is true. {because}")
WHY_NOT_VISITED = Phrase("{leaf} is never visited, so the statement is false. {because}")
ORDER_STATEMENT = Phrase(
    "If the search visited the children of every node in the opposite order, it would visit fewer leaves."
)

WHY_FEWER = plural_phrase(
    "The search visits {count} leaf; in the opposite order, it would visit {there}. "
    "So the statement is true.",
    "The search visits {count} leaves; in the opposite order, it would visit {there}. "
    "So the statement is true.",
)
WHY_NOT_FEWER = plural_phrase(
    "The search visits {count} leaf; in the opposite order, it would visit {there}. "
    "So the statement is false.",
    "The search visits {count} leaves; in the opposite order, it would visit {there}. "
    "So the statement is false.",
)
INNER_STATEMENT = Phrase("The value that the search returns at {node} is the minimax value of that node.")

WHY_BOUND_IS_VALUE = Phrase(
    "When the search leaves {node}, it knows only a bound on its value. "
    "But this bound, {value}, happens to be the minimax value, so the statement is true."
)
WHY_VALUE_RETURNED = Phrase(
    "The search returns {value} at {node}, which is its minimax value, so the statement is true."
)
WHY_BOUND_RETURNED = Phrase(
    "The search returns {returned} at {node}, but its minimax value is {value}, so the statement is false."
)
SCALING_STATEMENT = Phrase(
    "If every payoff were multiplied by {times} and {plus} were added, the best moves at the root would "
    "stay the same."
)

WHY_ORDER_KEPT = Phrase(
    "A positive factor and an added constant preserve the order of the payoffs. "
    "The best move leads to {before} both before and after the change, so the statement is true."
)
WHY_MOVE_STAYS = Phrase(
    "A negative factor reverses the order of the payoffs. "
    "But here the best move leads to {before} both before and after the change, so the statement is true."
)
WHY_MOVE_CHANGES = Phrase(
    "A negative factor reverses the order of the payoffs. "
    "The best move leads to {before} before the change and to {after} after it, so the statement is false."
)
PLAY_CONDITION = Phrase("MIN plays optimally, except that it moves from {node} to {child}.")
PLAY_STATEMENT = Phrase("MAX's minimax strategy gets more than the minimax value of the game.")

WHY_GAIN = Phrase("MAX then gets {got}, and the minimax value is {value}, so the statement is true.")
WHY_NO_GAIN = Phrase(
    "MAX then gets {got}, and the minimax value is {value}, so the statement is false. "
    "MAX never gets less than the minimax value but does not always get more."
)

Holds: TypeAlias = Callable[[Case], bool]
"""Case -> whether a statement is true, or seems true to a student with a misconception."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement about a case.

    - `draw`: the fields of the statement as a JSON object; None if it does not suit the tree.
    - `objection`: why the fields are invalid for a tree, or None.
    - `statement`: the sentence, the same for true and for false statements.
    - `holds`, `holds_independently`: whether it is true, computed in two ways.
    - `belief_verdicts`: belief -> whether a student with it believes the statement.
    - `explain`: the deciding case; for a false statement a counterexample.
    - `is_about_returns`: whether it is about returned values and not only about visits.
    - `conditions`: the premises of the statement, each as one text.
    """

    draw: Callable[[Draw, Case], dict[str, Any] | None]
    objection: Callable[[Case], str | None]
    statement: Callable[[Case, Language], str]
    holds: Holds
    holds_independently: Holds
    belief_verdicts: Mapping[str, Holds]
    explain: Callable[[SolvedExercise], str]
    is_about_returns: bool = False
    conditions: Callable[[Case, Language], tuple[str, ...]] = lambda _case, _language: ()


def _node(case: Case) -> int:
    return case.tree.index[str(case.given["node"])]


def _leaf_objection(case: Case) -> str | None:
    leaf = case.given.get("leaf")
    known = type(leaf) is int and 1 <= leaf <= len(case.tree.leaves)
    return None if known else 'it is not given which leaf is meant: {"leaf": 1}'


def _node_objection(case: Case) -> str | None:
    """Return that no inner node is given, or None."""
    name = case.given.get("node")
    known = (
        isinstance(name, str) and case.tree.children[case.tree.index.get(name, 0)] and name in case.tree.index
    )
    return None if known else 'it is not given which inner node is meant: {"node": "B"}'


def _visited_node_objection(case: Case) -> str | None:
    why = _node_objection(case)
    if why is None and not search(case.tree, case.rules, traced=False).visited[_node(case)]:
        why = f"the search never visits {case.given['node']}, so it returns nothing there"
    return why


# Pruning: a leaf is visited -----------------------------------------------------------------------


def _leaf(case: Case) -> int:
    return case.tree.leaves[int(case.given["leaf"]) - 1]


def _visited_by(belief: str, case: Case) -> bool:
    if not belief_applies(case.tree, belief):
        return search(case.tree, case.rules, traced=False).visited[_leaf(case)]
    return mistaken_search(case.tree, case.rules, belief).visited[_leaf(case)]


def _explain_leaf(solved: SolvedExercise) -> str:
    """Say why the search visits the leaf, or why the branch above it is pruned."""
    leaf, say = _leaf(solved.case), solved.language.say
    top = solved.pruned_ancestor(leaf)
    name = solved.node_title(leaf)
    if top is None:
        return say(WHY_VISITED, leaf=name, because=solved.account.visits.get(leaf, ""))
    return say(WHY_NOT_VISITED, leaf=name, because=solved.account.cuts[top])


VISITED = Statement(
    draw=lambda draw, case: (
        {"leaf": draw.between(2, len(case.tree.leaves))} if len(case.tree.leaves) > 1 else None
    ),
    objection=_leaf_objection,
    statement=lambda case, language: language.say(
        VISITED_STATEMENT, leaf=node_title(case.tree, _leaf(case), language)
    ),
    holds=lambda case: search(case.tree, case.rules, traced=False).visited[_leaf(case)],
    holds_independently=lambda case: bool(sweep(case.tree, case.rules).visited[_leaf(case)]),
    belief_verdicts={name: partial(_visited_by, name) for name in SEARCH_BELIEFS if name != "right-to-left"},
    explain=_explain_leaf,
)


# Order: the other direction visits fewer leaves ---------------------------------------------------


def _counts(case: Case) -> tuple[int, int]:
    """Count the visited leaves, and those visited in the opposite direction."""
    both = (case.rules, case.rules.with_other_order())
    found = (search(case.tree, rules, traced=False).visited for rules in both)
    count, other_count = (len(visited_paths(case.tree, visited)) for visited in found)
    return count, other_count


def _visits_fewer_in_other_order(case: Case) -> bool:
    """Return whether the search in the opposite direction visits fewer leaves."""
    count, other_count = _counts(case)
    return other_count < count


def _visits_fewer_by_sweeps(case: Case) -> bool:
    """Return whether the opposite direction visits fewer leaves, by sweeps instead of searches."""
    other_visited, visited = (
        sweep(case.tree, each).visited for each in (case.rules.with_other_order(), case.rules)
    )
    return len(visited_paths(case.tree, other_visited)) < len(visited_paths(case.tree, visited))


def _explain_order(solved: SolvedExercise) -> str:
    (count, other_count), say = _counts(solved.case), solved.language.say
    return say(*(WHY_FEWER if other_count < count else WHY_NOT_FEWER), count, there=other_count)


ORDER = Statement(
    draw=lambda _draw, _case: {},
    objection=lambda _case: None,
    statement=lambda _case, language: language.say(ORDER_STATEMENT),
    holds=_visits_fewer_in_other_order,
    holds_independently=_visits_fewer_by_sweeps,
    belief_verdicts={
        "order-does-not-matter": constant_key(False),
        "other-order-helps": constant_key(True),
    },
    explain=_explain_order,
)


# Values of inner nodes: what a search returns is the minimax value ----------------------------------


def _returns_value(case: Case) -> bool:
    node = _node(case)
    return search(case.tree, case.rules, traced=False).returned[node] == minimax(case.tree)[node]


def _returns_value_again(case: Case) -> bool:
    """The same by the other printed test, and by the subtree alone."""
    node = _node(case)
    other = SEARCH_BY_TEST["window" if case.rules.test == "value" else "value"]
    return (
        other(case.tree, case.rules, traced=False).returned[node]
        == expectiminimax(case.tree.subtree(node))[0]
    )


def _draw_node(draw: Draw, case: Case) -> dict[str, Any] | None:
    """A node below the root, but none that returns a bound which happens to be its value."""
    tree = case.tree
    found, values = search(tree, case.rules, traced=False), minimax(tree)
    known = _has_proved_value(tree, case.rules)
    nodes = [
        node
        for node in tree.internal
        if node and found.visited[node] and (known[node] or found.returned[node] != values[node])
    ]
    return {"node": tree.names[draw.choose(nodes)]} if nodes else None


def _has_proved_value(tree: Tree, rules: Rules) -> list[bool]:
    """Check for every node whether the search proves its value and not only a bound."""
    between = proved_intervals(tree, search(tree, rules, traced=False).visited, rules.bounds)
    return [ends is not None and ends[0] == ends[1] for ends in between]


def _explain_node(solved: SolvedExercise) -> str:
    """Say whether the node returns its value or a bound, or a bound that happens to be its value."""
    tree, say, node = solved.tree, solved.language.say, _node(solved.case)
    returned, value = search(tree, solved.rules, traced=False).returned[node], minimax(tree)[node]
    assert returned is not None, "the node is visited"
    terms = {"node": solved.node_title(node), "value": solved.value_text(value)}
    if returned == value and not _has_proved_value(tree, solved.rules)[node]:
        return say(WHY_BOUND_IS_VALUE, **terms)
    if returned == value:
        return say(WHY_VALUE_RETURNED, **terms)
    return say(WHY_BOUND_RETURNED, returned=solved.value_text(returned), **terms)


INNER = Statement(
    draw=_draw_node,
    objection=_visited_node_objection,
    statement=lambda case, language: language.say(
        INNER_STATEMENT, node=node_title(case.tree, _node(case), language)
    ),
    holds=_returns_value,
    holds_independently=_returns_value_again,
    belief_verdicts={
        "returns-always-exact": constant_key(True),
        "returns-exact-at-root-only": lambda case: not _node(case),
    },
    explain=_explain_node,
    is_about_returns=True,
)


# Scaling: the best move stays ----------------------------------------------------------------------


def _scaled_tree(case: Case) -> Tree:
    """The tree with other payoffs: a multiple plus a constant, or squares."""
    factor, added = case.given["times"], case.given["plus"]
    row = [
        payoff for leaf in case.tree.leaves if isinstance(payoff := case.tree.payoffs[leaf], int | Fraction)
    ]
    return case.tree.with_payoffs(
        tuple(normalize_number(Fraction(factor * payoff + added)) for payoff in row)
    )


def _scale_objection(case: Case) -> str | None:
    if type(case.given.get("times")) is int and type(case.given.get("plus")) is int and case.given["times"]:
        return None
    return 'it is not given how payoffs change: {"times": 2, "plus": -3}'


def _best(tree: Tree) -> tuple[int, ...]:
    return best_children(tree, expectiminimax(tree))[0]


def _keeps_best_moves(case: Case) -> bool:
    return _best(_scaled_tree(case)) == _best(case.tree)


def _keeps_best_moves_again(case: Case) -> bool:
    after = root_moves_by_search(replace(case, tree=_scaled_tree(case)))
    return after == root_moves_by_search(case)


def _explain_scaling(solved: SolvedExercise) -> str:
    """Say the best moves before and after the payoffs are changed, and why they are or are not the same."""
    tree, say = solved.tree, solved.language.say
    after = _best(_scaled_tree(solved.case))
    moves = {
        "before": solved.language.join_and([solved.node_title(child) for child in _best(tree)]),
        "after": solved.language.join_and([solved.node_title(child) for child in after]),
    }
    if solved.given["times"] > 0:
        return say(WHY_ORDER_KEPT, **moves)
    if after == _best(tree):
        return say(WHY_MOVE_STAYS, **moves)
    return say(WHY_MOVE_CHANGES, **moves)


SCALING = Statement(
    draw=lambda draw, _case: {
        "times": draw.choose((-2, -1, 2, 3)),
        "plus": draw.choose((-20, -5, 5, 20)),
    },
    objection=_scale_objection,
    statement=lambda case, language: language.say(
        SCALING_STATEMENT,
        times=language.number(case.given["times"]),
        plus=language.number(case.given["plus"]),
    ),
    holds=_keeps_best_moves,
    holds_independently=_keeps_best_moves_again,
    belief_verdicts={
        "any-line-keeps": constant_key(True),
        "constant-matters": lambda case: (
            not case.given["plus"] if case.given["times"] > 0 else _keeps_best_moves(case)
        ),
        "negative-always-changes": lambda case: case.given["times"] > 0 and _keeps_best_moves(case),
    },
    explain=_explain_scaling,
)


# Optimal play: against a MIN that errs --------------------------------------------------------------


def _gets_more(case: Case) -> bool:
    """Return whether a minimax strategy of MAX earns more than the minimax value against this MIN."""
    found = evaluate_against(case.tree, _erring_policy(case))
    return found.worst_minimax[0] > found.minimax[0]


def _gets_more_by_leaves(case: Case) -> bool:
    """Return the same as `_gets_more`, from the leaves that optimal play can reach."""
    return minimax_play_by_leaves(case.tree, _erring_policy(case)) > expectiminimax(case.tree)[0]


def _erring_policy(case: Case) -> Any:
    """MIN plays its best moves, but for one node where it makes another."""
    tree = case.tree
    best = best_children(tree, expectiminimax(tree))
    moves = {node: best[node][0] for node in tree.internal if tree.players[node] is Player.MIN}
    return pure_policy(moves | {_node(case): tree.index[case.given["to"]]})


def _error_objection(case: Case) -> str | None:
    """Return why the statement about an erring MIN cannot be made of this case, or None.

    MIN must err at one given node, have a single best move at all others, and all minimax strategies of
    MAX must lead to the same result.
    """
    tree, given = case.tree, case.given
    node, to = tree.index.get(given.text("node")), tree.index.get(given.text("to"))
    if node is None or to is None or tree.parents[to] != node or tree.players[node] is not Player.MIN:
        return 'it is not given where MIN errs and what it does: {"node": "B", "to": "2"}'
    best = best_children(tree, expectiminimax(tree))
    if to in best[node]:
        return f"{given['to']} is a best move of MIN at {given['node']}"
    elsewhere = (each for each in tree.internal if tree.players[each] is Player.MIN and each != node)
    for each in elsewhere:
        if len(best[each]) > 1:
            return f"MIN has several best moves at {tree.names[each]}"
    found = evaluate_against(tree, _erring_policy(case))
    return None if found.worst_minimax == found.best_minimax else "MAX has several minimax strategies"


def _draw_error(draw: Draw, case: Case) -> dict[str, Any] | None:
    """Draw a MIN node and a child that is not a best move; None if MIN never has a worse move."""
    tree = case.tree
    best = best_children(tree, expectiminimax(tree))
    wrong = [
        (node, child)
        for node in tree.internal
        if tree.players[node] is Player.MIN
        for child in tree.children[node]
        if child not in best[node]
    ]
    if not wrong:
        return None
    node, child = draw.choose(wrong)
    return {"node": tree.names[node], "to": tree.names[child]}


def _explain_error(solved: SolvedExercise) -> str:
    found, say = evaluate_against(solved.tree, _erring_policy(solved.case)), solved.language.say
    values = {"got": solved.value_text(found.worst_minimax[0]), "value": solved.value_text(found.minimax[0])}
    return say(WHY_GAIN if found.worst_minimax[0] > found.minimax[0] else WHY_NO_GAIN, **values)


PLAY = Statement(
    draw=_draw_error,
    objection=_error_objection,
    conditions=lambda case, language: (
        language.say(
            PLAY_CONDITION,
            node=node_title(case.tree, _node(case), language),
            child=node_title(case.tree, case.tree.index[case.given["to"]], language),
        ),
    ),
    statement=lambda _case, language: language.say(PLAY_STATEMENT),
    holds=_gets_more,
    holds_independently=_gets_more_by_leaves,
    belief_verdicts={
        "always-even-better": constant_key(True),
        "opponent-perfect": constant_key(False),
    },
    explain=_explain_error,
)
