"""A preview of an exam: one variant as a student gets it, and its key."""

from collections.abc import Sequence
from pathlib import Path

from grader.base.files import atomic_writer
from grader.exam.assignment import variant_codes
from grader.exam.blueprint import Blueprint
from grader.exam.composition import compose
from grader.exam.folders import EXAM_FILE, LOCK_FILE, make_private_folder
from grader.exam.paper import Paper
from grader.publishing.exam_folder import BuildError
from grader.publishing.keys import key_pdf
from grader.publishing.paper_formats import PAPER_FORMATS


def write_preview(blueprint: Blueprint, folder: Path, formats: Sequence[str]) -> tuple[Path, ...]:
    """Write the first variant of an exam and its key into a folder; return the paths.

    Nothing there can be handed out or graded: a preview has neither a record nor a lock.
    Raises `BuildError` if the folder holds an exam, and as `build_exam` does if a question cannot be made.
    """
    if (folder / EXAM_FILE).exists() or (folder / LOCK_FILE).exists():
        raise BuildError(f"{folder} holds an exam", "name another folder for the preview")
    paper = first_variant(blueprint)
    public = paper.public
    files = {
        f"preview{known.suffix}": known.write(public) for known in PAPER_FORMATS if known.name in formats
    }
    files["preview-key.pdf"] = key_pdf(paper)
    make_private_folder(folder.parent, folder.name)
    for name, data in files.items():
        with atomic_writer(folder / name) as file:
            file.write(data)
    return tuple(folder / name for name in files)


def first_variant(blueprint: Blueprint) -> Paper:
    """Return the variant that a build gives to the first student of a class list, or the first form."""
    (code,) = variant_codes(blueprint.secret, None if blueprint.forms is None else 1, 1)
    questions = (
        next(compose(plan, number, blueprint.secret, 1)) for number, plan in enumerate(blueprint.questions)
    )
    return Paper(blueprint.heading, code, tuple(questions))
