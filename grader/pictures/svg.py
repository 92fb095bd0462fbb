"""Trees as SVG: the same text for the same input everywhere."""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

from grader.base.templating import markup
from grader.pictures.layout import BoxedLayout, Layout, draw_all
from grader.pictures.picture import BoxedOptions, Picture, title_of
from grader.pictures.view import View, shown
from grader.pictures.words import describe, words_of
from grader.tree import Tree

if TYPE_CHECKING:
    from grader.solvers.solution import Solution

FAMILY = "Libertinus Serif, Linux Libertine O, Times New Roman, Liberation Serif, Nimbus Roman, Times, serif"
"""The first is inside the PDF maker, the others are on people's machines; the drawing has room for each."""

_WORDS = '<g fill="#111111">\n'
"""What all words of a picture begin with, and nothing else does."""

_HERE = "\0"
"""Where the identity stands, before it is known: no text of a picture has such a character."""


def svg(
    tree: Tree,
    solution: "Solution | None" = None,
    *,
    view: View | None = None,
    identity: str | None = None,
    **options: Unpack[BoxedOptions],
) -> str:
    """A tree as an SVG picture: one `<svg>` element.

    Shows the tree as its author wrote it; with `solution` its values and crosses; with `view`
    exactly that. `identity` is the stem of the ids inside the picture and has to be unique in the
    page; it may be left out unless a page shows the same picture twice. Besides:

    - `title`: what the picture is called; the title in the file's header, or "Game tree".
    - `direction`: `down` or `right`; without it downwards, unless that is wider than a page.
    - `names`: show the names the author gave (`given`), every internal node's (`all`), or `none`.
    - `paths`: show the path number of every leaf.

    Raises `ValueError` for the solution or the view of another tree.
    """
    return picture(tree, solution, view=view, identity=identity, **options).svg


def picture(
    tree: Tree,
    solution: "Solution | None" = None,
    *,
    view: View | None = None,
    identity: str | None = None,
    **options: Unpack[BoxedOptions],
) -> Picture:
    """The same picture with its size and its description, for a page that makes room for it."""
    tree, view = shown(tree, solution, view)
    return pictures(tree, (view,), identity, **options)[0]


def shapes(svg: str) -> str:
    """A picture without any words, for whoever sets these apart."""
    before, rest = svg.split("<title", 1)
    behind, rest = rest.split("</desc>\n", 1)[1].split(_WORDS, 1)
    return before + behind + rest.split("</g>\n", 1)[1]


def pictures(
    tree: Tree,
    views: Sequence[View],
    identity: str | None = None,
    title: str | None = None,
    **layout: Unpack[BoxedLayout],
) -> tuple[Picture, ...]:
    """One picture for each view, with every node in the same place in all of them.

    With an `identity`, the ids in the picture at index k start with `identity-k`.
    """
    if not isinstance(title, str | None):
        raise TypeError(f"the title is a text, not {title!r}")
    for option in layout.keys() - BoxedLayout.__annotations__.keys():
        there = ", ".join((*Layout.__annotations__, "title"))
        raise TypeError(f"a picture has no option {option!r}; it has {there}")
    names = layout.get("names", "given")
    said = [words_of(tree, view, names) for view in views]
    drawings = draw_all(tree, views, said, **layout)
    template = markup().get_template("svg/tree.svg.j2")
    made = []
    for index, (view, drawing) in enumerate(zip(views, drawings, strict=True)):
        name = title_of(tree, view, title)
        description = describe(tree, view, None if names == "none" else said[index])
        content = {"drawing": drawing, "title": name, "description": description, "family": FAMILY}
        if identity is None:
            unnamed = template.render(content, identity=_HERE)
            digest = hashlib.sha256(unnamed.replace(_HERE, "tree").encode()).hexdigest()
            drawn = unnamed.replace(_HERE, f"tree-{digest[:12]}")
        else:
            drawn = template.render(content, identity=identity if len(views) == 1 else f"{identity}-{index}")
        made.append(
            Picture(
                svg=drawn,
                width=drawing.width,
                height=drawing.height,
                direction=drawing.direction,
                title=name,
                description=description,
                language=view.language.code,
                texts=drawing.texts,
                spots=drawing.spots,
            )
        )
    return tuple(made)
