"""A tree in characters, for a terminal and for plain text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.base.line_wrapping import display_width
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
"""Characters by the sum of the directions in which lines continue: 1 down, 2 up, 4 right, 8 left."""

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
"""Signs of a picture -> ASCII."""

_PLAIN = str.maketrans({"−": "-", "≤": "<=", "≥": ">=", "∞": "inf", "…": "..", "�": "?", "─": "-"})


def text_picture(
    tree: Tree,
    solution: "Solution | None" = None,
    *,
    view: View | None = None,
    ascii: bool = False,  # noqa: A002 - a public option
    width: int = 79,
    names: Names = "given",
    paths: bool = False,
) -> str:
    """Return a picture of a tree in characters, without a line feed at its end; empty for an empty tree.

    The root is at the top if that fits into `width` columns; else the picture is an outline.
    With `ascii` every character of the result is ASCII. The other options are those of
    `grader.pictures.svg.svg`.
    """
    if not len(tree):
        return ""
    tree, view = resolve_view(tree, solution, view)
    convert = _signs_to_ascii if ascii else str
    nodes = []
    for node, words in enumerate(words_at_nodes(tree, view, names)):
        words = words.each(_words_to_ascii) if ascii else words
        lines = [convert(line) for line in _lines(tree, node, view, words, paths)]
        nodes.append(_Node(lines, words.branch, convert(_mark(node, view))))
    colon = ": " if ascii else view.language.punctuation.colon
    rows = _top_down(tree, nodes, width) or _outline(tree, nodes, width, colon)
    return convert("\n".join(row.rstrip() for row in rows))


def _signs_to_ascii(row: str) -> str:
    return row.translate(_SIGNS)


def _words_to_ascii(words: str) -> str:
    """Convert words to ASCII, with escape codes for characters that have no equivalent."""
    return words.translate(_PLAIN).encode("ascii", "backslashreplace").decode()


@dataclass(frozen=True, slots=True)
class _Node:
    """The lines of words at a node, and the label and the mark for a cross on the branch above."""

    lines: list[str]
    branch: str
    mark: str


def _lines(tree: Tree, node: int, view: View, words: NodeWords, paths: bool) -> list[str]:
    """Return the lines of words at a node."""
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
    """Return the value or claim with its relation: `= 3`, `≤ 2`, `= 4 ✗ 3`; `= 4?` is a claim."""
    value = _with_relation(words.value)
    if not words.claim:
        return value
    claim = _with_relation(words.claim)
    match mark:
        case None:
            return f"{claim}? {value}".rstrip()
        case "right":
            return f"{claim} {_RIGHT}"
        case "wrong":
            return f"{claim} {_WRONG} {words.value}".rstrip()
        case "follows":
            if not words.value:
                return view.language.term("{claim} (consistent)", claim=claim)
            return view.language.term(
                "{claim} (consistent; correct: {value})", claim=claim, value=words.value
            )


def _with_relation(words: str) -> str:
    return words if not words or words[0] in "≤≥<>" else f"= {words}"


_MARKS: dict[CrossMark | None, str] = {
    "right": _CROSS + _RIGHT,
    "extra": _CROSS + _WRONG,
    "missing": _MISSING + _WRONG,
}


def _mark(node: int, view: View) -> str:
    """Return the sign on a branch that is crossed out or judged; empty for any other."""
    return _MARKS.get(view.cross_marks[node], _CROSS if view.pruned[node] else "")


# The root at the top --------------------------------------------------------------------------------


def _top_down(tree: Tree, nodes: Sequence[_Node], width: int) -> list[str] | None:
    """Return the rows of the picture with the root at the top; None if it is wider than `width`."""
    widths = [max(map(display_width, (*node.lines, node.branch, node.mark))) for node in nodes]
    before, after = [float(size // 2) for size in widths], [float((size + 1) // 2) for size in widths]
    places, length = pack(tree, before, after, 2, 3, whole=True)
    if length > width:
        return None
    columns = [int(place) for place in places]
    plies: list[list[int]] = [[] for _ in range(max(tree.depths) + 1)]
    for node, ply in enumerate(tree.depths):
        plies[ply].append(node)
    rows: list[str] = []
    for ply, members in enumerate(plies):
        if ply:
            rows.append(_connectors(tree, plies[ply - 1], columns))
        for signs in ([nodes[node].mark for node in members], [nodes[node].branch for node in members]):
            if any(signs):
                filled = (sign or _UPRIGHT for sign in signs)
                rows.append(_centred(zip((columns[node] for node in members), filled, strict=True)))
        for line in range(max(len(nodes[node].lines) for node in members)):
            tall = [node for node in members if line < len(nodes[node].lines)]
            rows.append(_centred((columns[node], nodes[node].lines[line]) for node in tall))
    return rows


def _connectors(tree: Tree, parents: Sequence[int], columns: Sequence[int]) -> str:
    """Return the row of lines between the nodes of one ply and their children."""
    row: dict[int, str] = {}
    for parent in parents:
        children = {columns[child] for child in tree.children[parent]}
        left, right = min(children, default=0), max(children, default=-1)
        for column in range(left, right + 1):
            across = 8 * (column > left) + 4 * (column < right)
            row[column] = _JOINTS[across + 2 * (column == columns[parent]) + (column in children)]
    return "".join(row.get(column, " ") for column in range(max(row, default=-1) + 1))


def _centred(words: Iterable[tuple[int, str]]) -> str:
    """Return a row with words centred on their columns."""
    row = ""
    for column, word in words:
        row += " " * (column - display_width(word) // 2 - display_width(row)) + word
    return row


# The outline ------------------------------------------------------------------------------------------


def _outline(tree: Tree, nodes: Sequence[_Node], width: int, colon: str) -> list[str]:
    """Return one line for each node, indented below its parent, which lists its leaves if they fit."""
    rows = []
    margins = [""] * len(tree)
    lists_leaves = [False] * len(tree)
    for node, parent in enumerate(tree.parents):
        if parent >= 0 and lists_leaves[parent]:
            continue
        row = "  ".join(nodes[node].lines)
        if parent >= 0:
            is_last = tree.children[parent][-1] == node
            margins[node] = margins[parent] + ("   " if is_last else f"{_UPRIGHT}  ")
            label = f"{nodes[node].branch}{colon}" if nodes[node].branch else ""
            row = f"{margins[parent]}{'└' if is_last else '├'}{nodes[node].mark or _LEVEL} {label}{row}"
        children = tree.children[node]
        if children and all(tree.players[child] is None and not nodes[child].branch for child in children):
            leaves = "  ".join(nodes[leaf].mark + " ".join(nodes[leaf].lines) for leaf in children)
            lists_leaves[node] = display_width(row) + 3 + display_width(leaves) <= width
            row += f":  {leaves}" if lists_leaves[node] else ""
        rows.append(row)
    return rows
