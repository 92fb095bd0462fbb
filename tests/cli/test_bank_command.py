"""The laws of `gametree bank`: it lists its trees, and finds what is wrong in a folder of trees."""

from pathlib import Path

import pytest

from grader.base.shipped import shipped_folder
from tests.cli.running import gametree

GOOD = {
    "plain.tree": "MAX (3 5)",
    "solved.tree": "MAX A=3 (MIN B=3 (3 12 8) MIN C<=2 (2 ~4 ~6))",
    "notes.txt": "(",
}

FAULTY = {
    "unread.tree": ("MAX (3", "unclosed-bracket"),
    "unsolved.tree": ("@depth 1\nMAX (MIN (3 4) 5)", "depth limit"),
    "value.tree": ("MAX A=3 (3 5)", "0 of 1 value is correct"),
    "cross.tree": ("MAX (MIN (3 12) MIN (2 4) ~6)", "1 incorrect"),
    "game.efg": ("EFG 2 R", "line 1"),
}
"""Files that are wrong in one way each, and what is said of it."""


@pytest.fixture
def trees(tmp_path: Path) -> Path:
    """A folder with good trees, some of them in a folder below it."""
    (tmp_path / "below").mkdir()
    for name, text in GOOD.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        (tmp_path / "below" / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_good_trees_pass(trees: Path) -> None:
    """Every tree of a folder is looked at, and nothing else."""
    ran = gametree("bank", "verify", str(trees))
    assert (ran.code, ran.out) == (0, "4 trees checked. Everything is correct.\n")


@pytest.mark.parametrize("name", FAULTY)
def test_a_faulty_tree_is_named(name: str, trees: Path) -> None:
    """A tree that does not read, does not solve, or has a wrong answer is named with the reason."""
    text, reason = FAULTY[name]
    (trees / "below" / name).write_text(text, encoding="utf-8")
    ran = gametree("bank", "verify", str(trees))
    assert ran.code == 1
    assert (f"below/{name}: " in ran.out, reason in ran.out) == (True, True), ran.out
    assert ran.out.endswith("5 trees checked, 1 wrong.\n")


def test_a_tree_may_be_wrong_on_purpose(trees: Path) -> None:
    """A tree that is said to be wrong has to be wrong, and to be read."""
    (trees / "value.tree").write_text(FAULTY["value.tree"][0], encoding="utf-8")
    assert gametree("bank", "verify", str(trees), "--wrong", "value.tree").code == 0
    ran = gametree("bank", "verify", str(trees), "--wrong", "value.tree", "--wrong", "solved.tree")
    assert ran.out.count("all its answers are correct") == 2
    assert gametree("bank", "verify", str(trees), "--wrong", "plain.tree").code == 1


def test_the_bank_itself_is_well() -> None:
    """Every tree that comes with the program is well, except a sheet that is there to be marked."""
    bank = str(shipped_folder("problems") / "bank")
    assert gametree("bank", "verify", bank, "--wrong", "student-sheet.tree").code == 0
    assert "student-sheet.tree: 3 of 4 values are correct" in gametree("bank", "verify", bank).out


def test_nothing_to_check_is_refused(tmp_path: Path) -> None:
    """A folder without trees and a file that is missing are refused, not passed."""
    assert gametree("bank", "verify", str(tmp_path)).code == 2
    assert gametree("bank", "verify", str(tmp_path / "none.tree")).code == 2


def test_words_list_trees() -> None:
    """`bank WORD` and `bank trees WORD` say the same."""
    assert gametree("bank", "aima", "chance").out == gametree("bank", "trees", "aima", "chance").out != ""
