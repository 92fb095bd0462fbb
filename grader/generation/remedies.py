"""What to change in a recipe that no tree meets: demands without which there are trees, as was tried."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from time import process_time
from typing import Any

from grader.generation.candidate_pool import OnProgress, build_candidate_pool, ignore_progress, max_candidates
from grader.generation.limits import beliefs_apart_from_key
from grader.generation.recipe import MAX_TREE_PLIES, Recipe
from grader.generation.recipe_file import with_changes
from grader.generation.requirements import REQUIREMENTS
from grader.generation.selection import ExhaustedError, GenerationReport

MAX_SECONDS = 3.0
"""How long, in processor time, changes are tried."""

CAP_DIVISOR = 10
"""Each is tried with a part of the candidates that were tried for the recipe itself."""

TRIAL_SKELETONS = 2
"""With so many skeletons, where they are drawn: what is found among these is found among more."""


def find_remedy(
    recipe: Recipe, report: GenerationReport, tell: OnProgress = ignore_progress
) -> Mapping[str, Any] | None:
    """The changes, by full field name, with which trees were found; None where time ran out first.

    What is looked at last goes first, alone, for what it refused met all the rest; then together with what is
    looked at before it, and so on. Of beliefs that goes first which refused most.
    """
    start, changes = process_time(), dict[str, Any]()
    for more in _relaxed(recipe, report):
        if process_time() - start > MAX_SECONDS:
            return None
        changes |= more
        other = with_changes(recipe, changes)
        if not isinstance(other, Recipe):
            continue
        try:
            build_candidate_pool(
                replace(other, cap=max(1, max_candidates(recipe) // CAP_DIVISOR)), tell, TRIAL_SKELETONS
            )
        except ExhaustedError:
            continue
        return changes
    return None


def _relaxed(recipe: Recipe, report: GenerationReport) -> Iterator[Mapping[str, Any]]:
    """For everything that refused candidates what to change, that first which is looked at last."""
    kept = list(beliefs_apart_from_key(recipe))
    rows = [(_LOOKED_AT.get(reason, len(_LOOKED_AT)), count, reason) for reason, count in report.refused]
    for _, count, reason in sorted(rows, key=lambda row: (-row[0], -row[1], row[2])):
        if not count:
            continue
        if reason.startswith("belief "):
            kept = [name for name in kept if name != reason.removeprefix("belief ")]
            yield {"separate.key": kept or "none"}
        elif reason.startswith("beliefs "):
            yield {"separate.each_other": "none"}
        elif reason == "pruned":
            yield {"require.pruned": [0, recipe.shape.max_leaves()]}
        elif reason == "places":
            yield {"require.places": MAX_TREE_PLIES}
        elif reason in _LOOKED_AT:
            demand = REQUIREMENTS[_LOOKED_AT[reason]]
            yield {f"require.{demand.field}": demand.unset}


_LOOKED_AT = {requirement.name: place for place, requirement in enumerate(REQUIREMENTS)}
"""When each requirement is looked at; beliefs are after all of them."""
