"""Which leaves does alpha-beta search never visit?"""

from grader.answers.paths import PATHS
from grader.questions.carry_over import PRUNED_LEAVES, unchanged_leaves
from grader.questions.kind import Kind
from grader.questions.reasons import SEARCH_SOLUTION, why_pruned
from grader.questions.search_answers import (
    key_from_search,
    key_from_sweep,
    pruned_leaves,
    remaining_leaves,
    search_beliefs,
    visits_objection,
)
from grader.questions.wording import asks_for_pruned_leaves, game_sentences, search_sentences

KIND = Kind(
    takes_root_window=True,
    about="search",
    form=PATHS,
    objection=visits_objection,
    prompt=asks_for_pruned_leaves(game_sentences, search_sentences),
    key=key_from_search(pruned_leaves),
    independent_key=key_from_sweep(pruned_leaves),
    visits_shown="leaves",
    beliefs={
        **search_beliefs(pruned_leaves),
        "lists-visited": key_from_search(
            lambda tree, performed: remaining_leaves(tree, pruned_leaves(tree, performed))
        ),
    },
    explain_item=why_pruned,
    worked_solution=SEARCH_SOLUTION,
    carries={PRUNED_LEAVES: unchanged_leaves},
    takes={PRUNED_LEAVES: unchanged_leaves},
)
