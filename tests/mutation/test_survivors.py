"""The mutants that no test kills: they are known, and each is equivalent to the program."""

import subprocess
import sys

import pytest

from tests.mutation.__main__ import known_survivors
from tests.mutation.covered import COVERED
from tests.mutation.mutants import ROOT, mutants


def test_the_list_is_of_today() -> None:
    """Every listed survivor is a mutant of a covered file as it is now, and has a reason."""
    listed = known_survivors()
    files = {key[0] for key in listed}
    assert files <= {file for files in COVERED for file in files}
    assert set(listed) <= {mutant.key for file in files for mutant in mutants(file)}
    assert all(why.strip() for why in listed.values())


@pytest.mark.slow
def test_only_equivalent_mutants_survive() -> None:
    """Of a sample of mutants of every covered file, no test kills only those that are listed."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.mutation", "--sample", "14", "--seed", "1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
