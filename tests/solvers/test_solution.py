"""The results that `solve` collects, and the largest trees."""

import subprocess
import sys

import pytest
from hypothesis import given

from grader.solvers import solution as solving
from grader.solvers.alphabeta import value_test, window_test
from grader.solvers.minimax import minimax
from grader.solvers.mistaken_search import mistaken_search
from grader.solvers.search_choice import search
from grader.solvers.solution import solve
from grader.solvers.solvable import BoundsError
from grader.solvers.star1 import star1
from grader.solvers.sweep import sweep
from grader.solvers.trace import Enter
from grader.solvers.values import values
from grader.solvers.visited_nodes import pruned_paths
from grader.trees.rules import Rules
from grader.trees.tree import MAX_SUPPORTED_PLIES, Player, Tree
from grader.trees.tree_builder import TreeBuilder
from tests.solvers.test_values import CHANCE, MAX, MIN, build_tree
from tests.solvers.transformations import uniform
from tests.strategies import TIED, rules, trees


@given(trees(chance=True, payoffs=TIED), rules())
def test_a_solution_is_its_parts(tree: Tree, convention: Rules) -> None:
    """A solution agrees with the single solvers, and every leaf is either visited or pruned."""
    solution = solve(tree, convention)
    assert solution.values == values(tree)
    assert solution.search == search(tree, convention)
    assert solution.pruned_paths == pruned_paths(tree, solution.search.visited)
    assert sorted(solution.pruned_paths + solution.visited_leaves) == list(range(1, len(tree.leaves) + 1))
    assert solution.variants == {"value": solution.pruned_paths, "window": solution.pruned_paths}
    below_branches = {leaf for node in solution.pruned_branches for leaf in tree.leaves_below(node)}
    assert tuple(sorted(tree.paths[leaf] for leaf in below_branches)) == solution.pruned_paths


@given(trees(chance=True, payoffs=TIED), rules(ties="cut"))
def test_the_other_tie_rule(tree: Tree, convention: Rules) -> None:
    """A solution knows what the other tie rule prunes, and whether it is the same."""
    cut, kept = solve(tree, convention), solve(tree, Rules(convention.order, "keep"))
    assert (cut.pruned_paths, cut.other_ties) == (kept.other_ties, kept.pruned_paths)
    assert cut.convention_sensitive == kept.convention_sensitive == (cut.pruned_paths != kept.pruned_paths)


def test_a_tree_that_depends_on_the_tie_rule() -> None:
    """A tie with alpha at a MIN node prunes under `cut` alone."""
    solution = solve(build_tree((MAX, [(MIN, [3, 12]), (MIN, [3, 9])])), Rules())
    assert (solution.pruned_paths, solution.other_ties) == ((4,), ())
    assert solution.convention_sensitive


def test_a_single_leaf() -> None:
    """A tree of one leaf has its payoff as value, no choices and nothing to prune."""
    solution = solve(build_tree(7), Rules())
    assert (solution.values, solution.best, solution.principal_variations) == ((7,), ((),), ((0,),))
    assert (solution.visited_leaves, solution.pruned_paths, solution.pruned_branches) == ((1,), (), ())


def test_bounds_are_a_promise_about_every_payoff() -> None:
    """A payoff outside the bounds is refused, with chance nodes and without."""
    with pytest.raises(BoundsError, match="leaf 1"):
        solve(build_tree((CHANCE, [7, 1])), Rules(bounds=(0, 5)))
    with pytest.raises(BoundsError, match="leaf 4"):
        solve(build_tree((MAX, [(MIN, [5, 1]), (MIN, [0, 7])])), Rules(bounds=(0, 5)))


def test_large_trees_are_solved_without_a_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the stated number of nodes a solution has everything but the trace."""
    tree = uniform(3, 4, lambda path: path * 37 % 100)
    whole = solve(tree, Rules())
    assert isinstance(whole.search.trace[0], Enter)
    monkeypatch.setattr(solving, "MAX_TRACED_NODES", len(tree) - 1)
    bare = solve(tree, Rules())
    assert bare.search.trace == ()
    assert (bare.pruned_paths, bare.search.alphas) == (whole.pruned_paths, whole.search.alphas)


@pytest.mark.parametrize("player", [None, CHANCE])
def test_the_deepest_tree(player: Player | None) -> None:
    """Every solver can search a tree of as many plies as the notation allows."""
    builder = TreeBuilder()
    parent = -1
    for depth in range(MAX_SUPPORTED_PLIES):
        mover = (MAX, MIN)[depth % 2] if player is None or depth % 3 else player
        parent = builder.add(parent, mover, probability=1 if parent >= 0 else None)
    builder.add(parent, None, 5, probability=1)
    tree = builder.tree()
    assert max(tree.depths) == MAX_SUPPORTED_PLIES
    for solver in (star1, search, lambda tree, rules: mistaken_search(tree, rules, "shallow-only")):
        assert solver(tree, Rules()).returned == (5,) * len(tree)
    if player is None:
        for solver in (value_test, window_test):
            assert solver(tree, Rules()).returned == (5,) * len(tree)
        assert sweep(tree, Rules()).values == minimax(tree)


def test_solving_waits_for_no_arrays() -> None:
    """NumPy is loaded for arrays only: solving a tree does not wait for it."""
    check = "import sys, grader.solvers; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
