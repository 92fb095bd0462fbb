"""`gametree scan --kit`: pages to fill in with known marks, which show how well these are read."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.base.files import write_file
from grader.base.numbers import format_count
from grader.cli.shared.refusals import error_text, refusing
from grader.cli.shared.terminal import printable, refuse, report, say, say_json

if TYPE_CHECKING:
    from grader.exam.paper import PaperSize
    from grader.scanning.kit import KitPage, MarkReading


def print_kit(output: Path, size: "PaperSize") -> None:
    """Write the pages to be printed; refuse to overwrite a file with other content."""
    from grader.publishing.kit_pages import scan_kit

    _, content = scan_kit(size)
    try:
        if output.is_file() and output.read_bytes() != content:
            refuse(f"{output} already exists.", "Name another file with --output.")
        write_file(output, content)
    except OSError as error:
        refuse(f"{output} cannot be written: {error_text(error)}.")
    say(f"4 pages in {output}")
    report("Print them, fill them in as they say, scan them, and run gametree scan --kit with the scans.")


def report_kit(files: Sequence[Path], json: bool) -> bool:
    """Print how the marks on these scans are read; return whether none was read wrongly."""
    from grader.publishing.kit_pages import scan_kit
    from grader.scanning.kit import read_kit, tally_marks
    from grader.scanning.rasters import ScanError

    pages: list[KitPage] = []
    for path in files:
        with refusing(f"{path} cannot be read", OSError), refusing(f"{path.name} cannot be read", ScanError):
            pages += read_kit([scan_kit(size)[0] for size in ("a4", "us-letter")], [path])
    rows = tally_marks(pages)
    if json:
        say_json(_record(pages, rows))
    else:
        _say(pages, rows)
    return bool(rows) and not any(row.wrong for row in rows)


def _say(pages: "Sequence[KitPage]", rows: "Sequence[MarkReading]") -> None:
    """Print how each page was read and, for each pen, how its marks were read."""
    from grader.scanning.box_states import CROSS_INK_RANGE, MAX_EMPTY_INK_SHARE
    from grader.scanning.kit import PENS

    for page in pages:
        if page.why:
            report(f"{printable(page.file)}, page {page.number}: nothing is read: {page.why}")
        else:
            say(
                f"{printable(page.file)}, page {page.number} is page {page.page} of the kit: "
                f"{page.dots_per_inch:.0f} dots an inch, black is {page.black:.0f} of 255, "
                f"{page.off:.2f} mm off"
            )
    for number, pen in enumerate(PENS, 1):
        page_rows = [row for row in rows if row.page == number]
        if not page_rows:
            continue
        say(f"\nPage {number}. {pen}")
        say("mark    boxes right asked wrong   share of ink: least, median, most")
        for row in page_rows:
            spread = " ".join(f"{share:6.1%}" for share in (row.shares[0], row.middle, row.shares[-1]))
            say(f"{row.mark.name:7} {row.boxes:5} {row.right:5} {row.asked:5} {row.wrong:5}   {spread}")
    if rows:
        empty_share, (low, high) = MAX_EMPTY_INK_SHARE, CROSS_INK_RANGE
        say(f"\nA box with less than {empty_share:.0%} of ink is empty, a cross has {low:.0%} to {high:.0%}; "
            "everything else is for a person to decide.")  # fmt: skip
        boxes = format_count(sum(row.boxes for row in rows), "box", "boxes")
        wrong, doubtful = sum(row.wrong for row in rows), sum(row.asked for row in rows)
        say(f"{boxes}: {wrong} read wrongly, {doubtful} asked about more than necessary")


def _record(pages: "Sequence[KitPage]", rows: "Sequence[MarkReading]") -> dict[str, Any]:
    """Return the same as JSON.

    `dots` are per inch, `black` is from 0 to 255, `off` in millimetres, and `ink` has shares.
    """
    from grader.scanning.box_states import CROSS_INK_RANGE, MAX_EMPTY_INK_SHARE

    return {
        "schema": 1,
        "pages": [
            {
                "file": page.file,
                "number": page.number,
                "page": page.page,
                "why": page.why,
                "dots": round(page.dots_per_inch),
                "black": round(page.black),
                "off": round(page.off, 2),
            }
            for page in pages
        ],
        "thresholds": {"empty": MAX_EMPTY_INK_SHARE, "crossed": list(CROSS_INK_RANGE)},
        "marks": [
            {
                "page": row.page,
                "mark": row.mark.name,
                "boxes": row.boxes,
                "right": row.right,
                "asked": row.asked,
                "wrong": row.wrong,
                "ink": [round(share, 4) for share in row.shares],
            }
            for row in rows
        ],
    }
