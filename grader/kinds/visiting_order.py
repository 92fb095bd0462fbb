"""In which order does alpha-beta search look at the leaves?"""

from grader.answers import ORDER
from grader.base.phrases import Language
from grader.kinds.given import Given
from grader.kinds.kind import Kind
from grader.kinds.searching import by_search, leaves_in_order, search_beliefs, suits_search
from grader.kinds.wording import NUMBERED, paragraph, the_game, the_search
from grader.rules import Rules
from grader.solvers.sweep import sweep
from grader.tree import Tree


def _prompt(tree: Tree, rules: Rules, given: Given, language: Language) -> str:
    return paragraph(
        the_game(tree),
        the_search(tree, rules, language),
        NUMBERED,
        "Which leaves does the search look at, and in which order?",
    )


def _second_way(tree: Tree, rules: Rules, given: Given) -> tuple[int, ...]:
    visited = sweep(tree, rules).visited
    paths = [tree.paths[leaf] for leaf in tree.leaves if visited[leaf]]
    return tuple(paths if rules.order == "left-to-right" else reversed(paths))


def _never_prunes(tree: Tree, rules: Rules, given: Given) -> tuple[int, ...]:
    paths = range(1, len(tree.leaves) + 1)
    return tuple(paths if rules.order == "left-to-right" else reversed(paths))


KIND = Kind(
    name="visiting-order",
    about="search",
    form=ORDER,
    suits=suits_search,
    prompt=_prompt,
    key=by_search(leaves_in_order, traced=True),
    second_way=_second_way,
    beliefs={**search_beliefs(leaves_in_order, traced=True), "never-prunes": _never_prunes},
)
