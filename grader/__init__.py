"""Read, solve, check, draw, explain, generate and grade adversarial-search exercises."""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from grader.version import VERSION

if TYPE_CHECKING:
    from grader.exercises.checking.judgement import judge as judge
    from grader.exercises.exercise import Exercise as Exercise
    from grader.exercises.exercise_file import read_exercise as read_exercise
    from grader.exercises.marking import mark as mark
    from grader.generation.grower import grow as grow
    from grader.generation.recipe_file import default_recipe as default_recipe
    from grader.generation.recipe_file import read_recipe as read_recipe
    from grader.pictures.pdf import pdf as pdf
    from grader.pictures.pdf import png as png
    from grader.pictures.svg import svg as svg
    from grader.solvers.explaining.steps import explain as explain
    from grader.solvers.solution import Solution as Solution
    from grader.solvers.solution import solve as solve
    from grader.trees.notation.diagnostics import Diagnostics as Diagnostics
    from grader.trees.notation.reading import read_tree as read_tree
    from grader.trees.notation.reading import tree_of as tree_of
    from grader.trees.notation.writing import write_tree as write_tree
    from grader.trees.rules import Rules as Rules
    from grader.trees.tree import Tree as Tree

__version__ = VERSION

_HOMES = {
    "Diagnostics": "grader.trees.notation.diagnostics",
    "Exercise": "grader.exercises.exercise",
    "Rules": "grader.trees.rules",
    "Solution": "grader.solvers.solution",
    "Tree": "grader.trees.tree",
    "default_recipe": "grader.generation.recipe_file",
    "explain": "grader.solvers.explaining.steps",
    "grow": "grader.generation.grower",
    "judge": "grader.exercises.checking.judgement",
    "mark": "grader.exercises.marking",
    "pdf": "grader.pictures.pdf",
    "png": "grader.pictures.pdf",
    "read_exercise": "grader.exercises.exercise_file",
    "read_recipe": "grader.generation.recipe_file",
    "read_tree": "grader.trees.notation.reading",
    "solve": "grader.solvers.solution",
    "svg": "grader.pictures.svg",
    "tree_of": "grader.trees.notation.reading",
    "write_tree": "grader.trees.notation.writing",
}
"""Where each public name lives; it is loaded when it is first asked for, so `import grader` costs nothing."""

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})


if "IPython" in sys.modules:
    import_module("grader.pictures.notebook").attach()
