"""Solve a tree on behalf of a command, and refuse what cannot be solved."""

from collections.abc import Iterator
from contextlib import contextmanager

from grader.cli.shared.options import RuleOptions
from grader.cli.shared.terminal import refuse, sentence
from grader.solvers.depth_limit import LimitError
from grader.solvers.explaining.node_wording import node_title
from grader.solvers.solution import Solution, solve
from grader.solvers.solvable import BoundsError, UnknownPayoff, Unsolvable
from grader.trees.tree import Tree


def solve_with_options(tree: Tree, options: RuleOptions) -> Solution:
    """The tree solved under its own rules and the options."""
    rules = options.override_rules(tree)
    with refusing_unsolvable():
        return solve(tree, rules)


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


_HINTS: dict[type[Unsolvable], str] = {
    LimitError: "Write {eval=...} behind the node, or search deeper with --depth.",
    BoundsError: "Widen the bounds: --bounds L,U, or the line @bounds [L, U] of the file.",
    UnknownPayoff: "Write a number in its place to follow the search.",
}


@contextmanager
def refusing_unsolvable() -> Iterator[None]:
    """Refuse a tree that an algorithm does not apply to, with a hint where there is one."""
    try:
        yield
    except Unsolvable as error:
        refuse(sentence(str(error)), _HINTS.get(type(error), ""))
