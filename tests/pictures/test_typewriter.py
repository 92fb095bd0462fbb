"""The picture in characters."""

import pytest
from hypothesis import given

from grader.base.line_wrapping import display_width
from grader.pictures.text import text_picture
from grader.pictures.view import View
from grader.solvers.solution import solve
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from tests.conftest import a_part
from tests.pictures.gallery import CHANCE, TEXTBOOK, Exhibit, gallery, read, uniform
from tests.pictures.test_svg import HOSTILE, hostile
from tests.strategies import trees

EXHIBITS = pytest.mark.parametrize("exhibit", gallery(), ids=lambda exhibit: exhibit.name)


def shown(picture: str) -> str:
    """A picture as it stands in a test: on lines of its own."""
    return f"\n{picture}\n"


def test_the_textbook_tree_solved() -> None:
    """The root is at the top, values stand at the nodes, crosses on the pruned branches."""
    tree = read(TEXTBOOK)
    assert (
        shown(text_picture(tree, solve(tree, Rules())))
        == """
          △ A = 3
    ┌────────┼─────────┐
 ▽ B = 3  ▽ C ≤ 2   ▽ D = 2
┌───┼──┐  ┌──┼──┐   ┌──┼──┐
│   │  │  │  ╳  ╳   │  │  │
3  12  8  2  4  6  14  5  2
"""
    )


def test_the_same_in_ascii() -> None:
    """Without Unicode the players are spelled out and the branches typed."""
    tree = read(TEXTBOOK)
    assert (
        shown(text_picture(tree, solve(tree, Rules()), ascii=True))
        == """
            MAX A = 3
    +-----------+----------+
MIN B = 3  MIN C <= 2  MIN D = 2
+---+--+     +--+--+    +--+--+
|   |  |     |  X  X    |  |  |
3  12  8     2  4  6   14  5  2
"""
    )


def test_chance_and_moves() -> None:
    """Moves and probabilities stand on the branches."""
    assert (
        shown(text_picture(read(CHANCE)))
        == """
                        △
       ┌────────────────┼───────────────┐
     left             right          middle
      ○ L              ○ R              2
 ┌─────┼──────┐     ┌───┴────┐
1/2   1/3    1/6   0.9      0.1
 3   −7/3  ▽ deep  10        △
             ┌┴─┐         ┌──┴──┐
             4  5       −100  −99.5
"""
    )


def test_an_outline_when_it_is_too_wide() -> None:
    """A tree wider than the terminal becomes an outline in which plain leaves share a line."""
    tree = read(TEXTBOOK)
    assert (
        shown(text_picture(tree, solve(tree, Rules()), width=33, paths=True))
        == """
△ A = 3
├─ ▽ B = 3:  3 #1  12 #2  8 #3
├─ ▽ C ≤ 2:  2 #4  ╳4 #5  ╳6 #6
└─ ▽ D = 2:  14 #7  5 #8  2 #9
"""
    )


@EXHIBITS
def test_every_payoff_is_there(exhibit: Exhibit) -> None:
    """Every payoff of a tree is in its picture, wide or narrow, and no line ends in a blank."""
    for width in (30, 200):
        picture = text_picture(exhibit.tree, view=exhibit.view, width=width, ascii=True, names="all")
        assert len(picture.split()) >= len(exhibit.tree.leaves)
        assert all(line == line.rstrip() for line in picture.split("\n"))


@a_part(3)
@given(
    trees(plies=5, leaves=20, chance=True, names=True, moves=True, claims=True, crosses=True, attributes=True)
)
def test_words_do_not_run_together(tree: Tree) -> None:
    """Every leaf number stands apart, downwards and in the outline, and ASCII stays ASCII."""
    numbers = {f"#{path}" for path in range(1, len(tree.leaves) + 1)}
    for width in (1, 79, 5000):
        picture = text_picture(tree, width=width, paths=True, ascii=True)
        assert picture.isascii()
        assert numbers <= set(picture.split())


@given(trees(plies=4, leaves=12, names=True, moves=True))
def test_what_is_drawn_downwards_fits(tree: Tree) -> None:
    """A picture with the root at the top is never wider than asked; one column less makes an outline."""
    picture = text_picture(tree, width=5000)
    width = max(map(display_width, picture.split("\n")))
    assert text_picture(tree, width=width + 1) == picture
    assert text_picture(tree, width=width - 1) != picture or len(tree) == 1


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_words_do_not_reach_the_terminal(words: str) -> None:
    """No name or move can move the cursor, ring the bell or add a line."""
    picture = text_picture(hostile(words), names="all")
    assert all(character.isprintable() or character == "\n" for character in picture)
    assert picture.count("\n") <= 6
    assert text_picture(hostile(words), names="all", ascii=True).isascii()


def test_wide_characters_take_two_columns() -> None:
    """East Asian characters take two columns, combining marks none."""
    assert [display_width("ab"), display_width("日本"), display_width("e\u0301")] == [2, 4, 1]


def test_a_step_of_a_search() -> None:
    """The node a search is at is pointed out."""
    tree = read(TEXTBOOK)
    first = View.steps(solve(tree, Rules()))[0]
    assert ">△ A<" in text_picture(tree, view=first)


def test_a_large_outline() -> None:
    """A tree of ten thousand leaves is an outline of one line for each node above a leaf."""
    picture = text_picture(read(uniform((10, 10, 10, 10))))
    assert picture.count("\n") + 1 == 1 + 10 + 100 + 1000
