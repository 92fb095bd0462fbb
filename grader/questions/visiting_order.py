"""In which order does alpha-beta search visit the leaves?"""

from functools import partial

from grader.answers.form import Item
from grader.answers.order import ORDER
from grader.answers.order_credit import counts_prefix
from grader.base.phrases import Phrase, paragraph
from grader.questions.carry_over import PRUNED_LEAVES, leaves_missing_in_order, order_from_leaves
from grader.questions.case import Case
from grader.questions.kind import Kind
from grader.questions.reasons import (
    ARE_PRUNED,
    ARE_VISITED,
    PRUNED,
    SEARCH_SOLUTION,
    VISITED,
    Reason,
    SolvedExercise,
)
from grader.questions.search_answers import (
    key_from_search,
    search_beliefs,
    visited_leaves_in_order,
    visits_objection,
)
from grader.questions.wording import LEAF_NUMBER_RULE, asks, game_sentences, search_sentences
from grader.solvers.mistaken_search import MISCONCEPTIONS
from grader.solvers.sweep import sweep
from grader.solvers.trial_numbers import substitute_zeros

# What students read -------------------------------------------------------------------------------

QUESTION = Phrase("Which leaves does alpha-beta visit, and in which order?")

WHY_NOT_TWICE = Phrase("The search visits no leaf twice.")
WHY_FIRST = Phrase("The search visits {leaf} first.")
WHY_AFTER = Phrase("{leaf} is visited immediately after {other}.")
WHY_PRUNED = Phrase("{what} is pruned.")
WHY_NEXT = Phrase("The next leaf to be visited is {leaf}.")
WHY_OVER = Phrase("The search ends before this leaf.")


def _second_way(case: Case) -> tuple[int, ...]:
    visited = sweep(substitute_zeros(case.tree), case.rules).visited
    paths = [case.tree.paths[leaf] for leaf in case.tree.leaves if visited[leaf]]
    return tuple(paths if case.rules.order == "left-to-right" else reversed(paths))


def _why(solved: SolvedExercise, item: Item) -> Reason | None:
    """Say why a leaf is to be inserted, deleted or moved, or which comes next where the order breaks."""
    return (_why_broken if counts_prefix(solved.terms) else _why_edited)(solved, item)


def _why_edited(solved: SolvedExercise, item: Item) -> Reason | None:
    """Say why a leaf is pruned or visited, or when it is visited."""
    tree, account, say, node = solved.tree, solved.account, solved.language.say, item.node
    if node is None:
        return None
    top = solved.pruned_ancestor(node)
    if top is not None:
        return Reason(account.cuts[top], PRUNED, ARE_PRUNED, (node,))
    if item.verdict == "missing":
        return Reason(account.visits[node], VISITED, ARE_VISITED, (node,))
    if item.verdict == "extra":
        return Reason(say(WHY_NOT_TWICE))
    place = solved.key.index(tree.paths[node])
    if not place:
        return Reason(say(WHY_FIRST, leaf=solved.node_title(node)))
    before = solved.node_title(tree.leaves[solved.key[place - 1] - 1])
    return Reason(say(WHY_AFTER, leaf=solved.node_title(node), other=before))


def _why_broken(solved: SolvedExercise, item: Item) -> Reason | None:
    """Explain which leaf comes next where the order breaks, and why the student's leaf does not."""
    tree, account, say = solved.tree, solved.account, solved.language.say
    top = None if item.node is None or not item.reply else solved.pruned_ancestor(item.node)
    sentences = []
    if top is not None and item.node is not None:
        sentences += [say(WHY_PRUNED, what=solved.node_title(item.node)), account.cuts[top]]
    if item.right:
        leaf = tree.leaves[int(item.right.removeprefix("#")) - 1]  # `#1` where a leaf is called 1
        why = "" if sentences else account.visits[leaf]
        sentences += [say(WHY_NEXT, leaf=solved.node_title(leaf)), why]
    elif not sentences:
        sentences.append(say(WHY_OVER))
    return Reason(paragraph(*sentences))


_VISITED = search_beliefs(lambda _tree, performed: performed.visited)


def _read_off(belief: str, case: Case) -> tuple[int, ...] | None:
    """The order of the leaves that a mistaken search visits, whose direction is that of its rules.

    None where the belief does not apply.
    """
    visited, turn = _VISITED[belief](case), MISCONCEPTIONS[belief].change_rules
    if visited is None:
        return None
    paths = [path for path, leaf in enumerate(case.tree.leaves, 1) if visited[leaf]]
    order = case.rules.order if turn is None else turn(case.rules).order
    return tuple(paths if order == "left-to-right" else reversed(paths))


KIND = Kind(
    about="search",
    form=ORDER,
    objection=visits_objection,
    prompt=asks(QUESTION, game_sentences, search_sentences, LEAF_NUMBER_RULE),
    key=key_from_search(visited_leaves_in_order, traced=True),
    independent_key=_second_way,
    visits_shown="order",
    beliefs={name: partial(_read_off, name) for name in _VISITED},
    explain_item=_why,
    worked_solution=SEARCH_SOLUTION,
    carries={PRUNED_LEAVES: leaves_missing_in_order},
    takes={PRUNED_LEAVES: order_from_leaves},
)
