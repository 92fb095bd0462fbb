"""Trees as PDF and PNG, without TeX: the picture of `svg` on a page of its size."""

import math
from typing import TYPE_CHECKING, Any, Unpack

from grader.pictures.picture_options import Options
from grader.pictures.svg import Picture, picture
from grader.pictures.typesetting import typeset, typeset_image
from grader.pictures.view import View
from grader.trees.tree import Tree

if TYPE_CHECKING:
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
    return typeset("picture", _page_data(result, POINTS_PER_PIXEL * shrink))


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
        raise ValueError(f"the scale must be a number above 0, not {scale!r}")
    result = picture(tree, solution, view=view, **options)
    largest = MAX_IMAGE_PIXELS / max(result.width, result.height)
    return typeset_image("picture", _page_data(result, min(scale, largest)))


def _page_data(picture: Picture, scale: float) -> dict[str, Any]:
    """Return the data of a page of the picture's size, with `scale` points per CSS pixel."""
    return {
        "svg": picture.svg,
        "title": picture.title,
        "description": picture.description,
        "language": picture.language,
        "width": picture.width * scale,
    }
