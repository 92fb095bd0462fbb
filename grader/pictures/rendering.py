"""Turns trees into pictures: the table of outputs."""

import hashlib
import json
import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, Protocol, TypedDict, Unpack, cast

from jinja2 import Environment

from grader.base.safe_text import readable
from grader.base.shipped import shipped
from grader.base.templating import letters, markup
from grader.pictures.labels import text_width
from grader.pictures.layout import draw, draw_all
from grader.pictures.placing import Direction
from grader.pictures.text import text_picture
from grader.pictures.view import ClaimMark, Names, View, Words, words_of
from grader.tree import Player, Tree

if TYPE_CHECKING:
    import typst

    from grader.solvers.solution import Solution

__all__ = [
    "OUTPUTS",
    "Options",
    "Output",
    "Picture",
    "TexTree",
    "describe",
    "foreign_to_tex",
    "frames",
    "latex",
    "pdf",
    "picture",
    "png",
    "svg",
    "tex",
    "tex_markup",
    "tex_tree",
    "text_picture",
]

FAMILY = "Libertinus Serif, Linux Libertine O, Times New Roman, Liberation Serif, Nimbus Roman, Times, serif"
"""The first is inside the PDF maker, the others are on people's machines; the drawing has room for each."""

POINTS = 0.75
"""Printer's points in a CSS pixel."""

LARGEST_PAGE = 14_000.0
"""The longest side of a page in points: PDF readers refuse more than 14,400."""

LARGEST_IMAGE = 12_000.0
"""The longest side of a PNG in pixels."""

TELLING = 400
"""Trees of more nodes are described by their size alone: nobody listens to a thousand branches."""


# In words -----------------------------------------------------------------------------------------


def describe(tree: Tree, view: View | None = None) -> str:
    """The picture in words, for those who cannot see it: the tree, and nothing but what the view shows."""
    view = View.question(tree) if view is None else view
    plies, leaves = max(tree.depths), len(tree.leaves)
    size = f"A game tree of {_count(plies, 'ply', 'plies')} with {_count(leaves, 'leaf', 'leaves')}."
    if len(tree) > TELLING:
        return size
    words = words_of(tree, view, "given")
    sentences = [size]
    for node in tree.internal or (0,):
        outcomes = (_outcome(tree, child, view, words[child]) for child in tree.children[node])
        leads = " leads to " + view.language.between.join(outcomes) if tree.children[node] else ""
        sentences.append(f"{_called(tree, node, words[node])}{_aside(node, view, words[node])}{leads}.")
    if view.current is not None:
        sentences.append(f"The search is at {_called(tree, view.current, words[view.current])}.")
    return " ".join(sentences)


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _called(tree: Tree, node: int, words: Words) -> str:
    player = tree.players[node]
    if player is None:
        return f"{words.name} = {words.payoff}" if words.name else words.payoff
    return f"{player} {words.name}" if words.name else readable(tree.names[node])


def _outcome(tree: Tree, node: int, view: View, words: Words) -> str:
    mark = view.cross_marks[node]
    judged = {None: "", "right": "rightly", "extra": "wrongly", "missing": "a missing cross"}[mark]
    crossed = " ".join(part for part in (judged, "crossed out" if view.pruned[node] else "") if part)
    return (
        (f"{words.move}: " if words.move else "")
        + (f"with probability {words.probability} " if words.probability else "")
        + _called(tree, node, words)
        + (_aside(node, view, words) if tree.players[node] is None else "")
        + (f" [{crossed}]" if crossed else "")
    )


def _aside(node: int, view: View, words: Words) -> str:
    """What is written at a node, in brackets."""
    mark = view.claim_marks[node]
    notes = []
    if words.claim:
        notes.append(f"said to be {words.claim}{_JUDGED[mark]}")
    if words.value and not (words.claim and mark == "right"):
        notes.append(f"value {words.value}")
    if words.window:
        notes.append(f"window {words.window}")
    notes += words.notes
    return f" ({'; '.join(notes)})" if notes else ""


_JUDGED: Mapping[ClaimMark | None, str] = {
    None: "",
    "right": ", which is right",
    "wrong": ", which is wrong",
    "follows": ", which only follows from what is said of the nodes below",
}


# Pictures -----------------------------------------------------------------------------------------


class Options(TypedDict, total=False):
    """How a picture is drawn.

    - `title`: what the picture is called; the title in the file's header, or "Game tree".
    - `direction`: `down` or `right`; without it downwards, unless that is wider than a page.
    - `names`: show the names the author gave (`given`), every internal node's (`all`), or `none`.
    - `paths`: show the path number of every leaf.
    """

    title: str | None
    direction: Direction | None
    names: Names
    paths: bool


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture with its size in CSS pixels, its name, and what it shows in words."""

    svg: str
    width: float
    height: float
    direction: Direction
    title: str
    description: str


def svg(
    tree: Tree,
    solution: "Solution | None" = None,
    *,
    view: View | None = None,
    identity: str | None = None,
    **options: Unpack[Options],
) -> str:
    """A tree as an SVG picture: one `<svg>` element, the same text for the same input everywhere.

    Shows the tree as its author wrote it; with `solution` its values and crosses; with `view`
    exactly that. `identity` is the stem of the ids inside the picture and has to be unique in the
    page; it may be left out unless a page shows the same picture twice.
    """
    return picture(tree, solution, view=view, identity=identity, **options).svg


def picture(
    tree: Tree,
    solution: "Solution | None" = None,
    *,
    view: View | None = None,
    identity: str | None = None,
    **options: Unpack[Options],
) -> Picture:
    """The same picture with its size and its description, for a page that makes room for it."""
    tree, shown = _shown(tree, solution, view)
    return _pictures(tree, (shown,), identity, options)[0]


def frames(
    tree: Tree, views: Sequence[View], *, identity: str | None = None, **options: Unpack[Options]
) -> tuple[str, ...]:
    """One SVG picture for each view, with every node in the same place in all of them.

    With an `identity`, the ids in the picture at index k start with `identity-k`.
    """
    return tuple(picture.svg for picture in _pictures(tree, views, identity, options))


def pdf(
    tree: Tree, solution: "Solution | None" = None, *, view: View | None = None, **options: Unpack[Options]
) -> bytes:
    """The same picture as an accessible PDF (PDF/UA-1) of one page, as large as the picture."""
    tree, shown = _shown(tree, solution, view)
    picture = _pictures(tree, (shown,), None, options)[0]
    shrink = min(1.0, LARGEST_PAGE / (POINTS * max(picture.width, picture.height)))
    return _typeset(picture, POINTS * shrink, "pdf")


def png(
    tree: Tree,
    solution: "Solution | None" = None,
    *,
    view: View | None = None,
    scale: float = 2.0,
    **options: Unpack[Options],
) -> bytes:
    """The same picture in pixels: `scale` of them for each CSS pixel, fewer if it gets too large."""
    tree, shown = _shown(tree, solution, view)
    picture = _pictures(tree, (shown,), None, options)[0]
    return _typeset(picture, min(scale, LARGEST_IMAGE / max(picture.width, picture.height)), "png")


def _shown(tree: Tree, solution: "Solution | None", view: View | None) -> tuple[Tree, View]:
    """What to draw: a solution brings its own tree, which a depth limit may have made shorter."""
    if view is not None:
        return tree, view
    if solution is None:
        return tree, View.question(tree)
    return solution.tree, View.solution(solution)


def _title(tree: Tree, options: Options) -> str:
    return readable(options.get("title") or tree.header.title or "Game tree", 200)


def _pictures(
    tree: Tree, views: Sequence[View], identity: str | None, options: Options
) -> tuple[Picture, ...]:
    drawings = draw_all(
        tree,
        views,
        direction=options.get("direction"),
        names=options.get("names", "given"),
        paths=options.get("paths", False),
    )
    template = markup().get_template("svg/tree.svg.j2")
    title = _title(tree, options)
    pictures = []
    for index, (view, drawing) in enumerate(zip(views, drawings, strict=True)):
        description = describe(tree, view)
        content = {"drawing": drawing, "title": title, "description": description, "family": FAMILY}
        if identity is None:
            unnamed = template.render(content, identity="tree")
            stem = f"tree-{hashlib.sha256(unnamed.encode()).hexdigest()[:12]}"
        else:
            stem = identity if len(views) == 1 else f"{identity}-{index}"
        picture = template.render(content, identity=stem)
        pictures.append(
            Picture(picture, drawing.width, drawing.height, drawing.direction, title, description)
        )
    return tuple(pictures)


@cache
def _fonts(include_system_fonts: bool) -> "typst.Fonts":
    """The fonts inside the PDF maker, and those of the machine only when they are needed."""
    import typst

    return typst.Fonts(include_system_fonts=include_system_fonts)


def _foreign(words: str) -> bool:
    """Whether there are letters that the fonts inside the PDF maker may lack."""
    return any(sign > "\u052f" and unicodedata.category(sign) in ("Lo", "Mn", "Mc", "So") for sign in words)


def _typeset(picture: Picture, scale: float, form: Literal["pdf", "png"]) -> bytes:
    """The picture on a page of its own, `scale` points wide for each CSS pixel; a point is a PNG pixel.

    The bytes depend on the picture alone, unless a name is in a script that needs the machine's fonts.
    """
    import typst

    source = shipped("templates").joinpath("typst", "picture.typ").read_bytes()
    data = {
        "svg": picture.svg,
        "title": picture.title,
        "description": picture.description,
        "width": picture.width * scale,
    }
    inputs = {"data": json.dumps(data)}
    compiler = typst.Compiler(font_paths=_fonts(_foreign(picture.svg)))
    if form == "png":
        return cast(bytes, compiler.compile(input=source, format="png", ppi=72.0, sys_inputs=inputs))
    try:
        made = compiler.compile(
            input=source, format="pdf", sys_inputs=inputs, pdf_standards="ua-1", timestamp=0
        )
    except typst.TypstError:
        # The standard forbids a character that no font here can show; without it there is an empty box.
        made = compiler.compile(input=source, format="pdf", sys_inputs=inputs, timestamp=0)
    return cast(bytes, made)  # a document of one page comes as one piece


# LaTeX --------------------------------------------------------------------------------------------


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
}
"""Characters that mean something to LaTeX, or that a font may lack, and how they are written instead."""


def tex(words: object) -> str:
    """The words as LaTeX source that prints them and does nothing else."""
    return "".join(_TEX.get(character, character) for character in readable(str(words), 10_000))


@cache
def tex_markup() -> Environment:
    """The templates that write LaTeX: every value is escaped, and braces stay braces."""
    return letters(
        tex,
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

    depth: int
    closes: int
    apart: int
    player: Player | None
    name: str
    payoff: str
    notes: str
    label: str
    path: int
    value: str
    window: str
    claim: str
    claim_mark: str
    muted: bool
    crossed: bool
    mark: str
    chosen: bool
    current: bool


def _twigs(tree: Tree, view: View, names: Names, paths: bool) -> tuple[_Twig, ...]:
    muted = [False] * len(tree)
    twigs = []
    written = words_of(tree, view, names)
    for node, words in enumerate(written):
        parent, depth = tree.parents[node], tree.depths[node]
        muted[node] = view.pruned[node] or (parent >= 0 and muted[parent])
        following = tree.depths[node + 1] if node + 1 < len(tree) else 0
        twigs.append(
            _Twig(
                depth=depth,
                closes=0 if tree.children[node] else depth - following + 1,
                apart=_apart([written[child] for child in tree.children[node]]),
                player=tree.players[node],
                name=words.name,
                payoff=words.payoff,
                notes=view.language.between.join(words.notes),
                label=words.branch,
                path=tree.paths[node] if paths else 0,
                value=words.value,
                window=words.window,
                claim=words.claim,
                claim_mark=(view.claim_marks[node] or "") if words.claim else "",
                muted=muted[node],
                crossed=view.pruned[node],
                mark=view.cross_marks[node] or "",
                chosen=view.chosen[node],
                current=view.current == node,
            )
        )
    return tuple(twigs)


def _apart(children: Sequence[Words]) -> int:
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
    """What `templates/latex/branching.tex.j2` and `forest.tex.j2` need to know of a tree.

    `run` is how far a branch to the right runs level before its node, in mm; `foreign` are the
    characters that LaTeX may lack, as hexadecimal numbers.
    """

    title: str
    direction: Direction
    twigs: tuple[_Twig, ...]
    labelled: bool
    run: int
    foreign: tuple[str, ...]


def tex_tree(
    tree: Tree, solution: "Solution | None" = None, *, view: View | None = None, **options: Unpack[Options]
) -> TexTree:
    """A tree for a LaTeX document that holds more than the tree."""
    tree, shown = _shown(tree, solution, view)
    names, paths = options.get("names", "given"), options.get("paths", False)
    direction = options.get("direction") or draw(tree, shown, names=names, paths=paths).direction
    twigs = _twigs(tree, shown, names, paths)
    longest = math.ceil(max(text_width(twig.label, _TEX_LABEL) for twig in twigs))
    said = "".join(
        "".join((twig.name, twig.payoff, twig.label, twig.value, twig.claim, twig.notes)) for twig in twigs
    )
    return TexTree(
        title=_title(tree, options),
        direction=direction,
        twigs=twigs,
        labelled=longest > 0,
        run=max(17, longest + 6) if longest else 6,
        foreign=foreign_to_tex(said),
    )


def foreign_to_tex(words: str) -> tuple[str, ...]:
    """The characters that LaTeX may lack, as hexadecimal numbers, in order."""
    return tuple(sorted({f"{ord(sign):04X}" for sign in words if sign > "\u017f" and sign not in _TEX}))


def latex(
    tree: Tree, solution: "Solution | None" = None, *, view: View | None = None, **options: Unpack[Options]
) -> str:
    """A LaTeX document with the tree in the `forest` package: it compiles as it is, with any engine."""
    made = tex_tree(tree, solution, view=view, **options)
    fields = {name: getattr(made, name) for name in TexTree.__slots__}
    return tex_markup().get_template("latex/tree.tex.j2").render(fields)


# The table of outputs -----------------------------------------------------------------------------


class Draws(Protocol):
    """A function that draws a tree into the bytes of a file."""

    def __call__(
        self,
        tree: Tree,
        solution: "Solution | None" = None,
        *,
        view: View | None = None,
        **options: Unpack[Options],
    ) -> bytes:
        """The bytes of the file."""


@dataclass(frozen=True, slots=True)
class Output:
    """A kind of file a tree can be drawn into."""

    name: str
    suffix: str
    draw: Draws


def _svg_file(
    tree: Tree, solution: "Solution | None" = None, *, view: View | None = None, **options: Unpack[Options]
) -> bytes:
    return (svg(tree, solution, view=view, **options) + "\n").encode()


def _png_file(
    tree: Tree, solution: "Solution | None" = None, *, view: View | None = None, **options: Unpack[Options]
) -> bytes:
    return png(tree, solution, view=view, **options)


def _latex_file(
    tree: Tree, solution: "Solution | None" = None, *, view: View | None = None, **options: Unpack[Options]
) -> bytes:
    return latex(tree, solution, view=view, **options).encode()


def _text_file(
    tree: Tree, solution: "Solution | None" = None, *, view: View | None = None, **options: Unpack[Options]
) -> bytes:
    tree, shown = _shown(tree, solution, view)
    names, paths = options.get("names", "given"), options.get("paths", False)
    return (text_picture(tree, view=shown, names=names, paths=paths) + "\n").encode()


OUTPUTS = (
    Output("SVG picture", ".svg", _svg_file),
    Output("PNG picture", ".png", _png_file),
    Output("PDF page", ".pdf", pdf),
    Output("LaTeX document", ".tex", _latex_file),
    Output("text", ".txt", _text_file),
)
"""Everything a tree can be drawn into; the suffix of a file's name chooses."""
