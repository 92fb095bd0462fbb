"""What surrounds the build of an exam: an example of a blueprint, a preview, and how long a paper takes."""

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from grader.cli.shared.refusals import refusing
from grader.cli.shared.sources import require_readable
from grader.cli.shared.terminal import say, say_json

if TYPE_CHECKING:
    from grader.exam.blueprint import Blueprint


EXAMPLE_SECRET_LINE = "example = true              # every page says so; an exam has another secret\n"


def example_blueprint(name: str, *, quiz: bool) -> str:
    """A commented example of an exam, or of a quiz without a class list, with a secret of its own.

    It speaks of itself by the name of its file; by a usual name if that is empty.
    """
    from grader.base.shipped import shipped_folder
    from grader.exam.blueprint_fields import BLUEPRINT, EXAMPLE_SECRET
    from grader.tables.schema_help import comment_document

    file, usual_name = ("open.toml", "quiz.toml") if quiz else ("midterm.toml", "midterm.toml")
    text = (shipped_folder("problems") / "exams" / file).read_text(encoding="utf-8")
    text = text.replace(EXAMPLE_SECRET_LINE, "").replace(EXAMPLE_SECRET, secrets.token_hex(16))
    return comment_document(BLUEPRINT, text.replace(usual_name, name or usual_name))


def student_seconds(folder: Path) -> int:
    """Estimate how long the first variant of a finished exam takes a student; all are equally long."""
    from grader.exam.manifest import open_exam
    from grader.exercises.minutes import estimate_seconds

    exam = require_readable(str(folder), open_exam(folder))
    paper = next(iter(exam.papers))
    return estimate_seconds(part for question in paper.questions for part in question.parts)


def build_preview(
    plan: "Blueprint", folder: Path, formats: list[str], notes: list[str], *, json: bool
) -> None:
    """Write one variant and its key into a folder, and say where."""
    from grader.publishing.exam_preview import write_preview

    with refusing(f"The preview cannot be written to {folder}", OSError):
        files = write_preview(plan, folder, formats)
    if json:
        say_json({"schema": 1, "folder": str(folder), "files": [str(path) for path in files], "notes": notes})
        return
    for path in files:
        say(str(path))
