"""Random trees: every search against the definition, under both tie rules and in both orders."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

import numpy as np

from grader.solvers.alphabeta import value_test, window_test
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.lockstep import lockstep
from grader.solvers.lockstep_mistakes import INFINITE_VALUE, lockstep_search_with_mistakes
from grader.solvers.maxn import maxn
from grader.solvers.mistaken_search import Mistake
from grader.solvers.star1 import star1
from grader.solvers.sweep import sweep
from grader.solvers.whole_units import whole_units
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree
from tests.campaigns.arrays import (
    Numbers,
    unit,
    values_with_chance,
    vectors,
    visited_nodes,
    visited_nodes_with_chance,
)
from tests.strategies import random_tree

CONVENTIONS = tuple(
    Rules(order, ties) for order, ties in product(("left-to-right", "right-to-left"), ("cut", "keep"))
)
FEW = ((0, 1), (0, 1, 2, 3), tuple(range(-50, 50)))
"""Payoffs that make ties everywhere, somewhere, and hardly anywhere."""

ROWS = 1_000
"""So many trees have one shape."""

PART = 10 * ROWS
"""So many trees a seed stands for: of ten shapes eight have two players, one chance, one several players."""

BOUNDS = (None, (0, 3), (-50, 49), (-2, 60))
LARGEST_UNIT = 10**6
LARGEST_PAYOFF = 50
TOTAL = 6
"""What all players together have at most, in games of several."""


def wrong_trees(seed: str, count: int = PART, rows: int = ROWS) -> Iterator[str]:
    """What is found wrong in so many trees, of which the seed tells the shapes and payoffs."""
    random = Random(seed)
    games = (*(two_players,) * 8, with_chance, several_players)
    for number, start in enumerate(range(0, count, rows)):
        yield from games[number % len(games)](random, min(rows, count - start))


def two_players(random: Random, rows: int) -> Iterator[str]:
    """MAX and MIN: arrays, lists and both printed tests visit what the definition says.

    Arrays under all conventions; the others of each tree under one of them, in turn.
    """
    tree = random_tree(random, leaves=16)
    payoffs = _payoffs(random, random.choice(FEW), rows, len(tree.leaves))
    defined = []
    for rules in CONVENTIONS:
        visited = visited_nodes(tree, payoffs.T, rules.order, rules.ties)
        defined.append(_columns(visited))
        if not np.array_equal(lockstep(tree, payoffs, rules).visited, visited):
            yield f"{rules}: lockstep, {tree}"
    for place, each in enumerate(_planted(tree, payoffs)):
        rules, visited = CONVENTIONS[place % 4], defined[place % 4][place]
        if bytes(sweep(each, rules).visited) != visited:
            yield f"{rules}: sweep, {each}"
        if bytes(value_test(each, rules, traced=False).visited) != visited:
            yield f"{rules}: value_test, {each}"
        if bytes(window_test(each, rules, traced=False).visited) != visited:
            yield f"{rules}: window_test, {each}"


def with_chance(random: Random, rows: int) -> Iterator[str]:
    """MAX, MIN and chance: Star1 visits what the definition says, and values are the expectations.

    In arrays under all conventions, tree by tree under one of them, in turn.
    """
    while True:
        tree = random_tree(random, plies=4, leaves=10, chance=True)
        if tree.has_chance and unit(tree) <= LARGEST_UNIT:
            units = whole_units(tree, CONVENTIONS[0], 1)
            if LARGEST_PAYOFF * units.unit * units.whole < INFINITE_VALUE:  # else arrays refuse the shape
                break
    bounds = random.choice(BOUNDS)
    pool = random.choice(FEW) if bounds is None or bounds[0] < -2 else FEW[1]
    payoffs = _payoffs(random, pool, rows, len(tree.leaves))
    conventions = [replace(rules, bounds=bounds) for rules in CONVENTIONS]
    defined = []
    for rules in conventions:
        visited = visited_nodes_with_chance(tree, payoffs.T, rules.order, rules.ties, bounds)
        defined.append(_columns(visited))
        if not np.array_equal(
            lockstep_search_with_mistakes(tree, payoffs, rules, [Mistake()])[:, 0], visited
        ):
            yield f"{rules}: lockstep_search_with_mistakes, {tree}"
    one = unit(tree)
    worth = values_with_chance(tree, one * payoffs.T)
    table = np.array([worth[node] for node in range(len(tree))]).T.tolist()
    for place, each in enumerate(_planted(tree, payoffs)):
        if [one * value for value in expectiminimax(each)] != table[place]:
            yield f"expectiminimax, {each}"
        rules = conventions[place % 4]
        if bytes(star1(each, rules, traced=False).visited) != defined[place % 4][place]:
            yield f"{rules}: star1, {each}"


def several_players(random: Random, rows: int) -> Iterator[str]:
    """Max^n: every node is worth what its player takes."""
    chance = random.random() < 0.3
    shape = random_tree(random, plies=5, leaves=14, chance=chance)
    seats = random.randint(2, 4)
    players = tuple(
        Player(f"P{random.randint(1, seats)}") if player in (Player.MAX, Player.MIN) else player
        for player in shape.players
    )
    tree, leaves = replace(shape, players=players), len(shape.leaves)
    payoffs = np.array([_vector(random, seats) for _ in range(rows * leaves)], np.int64)
    payoffs = payoffs.reshape(rows, leaves, seats).transpose(1, 2, 0)
    one = unit(tree)
    trees = [tree.with_payoffs(tuple(map(tuple, row))) for row in payoffs.transpose(2, 0, 1).tolist()]
    worth = vectors(tree, one * payoffs)
    table = np.array([worth[node] for node in range(len(tree))]).transpose(2, 0, 1).tolist()
    for each, values in zip(trees, table, strict=True):
        if [[one * part for part in vector] for vector in maxn(each)] != values:
            yield f"maxn, {each}"


def _payoffs(random: Random, pool: tuple[int, ...], rows: int, leaves: int) -> Numbers:
    return np.array(random.choices(pool, k=rows * leaves), np.int64).reshape(rows, leaves)


def _planted(tree: Tree, payoffs: Numbers) -> list[Tree]:
    return [tree.with_payoffs(tuple(row)) for row in payoffs.tolist()]


def _vector(random: Random, seats: int) -> tuple[int, ...]:
    """Payoffs of all players that are not negative and sum to at most the total."""
    cuts = sorted(random.choices(range(TOTAL + 1), k=seats))
    return tuple(cut - before for cut, before in zip(cuts, (0, *cuts), strict=False))


def _columns(flags: np.ndarray) -> list[bytes]:
    """The flags of each tree, node by node."""
    size, whole = len(flags), flags.T.tobytes()
    return [whole[start : start + size] for start in range(0, len(whole), size)]
