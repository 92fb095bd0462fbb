"""Which branches does alpha-beta search cross out?"""

from grader.answers.branches import BRANCHES
from grader.answers.form import Item
from grader.base.phrases import Language
from grader.questions.carries import PRUNED_LEAVES, branches_from_leaves, leaves_of_branches
from grader.questions.given import Given
from grader.questions.kind import Kind
from grader.questions.search_answers import by_search, by_sweep, search_beliefs, suits_visits
from grader.questions.why import SEARCH, Reason, Solved, why_pruned
from grader.questions.wording import NUMBERED, Prompt, the_game, the_search
from grader.solvers.sweep import Sweep
from grader.solvers.trace import Search
from grader.solvers.visited import pruned_branches
from grader.trees.rules import Rules
from grader.trees.tree import Tree


def _prompt(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    return Prompt(
        (
            *the_game(tree, language),
            *the_search(tree, rules, language),
            language.say(NUMBERED),
            language.say(
                "Name every cut branch by the node at its lower end (a leaf by its path number); "
                "where a whole subtree is cut, name only its topmost node."
            ),
        ),
        language.say("Which branches are cut?"),
    )


def _cut(tree: Tree, found: Search | Sweep) -> frozenset[int]:
    return frozenset(pruned_branches(tree, found.visited))


def _why(solved: Solved, item: Item) -> Reason | None:
    if item.verdict != "right":
        return why_pruned(solved, item)
    if item.node is None or item.said == item.right:
        return None
    return Reason(
        solved.language.say(
            "Right, but {node} alone says it: name the topmost node of a branch.",
            node=solved.called(item.node),
        )
    )


KIND = Kind(
    about="search",
    form=BRANCHES,
    suits=suits_visits,
    prompt=_prompt,
    key=by_search(_cut),
    second_way=by_sweep(_cut),
    tells="branches",
    beliefs=search_beliefs(_cut),
    why=_why,
    of_right=True,
    worked=SEARCH,
    carries={PRUNED_LEAVES: leaves_of_branches},
    takes={PRUNED_LEAVES: branches_from_leaves},
)
