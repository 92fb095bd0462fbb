"""Solve a tree on behalf of a command, and say what of the solution cannot be shown."""

from grader.cli.shared.options import RuleOptions
from grader.solvers.explaining.node_wording import node_title
from grader.solvers.solution import Solution, solve
from grader.trees.tree import Tree


def solve_with_options(tree: Tree, options: RuleOptions) -> Solution:
    """The tree solved under its own rules and the options."""
    return solve(tree, options.override_rules(tree))


def depth_limit_note(solution: Solution) -> str:
    """That a depth limit cut the tree, and what that does to the numbers of its leaves."""
    return (
        f"the leaves are those of the tree cut at depth {solution.rules.depth}, numbered anew; "
        "a node at the limit counts as a leaf, and its static evaluation as its payoff."
    )


def unknown_payoff_note(solution: Solution, what: str) -> str:
    """That something of the search is not shown, since it comes to an unknown payoff; else nothing."""
    if solution.blocked_by is None:
        return ""
    leaf = node_title(solution.tree, solution.blocked_by)
    return f"{what} not shown: the search comes to {leaf}, whose payoff is unknown."
