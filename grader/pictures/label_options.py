"""Options of a layout that show the names and numbers in the answers to a question."""

from typing import TypedDict

from grader.exercises.exercise import PublicExercise
from grader.pictures.view import Names


class LabelOptions(TypedDict):
    """The names and leaf numbers in a picture: options of `grader.pictures.layout.Layout`."""

    names: Names
    paths: bool


def label_options(*parts: PublicExercise) -> LabelOptions:
    """Return the options that show all names and leaf numbers which these parts mention."""
    return {
        "names": "all" if any(part.names_nodes for part in parts) else "given",
        "paths": any(part.numbers_leaves for part in parts),
    }
