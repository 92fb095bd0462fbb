"""The law of a whole class: every page is accounted for, and few screens decide as people wrote."""

import json
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from grader.scanning.journal import PAGES_FILE, SCANS_FOLDER
from tests.cli.running import gametree
from tests.scanning.classes import BLUEPRINT, FilledClass, fill_in
from tests.scanning.desks import pdf, room
from tests.scanning.papers import Grey
from tests.web.driving import PATIENCE, Browser, Page
from tests.web.test_review import opened, served

SCREENS = {"box": 25, "written": 40}
"""The most screens for 450 doubtful boxes, and for 300 numbers."""


def scan_and_be_killed(folder: Path, scans: Path, pages: int) -> None:
    """Begin to read scans, and end the program when it has read some pages."""
    journal = folder / SCANS_FOLDER / PAGES_FILE
    command = [sys.executable, "-m", "grader", "scan", str(folder), str(scans), "--jobs", "1"]
    reading = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while reading.poll() is None and (
        not journal.exists() or journal.read_bytes().count(b"\n") < max(1, pages // 4)
    ):
        time.sleep(0.02)
    assert reading.poll() is None, "it was too fast to be killed"
    reading.kill()
    reading.wait()


class Teacher:
    """A person at the page who sees what is in every box."""

    def __init__(self, page: Page, written: FilledClass) -> None:
        self.page, self.written = page, written
        self.screens = {"page": 0, "box": 0, "written": 0}

    def decide_all(self) -> None:
        """Decide one question after the other until there is none."""
        while key := self.page.run("document.body.dataset.task"):
            sort = self.page.run(
                "['page', 'sheet', 'box', 'written']"
                ".find(each => document.getElementById(`left-${each}`).classList.contains('now'))"
            )
            self.screens["box" if sort == "sheet" else sort] += 1
            if sort == "page":
                self.page.press("Enter")  # the first suggestion is filled in
            elif int(self.page.run("document.body.dataset.rows")):
                self.confirm_screen()
            elif sort == "written":
                self.page.type(self.written.numbers[key])
                self.page.press("Enter")
                if not self.written.numbers[key]:
                    self.page.press("Enter")
            else:
                box = self.page.run("document.querySelector('[aria-current=true]')?.dataset.name ?? ''")
                variant = key.partition("/")[0]
                if box:
                    self.page.press("x" if self.written.truth[f"{variant}/{box}"] == "crossed" else "e")
                else:
                    self.page.press("e")
            self.wait(key)

    def wait(self, before: str) -> None:
        """Wait until something else is asked; what can hardly be right is confirmed once more."""
        end = time.monotonic() + PATIENCE
        while self.page.run("document.body.dataset.task") == before:
            assert time.monotonic() < end, f"{self.page.text('#title')} {self.page.text('#note')}"
            if "once more" in self.page.text("#note"):
                self.page.press("Enter")
            time.sleep(0.02)

    def confirm_screen(self) -> None:
        """Name the rows of a screen, click what is in the wrong row, and confirm."""
        rows: list[dict[str, Any]] = self.page.run("""[...document.querySelectorAll('.row')].map((row) => ({
            says: row.dataset.says, typed: !!row.querySelector('input'),
            keys: [...row.querySelectorAll('.picture')].map((each) => each.dataset.key),
        }))""")
        for number, row in enumerate(rows):
            signs = [self.written.truth[key] for key in row["keys"]]
            says = row["says"]
            if row["typed"]:
                says = max(sorted(set(signs)), key=signs.count)
                self.page.run(f"document.querySelectorAll('.row')[{number}].querySelector('input').focus()")
                self.page.type("e" if says == "empty" else says)
            for key, sign in zip(row["keys"], signs, strict=True):
                if sign != says:
                    self.page.run(f"document.querySelector('[data-key=\"{key}\"]').click()")
        self.page.press("Enter")


def with_accidents(
    sheets: Mapping[tuple[str, int], Grey], lost: tuple[str, int], foreign: Grey
) -> list[Grey]:
    """Return the scans in one file: one page is lost, one is there twice, and one is foreign."""
    scans = [sheet for place, sheet in sheets.items() if place != lost]
    return [*scans, scans[0], foreign]


@pytest.mark.parametrize("students", [3, pytest.param(30, marks=pytest.mark.slow)])
def test_few_screens_decide_what_people_wrote(chromium: Browser, tmp_path: Path, students: int) -> None:
    """450 doubtful boxes take 25 screens, 300 numbers take 40, and then all is as it was written.

    The program is killed once. Pages upside down, one without codes, a lost, a doubled and a foreign one are
    accounted for.
    """
    built = room(tmp_path / "exam", [f"Student {number}" for number in range(students)], BLUEPRINT)
    other = room(tmp_path / "other", ["Somebody"], BLUEPRINT.replace("A class", "Another class"))
    first, second, *_ = built.codes
    uncoded, lost = (first, 2), (second, 3)
    written = fill_in(built, 3, uncoded)
    assert any(turn == 2 for place, turn in written.turns.items() if place not in (uncoded, lost))
    sheets = with_accidents(written.sheets, lost, next(iter(other.pages.values()))[0])
    scans = pdf(tmp_path / "scans.pdf", *sheets)
    scan_and_be_killed(built.folder, scans, len(sheets))
    read = json.loads(gametree("scan", str(built.folder), str(scans), "--json").out)
    assert read["fates"] == {"read": 3 * students - 2, "person": 1, "blank": 0, "twice": 1, "foreign": 1}

    with served(built) as address:
        page = opened(chromium, address)
        teacher = Teacher(page, written)
        teacher.decide_all()
        assert page.text("#missing") == "Student 1: page 3 is missing."
        assert page.complaints() == []
        page.send("Page.close")
    done = json.loads(gametree("scan", str(built.folder), "--json").out)
    assert done["pages"] == len(sheets) == sum(done["fates"].values())
    assert done["fates"] == {"read": 3 * students - 1, "person": 0, "blank": 0, "twice": 1, "foreign": 1}
    assert [one for paper in done["papers"] for one in paper["open"]] == []
    decisions = built.journal.decisions()
    for (variant, _, name), says in decisions.items():
        assert written.truth.get(f"{variant}/{name}", says) == says, (variant, name)
    for paper in done["papers"]:
        assert paper["missing"] == (["3", "4"] if paper["variant"] == second else [])
        assert_as_written(paper, written)

    boxes = sum(name.startswith(("1.", "2a.")) for _, _, name in decisions)
    assert boxes >= 13 * students
    share = students / 30
    assert teacher.screens["box"] <= max(3, SCREENS["box"] * boxes / 450)
    assert teacher.screens["written"] <= max(8, SCREENS["written"] * share)


def assert_as_written(paper: Mapping[str, Any], written: FilledClass) -> None:
    """Hold the replies of a paper to what was crossed and written."""
    variant, replies = paper["variant"], paper["replies"]
    crossed = [
        int(key.rpartition(".")[2]) + 1
        for key, sign in written.truth.items()
        if key.startswith(f"{variant}/1.0.") and sign == "crossed"
    ]
    assert replies["1"] == " ".join(map(str, sorted(crossed)))
    for part, names in (("2b", "ABCD"), ("3", "ABCDE"), ("4", "")):
        if part in replies:
            entries = (
                dict(word.split("=") for word in replies[part].split()) if names else {"": replies[part]}
            )
            wanted = {
                name: text
                for place, name in enumerate(names or [""])
                if (text := written.numbers[f"{variant}/{part}.{place}"]) or not names
            }
            assert entries == wanted, (variant, part)
