"""Finds problems/ and templates/, in a checkout and in a wheel."""

from functools import cache
from pathlib import Path
from typing import Literal


@cache
def shipped_folder(folder: Literal["problems", "templates"]) -> Path:
    """The folder of that name: beside the package in a checkout, inside it in an installed wheel.

    Raises `FileNotFoundError` when neither is there, which means a broken installation.
    """
    package = Path(__file__).resolve().parent.parent
    for place in (package / "_shipped" / folder, package.parent / folder):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the {folder} that come with gametree-grader are missing beside {package}")
