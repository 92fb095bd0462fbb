"""Which leaves does alpha-beta search never look at?"""

from grader.answers.paths import PATHS
from grader.base.phrases import Language
from grader.questions.carries import PRUNED_LEAVES, same_leaves
from grader.questions.given import Given
from grader.questions.kind import Kind
from grader.questions.search_answers import (
    by_search,
    by_sweep,
    other_leaves,
    pruned_leaves,
    search_beliefs,
    suits_visits,
)
from grader.questions.why import SEARCH, why_pruned
from grader.questions.wording import Prompt, the_game, the_search, which_leaves
from grader.trees.rules import Rules
from grader.trees.tree import Tree


def _prompt(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    return which_leaves((*the_game(tree, language), *the_search(tree, rules, language)), language)


KIND = Kind(
    about="search",
    form=PATHS,
    suits=suits_visits,
    prompt=_prompt,
    key=by_search(pruned_leaves),
    second_way=by_sweep(pruned_leaves),
    tells="leaves",
    beliefs={
        **search_beliefs(pruned_leaves),
        "lists-visited": by_search(lambda tree, found: other_leaves(tree, pruned_leaves(tree, found))),
    },
    why=why_pruned,
    worked=SEARCH,
    carries={PRUNED_LEAVES: same_leaves},
    takes={PRUNED_LEAVES: same_leaves},
)
