"""Changes to a recipe that no tree meets, and objections to the values that it gives."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from time import process_time
from typing import Any

from grader.base.progress import OnCount
from grader.exercises.exercise import find_objection
from grader.generation.grower import grow
from grader.generation.limits import beliefs_apart_from_key
from grader.generation.recipe import MAX_TREE_PLIES, Recipe
from grader.generation.recipe_file import with_changes
from grader.generation.selection import NOTHING_TO_ASK, REQUIREMENTS, ExhaustedError, GenerationReport
from grader.generation.survey import max_candidates, take_survey
from grader.questions.given import NOTHING_GIVEN, Given

MAX_SECONDS = 3.0
"""The processor time after which no more changes are tried."""

CAP_DIVISOR = 10
"""Each change is tried with this fraction of the candidates of the recipe itself."""

TRIAL_SKELETONS = 2
"""The number of drawn skeletons for each change: trees found with these are found with more, too."""


def find_remedy(recipe: Recipe, report: GenerationReport, tell: OnCount) -> Mapping[str, Any] | None:
    """Return the changes, by full field name, with which trees were found; None if time ran out first.

    1. The demand that is checked last is dropped first, because what it refused met all others.
    2. Then the one checked before it is dropped as well, until trees are found.
    3. Beliefs are checked after all requirements; the one that refused most is dropped first.
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
            take_survey(
                replace(other, cap=max(1, max_candidates(recipe) // CAP_DIVISOR)), tell, TRIAL_SKELETONS
            )
        except ExhaustedError:
            continue
        return changes
    return None


def is_refused_by_given(recipe: Recipe, report: GenerationReport) -> bool:
    """Return whether no question about any tree that meets the requirements had what the recipe gives."""
    reasons = {*+report.refused} - {requirement.name for requirement in REQUIREMENTS}
    return bool(recipe.given and reasons) and all(reason.startswith(NOTHING_TO_ASK) for reason in reasons)


def objection_to_given(recipe: Recipe) -> str:
    """Return why what the recipe gives does not suit a question drawn without it; empty if it does."""
    try:
        public = grow(replace(recipe, given=NOTHING_GIVEN), "given").public
    except ExhaustedError:
        return ""
    case = replace(public.case, given=Given({**public.given, **recipe.given}))
    return find_objection(recipe.question_kind, case) or ""


def _relaxed(recipe: Recipe, report: GenerationReport) -> Iterator[Mapping[str, Any]]:
    """Yield a change for everything that refused candidates, the last one checked first."""
    beliefs = list(beliefs_apart_from_key(recipe))
    rows = [
        (-_CHECK_ORDER.get(reason, len(_CHECK_ORDER)), -count, reason)
        for reason, count in report.refused.items()
        if count
    ]
    for _, _, reason in sorted(rows):
        if reason.startswith("belief "):
            beliefs = [name for name in beliefs if name != reason.removeprefix("belief ")]
            yield {"separate.key": beliefs or "none"}
        elif reason.startswith("beliefs "):
            yield {"separate.each_other": "none"}
        elif reason in ("pruned", "visited"):
            yield {f"require.{reason}": [0, recipe.shape.max_leaves()]}
        elif reason == "places":
            yield {"require.places": MAX_TREE_PLIES}
        elif reason in _CHECK_ORDER:
            demand = REQUIREMENTS[_CHECK_ORDER[reason]]
            yield {f"require.{demand.field}": demand.unset}


_CHECK_ORDER = {requirement.name: index for index, requirement in enumerate(REQUIREMENTS)}
"""When each requirement is checked; beliefs are checked after all of them."""
