"""The laws of a sheet: what is said once is taken out of the questions, in every language alike."""

import re

import pytest

from grader.answers.form import Terms
from grader.exam.paper import Heading, Paper, Question, ScanMode
from grader.exercises.exercise import make_exercise
from grader.publishing.keys import key_pdf
from grader.publishing.lms.page import pages_of
from grader.publishing.paper_formats import paper_html, paper_latex, paper_markdown, paper_pdf, paper_text
from grader.publishing.sheet import RIGHTWARD_TREE_NOTE
from grader.questions import all_kinds, kind_by_code
from grader.trees.notation.reading import read_tree
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from tests.publishing.papers import exercise_of, printed


def test_a_space_that_breaks_no_line_is_kept() -> None:
    """In French no line of a paper begins with a colon: the space before it stays a no-break space."""
    terms = Terms(4, language_code="fr", decimal_comma=True)
    (kind,) = (kind for kind in all_kinds() if kind.code == "pruned-paths")
    heading = Heading("Examen", instructions="Durée\u00a0:  30 min.", language_code="fr")
    paper = Paper(heading, "A", (Question("1", "", (exercise_of(kind, terms),)),)).public
    page = re.sub("(?s)<script.*?</script>", "", paper_html(paper).decode())
    assert " :" not in page
    assert "Durée\u00a0: 30 min." in page
    for made in (paper_markdown, paper_text):
        assert "Durée\u00a0: 30 min." in made(paper).decode()
    assert "Durée~: 30 min." in paper_latex(paper).decode()


def asked_twice(rows: int, kind: str = "pruned-paths", scan: ScanMode = "") -> Paper:
    """A paper with two questions about the same tree, which has so many MIN nodes."""
    tree = read_tree(f"({' '.join(['(3 12 8)'] * rows)})")
    assert isinstance(tree, Tree)
    exercise = make_exercise(kind_by_code(kind), tree, Rules())
    return Paper(Heading("A quiz", scan=scan), "A", tuple(Question(label, "", (exercise,)) for label in "12"))


def words_of(file: bytes) -> str:
    """The words of a PDF, with single blanks between."""
    return " ".join(" ".join(printed(file)).split())


@pytest.mark.parametrize(
    ("rows", "kind", "times"),
    [(3, "pruned-paths", 0), (27, "pruned-paths", 1), (27, "root-value", 0), (27, "best-move", 1)],
)
def test_where_a_tree_is_turned_it_is_said_what_left_means(rows: int, kind: str, times: int) -> None:
    """A tree too wide for a page is drawn to the right; once that is said, where left means something."""
    paper = asked_twice(rows, kind)
    for said in (paper_pdf(paper.public), key_pdf(paper)):
        assert words_of(said).count(RIGHTWARD_TREE_NOTE) == times
    assert paper_html(paper.public).decode().count(RIGHTWARD_TREE_NOTE) == times
    assert paper_latex(paper.public).decode().replace("{,}", ",").count(RIGHTWARD_TREE_NOTE) == times
    for page in pages_of(paper):
        assert page.conventions.count(RIGHTWARD_TREE_NOTE) == times


@pytest.mark.parametrize(("rows", "times"), [(3, 0), (8, 0), (27, 1)])
def test_on_scanned_papers_it_is_said_of_trees_as_they_are_there(rows: int, times: int) -> None:
    """With room for boxes a tree may fit on a page downwards that is else turned, or be turned."""
    assert words_of(paper_pdf(asked_twice(rows, scan="bubbles").public)).count(RIGHTWARD_TREE_NOTE) == times
