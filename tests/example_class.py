"""What the class of the example midterm answers: who can do more is right more often.

python -m tests.example_class   write problems/exams/responses.csv anew, for other trees
"""

import csv
import tempfile
from io import StringIO
from pathlib import Path

from grader.base.shipped import shipped_folder
from grader.exam.blueprint_file import read_blueprint
from grader.exam.manifest import open_exam
from grader.exam.paper import part_letter
from grader.exam.roster import read_roster
from grader.exercises.exercise import Exercise
from grader.publishing.exam_build import build_exam
from grader.trees.notation.diagnostics import Diagnostics

RESPONSES = shipped_folder("problems") / "exams" / "responses.csv"

SKILLS = (16, 3, 10, 19, 11, 12, 9, 7, 6, 14, 2, 17, 0, 13, 15, 5, 18, 1, 8, 4)
"""What every student can do, in the order of the class list."""

HARDNESS = {"1a": 6, "1b": 5, "1c": 11, "2": 8, "3": 9}
"""About how many students of these have no full answer to a part."""

BLANK = {(1, "1a"), (12, "1a"), (12, "1c"), (10, "1b"), (10, "3"), (8, "1c"), (17, "2"), (17, "3"), (19, "2")}
"""Who left which part empty."""

_MISTAKES = ("players-swapped", "ignores-opponent", "most-likely", "only-at-min", "never-prunes")
"""Mistakes that are made before others, the coarsest first."""


def answer(part: Exercise, name: str, place: int) -> str:
    """What the student in this place answers."""
    skill = SKILLS[place]
    lead = skill + (place * 7 + ord(name[-1]) * 11) % 23 - 11 - HARDNESS[name]
    if (place, name) in BLANK:
        return ""
    if lead >= 0 or skill > 17:
        return part.key
    if lead >= -2 and "=" in part.key:  # a slip of the pen in the last value
        before, equals, value = part.key.rpartition("=")
        return f"{before}{equals}{value}1"
    wrong = {code.rpartition(".")[2]: reply for code, reply in part.beliefs.items()}
    known = [wrong[mistake] for mistake in _MISTAKES if mistake in wrong]
    if skill < 8 and known:
        return known[0]
    if not wrong:  # no mistake changes where best play leads in this tree
        return "2" if part.key == "1" else "1"
    return sorted(wrong.values())[skill % len(wrong)]


def written() -> str:
    """Build the example, and say what its class answers."""
    folder = RESPONSES.parent
    blueprint = read_blueprint((folder / "midterm.toml").read_text(encoding="utf-8"), folder)
    roster = read_roster((folder / "class.csv").read_bytes())
    assert not isinstance(blueprint, Diagnostics), blueprint
    assert not isinstance(roster, Diagnostics), roster
    with tempfile.TemporaryDirectory() as place:
        build_exam(blueprint, roster, Path(place) / "exam", formats=("text",), exports=())
        return written_for(Path(place) / "exam")


def written_for(folder: Path) -> str:
    """Say what the class answers in the exam in this folder, whose parts are those of the example."""
    exam = open_exam(folder)
    assert not isinstance(exam, Diagnostics), exam
    papers = {paper.code: paper for paper in exam.papers}
    file = StringIO(newline="")
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(["ID number", *HARDNESS])
    for place, seat in enumerate(exam.seats):
        parts = {
            f"{question.label}{part_letter(number, len(question.parts))}": part
            for question in papers[seat.code].questions
            for number, part in enumerate(question.parts)
        }
        rows.writerow([seat.student.identifier, *(answer(parts[name], name, place) for name in HARDNESS)])
    return file.getvalue()


if __name__ == "__main__":
    RESPONSES.write_text(written(), encoding="utf-8", newline="")
