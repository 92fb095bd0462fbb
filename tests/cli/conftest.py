"""A desk to work at: the example exam with its class list and replies, already built."""

import shutil
from pathlib import Path

import pytest

from grader.base.shipped import shipped_folder
from grader.cli.shared import progress_bar
from tests.cli.running import gametree

QUIZ = """title = "Quiz"
secret = "kept in a safe place"
scan = true

[[question]]
kind = "pruned-paths"
points = 4
tree = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"
"""
"""A blueprint of papers that are scanned, for the students of pair.csv."""

READY = ("midterm.toml", "class.csv", "responses.csv")


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """How far a command has come is said after minutes only: what it prints hangs on no machine's haste."""
    monkeypatch.setattr(progress_bar, "MAX_SILENT_SECONDS", 600.0)


@pytest.fixture(autouse=True)
def own_state(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whether programs were checked before is remembered for each test alone."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))


@pytest.fixture(scope="session")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example exam: blueprint, class list, replies, and the exam built from them."""
    desk = tmp_path_factory.mktemp("desk")
    for name in READY:
        shutil.copy(shipped_folder("problems") / "exams" / name, desk)
    (desk / "quiz.toml").write_text(QUIZ, encoding="utf-8")
    (desk / "pair.csv").write_text("Identifier,Name\n1204,Ada\n1205,Grace\n", encoding="utf-8")
    blueprint, roster, _ = (str(desk / name) for name in READY)
    folder = str(desk / "midterm")
    built = gametree("exam", "build", blueprint, "--roster", roster, "-o", folder, *QUICKLY)
    assert built.code == 0, built.err
    return desk


QUICKLY = ("--format", "html", "--lms", "none")


@pytest.fixture
def desk(furnished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that folder, as the current folder."""
    shutil.copytree(furnished, tmp_path / "desk")
    monkeypatch.chdir(tmp_path / "desk")
    return tmp_path / "desk"
