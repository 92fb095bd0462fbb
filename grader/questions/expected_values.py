"""What is the expected value of every node of a game with chance?"""

from dataclasses import replace

from grader.base.phrases import Language
from grader.questions import node_values
from grader.questions.given import Given, node_objection
from grader.questions.search_answers import two_player_objection
from grader.questions.value_answers import TABLE_BELIEFS
from grader.questions.wording import (
    ASK_ALL_EXPECTED_VALUES,
    ASK_SOME_EXPECTED_VALUES,
    Prompt,
    ask_values,
    game_sentences,
    optimal_play_sentence,
    probability_sentences,
)
from grader.trees.rules import Rules
from grader.trees.tree import Tree


def _suits(tree: Tree, rules: Rules, given: Given) -> str | None:
    if not tree.has_chance:
        return "the tree has no chance nodes; node-values is the kind for it"
    return two_player_objection(tree, rules, given) or node_objection(tree, given)


def _prompt(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    return Prompt(
        (
            *game_sentences(tree, language),
            *probability_sentences(tree, language),
            optimal_play_sentence(tree, language),
        ),
        ask_values(tree, given, language, ASK_ALL_EXPECTED_VALUES, ASK_SOME_EXPECTED_VALUES),
    )


KIND = replace(
    node_values.KIND, objection=_suits, prompt=_prompt, beliefs=TABLE_BELIEFS, answers_are_payoffs=False
)
