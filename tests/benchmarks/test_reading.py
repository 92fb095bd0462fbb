"""How fast a text is read, against the bare parser on the same grammar and per leaf."""

import resource
import sys
from collections.abc import Callable
from importlib.resources import files
from statistics import median
from time import perf_counter, process_time

import pytest
from lark import Lark

from grader.notation.layout import Layout
from grader.notation.reading import read_tree
from grader.notation.writing import write_tree
from grader.tree import Tree

pytestmark = pytest.mark.benchmark

TEXTBOOK = "MAX A (" + " ".join(f"MIN {name} (MAX (3 12 8) MAX (2 4 6) MAX (14 5 2))" for name in "BCD") + ")"
"""A tree of 27 leaves, as an exam has it."""


def fastest_in_turns(first: Callable[[], object], second: Callable[[], object]) -> float:
    """How many times as long the first takes as the second: the median ratio of runs in turns."""
    ratios = []
    for _ in range(21):
        times = []
        for run in (first, second):
            started = perf_counter()
            for _ in range(20):
                run()
            times.append(perf_counter() - started)
        ratios.append(times[0] / times[1])
    return median(ratios)


def test_twenty_seven_leaves() -> None:
    """Reading 27 leaves takes at most 1.5 times as long as Lark takes for its own tree of them."""
    text = (files("grader.notation") / "tree.lark").read_text("utf-8")
    bare = Lark(text, parser="lalr", lexer="basic", strict=True, start="text", postlex=Layout())
    assert isinstance(read_tree(TEXTBOOK), Tree)
    ratio = fastest_in_turns(lambda: read_tree(TEXTBOOK), lambda: bare.parse(TEXTBOOK))
    print(f"27 leaves: {ratio:.2f} times bare Lark")
    assert ratio <= 1.5


def test_a_million_leaves() -> None:
    """A text of a million leaves is read in 15 seconds of processor time and 1.5 GB."""
    group = "(" + " ".join(str(number % 100) for number in range(10)) + ")"
    for _ in range(5):
        group = "(" + " ".join([group] * 10) + ")"
    started = process_time()
    tree = read_tree(group)
    seconds = process_time() - started
    assert isinstance(tree, Tree)
    assert len(tree.leaves) == 1_000_000
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform != "darwin" else 1e9)
    print(f"a million leaves: {seconds:.1f} s, {peak:.2f} GB")
    assert seconds <= 15
    assert peak <= 1.5
    assert write_tree(tree).count("(") == 111_111
