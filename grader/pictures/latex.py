"""Trees as LaTeX: nested brackets for the `forest` package, with all words escaped."""

import math
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Unpack

from jinja2 import Environment
from markupsafe import Markup

from grader.base.safe_text import safe_paragraph
from grader.base.templating import text_environment
from grader.pictures.labels import text_width
from grader.pictures.latex_characters import MissingCharacter, missing_characters
from grader.pictures.layout import SEAT_SHAPES, draw
from grader.pictures.node_words import NodeWords, words_at_nodes
from grader.pictures.picture_options import Options, title_of
from grader.pictures.placement import Direction
from grader.pictures.view import Names, View, resolve_view
from grader.trees.tree import Player, Tree

if TYPE_CHECKING:
    from grader.solvers.solution import Solution

_TEX = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "{}$&#_%"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "-": "{-}",
    "`": "{`}",
    "'": "{'}",
    ",": "{,}",
    "−": "$-$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "∞": r"$\infty$",
    "…": r"\ldots{}",
    "\u00a0": "~",
    "\u202f": r"\,",
}
"""Characters that are special in LaTeX, or that a font may lack -> their LaTeX source."""


def escape_tex(words: object) -> str:
    """Return LaTeX source that prints the words and does nothing else."""
    return "".join(
        _TEX.get(character, character) for character in safe_paragraph(_compose(str(words)), 10_000)
    )


def _compose(words: str) -> str:
    """Compose letters with their accents, because fonts lack separate accents."""
    return unicodedata.normalize("NFC", words)


@cache
def tex_markup() -> Environment:
    """Return the environment of LaTeX templates, which escapes every value and keeps braces as they are."""
    return text_environment(
        escape_tex,
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
        comment_start_string="<#",
        comment_end_string="#>",
    )


_TEX_WORDS, _TEX_LABEL = 3.5, 3.2
"""The font sizes of words and of branch labels in millimetres, to compute distances for forest."""


@dataclass(frozen=True, slots=True)
class _Twig:
    """One node for a writer of nested brackets, in preorder.

    - `closes`: the number of brackets that close after it.
    - `child_distance`: the distance in mm that the labels on the branches to its children need; 0 without.
    """

    node: int
    closes: int
    child_distance: int
    outline: Markup
    words: NodeWords
    notes: str
    path: int
    muted: bool


def _twigs(tree: Tree, view: View, names: Names, paths: bool) -> Iterator[_Twig]:
    """Yield every node in preorder with the number of brackets to close after it."""
    muted = [False] * len(tree)
    node_words = words_at_nodes(tree, view, names)
    for node, words in enumerate(node_words):
        parent, depth = tree.parents[node], tree.depths[node]
        muted[node] = view.pruned[node] or (parent >= 0 and muted[parent])
        next_depth = tree.depths[node + 1] if node + 1 < len(tree) else 0
        yield _Twig(
            node=node,
            closes=0 if tree.children[node] else depth - next_depth + 1,
            child_distance=_child_distance([node_words[child] for child in tree.children[node]]),
            outline=_outline(tree.players[node]),
            words=words,
            notes=view.language.number_separator.join(words.notes),
            path=tree.paths[node] if paths else 0,
            muted=muted[node],
        )


def _outline(player: Player | None) -> Markup:
    """Return the shape of P1 to P9 as a path of TikZ in millimetres; nothing for other players."""
    if player is None or player.seat is None:
        return Markup()
    corners = [f"({3.2 * across:.2f}mm,{-3.2 * down:.2f}mm)" for across, down in SEAT_SHAPES[player.seat]]
    return Markup("--".join((*corners, "cycle")))


def _child_distance(children: Sequence[NodeWords]) -> int:
    """Return the distance of children in mm at which the labels halfway up their branches do not overlap."""
    labels = [text_width(words.branch, _TEX_LABEL) for words in children]
    if not any(labels):
        return 0
    bodies = [2 * text_width(max(words.name, words.value, key=len), _TEX_WORDS) for words in children]
    bodies = [
        text_width(words.payoff, _TEX_WORDS) if words.payoff else 9 + body
        for words, body in zip(children, bodies, strict=True)
    ]
    distances = [
        0.9 * (label + other_label) + 3 - (body + other_body) / 2
        for (label, other_label), (body, other_body) in zip(pairwise(labels), pairwise(bodies), strict=True)
    ]
    return math.ceil(max([*distances, 6.0]))


@dataclass(frozen=True, slots=True)
class TexTree:
    """The data of a tree for `templates/latex/branching.tex.j2` and `forest.tex.j2`, there called `drawn`.

    - `run`: the length in mm of the level end of a branch in a tree drawn to the right.
    - `foreign`: the characters of its words that LaTeX may lack.
    """

    tree: Tree
    view: View
    title: str
    direction: Direction
    twigs: tuple[_Twig, ...]
    labelled: bool
    run: int
    foreign: tuple[MissingCharacter, ...]


def tex_tree(
    tree: Tree,
    view: View,
    *,
    title: str | None = None,
    direction: Direction | None = None,
    names: Names = "given",
    paths: bool = False,
) -> TexTree:
    """Return the data of a tree for a LaTeX document with more than the tree."""
    direction = direction or draw(tree, view, names=names, paths=paths).direction
    twigs = tuple(_twigs(tree, view, names, paths))
    label_width = math.ceil(max(text_width(twig.words.branch, _TEX_LABEL) for twig in twigs))
    texts = [text for twig in twigs for text in (twig.words.name, twig.words.payoff, twig.words.branch)]
    return TexTree(
        tree=tree,
        view=view,
        title=title_of(tree, view, title),
        direction=direction,
        twigs=twigs,
        labelled=label_width > 0,
        run=max(17, label_width + 6) if label_width else 6,
        foreign=missing_in_tex("".join(texts)),
    )


def missing_in_tex(words: str) -> tuple[MissingCharacter, ...]:
    """Return the characters that LaTeX may lack and that `escape_tex` does not replace, in order."""
    return tuple(sorted(each for each in missing_characters(_compose(words)) if each.sign not in _TEX))


def latex(
    tree: Tree,
    solution: "Solution | None" = None,
    *,
    view: View | None = None,
    **options: Unpack[Options],
) -> str:
    """Return a complete LaTeX document with the tree, which compiles with any engine."""
    tree, view = resolve_view(tree, solution, view)
    data = tex_tree(tree, view, **options)
    return tex_markup().get_template("latex/tree.tex.j2").render(drawn=data, foreign=data.foreign)
