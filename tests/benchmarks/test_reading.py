"""How fast a text is read, against the bare parser on the same grammar and per leaf."""

from collections.abc import Callable
from importlib.resources import files
from statistics import median
from time import process_time

import pytest
from lark import Lark

from grader.notation.indentation import Indentation
from grader.notation.reading import read_tree, tree_of
from grader.notation.writing import write_tree
from grader.rules import Rules
from grader.solvers.solution import solve
from grader.tree import Tree
from tests.benchmarks.memory import HAS_STATUS, peak_of

pytestmark = pytest.mark.benchmark

TEXTBOOK = "MAX A (" + " ".join(f"MIN {name} (MAX (3 12 8) MAX (2 4 6) MAX (14 5 2))" for name in "BCD") + ")"
"""A tree of 27 leaves, as an exam has it."""


def fastest_in_turns(first: Callable[[], object], second: Callable[[], object]) -> float:
    """How many times as long the first takes as the second: the median ratio of runs in turns."""
    ratios = []
    for _ in range(21):
        times = []
        for run in (first, second):
            started = process_time()
            for _ in range(20):
                run()
            times.append(process_time() - started)
        ratios.append(times[0] / times[1])
    return median(ratios)


def test_twenty_seven_leaves() -> None:
    """Reading 27 plain leaves takes a quarter of what Lark takes, and 1.5 times that with a comma in them."""
    text = (files("grader.notation") / "tree.lark").read_text("utf-8")
    bare = Lark(text, parser="lalr", lexer="basic", strict=True, start="text", postlex=Indentation())
    assert isinstance(read_tree(TEXTBOOK), Tree)
    ratio = fastest_in_turns(lambda: read_tree(TEXTBOOK), lambda: bare.parse(TEXTBOOK))
    print(f"27 leaves: {ratio:.2f} times bare Lark")
    assert ratio <= 0.25
    with_comma = TEXTBOOK.replace("(3 12", "(3, 12")
    ratio = fastest_in_turns(lambda: read_tree(with_comma), lambda: bare.parse(with_comma))
    print(f"27 leaves by the grammar: {ratio:.2f} times bare Lark")
    assert ratio <= 1.5


def a_million_leaves() -> str:
    """The text of a tree of six plies with ten branches everywhere."""
    group = "(" + " ".join(str(number % 100) for number in range(10)) + ")"
    for _ in range(5):
        group = "(" + " ".join([group] * 10) + ")"
    return group


_READ_AND_SOLVED = """
from grader.notation.reading import tree_of
from grader.rules import Rules
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
