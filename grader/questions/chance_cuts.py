"""Which leaves are pruned in a tree with chance nodes and bounded payoffs?"""

from grader.answers.paths import PATHS
from grader.questions.case import Case
from grader.questions.kind import Kind, constant_key
from grader.questions.reasons import SEARCH_SOLUTION, why_pruned
from grader.questions.search_answers import (
    CHANCE_BELIEFS,
    key_from_search,
    pruned_leaves,
    remaining_leaves,
    search_beliefs,
    two_player_objection,
)
from grader.questions.wording import (
    asks_for_pruned_leaves,
    game_sentences,
    probability_sentences,
    search_sentences,
)
from grader.solvers.relevance import relevant_leaves


def _objection(case: Case) -> str | None:
    if not case.tree.has_chance:
        return "the tree has no chance nodes; pruned-paths is the kind for it"
    return two_player_objection(case)


KIND = Kind(
    takes_root_window=True,
    about="search",
    form=PATHS,
    objection=_objection,
    prompt=asks_for_pruned_leaves(game_sentences, probability_sentences, search_sentences),
    key=key_from_search(pruned_leaves),
    independent_key=lambda case: remaining_leaves(case.tree, relevant_leaves(case.tree, case.rules)),
    visits_shown="leaves",
    beliefs={
        "never-prunes": constant_key(frozenset()),  # the search skips impossible outcomes
        **search_beliefs(pruned_leaves, CHANCE_BELIEFS),
    },
    explain_item=why_pruned,
    worked_solution=SEARCH_SOLUTION,
)
