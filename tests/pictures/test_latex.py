"""The LaTeX picture: brackets that nest, words that stay words, a document that compiles."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from grader.pictures.latex import latex, tex
from tests.pictures.gallery import TEXTBOOK, Exhibit, gallery, read, solved
from tests.pictures.test_svg import HOSTILE, hostile

EXHIBITS = gallery()


def source(exhibit: Exhibit) -> str:
    """The LaTeX document of an exhibit."""
    return latex(
        exhibit.tree,
        view=exhibit.view,
        direction=exhibit.direction,
        names=exhibit.names,
        paths=exhibit.paths,
    )


def nested(document: str) -> tuple[int, int]:
    """How many brackets of the forest open and close; braces must balance on every line of it."""
    body = document.split(r"\begin{forest}")[1].split(r"\end{forest}")[0]
    opened = closed = 0
    for line in body.splitlines():
        bare = re.sub(r"\\.", "", line)
        if not line.lstrip().startswith("["):
            continue
        assert bare.count("{") == bare.count("}"), line
        outside = re.sub(r"\{[^{}]*\}", "", bare)
        while outside != (outside := re.sub(r"\{[^{}]*\}", "", outside)):
            pass
        opened += outside.count("[")
        closed += outside.count("]")
    return opened, closed


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=lambda exhibit: exhibit.name)
def test_one_bracket_for_each_node(exhibit: Exhibit) -> None:
    """The forest opens one bracket for every node and closes them all."""
    assert nested(source(exhibit)) == (len(exhibit.tree), len(exhibit.tree))


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_words_are_only_ever_text(words: str) -> None:
    """No name, move, title or unknown can add a bracket, a comment, a command or a line."""
    tame, wild = latex(hostile("tame"), names="all"), latex(hostile(words), names="all")
    assert nested(wild) == nested(tame) == (3, 3)
    assert len(wild.split(r"\begin{document}")[1].splitlines()) == len(
        tame.split(r"\begin{document}")[1].splitlines()
    )
    assert r"\input{" not in wild


def test_escapes() -> None:
    """Every character that means something to LaTeX is written so that it prints itself."""
    assert tex(r"50% of $x_1 & {y}~#^\ ") == (
        r"50\% of \$x\_1 \& \{y\}\textasciitilde{}\#\textasciicircum{}\textbackslash{}"
    )
    assert tex("−7/3 ≤ ∞") == r"$-$7/3 $\leq$ $\infty$"


def test_the_solution_shows() -> None:
    """Values, windows and crosses are in the source of a solution and not in that of the question."""
    tree = read(TEXTBOOK)
    question, answer = latex(tree), latex(tree, view=solved(tree, windows=True))
    assert [question.count(r"$\Vert$"), answer.count(r"$\Vert$")] == [0, 2]
    assert [question.count(r"\treewindow{["), answer.count(r"\treewindow{[")] == [0, 4]
    assert r"\textbf{$\leq$ 2}" in answer


def test_every_player_has_a_shape_of_its_own() -> None:
    """In a game of nine players no two shapes are alike."""
    exhibit = next(exhibit for exhibit in EXHIBITS if exhibit.name == "nine players")
    outlines = dict(re.findall(r"\\seatshape\{(\d)\}\{([^{}]+)\}", source(exhibit)))
    assert sorted(outlines) == list("123456789")
    assert len(set(outlines.values())) == 9


def test_letters_that_pdflatex_lacks_are_warned_of() -> None:
    """A document with letters that pdfLaTeX lacks says so when it is compiled; others say nothing."""
    warned = latex(read('MAX "Ω" (MIN "日" (1 2) 3)'))
    assert r"\PackageWarningNoLine{gametree}{pdfLaTeX has no letters for U+03A9 U+65E5:" in warned
    assert "Warning" not in latex(read('MAX "Łódź" (1 2)'))


@pytest.mark.skipif(
    shutil.which("pdflatex") is None,
    reason="no pdflatex on this machine: the structure of the source is checked by the tests above",
)
@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(EXHIBITS) + len(HOSTILE)))
def test_it_compiles(number: int, tmp_path: Path) -> None:
    """Every exhibit, and every hostile word, compiles with pdfLaTeX to a page."""
    document = (
        source(EXHIBITS[number])
        if number < len(EXHIBITS)
        else latex(hostile(HOSTILE[number - len(EXHIBITS)]), names="all")
    )
    tmp_path.joinpath("tree.tex").write_text(document, encoding="utf-8")
    run = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "tree.tex"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout.decode(errors="replace")[-2000:]
    assert tmp_path.joinpath("tree.pdf").stat().st_size > 1000
