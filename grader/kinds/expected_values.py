"""What is the expected value of every node of a game with chance?"""

from grader.answers.table import TABLE
from grader.base.phrases import Language
from grader.kinds.carries import VALUES, own_values
from grader.kinds.given import Given
from grader.kinds.kind import Kind
from grader.kinds.search_answers import suits_two_players
from grader.kinds.valuing import as_table, implied_table, table, table_by_search, value_beliefs
from grader.kinds.why import SUMS, why_node_value
from grader.kinds.wording import EXPECTED_ASKED, Prompt, inner_names, the_game, the_odds
from grader.rules import Rules
from grader.tree import Tree


def _suits(tree: Tree, rules: Rules, given: Given) -> str | None:
    if not tree.has_chance:
        return "the tree has no chance nodes; node-values is the kind for it"
    return suits_two_players(tree, rules, given)


def _prompt(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    return Prompt(
        (
            *the_game(tree, language),
            *the_odds(tree, language),
            language.say("Both players play as well as they can."),
        ),
        language.say(EXPECTED_ASKED[0], nodes=inner_names(tree, language)),
    )


KIND = Kind(
    name="expected-values",
    about="values",
    form=TABLE,
    suits=_suits,
    prompt=_prompt,
    key=table,
    second_way=table_by_search,
    beliefs=value_beliefs(as_table),
    why=why_node_value,
    worked=SUMS,
    implied=implied_table,
    carries={VALUES: own_values},
)
