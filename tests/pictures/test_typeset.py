"""PDF and PNG: made from the same picture, without TeX, the same bytes every time."""

import json
import string
import struct

import pytest
import typst

from grader.pictures.labels import text_width
from grader.pictures.outputs import OUTPUTS, Output
from grader.pictures.pdf import MAX_IMAGE_PIXELS, pdf, png
from grader.pictures.view import View
from tests.pictures.gallery import TEXTBOOK, Exhibit, gallery, read, solved, uniform
from tests.pictures.test_svg import HOSTILE, hostile

FEW = ("textbook", "textbook solved", "marked", "nine players", "single leaf")


@pytest.mark.parametrize(
    "exhibit", [exhibit for exhibit in gallery() if exhibit.name in FEW], ids=lambda exhibit: exhibit.name
)
def test_pdf_is_accessible_and_repeatable(exhibit: Exhibit) -> None:
    """A picture becomes a tagged PDF/UA-1 document, byte by byte the same when made again."""
    page = pdf(exhibit.tree, view=exhibit.view, paths=exhibit.paths)
    assert page.startswith(b"%PDF-")
    assert b"pdfuaid" in page
    assert page == pdf(exhibit.tree, view=exhibit.view, paths=exhibit.paths)


def test_a_script_without_a_font_is_still_a_page() -> None:
    """A name in a script for which no font is at hand does not stop the page from being made."""
    exhibit = next(exhibit for exhibit in gallery() if exhibit.name == "other alphabets")
    assert pdf(exhibit.tree, view=exhibit.view).startswith(b"%PDF-")
    assert png(exhibit.tree, view=exhibit.view).startswith(b"\x89PNG")


def test_png_is_as_large_as_asked() -> None:
    """A PNG has `scale` pixels for each pixel of the drawing, but never a side beyond the limit."""
    tree = read(TEXTBOOK)
    one, two = (struct.unpack(">II", png(tree, scale=scale)[16:24]) for scale in (1.0, 2.0))
    assert [round(long / short, 1) for long, short in zip(two, one, strict=True)] == [2.0, 2.0]
    tall = png(read(uniform((20, 40))), scale=2.0)
    assert max(struct.unpack(">II", tall[16:24])) <= MAX_IMAGE_PIXELS + 1


@pytest.mark.parametrize("scale", [-3.0, 0.0, float("nan"), float("inf")])
def test_a_scale_is_above_zero(scale: float) -> None:
    """A PNG of no or less than no size is refused in words."""
    with pytest.raises(ValueError, match="the scale must be a number above 0"):
        png(read(TEXTBOOK), scale=scale)


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_words_do_not_disturb_the_typesetter(words: str) -> None:
    """No name, move or title can break out of the data that the typesetter is given."""
    assert pdf(hostile(words), names="all").startswith(b"%PDF-")


def test_the_table_of_widths_is_never_too_small() -> None:
    """Real widths in the embedded family, in every style, never exceed what the layout reckons with."""
    characters = string.ascii_letters + string.digits + string.punctuation + " −∞≤≥…·äÉñøßœŁαβΩщЖ"
    source = """
#set text(size: 1000pt, kerning: false, ligatures: false, fallback: false, font: "Libertinus Serif")
#let characters = json(bytes(sys.inputs.data))
#let styles = (("regular", "normal"), ("bold", "normal"), ("regular", "italic"))
#context [#metadata(characters.map(c => calc.max(
  ..styles.map(((w, s)) => measure(text(weight: w, style: s, c)).width.pt())))) <widths>]
"""
    compiler = typst.Compiler(
        source.encode(),
        font_paths=typst.Fonts(include_system_fonts=False),
        sys_inputs={"data": json.dumps(list(characters))},
    )
    widths = json.loads(compiler.query("<widths>", field="value", one=True))
    assert [c for c, width in zip(characters, widths, strict=True) if width > text_width(c, 1000) + 0.5] == []


@pytest.mark.parametrize("output", OUTPUTS, ids=lambda output: output.suffix)
def test_every_output_draws_question_and_solution(output: Output) -> None:
    """Every kind of file in the table takes a tree, and shows something else for its solution."""
    tree = read(TEXTBOOK)
    question, solution = (output.draw(tree, view, {}) for view in (View.question(tree), solved(tree)))
    assert question
    assert solution
    assert question != solution
    assert question == output.draw(tree, View.question(tree), {})
