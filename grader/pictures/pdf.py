"""Trees as PDF and PNG, without TeX: the picture of `svg` on a page of its size."""

import json
import math
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Literal, Unpack, cast

from grader.base.shipped import shipped_folder
from grader.pictures.picture_options import Options
from grader.pictures.svg import Picture, picture
from grader.pictures.view import View
from grader.trees.tree import Tree

if TYPE_CHECKING:
    import typst

    from grader.solvers.solution import Solution

POINTS_PER_PIXEL = 0.75
"""Printer's points in a CSS pixel."""

MAX_PAGE_POINTS = 14_000.0
"""The longest side of a page in points: PDF readers refuse more than 14,400."""

MAX_IMAGE_PIXELS = 12_000.0
"""The longest side of a PNG in pixels."""


def pdf(
    tree: Tree,
    solution: "Solution | None" = None,
    *,
    view: View | None = None,
    **options: Unpack[Options],
) -> bytes:
    """Return a tree as an accessible PDF (PDF/UA-1) of one page, as large as the picture; see `svg`."""
    result = picture(tree, solution, view=view, **options)
    shrink = min(1.0, MAX_PAGE_POINTS / (POINTS_PER_PIXEL * max(result.width, result.height)))
    return _typeset(result, POINTS_PER_PIXEL * shrink, "pdf")


def png(
    tree: Tree,
    solution: "Solution | None" = None,
    *,
    view: View | None = None,
    scale: float = 2.0,
    **options: Unpack[Options],
) -> bytes:
    """Return a tree as PNG, with `scale` pixels per CSS pixel, or fewer if it gets too large; see `svg`.

    Raises `ValueError` for a scale that is not a number above 0.
    """
    if not isinstance(scale, int | float) or not 0 < scale < math.inf:
        raise ValueError(f"the scale is a number above 0, not {scale!r}")
    result = picture(tree, solution, view=view, **options)
    return _typeset(result, min(scale, MAX_IMAGE_PIXELS / max(result.width, result.height)), "png")


@cache
def _fonts(include_system_fonts: bool) -> "typst.Fonts":
    """Return the fonts of Typst, and of the machine if they are needed; searching these takes long."""
    import typst

    return typst.Fonts(include_system_fonts=include_system_fonts)


def _needs_system_fonts(words: str) -> bool:
    """Return if the words have letters that the fonts of Typst may lack."""
    return any(sign > "\u052f" and unicodedata.category(sign) in ("Lo", "Mn", "Mc", "So") for sign in words)


def _typeset(picture: Picture, scale: float, form: Literal["pdf", "png"]) -> bytes:
    """Typeset the picture on a page, with `scale` points per CSS pixel; a point is a pixel of a PNG.

    The bytes depend only on the picture, unless a name is in a script that needs the machine's fonts.
    """
    import typst

    source = shipped_folder("templates").joinpath("typst", "picture.typ").read_bytes()
    data = {
        "svg": picture.svg,
        "title": picture.title,
        "description": picture.description,
        "language": picture.language,
        "width": picture.width * scale,
    }
    inputs = {"data": json.dumps(data)}
    compiler = typst.Compiler(font_paths=_fonts(_needs_system_fonts(picture.svg)))
    if form == "png":
        return cast(bytes, compiler.compile(input=source, format="png", ppi=72.0, sys_inputs=inputs))
    try:
        content = compiler.compile(
            input=source, format="pdf", sys_inputs=inputs, pdf_standards="ua-1", timestamp=0
        )
    except typst.TypstError:
        # The standard forbids a character without a font; a plain PDF shows an empty box.
        content = compiler.compile(input=source, format="pdf", sys_inputs=inputs, timestamp=0)
    return cast(bytes, content)  # Typst returns a list only for several pages
