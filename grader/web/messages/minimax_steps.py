"""The steps of minimax search without pruning, to be shown next to those of alpha-beta search."""

from collections.abc import Iterator
from typing import Any

from grader.base.phrases import Language
from grader.pictures.node_words import spell_value
from grader.pictures.view import with_numbers_of
from grader.solvers.solution import Solution


def minimax_steps(solution: Solution, language: Language) -> Iterator[dict[str, Any]]:
    """Yield each step: the node that the search enters or leaves, and in the latter case its value.

    A leaf is entered and left in one step, as in the steps of alpha-beta search.
    """
    tree, values = solution.tree, solution.values
    language = with_numbers_of(tree, language)
    waiting = [(0, False)]
    while waiting:
        node, is_left = waiting.pop()
        if is_left or tree.players[node] is None:
            yield {"node": node, "value": spell_value(values[node], language)}
            continue
        yield {"node": node, "value": None}
        children = tree.children[node]
        last_first = children if solution.rules.order == "right-to-left" else reversed(children)
        waiting += [(node, True), *((child, False) for child in last_first)]
