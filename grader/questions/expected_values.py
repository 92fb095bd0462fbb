"""What is the expected value of every node in a game with chance nodes?"""

from dataclasses import replace
from functools import partial

from grader.questions import node_values
from grader.questions.case import Case, node_objection
from grader.questions.search_answers import two_player_objection
from grader.questions.value_answers import value_beliefs, value_table
from grader.questions.wording import (
    ASK_ALL_EXPECTED_VALUES,
    ASK_SOME_EXPECTED_VALUES,
    ask_about_nodes,
    asks,
    game_sentences,
    optimal_play_sentence,
    probability_sentences,
)


def _objection(case: Case) -> str | None:
    if not case.tree.has_chance:
        return "the tree has no chance nodes; node-values is the kind for it"
    return two_player_objection(case) or node_objection(case)


KIND = replace(
    node_values.KIND,
    objection=_objection,
    prompt=asks(
        partial(ask_about_nodes, ASK_ALL_EXPECTED_VALUES, ASK_SOME_EXPECTED_VALUES),
        game_sentences,
        probability_sentences,
        optimal_play_sentence,
    ),
    beliefs=value_beliefs(value_table),
)
