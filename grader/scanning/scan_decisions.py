"""Decisions about scans: the content of a box, and the identity of a page whose code cannot be read."""

from collections.abc import Collection, Mapping

from grader.base.hinted_error import HintedError
from grader.base.safe_text import safe_line
from grader.scanning.journal import Journal, Subject
from grader.scanning.page_reading import PageReading
from grader.scanning.places import ScannedExam
from grader.scanning.replies import NOTHING_CROSSED, BoxDoubt
from grader.scanning.uncoded_pages import identify_page, set_page_aside
from grader.scanning.written_numbers import EMPTY

MAX_TYPED_LENGTH = 2_000
"""The most characters of the text typed for one box."""

ASIDE = "aside"
"""The decision about a page that nobody needs."""


class ScanDecisionError(HintedError, ValueError):
    """A decision that is not possible; `hint` says which are."""


def doubt_label(question: BoxDoubt) -> str:
    """Return the label of a doubt: the variant and the box, or the page."""
    box = f"{NOTHING_CROSSED}-{question.page}" if question.box == NOTHING_CROSSED else question.box
    return f"{question.variant}/{box}"


def page_label(page: PageReading) -> str:
    """Return the label of a page of a file."""
    return f"{page.file}/{page.number}"


def decide(journal: Journal, exam: ScannedExam, decision: str) -> None:
    """Record a decision as it is typed: `VARIANT/BOX=SAYS`, or `FILE/PAGE=VARIANT/PAGE`.

    Raises `ScanDecisionError`, or `OSError`.
    """
    pages = [page for page in journal.scanned_pages() if decision.startswith(f"{page_label(page)}=")]
    if pages:
        says = decision.removeprefix(f"{page_label(pages[0])}=")
        if len({page.digest for page in pages}) > 1:
            raise ScanDecisionError(
                f"two files are called {pages[0].file}", "Rename one of them, and scan it again."
            )
        decide_page(journal, exam, pages[0], says)
        return
    place, equals, says = decision.partition("=")
    variant, _, name = place.partition("/")
    if not equals:
        raise ScanDecisionError("it decides nothing", "Write VARIANT/BOX=SAYS, as listed.")
    decide_box(journal, exam, variant, name, says)


def decide_box(journal: Journal, exam: ScannedExam, variant: str, name: str, says: str) -> None:
    """Record the content of a box: `crossed`, `empty` or the text in it; "" opens the doubt again.

    Raises `ScanDecisionError`, or `OSError`.
    """
    decide_boxes(journal, exam, {(variant, name): says})


def decide_boxes(journal: Journal, exam: ScannedExam, decisions: Mapping[tuple[str, str], str]) -> None:
    """Record the content of boxes, by variant and name, as one decision; none if one of them is refused.

    An empty text takes an earlier decision back. Raises `ScanDecisionError`, or `OSError`.
    """
    scans = {(page.variant, page.page) for page in journal.pages() if page.fate == "read" and page.by_hand}
    checked = (
        (_subject(exam, variant, name, says, scans), says) for (variant, name), says in decisions.items()
    )
    journal.decide([(place, safe_line(says, MAX_TYPED_LENGTH).strip() or None) for place, says in checked])


def _subject(
    exam: ScannedExam, variant: str, name: str, says: str, by_hand: Collection[tuple[str, int]]
) -> Subject:
    """Return what a decision is about: the variant, the page, and the name as it was typed.

    1. `name` may be that of the question whether a page is blank, which can only be said to be empty.
    2. It may be that of a box: crossed or empty; one sign if it is for a digit; any text if it is for
       handwriting or on one of the pages `by_hand`.
    3. It may be that of an entry with a box for each digit, whose text is said as a whole.

    A text is never `crossed`, and on a page `by_hand` it is said of the first box of a group.
    An empty text, which takes a decision back, is allowed for all. Raises `ScanDecisionError` otherwise.
    """
    layout = exam.layouts.get(variant, ())
    word, _, number = name.partition("-")
    if word == NOTHING_CROSSED and number in {str(page) for page in range(1, len(layout) + 1)}:
        if says not in (EMPTY, ""):
            raise ScanDecisionError(
                "this says that nothing is crossed", "Name the boxes that are crossed instead."
            )
        return variant, int(number), NOTHING_CROSSED
    for page, boxes in enumerate(layout, 1):
        for box in boxes:
            if box.is_cell and says != EMPTY and len(says) > 1 and box.name == name:
                raise ScanDecisionError(
                    "a box for a digit has one character in it",
                    f"Write {variant}/{box.entry}=... for the number.",
                )
            if box.name == name or (box.is_cell and box.entry == name):
                is_by_hand = (variant, page) in by_hand
                typed = box.is_written or is_by_hand
                place = name
                if is_by_hand:
                    place = box.entry if box.is_cell else f"{box.entry}.0"
                if typed and (says == "crossed" or (says and name != place)):
                    raise ScanDecisionError(
                        "a person has to read this page" if is_by_hand else "this box is for handwriting",
                        f"Write {variant}/{place}=... with the answer that you see, or empty for none.",
                    )
                if not typed and says not in ("crossed", EMPTY, ""):
                    raise ScanDecisionError("a box is crossed or empty")
                return variant, page, name
    raise ScanDecisionError("it names no box", "Write VARIANT/BOX=SAYS, as listed.")


def decide_page(journal: Journal, exam: ScannedExam, page: PageReading, says: str) -> None:
    """Record which page a scanned one is: `VARIANT/PAGE`, or `aside`; "" opens the doubt again.

    Raises `ScanDecisionError`, or `OSError`.
    """
    if page.fate != "person":
        raise ScanDecisionError(f"this page is not for a person: it was {page.fate}")
    variant, _, number = says.partition("/")
    if says in ("", ASIDE):
        journal.name_page(page, set_page_aside(page) if says else None)
    elif number in {str(place) for place in range(1, len(exam.layouts.get(variant, ())) + 1)}:
        journal.name_page(page, identify_page(exam, journal.images, page, variant, int(number)))
    else:
        raise ScanDecisionError("there is no such page", "Write FILE/PAGE=VARIANT/PAGE, or FILE/PAGE=aside.")
