"""Trees as LaTeX: brackets of the `forest` package, with words that stay words."""

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
"""Characters that mean something to LaTeX, or that a font may lack, and how they are written instead."""


def escape_tex(words: object) -> str:
    """The words as LaTeX source that prints them and does nothing else."""
    return "".join(
        _TEX.get(character, character) for character in safe_paragraph(_composed(str(words)), 10_000)
    )


def _composed(words: str) -> str:
    """The words with one character for a letter and its accents, because fonts have no accents alone."""
    return unicodedata.normalize("NFC", words)


@cache
def tex_markup() -> Environment:
    """The templates that write LaTeX: every value is escaped, and braces stay braces."""
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
"""The size of words and of branch labels in millimetres: forest has to be told how long the labels are."""


@dataclass(frozen=True, slots=True)
class _Twig:
    """One node for a writer of nested brackets, in preorder.

    `closes` brackets end after it; `apart` is how many millimetres its children need between them
    for the labels on their branches, 0 when those have none.
    """

    node: int
    closes: int
    apart: int
    outline: Markup
    words: NodeWords
    notes: str
    path: int
    muted: bool


def _twigs(tree: Tree, view: View, names: Names, paths: bool) -> Iterator[_Twig]:
    muted = [False] * len(tree)
    written = words_at_nodes(tree, view, names)
    for node, words in enumerate(written):
        parent, depth = tree.parents[node], tree.depths[node]
        muted[node] = view.pruned[node] or (parent >= 0 and muted[parent])
        following = tree.depths[node + 1] if node + 1 < len(tree) else 0
        yield _Twig(
            node=node,
            closes=0 if tree.children[node] else depth - following + 1,
            apart=_apart([written[child] for child in tree.children[node]]),
            outline=_outline(tree.players[node]),
            words=words,
            notes=view.language.number_separator.join(words.notes),
            path=tree.paths[node] if paths else 0,
            muted=muted[node],
        )


def _outline(player: Player | None) -> Markup:
    """The corners of the shape of P1 to P9, in millimetres as TikZ writes them; nothing for the others."""
    if player is None or player.seat is None:
        return Markup()
    corners = [f"({3.2 * across:.2f}mm,{-3.2 * down:.2f}mm)" for across, down in SEAT_SHAPES[player.seat]]
    return Markup("--".join((*corners, "cycle")))


def _apart(children: Sequence[NodeWords]) -> int:
    """The millimetres between children, so that the labels halfway up their branches do not meet."""
    labels = [text_width(words.branch, _TEX_LABEL) for words in children]
    if not any(labels):
        return 0
    bodies = [2 * text_width(max(words.name, words.value, key=len), _TEX_WORDS) for words in children]
    bodies = [
        text_width(words.payoff, _TEX_WORDS) if words.payoff else 9 + body
        for words, body in zip(children, bodies, strict=True)
    ]
    needs = [
        0.9 * (label + other_label) + 3 - (body + other_body) / 2
        for (label, other_label), (body, other_body) in zip(pairwise(labels), pairwise(bodies), strict=True)
    ]
    return math.ceil(max([*needs, 6.0]))


@dataclass(frozen=True, slots=True)
class TexTree:
    """What `templates/latex/branching.tex.j2` and `forest.tex.j2` need to know of a tree, as `drawn`.

    `run` is how far a branch to the right runs level before its node, in mm; `foreign` are the
    characters of its words that LaTeX may lack.
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
    """A tree for a LaTeX document that holds more than the tree."""
    direction = direction or draw(tree, view, names=names, paths=paths).direction
    twigs = tuple(_twigs(tree, view, names, paths))
    longest = math.ceil(max(text_width(twig.words.branch, _TEX_LABEL) for twig in twigs))
    said = [part for twig in twigs for part in (twig.words.name, twig.words.payoff, twig.words.branch)]
    return TexTree(
        tree=tree,
        view=view,
        title=title_of(tree, view, title),
        direction=direction,
        twigs=twigs,
        labelled=longest > 0,
        run=max(17, longest + 6) if longest else 6,
        foreign=missing_in_tex("".join(said)),
    )


def missing_in_tex(words: str) -> tuple[MissingCharacter, ...]:
    """The characters that LaTeX may lack and that are not written otherwise, in order."""
    return tuple(sorted(each for each in missing_characters(_composed(words)) if each.sign not in _TEX))


def latex(
    tree: Tree,
    solution: "Solution | None" = None,
    *,
    view: View | None = None,
    **options: Unpack[Options],
) -> str:
    """A LaTeX document with the tree in the `forest` package: it compiles as it is, with any engine."""
    tree, view = resolve_view(tree, solution, view)
    drawn = tex_tree(tree, view, **options)
    return tex_markup().get_template("latex/tree.tex.j2").render(drawn=drawn, foreign=drawn.foreign)
