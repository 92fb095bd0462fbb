"""Replies that are nothing but path numbers, which are read without the grammar."""

from random import Random

from grader.answers.form import Terms
from grader.answers.paths import FEW_ENOUGH, plain_paths, read_any
from grader.notation.reading import tree_of
from tests.answers.test_hostile import TREES

DECIMAL = tree_of("MAX A (MIN B (1 2 3) MIN C (4 5 6) MIN D (7 8 9))")
NUMBERED = tree_of('MAX A (MIN "5" (3 12 8) MIN C (2 4 6) "7": MIN D (14 5 2))')


def test_plain_path_numbers_are_read_as_the_grammar_reads_them() -> None:
    """What is read at once is what the grammar reads, and most lists of path numbers are read at once."""
    random, at_once = Random(7), 0
    trees = (DECIMAL, NUMBERED, *TREES)
    for _ in range(400):
        tree = random.choice(trees)
        numbers = [random.randint(1, len(tree.leaves) + 1) for _ in range(random.randint(1, 9))]
        text = str(numbers[0]) + "".join(random.choice((" ", ", ", ",")) + str(each) for each in numbers[1:])
        terms = Terms(decimal_comma=random.random() < 0.3)
        found = plain_paths(text, tree, terms)
        at_once += found is not None
        assert found is None or found == read_any(text, tree, terms), text
    assert at_once > 100


def test_a_name_that_is_a_number_is_left_to_the_grammar() -> None:
    """Where a node or a move is called as a number is, nothing is read at once that has this number."""
    assert plain_paths("5 6", NUMBERED, Terms()) is None
    assert plain_paths("8 7", NUMBERED, Terms()) is None
    assert plain_paths("8 6", NUMBERED, Terms()) == {6, 8}


def test_so_many_path_numbers_are_read_and_no_more() -> None:
    """A long list that repeats itself is read as one, up to a limit."""
    assert plain_paths("5 " * (FEW_ENOUGH - 1) + "6", DECIMAL, Terms()) == {5, 6}
    assert plain_paths("5 " * FEW_ENOUGH + "6", DECIMAL, Terms()) is None
