"""The sweep as arrays, of many trees of one shape, against the sweep in plain Python."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.base.numbers import INFINITY
from grader.solvers.lockstep import lockstep
from grader.solvers.solvable import Unsolvable
from grader.solvers.sweep import sweep
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree
from tests.solvers.test_values import MAX, build_tree
from tests.solvers.transformations import uniform
from tests.strategies import random_tree, rules, trees


def test_extreme_payoffs_are_refused() -> None:
    """The extremes of int64 stand for the infinities, so they are refused as payoffs."""
    tree = uniform(2, 1, lambda path: path)
    for extreme in (np.iinfo(np.int64).min, np.iinfo(np.int64).max):
        with pytest.raises(ValueError, match="stand for the infinities"):
            lockstep(tree, np.array([[0, extreme]]), Rules())


def test_payoffs_fit_the_leaves() -> None:
    """Arrays of payoffs that do not fit the leaves are refused."""
    tree = uniform(2, 1, lambda path: path)
    with pytest.raises(ValueError, match="2 leaves, the payoffs have the shape"):
        lockstep(tree, np.array([[0, 1, 2]]), Rules())


@given(
    trees(),
    rules(),
    st.randoms(use_true_random=False),
    st.sampled_from((3, 100, 127, 40_000, 2**40)),
    st.integers(0, 5),
)
def test_lockstep_is_the_sweep(tree: Tree, convention: Rules, random: Random, reach: int, count: int) -> None:
    """Sweeping trees of one shape in lockstep agrees with sweeping each alone, for payoffs of any size."""
    payoffs = [[random.randint(-reach, reach) for _ in tree.leaves] for _ in range(count)]
    together = lockstep(tree, np.array(payoffs, dtype=np.int64).reshape(count, len(tree.leaves)), convention)
    ends = np.iinfo(together.values[0].dtype)
    infinite = {ends.min: -INFINITY, ends.max: INFINITY}
    for place, row in enumerate(payoffs):
        alone = sweep(tree.with_payoffs(tuple(row)), convention)
        assert tuple(values[place] for values in together.values) == alone.values
        for bounds, column in ((alone.alphas, together.alphas), (alone.betas, together.betas)):
            assert bounds == tuple(infinite.get(int(row[place]), int(row[place])) for row in column)
        assert tuple(together.visited[:, place]) == alone.visited


def test_ties_in_lockstep() -> None:
    """With many ties, sweeping forty trees in lockstep agrees with sweeping each alone."""
    random = Random(4)
    for _ in range(20):
        tree = random_tree(random)
        convention = Rules(random.choice(("left-to-right", "right-to-left")), random.choice(("cut", "keep")))
        payoffs = np.array([[random.randrange(4) for _ in tree.leaves] for _ in range(40)])
        together = lockstep(tree, payoffs, convention)
        for place, row in enumerate(payoffs.tolist()):
            alone = tree.with_payoffs(tuple(row))
            assert tuple(together.visited[:, place]) == sweep(alone, convention).visited


@pytest.mark.parametrize("player", [Player.CHANCE, Player.P2])
def test_arrays_are_for_two_players(player: Player) -> None:
    """Trees with chance nodes or a third player are refused."""
    tree = build_tree((MAX, [(player, [1, 2]), 3]))
    with pytest.raises(Unsolvable):
        lockstep(tree, np.array([[1, 2, 3]]), Rules())
