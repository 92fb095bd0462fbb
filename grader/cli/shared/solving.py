"""Solve a tree on behalf of a command, and refuse what cannot be solved."""

from typing import NoReturn

from grader.cli.shared.options import RuleOptions
from grader.cli.shared.terminal import refuse
from grader.solvers.limit import LimitError
from grader.solvers.payoffs import BoundsError, UnknownPayoff, Unsolvable
from grader.solvers.solution import Solution, solve
from grader.tree import Tree


def solved(tree: Tree, options: RuleOptions) -> Solution:
    """The tree solved under its own rules and the options."""
    rules = options.over(tree)
    try:
        return solve(tree, rules)
    except Unsolvable as error:
        refuse_unsolvable(error)


def cut_at_the_limit(solution: Solution) -> str:
    """That a depth limit cut the tree, and what that does to the numbers of its leaves."""
    return (
        f"the leaves are those of the tree cut at depth {solution.rules.depth}, numbered anew; "
        "a node at the limit counts as a leaf, and its static evaluation as its payoff."
    )


def refuse_unsolvable(error: Unsolvable) -> NoReturn:
    """Refuse a tree that an algorithm does not apply to, with a hint where there is one."""
    hint = ""
    if isinstance(error, LimitError):
        hint = "Write {eval=...} behind the node, or search deeper with --depth."
    elif isinstance(error, BoundsError):
        hint = "Widen the bounds: --bounds L,U, or the line @bounds [L, U] of the file."
    elif isinstance(error, UnknownPayoff):
        hint = "Write a number in its place to follow the search."
    text = str(error)
    refuse(f"{text[:1].upper()}{text[1:]}.", hint)
