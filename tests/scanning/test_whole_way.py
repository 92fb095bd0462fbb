"""The whole way: papers built, filled in, scanned, decided and marked, against the marks of typed replies."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from grader.cli.shared.exam_folders import GRADEBOOK_FILE
from grader.exam.blueprint import Blueprint
from grader.exam.blueprint_file import read_blueprint
from grader.exam.manifest import Exam, open_exam
from grader.exam.paper import part_letter
from grader.exam.roster import Roster, read_roster
from grader.exercises.exercise import Exercise
from grader.grading.exam_keys import read_exam_keys
from grader.grading.gradebook_store import Gradebook
from grader.grading.results import results
from grader.publishing.exam_build import build_exam
from grader.scanning.box_names import box_name, marks_by_part, part_marks
from grader.scanning.places import read_boxes
from tests.cli.running import gametree
from tests.scanning.desks import pdf, room, scan_of
from tests.scanning.papers import LONGEST, pixels
from tests.scanning.simulator import DEVICES, HANDS, PENS, Page, Random, filled, scanned

BLUEPRINT = """
title = "Scanned"
secret = "kept in a safe place"
scan = true
entry = "choice"

[[question]]
kind = "pruned-paths"
points = 4
recipe = {shape = {branching = 3}, require = {pruned = [5, 14]}}

[[question]]
tree = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"
[[question.part]]
kind = "node-values"
points = 2
[[question.part]]
kind = "best-move"
points = 1

[[question]]
kind = "expected-values"
points = 2
tree = "MAX A (CHANCE B (0.5: 3, 0.5: 12) CHANCE C (0.5: 2, 0.5: 4))"
"""

FOREIGN = BLUEPRINT.replace('"Scanned"', '"Another"').replace("a safe", "another")


def run(*arguments: object, code: int | None = 0) -> str:
    """What a command says on stdout; it has to end with this code, where one is said."""
    ran = gametree(*map(str, arguments))
    assert code is None or ran.code == code, ran.err
    return ran.out


def built(folder: Path, text: str, students: int) -> Path:
    """An exam of that blueprint for so many students."""
    rows = "".join(f"{1000 + number},Student {number}\n" for number in range(students))
    blueprint, roster = read_blueprint(text, folder), read_roster(f"Identifier,Name\n{rows}".encode())
    assert isinstance(blueprint, Blueprint), str(blueprint)
    assert isinstance(roster, Roster)
    build_exam(blueprint, roster, folder, formats=("pdf",), exports=())
    return folder


def replies_of(part: Exercise, random: Random) -> str:
    """What somebody replies: the key, what a misconception makes of it, none, or nothing."""
    said = [part.key, *part.beliefs.values(), ""]
    if part.public.kind == "pruned-paths":
        said.append("none")
    return said[random.integers(len(said))]


def crosses(name: str, part: Exercise, reply: str) -> list[str]:
    """The boxes that somebody crosses to say this reply, worked out without the reader's tables."""
    found = []
    tree = part.public.tree
    words = dict(entry.split("=") for entry in reply.split()) if "=" in reply else {}
    for number, group in enumerate(part_marks(part.public, "choice").groups):
        if words:
            said = [words[group.label]] if group.label in words else []
            place = sorted({int(tree.payoffs[leaf]) for leaf in tree.leaves})
            found += [box_name(name, number, place.index(int(value))) for value in said]
        elif part.public.kind == "best-move":
            children = [tree.names[child] for child in tree.children[0]]
            found += [box_name(name, number, children.index(move)) for move in reply.split()[:1]]
        elif reply == "none":
            found.append(box_name(name, number, len(tree.leaves)))
        else:
            found += [box_name(name, number, int(path) - 1) for path in reply.split()]
    return found


def marks_in(folder: Path) -> Mapping[tuple[str, str], tuple[str, object]]:
    """State and points of every student and part."""
    keys = read_exam_keys(folder)
    with Gradebook.open(folder / GRADEBOOK_FILE) as book:
        return {
            (each.student.identifier, standing.question): (standing.state_label, standing.points)
            for each in results(book, keys)
            for standing in each.standings
        }


@pytest.mark.parametrize("students", [3, pytest.param(40, marks=pytest.mark.slow)])
def test_scanned_replies_earn_what_typed_ones_earn(tmp_path: Path, students: int) -> None:
    """Pages in any order, with blank backs, a foreign one, one twice and one missing, are as if typed."""
    folder = built(tmp_path / "exam", BLUEPRINT, students)
    again = Path(shutil.copytree(folder, tmp_path / "typed"))
    other = built(tmp_path / "other", FOREIGN, 1)
    exam, boxes = open_exam(folder), read_boxes(folder)
    assert isinstance(exam, Exam)
    random = np.random.default_rng(11)
    seats = {seat.code: seat for seat in exam.seats}
    typed: dict[str, dict[str, str]] = {}
    marked: dict[str, list[str]] = {}
    decisions: list[str] = []
    sheets: list[np.ndarray] = []
    lost = ""
    for place, paper in enumerate(exam.papers):
        seat = seats[paper.code]
        said: dict[str, str] = {}
        crossed: list[str] = []
        for question in paper.questions:
            for number, part in enumerate(question.parts):
                name = f"{question.label}{part_letter(number, len(question.parts))}"
                said[name] = replies_of(part, random)
                if part.public.kind == "expected-values":
                    words = dict(entry.split("=") for entry in said[name].split())
                    for at, group in enumerate(part_marks(part.public, "choice").groups):
                        decisions.append(f"{paper.code}/{name}.{at}={words.get(group.label, 'empty')}")
                else:
                    crossed += crosses(name, part, said[name])
        typed[seat.student.identifier], marked[paper.code] = said, crossed
        pen, hand = list(PENS.values())[place % 2], list(HANDS.values())[place % 2]
        pdf = (folder / "publish" / "papers" / f"{seat.file}.pdf").read_bytes()
        for number, (grey, layout) in enumerate(zip(pixels(pdf), boxes.layouts[paper.code], strict=True), 1):
            page = Page(grey)
            mine = [box for box in layout if box.name in crossed]
            for box in mine:
                page.draw(hand(random, box), pen, random)
            free = [box for box in layout if not box.is_written and box not in mine]
            if place == 1 and free:  # one that was taken back, of which a person says that it is empty
                page.draw(filled(random, free[0]), pen, random)
                decisions.append(f"{paper.code}/{free[0].name}=empty")
            if place == 2 and number == 1:
                lost = seat.student.identifier
                missing = {box.part for box in layout}
                continue
            device = DEVICES["office"] if place % 2 else DEVICES["phone"]
            sheets.append(scanned(page, device, random, int(random.integers(4))))
            if place == 0 and number == 1:
                sheets.append(scanned(page, device, random))  # the same page twice
            sheets.append(np.full((2200, 1700), 250, np.uint8))
    foreign = next((other / "publish" / "papers").glob("*.pdf")).read_bytes()
    sheets.append(next(pixels(foreign)))
    order = random.permutation(len(sheets))
    images = [Image.fromarray(sheets[at]) for at in order]
    images[0].save(tmp_path / "scans.pdf", save_all=True, append_images=images[1:], resolution=200)

    first = json.loads(run("scan", folder, tmp_path / "scans.pdf", "--json", code=1))
    assert first["pages"] == len(sheets) == sum(first["fates"].values())
    assert first["fates"]["foreign"] == 1
    assert first["fates"]["twice"] == 1
    assert first["fates"]["person"] == 0
    assert sum(len(paper["missing"]) for paper in first["papers"]) == len(missing)
    asked = [one["box"] for paper in first["papers"] for one in paper["open"]]
    told = {each.partition("=")[0]: each for each in decisions}
    for box in asked:
        code, _, name = box.partition("/")
        if name.startswith("page-"):
            told[box] = f"{box}=empty"
        else:
            told.setdefault(box, f"{box}={'crossed' if name in marked[code] else 'empty'}")
    options = [word for each in told.values() for word in ("--decide", each)]
    second = json.loads(run("scan", folder, *options, "--json", code=0))
    assert [one for paper in second["papers"] for one in paper["open"]] == []
    run("grade", folder, "--executor", "here", code=1)

    table = tmp_path / "typed.csv"
    names = list(next(iter(typed.values())))
    lines = [",".join(("Identifier", *names))]
    lines += [",".join((who, *(f'"{said[name]}"' for name in names))) for who, said in typed.items()]
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    run("grade", again, table, "--executor", "here", code=None)
    found, wanted = marks_in(folder), marks_in(again)
    for (student, part), mark in wanted.items():
        if student == lost and part in missing:
            assert found[student, part][0] == "MISSING"
        else:
            assert found[student, part] == mark, (student, part, typed[student][part])


LONG_NAMES = """
title = "Scanned"
secret = "kept in a safe place"
scan = true
entry = "{entry}"

[[question]]
tree = '''{tree}'''
[[question.part]]
kind = "node-values"
points = 2
[[question.part]]
kind = "best-move"
points = 1
[[question.part]]
kind = "pruned-branches"
points = 2
[[question.part]]
kind = "windows"
points = 2
"""


@pytest.mark.parametrize("entry", ["choice", "bubbles", "written"])
def test_long_names_are_read_as_short_ones(tmp_path: Path, entry: str) -> None:
    """With names of 48 letters and a longer one of a student every box is read: right answers earn all."""
    built = room(
        tmp_path / "exam", ("Maria Theresia Walburga " * 6,), LONG_NAMES.format(entry=entry, tree=LONGEST)
    )
    exam = open_exam(built.folder)
    assert isinstance(exam, Exam)
    (paper,), (code,) = exam.papers, built.codes
    values = {0: "3", 1: "3", 2: "2", 3: "2"}
    windows = {0: "[-inf, inf] 3", 1: "[-inf, inf] 3", 2: "[3, inf] 2", 3: "[3, inf] 2"}
    crossed, written = [], {}
    for name, (part, marks) in marks_by_part(paper.public).items():
        for number, group in enumerate(marks.groups):
            said = (windows if part.kind == "windows" else values)[number]
            if group.is_handwritten:
                written[f"{name}.{number}" if group.place == "cells" else box_name(name, number, 0)] = said
            elif group.is_digit_entry:
                digits = f"{said:0>2}"
                crossed += [box_name(name, number, 10 * at + int(digit)) for at, digit in enumerate(digits)]
            elif part.kind == "pruned-branches":
                crossed += [box_name(name, number, group.nodes.index(leaf)) for leaf in part.tree.leaves[4:6]]
            else:
                says = group.meanings if part.kind == "node-values" else ("3", "2", "2")
                crossed.append(box_name(name, number, says.index(said)))
    pages = [built.answered(code, crossed, page=number) for number in range(1, len(built.pages[code]) + 1)]
    scans = pdf(tmp_path / "scans.pdf", *(scan_of(page, number, seed=4) for number, page in enumerate(pages)))
    decided = written | ({"page-2": "empty"} if entry == "choice" else {})  # windows alone: all is written
    words = [word for box, said in decided.items() for word in ("--decide", f"{code}/{box}={said}")]
    told = json.loads(run("scan", built.folder, scans, *words, "--json"))
    assert [one for each in told["papers"] for one in each["open"]] == []
    run("grade", built.folder, "--executor", "here")
    assert list(marks_in(built.folder).values()) == [
        ("GRADED", 2), ("GRADED", 1), ("GRADED", 2), ("GRADED", 2)
    ]  # fmt: skip
