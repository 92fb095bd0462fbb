"""Which page a scan without a readable code may be: the missing ones, the likeliest first, and its way up."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.scanning.box_states import frame_share, look_at_boxes
from grader.scanning.page_location import PagePlacement, placements_by_discs
from grader.scanning.page_reading import PageReading, straighten
from grader.scanning.places import ScannedExam
from grader.scanning.rasters import Grey
from grader.scanning.uncoded_pages import image_of

PageNumber = tuple[str, int]
"""A variant, and a page of it, from 1."""

NEIGHBOUR_SCORE, SAME_PAPER_SCORE = 1.0, 0.3
"""The score of the page that continues one next to it in the file, and of any other page of that paper.
A page whose boxes all have their frames in place scores 1 more."""

MAX_COMPARED = 40
"""The most missing pages whose boxes are looked for on a scan."""

MIN_UPRIGHT_SHARE = 0.5
"""The least share of boxes in their places that says which way up a page is."""


@dataclass(frozen=True, slots=True)
class PageSuggestions:
    """The pages that a scan may be, the likeliest first, and the scan the right way up, if that is known."""

    pages: tuple[PageNumber, ...]
    upright: Grey | None


def missing_pages(exam: ScannedExam, read: Collection[PageNumber]) -> Iterator[PageNumber]:
    """Yield the pages that were not read, of papers that were handed in first."""
    scanned = {variant for variant, _ in read}
    for variant in sorted(exam.layouts, key=lambda code: code not in scanned):
        for page in range(1, len(exam.layout(variant)) + 1):
            if (variant, page) not in read:
                yield variant, page


def suggest_pages(
    exam: ScannedExam,
    images: Path,
    page: PageReading,
    pages: Sequence[PageReading],
    read: Collection[PageNumber],
) -> PageSuggestions:
    """Return which of the missing pages a scan may be, given all scanned pages and those that were read.

    A page is likely if its neighbours in the file belong to the same paper, and if its boxes are where they
    should be on the scan.
    """
    scores = dict.fromkeys(missing_pages(exam, read), 0.0)
    for variant, number in scores:
        scores[variant, number] = _neighbour_score(page, pages, variant, number)
    likely = sorted(scores, key=lambda place: -scores[place])[:MAX_COMPARED]
    grey = image_of(images, page)
    placements = [] if grey is None or page.flat else placements_by_discs(grey, exam.size)
    best_share, best_placement = MIN_UPRIGHT_SHARE, None
    for place in likely:
        share, placement = _frame_fit(exam, grey, placements, place)
        scores[place] += share
        if share > best_share:
            best_share, best_placement = share, placement
    upright = None
    if grey is not None and best_placement is not None:
        upright = straighten(grey, best_placement, exam.size)
    return PageSuggestions(tuple(sorted(likely, key=lambda place: -scores[place])), upright)


def _neighbour_score(page: PageReading, pages: Iterable[PageReading], variant: str, number: int) -> float:
    """Score how well a page of a variant continues the pages before and after a scan in its file."""
    known = [each for each in pages if each.digest == page.digest and each.variant and each.page]
    before = max((each for each in known if each.number < page.number), key=_number, default=None)
    after = min((each for each in known if each.number > page.number), key=_number, default=None)
    score = 0.0
    for neighbour, continued in ((before, number - 1), (after, number + 1)):
        if neighbour is not None and neighbour.variant == variant:
            score += NEIGHBOUR_SCORE if neighbour.page == continued else SAME_PAPER_SCORE
    return score


def _number(page: PageReading) -> int:
    return page.number


def _frame_fit(
    exam: ScannedExam, grey: Grey | None, placements: Sequence[PagePlacement], place: PageNumber
) -> tuple[float, PagePlacement | None]:
    """Return the greatest share of a page's boxes that are in their places, and how the scan lies then."""
    boxes = exam.crossable(*place)
    if grey is None or not boxes:
        return 0.0, None
    fits = [
        (frame_share(look_at_boxes(grey, placement, boxes), boxes), placement) for placement in placements
    ]
    return max(fits, key=lambda fit: fit[0], default=(0.0, None))
