"""A tree in characters, for a terminal and for plain text."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.pictures.packing import pack
from grader.pictures.picture import shown
from grader.pictures.view import ClaimMark, Names, View
from grader.pictures.words import Words, words_of
from grader.tree import Player, Tree

if TYPE_CHECKING:
    from grader.solvers.solution import Solution


@dataclass(frozen=True, slots=True)
class _Type:
    """The characters at hand."""

    players: dict[Player, str]
    level: str
    upright: str
    first: str
    middle: str
    last: str
    stem: str
    stem_first: str
    stem_middle: str
    stem_last: str
    only: str
    branch: str
    end: str
    cross: str
    right: str
    wrong: str
    missing: str


_UNICODE = _Type(
    players={Player.MAX: "△", Player.MIN: "▽", Player.CHANCE: "○"},
    level="─",
    upright="│",
    first="┌",
    middle="┬",
    last="┐",
    stem="┴",
    stem_first="├",
    stem_middle="┼",
    stem_last="┤",
    only="│",
    branch="├",
    end="└",
    cross="╳",
    right="✓",
    wrong="✗",
    missing="┆",
)
_ASCII = _Type(
    players={},
    level="-",
    upright="|",
    first="+",
    middle="+",
    last="+",
    stem="+",
    stem_first="+",
    stem_middle="+",
    stem_last="+",
    only="|",
    branch="+",
    end="`",
    cross="X",
    right="ok",
    wrong="no:",
    missing=":",
)
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
    """A picture of a tree in characters, without a line feed at its end.

    Downwards, with the root at the top, when that fits into `width` columns; else as an outline.
    With `ascii` every character of the result is ASCII. The other options are those of
    `grader.pictures.svg.svg`.
    """
    tree, view = shown(tree, solution, view)
    types = _ASCII if ascii else _UNICODE
    words = words_of(tree, view, names)
    if ascii:
        words = tuple(map(_plain, words))
    labels = [_label(tree, node, view, words[node], paths, types) for node in range(len(tree))]
    branches = [said.branch for said in words]
    lines = _downwards(tree, view, labels, branches, types, width) or _outline(
        tree, view, labels, branches, types, width
    )
    return "\n".join(line.rstrip() for line in lines)


def _plain(words: Words) -> Words:
    """The same words in ASCII; what has no twin there becomes its code."""
    return Words(
        name=_typed(words.name),
        payoff=_typed(words.payoff),
        notes=tuple(map(_typed, words.notes)),
        value=_typed(words.value),
        window=_typed(words.window),
        claim=_typed(words.claim),
        move=_typed(words.move),
        probability=_typed(words.probability),
        branch=_typed(words.branch),
    )


def _typed(words: str) -> str:
    return words.translate(_PLAIN).encode("ascii", "backslashreplace").decode()


def columns(words: str) -> int:
    """How many columns of a terminal the words take."""
    if words.isascii():
        return len(words)
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in words
    )


def _label(tree: Tree, node: int, view: View, words: Words, paths: bool, types: _Type) -> tuple[str, ...]:
    """What is written at a node, line by line."""
    player = tree.players[node]
    value = _value(words, view, view.claim_marks[node], types)
    if player is not None:
        head = (types.players.get(player, player), words.name, value)
    else:
        head = (f"{words.name} = {words.payoff}" if words.name else words.payoff, "", value)
    lines = [" ".join(part for part in head if part), *words.notes]
    if words.window:
        lines.append(words.window)
    if paths and player is None:
        lines.append(f"#{tree.paths[node]}")
    if view.current == node:
        lines[0] = f">{lines[0]}<"
    return tuple(lines)


def _value(words: Words, view: View, mark: ClaimMark | None, types: _Type) -> str:
    """The value or claim beside a name, with its relation: `= 3`, `≤ 2`, `= 4 ✗ 3`; `= 4?` is a claim."""
    value = _related(words.value)
    if not words.claim:
        return value
    claim = _related(words.claim)
    match mark:
        case None:
            return f"{claim}? {value}".rstrip()
        case "right":
            return f"{claim} {types.right}"
        case "wrong":
            return f"{claim} {types.wrong} {words.value}".rstrip()
        case "follows":
            if not words.value:
                return view.language.term("{claim} (follows)", claim=claim)
            return view.language.term("{claim} (follows; it is {value})", claim=claim, value=words.value)


def _related(words: str) -> str:
    return words if not words or words[0] in "≤≥<>" else f"= {words}"


def _mark(node: int, view: View, types: _Type) -> str:
    """The sign on a branch that is crossed out or judged; nothing on any other."""
    match view.cross_marks[node]:
        case None:
            return types.cross if view.pruned[node] else ""
        case "right":
            return types.cross + types.right
        case "extra":
            return types.cross + types.wrong
        case "missing":
            return types.missing + types.wrong


# The root at the top --------------------------------------------------------------------------------


def _downwards(
    tree: Tree,
    view: View,
    labels: Sequence[tuple[str, ...]],
    branches: Sequence[str],
    types: _Type,
    width: int,
) -> list[str] | None:
    """The rows of the picture with the root at the top; None when it is wider than `width`."""
    before, after = [], []
    for node in range(len(tree)):
        widest = max(map(columns, (*labels[node], branches[node], _mark(node, view, types))))
        before.append(float(widest // 2))
        after.append(float((widest + 1) // 2))
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
            rows.append(_connectors(tree, plies[ply - 1], at, types))
            marks = [_mark(node, view, types) for node in nodes]
            if any(marks):
                rows.append(
                    _spread(
                        [(at[node], mark or types.upright) for node, mark in zip(nodes, marks, strict=True)]
                    )
                )
            if any(branches[node] for node in nodes):
                rows.append(_spread([(at[node], branches[node] or types.upright) for node in nodes]))
        for line in range(max(len(labels[node]) for node in nodes)):
            row = [(at[node], labels[node][line]) for node in nodes if line < len(labels[node])]
            rows.append(_spread(row))
    return rows


def _connectors(tree: Tree, parents: Sequence[int], at: Sequence[int], types: _Type) -> str:
    """The row of lines between the nodes of one ply and their children."""
    row: dict[int, str] = {}
    for parent in parents:
        children = tree.children[parent]
        if not children:
            continue
        left, right, stem = at[children[0]], at[children[-1]], at[parent]
        row.update(dict.fromkeys(range(left, right + 1), types.level))
        row.update((at[child], types.middle) for child in children)
        row[stem] = types.stem
        if left == right:
            row[left] = types.only
            continue
        row[left], row[right] = types.first, types.last
        if stem in {at[child] for child in children}:
            row[stem] = (
                types.stem_first if stem == left else types.stem_last if stem == right else types.stem_middle
            )
    return "".join(row.get(column, " ") for column in range(max(row, default=-1) + 1))


def _spread(words: Sequence[tuple[int, str]]) -> str:
    """A row with words centred on their columns."""
    row = ""
    for place, word in words:
        row += " " * (place - columns(word) // 2 - columns(row)) + word
    return row


# The outline ------------------------------------------------------------------------------------------


def _outline(
    tree: Tree,
    view: View,
    labels: Sequence[tuple[str, ...]],
    branches: Sequence[str],
    types: _Type,
    width: int,
) -> list[str]:
    """One line for each node, indented below its parent; plain leaves share its line where they fit."""
    lines = []
    margins = [""] * len(tree)
    listed = [False] * len(tree)
    for node, parent in enumerate(tree.parents):
        if parent >= 0 and listed[parent]:
            continue
        line = "  ".join(labels[node])
        if parent >= 0:
            last = tree.children[parent][-1] == node
            margins[node] = margins[parent] + ("   " if last else f"{types.upright}  ")
            mark = _mark(node, view, types) or types.level
            label = f"{branches[node]}: " if branches[node] else ""
            line = f"{margins[parent]}{types.end if last else types.branch}{mark} {label}{line}"
        children = tree.children[node]
        if children and all(tree.players[child] is None and not branches[child] for child in children):
            leaves = "  ".join(_mark(leaf, view, types) + " ".join(labels[leaf]) for leaf in children)
            listed[node] = columns(line) + 3 + columns(leaves) <= width
            line += f":  {leaves}" if listed[node] else ""
        lines.append(line)
    return lines
