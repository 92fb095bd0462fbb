"""The mutants that no test kills are listed, and each is equivalent to the program."""

import ast
import subprocess
import sys
from itertools import groupby
from pathlib import Path

import pytest

from tests.mutation.covered import COVERED
from tests.mutation.mutants import ROOT, Key, Mutant, module_name, mutants
from tests.mutation.survivors import known_survivors, mutants_of_listed, stale_entries

FILES = [file for files in COVERED for file in files]


class Renaming(ast.NodeTransformer):
    """Rename every variable that a module assigns to."""

    def __init__(self, tree: ast.AST) -> None:
        names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
        self.variables = {node.id for node in names if isinstance(node.ctx, ast.Store)}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """Rename one use of a variable."""
        if node.id in self.variables:
            node.id = f"{node.id}_renamed"
        return node


@pytest.fixture(scope="module")
def candidates() -> list[Mutant]:
    """Return the mutants of the files that have listed functions."""
    return mutants_of_listed(known_survivors(), FILES)


def test_covered_files_exist() -> None:
    """Every module and test of the table exists, so a folder that moved is not silently left out."""
    assert all(COVERED)
    paths = {path for files, tests in COVERED.items() for path in (*files, *tests)}
    assert {path for path in paths if not (ROOT / path).exists()} == set()


def test_the_list_fits_the_code(candidates: list[Mutant]) -> None:
    """Every listed survivor is a mutant of the current code of a covered file, and has a reason."""
    listed = known_survivors()
    assert stale_entries(listed, candidates) == []
    assert set(listed) <= {mutant.key for mutant in candidates}
    assert all(why.strip() for why in listed.values())


def test_keys_survive_renaming_layout_and_moving(candidates: list[Mutant], tmp_path: Path) -> None:
    """A file has the same mutants in another folder, in another layout and with other names of variables."""
    for file, original in groupby(candidates, lambda mutant: mutant.file):
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        renamed = Renaming(tree)
        assert renamed.variables
        moved = tmp_path / f"{module_name(file)}.py"
        moved.write_text(ast.unparse(renamed.visit(tree)), encoding="utf-8")
        assert [mutant.key for mutant in mutants(str(moved))] == [mutant.key for mutant in original]
        moved.unlink()


BEFORE = """
def reach(steps):
    found = 0
    for step in steps:
        if step > 1:
            found += 1
    return found
"""


def key(function: str, number: int = 1, count: int = 1) -> Key:
    """Return the key of a comparison in a function of the example."""
    return f"example.{function}", "> becomes >=", number, count


@pytest.mark.parametrize(
    ("listed", "after", "sentence"),
    [
        (key("reach"), BEFORE, None),
        (
            key("reach"),
            BEFORE.replace("reach", "count"),
            "is listed, but there is no such function or nothing to change in it.",
        ),
        (
            key("reach"),
            BEFORE.replace("step > 1", "step"),
            "is listed, but the function has 0 such places now.",
        ),
        (
            key("reach"),
            BEFORE.replace("step > 1", "step > found > 1"),
            "is listed, but the function has 2 such places now.",
        ),
        (key("reach", 2), BEFORE, "is listed, but places are counted from 1 to 1."),
    ],
)
def test_a_stale_entry_is_reported(listed: Key, after: str, sentence: str | None, tmp_path: Path) -> None:
    """An entry whose function or place is gone, or is no longer the only one, is reported in one sentence."""
    (tmp_path / "example.py").write_text(after, encoding="utf-8")
    sentences = stale_entries({listed: "a reason"}, mutants(str(tmp_path / "example.py")))
    function, fault, number, count = listed
    assert sentences == ([f"{function}: '{fault}', {number} of {count}, {sentence}"] if sentence else [])


def test_two_functions_of_one_name_are_reported(tmp_path: Path) -> None:
    """An entry that fits two files is reported."""
    candidates = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "example.py").write_text(BEFORE, encoding="utf-8")
        candidates += mutants(str(tmp_path / folder / "example.py"))
    (sentence,) = stale_entries({key("reach"): "a reason"}, candidates)
    assert "but the function is in " in sentence


@pytest.mark.slow
def test_only_equivalent_mutants_survive() -> None:
    """Every mutant in a sample of every covered file is killed by a test or listed as equivalent."""
    campaign = subprocess.run(
        [sys.executable, "-m", "tests.mutation", "--sample", "14", "--seed", "1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert campaign.returncode == 0, campaign.stdout + campaign.stderr
