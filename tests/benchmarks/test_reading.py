"""How fast a text is read, against the bare parser on the same grammar; a million leaves."""

import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from statistics import median
from time import process_time

import pytest
from lark import Lark

from grader.solvers.solution import solve
from grader.trees.notation.indentation import Indentation
from grader.trees.notation.reading import read_tree, tree_of
from grader.trees.notation.writing import write_tree
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from tests.benchmarks.memory import HAS_STATUS, peak_of
from tests.benchmarks.programs import environment

pytestmark = pytest.mark.benchmark

ROOT = Path(__file__).parents[2]

ROUNDS = 11

TEXTBOOK = "MAX A (" + " ".join(f"MIN {name} (MAX (3 12 8) MAX (2 4 6) MAX (14 5 2))" for name in "BCD") + ")"
"""A tree of 27 leaves, as an exam has it."""


def fastest_in_turns(first: Callable[[], object], second: Callable[[], object], repeats: int) -> float:
    """Return how many times as long the first takes as the second: the median ratio of runs in turns."""
    ratios = []
    for _ in range(ROUNDS):
        times = []
        for run in (first, second):
            started = process_time()
            for _ in range(repeats):
                run()
            times.append(process_time() - started)
        ratios.append(times[0] / times[1])
    return median(ratios)


@pytest.fixture(scope="module")
def bare() -> Lark:
    """Lark with the grammar of the notation, and nothing of ours around it."""
    text = (files("grader.trees.notation") / "tree.lark").read_text("utf-8")
    return Lark(text, parser="lalr", lexer="basic", strict=True, start="text", postlex=Indentation())


def annotated() -> str:
    """Return a tree of 27 leaves with its source and a remark, as the bank has them."""
    return '@source "Russell and Norvig, figure 5.2"\n# as in an exam\n' + TEXTBOOK


def game() -> str:
    """Return what `gametree game tictactoe` prints, with its title and its remark."""
    started = [sys.executable, "-m", "grader", "game", "tictactoe", "XO./.X./..O"]
    printed = subprocess.run(started, env=environment(ROOT), capture_output=True, text=True, check=True)
    assert "\n# " in printed.stdout
    return printed.stdout


@pytest.mark.parametrize(
    ("text", "times", "limit"),
    [
        pytest.param(lambda: TEXTBOOK, 20, 0.15, id="27 leaves"),
        pytest.param(annotated, 20, 0.15, id="27 leaves with a source and a remark"),
        pytest.param(game, 1, 1 / 3, id="a game of tic-tac-toe"),
    ],
)
def test_reading(text: Callable[[], str], times: int, limit: float, bare: Lark) -> None:
    """A text is read in a small share of the time that bare Lark takes for the same text."""
    written = text()
    assert isinstance(read_tree(written), Tree)
    ratio = fastest_in_turns(lambda: read_tree(written), lambda: bare.parse(written), times)
    print(f"\n{ratio:.2f} times bare Lark")
    assert ratio <= limit


def a_million_leaves() -> str:
    """The text of a tree of six plies with ten branches everywhere."""
    group = "(" + " ".join(str(number % 100) for number in range(10)) + ")"
    for _ in range(5):
        group = "(" + " ".join([group] * 10) + ")"
    return group


_READ_AND_SOLVED = """
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.solvers.solution import solve
from tests.benchmarks.test_reading import a_million_leaves

assert solve(tree_of(a_million_leaves()), Rules()).pruned_paths
"""


@pytest.mark.skipif(not HAS_STATUS, reason="the memory of one process is not told")
def test_a_million_leaves() -> None:
    """A text of a million leaves is read and solved in 4 seconds of processor time and 0.4 GB."""
    started = process_time()
    tree = tree_of(a_million_leaves())
    assert solve(tree, Rules()).pruned_paths
    seconds = process_time() - started
    assert len(tree.leaves) == 1_000_000
    assert write_tree(tree).count("(") == 111_111
    peak = peak_of(_READ_AND_SOLVED)
    print(f"a million leaves: {seconds:.1f} s, {peak:.0f} MB")
    assert seconds <= 4
    assert peak <= 400
