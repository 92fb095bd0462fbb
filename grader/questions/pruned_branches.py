"""Which branches does alpha-beta search prune?"""

from grader.answers.branches import BRANCHES
from grader.answers.form import Item
from grader.base.phrases import Phrase
from grader.questions.carry_over import PRUNED_LEAVES, branches_from_leaves, leaves_of_branches
from grader.questions.kind import Kind
from grader.questions.reasons import SEARCH_SOLUTION, Reason, SolvedExercise, why_pruned
from grader.questions.search_answers import key_from_search, key_from_sweep, search_beliefs, visits_objection
from grader.questions.wording import LEAF_NUMBER_RULE, asks, game_sentences, search_sentences
from grader.solvers.sweep import Sweep
from grader.solvers.trace import Search
from grader.solvers.visited_nodes import pruned_branches
from grader.trees.tree import Tree

# What students read -------------------------------------------------------------------------------

QUESTION = Phrase("Which branches are pruned?")
TOPMOST_NODE_ALONE = Phrase("If a whole subtree is pruned, give only its topmost node.")

WHY_ONE_NODE_IS_ENOUGH = Phrase(
    "Correct, but {node} alone is enough: give only the topmost node of a pruned subtree."
)


def _cut(tree: Tree, performed: Search | Sweep) -> frozenset[int]:
    return frozenset(pruned_branches(tree, performed.visited))


def _why(solved: SolvedExercise, item: Item) -> Reason | None:
    """Explain an item; a correct one only if its entries are more than the topmost node."""
    if item.verdict != "right":
        return why_pruned(solved, item)
    if item.node is None or item.reply == item.right:
        return None
    return Reason(solved.language.say(WHY_ONE_NODE_IS_ENOUGH, node=solved.node_title(item.node)))


KIND = Kind(
    takes_root_window=True,
    about="search",
    form=BRANCHES,
    objection=visits_objection,
    prompt=asks(QUESTION, game_sentences, search_sentences, LEAF_NUMBER_RULE, demands=(TOPMOST_NODE_ALONE,)),
    key=key_from_search(_cut),
    independent_key=key_from_sweep(_cut),
    visits_shown="branches",
    beliefs=search_beliefs(_cut),
    explain_item=_why,
    explains_correct_items=True,
    worked_solution=SEARCH_SOLUTION,
    carries={PRUNED_LEAVES: leaves_of_branches},
    takes={PRUNED_LEAVES: branches_from_leaves},
)
