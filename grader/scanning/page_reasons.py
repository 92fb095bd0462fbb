"""The reasons why a page is not read, each with what to do about it; they are stored in English."""

from grader.base.phrases import Phrase

NO_CODE = Phrase("No code can be read on it. Scan it again, or say which page it is.")
STRANGE_CODE = Phrase("It has discs, but no code of an exam. Scan it again, or say which page it is.")
FOREIGN_CODE = Phrase("Its code is not one of this program. Take it out if it does not belong to the exam.")
TWO_CODES = Phrase("Codes of two different pages are on it. Separate the sheets and scan each of them.")
OTHER_EXAM = Phrase("It is a page of another exam. Scan it for that exam.")
OTHER_BUILD = Phrase(
    "It was printed before this exam was built again. Scan it for the exam as it was printed."
)
COVER_SHEET = Phrase("It is a cover sheet.")
EMPTY_PAGE = Phrase("Nothing is on it.")

NOT_PLACED = Phrase(
    "Fewer than three of its discs can be seen: it is cut off, crumpled, or printed on other paper. "
    "Scan the whole page, flat."
)
COVERED = Phrase(
    "Too many of its boxes are not where they were printed: another sheet lies on it, or it is crumpled. "
    "Scan it again, alone and flat."
)
MIRRORED = Phrase("Its code is mirrored. Scan the front of the page again, without mirroring it.")
NEGATIVE = Phrase("It is a negative, with light ink on dark paper. Scan it again, or invert the picture.")
DARK = Phrase("The paper is dark in this scan. Scan it again, brighter.")
SPECKLED = Phrase(
    "The paper is full of specks, as in a halftone. Set the scanner to text or grey, and scan it again."
)
COARSE = Phrase("It has fewer than 120 dots an inch. Scan it again, with 150 or more.")
BLACK_AND_WHITE = Phrase(
    "Black and white scans lose faint crosses. Scan it again in grey, or use --black-and-white."
)

DAMAGED = Phrase("This page is damaged in its file. Scan it again.")
TOO_LARGE = Phrase("This page has too many pixels. Scan it again with 300 dots an inch.")
TOO_LONG = Phrase("Drawing this page takes too long. Scan it again, or save it as a picture.")
TOO_SMALL = Phrase("A picture this small is not a page. Scan the whole page with 150 dots an inch or more.")

NAMED = Phrase("A person said which page it is.")
SET_ASIDE = Phrase("A person has set it aside.")
