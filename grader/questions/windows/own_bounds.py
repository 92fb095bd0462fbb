"""The older convention of alpha-beta: alpha and beta are what a node itself has found so far."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from grader.answers.form import Item
from grader.answers.numeral import Numeral
from grader.answers.table import ENTRIES, TABLE, Table
from grader.base.numbers import Bound
from grader.base.phrases import Phrase
from grader.questions.case import Case, node_objection, requested_nodes
from grader.questions.given import Given
from grader.questions.kind import BeliefKey, Kind
from grader.questions.randomness import Draw
from grader.questions.reasons import Reason, SolvedExercise, WorkedSolution, bottom_up_nodes
from grader.questions.search_answers import search_beliefs, search_objection
from grader.questions.windows.revealing_nodes import revealing_nodes
from grader.questions.wording import ask_about_nodes, asks, game_sentences
from grader.solvers.explaining.node_wording import value_list
from grader.solvers.minimax import minimax
from grader.solvers.provisional_values import ProvisionalValues, provisional_search
from grader.solvers.sweep import sweep
from grader.trees.rules import Order, Ties
from grader.trees.tree import Player, Tree

# What students read -------------------------------------------------------------------------------

QUESTION = Phrase(
    "For every MAX node, write its alpha value when the search leaves it. "
    "For every MIN node, write its beta value at that point."
)
QUESTION_ABOUT_NODES = Phrase(
    "Write the alpha or beta value that each of the nodes {nodes} has when the search leaves it."
)
DEFINITION = Phrase(
    "Here every node has a single value. "
    "At a MAX node, it is alpha, the largest value that its children have returned so far. "
    "At a MIN node, it is beta, the smallest such value."
)
VISITING_ORDERS: Mapping[Order, Phrase] = {
    "left-to-right": Phrase("The search is depth-first and visits children from left to right."),
    "right-to-left": Phrase("The search is depth-first and visits children from right to left."),
}
STOPPING_RULES: Mapping[Ties, Phrase] = {
    "cut": Phrase(
        "The search leaves a MIN node as soon as its beta value is at most the alpha value of any MAX node "
        "above it. "
        "It leaves a MAX node as soon as its alpha value is at least the beta value of any MIN node above "
        "it."
    ),
    "keep": Phrase(
        "The search leaves a MIN node as soon as its beta value is less than the alpha value of any MAX "
        "node above it. "
        "It leaves a MAX node as soon as its alpha value is greater than the beta value of any MIN node "
        "above it. Equality is not enough."
    ),
}
RETURN_RULE = Phrase("The value that a node has when the search leaves it is returned to its parent.")
NEVER_VISITED_RULE = Phrase(
    "Omit nodes that the search never visits; an entry for such a node neither earns nor costs points."
)

WHY_NEVER_VISITED = Phrase("{node} is never visited.")
WHY_FINAL = Phrase("{node} receives {seen} from its children, and its final value is {value}.")
WHY_STOPPED = Phrase(
    "{node} receives {seen}, so its value is {value}. Then {owner} causes a cutoff at this node."
)


def _table(tree: Tree, values: Sequence[Bound | None], given: Given) -> Table:
    """The values of the inner nodes that were entered, of those that are asked about."""
    return tuple(
        (node, Numeral(value))
        for node in tree.internal
        if (value := values[node]) is not None
        and not isinstance(value, float)
        and ("nodes" not in given or tree.names[node] in given["nodes"])
    )


def _key(case: Case) -> Table:
    return _table(case.tree, provisional_search(case.tree, case.rules).values, case.given)


def _independent_key(case: Case) -> Table:
    """Back values up over the children that a sweep by exact values visits."""
    tree = case.tree
    swept = sweep(tree, case.rules)
    both = zip(swept.values, swept.visited, strict=True)
    values: list[Bound | None] = [value if is_visited else None for value, is_visited in both]
    for node in reversed(tree.internal):
        below = [value for child in tree.children[node] if (value := values[child]) is not None]
        if swept.visited[node]:
            values[node] = max(below) if tree.players[node] is Player.MAX else min(below)
    return _table(tree, values, case.given)


_SEARCHES = search_beliefs(
    lambda _tree, performed: performed.returned,
    ("players-swapped", "right-to-left", "only-at-max", "root-alpha-forgotten", "own-bound"),
)


def _believing(belief: str, case: Case) -> Table | None:
    returned = _SEARCHES[belief](case)
    return None if returned is None else _table(case.tree, returned, case.given)


_BELIEFS: Mapping[str, BeliefKey[Table]] = {
    **{name: partial(_believing, name) for name in _SEARCHES},
    "exact-for-provisional": lambda case: _table(case.tree, minimax(case.tree), case.given),
}

REQUESTED_NODES = 6
"""The number of nodes in a question, or fewer if fewer are visited."""


def _draw(draw: Draw, case: Case) -> Case | None:
    """Ask about the nodes that best reveal mistakes."""
    del draw  # the tree decides
    if search_objection(case) is not None:
        return None
    tree, key = case.tree, dict(_key(case))
    wrong = [dict(answer) for belief in _BELIEFS.values() if (answer := belief(case)) is not None]
    mistakes = [
        {node: (int(answer.get(node) == key[node]), 1) for node in key} for answer in wrong if answer != key
    ]
    best = revealing_nodes(list(key), mistakes, REQUESTED_NODES, REQUESTED_NODES)
    nodes = sorted(best, key=lambda node: (tree.depths[node], node))
    return replace(case, given=Given({"nodes": [tree.names[node] for node in nodes]}))


def _objection(case: Case) -> str | None:
    why = search_objection(case) or node_objection(case)
    return why if why or _key(case) else "the search visits none of the nodes that are asked about"


def _explain_node(solved: SolvedExercise, search_values: ProvisionalValues, node: int) -> str:
    """Explain the final value of a node, and which ancestor stopped the search there."""
    tree, say = solved.tree, solved.language.say
    value = search_values.values[node]
    if value is None:
        return say(WHY_NEVER_VISITED, node=solved.node_title(node))
    child_values = [
        each
        for child in tree.visiting(node, solved.rules.order)
        if (each := search_values.values[child]) is not None
    ]
    terms = {
        "node": solved.node_title(node),
        "seen": value_list(child_values, solved.language),
        "value": solved.value_text(value),
    }
    stopper = search_values.stopped_by[node]
    if stopper is None or len(child_values) == len(tree.children[node]):
        return say(WHY_FINAL, **terms)
    return say(WHY_STOPPED, owner=solved.node_title(stopper), **terms)


def _why(solved: SolvedExercise, item: Item) -> Reason | None:
    if item.node is None:
        return None
    return Reason(_explain_node(solved, provisional_search(solved.tree, solved.rules), item.node))


def _steps(solved: SolvedExercise) -> tuple[str, ...]:
    """Explain the final value of every visited node."""
    found = provisional_search(solved.tree, solved.rules)
    return tuple(
        _explain_node(solved, found, node)
        for node in bottom_up_nodes(solved.tree)
        if found.values[node] is not None
    )


def _stops(solved: SolvedExercise) -> tuple[str, ...]:
    """Explain the nodes below which the search stops."""
    found = provisional_search(solved.tree, solved.rules)
    stopped = (node for node in bottom_up_nodes(solved.tree) if found.stopped_by[node] is not None)
    return tuple(_explain_node(solved, found, node) for node in stopped)


OWN_BOUNDS = Kind(
    ask="own-values",
    given_names=("nodes",),
    question="What is the alpha or beta value of every node in the older convention?",
    about="search",
    form=replace(TABLE, credit_sentence=replace(ENTRIES, may_lack_entries=True).credit_sentence),
    objection=_objection,
    draw=_draw,
    entry_nodes=requested_nodes,
    prompt=asks(
        partial(ask_about_nodes, QUESTION, QUESTION_ABOUT_NODES),
        game_sentences,
        DEFINITION,
        lambda case, language: language.say(VISITING_ORDERS[case.rules.order]),
        lambda case, language: language.say(STOPPING_RULES[case.rules.ties]),
        RETURN_RULE,
        demands=(NEVER_VISITED_RULE,),
    ),
    key=_key,
    independent_key=_independent_key,
    beliefs=_BELIEFS,
    explain_item=_why,
    worked_solution=WorkedSolution(_steps, _stops),
)
