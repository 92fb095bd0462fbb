"""What is the minimax value of every node?"""

from grader.answers.table import TABLE, Table
from grader.base.phrases import Language
from grader.kinds.carries import VALUES, own_values
from grader.kinds.given import Given
from grader.kinds.kind import Kind
from grader.kinds.search_answers import suits_search
from grader.kinds.valuing import as_table, implied_table, table, table_by_search, value_beliefs
from grader.kinds.why import SUMS, why_node_value
from grader.kinds.wording import VALUES_ASKED, Prompt, inner_names, paragraph, the_game
from grader.rules import Rules
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.searching import search
from grader.tree import Tree


def _prompt(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    return Prompt(
        the_game(tree, language),
        paragraph(
            language.say(VALUES_ASKED[0], nodes=inner_names(tree, language)),
            language.say("Every node has one, also where alpha-beta search would never look."),
        ),
    )


def _returned_for_value(tree: Tree, rules: Rules, given: Given) -> Table | None:
    returned = search(tree, rules, traced=False).returned
    values = [
        value if found is None or isinstance(found, float) else found
        for value, found in zip(expectiminimax(tree), returned, strict=True)
    ]
    return as_table(tree, values)


KIND = Kind(
    name="node-values",
    about="values",
    form=TABLE,
    backs_up=True,
    suits=suits_search,
    prompt=_prompt,
    key=table,
    second_way=table_by_search,
    beliefs={**value_beliefs(as_table), "returned-for-value": _returned_for_value},
    why=why_node_value,
    worked=SUMS,
    implied=implied_table,
    carries={VALUES: own_values},
)
