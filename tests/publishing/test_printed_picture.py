"""The words of a picture in print: each stands where the drawing has it."""

import pytest

from grader.base.phrases import Language
from grader.pictures.svg import picture
from grader.pictures.view import View
from grader.publishing.printed_picture import printed_picture
from grader.solvers.solution import solve
from grader.trees.notation.reading import tree_of

PICTURES = {
    "letters": "MAX T (MIN V (MIN W (11 -7) MIN Y (1.5 100)) MIN A (MAX O (7 1) MAX Q (0 -44)))",
    "words": "MAX Avila (MIN To (3 12 8) MIN Tver (2 4 6) MIN Yps (14 5 2))",
    "chance": "@bounds [0, 10]\nMAX A (CHANCE B (0.3: 2, 0.7: MIN D (9 4)) CHANCE C (MIN E (1 8) 3 5))",
    "moves and unknowns": "MAX A (left: MIN B (3 x 8), right: MIN C (y 4 6))",
    "three players": "P1 A (P2 B (<1, 2, 6> <4, 3, 2>) P3 C (<6, 1, 2> <7, 4, 1>))",
}


@pytest.mark.parametrize("code", ["en", "de"])
@pytest.mark.parametrize("name", PICTURES)
def test_every_word_stands_where_it_is_drawn(name: str, code: str) -> None:
    """The typesetter gets every text of the drawing once, with its place and its style."""
    tree = tree_of(PICTURES[name])
    view = View.solution(solve(tree, tree.rules()), windows=True, language=Language.of(code))
    made = picture(tree, view=view, names="all", paths=True, direction="down")
    printed = [
        (x, y, words, look["anchor"], look["size"], look["bold"], look["italic"])
        for look in printed_picture(made)["words"]
        for x, y, words in look["words"]
    ]
    drawn = []
    for text in made.drawing.texts:
        style = text.style
        place = round(text.x, 1), round(text.y, 1)
        drawn.append((*place, text.words, text.anchor, style.size, style.bold, style.italic))
    assert sorted(printed) == sorted(drawn)
