"""The candidate pools that come with the recipes, as files."""

import json
from dataclasses import dataclass, replace
from functools import lru_cache

from grader.base.shipped import shipped_folder
from grader.generation.candidates import PayoffRow
from grader.generation.recipe import Recipe
from grader.generation.recipe_file import default_recipe


@dataclass(frozen=True, slots=True)
class StoredPool:
    """A pool as it is stored: for each tree the index of its skeleton and its payoffs.

    `slack` is the largest penalty that is accepted.
    """

    slack: int
    trees: tuple[tuple[int, PayoffRow], ...]


def read_stored_pool(text: str) -> StoredPool:
    """Read the pool of a file: JSON, with a line for each tree."""
    record = json.loads(text)
    return StoredPool(record["slack"], tuple((skeleton, tuple(row)) for skeleton, row in record["trees"]))


def shipped_pool(recipe: Recipe) -> StoredPool | None:
    """Return the pool that comes with a recipe; None unless it is the recipe that comes with its kind.

    The points and the language may differ.
    """
    shipped = _shipped(recipe.kind)
    if shipped is None:
        return None
    default, pool = shipped
    policy = recipe.question.policy
    if policy != default.question.policy or policy.name == "deduct":
        return None
    normalized = replace(recipe, cap=default.cap, question=default.question)
    return pool if normalized == default else None


@lru_cache(maxsize=64)
def _shipped(kind: str) -> tuple[Recipe, StoredPool] | None:
    """Return the recipe that comes with a kind, and its pool; None for a kind without a pool."""
    path = shipped_folder("problems") / "stock" / f"{kind}.json"
    if not path.is_file():
        return None
    return default_recipe(kind), read_stored_pool(path.read_text(encoding="utf-8"))
