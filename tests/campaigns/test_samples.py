"""A sample of each campaign, and proof that it would find what is wrong."""

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.campaigns import trees
from tests.campaigns.arrays import unit, visited_nodes, visited_nodes_with_chance
from tests.solvers.definition import is_visited, is_visited_with_chance
from tests.strategies import random_tree


def test_trees() -> None:
    """Every search visits what the definition says on 600 trees: of two players, with chance, of several."""
    assert list(trees.wrong_trees("sample", 600, rows=20)) == []


@pytest.mark.parametrize("ties", ["cut", "keep"])
def test_the_definition_in_arrays(ties: str) -> None:
    """Of many trees at once it is the definition of each; with chance, as an SMT solver says."""
    random = Random(f"arrays {ties}")
    for number in range(8):
        chance = number % 3 == 0
        tree = random_tree(random, plies=4, leaves=6, chance=chance)
        order = ("left-to-right", "right-to-left")[number % 2]
        payoffs = np.array([[random.randrange(4) for _ in tree.leaves] for _ in range(3)])
        bounds = random.choice((None, (0, 3), (-1, 5)))
        if chance and unit(tree) <= trees.LARGEST_UNIT:
            found = visited_nodes_with_chance(tree, payoffs.T, order, ties, bounds)
        elif not tree.has_chance:
            found = visited_nodes(tree, payoffs.T, order, ties)
        for place, row in enumerate(payoffs.tolist()):
            each = tree.with_payoffs(tuple(row))
            for leaf in tree.leaves:
                if tree.has_chance:
                    defined = is_visited_with_chance(each, leaf, bounds, order, ties)
                else:
                    defined = is_visited(each, leaf, order, ties)
                assert found[leaf, place] == defined


def other_ties(search: Any) -> Any:
    """A search that takes each tie rule for the other."""
    return lambda *given, **named: search(*given[:-1], given[-1].with_other_ties(), **named)


WRONG = {
    "sweep": (trees.two_players, other_ties),
    "lockstep": (trees.two_players, other_ties),
    "value_test": (trees.two_players, other_ties),
    "window_test": (trees.two_players, other_ties),
    "star1": (trees.with_chance, other_ties),
    "lockstep_astray": (
        trees.with_chance,
        lambda search: lambda tree, payoffs, rules, held: search(tree, -payoffs, rules, held),
    ),
    "expectiminimax": (trees.with_chance, lambda _: lambda tree: [0] * len(tree)),
    "maxn": (trees.several_players, lambda search: lambda tree: search(tree)[::-1]),
    "shallow": (
        trees.several_players,
        lambda search: lambda *given: replace(done := search(*given), visited=(*done.visited[:-1], False)),
    ),
}
"""Searches, the game in which they are tried, and what makes wrong ones of them."""


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_search_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search with a mistake planted in it is told by its name."""
    game, mistaken = WRONG[name]
    monkeypatch.setattr(trees, name, mistaken(getattr(trees, name)))
    random = Random("wrong")
    assert any(name in line for _ in range(30) for line in game(random, 10))
