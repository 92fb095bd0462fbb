"""A tree in characters, for a terminal and for plain text."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.pictures.node_words import NodeWords, words_at_nodes
from grader.pictures.packing import pack
from grader.pictures.view import ClaimMark, CrossMark, Names, View, resolve_view
from grader.trees.tree import Player, Tree

if TYPE_CHECKING:
    from grader.solvers.solution import Solution


_PLAYERS = {Player.MAX: "△", Player.MIN: "▽", Player.CHANCE: "○"}
_RIGHT, _WRONG, _CROSS, _MISSING = "✓", "✗", "╳", "┆"
_UPRIGHT, _LEVEL = "│", "─"
_JOINTS = " ╷╵│╶┌└├╴┐┘┤─┬┴┼"
"""By where a line goes on from there: 1 is down, 2 is up, 4 is right, 8 is left."""

_SIGNS = str.maketrans(
    {
        **{sign: str(player) for player, sign in _PLAYERS.items()},
        **dict.fromkeys(_JOINTS[1:], "+"),
        "└": "`",
        _UPRIGHT: "|",
        _LEVEL: "-",
        _RIGHT: "ok",
        _WRONG: "no:",
        _CROSS: "X",
        _MISSING: ":",
    }
)
"""The signs of a picture in ASCII, and other characters that have a twin there."""

_PLAIN = str.maketrans({"−": "-", "≤": "<=", "≥": ">=", "∞": "inf", "…": "..", "�": "?", "─": "-"})


def text_picture(
    tree: Tree,
    solution: "Solution | None" = None,
    *,
    view: View | None = None,
    ascii: bool = False,  # noqa: A002 - the option is called what it means
    width: int = 79,
    names: Names = "given",
    paths: bool = False,
) -> str:
    """A picture of a tree in characters, without a line feed at its end; nothing for no tree.

    Downwards, with the root at the top, when that fits into `width` columns; else as an outline.
    With `ascii` every character of the result is ASCII. The other options are those of
    `grader.pictures.svg.svg`.
    """
    if not len(tree):
        return ""
    tree, view = resolve_view(tree, solution, view)
    put = _signed if ascii else str
    nodes = []
    for node, words in enumerate(words_at_nodes(tree, view, names)):
        said = words.each(_typed) if ascii else words
        lines = [put(line) for line in _lines(tree, node, view, said, paths)]
        nodes.append(_Node(lines, said.branch, put(_mark(node, view))))
    rows = _downwards(tree, nodes, width) or _outline(tree, nodes, width)
    return put("\n".join(row.rstrip() for row in rows))


def _signed(row: str) -> str:
    return row.translate(_SIGNS)


def _typed(words: str) -> str:
    """The same words in ASCII; what has no twin there becomes its code."""
    return words.translate(_PLAIN).encode("ascii", "backslashreplace").decode()


@dataclass(frozen=True, slots=True)
class _Node:
    """What is written at a node, line by line, and on the branch above: a label, and a mark for a cross."""

    lines: list[str]
    branch: str
    mark: str


def display_width(words: str) -> int:
    """How many columns of a terminal the words take."""
    if words.isascii():
        return len(words)
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in words
    )


def _lines(tree: Tree, node: int, view: View, words: NodeWords, paths: bool) -> list[str]:
    """What is written at a node, line by line."""
    player = tree.players[node]
    value = _value(words, view, view.claim_marks[node])
    if player is not None:
        head = (_PLAYERS.get(player, player), words.name, value)
    else:
        head = (f"{words.name} = {words.payoff}" if words.name else words.payoff, "", value)
    board = [" ".join(row) for row in words.board]
    lines = [*board, " ".join(part for part in head if part), *words.notes]
    if words.window:
        lines.append(words.window)
    if paths and player is None:
        lines.append(f"#{tree.paths[node]}")
    if view.current == node:
        lines[0] = f">{lines[0]}<"
    return lines


def _value(words: NodeWords, view: View, mark: ClaimMark | None) -> str:
    """The value or claim beside a name, with its relation: `= 3`, `≤ 2`, `= 4 ✗ 3`; `= 4?` is a claim."""
    value = _related(words.value)
    if not words.claim:
        return value
    claim = _related(words.claim)
    match mark:
        case None:
            return f"{claim}? {value}".rstrip()
        case "right":
            return f"{claim} {_RIGHT}"
        case "wrong":
            return f"{claim} {_WRONG} {words.value}".rstrip()
        case "follows":
            if not words.value:
                return view.language.term("{claim} (follows)", claim=claim)
            return view.language.term("{claim} (follows; it is {value})", claim=claim, value=words.value)


def _related(words: str) -> str:
    return words if not words or words[0] in "≤≥<>" else f"= {words}"


_MARKS: dict[CrossMark | None, str] = {
    "right": _CROSS + _RIGHT,
    "extra": _CROSS + _WRONG,
    "missing": _MISSING + _WRONG,
}


def _mark(node: int, view: View) -> str:
    """The sign on a branch that is crossed out or judged; nothing on any other."""
    return _MARKS.get(view.cross_marks[node], _CROSS if view.pruned[node] else "")


# The root at the top --------------------------------------------------------------------------------


def _downwards(tree: Tree, said: Sequence[_Node], width: int) -> list[str] | None:
    """The rows of the picture with the root at the top; None when it is wider than `width`."""
    widest = [max(map(display_width, (*node.lines, node.branch, node.mark))) for node in said]
    before, after = [float(wide // 2) for wide in widest], [float((wide + 1) // 2) for wide in widest]
    places, length = pack(tree, before, after, 2, 3, whole=True)
    if length > width:
        return None
    at = [int(place) for place in places]
    plies: list[list[int]] = [[] for _ in range(max(tree.depths) + 1)]
    for node, ply in enumerate(tree.depths):
        plies[ply].append(node)
    rows: list[str] = []
    for ply, nodes in enumerate(plies):
        if ply:
            rows.append(_connectors(tree, plies[ply - 1], at))
        for signs in ([said[node].mark for node in nodes], [said[node].branch for node in nodes]):
            if any(signs):
                upright = (sign or _UPRIGHT for sign in signs)
                rows.append(_spread(zip((at[node] for node in nodes), upright, strict=True)))
        for line in range(max(len(said[node].lines) for node in nodes)):
            low = [node for node in nodes if line < len(said[node].lines)]
            rows.append(_spread((at[node], said[node].lines[line]) for node in low))
    return rows


def _connectors(tree: Tree, parents: Sequence[int], at: Sequence[int]) -> str:
    """The row of lines between the nodes of one ply and their children."""
    row: dict[int, str] = {}
    for parent in parents:
        below = {at[child] for child in tree.children[parent]}
        left, right = min(below, default=0), max(below, default=-1)
        for column in range(left, right + 1):
            across = 8 * (column > left) + 4 * (column < right)
            row[column] = _JOINTS[across + 2 * (column == at[parent]) + (column in below)]
    return "".join(row.get(column, " ") for column in range(max(row, default=-1) + 1))


def _spread(words: Iterable[tuple[int, str]]) -> str:
    """A row with words centred on their columns."""
    row = ""
    for place, word in words:
        row += " " * (place - display_width(word) // 2 - display_width(row)) + word
    return row


# The outline ------------------------------------------------------------------------------------------


def _outline(tree: Tree, said: Sequence[_Node], width: int) -> list[str]:
    """One line for each node, indented below its parent; plain leaves share its line where they fit."""
    rows = []
    margins = [""] * len(tree)
    listed = [False] * len(tree)
    for node, parent in enumerate(tree.parents):
        if parent >= 0 and listed[parent]:
            continue
        row = "  ".join(said[node].lines)
        if parent >= 0:
            last = tree.children[parent][-1] == node
            margins[node] = margins[parent] + ("   " if last else f"{_UPRIGHT}  ")
            label = f"{said[node].branch}: " if said[node].branch else ""
            row = f"{margins[parent]}{'└' if last else '├'}{said[node].mark or _LEVEL} {label}{row}"
        children = tree.children[node]
        if children and all(tree.players[child] is None and not said[child].branch for child in children):
            leaves = "  ".join(said[leaf].mark + " ".join(said[leaf].lines) for leaf in children)
            listed[node] = display_width(row) + 3 + display_width(leaves) <= width
            row += f":  {leaves}" if listed[node] else ""
        rows.append(row)
    return rows
