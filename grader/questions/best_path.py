"""Which leaf does the game reach if both players play optimally?"""

from collections.abc import Sequence

from grader.answers.path import PATH
from grader.base.numbers import Number
from grader.base.phrases import Phrase
from grader.questions.carry_over import VALUES, paths_from_values
from grader.questions.case import Case
from grader.questions.kind import Kind
from grader.questions.reasons import VALUE_SOLUTION, why_line
from grader.questions.search_answers import two_player_objection
from grader.questions.value_answers import value_beliefs
from grader.questions.wording import LEAF_NUMBER_RULE, asks, game_sentences, optimal_play_sentence
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.sweep import sweep

QUESTION = Phrase("Which path does the game take?")


def _ends(case: Case, values: Sequence[Number]) -> frozenset[int]:
    """Return the leaf numbers of all leaves that are reached when every move keeps the value of the game."""
    tree = case.tree
    is_reached = [False] * len(tree)
    is_reached[0] = True
    for node in range(1, len(tree)):
        parent = tree.parents[node]
        is_reached[node] = is_reached[parent] and values[node] == values[parent]
    return frozenset(tree.paths[leaf] for leaf in tree.leaves if is_reached[leaf])


def _objection(case: Case) -> str | None:
    if case.tree.has_chance:
        return "the tree has chance nodes; best-move is the kind for it"
    return two_player_objection(case)


KIND = Kind(
    form=PATH,
    objection=_objection,
    prompt=asks(QUESTION, game_sentences, LEAF_NUMBER_RULE, optimal_play_sentence),
    key=lambda case: _ends(case, expectiminimax(case.tree)),
    independent_key=lambda case: _ends(case, sweep(case.tree, case.rules).values),
    beliefs=value_beliefs(_ends),
    explain_item=why_line,
    worked_solution=VALUE_SOLUTION,
    takes={VALUES: paths_from_values},
)
