"""Where things go in a picture: nothing overlaps, nothing sticks out, whatever the tree."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.base.safe_text import MAX_LABEL_LENGTH, safe_line, unsafe_places
from grader.pictures.labels import text_width
from grader.pictures.layout import MAX_DOWNWARD_WIDTH, Drawing, Rectangle, draw, draw_all
from grader.pictures.placement import Direction
from grader.pictures.view import View
from grader.trees.tree import Player, Tree
from grader.trees.tree_builder import TreeBuilder
from tests.pictures.gallery import TEXTBOOK, Exhibit, gallery, read, solved, uniform
from tests.strategies import trees

EXHIBITS = pytest.mark.parametrize("exhibit", gallery(), ids=lambda exhibit: exhibit.name)


def drawn(exhibit: Exhibit) -> Drawing:
    """The drawing of an exhibit."""
    return draw(
        exhibit.tree, exhibit.view, direction=exhibit.direction, names=exhibit.names, paths=exhibit.paths
    )


def solids(drawing: Drawing) -> list[tuple[str, Rectangle]]:
    """Everything with a body: texts, shapes, signs and bars; a framed text counts once, as its frame."""
    framed = {"claim", "path", "seat"}
    return [
        *((f"{text.words!r} at {text.node}", text.box) for text in drawing.texts if text.role not in framed),
        *(
            (f"{shape.role} of {shape.node}", shape.box)
            for shape in drawing.shapes
            if shape.role != "current"
        ),
        *((f"{stroke.role} of {stroke.node}", stroke.box) for stroke in drawing.strokes),
    ]


def meet(one: Rectangle, other: Rectangle) -> bool:
    """Whether two boxes share more than a hair's breadth."""
    hair = 0.01
    return (
        one[0] < other[2] - hair
        and other[0] < one[2] - hair
        and one[1] < other[3] - hair
        and other[1] < one[3] - hair
    )


def overlaps(drawing: Drawing) -> list[tuple[str, str]]:
    """The pairs of solids that overlap."""
    bodies = sorted(solids(drawing), key=lambda body: body[1][1])
    found = []
    for index, (name, box) in enumerate(bodies):
        for other, other_box in bodies[index + 1 :]:
            if other_box[1] >= box[3]:
                break
            if meet(box, other_box):
                found.append((name, other))
    return found


def crossed_texts(drawing: Drawing) -> list[tuple[str, int]]:
    """The texts that a branch runs through, with the node below it; a label may sit on its own branch."""
    found = []
    for text in drawing.texts:
        left, top, right, bottom = text.box
        for edge in drawing.edges:
            if text.role == "seat" or (text.role == "move" and edge.node == text.node):
                continue
            for start, end in pairwise(edge.points):
                if cuts(start, end, (left + 0.5, top + 0.5, right - 0.5, bottom - 0.5)):
                    found.append((text.words, edge.node))
    return found


def cuts(start: tuple[float, float], end: tuple[float, float], box: Rectangle) -> bool:
    """Whether a straight line enters a box (Liang and Barsky's clipping)."""
    first, last = 0.0, 1.0
    for axis in (0, 1):
        way, low, high = end[axis] - start[axis], box[axis] - start[axis], box[axis + 2] - start[axis]
        if way == 0:
            if low > 0 or high < 0:
                return False
            continue
        near, far = sorted((low / way, high / way))
        first, last = max(first, near), min(last, far)
    return first < last


@EXHIBITS
def test_nothing_overlaps_in_the_gallery(exhibit: Exhibit) -> None:
    """No two texts, shapes, signs or bars of a picture overlap."""
    assert overlaps(drawn(exhibit)) == []


@EXHIBITS
@pytest.mark.parametrize("direction", ["down", "right"])
def test_nothing_overlaps_either_way(exhibit: Exhibit, direction: Direction) -> None:
    """A picture can be drawn in both directions, with every name and leaf number, without overlaps."""
    drawing = draw(exhibit.tree, exhibit.view, direction=direction, names="all", paths=True)
    assert overlaps(drawing) == []
    assert crossed_texts(drawing) == []


@EXHIBITS
def test_no_branch_runs_through_words(exhibit: Exhibit) -> None:
    """No branch runs through a text, except through the label that sits on it."""
    assert crossed_texts(drawn(exhibit)) == []


@EXHIBITS
def test_everything_is_inside(exhibit: Exhibit) -> None:
    """Every text, shape, sign and corner of a branch lies inside the picture."""
    drawing = drawn(exhibit)
    boxes = [box for _, box in solids(drawing)] + [shape.box for shape in drawing.shapes]
    boxes += [(x, y, x, y) for edge in drawing.edges for x, y in edge.points]
    assert min(box[0] for box in boxes) >= 0
    assert min(box[1] for box in boxes) >= 0
    assert max(box[2] for box in boxes) <= drawing.width
    assert max(box[3] for box in boxes) <= drawing.height


@given(
    trees(
        plies=5,
        leaves=20,
        chance=True,
        unknowns=True,
        names=True,
        moves=True,
        claims=True,
        crosses=True,
        attributes=True,
    )
    | trees(plies=5, leaves=20, seats=4, names=True, moves=True, crosses=True),
    st.sampled_from((None, "down", "right")),
    st.booleans(),
)
def test_nothing_overlaps_in_any_tree(tree: Tree, direction: Direction | None, paths: bool) -> None:
    """Whatever is written in a tree, nothing overlaps and no branch hides a word."""
    drawing = draw(tree, direction=direction, names="all", paths=paths)
    assert overlaps(drawing) == []
    assert crossed_texts(drawing) == []


@EXHIBITS
def test_every_node_is_drawn(exhibit: Exhibit) -> None:
    """Every internal node has one player's shape, every leaf its payoff, every node but the root a branch."""
    tree, drawing = exhibit.tree, drawn(exhibit)
    players = sorted(shape.node for shape in drawing.shapes if shape.role in set(Player))
    payoffs = sorted(text.node for text in drawing.texts if text.role in ("payoff", "unknown"))
    assert players == list(tree.internal)
    assert payoffs == list(tree.leaves)
    assert [edge.node for edge in drawing.edges] == list(range(1, len(tree)))


def test_a_page_holds_about_24_leaves() -> None:
    """Two dozen leaves go downwards, half as many again to the right, unless told otherwise."""
    assert draw(read(uniform((4, 6)))).direction == "down"
    assert draw(read(uniform((24,)))).width < MAX_DOWNWARD_WIDTH
    assert draw(read(uniform((6, 6)))).direction == "right"
    assert draw(read(uniform((6, 6))), direction="down").direction == "down"
    assert draw(read(TEXTBOOK), direction="right").direction == "right"


def test_parents_stand_over_their_children() -> None:
    """A parent stands midway over its children, or right over the middle one."""
    tree = read(uniform((2, 3, 2)))
    drawing = draw(tree)
    across = {shape.node: (shape.box[0] + shape.box[2]) / 2 for shape in drawing.shapes}
    across |= {text.node: text.x for text in drawing.texts if text.role == "payoff"}
    for node in tree.internal:
        first, last = across[tree.children[node][0]], across[tree.children[node][-1]]
        middle = across[tree.children[node][len(tree.children[node]) // 2]]
        assert across[node] == pytest.approx((first + last) / 2) or across[node] == pytest.approx(middle)


@EXHIBITS
def test_branches_run_straight_down(exhibit: Exhibit) -> None:
    """Downwards a branch is one straight line, also beside leaves and to nodes with two lines of words."""
    drawing = draw(exhibit.tree, exhibit.view, direction="down", names=exhibit.names, paths=exhibit.paths)
    assert [edge.node for edge in drawing.edges if len(edge.points) > 2] == []


def test_branches_go_round_high_words() -> None:
    """Where many lines stand at a node and branches come from far away, these turn above the words."""
    notes = "{eval=4, f=[2,-1], n=10, w=6}"
    tree = read(f"MAX (MIN {notes} ({' '.join(['1'] * 30)}) MIN {notes} (1 2) ({' '.join(['1'] * 30)}))")
    drawing = draw(tree, direction="down")
    assert max(len(edge.points) for edge in drawing.edges) == 3
    assert crossed_texts(drawing) == []


def test_frames_do_not_jump() -> None:
    """Drawn together, views of one tree share the size of the picture and the place of every shape."""
    tree = read(TEXTBOOK)
    question, solution = View.question(tree), solved(tree, windows=True)
    one, other = draw_all(tree, (question, solution))
    assert (one.width, one.height) == (other.width, other.height)
    assert [shape.box for shape in one.shapes] == [shape.box for shape in other.shapes]
    assert draw(tree, question).width < one.width


@pytest.mark.sampled(1)
@pytest.mark.parametrize("direction", ["down", "right"])
def test_deep_and_large_trees(direction: Direction) -> None:
    """A tree of 256 plies and one of 10,000 leaves are drawn."""
    chain = TreeBuilder()
    node = -1
    for ply in range(256):
        node = chain.add(node, Player.MIN if ply % 2 else Player.MAX)
    chain.add(node, None, 1)
    for tree in (chain.tree(), read(uniform((10, 10, 10, 10)))):
        assert len(draw(tree, direction=direction).texts) >= 1


@given(st.text(max_size=80))
def test_readable_text_is_one_short_line(words: str) -> None:
    """Readable text is one line of printable characters, never longer than the limit, and stays as it is."""
    line = safe_line(words)
    assert len(line) <= MAX_LABEL_LENGTH
    assert all(not list(unsafe_places(character)) or character in "\u200c\u200d" for character in line)
    assert safe_line(line) == line


def test_widths_add_up() -> None:
    """The width of a text is the sum of its characters', in proportion to the font size."""
    assert text_width("ab", 10) == text_width("a", 10) + text_width("b", 10)
    assert text_width("abc", 20) == pytest.approx(2 * text_width("abc", 10))
    assert text_width("e\u0301", 10) == text_width("\u00e9", 10) == text_width("e", 10)


def test_the_eye_of_these_tests_is_sharp() -> None:
    """A text moved onto another one is seen as an overlap, one moved onto a branch as crossed."""
    drawing = draw(read(TEXTBOOK))
    first, second = (text for text in drawing.texts if text.role == "payoff" and text.node in (2, 3))
    on_top = first._replace(box=second.box)
    assert overlaps(replace(drawing, texts=(*drawing.texts, on_top)))
    (x, y), (right, bottom) = drawing.edges[0].points[:2]
    middle = ((x + right) / 2, (y + bottom) / 2)
    in_the_way = first._replace(box=(middle[0] - 5, middle[1] - 5, middle[0] + 5, middle[1] + 5))
    assert crossed_texts(replace(drawing, texts=(in_the_way,)))
