"""What a picture, a paper and the exports of a student take in textbook searches; a large document."""

from collections.abc import Callable
from pathlib import Path
from statistics import mean, median
from time import process_time
from typing import Any

import pytest

from grader.base.shipped import shipped
from grader.exam.blueprint_file import read_blueprint
from grader.exam.composing import compose
from grader.exam.manifest import read_paper, write_question, write_variant
from grader.exam.paper import Heading, Paper
from grader.games import tictactoe
from grader.games.unfolding import unfold
from grader.notation.diagnostics import Diagnostics
from grader.notation.reading import tree_of
from grader.notation.writing import write_tree
from grader.pictures.svg import svg
from grader.publishing.keys import key_pdf
from grader.publishing.lms.page import pages_of
from grader.publishing.paper_formats import html, pdf
from grader.publishing.platforms import PLATFORM_EXPORTS
from tests.benchmarks.memory import HAS_STATUS, peak_of
from tests.benchmarks.test_reading import TEXTBOOK
from tests.benchmarks.textbook import textbook_search

pytestmark = pytest.mark.benchmark

ROUNDS = 4

STUDENTS = 24
"""More than the typesetter remembers papers of."""


def searches(work: Callable[[], object], times: int = 1) -> float:
    """How many textbook searches of 27 leaves take as long as the work, each the least of some rounds."""
    work()
    best = search = float("inf")
    for _ in range(ROUNDS):
        search = min(search, textbook_search(100))
        start = process_time()
        for _ in range(times):
            work()
        best = min(best, (process_time() - start) / times)
    print(f"\n{best / search:.0f} searches, {best * 1e3:.2f} ms")
    return best / search


@pytest.fixture(scope="module")
def lines() -> tuple[Heading, tuple[str, ...]]:
    """The heading of the example exam, and the lines of a few of its variants."""
    examples = shipped("problems") / "exams"
    plan = read_blueprint((examples / "midterm.toml").read_text(encoding="utf-8"), examples)
    assert not isinstance(plan, Diagnostics)
    grown = [compose(each, number, plan.secret, STUDENTS) for number, each in enumerate(plan.questions)]
    rows = zip(*(map(write_question, questions) for questions in grown), strict=True)
    return plan.heading, tuple(write_variant(f"V{number}", row) for number, row in enumerate(rows))


def for_each(lines: tuple[Heading, tuple[str, ...]], work: Callable[[Paper], Any]) -> float:
    """The searches that the work takes for one student, each paper held against searches just before it.

    Every paper is read from its line, as often as there are rounds; the mean of their medians.
    """
    heading, variants = lines
    ratios: list[list[float]] = [[] for _ in variants]
    for _ in range(1 + ROUNDS):
        for line, taken in zip(variants, ratios, strict=True):
            search = textbook_search(100)
            start = process_time()
            work(read_paper(line, heading))
            taken.append((process_time() - start) / search)
    found = mean(median(taken[1:]) for taken in ratios)
    print(f"\n{found:.0f} searches")
    return found


def test_a_picture() -> None:
    """The SVG of 27 leaves takes at most 53 searches."""
    tree = tree_of(TEXTBOOK)
    assert searches(lambda: svg(tree), 10) <= 53


def test_one_students_paper(lines: tuple[Heading, tuple[str, ...]]) -> None:
    """The paper, HTML and key of one student take at most 1,915 searches."""
    assert for_each(lines, lambda paper: (pdf(paper.public), html(paper.public), key_pdf(paper))) <= 1_915


def test_all_exports_for_one_student_more(lines: tuple[Heading, tuple[str, ...]]) -> None:
    """What one student more takes for all platforms is at most 532 searches."""

    def exported(paper: Paper) -> None:
        pages = pages_of(paper)
        for export in PLATFORM_EXPORTS:
            export.pieces(paper, pages)

    assert for_each(lines, exported) <= 532


_COMMAND = """
from grader.cli import main

try:
    main()
except SystemExit as end:
    assert not end.code
"""


@pytest.mark.skipif(not HAS_STATUS, reason="the memory of one process is not told")
def test_a_large_document(tmp_path: Path) -> None:
    """`gametree solve --json` of the whole game of tic-tac-toe takes at most 300 MB."""
    (tmp_path / "game.tree").write_text(write_tree(unfold(tictactoe.GAME, (0, 0)).tree), encoding="utf-8")
    megabytes = peak_of(_COMMAND, "solve", str(tmp_path / "game.tree"), "--json")
    print(f"\n{megabytes:.0f} MB")
    assert megabytes <= 300
