"""The exported folders, run by their entry points in the folders that the platforms document."""

import html
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import lark
import pytest

from grader.programs.interface import load_interface
from tests.cli.running import gametree
from tests.programs.planting import program

SUBMISSIONS = {
    "right": program("lists", "flag"),
    "wrong": program("lists", "flag", "only-at-min"),
    "broken": "x = ",
    "ended": "import os\nos._exit(0)\n",
}


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export for nested lists; not to be changed."""
    folder = tmp_path_factory.mktemp("export")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        export = ("code", "export", "--interface", "lists", "--ties", "cut", "-o", str(folder / "out"))
        assert gametree(*export).code == 0
    return folder / "out"


def moved(text: str, root: str, place: Path) -> str:
    """Return a text in which a folder at the root of the file system is another one."""
    return re.sub(rf"(?<!\w){root}(?![\w.])", str(place), text)


def run(command: list[str], place: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a platform does, in another folder and with few variables."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    return subprocess.run(
        command, cwd=place, env=kept | more, capture_output=True, text=True, check=False, timeout=300
    )


def results_of(place: Path, submission: str, command: list[str]) -> dict[str, dict[str, Any]]:
    """Return the results of every submission; the folder of submissions has just one each time."""
    results = {}
    for name, text in SUBMISSIONS.items():
        shutil.rmtree(place / submission, ignore_errors=True)
        (place / submission).mkdir()
        (place / submission / "search.py").write_text(text)
        ran = run(command, place)
        assert ran.returncode == 0, ran.stderr
        results[name] = json.loads((place / "results" / "results.json").read_text())
    return results


def test_prairielearn_runs_its_entry_point(exported: Path, tmp_path: Path) -> None:
    """In the layout of /grade, the entry point marks every submission, without network and packages."""
    place = tmp_path / "grade"
    about = json.loads((exported / "prairielearn" / "info.json").read_text())
    shutil.copytree(exported / "prairielearn" / "tests", place / "tests")
    (place / "data").mkdir()
    (place / "data" / "data.json").write_text("{}")
    entry = moved(about["externalGradingOptions"]["entrypoint"], "/grade", place)
    command = [sys.executable if word == "python3" else word for word in shlex.split(entry)]
    assert command[0] == sys.executable
    results = results_of(place, "student", [command[0], "-I", "-S", *command[1:]])
    scores = {name: result["score"] for name, result in results.items()}
    assert scores["right"] == 1 > scores["wrong"] > scores["broken"] == scores["ended"] == 0
    assert all(result["gradable"] for result in results.values())
    assert sum(test["max_points"] for test in results["wrong"]["tests"]) == 10
    assert "only at MIN nodes" in results["wrong"]["message"]
    (place / "student" / "search.py").unlink()
    run(command, place)
    nothing = json.loads((place / "results" / "results.json").read_text())
    assert nothing["gradable"] is False


def test_gradescope_builds_and_runs(exported: Path, tmp_path: Path) -> None:
    """In the layout of /autograder, setup.sh installs the program and run_autograder marks submissions."""
    place = tmp_path / "autograder"
    shutil.copytree(exported / "gradescope", place / "source")
    shutil.copy(place / "source" / "run_autograder", place / "run_autograder")
    for script in (place / "run_autograder", place / "source" / "setup.sh"):
        script.write_text(moved(script.read_text(), "/autograder", place))
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "apt-get").write_text("#!/bin/sh\n")  # Python is there, as in a newer image
    (tools / "apt-get").chmod(0o755)
    (tools / "python3").symlink_to(sys.executable)
    (tools / "python3.11").write_text("#!/bin/sh\nexit 1\n")
    (tools / "python3.11").chmod(0o755)
    pack_library(tools)
    built = run(
        ["bash", str(place / "source" / "setup.sh")],
        place,
        PATH=f"{tools}:{os.environ['PATH']}",
        PIP_NO_INDEX="1",
        PIP_FIND_LINKS=str(tools),
    )
    assert built.returncode == 0, built.stderr
    (place / "submission_metadata.json").write_text('{"users": [{"email": "ada@example.org"}]}')
    results = results_of(place, "submission", ["bash", str(place / "run_autograder")])
    scores = {name: sum(test["score"] for test in result["tests"]) for name, result in results.items()}
    assert scores["right"] == 10 > scores["wrong"] > scores["broken"] == scores["ended"] == 0
    assert "only at MIN nodes" in results["wrong"]["output"]
    (place / "submission" / "search.py").unlink()
    run(["bash", str(place / "run_autograder")], place)
    (nothing,) = json.loads((place / "results" / "results.json").read_text())["tests"]
    assert (nothing["score"], nothing["max_score"]) == (0, 10)


def test_students_are_told_what_to_write(exported: Path) -> None:
    """The question of PrairieLearn shows the stub and the tie rule of the course."""
    question = html.unescape((exported / "prairielearn" / "question.html").read_text())
    assert load_interface("lists").stub.strip() in question
    assert "prunes when alpha equals beta" in question


def pack_library(folder: Path) -> None:
    """Write a wheel of the one library that the program needs, as it is installed here."""
    package = Path(lark.__file__).parent
    (about,) = package.parent.glob("lark-*.dist-info")
    with zipfile.ZipFile(folder / f"{about.name.removesuffix('.dist-info')}-py3-none-any.whl", "w") as packed:
        for path in (*package.rglob("*"), *about.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                packed.write(path, path.relative_to(package.parent))


def test_the_pytest_file_runs(exported: Path, tmp_path: Path) -> None:
    """A wrong program fails in the part that is wrong, and only there."""
    place = shutil.copytree(exported / "pytest", tmp_path / "pytest")
    (place / "search.py").write_text(SUBMISSIONS["wrong"])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(place)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "1 failed, 2 passed" in ran.stdout, ran.stdout
