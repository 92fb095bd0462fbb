"""How many of the leaves does alpha-beta search visit?"""

from grader.answers.count import COUNT
from grader.answers.form import Item
from grader.answers.numeral import Numeral
from grader.base.phrases import Phrase, paragraph, plural_phrase
from grader.questions.carry_over import PRUNED_LEAVES, count_from_leaves
from grader.questions.kind import Kind
from grader.questions.reasons import SEARCH_SOLUTION, Reason, SolvedExercise
from grader.questions.search_answers import (
    key_from_search,
    key_from_sweep,
    pruned_leaves,
    search_beliefs,
    visits_objection,
)
from grader.questions.wording import asks, game_sentences, leaf_count_sentence, search_sentences
from grader.solvers.sweep import Sweep
from grader.solvers.trace import Search
from grader.trees.tree import Tree

# What students read -------------------------------------------------------------------------------

QUESTION = Phrase("How many leaves does alpha-beta search visit?")
WHY_VISITED = plural_phrase(
    "The search visits {count} leaf ({paths}).",
    "The search visits {count} leaves ({paths}).",
)
WHY_REST_PRUNED = plural_phrase("It never visits the other {count}.")


def _visited_count(tree: Tree, performed: Search | Sweep) -> Numeral:
    return Numeral(len(tree.leaves) - len(pruned_leaves(tree, performed)))


def _why(solved: SolvedExercise, item: Item) -> Reason | None:
    """List the visited leaves and count the pruned ones; None without a search."""
    visited, pruned = solved.solution.visited_leaves, solved.solution.pruned_paths
    if visited is None or pruned is None:
        return None
    say, paths = solved.language.say, solved.language.join(map(str, visited))
    looks = say(*WHY_VISITED, len(visited), paths=paths)
    never = say(*WHY_REST_PRUNED, len(pruned))
    return Reason(paragraph(looks, never))


KIND = Kind(
    takes_root_window=True,
    about="search",
    form=COUNT,
    objection=visits_objection,
    prompt=asks(QUESTION, game_sentences, search_sentences, leaf_count_sentence),
    key=key_from_search(_visited_count),
    independent_key=key_from_sweep(_visited_count),
    visits_shown="count",
    beliefs={
        **search_beliefs(_visited_count),
        "counts-pruned": key_from_search(
            lambda tree, performed: Numeral(len(pruned_leaves(tree, performed)))
        ),
        "counts-all-nodes": key_from_search(lambda _tree, performed: Numeral(sum(performed.visited))),
    },
    explain_item=_why,
    worked_solution=SEARCH_SOLUTION,
    takes={PRUNED_LEAVES: count_from_leaves},
)
