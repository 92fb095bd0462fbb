"""Writes a tree in the notation: one canonical text in each spelling."""

from fractions import Fraction
from typing import Literal, TypeAlias

from grader.base.numbers import normalize_number, write_number
from grader.trees.annotations import Attributes, Header
from grader.trees.notation.keywords import quote_text, write_word
from grader.trees.tree import Claim, Payoff, Player, Tree, Value, require_tree

Spelling: TypeAlias = Literal["text", "outline"]

MAX_LINE_COLUMNS = 88
"""The most columns of a line; a longer node is spread over several lines."""

INDENT_COLUMNS = 2
"""The indentation of a child's line."""


def write_tree(tree: Tree, spelling: Spelling = "text") -> str:
    """Return the canonical text of a tree, without a line end at its end.

    `text` uses brackets, on one line if the tree is short, else with the children of a long node on
    deeper lines. `outline` has one line for each node. `read_tree` reads the same tree from both.
    Uniform probabilities are omitted, because they are the default.
    Raises `grader.trees.tree.TreeError` for diagnostics.
    """
    pieces = _pieces(require_tree(tree))
    lines = write_header(tree.header)
    if spelling == "outline":
        lines += [_margin(depth) + piece for depth, piece in zip(tree.depths, pieces, strict=True)]
    else:
        lines += _bracketed(tree, pieces)
    return "\n".join(lines)


def write_header(header: Header) -> list[str]:
    """Return the header lines of a tree."""
    lines = []
    for name, value in header.by_key.items():
        text = quote_text(value) if name in ("title", "source") else value
        lines.append(f"@{name} {text if isinstance(text, str) else _write_fact(text)}")
    return lines


def write_value(value: Value) -> str:
    """Write a number, or a vector as `<1, 2, 6>`."""
    return f"<{', '.join(map(write_number, value))}>" if isinstance(value, tuple) else write_number(value)


def write_payoff(payoff: Payoff) -> str:
    """Write a leaf's payoff: a value, or the word of an unknown."""
    return write_word(payoff) if isinstance(payoff, str) else write_value(payoff)


def _pieces(tree: Tree) -> list[str]:
    """Return the text of every node without its children."""
    if _is_plain(tree):
        return [
            player.value if player is not None else write_payoff(0 if payoff is None else payoff)
            for player, payoff in zip(tree.players, tree.payoffs, strict=True)
        ]
    uniform = _uniform_nodes(tree)
    pieces: list[str] = []
    shared: dict[str, str] = {}  # in a large tree many pieces are equal
    for node, player in enumerate(tree.players):
        move, probability, name = tree.moves[node], tree.probabilities[node], tree.given[node]
        claim, attributes = tree.claims[node], tree.attributes[node]
        text = "" if move is None else f"{write_word(move)}: "
        if probability is not None and tree.parents[node] not in uniform:
            text += f"{write_number(probability)}: "
        if tree.crosses[node]:
            text += "~"
        if player is None:
            text += "" if name is None else f"{write_word(name)}="
            text += write_payoff(tree.payoffs[node] or 0)
        else:
            text += player.value if name is None else f"{player} {write_word(name)}"
        text += "" if claim is None else write_claim(claim)
        text += "" if attributes is None else f" {write_attributes(attributes)}"
        pieces.append(shared.setdefault(text, text))
    return pieces


def _is_plain(tree: Tree) -> bool:
    """Return whether the nodes are only players and payoffs."""
    size = len(tree)
    columns = (tree.given, tree.moves, tree.probabilities, tree.claims, tree.attributes)
    return all(column.count(None) == size for column in columns) and True not in tree.crosses


def _uniform_nodes(tree: Tree) -> set[int]:
    """Return the chance nodes with uniform probabilities."""
    uniform = set()
    for node, player in enumerate(tree.players):
        if player is Player.CHANCE:
            children = tree.children[node]
            probability = normalize_number(Fraction(1, max(1, len(children))))
            if all(tree.probabilities[child] == probability for child in children):
                uniform.add(node)
    return uniform


def write_claim(claim: Claim) -> str:
    """Write a claim: `=3`, `<=3`."""
    return f"{claim.relation}{write_value(claim.value)}"


def write_attributes(attributes: Attributes) -> str:
    """Write attributes in braces."""
    pairs = (f"{key}={_write_fact(value)}" for key, value in attributes.by_key.items())
    return f"{{{', '.join(pairs)}}}"


def _write_fact(value: Value | str) -> str:
    """Write a number, a list of numbers, or a text in quotes."""
    if isinstance(value, str):
        return quote_text(value)
    return f"[{', '.join(map(write_number, value))}]" if isinstance(value, tuple) else write_number(value)


def _bracketed(tree: Tree, pieces: list[str]) -> list[str]:
    """Return the lines of a tree in brackets.

    - `open_nodes`: the nodes whose children are on lines of their own.
    - `leaf_line`: the number of lines if the last one has leaves only, so that more leaves fit, else -1.
    """
    gaps = _gaps(tree, pieces)
    widths = _widths(tree, pieces, gaps)
    ends = tree.ends
    lines: list[str] = []
    open_nodes: list[int] = []
    node, leaf_line = 0, -1
    while node < len(tree):
        while open_nodes and node >= ends[open_nodes[-1]]:
            open_nodes.pop()
            lines.append(_margin(len(open_nodes)) + ")")
        margin = _margin(len(open_nodes))
        gap = gaps[tree.parents[node]]
        is_leaf = tree.players[node] is None
        if is_leaf and leaf_line == len(lines) and len(lines[-1] + gap) + widths[node] <= MAX_LINE_COLUMNS:
            lines[-1] += gap + pieces[node]
            node += 1
        elif is_leaf or len(margin) + widths[node] <= MAX_LINE_COLUMNS:
            lines.append(margin + _one_line(tree, pieces, gaps, node))
            leaf_line = len(lines) if is_leaf else -1
            node = ends[node]
        else:
            lines.append(f"{margin}{pieces[node]} (")
            open_nodes.append(node)
            node += 1
    lines += [_margin(depth) + ")" for depth in range(len(open_nodes) - 1, -1, -1)]
    return lines


def _margin(depth: int) -> str:
    return " " * (INDENT_COLUMNS * depth)


def _gaps(tree: Tree, pieces: list[str]) -> list[str]:
    """Return the separator between the children of each node, with a comma if branches have labels."""
    gaps = [" "] * len(tree)
    for node, parent in enumerate(tree.parents):
        if parent >= 0 and ": " in pieces[node]:
            gaps[parent] = ", "
    return gaps


def _widths(tree: Tree, pieces: list[str], gaps: list[str]) -> list[int]:
    """Return the width of every subtree on one line, or a little more if there are commas."""
    widths = [
        len(piece) + (0 if player is None else 2) for piece, player in zip(pieces, tree.players, strict=True)
    ]
    for node in range(len(tree) - 1, 0, -1):
        parent = tree.parents[node]
        widths[parent] += widths[node] + len(gaps[parent])
    return widths


def _one_line(tree: Tree, pieces: list[str], gaps: list[str], top: int) -> str:
    """Write a subtree on one line."""
    if tree.players[top] is None:
        return pieces[top]
    depths = tree.depths
    parts = [pieces[top]]
    before = top
    for node in range(top + 1, tree.ends[top]):
        parent = tree.parents[node]
        parts.append(" (" if parent == before else ")" * (depths[before] - depths[node]) + gaps[parent])
        parts.append(pieces[node])
        before = node
    return "".join(parts) + ")" * (depths[before] - depths[top])
