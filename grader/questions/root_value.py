"""What is the value of the game for MAX?"""

from grader.answers.number import NUMBER
from grader.answers.numeral import Numeral
from grader.base.phrases import Language, Phrase
from grader.questions.carry_over import VALUES, root_value_from_values
from grader.questions.case import Case
from grader.questions.kind import Kind
from grader.questions.reasons import VALUE_SOLUTION, why_game_value
from grader.questions.search_answers import two_player_objection
from grader.questions.value_answers import root_value_by_search, value_beliefs
from grader.questions.wording import asks, game_sentences, optimal_play_sentence, probability_sentences
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.explaining.node_wording import node_name

# What students read -------------------------------------------------------------------------------

QUESTION = Phrase("What is the minimax value of {node}?")
QUESTION_WITH_CHANCE = Phrase("What is the expected value of {node} for MAX?")


def _question(case: Case, language: Language) -> str:
    question = QUESTION_WITH_CHANCE if case.tree.has_chance else QUESTION
    return language.say(question, node=node_name(case.tree, 0, language))


KIND = Kind(
    form=NUMBER,
    answers_are_payoffs=True,
    objection=two_player_objection,
    prompt=asks(_question, game_sentences, probability_sentences, optimal_play_sentence),
    key=lambda case: Numeral(expectiminimax(case.tree)[0]),
    independent_key=root_value_by_search,
    beliefs=value_beliefs(lambda _case, values: Numeral(values[0])),
    explain_item=why_game_value,
    worked_solution=VALUE_SOLUTION,
    takes={VALUES: root_value_from_values},
)
