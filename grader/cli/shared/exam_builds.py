"""What surrounds the build of an exam: an example of a blueprint, a preview, and how long a paper takes."""

import json
import re
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from grader.base.numbers import write_number
from grader.base.shipped import shipped_folder
from grader.cli.shared.exam_folders import open_exam_record
from grader.cli.shared.exercises import minutes_text
from grader.cli.shared.languages import require_language
from grader.cli.shared.refusals import refusing
from grader.cli.shared.terminal import note, say, say_json

if TYPE_CHECKING:
    from grader.exam.blueprint import Blueprint
    from grader.exam.paper import Paper

MIN_USED_SHARE = 0.5
"""The least share of the stated minutes that the questions take without a note."""


EXAMPLE_SECRET_LINE = "example = true              # every page says so; an exam has another secret\n"


def example_blueprint(name: str, code: str | None, *, quiz: bool) -> str:
    """A commented example of an exam, or of a quiz without a class list, with a secret of its own.

    It speaks of itself by the name of its file; by a usual name if that is empty. What students read is in
    the language of this code, or of a teacher's own `.po` file; in English for None.
    """
    from grader.exam.blueprint_fields import BLUEPRINT, EXAMPLE_SECRET, EXAMPLE_TEXTS
    from grader.tables.schema_help import comment_document

    file, usual_name = ("open.toml", "quiz.toml") if quiz else ("midterm.toml", "midterm.toml")
    text = (shipped_folder("problems") / "exams" / file).read_text(encoding="utf-8")
    text = text.replace(EXAMPLE_SECRET_LINE, "").replace(EXAMPLE_SECRET, secrets.token_hex(16))
    if code is not None:
        language = require_language(code)
        text = re.sub(r"# language = .*\n", "", text)
        text = text.replace("\nsecret = ", f'\nlanguage = "{Path(code).name}"\nsecret = ', 1)
        text = text.replace('"12 March 2027"', "2027-03-12")  # printed as usual in the language
        for phrase in EXAMPLE_TEXTS:
            words = json.dumps(language.say(phrase), ensure_ascii=False)[1:-1]  # TOML has the escapes of JSON
            for before, after in (('"', '"'), ("\n", "\n")):
                text = text.replace(f"{before}{phrase}{after}", f"{before}{words}{after}")
    return comment_document(BLUEPRINT, text.replace(usual_name, name or usual_name))


def student_seconds(folder: Path) -> int:
    """Estimate how long the first variant of a finished exam takes a student; all are equally long."""
    return _paper_seconds(next(iter(open_exam_record(folder).papers)))


def _paper_seconds(paper: "Paper") -> int:
    """Estimate how long a paper takes a student."""
    from grader.exercises.minutes import estimate_seconds

    return estimate_seconds(part for question in paper.questions for part in question.parts)


def minutes_notes(plan: "Blueprint", seconds: int) -> list[str]:
    """Return a note if the questions take more than the stated minutes, or less than half of them."""
    from grader.exercises.minutes import to_minutes

    if plan.minutes is None:
        return []
    minutes = to_minutes(seconds)
    if minutes > plan.minutes:
        advice = "take fewer questions, or smaller trees"
    elif minutes < MIN_USED_SHARE * plan.minutes:
        advice = "take more questions, or larger trees"
    else:
        return []
    return [
        f"the questions take a student {minutes_text(seconds)}, and the exam has {plan.minutes}: {advice}"
    ]


def build_preview(
    plan: "Blueprint", folder: Path, formats: list[str], notes: list[str], *, json: bool
) -> None:
    """Write one variant and its key into a folder, and say where, and how long it takes a student."""
    from grader.exercises.minutes import to_minutes
    from grader.publishing.exam_preview import first_variant, write_preview

    paper = first_variant(plan)
    with refusing(f"The preview cannot be written to {folder}", OSError):
        files = write_preview(paper, folder, formats)
    seconds = _paper_seconds(paper)
    further = minutes_notes(plan, seconds)
    if json:
        record = {"schema": 1, "folder": str(folder), "files": [str(path) for path in files]}
        say_json(record | {"minutes": write_number(to_minutes(seconds)), "notes": [*notes, *further]})
        return
    for path in files:
        say(str(path))
    say(f"for a student: {minutes_text(seconds)}")
    for warning in further:
        note(f"{warning}.")
