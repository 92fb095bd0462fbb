"""The LaTeX picture: brackets that nest, words that stay words, a document that compiles."""

import re
import shutil
import unicodedata
from pathlib import Path

import pytest

from grader.base.catalogues import shipped_languages
from grader.pictures.latex import escape_tex, latex, missing_in_tex
from grader.pictures.latex_characters import MATHEMATICS
from tests.languages import SHIPPED
from tests.pictures.engines import ENGINES, compiled
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
    assert escape_tex(r"50% of $x_1 & {y}~#^\ ") == (
        r"50\% of \$x\_1 \& \{y\}\textasciitilde{}\#\textasciicircum{}\textbackslash{}"
    )
    assert escape_tex("−7/3 ≤ ∞") == r"$-$7/3 $\leq$ $\infty$"


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


def lettered(words: str) -> dict[str, str | None]:
    """For each character of which LaTeX is told something: what it prints where it has no letter."""
    return {each.sign: each.instead for each in missing_in_tex(words)}


def test_letters_that_every_engine_has_are_left_to_it() -> None:
    """Nothing is said of accented letters, quotation marks and dashes, which the encoding T1 has."""
    assert lettered("Łódź, Čapek, Ørsted, Ğ, œuvre: „l’été“ « – — › ¿ ½ ×") == {}
    assert lettered("Zoe\u0308") == {}
    assert escape_tex("Zoe\u0308") == "Zoë"


def test_mathematics_stands_for_letters_that_are_missing() -> None:
    """A letter of mathematics is printed as such where there is none in the font, any other one as a box."""
    assert lettered("α₁ ⇒ √2 ∈ ℝ") == {
        "α": r"\ensuremath{\alpha}",
        "₁": r"\ensuremath{_{1}}",
        "⇒": r"\ensuremath{\Rightarrow}",
        "√": r"\ensuremath{\surd}",
        "∈": r"\ensuremath{\in}",
        "ℝ": r"\ensuremath{\mathbb{R}}",
    }
    assert lettered("日Ж€") == dict.fromkeys("日Ж€")
    assert lettered("❤\ufe0f \u200d") == {"❤": None, "\ufe0f": "", "\u200d": ""}


def test_a_line_may_end_between_ideographs() -> None:
    """Chinese and Japanese have no blanks, so a line may end between letters, but not before a stop."""
    document = latex(read('MAX "日。" (1 "Ж")'))
    assert r"\letterelse[\maybreak]{65E5}{日}{\boxedletter{65E5}}" in document
    assert r"\letterelse{3002}{。}{\boxedletter{3002}}" in document
    assert r"\letterelse{0416}{Ж}{\boxedletter{0416}}" in document
    assert "maybreak" not in latex(read('MAX "Ж" (1 2)'))


@pytest.mark.parametrize("code", shipped_languages())
def test_every_language_is_printed(code: str) -> None:
    """No character of the sentences of a language is a box, unless it is a Chinese one."""
    said = (SHIPPED / f"{code}.po").read_text(encoding="utf-8") if code != "en" else ""
    boxes = {sign for sign, instead in lettered(said).items() if instead is None}
    assert {sign for sign in boxes if unicodedata.east_asian_width(sign) not in "WF"} == set()
    assert bool(boxes) == (code == "zh")


def test_boxes_are_told_of_where_they_may_stand() -> None:
    """A document with letters that may be missing says so when it is compiled; no other one does."""
    assert r"\PackageWarningNoLine{gametree}" in latex(read('MAX "Ж" (MIN "日" (1 2) 3)'))
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
    compiled("pdflatex", document, tmp_path)
    assert tmp_path.joinpath("tested.pdf").stat().st_size > 1000


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_mathematics_is_printed(engine: str, tmp_path: Path) -> None:
    """Every character for which there is mathematics is printed by every engine, and none as a box."""
    leaves = " ".join(f'"{sign}"' for sign in MATHEMATICS)
    log = compiled(engine, latex(read(f"MAX ({leaves})")), tmp_path)
    assert "Missing character" not in log
    assert "There are no letters" not in log
    assert "for U+65E5: boxes" in compiled(engine, latex(read('MAX "日" (1 "α")')), tmp_path)
