"""What is the value of the game for MAX?"""

from grader.answers.number import NUMBER
from grader.answers.numeral import Numeral
from grader.base.phrases import Language
from grader.questions.carries import VALUES, root_value_from_values
from grader.questions.given import Given
from grader.questions.kind import Kind
from grader.questions.search_answers import suits_two_players
from grader.questions.valuing import root_value_by_search, value_beliefs
from grader.questions.why import SUMS, why_game_value
from grader.questions.wording import Prompt, played_well, the_game, the_odds
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.explaining.naming import name_of
from grader.trees.rules import Rules
from grader.trees.tree import Tree


def _prompt(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    return Prompt(
        (
            *the_game(tree, language),
            *the_odds(tree, language),
            played_well(tree, language),
        ),
        language.say("What is the expected value of {node} for MAX?", node=name_of(tree, 0, language))
        if tree.has_chance
        else language.say("What is the minimax value of {node}?", node=name_of(tree, 0, language)),
    )


KIND = Kind(
    form=NUMBER,
    backs_up=True,
    suits=suits_two_players,
    prompt=_prompt,
    key=lambda tree, _rules, _given: Numeral(expectiminimax(tree)[0]),
    second_way=root_value_by_search,
    beliefs=value_beliefs(lambda _tree, values: Numeral(values[0])),
    why=why_game_value,
    worked=SUMS,
    takes={VALUES: root_value_from_values},
)
