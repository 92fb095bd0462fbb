"""How the tree of a question is drawn: with what its answers speak of."""

from typing import TypedDict

from grader.exercises.exercise import PublicExercise
from grader.pictures.view import Names


class LabelOptions(TypedDict):
    """The names and path numbers in a picture, as `grader.pictures.layout.Layout` has them."""

    names: Names
    paths: bool


def label_options(*parts: PublicExercise) -> LabelOptions:
    """The names and path numbers that one of these parts speaks of."""
    return {
        "names": "all" if any(part.names_nodes for part in parts) else "given",
        "paths": any(part.numbers_leaves for part in parts),
    }
