"""Exams for tests of exports: one variant of a kind, and one with hostile words in every place."""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from zipfile import ZipFile

from grader.answers.form import Terms
from grader.answers.policies import read_policy
from grader.exam.manifest import Exam, Origin, Seat
from grader.exam.paper import Heading, Paper, Question
from grader.exercises.exercise import Exercise, make_exercise
from grader.generation.grower import exercise_on_tree
from grader.publishing.lms.page import pages_of
from grader.publishing.lms.zip_package import zip_members
from grader.publishing.platforms import Export, find_exports
from grader.questions import kind_by_code
from grader.tables.student_directory import Student
from grader.trees.notation.reading import tree_of
from tests.exam.written import write_paper
from tests.publishing.lms.import_faults import FAULT_FINDERS
from tests.publishing.papers import paper_in_words, paper_of

ADA = Student("0042", "Ada Lovelace", "ada@example.org", "ada")
BEN = Student("0043", "Ben", "ben@example.org")

PROGRAM = "serverFilesCourse/"
"""Where PrairieLearn looks for programs that questions share."""

PRUNING = "MAX A (MIN B (MAX D (3 12) MAX E (8 2)) MIN C (MAX F (4 6) MAX G (14 5)))"
THIRDS = "MAX A (CHANCE B (1 2 5) CHANCE C (0 -4 -3))"


@dataclass(frozen=True, slots=True, eq=False)
class Held(Exam):
    """An exam with its papers as they are: no record could be read that has names like these tests'.

    Two with the same records are the same.
    """

    held: tuple[Paper, ...] = ()

    @property
    def papers(self) -> Iterator[Paper]:
        """The papers."""
        return iter(self.held)


def exam_of(*papers: Paper) -> Exam:
    """An exam of these papers, the first two for Ada and Ben."""
    seats = [
        Seat(student, paper.code, f"paper-{paper.code}")
        for student, paper in zip((ADA, BEN), papers, strict=False)
    ]
    variants = tuple(map(write_paper, papers))
    return Held(Origin("0" * 64, "1" * 64), papers[0].heading, tuple(seats), variants, held=papers)


def export_named(name: str) -> Export:
    """The export with this name."""
    (export,) = find_exports((name,))
    return export


@cache
def written(name: str, exam: Exam) -> bytes:
    """The file that an export makes of an exam, which has no faults; made once for all tests."""
    data = written_anew(name, exam)
    if name == "prairielearn":  # the copy of this program in it is the same for all exams
        members = unpacked(data).items()
        assert faults(name, {member: text for member, text in members if PROGRAM not in member}) == []
    else:
        assert faults(name, data) == []
    return data


def written_anew(name: str, exam: Exam) -> bytes:
    """The file that an export makes of an exam, made once more."""
    export, file = export_named(name), io.BytesIO()
    with export.open_export(exam, file) as write:
        for paper in exam.papers:
            write(export.make_pieces(paper, pages_of(paper)))
    return file.getvalue()


def faults(name: str, file: bytes | Mapping[str, bytes]) -> list[str]:
    """The faults of a file of an export, or of the members of a zip."""
    data = file if isinstance(file, bytes) else zip_members(file)
    return list(FAULT_FINDERS[name](io.BytesIO(data)))


def unpacked(data: bytes) -> dict[str, bytes]:
    """The members of a zip file."""
    with ZipFile(io.BytesIO(data)) as package:
        return {name: package.read(name) for name in package.namelist()}


@cache
def exam_of_kind(kind: str) -> Exam:
    """An exam with one question of a kind in one variant."""
    return exam_of(paper_of(kind))


@cache
def exam_in_words(words: str, name: str) -> Exam:
    """An exam in which every text is these words, and one node has this name."""
    paper = paper_in_words(words, name)
    choosing = []
    for kind_name in ("best-move", "pruned-branches", "visiting-order", "best-path"):
        kind = kind_by_code(kind_name)
        tree = tree_of("MAX A (m1: MIN B (3 12 8) m2: MIN C (q = 2 4 6))")
        swapped = {"B": name, "q": f"{name}."}
        given = tuple(swapped.get(each or "", each) for each in tree.given)
        moves = tuple(name if each == "m1" else each for each in tree.moves)
        tree = replace(tree, given=given, moves=moves)
        choosing.append(make_exercise(kind, tree, tree.rules(), Terms(points=2)))
    (question,) = paper.questions
    return exam_of(replace(paper, questions=(question, Question("2", words, tuple(choosing)))))


def exercise_of(kind_name: str, text: str, policy: str = "net", **terms: bool) -> Exercise:
    """An exercise about a tree, worth four points."""
    kind, tree = kind_by_code(kind_name), tree_of(text)
    return exercise_on_tree(tree, kind, tree.rules(), Terms(points=4, policy=read_policy(policy), **terms))


def exam_with(*parts: Exercise, follow_through: bool = False, codes: str = "A") -> Exam:
    """An exam of one question with these parts, the same in every variant."""
    question = Question("1", "A question", parts, follow_through)
    return exam_of(*(Paper(Heading("A quiz"), code, (question,)) for code in codes))


def exam_of_variants(kind: str, *trees: str) -> Exam:
    """An exam of one question in a variant for every tree."""
    papers = [
        Paper(Heading("A quiz"), chr(ord("A") + number), (Question("1", "", (exercise_of(kind, tree),)),))
        for number, tree in enumerate(trees)
    ]
    return exam_of(*papers)
