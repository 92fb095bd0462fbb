"""Tables, windows and moves as most people type them, which are read without the grammar."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest

from grader.answers import move, number, table, window_entries
from grader.answers.entry_forms import by_level
from grader.answers.form import Terms
from grader.answers.plain_entries import plain_entry
from grader.answers.reply_reading import MAX_REPLY_WORDS, try_plain_first
from grader.answers.vocabulary import vocabulary
from grader.base.safe_text import skeleton
from grader.trees.notation.reading import tree_of
from grader.trees.tree import EMPTY, Tree
from tests.answers.strategies import NASTY
from tests.answers.test_hostile import TREES

PLAIN = tree_of("MAX A (MIN B (1 2 3) MIN C (4 5 6) MIN D (7 8 9))")
DERIVED = tree_of("(((3 1) (4 5)) ((9 2) (6 5)))")
NEARLY = tree_of('MAX A (MIN a (3 12 8) x: MIN AB (2 4 6) "B" : MIN b_ (14 5 2))')

NUMBERED = tree_of('MAX A ("2"=5 "1"=6 c=7)')

Plain = Callable[[str, Tree, Terms], Any]
FORMS: dict[str, tuple[Plain, Plain]] = {
    "table": (table.plain_table, partial(table.read_any, by_level)),
    "windows": (window_entries.plain_windows, window_entries.read_any),
}


def named(random: Random) -> Tree:
    """A tree of which some nodes are called as people call things in replies, and others as usual."""
    names = {skeleton(name): name for name in random.sample(NASTY, 3)}
    given = [*PLAIN.given]
    for node, name in zip(random.sample(range(len(PLAIN)), len(names)), names.values(), strict=True):
        given[node] = name
    moves = [None, *(random.choice(NASTY) if random.random() < 0.1 else None for _ in PLAIN.moves[1:])]
    return replace(PLAIN, given=tuple(given), moves=tuple(moves))


def entry(random: Random, form: str, name: str) -> str:
    """An entry for a node, mostly as people type it."""
    numbers = [
        random.choice(
            (
                "3",
                "-2",
                "−4",
                "−5/2",
                "0",
                "-0",
                "07",
                "2.5",
                "7/3",
                "-7/2",
                "1/2",
                "12345678901",
                ".5",
                "3,5",
            )
        )
        if random.random() < 0.3
        else str(random.randint(-20, 40))
        for _ in range(3)
    ]
    if form == "table":
        return f"{name}{random.choice(('=', ':', ' = ', ': ', '='))}{numbers[0]}"
    low, high = random.choice((numbers[0], "-inf", "−∞")), random.choice((numbers[1], "inf", "∞", "-∞"))
    returned = random.choice(("", f" -> {numbers[2]}", f"->{numbers[2]}"))
    return f"{name}{random.choice((' ', ': ', ''))}[{low}{random.choice((', ', ','))}{high}]{returned}"


def compared(form: str, cases: int, seed: int) -> int:
    """Read random replies both ways; gives how many were read at once."""
    plain, grammar = FORMS[form]
    random, at_once = Random(seed), 0
    for _ in range(cases):
        tree = (
            random.choice((PLAIN, DERIVED, DERIVED, NEARLY, *TREES))
            if random.random() < 0.7
            else named(random)
        )
        names = [tree.names[node] for node in tree.internal]
        said = [
            entry(random, form, random.choice(names) if random.random() < 0.97 else random.choice(NASTY))
            for _ in range(random.randint(1, 4))
        ]
        between = random.choice((" ", ", ", "; ", "\n", ",\n", ",", "  "))
        around = random.choice(("", "", " ")), random.choice(("", "", "\n", ";"))
        text = between.join(said).join(around)
        if random.random() < 0.1:
            place = random.randrange(len(text))
            text = text[:place] + random.choice("=:;,. -[]\n3xB\u00a0") + text[place + 1 :]
        terms = Terms(decimal_comma=random.random() < 0.3)
        found = plain(text, tree, terms)
        at_once += found is not None
        if found is not None:
            read = grammar(text, tree, terms)
            assert repr(found) == repr(read), (text, tree)
    return at_once


@pytest.mark.parametrize("form", FORMS)
def test_plain_entries_are_read_as_the_grammar_reads_them(form: str) -> None:
    """What is read at once is what the grammar reads, to the decimals typed, and much is read at once."""
    assert compared(form, 600, 1) > 80


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_many_plain_entries_are_read_as_the_grammar_reads_them(form: str) -> None:
    """The same of many more replies."""
    assert compared(form, 20_000, 2) > 3_000


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("tree", [PLAIN, DERIVED], ids=["names", "derived names"])
def test_what_people_type_is_read_at_once(form: str, tree: Tree) -> None:
    """Every usual spelling of an answer to a usual tree is read without the grammar."""
    plain, _ = FORMS[form]
    written = {"table": "{0}=3", "windows": "{0} [-inf, 3] -> 3"}[form]
    names = [tree.names[node] for node in tree.internal]
    for between in (" ", ", ", "; ", "\n"):
        assert plain(between.join(map(written.format, names)), tree, Terms()) is not None


def test_only_plain_entries_are_read_at_once() -> None:
    """An entry is a name, its value and what parts it; neither long texts nor decimal commas are plain."""
    known = plain_entry(" *= *([0-9])").fullmatch("B = 3, \n")
    assert known is not None
    assert known.groups() == ("B", "3")
    assert plain_entry("=([0-9])").match("B=3x") is None
    text, comma = "B=3" + " " * MAX_REPLY_WORDS + "C=2", Terms(decimal_comma=True)
    assert table.plain_table(text, PLAIN, Terms()) is None
    assert table.plain_table(text[:3], PLAIN, comma) is not None
    assert table.plain_table("B=3.5", PLAIN, comma) is None


def test_the_grammar_reads_what_is_not_plain() -> None:
    """A reply that nothing reads at once is read by the grammar, and no other."""
    read = try_plain_first(lambda text, _tree, _terms: text or None, lambda *_: "by the grammar")
    assert (read("B", PLAIN, Terms()), read("", PLAIN, Terms())) == ("B", "by the grammar")


def test_plain_moves_are_read_as_the_grammar_reads_them() -> None:
    """A name of a child that is read at once is what the grammar reads, whatever else is called how."""
    random, at_once = Random(3), 0
    for _ in range(100):
        tree = random.choice((PLAIN, DERIVED, NEARLY, NUMBERED, *TREES, named(random)))
        for name in {*(tree.names[child] for child in tree.children[0]), random.choice(NASTY), " B\n"}:
            found = move.plain_move(name, tree, Terms())
            at_once += found is not None
            assert found is None or found == move.read_any(name, tree, Terms()), (name, tree)
    assert at_once > 50


def test_a_plain_number_is_read_as_the_grammar_reads_it() -> None:
    """A number that is read at once is what the grammar reads, to the decimals typed, in any tree."""
    random, at_once = Random(4), 0
    for _ in range(400):
        tree = random.choice((PLAIN, DERIVED, NEARLY, NUMBERED, EMPTY, EMPTY, *TREES, named(random)))
        text = random.choice(("", "-", "−", " ", "- ", "+")) + entry(random, "table", "").lstrip("=: ")
        text += random.choice(("", "", "", " ", "\n", ".", "/2", ",5", " 1/2", "!"))
        terms = Terms(decimal_comma=random.random() < 0.3)
        found = number.read_plain_number(text, tree, terms)
        at_once += found is not None
        assert found is None or repr(found) == repr(number.read_any(text, tree, terms)), (text, tree)
    assert at_once > 60


def test_a_name_that_means_more_is_left_to_the_grammar() -> None:
    """Names that differ in case alone are not plain, nor is any beside a name of several words."""
    assert not {"A", "a"} & vocabulary(NEARLY).plain.keys()
    assert vocabulary(tree_of('MAX A (MIN "B = 3" (1 2) MIN C (3 4))')).plain == {}
