"""The trees that come with a recipe, bred before: its stock as a file."""

import json
from dataclasses import dataclass, replace
from functools import lru_cache

from grader.base.shipped import shipped_folder
from grader.generation.candidates import PayoffRow
from grader.generation.recipe import Recipe
from grader.generation.recipe_file import default_recipe


@dataclass(frozen=True, slots=True)
class StoredPool:
    """Good trees of a recipe: of each the number of its herd, which has one skeleton, and its payoffs.

    `slack` is how much speaks against the worst of them.
    """

    slack: int
    trees: tuple[tuple[int, PayoffRow], ...]


def read_stored_pool(text: str) -> StoredPool:
    """The trees of a file: JSON, a line for each."""
    said = json.loads(text)
    return StoredPool(said["slack"], tuple((herd, tuple(row)) for herd, row in said["trees"]))


def shipped_pool(recipe: Recipe) -> StoredPool | None:
    """The trees that come with a recipe, None where none do: where it is no recipe that comes with a kind.

    How many points there are and in which language is asked does not matter.
    """
    own = _own(recipe.kind)
    if own is None:
        return None
    default, known = own
    policy = recipe.question.policy
    if policy != default.question.policy or policy.name == "deduct":
        return None
    alike = replace(recipe, cap=default.cap, question=default.question)
    return known if alike == default else None


@lru_cache(maxsize=64)
def _own(kind: str) -> tuple[Recipe, StoredPool] | None:
    """The recipe that comes with a kind, and its trees; None for a kind without."""
    path = shipped_folder("problems") / "stock" / f"{kind}.json"
    if not path.is_file():
        return None
    return default_recipe(kind), read_stored_pool(path.read_text(encoding="utf-8"))
