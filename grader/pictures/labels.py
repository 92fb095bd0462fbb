"""The labels at each node: lines of words and signs with their sizes."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import fsum
from typing import NamedTuple

from grader.pictures.node_words import NodeWords
from grader.pictures.view import ClaimMark, View
from grader.trees.tree import Tree

_WIDTHS = {
    character: width / 1000
    for width, characters in (
        (250, ",. ·"),
        (275, "|"),
        (300, "'"),
        (325, "/\\il"),
        (350, "!():;j"),
        (375, "-t"),
        (400, "I[]`f⟨⟩°"),
        (450, "rs"),
        (475, "cz"),
        (500, "*?J_e{}"),
        (525, "#$0123456789ag"),
        (550, "v~−–≤≥"),
        (575, '"Sbdoqxy△▽'),
        (600, "^pu"),
        (625, "FPhkn"),
        (675, "+<=>BELTZ×±"),
        (725, "CRVXY"),
        (750, "ADNU"),
        (800, "GKOQw"),
        (825, "H∞"),
        (850, "&"),
        (925, "m"),
        (950, "M"),
    )
    for character in characters
}
"""Advance in em, rounded up: the widest in regular, bold and italic Libertinus Serif and Times,
since a browser without the first uses the second."""


def text_width(words: str, size: float) -> float:
    """Return an upper bound for the width of the words at a font size."""
    return size * fsum(map(_advance, words))


def _advance(character: str) -> float:
    """Return the width of a character in em, estimated for characters that no table has."""
    width = _WIDTHS.get(character)
    if width is not None:
        return width
    if unicodedata.combining(character):
        return 0.0
    base = unicodedata.normalize("NFD", character)[0]
    if base in _WIDTHS:
        return _WIDTHS[base]
    return 1.4 if character >= "\U0001f000" else 1.05


@dataclass(frozen=True, slots=True)
class Style:
    """The font size, weight and slope for the words of one role, and the padding around them."""

    size: float
    bold: bool = False
    italic: bool = False
    padding: float = 0.0
    framed: bool = False


STYLES = {
    "name": Style(15),
    "note": Style(11),
    "value": Style(16, bold=True),
    "window": Style(12),
    "claim": Style(15, italic=True, padding=4, framed=True),
    "payoff": Style(16),
    "unknown": Style(16, italic=True),
    "board": Style(9, padding=2, framed=True),
    "path": Style(12, padding=2.5, framed=True),
    "move": Style(13, italic=True, padding=2),
    "seat": Style(15, bold=True),
}
"""Role -> style; every other role is a sign without words."""

SIGN_SIZE = 11.0
"""The side of a tick, a cross or an arrow."""

BOX = "box"
"""The role of an empty box to be crossed; its side is an option of the layout."""


class LabelItem(NamedTuple):
    """Words or a sign, and their size."""

    role: str
    words: str
    width: float
    height: float


class TextLine(NamedTuple):
    """Items side by side, with the gaps between them and below."""

    items: tuple[LabelItem, ...]
    width: float
    height: float
    between: float
    below: float


class TextBlock(NamedTuple):
    """Lines below each other."""

    lines: tuple[TextLine, ...]
    width: float
    height: float


def item_of(role: str, words: str = "") -> LabelItem:
    """Measure the words of a role, or the sign that a role stands for."""
    style = STYLES.get(role)
    if style is None:
        return LabelItem(role, "", SIGN_SIZE, SIGN_SIZE)
    width = text_width(words, style.size) + 2 * style.padding
    height = style.size * 1.1 + (4 if style.framed else 0)
    return LabelItem(role, words, max(width, height) if style.framed else width, height)


def _line(*items: LabelItem, between: float = 4.0, below: float = 2.0) -> TextLine:
    width = fsum(item.width for item in items) + between * (len(items) - 1)
    return TextLine(items, width, max(item.height for item in items), between, below)


def _board_row(signs: Iterable[str]) -> TextLine:
    """Return a row of a board: adjacent squares."""
    return _line(*(item_of("board", "" if sign == "." else sign) for sign in signs), between=0, below=0)


def _board_with_items(board: Sequence[TextLine], items: Sequence[LabelItem]) -> TextBlock:
    """Return a board with items to the right of its middle row."""
    if not board:
        return _block([_line(*items)])
    middle = board[len(board) // 2]
    spaced = (piece for item in items for piece in (LabelItem("note", "", 5, 0), item))
    extended = _line(*middle.items, *spaced, between=0, below=0)._replace(height=middle.height)
    return _block(extended if line is middle else line for line in board)


def _block(lines: Iterable[TextLine]) -> TextBlock:
    """Return lines as a block: as wide as the widest, and without the space below the last."""
    lines = tuple(lines)
    return TextBlock(
        lines,
        max((line.width for line in lines), default=0.0),
        fsum(line.height + line.below for line in lines) - (lines[-1].below if lines else 0),
    )


class Labels(NamedTuple):
    """The labels of a node: `first` goes before its shape and `second` after it; a leaf has only `first`.

    `row` has the lines of a leaf side by side; `branch` is the label on the branch above the node.
    """

    first: TextBlock
    second: TextBlock
    row: TextBlock
    branch: LabelItem | None


def _claim_lines(words: NodeWords, mark: ClaimMark | None) -> list[TextLine]:
    """Return the lines of a node's value and of the value that a student wrote, with the sign of its mark."""
    value = [item_of("value", words.value)] if words.value else []
    above = [_line(*value)] if value else []
    if not words.claim:
        return above
    claim = item_of("claim", words.claim)
    match mark:
        case None:
            return [*above, _line(claim)]
        case "right":
            return [_line(claim, item_of("tick"))]
        case "wrong":
            return [_line(claim, item_of("wrong"), *value)]
        case "follows":
            return [*above, _line(item_of("follows"), claim)]


def measure_labels(
    tree: Tree, view: View, node_words: Sequence[NodeWords], paths: bool, leaf_box: float
) -> tuple[Labels, ...]:
    """Measure the labels of every node; `leaf_box` is the side of a box at each leaf, 0 for none."""
    roles = [
        "" if player is not None else "unknown" if isinstance(payoff, str) else "payoff"
        for player, payoff in zip(tree.players, tree.payoffs, strict=True)
    ]
    numbers = map(str, tree.paths) if paths else [""] * len(tree)
    return tuple(
        _labels(words, mark, role, number if role else "", leaf_box if role else 0)
        for words, mark, role, number in zip(node_words, view.claim_marks, roles, numbers, strict=True)
    )


@lru_cache(maxsize=1024)
def _labels(words: NodeWords, mark: ClaimMark | None, role: str, number: str, leaf_box: float) -> Labels:
    """Measure the labels of a node; the result is cached, since many nodes have equal labels.

    At a leaf, `role` is that of its payoff, `number` is its leaf number, and `leaf_box` the size of its box.
    """
    name = [_line(item_of("name", words.name))] if words.name else []
    notes = [_line(item_of("note", note)) for note in words.notes]
    board = [_board_row(row) for row in words.board]
    windows = [_line(item_of("window", words.window))] if words.window else []
    claims = _claim_lines(words, mark)
    branch = item_of("move", words.branch) if words.branch else None
    if not role:
        return Labels(_block(name + notes + board), _block(claims + windows), _block(()), branch)
    payoff = [_line(item_of(role, words.payoff))]
    path = [_line(item_of("path", number))] if number else []
    # Notes differ in number, so they follow the leaf numbers: these are level in all leaves.
    lines = board + payoff + name + path + notes + claims + windows
    items = [item for line in lines[len(board) :] for item in line.items]
    if leaf_box:  # a box may be a little closer to the line above it than words
        lines.append(_line(LabelItem(BOX, "", leaf_box - 5, leaf_box + 3)))
        items.append(LabelItem(BOX, "", leaf_box + 4, leaf_box + 3))
    return Labels(_block(lines), _block(()), _board_with_items(board, items), branch)
