"""Exercises grown from a recipe and a seed, or made of a given tree."""

from grader.generation.growing import Grower, exercise_from, grow, grow_many
from grader.generation.profile import Profile, profile_of
from grader.generation.recipe import Recipe
from grader.generation.recipe_file import default_recipe, read_recipe, write_recipe
from grader.generation.selection import ExhaustedError, Report
from grader.generation.stream import Seed, Stream

__all__ = [
    "ExhaustedError",
    "Grower",
    "Profile",
    "Recipe",
    "Report",
    "Seed",
    "Stream",
    "default_recipe",
    "exercise_from",
    "grow",
    "grow_many",
    "profile_of",
    "read_recipe",
    "write_recipe",
]
