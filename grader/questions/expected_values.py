"""What is the expected value of every node in a game with chance nodes?"""

from dataclasses import replace

from grader.base.phrases import Language
from grader.questions import node_values
from grader.questions.case import Case, node_objection
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


def _suits(case: Case) -> str | None:
    if not case.tree.has_chance:
        return "the tree has no chance nodes; node-values is the kind for it"
    return two_player_objection(case) or node_objection(case)


def _prompt(case: Case, language: Language) -> Prompt:
    return Prompt(
        (
            *game_sentences(case.tree, language),
            *probability_sentences(case.tree, language),
            optimal_play_sentence(case.tree, language),
        ),
        ask_values(case, language, ASK_ALL_EXPECTED_VALUES, ASK_SOME_EXPECTED_VALUES),
    )


KIND = replace(node_values.KIND, objection=_suits, prompt=_prompt, beliefs=TABLE_BELIEFS)
