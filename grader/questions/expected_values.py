"""What is the expected value of every node of a game with chance?"""

from dataclasses import replace

from grader.base.phrases import Language
from grader.questions import node_values
from grader.questions.given import Given, stray_node
from grader.questions.search_answers import suits_two_players
from grader.questions.valuing import TABLE_BELIEFS
from grader.questions.wording import (
    EXPECTED_ASKED,
    SOME_EXPECTED_ASKED,
    Prompt,
    played_well,
    the_game,
    the_odds,
    values_asked,
)
from grader.trees.rules import Rules
from grader.trees.tree import Tree


def _suits(tree: Tree, rules: Rules, given: Given) -> str | None:
    if not tree.has_chance:
        return "the tree has no chance nodes; node-values is the kind for it"
    return suits_two_players(tree, rules, given) or stray_node(tree, given)


def _prompt(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    return Prompt(
        (
            *the_game(tree, language),
            *the_odds(tree, language),
            played_well(tree, language),
        ),
        values_asked(tree, given, language, EXPECTED_ASKED, SOME_EXPECTED_ASKED),
    )


KIND = replace(node_values.KIND, suits=_suits, prompt=_prompt, beliefs=TABLE_BELIEFS, backs_up=False)
