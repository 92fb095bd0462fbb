"""Which leaves does alpha-beta search never look at?"""

from grader.answers import PATHS
from grader.kinds.kind import Kind
from grader.kinds.searching import search_beliefs, suits_search
from grader.kinds.wording import NUMBERED, PRUNED, paragraph, the_game, the_search
from grader.rules import Rules
from grader.solvers.searching import search
from grader.solvers.sweep import sweep
from grader.solvers.trace import Search, pruned_paths
from grader.tree import Tree


def _prompt(tree: Tree, rules: Rules) -> str:
    return paragraph(the_game(tree), the_search(tree, rules), NUMBERED, PRUNED, "Which leaves are pruned?")


def _pruned(tree: Tree, found: Search) -> frozenset[int]:
    return frozenset(pruned_paths(tree, found.visited))


def _key(tree: Tree, rules: Rules) -> frozenset[int]:
    return _pruned(tree, search(tree, rules, traced=False))


def _second_way(tree: Tree, rules: Rules) -> frozenset[int]:
    return frozenset(pruned_paths(tree, sweep(tree, rules).visited))


def _lists_visited(tree: Tree, rules: Rules) -> frozenset[int]:
    return frozenset(range(1, len(tree.leaves) + 1)) - _key(tree, rules)


KIND = Kind(
    name="pruned-paths",
    form=PATHS,
    suits=suits_search,
    prompt=_prompt,
    key=_key,
    second_way=_second_way,
    beliefs={**search_beliefs(_pruned), "lists-visited": _lists_visited},
)
