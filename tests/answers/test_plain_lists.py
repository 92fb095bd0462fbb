"""Replies that are nothing but leaf numbers and names, which are read without the grammar."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from grader.answers import branches, order, paths
from grader.answers.form import Terms
from grader.answers.plain_lists import FEW_ENOUGH, plain_nodes, plain_paths
from grader.trees.notation.reading import tree_of
from grader.trees.tree import Tree
from tests.answers.test_hostile import TREES

DECIMAL = tree_of("MAX A (MIN B (1 2 3) MIN C (4 5 6) MIN D (7 8 9))")
NUMBERED = tree_of('MAX A (MIN "5" (3 12 8) MIN C (2 4 6) "7": MIN D (14 5 2))')
LABELLED = tree_of("MAX A (left: MIN B (x: 3 y: 12 8) C: MIN D (2 B: MAX E (4 5) 6) MIN C (14 5 2))")
LETTERS = tree_of("MAX V (MIN N (1 2) MIN x (4 5) MIN O (6 7) MIN U (8 9) MIN none (1 3) MIN all (2 2))")
WORDED = tree_of(
    "MAX A (MIN and (3 12) MIN or (2 4) MIN first (5 6) MIN leaf (7 8) MIN two (1 MAX C2 (3 4)))"
)
NEIGHBOURS = tree_of("MAX A (MIN C (1 2) MIN C2 (3 4) MIN BC (5 6) MIN B (7 A_1=8))")


def _path(random: Random, tree: Tree) -> str:
    return str(random.randint(1, len(tree.leaves) + 1))


def _path_or_name(random: Random, tree: Tree) -> str:
    names = [*tree.names[1:], *filter(None, tree.moves)]
    return _path(random, tree) if random.random() < 0.2 else random.choice(names)


@pytest.mark.parametrize(
    ("read", "by_grammar", "thing", "least"),
    [
        (paths.PATHS.read, paths.read_any, _path, 300),
        (order.ORDER.read, order.read_any, _path, 300),
        (branches.BRANCHES.read, branches.read_any, _path_or_name, 300),
        (branches.NODE_NAMES.read, branches.read_any, _path_or_name, 300),
    ],
    ids=["paths", "order", "branches", "nodes"],
)
def test_a_plain_list_is_read_as_the_grammar_reads_it(
    read: Callable[..., Any],
    by_grammar: Callable[..., Any],
    thing: Callable[[Random, Tree], str],
    least: int,
) -> None:
    """Whatever is read at once is what the grammar reads; and most lists are read at once."""
    random, at_once = Random(7), 0
    trees = (DECIMAL, DECIMAL, NUMBERED, LABELLED, LETTERS, WORDED, NEIGHBOURS, *TREES)
    plain = plain_nodes if thing is _path_or_name else plain_paths
    for _ in range(1200):
        tree = random.choice(trees)
        words = [thing(random, tree) for _ in range(random.randint(1, 9))]
        text = words[0] + "".join(random.choice((" ", ", ", ",")) + each for each in words[1:])
        terms = Terms(decimal_comma=random.random() < 0.3, every=random.random() < 0.3)
        at_once += plain(text, tree, terms) is not None
        assert read(text, tree, terms) == by_grammar(text, tree, terms), text
    assert at_once > least


def test_a_name_that_is_a_number_is_left_to_the_grammar() -> None:
    """Where a node or a move is called as a number is, nothing is read at once that has this number."""
    for plain in (plain_paths, plain_nodes):
        assert plain("5 6", NUMBERED, Terms()) is None
        assert plain("8 7", NUMBERED, Terms()) is None
    assert plain_paths("8 6", NUMBERED, Terms()) == [8, 6]


def test_what_a_move_is_called_too_is_left_to_the_grammar() -> None:
    """A name that is a label as well, and the root, above which there is no branch."""
    assert plain_nodes("B D", LABELLED, Terms()) is None
    assert plain_nodes("A D", LABELLED, Terms()) is None
    assert plain_nodes("D E 1", LABELLED, Terms()) == [5, 7, 2]


def test_a_name_and_a_number_that_read_as_another_name_are_left_to_the_grammar() -> None:
    """`C 2` may be C and leaf 2, or the node C2."""
    tree = tree_of("MAX A (MIN C (1 2) MIN C2 (3 4))")
    assert plain_nodes("C 2", tree, Terms()) is None
    assert plain_nodes("C, C2", tree, Terms()) == [1, 4]


def test_so_many_things_are_read_and_no_more() -> None:
    """A long list that repeats itself is read as one, up to a limit."""
    assert plain_paths("5 " * (FEW_ENOUGH - 1) + "6", DECIMAL, Terms()) is not None
    assert plain_paths("5 " * FEW_ENOUGH + "6", DECIMAL, Terms()) is None
