"""Which move should the player at the root make?"""

from functools import partial

from grader.answers.move import MOVE
from grader.base.phrases import Phrase
from grader.questions.carry_over import VALUES, move_from_values
from grader.questions.case import Case
from grader.questions.kind import Kind
from grader.questions.reasons import VALUE_SOLUTION, why_line
from grader.questions.search_answers import choice_objection, two_player_objection
from grader.questions.value_answers import exact_values, root_moves, root_moves_by_search, value_beliefs
from grader.questions.wording import asks, game_sentences, optimal_play_sentence, probability_sentences
from grader.solvers.cutoff_analysis import seemingly_best
from grader.solvers.search_choice import search

QUESTION = Phrase("Which move should {player} make at {node}?")


def _key(case: Case) -> frozenset[int]:
    return root_moves(case.tree, exact_values(case.tree))


def _false_tie(case: Case) -> frozenset[int] | None:
    """Return the moves that only seem as good: a cutoff there returned the very value of a best move.

    None if there are none, and with chance nodes.
    """
    tree = case.tree
    if tree.has_chance:
        return None
    seeming = seemingly_best(tree, search(tree, case.rules, traced=False))
    wrong = frozenset(map(tree.children[0].index, seeming)) - _key(case)
    return wrong or None


KIND = Kind(
    form=MOVE,
    objection=lambda case: choice_objection(case.tree) or two_player_objection(case),
    prompt=asks(QUESTION, game_sentences, probability_sentences, optimal_play_sentence),
    key=_key,
    independent_key=root_moves_by_search,
    beliefs={**value_beliefs(lambda case, values: root_moves(case.tree, values)), "false-tie": _false_tie},
    explain_item=partial(why_line, choices=1),
    worked_solution=VALUE_SOLUTION,
    takes={VALUES: move_from_values},
)
