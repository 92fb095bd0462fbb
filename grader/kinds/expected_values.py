"""What is the expected value of every node of a game with chance?"""

from grader.answers.table import TABLE
from grader.base.phrases import Language
from grader.kinds.carries import VALUES, own_values
from grader.kinds.given import Given, asked_nodes, stray_node
from grader.kinds.kind import Kind
from grader.kinds.search_answers import suits_two_players
from grader.kinds.valuing import TABLE_BELIEFS, implied_table, table, table_by_search
from grader.kinds.why import SUMS, why_node_value
from grader.kinds.wording import EXPECTED_ASKED, SOME_EXPECTED_ASKED, Prompt, the_game, the_odds, values_asked
from grader.rules import Rules
from grader.tree import Tree


def _suits(tree: Tree, rules: Rules, given: Given) -> str | None:
    if not tree.has_chance:
        return "the tree has no chance nodes; node-values is the kind for it"
    return suits_two_players(tree, rules, given) or stray_node(tree, given)


def _prompt(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    return Prompt(
        (
            *the_game(tree, language),
            *the_odds(tree, language),
            language.say("Both players play as well as they can."),
        ),
        values_asked(tree, given, language, EXPECTED_ASKED, SOME_EXPECTED_ASKED),
    )


KIND = Kind(
    gives=("nodes",),
    form=TABLE,
    suits=_suits,
    asked=asked_nodes,
    prompt=_prompt,
    key=table,
    second_way=table_by_search,
    beliefs=TABLE_BELIEFS,
    why=why_node_value,
    worked=SUMS,
    implied=implied_table,
    carries={VALUES: own_values},
)
