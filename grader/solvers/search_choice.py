"""The search that suits a tree and its rules."""

from grader.solvers.alphabeta import value_test, window_test
from grader.solvers.star1 import star1
from grader.solvers.trace import Search
from grader.trees.rules import Rules
from grader.trees.tree import Tree

SEARCH_BY_TEST = {"value": value_test, "window": window_test}
"""The two printed forms of alpha-beta, by the test that the rules name."""


def search(tree: Tree, rules: Rules, *, traced: bool = True) -> Search:
    """Search by Star1 if the tree has chance nodes, else by alpha-beta in the test that the rules name.

    The depth rule is ignored: search `grader.solvers.depth_limit.truncate_at_depth(tree, rules.depth)`.
    Raises `UnknownPayoff` if the search reaches an unknown leaf, `BoundsError` for a payoff
    outside the bounds, `Unsolvable` for several players.
    Without `traced` the events are left out.
    """
    if tree.has_chance:
        return star1(tree, rules, traced=traced)
    return SEARCH_BY_TEST[rules.test](tree, rules, traced=traced)
