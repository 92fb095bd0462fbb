"""What is the minimax value of every node?"""

from functools import partial

from grader.answers.table import TABLE, Table
from grader.base.phrases import Phrase
from grader.questions.carry_over import VALUES, own_values
from grader.questions.case import Case, node_objection, requested_nodes
from grader.questions.kind import Kind
from grader.questions.reasons import VALUE_SOLUTION, why_node_value
from grader.questions.search_answers import two_player_objection
from grader.questions.value_answers import (
    exact_values,
    implied_table,
    table_by_search,
    value_beliefs,
    value_table,
)
from grader.questions.wording import ASK_ALL_VALUES, ASK_SOME_VALUES, ask_about_nodes, asks, game_sentences
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.search_choice import search

# What students read -------------------------------------------------------------------------------

INCLUDE_PRUNED_NODES = Phrase("Include the nodes that alpha-beta search would prune.")


def _objection(case: Case) -> str | None:
    if case.tree.has_chance:
        return "the tree has chance nodes; expected-values is the kind for it"
    return two_player_objection(case) or node_objection(case)


def _returned_for_value(case: Case) -> Table:
    """Return the values of a student who takes returned bounds for them; pruned nodes are correct."""
    returned = search(case.tree, case.rules, traced=False).returned
    values = [
        value if found is None or isinstance(found, float) else found
        for value, found in zip(expectiminimax(case.tree), returned, strict=True)
    ]
    return value_table(case, values)


KIND = Kind(
    given_names=("nodes",),
    form=TABLE,
    answers_are_payoffs=True,
    objection=_objection,
    entry_nodes=requested_nodes,
    prompt=asks(
        partial(ask_about_nodes, ASK_ALL_VALUES, ASK_SOME_VALUES),
        game_sentences,
        demands=(INCLUDE_PRUNED_NODES,),
    ),
    key=lambda case: value_table(case, exact_values(case.tree)),
    independent_key=table_by_search,
    beliefs={**value_beliefs(value_table), "returned-for-value": _returned_for_value},
    explain_item=why_node_value,
    worked_solution=VALUE_SOLUTION,
    implied_key=implied_table,
    carries={VALUES: own_values},
)
