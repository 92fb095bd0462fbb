"""How fast the solvers are, as ratios in one run; absolute times are printed and held to generous limits."""

import resource
import sys
from collections.abc import Callable
from functools import cache
from random import Random
from time import perf_counter, process_time

import numpy as np
import pytest

from grader.games import tictactoe
from grader.games.unfolding import unfold
from grader.rules import Rules
from grader.solvers.alphabeta import value_test
from grader.solvers.levels import read_levels, sweep_levels
from grader.solvers.lockstep import lockstep
from grader.solvers.minimax import minimax
from grader.solvers.solution import Solution, solve
from grader.solvers.sweep import sweep
from grader.solvers.visited import pruned_paths
from grader.tree import Tree
from tests.benchmarks.test_reading import fastest_in_turns
from tests.benchmarks.textbook import Game, textbook
from tests.solvers.transformations import uniform

pytestmark = pytest.mark.benchmark

RULES = Rules()
EXAM_LEAVES = 27
SLACK = 3
"""How much slower than stated a busy or older machine may be before an absolute time is an error."""


def _seconds(work: Callable[[], object], times: int = 1) -> float:
    """The best of seven measurements, in seconds of processor time for one call."""
    best = float("inf")
    for _ in range(7):
        start = process_time()
        for _ in range(times):
            work()
        best = min(best, (process_time() - start) / times)
    return best


def _report(what: str, **measured: float) -> None:
    figures = ", ".join(f"{name} {value:.3g}" for name, value in measured.items())
    print(f"\n{what}: {figures}", file=sys.stderr)


@cache
def _uniform(branching: int, plies: int) -> Tree:
    random = Random(1)
    tree = uniform(branching, plies, lambda _: random.randrange(10**6))
    for column in ("children", "internal", "leaves", "depths", "unknowns"):
        getattr(tree, column)
    return tree


def test_the_sweep_outruns_the_search() -> None:
    """All values and the pruned set of 27 leaves take the sweep half as long as minimax and the search."""
    tree = _uniform(3, 3)

    def by_searching() -> object:
        return minimax(tree), pruned_paths(tree, value_test(tree, RULES, traced=False).visited)

    def by_sweeping() -> object:
        swept = sweep(tree, RULES)
        return swept.values, pruned_paths(tree, swept.visited)

    assert by_searching() == by_sweeping()
    swept, searched = _seconds(by_sweeping, 300), _seconds(by_searching, 300)
    traced = _seconds(lambda: value_test(tree, RULES), 300)
    _report(
        "27 leaves",
        sweep_us=swept * 1e6,
        search_us=searched * 1e6,
        traced_us=traced * 1e6,
        ratio=searched / swept,
    )
    assert searched / swept >= 2
    assert swept <= SLACK * 15e-6


def test_all_that_is_asked_of_a_tree_costs_as_much_as_a_textbook_search() -> None:
    """Values, best moves and the pruned set of 27 leaves take at most 1.2 of a textbook's search."""
    tree = _uniform(3, 3)

    def solved() -> Solution:
        solution = solve(tree, RULES)
        assert solution.pruned_paths is not None
        return solution

    move, value, looked_at = textbook(Game(tree))
    assert (tree.children[0][move],) == solved().best[0]
    assert (value, tuple(tree.paths[leaf] for leaf in looked_at)) == (
        solved().values[0],
        solved().visited_leaves,
    )
    ratio = fastest_in_turns(solved, lambda: textbook(Game(tree)))
    _report("27 leaves, solved", ratio=ratio)
    assert ratio <= 1.2


@pytest.mark.parametrize(("branching", "plies"), [(4, 8), (10, 6)])
def test_arrays_outrun_lists(branching: int, plies: int) -> None:
    """One array-backed tree of 65,536 or 1,000,000 leaves takes 25 ns a leaf, a twentieth of plain Python."""
    tree = _uniform(branching, plies)
    levels = read_levels(tree, RULES.order)
    payoffs = np.array([tree.payoffs[leaf] for leaf in tree.leaves], dtype=np.int64)
    arrays = _seconds(lambda: sweep_levels(levels, payoffs, RULES.ties)) / len(tree.leaves)
    lists = _seconds(lambda: sweep(tree, RULES)) / len(tree.leaves)
    _report(
        f"{len(tree.leaves)} leaves",
        arrays_ns_a_leaf=arrays * 1e9,
        lists_ns_a_leaf=lists * 1e9,
        ratio=lists / arrays,
    )
    assert lists / arrays >= 20
    assert arrays <= SLACK * 25e-9


@pytest.mark.parametrize(("branching", "plies"), [(3, 3), (4, 8), (10, 6)])
def test_a_tree_that_was_read_is_swept_as_it_is(branching: int, plies: int) -> None:
    """At every size a record is swept in lists sooner than its shape alone is turned into arrays.

    So `sweep` has no other path for large trees: arrays pay where the shape is kept.
    """
    tree = _uniform(branching, plies)
    lists = _seconds(lambda: sweep(tree, RULES))
    arrays = _seconds(lambda: read_levels(tree, RULES.order))
    _report(f"{len(tree.leaves)} leaves, read once", ratio=arrays / lists)
    assert lists <= arrays


def test_lockstep_outruns_one_by_one() -> None:
    """10,000 trees of 27 leaves in lockstep take 0.3 microseconds a tree, a fiftieth of one by one."""
    tree = _uniform(3, 3)
    payoffs = np.random.default_rng(1).integers(-50, 50, (10_000, EXAM_LEAVES))
    together = _seconds(lambda: lockstep(tree, payoffs, RULES)) / len(payoffs)
    alone = _seconds(lambda: sweep(tree, RULES), 300)
    _report("10,000 trees", lockstep_us_a_tree=together * 1e6, alone_us=alone * 1e6, ratio=alone / together)
    assert alone / together >= 50
    assert together <= SLACK * 0.3e-6


def test_a_million_leaves_are_solved() -> None:
    """Everything about a tree of a million leaves is found within seconds and a gigabyte."""
    tree = _uniform(10, 6)
    start = perf_counter()
    solution = solve(tree, RULES)
    seconds = perf_counter() - start
    gigabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    _report("a million leaves", seconds=seconds, peak_gigabytes=gigabytes)
    assert solution.search.trace == ()
    assert seconds <= SLACK * 5
    assert gigabytes <= 1.5


def test_the_whole_game_of_tic_tac_toe() -> None:
    """The tree of 549,946 nodes is built in five seconds, and the sweep takes 25 ns a node by arrays."""
    start = perf_counter()
    tree = unfold(tictactoe.GAME, (0, 0)).tree
    building = perf_counter() - start
    levels = read_levels(tree, "left-to-right")
    payoffs = np.array([tree.payoffs[leaf] for leaf in tree.leaves])
    sweeping = _seconds(lambda: sweep_levels(levels, payoffs, "cut")) / len(tree) * 1e9
    _report("tic-tac-toe", seconds_to_build=building, nanoseconds_a_node=sweeping)
    assert building < 5
    assert sweeping < 25
