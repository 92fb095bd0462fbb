"""The laws of all exports: one exam gives the same bytes, whenever and however it is written."""

import gc
import pickle
import re
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from html import unescape
from pathlib import Path
from typing import TypeVar

import pytest

from grader.answers.form import Terms
from grader.answers.policies import read_policy
from grader.exam.manifest import Exam
from grader.exercises.exercise import Exercise
from grader.generation.grower import grow
from grader.generation.recipe_file import default_recipe
from grader.publishing.lms.page import Page, pages_of
from grader.publishing.platforms import PAPERS_PER_TASK, PLATFORM_EXPORTS, Export, find_exports, write_exports
from grader.questions import all_kinds
from grader.questions.kind import AnyKind
from grader.trees.notation.reading import tree_of
from tests.publishing.lms.exams import (
    PROGRAM,
    PRUNING,
    exam_of_kind,
    exam_of_variants,
    exam_with,
    exercise_of,
    unpacked,
    written,
    written_anew,
)
from tests.publishing.lms.moodle_engine import Blank, import_quiz
from tests.questions.asking import asked, asked_of

HOME = Path(__file__).parents[3]

T = TypeVar("T")
R = TypeVar("R")

NAMED = [export.name for export in PLATFORM_EXPORTS]


@pytest.mark.parametrize("export", PLATFORM_EXPORTS, ids=NAMED)
def test_same_bytes(export: Export) -> None:
    """An export written twice has the same bytes, and no file of it has the name of another export's."""
    exam = exam_with(exercise_of("node-values", PRUNING), exercise_of("pruned-paths", PRUNING))
    assert written_anew(export.name, exam) == written_anew(export.name, exam)
    assert [other.file for other in PLATFORM_EXPORTS].count(export.file) == 1


@pytest.mark.parametrize("name", ["moodle", "qti3", "canvas", "prairielearn"])
@pytest.mark.parametrize(("kind", "has_tree"), [("root-value", True), ("uct.mean", False)])
def test_only_trees_have_pictures(name: str, kind: str, has_tree: bool) -> None:
    """A question about a tree is shown with its picture, one without a tree with none and no words for it."""
    data = written(name, exam_of_kind(kind))
    members = {"": data} if name == "moodle" else unpacked(data)
    texts = [text.decode() for member, text in members.items() if not member.startswith(PROGRAM)]
    words = unescape(" ".join(texts))
    assert any(sign in words for sign in ("<svg", "<img")) == has_tree
    assert "There is no tree" not in words


@pytest.mark.parametrize("export", PLATFORM_EXPORTS, ids=NAMED)
def test_no_day_in_the_bytes(export: Export) -> None:
    """The bytes do not hold the day: members of a zip have the earliest time, and other files have none."""
    data = written(export.name, exam_of_kind("root-value"))
    member_times = re.findall(rb"PK\x03\x04.{6}(.{4})", data, re.DOTALL)
    times = re.findall(rb"\b20\d\d[-/]?[01]\d[-/]?[0-3]\d|\b\d\d?:\d\d:\d\d\b", data)
    if export.file.endswith(".zip"):
        assert set(member_times) == {b"\x00\x00\x21\x00"}
    else:
        assert not times


LEAVES = "({0} 12 8) ({1} 4 6) (14 {0} 2) ({1} 21 3)"
BIG = f"MAX (MIN {LEAVES.replace(') (', ') MIN (')} MIN (MAX {LEAVES.replace(') (', ') MAX (')}))"


@cache
def big() -> tuple[Exam, list[tuple[Page, ...]]]:
    """Twenty variants of a question about a large tree, and what is shown of them."""
    exam = exam_of_variants("node-values", *(BIG.format(number, number + 1) for number in range(20)))
    return exam, list(map(pages_of, exam.papers))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("export", PLATFORM_EXPORTS, ids=NAMED)
def test_memory_does_not_grow(export: Export, tmp_path: Path) -> None:
    """Of what was written no more is held than names: a class of any size can be exported."""
    exam, pages = big()
    pieces = [export.make_pieces(paper, page) for paper, page in zip(exam.papers, pages, strict=True)]
    held = []
    tracemalloc.start()
    try:
        with (tmp_path / export.file).open("wb") as file, export.open_export(exam, file) as write:
            for number, piece in enumerate(pieces):
                write(piece)
                if number in (9, 19):
                    gc.collect()
                    held.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert held[1] - held[0] < max(len(pickle.dumps(pieces[10:])) / 8, 1000)


def test_papers_are_written_as_they_come(tmp_path: Path) -> None:
    """What was made of some papers is in the files before the next papers are read."""
    exam = exam_of_variants(
        "root-value", *(f"MAX (MIN ({n} {n + 2}) MIN (3 4))" for n in range(2 * PAPERS_PER_TASK))
    )
    told: list[object] = []

    def run(work: Callable[[T], R], arguments: Iterable[T]) -> Iterator[R]:
        for argument in arguments:
            told.append("read")
            yield work(argument)

    chosen = find_exports(("moodle", "prairielearn"))
    write_exports(
        exam, chosen, tmp_path, 2 * PAPERS_PER_TASK, run, lambda _stage, done, _total: told.append(done)
    )
    assert told == [0, "read", PAPERS_PER_TASK, "read", 2 * PAPERS_PER_TASK]
    for export in chosen:
        assert (tmp_path / export.file).read_bytes() == written(export.name, exam)


LONG_KEYS = (
    "MAX A (MIN B (3 12 8) MIN C (2 4 6))",
    "MAX A (MIN B (3 12) MIN C (3 3))",
    "MAX A (MIN B (123456789012345678901234567 3) MIN C (2 -98765432109876543210987654321))",
    "MAX A (CHANCE B (1234567890123/7 2 5) CHANCE C (0 -4 -1/3))",
)
"""Trees with one best move, with a tie, and with keys of many characters."""


def exercises_of(kind: AnyKind) -> Iterator[Exercise]:
    """Twelve forms of an ask, and what it asks about trees with ties and long keys."""
    for number in range(12):
        yield grow(default_recipe(kind.code), f"form {number}")
    for tree in map(tree_of, LONG_KEYS):
        if asked(kind, tree, tree.rules()) is not None:
            yield asked_of(kind, tree, tree.rules(), Terms(points=4, policy=read_policy("net")))


def moodle_blanks(exercise: Exercise) -> Sequence[Blank]:
    """The blanks of an exercise in Moodle."""
    (question,) = import_quiz(written("moodle", exam_with(exercise)))
    return question.blanks


def sorts_of_fields(exercise: Exercise) -> frozenset[tuple[str, ...]]:
    """What the fields of an exercise are on each platform that has fields of its own: type and width."""
    exam = exam_with(exercise)
    moodle = {
        ("moodle", blank.kind, "" if blank.kind.startswith("MULTI") else str(blank.width))
        for blank in moodle_blanks(exercise)
    }
    items = unpacked(written("canvas", exam)).values()
    types = re.findall(rb"question_type</fieldlabel><fieldentry>(\w+)", b"".join(items))
    canvas = {("canvas", each.decode()) for each in types} - {("canvas", "text_only_question")}
    (item,) = [text for name, text in unpacked(written("qti3", exam)).items() if name.startswith("items/q")
               and name.endswith(".xml")]  # fmt: skip
    qti = re.findall(rb'expected-length="\d+"|max-choices="\d+"|cardinality="\w+" base-type="\w+"', item)
    return frozenset(moodle | canvas | {("qti3", each.decode()) for each in qti})


@pytest.mark.sampled(6)
@pytest.mark.parametrize("kind", all_kinds(), ids=lambda kind: kind.code)
def test_types_and_widths_tell_nothing(kind: AnyKind) -> None:
    """The fields of an ask have the same types and widths in all its forms, whatever the key."""
    assert len(set(map(sorts_of_fields, exercises_of(kind)))) == 1


ROWS = {
    "branches": "paths, branches with `net`",
    "children-order": "order of children, payoffs to choose",
    "count": "number, count",
    "move": "move, path |",
    "number": "number, count",
    "order": "order, with `keep` as well",
    "path": "move, path |",
    "paths": "paths, branches with `net`",
    "payoffs": "order of children, payoffs to choose",
    "truth": "true or false",
    "vector": "vector of payoffs",
}
"""The rows of the table of differences, by form, where the row does not begin with the name of the form."""


def test_the_table_of_differences_is_complete() -> None:
    """Every form has its row in the documentation, which says choice or box as Moodle's field is."""
    page = (HOME / "docs" / "platforms.md").read_text(encoding="utf-8")
    for kind in {kind.form.name: kind for kind in all_kinds()}.values():
        name = ROWS.get(kind.form.name, kind.form.name)
        (row,) = [line for line in page.splitlines() if line.startswith(f"| {name}")]
        exercise = grow(default_recipe(kind.code), "row")
        types = {blank.kind for blank in moodle_blanks(exercise)}
        words = {"MULTICHOICE": "one choice", "MULTIRESPONSE": "boxes to tick"}
        assert all(words.get(each, "box") in row.split(" | ")[1] for each in types), row
