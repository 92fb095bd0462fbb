"""Tests the search in search.py, next to this file: its value, its move and the leaves that it visits."""

from functools import cache
from pathlib import Path

import pytest

from grader.programs.export import check_exported
from grader.programs.sentences import sentence_of
from grader.programs.verdict import Verdict

HERE = Path(__file__).parent


@cache
def verdict() -> Verdict:
    """Run the program once."""
    return check_exported(HERE, HERE / "search.py")[0]


@pytest.mark.parametrize("part", ["value", "move", "visits"])
def test_search(part: str) -> None:
    """The program agrees with the reference on every tree."""
    assert verdict().ruling != "unfinished", sentence_of(verdict())
    assert not verdict().differs()[part], sentence_of(verdict())
