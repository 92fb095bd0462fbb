"""Reading replies: how fast, and how much of it is the parser's own time."""

from collections.abc import Callable
from itertools import combinations, product
from time import process_time

import pytest

from grader.answers.form import AnyForm, Terms
from grader.answers.paths import PATHS
from grader.answers.reply_grammar import parser
from grader.answers.table import TABLE
from grader.notation.diagnostics import Diagnostics
from grader.notation.reading import read_tree
from grader.tree import Tree
from tests.answers.every_form import FORMS
from tests.answers.test_hostile import HOSTILE, TREES, judged

COUNT = 3_000


def grown() -> Tree:
    """The tree that the replies speak of."""
    tree = read_tree("MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))")
    assert not isinstance(tree, Diagnostics)
    return tree


def seconds(work: Callable[[str], object], texts: list[str]) -> float:
    """The processor time of the best of three runs over all texts."""
    work(texts[0])
    best = float("inf")
    for _ in range(3):
        start = process_time()
        for text in texts:
            work(text)
        best = min(best, process_time() - start)
    return best


def different_replies() -> list[str]:
    """As many different one-line replies to a question for pruned leaves."""
    sets = [chosen for count in range(2, 6) for chosen in combinations(range(1, 10), count)]
    texts = [mould.format(*chosen) for chosen in sets for mould in _moulds(len(chosen))]
    return (texts * (COUNT // len(texts) + 1))[:COUNT]


def _moulds(count: int) -> list[str]:
    blanks, commas = " ".join(["{}"] * count), ", ".join(["{}"] * count)
    return [blanks, commas, f"leaves {commas}", f"{{{{{commas}}}}}", f"{commas} are pruned", f"{blanks}."]


@pytest.mark.benchmark
def test_five_thousand_replies_a_second() -> None:
    """Different one-line sets of leaves are read at 5,000 a second, and within 3 times Lark's own time."""
    tree, terms, texts = grown(), Terms(), different_replies()
    bare = parser("mentions")
    ours, larks = seconds(lambda text: PATHS.read(text, tree, terms), texts), seconds(bare.parse, texts)
    print(f"\npaths: {COUNT / ours:,.0f} replies a second; {ours / larks:.2f} times the parser alone")
    assert COUNT / ours >= 5_000
    assert ours / larks <= 3


@pytest.mark.benchmark
def test_tables_cost_no_more_than_a_few_sets() -> None:
    """A table of four values takes at most 5 times as long as a set of leaves."""
    tree, terms, texts = grown(), Terms(), different_replies()
    tables = [f"A={n % 7}, B = {n}; C: {n}/3 D -> -{n}" for n in range(COUNT)]
    sets = seconds(lambda text: PATHS.read(text, tree, terms), texts)
    ours = seconds(lambda text: TABLE.read(text, tree, terms), tables)
    print(f"\ntables: {COUNT / ours:,.0f} replies a second; {ours / sets:.2f} times a set of leaves")
    assert ours / sets <= 5


@pytest.mark.benchmark
@pytest.mark.parametrize("form", FORMS, ids=[form.name for form in FORMS])
def test_a_hostile_reply_takes_fifty_milliseconds(form: AnyForm) -> None:
    """No reply made to hurt takes longer than 50 ms, in any form and on any tree."""
    terms = Terms(decimal_comma=True)
    for tree, text in product(TREES, HOSTILE):
        form.read("?", tree, terms)
        assert min(judged(form, text, tree, terms) for _ in range(3)) < 0.050
