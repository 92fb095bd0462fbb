"""In which order does alpha-beta search look at the leaves?"""

from functools import partial

from grader.answers.form import Item
from grader.answers.order import ORDER
from grader.base.phrases import Language, paragraph
from grader.questions.carries import PRUNED_LEAVES, leaves_missing_in_order, order_from_leaves
from grader.questions.given import Given
from grader.questions.kind import Kind
from grader.questions.search_answers import (
    SEARCH_BELIEFS,
    by_search,
    leaves_in_order,
    search_beliefs,
    suits_visits,
)
from grader.questions.why import SEARCH, Reason, Solved
from grader.questions.wording import NUMBERED, Prompt, the_game, the_search
from grader.solvers.mistaken import MISCONCEPTIONS
from grader.solvers.sweep import sweep
from grader.solvers.trying import all_known
from grader.trees.rules import Rules
from grader.trees.tree import Tree


def _prompt(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    return Prompt(
        (*the_game(tree, language), *the_search(tree, rules, language), language.say(NUMBERED)),
        language.say("Which leaves does the search look at, and in which order?"),
    )


def _second_way(tree: Tree, rules: Rules, given: Given) -> tuple[int, ...]:
    visited = sweep(all_known(tree), rules).visited
    paths = [tree.paths[leaf] for leaf in tree.leaves if visited[leaf]]
    return tuple(paths if rules.order == "left-to-right" else reversed(paths))


def _why(solved: Solved, item: Item) -> Reason | None:
    """Which leaf comes next where the order breaks, and why it is not the one that the student wrote."""
    tree, account, say = solved.tree, solved.account, solved.language.say
    top = None if item.node is None or not item.said else solved.cut_above(item.node)
    told = []
    if top is not None and item.node is not None:
        told += [say("{what} is pruned.", what=solved.called(item.node)), account.cuts[top]]
    if item.right:
        leaf = tree.leaves[int(item.right.removeprefix("#")) - 1]  # `#1` where a leaf is called 1
        told += [say("Here the next leaf is {leaf}.", leaf=solved.called(leaf)), account.visits[leaf]]
    elif not told:
        told.append(say("The search is over before this leaf."))
    return Reason(paragraph(*told))


_VISITED = search_beliefs(lambda _tree, found: found.visited, (*SEARCH_BELIEFS, "never-prunes"))


def _read_off(belief: str, tree: Tree, rules: Rules, given: Given) -> tuple[int, ...] | None:
    """The order of the leaves that a mistaken search visits, whose direction is that of its rules."""
    visited, turn = _VISITED[belief](tree, rules, given), MISCONCEPTIONS[belief].rules
    if visited is None:
        return None
    paths = [path for path, leaf in enumerate(tree.leaves, 1) if visited[leaf]]
    order = rules.order if turn is None else turn(rules).order
    return tuple(paths if order == "left-to-right" else reversed(paths))


KIND = Kind(
    about="search",
    form=ORDER,
    suits=suits_visits,
    prompt=_prompt,
    key=by_search(leaves_in_order, traced=True),
    second_way=_second_way,
    tells="order",
    beliefs={name: partial(_read_off, name) for name in _VISITED},
    why=_why,
    worked=SEARCH,
    carries={PRUNED_LEAVES: leaves_missing_in_order},
    takes={PRUNED_LEAVES: order_from_leaves},
)
