"""The folders that come with the package, in a checkout and in a wheel."""

import shutil
import subprocess
import sys
from pathlib import Path

import grader
from grader.base.shipped import shipped_folder

PACKAGE = Path(grader.__file__).parent


def test_a_checkout_has_its_folders_beside_the_package() -> None:
    """In a checkout problems and templates are the folders that people edit."""
    assert shipped_folder("templates") == PACKAGE.parent / "templates"
    assert shipped_folder("problems") == PACKAGE.parent / "problems"


def test_a_wheel_brings_its_folders_along(tmp_path: Path) -> None:
    """Installed elsewhere, the package draws from the templates inside it."""
    shutil.copytree(PACKAGE, tmp_path / "grader", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(PACKAGE.parent / "templates", tmp_path / "grader" / "_shipped" / "templates")
    program = (
        "from grader import read_tree, svg; from grader.base.shipped import shipped_folder; "
        "print(shipped_folder('templates')); print(svg(read_tree('MAX (1 2)')))"
    )
    found, picture = subprocess.run(
        [sys.executable, "-P", "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\n", 1)
    assert found == str(tmp_path / "grader" / "_shipped" / "templates")
    assert picture.startswith("<svg ")
