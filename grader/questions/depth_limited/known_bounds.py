"""Bounds that are known at nodes before they are searched: which are given, and what they prune."""

from dataclasses import replace
from functools import lru_cache

from grader.answers.form import Item
from grader.answers.paths import PATHS
from grader.base.numbers import INFINITY, Number, read_number, write_number
from grader.base.phrases import Language, Phrase
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.key_picture import KeyPicture, line_of_play
from grader.questions.kind import BeliefKey, Kind, constant_key
from grader.questions.randomness import Draw
from grader.questions.reasons import (
    ARE_PRUNED,
    ARE_VISITED,
    PRUNED,
    VISITED,
    Reason,
    SolvedExercise,
    WorkedSolution,
)
from grader.questions.search_answers import remaining_leaves, search_objection
from grader.questions.wording import asks_for_pruned_leaves, game_sentences, pruning_sentence
from grader.solvers.backup import back_up
from grader.solvers.limited_decisions import search_with_bounds, visited_with_bounds
from grader.solvers.minimax import minimax
from grader.solvers.solvable import number_at
from grader.solvers.sweep import sweep
from grader.solvers.trace import Cut, Search
from grader.solvers.value_intervals import Interval
from grader.solvers.visited_nodes import pruned_branches, pruned_paths
from grader.trees.tree import Player, Tree

# What students read ----------------------------------------------------------------------------------

BOUNDS_KNOWN = Phrase("Static evaluation provides these bounds: {bounds}.")
BOUND_AT_NODE = {
    "at most": Phrase("{node} is worth at most {value}"),
    "at least": Phrase("{node} is worth at least {value}"),
}
SETTLED_BY_BOUND = {
    "cut": Phrase(
        "A node is not searched if alpha is at least its known upper bound or beta is at most its known "
        "lower bound."
    ),
    "keep": Phrase(
        "A node is not searched if alpha is greater than its known upper bound or beta is less than its "
        "known lower bound."
    ),
}
WHY_VISITED = Phrase("When the search reaches it, alpha is {alpha} and beta is {beta}.")
WHY_PRUNED_BY_BOUND = Phrase(
    "The known bound {value} at {node} is enough to prune: alpha is {alpha} and beta is {beta} there."
)
WHY_PRUNED_AFTER_CHILD = Phrase(
    "After {child}, the value of {node} is {value}, while alpha is {alpha} and beta is {beta}."
)
CAPTION = Phrase(
    "The search and its cutoffs with the known bounds. The principal variation is drawn with thick lines."
)

# Bounds and what they prune --------------------------------------------------------------------------

MAX_DRAWS = 20
"""How often bounds are drawn for a tree until every misconception leads to another answer."""


def _known_of(case: Case) -> dict[int, Interval]:
    """Return the interval of each node for which the question gives a bound."""
    intervals: dict[int, Interval] = {}
    for name, (side, number) in case.given.get("known", {}).items():
        value = read_number(number)
        intervals[case.tree.index[name]] = (-INFINITY, value) if side == "at most" else (value, INFINITY)
    return intervals


def _objection(case: Case) -> str | None:
    """Return why there is no question about known bounds, or None: bounds have to be given and true."""
    if why := search_objection(case):
        return why
    known = case.given.get("known")
    if not isinstance(known, dict) or not known:
        return "no bound is known at any node"
    values = minimax(case.tree)
    inner = {case.tree.names[node]: node for node in case.tree.internal[1:]}
    for name, entry in known.items():
        if name not in inner:
            return f"there is no inner node {name} below the root"
        words = entry if isinstance(entry, list) and all(isinstance(word, str) for word in entry) else []
        if len(words) != 2 or words[0] not in ("at most", "at least"):
            return f'a bound is ["at most", "7/2"] or ["at least", "3"], and that of {name} is not'
        try:
            bound = read_number(entry[1])
        except ValueError:
            return f"the bound of {name} is not a number"
        value = values[inner[name]]
        if value > bound if entry[0] == "at most" else value < bound:
            return f"{name} is worth {write_number(value)}, so its bound is not true"
    return None


def _paths(tree: Tree, visited: tuple[bool, ...]) -> frozenset[int]:
    return frozenset(pruned_paths(tree, visited))


@lru_cache(maxsize=4)
def _searched(case: Case) -> Search:
    return search_with_bounds(case.tree, case.rules, _known_of(case))


def _pruned(case: Case) -> frozenset[int]:
    """Return the leaves that the search never visits."""
    return _paths(case.tree, _searched(case).visited)


def _independent_pruned(case: Case) -> frozenset[int]:
    """Return the same from exact values."""
    return _paths(case.tree, visited_with_bounds(case.tree, case.rules, _known_of(case)))


def _pruned_without_bounds(case: Case) -> frozenset[int]:
    return _paths(case.tree, sweep(case.tree, case.rules).visited)


def _pruned_if_bounds_always_prune(case: Case) -> frozenset[int]:
    below = {case.tree.paths[leaf] for node in _known_of(case) for leaf in case.tree.leaves_below(node)}
    return _pruned_without_bounds(case) | below


def _pruned_with_reversed_bounds(case: Case) -> frozenset[int]:
    """Return the leaves pruned by a student who takes lower bounds for upper ones, and the reverse."""
    known = _known_of(case)
    turned = {
        node: (-INFINITY, lower) if upper == INFINITY else (upper, INFINITY)
        for node, (lower, upper) in known.items()
    }
    return _paths(case.tree, search_with_bounds(case.tree, case.rules, turned).visited)


_BELIEFS: dict[str, BeliefKey[frozenset[int]]] = {
    "never-prunes": constant_key(frozenset()),
    "bound-ignored": _pruned_without_bounds,
    "bound-always-prunes": _pruned_if_bounds_always_prune,
    "bound-turned": _pruned_with_reversed_bounds,
    "lists-visited": lambda case: remaining_leaves(case.tree, _pruned(case)),
}


def _draw(draw: Draw, case: Case) -> Case | None:
    """Draw bounds at two or three nodes, such that no belief has the key.

    After `MAX_DRAWS`, keep the last ones. None if the tree does not suit.
    """
    tree = case.tree
    if not len(tree) or search_objection(case) is not None or len(tree.internal) < 2:
        return None
    values = minimax(tree)
    payoffs = [values[leaf] for leaf in tree.leaves]
    spread = int(max(payoffs) - min(payoffs)) // 6 + 1
    for _ in range(MAX_DRAWS):
        nodes = sorted(draw.shuffle(tree.internal[1:])[: draw.between(2, 3)])
        known = {tree.names[node]: _bound(draw, tree, node, values[node], spread) for node in nodes}
        candidate = replace(case, given=Given({"known": known}))
        key = _pruned(candidate)
        if all(belief(candidate) != key for belief in _BELIEFS.values()):
            break
    return candidate


def _bound(draw: Draw, tree: Tree, node: int, value: Number, spread: int) -> list[str]:
    """Draw an upper bound for a MIN node, a lower one for a MAX node: those that the search can use."""
    off = draw.below(spread + 1)
    if tree.players[node] is Player.MIN:
        return ["at most", write_number(value + off)]
    return ["at least", write_number(value - off)]


def _bounds_sentence(case: Case, language: Language) -> str:
    """Say which bounds are known."""
    bounds = [
        language.term(BOUND_AT_NODE[side], node=name, value=language.number(read_number(number)))
        for name, (side, number) in case.given["known"].items()
    ]
    return language.say(BOUNDS_KNOWN, bounds=language.join_and(bounds))


def _explain_leaf(solved: SolvedExercise, item: Item) -> Reason | None:
    """Say which bound or cutoff prunes a leaf, or with which window it is visited."""
    node = item.node
    if node is None:
        return None
    tree, language = solved.tree, solved.language
    search = _searched(solved.case)
    alpha, beta = search.alphas[node], search.betas[node]
    if alpha is not None and beta is not None:
        because = language.say(
            WHY_VISITED,
            alpha=solved.value_text(alpha),
            beta=solved.value_text(beta),
        )
        return Reason(because, VISITED, ARE_VISITED, (node,))
    top = node
    while not search.visited[tree.parents[top]]:
        top = tree.parents[top]
    cut = next(event for event in search.trace if isinstance(event, Cut) and top in event.skipped)
    return Reason(_explain_cutoff(solved, cut), PRUNED, ARE_PRUNED, (node,))


def _explain_cutoff(solved: SolvedExercise, cut: Cut) -> str:
    """Say why nothing more is visited below the node of a cutoff."""
    language = solved.language
    fields = {
        "node": solved.node_title(cut.node),
        "value": solved.value_text(cut.value),
        "alpha": solved.value_text(cut.alpha),
        "beta": solved.value_text(cut.beta),
    }
    if cut.child == cut.node:
        return language.say(WHY_PRUNED_BY_BOUND, **fields)
    return language.say(WHY_PRUNED_AFTER_CHILD, child=solved.node_title(cut.child), **fields)


def _steps(solved: SolvedExercise) -> tuple[str, ...]:
    """Explain every cutoff of the search."""
    search = _searched(solved.case)
    return tuple(_explain_cutoff(solved, event) for event in search.trace if isinstance(event, Cut))


def _picture(solved: SolvedExercise) -> KeyPicture:
    """Show the interval of every visited node, by its leaves and its bound, and the pruned branches."""
    tree, visited = solved.tree, _searched(solved.case).visited
    known = _known_of(solved.case)
    ends: list[Interval] = [(-INFINITY, INFINITY)] * len(tree)
    for node in reversed(range(len(tree))):
        if not visited[node]:
            continue
        if not tree.children[node]:
            value = number_at(tree, node)
            ends[node] = value, value
            continue
        lower, upper = (
            back_up(tree, node, [ends[child][side] for child in tree.children[node]]) for side in (0, 1)
        )
        low, high = known.get(node, (-INFINITY, INFINITY))
        ends[node] = max(lower, low), min(upper, high)
    return KeyPicture(
        tree,
        solved.language.say(CAPTION),
        shows_backed_up_values=False,
        ranges={node: ends[node] for node in tree.internal if visited[node]},
        cuts=pruned_branches(tree, visited),
        line=line_of_play(
            tree,
            minimax(tree),
            [tree.visiting(node, solved.rules.order) for node in range(len(tree))],
        ),
    )


BOUNDS = Kind(
    ask="bounds",
    given_names=("known",),
    question="Which leaves are pruned if bounds on the values of some nodes are known?",
    form=PATHS,
    objection=_objection,
    draw=_draw,
    prompt=asks_for_pruned_leaves(
        game_sentences,
        pruning_sentence,
        _bounds_sentence,
        lambda case, language: language.say(SETTLED_BY_BOUND[case.rules.ties]),
    ),
    key=_pruned,
    independent_key=_independent_pruned,
    beliefs=_BELIEFS,
    explain_item=_explain_leaf,
    worked_solution=WorkedSolution(_steps),
    key_picture=_picture,
)
