"""Finds problems/ and templates/, in a checkout and in a wheel."""

from functools import cache
from pathlib import Path
from typing import Literal


@cache
def shipped_folder(folder: Literal["problems", "templates"]) -> Path:
    """Return the folder of this name: next to the package in a checkout, inside it in a wheel.

    Raises `FileNotFoundError` if neither exists: the installation is broken.
    """
    package = Path(__file__).resolve().parent.parent
    for place in (package / "_shipped" / folder, package.parent / folder):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the {folder} that come with gametree-grader are missing next to {package}")


def bank_files() -> dict[str, Path]:
    """Return the files of the trees that come with the program, by name, in the order of their names."""
    files = (shipped_folder("problems") / "bank").glob("*.tree")
    return {file.stem: file for file in sorted(files, key=lambda file: file.stem)}
