"""How many leaves does alpha-beta search look at?"""

from grader.answers.count import COUNT
from grader.answers.form import Item
from grader.answers.numeral import Numeral
from grader.base.phrases import Language, paragraph
from grader.kinds.carries import PRUNED_LEAVES, count_from_leaves
from grader.kinds.given import Given
from grader.kinds.kind import Kind
from grader.kinds.search_answers import SEARCH_BELIEFS, search_beliefs, suits_visits
from grader.kinds.why import SEARCH, Reason, Solved
from grader.kinds.wording import Prompt, the_game, the_search
from grader.rules import Rules
from grader.solvers.searching import search
from grader.solvers.sweep import sweep
from grader.solvers.trace import Search
from grader.solvers.trying import all_known
from grader.solvers.visited import pruned_paths
from grader.tree import Tree


def _prompt(tree: Tree, rules: Rules, given: Given, language: Language) -> Prompt:
    return Prompt(
        (*the_game(tree, language), *the_search(tree, rules, language)),
        paragraph(
            language.say("The tree has {count} leaf.", "The tree has {count} leaves.", len(tree.leaves)),
            language.say("How many of them does the search look at?"),
        ),
    )


def _count(tree: Tree, visited: tuple[bool, ...]) -> Numeral:
    return Numeral(len(tree.leaves) - len(pruned_paths(tree, visited)))


def _looked_at(tree: Tree, found: Search) -> Numeral:
    return _count(tree, found.visited)


def _counts_pruned(tree: Tree, rules: Rules, given: Given) -> Numeral:
    return Numeral(len(pruned_paths(tree, search(tree, rules, traced=False).visited)))


def _counts_all_nodes(tree: Tree, rules: Rules, given: Given) -> Numeral:
    return Numeral(sum(search(tree, rules, traced=False).visited))


def _why(solved: Solved, item: Item) -> Reason | None:
    visited, pruned = solved.solution.visited_leaves, solved.solution.pruned_paths
    if visited is None or pruned is None:
        return None
    say, paths = solved.language.say, " ".join(map(str, visited))
    looks = say(
        "The search looks at {count} leaf ({paths}).",
        "The search looks at {count} leaves ({paths}).",
        len(visited),
        paths=paths,
    )
    never = say("It never looks at the other {count}.", "It never looks at the other {count}.", len(pruned))
    return Reason(paragraph(looks, never))


KIND = Kind(
    about="search",
    form=COUNT,
    suits=suits_visits,
    prompt=_prompt,
    key=lambda tree, rules, _given: _looked_at(tree, search(tree, rules, traced=False)),
    second_way=lambda tree, rules, _given: _count(tree, sweep(all_known(tree), rules).visited),
    tells="count",
    beliefs={
        **search_beliefs(_looked_at, (*SEARCH_BELIEFS, "never-prunes")),
        "counts-pruned": _counts_pruned,
        "counts-all-nodes": _counts_all_nodes,
    },
    why=_why,
    worked=SEARCH,
    takes={PRUNED_LEAVES: count_from_leaves},
)
