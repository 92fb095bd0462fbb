"""Papers of version 0.1.0 that were scanned: six pages, what was read of them and what was decided."""

import json
import shutil
from pathlib import Path
from typing import Any

from tests.cli.running import gametree
from tests.made_by_0_1.frozen import HERE, hold, results_kept, results_now, text_of, unpacked

PICTURES = [str(path) for path in sorted((HERE / "scanned").glob("page-*.jpg"))]


def papers(said: str) -> list[dict[str, Any]]:
    """What was read of the papers, and which boxes are open, without the sentences that say why."""
    return [
        paper | {"open": [(each["box"], each["page"]) for each in paper["open"]]}
        for paper in json.loads(said)["papers"]
    ]


CROSSED_BY_FELT_PEN = {"UCQRNK/1.0.9": ("UCQRNK", "1", "10 21")}
"""Boxes that version 0.1.0 took for filled, and that have a cross by a broad pen, which is read since version
0.2.0: the variant, the part and its reply, which was in doubt for this box alone."""


def test_pages_are_read_as_before(tmp_path: Path) -> None:
    """Six pages that nobody has read yet have the fates, replies and doubts that version 0.1.0 found.

    What is read better is listed: fewer doubts, and the replies that they held up.
    """
    exam = unpacked("scanned", tmp_path) / "exam"
    shutil.rmtree(exam / "grades")
    now = gametree("scan", str(exam), *PICTURES, "--json").out
    kept = text_of("scanned/read.json")
    assert json.loads(now)["fates"] == json.loads(kept)["fates"]
    before = papers(kept)
    for box, (variant, part, reply) in CROSSED_BY_FELT_PEN.items():
        (paper,) = (paper for paper in before if paper["variant"] == variant)
        paper["open"].remove(next(each for each in paper["open"] if each[0] == box))
        assert part not in paper["replies"]
        paper["replies"][part] = reply
    assert papers(now) == before


def test_a_journal_is_resumed(tmp_path: Path) -> None:
    """With the journal of version 0.1.0 all decisions are known, and pages that come again change nothing."""
    exam = unpacked("scanned", tmp_path) / "exam"
    kept = papers(text_of("scanned/decided.json"))
    assert papers(gametree("scan", str(exam), "--json").out) == kept
    journal = exam / "grades" / "scans" / "pages.jsonl"
    before = journal.read_bytes()
    again = gametree("scan", str(exam), *PICTURES, "--json").out
    assert len(PICTURES) == json.loads(again)["pages"] == 6
    assert papers(again) == kept
    assert journal.read_bytes() == before


def test_scanned_replies_are_marked_as_before(tmp_path: Path) -> None:
    """What was read and decided is marked as version 0.1.0 marked it, with its gradebook or a new one."""
    exam = unpacked("scanned", tmp_path) / "exam"
    hold(results_kept("scanned"), results_now("scanned", exam))
    for path in (exam / "grades").glob("gradebook.db*"):
        path.unlink()
    gametree("scan", str(exam), "--json")
    gametree("grade", str(exam), "--executor", "here")
    hold(results_kept("scanned"), results_now("scanned", exam))
