"""Random trees with known bounds and first windows: every search against the definition."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np

from grader.solvers.lockstep import lockstep
from grader.solvers.lockstep_mistakes import lockstep_search_with_mistakes
from grader.solvers.minimax import minimax
from grader.solvers.mistaken_search import Mistake, search_with_mistake
from grader.solvers.search_choice import SEARCH_BY_TEST
from grader.solvers.star1 import star1
from grader.solvers.sweep import sweep
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from tests.solvers.definition import Limits, visited_paths
from tests.strategies import random_tree

PART = 1_000
"""So many trees a seed stands for."""

POOLS = ((0, 1), (0, 1, 2, 3), tuple(range(-50, 50)))
"""Payoffs that make ties everywhere, somewhere, and hardly anywhere."""


def wrong_windows(seed: str, count: int = PART) -> Iterator[str]:
    """What is found wrong in so many trees, under both tie rules, in both orders and with both tests."""
    random = Random(seed)
    for _ in range(count):
        tree = random_tree(random, payoffs=random.choice(POOLS))
        bounds, window = bounds_of(random, tree)
        order = random.choice(("left-to-right", "right-to-left"))
        for ties in ("cut", "keep"):
            yield from _wrong(tree, Rules(order, ties, bounds=bounds, window=window))


def bounds_of(random: Random, tree: Tree) -> tuple[Limits, Limits]:
    """Bounds that often are payoffs, a window that often ends at payoffs, or both."""
    payoffs = sorted({tree.payoffs[leaf] for leaf in tree.leaves})
    bounds = payoffs[0] - random.choice((0, 0, 1)), payoffs[-1] + random.choice((0, 0, 1))
    if bounds[0] == bounds[1]:
        bounds = bounds[0], bounds[1] + 1
    inside = sorted(random.sample(range(bounds[0], bounds[1] + 1), 2))
    window = inside[0] - random.choice((0, 0, 1)), inside[1] + random.choice((0, 0, 1))
    return random.choice(((bounds, None), (bounds, None), (bounds, window), (None, window)))


def _wrong(tree: Tree, rules: Rules) -> Iterator[str]:
    defined = visited_paths(tree, rules.order, rules.ties, rules.bounds, rules.window)
    row = np.array([[tree.payoffs[leaf] for leaf in tree.leaves]], np.int64)
    found = {f"the {name} test": test(tree, rules, traced=False) for name, test in SEARCH_BY_TEST.items()}
    visits = {name: search.visited for name, search in found.items()} | {
        "the sweep": sweep(tree, rules).visited,
        "Star1": star1(tree, rules, traced=False).visited,
        "a search without a mistake": search_with_mistake(tree, rules, Mistake()).visited,
        "lockstep": lockstep(tree, row, rules).visited[:, 0],
        "lockstep with mistakes": lockstep_search_with_mistakes(tree, row, rules, [Mistake()])[:, 0, 0],
    }
    for name, visited in visits.items():
        if tuple(tree.paths[leaf] for leaf in tree.leaves if visited[leaf]) != defined:
            yield f"{rules}: {name} visits others than {defined} of {tree}"
    value = minimax(tree)[0]
    for name, search in found.items():
        if not shows_value(search.returned[0], value, rules):
            yield f"{rules}: {name} returns {search.returned[0]} for {value} of {tree}"
        if rules.ties == "cut":
            hard = SEARCH_BY_TEST[name.split()[1]](tree, replace(rules, returns="hard"), traced=False)
            if hard.visited != search.visited:
                yield f"{rules}: {name} visits others where bounds are returned of {tree}"


def shows_value(returned: object, value: object, rules: Rules) -> bool:
    """Whether a search returns the value inside its window, and a bound of it outside."""
    alpha, beta = rules.window or (returned - 1, returned + 1)
    if returned < alpha or (returned == alpha and rules.ties == "cut"):
        return value <= returned
    if returned > beta or (returned == beta and rules.ties == "cut"):
        return value >= returned
    return value == returned
