"""The SVG picture as a document: well-formed, accessible, harmless, the same everywhere."""

import re
import subprocess
import sys
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest

from grader.base.phrases import PSEUDO, Language
from grader.pictures.labels import text_width
from grader.pictures.node_words import describe
from grader.pictures.pdf import png
from grader.pictures.svg import pictures, svg
from grader.pictures.view import View
from grader.solvers.solution import solve
from grader.trees.annotations import Header
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree
from grader.trees.tree_builder import TreeBuilder
from tests.pictures.gallery import CLAIMED, TEXTBOOK, Exhibit, gallery, page, read, solved

SPACE = "{http://www.w3.org/2000/svg}"
HOSTILE = (
    "<script>alert(1)</script>",
    "]]>&amp;<!--",
    '" onload="alert(1)',
    "{{ 7 * 7 }}{% raw %}",
    "\x00\x07\x1b[31m\u202egnp.exe\ud800\ufffe",
    "%s $HOME `id` \\input{secret} #eval",
    "x" * 5000,
)
EXHIBITS = pytest.mark.parametrize("exhibit", gallery(), ids=lambda exhibit: exhibit.name)


def painted(exhibit: Exhibit) -> str:
    """The SVG picture of an exhibit."""
    return svg(
        exhibit.tree,
        view=exhibit.view,
        direction=exhibit.direction,
        names=exhibit.names,
        paths=exhibit.paths,
    )


def hostile(words: str) -> Tree:
    """A tree in which every word anyone may choose is this one."""
    planting = TreeBuilder()
    root = planting.add(-1, Player.MAX, name=words)
    planting.add(root, None, 1, name=words + "'", move=words)
    planting.add(root, None, words)
    return planting.tree(Header(title=words, source=words))


@EXHIBITS
def test_every_picture_parses_and_holds_its_texts(exhibit: Exhibit) -> None:
    """Every picture is well-formed XML whose texts lie inside the viewBox."""
    root = ElementTree.fromstring(painted(exhibit))
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    texts = list(root.iter(f"{SPACE}text"))
    assert len(texts) >= len(exhibit.tree.leaves)
    for text in texts:
        x, y, size = (float(text.attrib[key]) for key in ("x", "y", "font-size"))
        length = text_width(text.text or "", size)
        before = {"start": 0.0, "middle": length / 2, "end": length}[text.attrib.get("text-anchor", "start")]
        assert left <= x - before + 0.1
        assert x - before + length <= width + 0.1
        assert top <= y - size / 2
        assert y <= height


def test_the_gallery_page(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The gallery page shows at least twenty trees, and no id occurs twice in it."""
    text = page()
    tmp_path_factory.mktemp("gallery").joinpath("gallery.html").write_text(text, encoding="utf-8")
    ids = re.findall(r'id="([^"]+)"', text)
    assert text.count("<svg ") == len(gallery()) >= 20
    assert len(set(ids)) == len(ids) == 2 * len(gallery())


@EXHIBITS
def test_every_picture_has_a_name_and_a_description(exhibit: Exhibit) -> None:
    """A picture is one image, labelled by a title and a description that are inside it."""
    root = ElementTree.fromstring(painted(exhibit))
    labels = root.attrib["aria-labelledby"].split()
    title, description = root.find(f"{SPACE}title"), root.find(f"{SPACE}desc")
    assert root.attrib["role"] == "img"
    assert title is not None
    assert description is not None
    assert [title.attrib["id"], description.attrib["id"]] == labels
    assert title.text
    assert description.text == describe(exhibit.tree, exhibit.view)


def test_the_description_tells_the_question_and_not_its_answer() -> None:
    """The description of a question names nodes and payoffs only; a solution's has values and crosses."""
    tree = read(TEXTBOOK)
    question = describe(tree)
    assert question == (
        "A game tree of 2 plies with 9 leaves. MAX A leads to MIN B, MIN C, MIN D. "
        "MIN B leads to 3, 12, 8. MIN C leads to 2, 4, 6. MIN D leads to 14, 5, 2."
    )
    assert describe(tree, solved(tree)) == (
        "A game tree of 2 plies with 9 leaves. MAX A (value 3) leads to MIN B, MIN C, MIN D. "
        "MIN B (value 3) leads to 3, 12, 8. MIN C (value ≤ 2) leads to 2, 4 [pruned], 6 [pruned]. "
        "MIN D (value 2) leads to 14, 5, 2."
    )


def test_a_question_is_drawn_without_its_answer() -> None:
    """The picture of a bare tree is the same whatever somebody claims and crosses on it."""
    claimed, plain = read(CLAIMED), read(TEXTBOOK)
    assert svg(claimed.bare()) == svg(plain)
    assert svg(claimed) != svg(plain)
    assert svg(plain, solve(plain, Rules())) != svg(plain)


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_words_are_only_ever_text(words: str) -> None:
    """Names, moves, titles and unknowns never become markup, attributes or control characters."""
    picture = svg(hostile(words), names="all")
    root = ElementTree.fromstring(picture)
    kinds = {element.tag.removeprefix(SPACE) for element in root.iter()}
    assert kinds <= {"svg", "title", "desc", "g", "path", "rect", "text", "circle"}
    assert not any(name.startswith("on") for element in root.iter() for name in element.attrib)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202e\ud800\ufffe]", picture)
    assert picture.encode()


def test_ids_come_from_the_page_or_from_the_picture() -> None:
    """Different pictures have different ids by themselves; a page can give its own."""
    tree = read(TEXTBOOK)
    own = [re.findall(r'id="([^"]+)"', picture) for picture in (svg(tree), svg(tree, paths=True))]
    assert not set(own[0]) & set(own[1])
    assert 'aria-labelledby="q3-title q3-desc"' in svg(tree, identity="q3")
    steps = [step.svg for step in pictures(tree, (View.question(tree), solved(tree)), "step")]
    assert ['id="step-0-title"' in steps[0], 'id="step-1-title"' in steps[1]] == [True, True]


def test_the_same_bytes_everywhere() -> None:
    """Another process with another hash seed paints the same picture."""
    program = (
        "from grader import read_tree; from grader.pictures.svg import svg; "
        f"print(svg(read_tree({TEXTBOOK!r})))"
    )
    painted_elsewhere = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert painted_elsewhere.rstrip("\n") == svg(read(TEXTBOOK))


def test_what_cannot_be_drawn_is_refused() -> None:
    """An option that does not exist, and the solution or the view of another tree, are refused in words."""
    tree, other = read(TEXTBOOK), read("MAX (1 2)")
    with pytest.raises(
        TypeError, match="a picture has no option 'foo'; it has direction, names, paths, title"
    ):
        svg(tree, foo=1)  # type: ignore[call-arg]  # that is the mistake
    with pytest.raises(ValueError, match="the solution belongs to another tree"):
        svg(tree, solve(other, Rules()))
    with pytest.raises(ValueError, match="the view is of a tree of 3 nodes, but this one has 13"):
        svg(tree, view=View.question(other))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"direction": "up"}, "direction is 'down' or 'right' or None, not 'up'"),
        ({"names": "x"}, "names is 'given' or 'all' or 'none', not 'x'"),
        ({"paths": "no"}, "paths is True or False, not 'no'"),
        ({"title": 3}, "the title must be a text, not 3"),
        ({"solution": 3}, "this is not a solution: 3"),
        ({"view": "x"}, "this is not a view: 'x'"),
        ({"scale": "x"}, "the scale must be a number above 0, not 'x'"),
    ],
)
def test_a_choice_that_there_is_not(asked: dict[str, Any], said: str) -> None:
    """A choice that a picture does not have is refused with those there are, by SVG as by PNG."""
    for draw in (svg, png) if "scale" not in asked else (png,):
        with pytest.raises((ValueError, TypeError), match=re.escape(said)):
            draw(read(TEXTBOOK), **asked)


def test_the_solution_of_a_part_is_drawn() -> None:
    """A solution with a depth limit belongs to the whole tree and to the part that was searched."""
    tree = read("@depth 1\nMAX A (MIN B {eval=3} (3 12) MIN C {eval=4} (2 4))")
    solution = solve(tree, tree.rules())
    assert svg(tree, solution) == svg(solution.tree, solution)


@EXHIBITS
def test_every_sentence_can_be_translated(exhibit: Exhibit) -> None:
    """In the pseudo-language every sentence of a description is lengthened, down to its shortest part."""
    told = describe(exhibit.tree, replace(exhibit.view, language=Language(PSEUDO)))
    while told != (told := re.sub(r"«[^«»]*»", "", told)):
        pass
    assert told.strip() == ""


def test_signs_do_not_need_colour() -> None:
    """A pruned branch is dashed and has bars; right, wrong and what follows have different shapes."""
    marked = next(exhibit for exhibit in gallery() if exhibit.name == "marked")
    root = ElementTree.fromstring(painted(marked))
    dashed = [path for path in root.iter(f"{SPACE}path") if "stroke-dasharray" in path.attrib]
    outlines = {
        path.attrib["stroke"]: "".join(sign for sign in path.attrib["d"] if sign in "ML")
        for path in root.iter(f"{SPACE}path")
        if path.attrib.get("stroke") in ("#1b6e35", "#b3261e", "#5b3d8f")
    }
    assert dashed
    assert outlines == {"#1b6e35": "MLL", "#b3261e": "MLML", "#5b3d8f": "MLMLL"}


def test_a_large_tree_is_described_by_its_size() -> None:
    """Nobody has to listen to ten thousand branches."""
    wide = read("MAX (" + " ".join(map(str, range(500))) + ")")
    assert describe(wide) == "A game tree of 1 ply with 500 leaves."
