"""What to change in a recipe that no tree meets: demands without which there are trees, as was tried."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from time import process_time
from typing import Any

from grader.generation.breeding import bred
from grader.generation.limits import separated
from grader.generation.recipe import DEEPEST, Recipe
from grader.generation.recipe_file import with_changes
from grader.generation.selection import ExhaustedError, Report

SECONDS = 3.0
"""How long, in processor time, changes are tried."""

PART = 10
"""Each is tried with the cap divided by this."""


def remedy(recipe: Recipe, report: Report) -> Mapping[str, Any] | None:
    """The changes, by full field name, with which trees were found; None where time ran out first.

    What refused most goes first, alone, then together with what refused next, and so on.
    """
    start, changes = process_time(), dict[str, Any]()
    for more in _relaxed(recipe, report):
        if process_time() - start > SECONDS:
            return None
        changes |= more
        other = with_changes(recipe, changes)
        if not isinstance(other, Recipe):
            continue
        try:
            bred(replace(other, cap=max(1, recipe.cap // PART)))
        except ExhaustedError:
            continue
        return changes
    return None


def _relaxed(recipe: Recipe, report: Report) -> Iterator[Mapping[str, Any]]:
    """For everything that refused candidates what to change, the worst first."""
    kept = list(separated(recipe))
    for reason, count in sorted(report.refused, key=lambda entry: (-entry[1], entry[0])):
        if not count:
            continue
        if reason.startswith("belief "):
            kept = [name for name in kept if name != reason.removeprefix("belief ")]
            yield {"separate.key": kept or "none"}
        elif reason.startswith("beliefs "):
            yield {"separate.each_other": "none"}
        elif reason == "pruned":
            yield {"require.pruned": [0, recipe.shape.widest()]}
        elif reason in _DEMANDS:
            yield _DEMANDS[reason]


_DEMANDS: Mapping[str, Mapping[str, Any]] = {
    "places": {"require.places": DEEPEST},
    "one-optimal-move": {"require.one_optimal_move": False},
    "best-leaf": {"require.best_leaf": "anywhere"},
    "alpha-cuts": {"require.alpha_cuts": 0},
    "beta-cuts": {"require.beta_cuts": 0},
    "chance-cuts": {"require.chance_cuts": 0},
    "deep-cuts": {"require.deep_cuts": 0},
    "subtree-cuts": {"require.subtree_cuts": 0},
    "ties": {"require.ties": "any"},
}
"""By what refuses: the demand given up."""
