"""Which leaves are pruned when the tree has chance nodes and payoffs are known to lie within limits?"""

from grader.answers.paths import PATHS
from grader.base.phrases import Language
from grader.questions.given import Given
from grader.questions.kind import Kind
from grader.questions.search_answers import (
    CHANCE_BELIEFS,
    by_search,
    other_leaves,
    pruned_leaves,
    search_beliefs,
    suits_two_players,
)
from grader.questions.why import SEARCH, why_pruned
from grader.questions.wording import Prompt, the_game, the_odds, the_search, which_leaves
from grader.solvers.relevance import relevant_leaves
from grader.trees.rules import Rules
from grader.trees.tree import Tree


def _suits(tree: Tree, rules: Rules, given: Given) -> str | None:
    if not tree.has_chance:
        return "the tree has no chance nodes; pruned-paths is the kind for it"
    return suits_two_players(tree, rules, given)


def _prompt(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    states = (*the_game(tree, language), *the_odds(tree, language), *the_search(tree, rules, language))
    return which_leaves(states, language)


KIND = Kind(
    about="search",
    form=PATHS,
    suits=_suits,
    prompt=_prompt,
    key=by_search(pruned_leaves),
    second_way=lambda tree, rules, _given: other_leaves(tree, relevant_leaves(tree, rules)),
    tells="leaves",
    beliefs=search_beliefs(pruned_leaves, CHANCE_BELIEFS),
    why=why_pruned,
    worked=SEARCH,
)
