"""Papers with boxes for tests, and their pages as pixels."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pypdfium2

from grader.answers.form import Terms
from grader.exam.paper import Heading, Paper, PaperSize, PublicPaper, Question, ScanMode
from grader.exercises.exercise import make_exercise
from grader.questions import find_kind
from grader.trees.notation.reading import tree_of
from tests.publishing.papers import paper_of

Grey = np.ndarray[Any, np.dtype[np.uint8]]

LEAVES_31 = " ".join(
    (
        "MAX A (",
        *(
            f"MIN {name} ({7 * at % 41} {9 * at % 37} {5 * at % 31} {at})"
            for at, name in enumerate("BCDEFGH", 3)
        ),
        "MIN K (1 2 3))",
    )
)
"""A tree with as many leaves as have boxes side by side on a page."""

LEAVES_32 = " ".join(("MAX A (", *(f"MIN N{at} (1 {at} 20 {3 * at})" for at in range(8)), ")"))
"""A tree that has its boxes when it is drawn to the right."""

LEAVES_60 = " ".join(("MAX A (", *(f"MIN N{at} (1 {at} 20 {3 * at} {9 * at} 7)" for at in range(10)), ")"))
"""A tree with more leaves than have room for boxes."""

CHANCE = "MAX A (CHANCE B (0.3: 2, 0.7: MIN D (9 4)) CHANCE C (0.5: MIN E (1 8), 0.5: 3))"
_NINE = ("<1,2,6,1,2,3,4,5,6> <4,3,2,1,2,3,4,5,6>", "<6,1,2,1,2,3,4,5,6> <7,4,1,1,2,3,4,5,6>")
PLAYERS = "P1 A (P2 B (P4 D ({0}) P5 E ({1})) P3 C (P6 F ({0}) P9 G ({1})))".format(*_NINE)
"""A game of nine."""

LONGEST = """MAX "The king and all of his horses start from here" (
  MIN "Knight-takes-bishop-on-the-queenside-with-a-check" (3 12 8)
  MIN "Rook_of_the_north_and_of_the_kingdom_of_the_west" (2 4 6)
  MIN "Donaudampfschifffahrtselektrizitaetenhauptbetrieb" (14 5 2)
)"""
"""A tree whose nodes have names of 48 letters: with blanks, with other marks, and with none."""


def scanned_kind(kind: str, scan: ScanMode, size: PaperSize = "a4") -> PublicPaper:
    """The paper with one question of a kind, to be scanned."""
    paper = paper_of(kind).public
    return replace(paper, code="K7QM3D", heading=replace(paper.heading, scan=scan, size=size))


def asking(text: str, *kinds: str, scan: ScanMode = "written", size: PaperSize = "a4") -> Paper:
    """A paper with parts of these kinds about one tree, to be scanned."""
    tree = tree_of(text)
    parts = []
    for name in kinds:
        kind = find_kind(name)
        assert kind is not None
        parts.append(make_exercise(kind, tree, tree.rules(), Terms(points=4)))
    heading = Heading("A quiz", "A course", "1 May 2027", "Read first.", size=size, scan=scan)
    return Paper(heading, "K7QM3D", (Question("1", "A game", tuple(parts)),))


def pixels(pdf: bytes, dpi: int = 300) -> Iterator[Grey]:
    """The pages of a PDF in grey."""
    document = pypdfium2.PdfDocument(pdf)
    for page in document:
        grey = page.render(scale=dpi / 72, grayscale=True).to_numpy()
        yield grey.reshape(grey.shape[:2])  # older versions keep an axis of one channel
    document.close()
