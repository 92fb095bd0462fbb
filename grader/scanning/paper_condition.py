"""Judge the paper of a scan: light or dark, blank, full of specks."""

import numpy as np

from grader.exam.paper import PaperSize
from grader.scanning.box_states import THIN_INK
from grader.scanning.page_location import Floats, PagePlacement, cut_patches
from grader.scanning.places import BOX_MM, PAGE_SIZES_MM
from grader.scanning.rasters import Grey, Raster

MIN_PAPER_GREY = 100
"""Paper is lighter than this grey value, from 0 to 255."""

MAX_BLANK_DARK_SHARE = 0.0005
"""The share of dark pixels below which a page without a code is blank."""

MAX_SPECK_SHARE, MAX_BLACK_AND_WHITE_SPECK_SHARE = 0.01, 0.002
"""The greatest share of specks in an empty place of a grey scan, whose noise is harmless, and of one in black
and white only, where even few specks are dots of a halftone."""

CLEAN_PLACES, MAX_CLEAN_SPECK_SHARE = 0.2, 0.001
"""The share of places that are clean anywhere on a page, and the greatest share of specks in a clean place: a
halftone has specks everywhere."""

MIN_PLACE_PIXELS = 16
"""The least side of such a place."""

SPECK_DOTS_PER_MM = 8
"""The resolution at which empty places are sampled."""

PAGE_MARGIN_MM, MARGIN_STEP_MM = 36.0, 10.0
"""The distance of the first empty place from the top and the bottom edge, and from one to the next, in
millimetres: codes and discs are nearer to the corners."""

MARGIN_PLACES_MM = (5.0, 9.5, 14.0)
"""The distances of empty places from the edges at the sides, in millimetres."""


def is_light(grey: Grey) -> bool:
    """Return whether most of a scan is as light as paper."""
    return bool(np.median(grey[::8, ::8]) >= MIN_PAPER_GREY)


def is_blank(grey: Grey) -> bool:
    """Return whether nothing is on the paper; dark edges of the scan do not count."""
    # Means of squares: single pixels can all miss the dots of a halftone.
    height, width = (side // 4 * 4 for side in grey.shape)
    small = grey[:height, :width].reshape(height // 4, 4, width // 4, 4).mean(axis=(1, 3))
    rows, columns = (side // 20 for side in small.shape)
    middle = small[rows:-rows, columns:-columns]
    return bool((middle < np.median(middle) * 0.75).mean() < MAX_BLANK_DARK_SHARE)


def is_speckled(raster: Raster, placement: PagePlacement, size: PaperSize) -> bool:
    """Return whether places in the empty margins at the sides look as if there were ink in them."""
    width, height = PAGE_SIZES_MM[size]
    downs = np.arange(PAGE_MARGIN_MM, height - PAGE_MARGIN_MM - BOX_MM, MARGIN_STEP_MM)
    acrosses = [across for inset in MARGIN_PLACES_MM for across in (inset, width - inset - BOX_MM)]
    corners = np.array([(across, down) for across in acrosses for down in downs])
    patches = cut_patches(raster.grey, placement.matrix, corners, BOX_MM, SPECK_DOTS_PER_MM)
    patches = patches[~np.isnan(patches).any(axis=(1, 2))]
    if not len(patches):
        return False
    limit = MAX_BLACK_AND_WHITE_SPECK_SHARE if raster.black_and_white else MAX_SPECK_SHARE
    return bool(np.median(_speck_shares(patches, placement.black)) > limit)


def is_speckled_everywhere(grey: Grey) -> bool:
    """Return whether a scan looks like a halftone, without knowing how the page lies in it."""
    side = max(MIN_PLACE_PIXELS, round(min(grey.shape) * BOX_MM / min(PAGE_SIZES_MM["a4"])))
    rows, columns = (length // side for length in grey.shape)
    grid = grey[: rows * side, : columns * side].reshape(rows, side, columns, side)
    places = grid.swapaxes(1, 2).reshape(-1, side, side)
    places = places[np.percentile(places, 85, axis=(1, 2)) >= MIN_PAPER_GREY]
    if not len(places):
        return False
    return bool(np.quantile(_speck_shares(places, 0), CLEAN_PLACES) > MAX_CLEAN_SPECK_SHARE)


def _speck_shares(places: Floats | Grey, black: float) -> Floats:
    """Return the share of each place that is darker than its paper."""
    white = np.percentile(places, 85, axis=(1, 2))
    depth = np.maximum(white - black, 40)
    return np.asarray(((white[:, None, None] - places) / depth[:, None, None] > THIN_INK).mean(axis=(1, 2)))
