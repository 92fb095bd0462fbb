"""Papers for tests: one for every kind, and one made of any words."""

import re
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from grader.answers.form import Terms
from grader.answers.policies import read_policy
from grader.base.catalogues import OwnCatalogue, read_own_catalogue
from grader.exam.paper import Heading, Paper, Question
from grader.exercises.exercise import Exercise, make_exercise
from grader.publishing.sheet import SHEET_PHRASES
from grader.questions import all_kinds, kind_by_code
from grader.questions.kind import AnyKind
from grader.trees.annotations import Header
from grader.trees.notation.reading import tree_of
from grader.trees.tree import Tree
from tests.questions.asking import asked, asked_of

NAMES = tuple(kind.code for kind in all_kinds())

COMMAS = "decimal-comma"
"""The paper on which every number that can has a decimal comma."""


def printed(file: bytes | Path) -> list[str]:
    """The words on every page of a PDF, with single blanks between them."""
    with closing(pypdfium2.PdfDocument(file)) as document:
        return [" ".join(page.get_textpage().get_text_bounded().split()) for page in document]


def _is_blank(words: pypdfium2.PdfTextPage, place: int) -> bool:
    return chr(pypdfium2.raw.FPDFText_GetUnicode(words, place)).isspace()


def misplaced(file: bytes | Path, margin: float = 58) -> list[str]:
    """Letters in the margins at the sides of a PDF, and those that stand on others, page by page."""
    found = []
    with closing(pypdfium2.PdfDocument(file)) as document:
        for page in document:
            words = page.get_textpage()
            signs = [place for place in range(words.count_chars()) if not _is_blank(words, place)]
            boxes = np.array([words.get_charbox(place) for place in signs]).reshape(-1, 4)
            boxes = boxes[(boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])]
            outside = (boxes[:, 0] < margin) | (boxes[:, 2] > page.get_width() - margin)
            upper, lower = np.minimum(boxes[:, None], boxes), np.maximum(boxes[:, None], boxes)
            shared = (upper[..., 2:] - lower[..., :2]).clip(0).prod(axis=2)
            size = (boxes[:, 2:] - boxes[:, :2]).prod(axis=1)
            row = np.arange(len(boxes))
            apart = abs(row - row[:, None]) > 3  # a Q reaches below the letter behind it
            covered = (shared > 0.3 * np.minimum(size, size[:, None])) & apart
            found += [words.get_text_bounded(*box) for box in boxes[outside | covered.any(axis=1)].tolist()]
    return found


TREES = (
    "MAX A (MIN B (MAX D (3 12) MAX E (8 2)) MIN C (MAX F (4 6) MAX G (14 5)))",
    "@bounds [0, 10]\nMAX A (CHANCE B (0.3: 2, 0.7: MIN D (9 4)) CHANCE C (0.5: MIN E (1 8), 0.5: 3))",
    "P1 A (P2 B (<1, 2, 6> <4, 3, 2>) P3 C (<6, 1, 2> <7, 4, 1>))",
    "MAX A (MIN B (3 12 8) MIN C (x 4 6))",
)
"""One tree for every sort of question."""


def exercise_of(kind: AnyKind, terms: Terms) -> Exercise:
    """The exercise about the first tree that suits a kind."""
    tree = next(tree for tree in map(tree_of, TREES) if asked(kind, tree, tree.rules()) is not None)
    return asked_of(kind, tree, tree.rules(), terms)


def parts_about(tree: Tree, *names: str) -> tuple[Exercise, ...]:
    """Exercises of these kinds about one tree."""
    return tuple(make_exercise(kind_by_code(name), tree, tree.rules()) for name in names)


HEADING = Heading("A quiz", "A course", "1 May 2027", "Read first.\n\nThen write.")


@cache
def paper_of(kind: str) -> Paper:
    """A paper with one question of a kind, about the first tree that suits it; or the one with commas."""
    if kind == COMMAS:
        return paper_with_commas()
    exercise = exercise_of(kind_by_code(kind), Terms(points=4))
    return Paper(HEADING, "A", (Question("1", "A question", (exercise,)),))


def paper_of_forms(code: str = "en") -> Paper:
    """A paper with a question for each form of answers, in a language."""
    kinds = {kind.form.name: kind for kind in reversed(all_kinds())}
    exercises = [exercise_of(kind, Terms(points=4, language_code=code)) for kind in kinds.values()]
    numbered = enumerate(exercises, 1)
    questions = (Question(str(number), "A question", (exercise,)) for number, exercise in numbered)
    return Paper(replace(HEADING, language_code=code), "A", tuple(questions))


def paper_of_layouts(code: str) -> Paper:
    """A paper with everything that is laid out in another way than usual, in a language.

    Parts that follow, other conventions of each question, a tree drawn to the right, tables and windows of
    many nodes, a tall box, a question without a tree, and pages of another size.
    """
    large = " ".join(
        f"MIN {name} (MAX {name}l (1 {at}) MAX {name}r (2 {at + 9}))" for at, name in enumerate("BCDEFGH")
    )
    asked_of_trees = (
        (TREES[0], "cut", ("node-values", "root-value"), True),
        (TREES[0], "keep", ("pruned-paths",), False),
        (f"MAX A ({large})", "cut", ("node-values", "windows", "visiting-order", "pruned-branches"), False),
        (TREES[1], "cut", ("chance-cuts", "best-move"), False),
    )
    questions = []
    for text, ties, names, follow in asked_of_trees:
        tree = tree_of(text)
        rules, terms = tree.rules(ties=ties), Terms(points=2, language_code=code)
        parts = (make_exercise(kind_by_code(name), tree, rules, terms) for name in names)
        questions.append(Question(str(len(questions) + 1), "", tuple(parts), follow))
    alone = exercise_of(kind_by_code("search-budget.leaves"), Terms(language_code=code))
    questions.append(Question("5", "Without a tree", (alone,)))
    return Paper(replace(HEADING, language_code=code, size="us-letter"), "B", tuple(questions))


def paper_with_commas(code: str = "en") -> Paper:
    """A paper with decimals in payoffs, probabilities, values, windows, bounds, points and deductions."""
    policy = read_policy("deduct:1/2")
    terms = Terms(points=Fraction(5, 2), policy=policy, decimal_comma=True, language_code=code)
    questioned = (
        (
            "@bounds [-2.5, 12.5]\nMAX A (CHANCE B (0.3: 2.5, 0.7: MIN D (9 4.25)) "
            "CHANCE C (1/3: MIN E (-1.5 8 7/3), 2/3: 0.5))",
            ("expected-values", "chance-cuts", "root-value"),
        ),
        (
            "MAX A (m1: MIN B (MAX D (0.5 2.5) MAX E (-1.25 7/3)) m2: MIN C (MAX F (1.25 2) MAX G (1.5 6)))",
            ("windows", "node-values", "best-path", "visiting-order", "pruned-branches"),
        ),
    )
    questions = []
    for number, (text, names) in enumerate(questioned, 1):
        tree = tree_of(text)
        kinds = [kind for name in names for kind in all_kinds() if kind.name == name]
        parts = tuple(make_exercise(kind, tree, tree.rules(), terms) for kind in kinds)
        questions.append(Question(str(number), "With commas", parts, follow_through=True))
    heading = Heading("A quiz", "A course", "1 May 2027", language_code="de" if code == "en" else code)
    return Paper(heading, "A", tuple(questions))


def catalogue_of(entries: Mapping[Any, Any], code: str = "en") -> OwnCatalogue:
    """A teacher's own catalogue with these sentences; one with plural forms is a tuple, and so are those."""
    made = Catalog(code, charset="utf-8")
    for said, translated in entries.items():
        made.add(said, translated)
    file = BytesIO()
    write_po(file, made, width=0)
    return read_own_catalogue(file.getvalue())


UNPLACED = re.compile(r"\{(?=\w)")
"""The beginning of what would be a placeholder in a catalogue, which refuses those that a sentence lacks."""


@cache
def paper_in_words(words: str, name: str) -> Paper:
    """A paper in which every text that a teacher may choose is these words, and one node has this name."""
    tree = tree_of("MAX A (m1: MIN B (3 12 8) m2: MIN C (2 CHANCE D (4 6)))")
    given = tuple(name if each == "B" else each for each in tree.given)
    moves = tuple(name if each == "m1" else each for each in tree.moves)
    hostile = Tree(
        tree.players,
        tree.parents,
        tree.payoffs,
        given,
        moves,
        tree.probabilities,
        tree.claims,
        tree.crosses,
        tree.attributes,
        Header(title=words),
    )
    parts = []
    for kind_name in ("expected-values", "root-value"):
        kind = kind_by_code(kind_name)
        parts.append(make_exercise(kind, hostile, hostile.rules(), Terms(points=3)))
    heading = Heading(
        title=words,
        course=words,
        date=words,
        instructions=words,
        own_catalogue=catalogue_of(dict.fromkeys(SHEET_PHRASES.values(), UNPLACED.sub("{ ", words))),
    )
    return Paper(heading, "A", (Question("1", words, tuple(parts)),))
