"""Algorithms on game trees, one file each; what they find are tuples aligned with the nodes."""

from grader.solvers.alphabeta import value_test, window_test
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.limit import LimitError, limited
from grader.solvers.maxn import maxn
from grader.solvers.minimax import minimax
from grader.solvers.payoffs import BoundsError, UnknownPayoff, Unsolvable, several_players
from grader.solvers.searching import search
from grader.solvers.solution import Solution, solve
from grader.solvers.star1 import star1
from grader.solvers.sweep import Sweep, sweep
from grader.solvers.trace import (
    Cut,
    Enter,
    Event,
    Gather,
    Leave,
    Search,
    Update,
    pruned_branches,
    pruned_paths,
)
from grader.solvers.unknowns import Interval, intervals
from grader.solvers.values import best_children, principal_variations, values

__all__ = [
    "BoundsError",
    "Cut",
    "Enter",
    "Event",
    "Gather",
    "Interval",
    "Leave",
    "LimitError",
    "Search",
    "Solution",
    "Sweep",
    "UnknownPayoff",
    "Unsolvable",
    "Update",
    "best_children",
    "expectiminimax",
    "intervals",
    "limited",
    "maxn",
    "minimax",
    "principal_variations",
    "pruned_branches",
    "pruned_paths",
    "search",
    "several_players",
    "solve",
    "star1",
    "sweep",
    "value_test",
    "values",
    "window_test",
]
