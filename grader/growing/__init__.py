"""Exercises grown from a recipe and a seed, or made of a given tree."""

from grader.growing.growing import Grower, exercise_from, grow, grow_many
from grader.growing.profile import Profile, profile_of
from grader.growing.recipe import Recipe
from grader.growing.recipe_file import default_recipe, read_recipe, write_recipe
from grader.growing.stream import Seed, Stream
from grader.growing.survey import ExhaustedError, Report

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
