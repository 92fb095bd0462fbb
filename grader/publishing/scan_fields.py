"""What feedback pages show of a scanned paper: the pieces on which a reply was read, and missing pages."""

from typing import Any

from grader.base.phrases import Language
from grader.exercises.marking import State
from grader.grading.records import Standing
from grader.scanning.crops import Scans
from grader.scanning.sheet_submissions import SCANS_TABLE_NAME


def scan_fields(standing: Standing, scans: Scans | None, language: Language) -> dict[str, Any]:
    """Return the crops of a reply that was read from a scan, as bytes, and the words above them.

    A part whose page was not scanned, though others of the paper were, gets this as its reason.
    """
    submission = standing.original or standing.submission
    pages = [] if scans is None else scans.missing_pages(standing.variant, standing.question)
    if standing.state is State.MISSING and pages:
        listed = language.join_and([str(page) for page in pages])
        missing = language.say(
            "Page {pages} of your paper is missing.",
            "Pages {pages} of your paper are missing.",
            len(pages),
            pages=listed,
        )
        return {"crops": (), "state": missing}
    if scans is None or submission is None or not submission.place.startswith(f"{SCANS_TABLE_NAME}-"):
        return {"crops": ()}
    crops = scans.answer(standing.variant, standing.question)
    words = {"crops": tuple(map(list, crops))}
    return words | ({"wrote": language.say("Read from your paper:")} if submission.reply else {})
