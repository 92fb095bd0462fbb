"""Write a tree in the notation: one canonical text in each spelling."""

from fractions import Fraction
from typing import Literal, TypeAlias

from grader.base.numbers import normalize_number, write_number
from grader.trees.notation.keywords import quote_text, write_word
from grader.trees.tree import Attributes, Claim, Header, Payoff, Player, Tree, Value, require_tree

Spelling: TypeAlias = Literal["text", "outline"]

WIDTH = 88
"""A node that does not fit into so many columns is spread over several lines."""

STEP = 2
"""How much deeper a child's line is set."""


def write_tree(tree: Tree, spelling: Spelling = "text") -> str:
    """The canonical text of a tree, without a line end at its end.

    `text` writes brackets, on one line where the tree is short, else with the children of a
    long node on deeper lines. `outline` writes one node on a line, its children deeper below it.
    Either way `read_tree` gives the same tree again.
    Probabilities that are all equal are left out: that is what their absence means.
    Raises `grader.trees.tree.TreeError` for the diagnosis of a text.
    """
    pieces = _pieces(require_tree(tree))
    lines = write_header(tree.header)
    if spelling == "outline":
        lines += [" " * (STEP * depth) + piece for depth, piece in zip(tree.depths, pieces, strict=True)]
    else:
        lines += _bracketed(tree, pieces)
    return "\n".join(lines)


def write_header(header: Header) -> list[str]:
    """The header lines of a tree."""
    lines = []
    for name, value in header.by_key.items():
        said = quote_text(value) if name in ("title", "source") else value
        lines.append(f"@{name} {said if isinstance(said, str) else _said(said)}")
    return lines


def write_value(value: Value) -> str:
    """A number, or a vector as `<1, 2, 6>`."""
    return f"<{', '.join(map(write_number, value))}>" if isinstance(value, tuple) else write_number(value)


def write_payoff(payoff: Payoff) -> str:
    """A leaf's payoff: a value, or the word of an unknown."""
    return write_word(payoff) if isinstance(payoff, str) else write_value(payoff)


def _pieces(tree: Tree) -> list[str]:
    """Every node as it is written, without its children."""
    if _plain(tree):
        return [
            player.value if player is not None else write_payoff(0 if payoff is None else payoff)
            for player, payoff in zip(tree.players, tree.payoffs, strict=True)
        ]
    even = _even(tree)
    pieces: list[str] = []
    once: dict[str, str] = {}  # in a large tree many pieces are alike
    for node, player in enumerate(tree.players):
        move, share, name = tree.moves[node], tree.probabilities[node], tree.given[node]
        claim, attributes = tree.claims[node], tree.attributes[node]
        text = "" if move is None else f"{write_word(move)}: "
        if share is not None and tree.parents[node] not in even:
            text += f"{write_number(share)}: "
        if tree.crosses[node]:
            text += "~"
        if player is None:
            text += "" if name is None else f"{write_word(name)}="
            text += write_payoff(tree.payoffs[node] or 0)
        else:
            text += player.value if name is None else f"{player} {write_word(name)}"
        text += "" if claim is None else write_claim(claim)
        text += "" if attributes is None else f" {write_attributes(attributes)}"
        pieces.append(once.setdefault(text, text))
    return pieces


def _plain(tree: Tree) -> bool:
    """Whether nodes are nothing but players and payoffs."""
    size = len(tree)
    columns = (tree.given, tree.moves, tree.probabilities, tree.claims, tree.attributes)
    return all(column.count(None) == size for column in columns) and True not in tree.crosses


def _even(tree: Tree) -> set[int]:
    """The chance nodes at which everything is equally likely."""
    even = set()
    for node, player in enumerate(tree.players):
        if player is Player.CHANCE:
            children = tree.children[node]
            share = normalize_number(Fraction(1, max(1, len(children))))
            if all(tree.probabilities[child] == share for child in children):
                even.add(node)
    return even


def write_claim(claim: Claim) -> str:
    """A claim as it stands behind a node: `=3`, `<=3`."""
    return f"{claim.relation}{write_value(claim.value)}"


def write_attributes(attributes: Attributes) -> str:
    """Attributes between braces."""
    pairs = (f"{key}={_said(value)}" for key, value in attributes.by_key.items())
    return f"{{{', '.join(pairs)}}}"


def _said(value: Value | str) -> str:
    """A number, a list of them, or a text in quotes."""
    if isinstance(value, str):
        return quote_text(value)
    return f"[{', '.join(map(write_number, value))}]" if isinstance(value, tuple) else write_number(value)


def _bracketed(tree: Tree, pieces: list[str]) -> list[str]:
    """The lines of a tree in brackets: what fits on a line stands on one, leaves side by side."""
    gaps = _gaps(tree, pieces)
    widths = _widths(tree, pieces, gaps)
    ends = tree.ends
    lines: list[str] = []
    spread: list[int] = []
    node, run = 0, -1
    while node < len(tree):
        while spread and node >= ends[spread[-1]]:
            spread.pop()
            lines.append(" " * (STEP * len(spread)) + ")")
        margin = " " * (STEP * len(spread))
        gap = gaps[tree.parents[node]]
        if tree.players[node] is None and run == len(lines) and len(lines[-1] + gap) + widths[node] <= WIDTH:
            lines[-1] += gap + pieces[node]
            node += 1
        elif tree.players[node] is None or len(margin) + widths[node] <= WIDTH:
            lines.append(margin + _one_line(tree, pieces, gaps, node))
            run = len(lines) if tree.players[node] is None else -1
            node = ends[node]
        else:
            lines.append(f"{margin}{pieces[node]} (")
            spread.append(node)
            node += 1
    lines += [" " * (STEP * depth) + ")" for depth in range(len(spread) - 1, -1, -1)]
    return lines


def _gaps(tree: Tree, pieces: list[str]) -> list[str]:
    """What stands between two children of each node: a comma as well where branches have labels."""
    gaps = [" "] * len(tree)
    for node, parent in enumerate(tree.parents):
        if parent >= 0 and ": " in pieces[node]:
            gaps[parent] = ", "
    return gaps


def _widths(tree: Tree, pieces: list[str], gaps: list[str]) -> list[int]:
    """How many characters every subtree takes on one line; a little more where commas stand."""
    widths = [
        len(piece) + (0 if player is None else 2) for piece, player in zip(pieces, tree.players, strict=True)
    ]
    for node in range(len(tree) - 1, 0, -1):
        parent = tree.parents[node]
        widths[parent] += widths[node] + len(gaps[parent])
    return widths


def _one_line(tree: Tree, pieces: list[str], gaps: list[str], top: int) -> str:
    """A subtree on one line."""
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
