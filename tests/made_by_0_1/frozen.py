"""What version 0.1.0 made and gave, and how it is compared with what the program gives now."""

import csv
import gzip
import json
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

from tests.cli.running import gametree

HERE = Path(__file__).resolve().parent

CHANGED = HERE / "changed.toml"

MARKS = HERE / "marks.jsonl.gz"

EXAMS = ("every_ask", "class_220", "gradebook", "house", "scanned")
"""The folders of exams, each with its `results.csv`."""

MAX_DIFFERENCES_SHOWN = 200

Outcome = tuple[str, str, str]
"""The state, the points and the note codes of a reply, as text; empty where there are none."""


def bytes_of(path: Path) -> bytes:
    """What is in a file of this folder, whether or not it is compressed."""
    packed = path.with_name(f"{path.name}.gz")
    return gzip.decompress(packed.read_bytes()) if packed.exists() else path.read_bytes()


def text_of(name: str) -> str:
    """The text of a file of this folder."""
    return bytes_of(HERE / name).decode()


def unpacked(name: str, into: Path) -> Path:
    """A copy of a folder of the data, with nothing in it compressed."""
    for path in sorted((HERE / name).rglob("*")):
        if path.is_file():
            path = path.with_name(path.name.removesuffix(".gz"))
            copy = into / path.relative_to(HERE / name)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(bytes_of(path))
    return into


def results_kept(name: str) -> dict[str, Outcome]:
    """What version 0.1.0 gave every student and question of an exam, by `exam/student/question`."""
    rows = list(csv.reader(StringIO(text_of(f"{name}/results.csv"))))[1:]
    return {
        f"{name}/{student}/{question}": (state, points, notes)
        for student, question, state, points, notes in rows
    }


def results_now(name: str, exam: Path) -> dict[str, Outcome]:
    """The same of the gradebook in the folder of an exam."""
    shown = json.loads(gametree("gradebook", "show", str(exam), "--json").out)
    return {
        f"{name}/{student['id']}/{each['question']}": (
            each["state"],
            each["points"] or "",
            " ".join(each["notes"]),
        )
        for student in shown["students"]
        for each in student["questions"]
    }


@cache
def exercises_marked() -> Sequence[Mapping[str, Any]]:
    """The exercises of `marks.jsonl.gz` with their replies and what these were given."""
    return [json.loads(line) for line in text_of("marks.jsonl").splitlines()]


def outcomes_kept(line: Mapping[str, Any]) -> dict[str, Outcome]:
    """What version 0.1.0 gave the replies to one of these exercises, by `marks/exercise/number`."""
    return {
        f"marks/{line['exercise']['id']}/{number}": (state, points or "", " ".join(notes))
        for number, (_, state, points, notes) in enumerate(line["replies"])
    }


@cache
def changes() -> Mapping[str, Outcome]:
    """What replies are given now on purpose, from `changed.toml`."""
    table = tomllib.loads(CHANGED.read_text(encoding="utf-8"))
    return {
        reply: (state, points, notes)
        for change in table.get("changed", ())
        for reply, (state, points, notes) in change["replies"].items()
    }


def hold(kept: Mapping[str, Outcome], now: Mapping[str, Outcome]) -> None:
    """Every reply is given what version 0.1.0 gave it, or what `changed.toml` says."""
    assert kept.keys() == now.keys(), f"replies without an outcome: {sorted(kept.keys() ^ now.keys())}"
    moved = [
        f"{json.dumps(reply)} = {json.dumps(now[reply])}  # was {json.dumps(outcome)}"
        for reply, outcome in kept.items()
        if changes().get(reply, outcome) != now[reply]
    ]
    assert not moved, "\n".join(
        (
            f"{len(moved)} of {len(kept)} replies are not marked as version 0.1.0 marked them.",
            "Where that is on purpose, add these lines with the reason to tests/made_by_0_1/changed.toml:",
            *moved[:MAX_DIFFERENCES_SHOWN],
        )
    )
