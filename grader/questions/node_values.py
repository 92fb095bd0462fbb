"""What is the minimax value of every node?"""

from grader.answers.table import TABLE, Table
from grader.base.phrases import Language, paragraph
from grader.questions.carries import VALUES, own_values
from grader.questions.given import Given, asked_nodes, stray_node
from grader.questions.kind import Kind
from grader.questions.search_answers import suits_two_players
from grader.questions.valuing import TABLE_BELIEFS, as_table, implied_table, of_asked, table, table_by_search
from grader.questions.why import SUMS, why_node_value
from grader.questions.wording import Prompt, the_game, values_asked
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.searching import search
from grader.trees.rules import Rules
from grader.trees.tree import Tree


def _prompt(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    return Prompt(
        the_game(tree, language),
        paragraph(
            values_asked(tree, given, language),
            language.say("Every node has one, also where alpha-beta search would never look."),
        ),
    )


def _suits(tree: Tree, rules: Rules, given: Given) -> str | None:
    if tree.has_chance:
        return "the tree has chance nodes; expected-values is the kind for it"
    return suits_two_players(tree, rules, given) or stray_node(tree, given)


def _returned_for_value(tree: Tree, rules: Rules, given: Given) -> Table | None:
    returned = search(tree, rules, traced=False).returned
    values = [
        value if found is None or isinstance(found, float) else found
        for value, found in zip(expectiminimax(tree), returned, strict=True)
    ]
    return as_table(tree, values)


KIND = Kind(
    gives=("nodes",),
    form=TABLE,
    backs_up=True,
    suits=_suits,
    asked=asked_nodes,
    prompt=_prompt,
    key=table,
    second_way=table_by_search,
    beliefs={**TABLE_BELIEFS, "returned-for-value": of_asked(_returned_for_value)},
    why=why_node_value,
    worked=SUMS,
    implied=implied_table,
    carries={VALUES: own_values},
)
