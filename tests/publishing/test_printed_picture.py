"""The words of a picture in print: each stands where the drawing has it, many of them in one text."""

import json
from contextlib import closing
from typing import Any

import pypdfium2
import pytest

from grader.base.phrases import Language
from grader.pictures.svg import Picture, picture
from grader.pictures.typesetting import _compiler
from grader.pictures.view import View
from grader.publishing import printed_picture as printing
from grader.publishing.printed_picture import _ADVANCES, _LAST, _SPACES, printed_picture
from grader.solvers.solution import solve
from grader.trees.notation.reading import tree_of

PICTURES = {
    "letters": "MAX T (MIN V (MIN W (11 -7) MIN Y (1.5 100)) MIN A (MAX O (7 1) MAX Q (0 -44)))",
    "words": "MAX Avila (MIN To (3 12 8) MIN Tver (2 4 6) MIN Yps (14 5 2))",
    "chance": "@bounds [0, 10]\nMAX A (CHANCE B (0.3: 2, 0.7: MIN D (9 4)) CHANCE C (MIN E (1 8) 3 5))",
    "moves and unknowns": "MAX A (left: MIN B (3 x 8), right: MIN C (y 4 6))",
    "three players": "P1 A (P2 B (<1, 2, 6> <4, 3, 2>) P3 C (<6, 1, 2> <7, 4, 1>))",
    "large": f"MAX ({' '.join(f'MIN ({number} {-number} {number / 4})' for number in range(30))})",
}


def drawn(name: str, code: str) -> Picture:
    """The solution of a tree, with its windows and leaf numbers."""
    tree = tree_of(PICTURES[name])
    view = View.solution(solve(tree, tree.rules()), windows=True, language=Language.of(code))
    return picture(tree, view=view, names="all", paths=True, direction="down")


def signs(source: str, data: Any) -> list[tuple[str, float, float]]:
    """Every sign that is set with its place, in points, in the order in which it is set."""
    written = f'#import "/sheet.typ": *\n#let data = json(bytes(sys.inputs.data))\n{source}'
    pdf = _compiler(False).compile(
        input=written.encode(), format="pdf", sys_inputs={"data": json.dumps(data)}
    )
    found = []
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        for page in document:
            words = page.get_textpage()
            for place in range(words.count_chars()):
                sign = chr(pypdfium2.raw.FPDFText_GetUnicode(words, place))
                x, y = pypdfium2.raw.c_double(), pypdfium2.raw.c_double()
                assert pypdfium2.raw.FPDFText_GetCharOrigin(words, place, x, y)
                found.append((sign, x.value, y.value))
    return found


def placed(data: dict[str, Any]) -> list[tuple[str, float, float]]:
    """Every sign of a picture in print that is seen, sorted, with its place."""
    seen = [each for each in signs("#picture(data)", data) if not each[0].isspace()]
    return sorted(seen, key=lambda each: (each[0], round(each[2]), each[1]))


@pytest.mark.parametrize("bold", [False, True])
def test_signs_are_as_wide_as_in_the_font(bold: bool) -> None:
    """Between two zeros, of which nobody knows how they would be drawn together with it."""
    known = _ADVANCES[bold] | {space: width for width, space in _SPACES}
    weight = "bold" if bold else "regular"
    source = (
        f'#set text(font: "Libertinus Serif", size: 100pt, weight: "{weight}")\n'
        '#for sign in data [#page("0" + sign + "0")]'
    )
    zeros = [x for sign, x, _ in signs(source, [sign for sign in known if sign != "0"]) if sign == "0"]
    widths = [
        10 * (after - before) - known["0"] for before, after in zip(zeros[::2], zeros[1::2], strict=True)
    ]
    assert widths == pytest.approx([width for sign, width in known.items() if sign != "0"], abs=1)


@pytest.mark.parametrize("bold", [False, True])
def test_signs_stand_side_by_side_without_kerning(bold: bool) -> None:
    """Two signs that may stand in one word, or behind the last space of a gap, are as wide as both."""
    known = _ADVANCES[bold] | {_LAST[1]: _LAST[0]}
    numbers = [sign for sign in known if not sign.isalpha()]
    pairs = [one + other for one in numbers for other in numbers] + [_LAST[1] + sign for sign in known]
    source = (
        f'#set text(font: "Libertinus Serif", size: 100pt, weight: "{"bold" if bold else "regular"}")\n'
        '#set page(width: auto, height: auto)\n#for pair in data [#("0" + pair + "0") \\ ]'
    )
    apart = [x for sign, x, _ in signs(source, [pair.replace("0", "1") for pair in pairs]) if sign == "0"]
    widths = [
        10 * (after - before) - known["0"] for before, after in zip(apart[::2], apart[1::2], strict=True)
    ]
    assert widths == pytest.approx([known[one] + known[other] for one, other in pairs], abs=2)


@pytest.mark.parametrize("code", ["en", "de"])
@pytest.mark.parametrize("name", PICTURES)
def test_words_of_a_line_stand_where_they_stand_alone(
    name: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A word is where it is when the typesetter measures and places every one by itself."""
    made = drawn(name, code)
    joined = printed_picture(made)
    monkeypatch.setattr(printing, "_width", lambda _words, _bold: None)
    alone = printed_picture(made)
    fewer, all_of_them = (sum(len(look["words"]) for look in data["words"]) for data in (joined, alone))
    assert fewer < all_of_them == len(made.drawing.texts)
    for one, other in zip(placed(joined), placed(alone), strict=True):
        assert one == (other[0], pytest.approx(other[1], abs=0.2), pytest.approx(other[2], abs=0.01))
