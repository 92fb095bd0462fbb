"""Solve a tree under the options of a command, and word notes about the solution."""

from grader.cli.shared.options import RuleOptions
from grader.solvers.explaining.node_wording import node_title
from grader.solvers.solution import Solution, solve
from grader.trees.tree import Tree


def solve_with_options(tree: Tree, options: RuleOptions) -> Solution:
    """Solve a tree under its own rules, overridden by the options."""
    return solve(tree, options.override_rules(tree))


def depth_limit_note(solution: Solution) -> str:
    """The note that a depth limit cuts the tree, which renumbers the leaves."""
    return (
        f"the leaves are those of the tree cut at depth {solution.rules.depth}, numbered again; "
        "a node at the limit counts as a leaf, and its static evaluation as its payoff."
    )


def unknown_payoff_note(solution: Solution, subject: str) -> str:
    """The note that part of the search is not shown because of an unknown payoff; empty without one."""
    if solution.blocked_by is None:
        return ""
    leaf = node_title(solution.tree, solution.blocked_by)
    return f"{subject} not shown: the search comes to {leaf}, whose payoff is unknown."
