"""A preview of an exam: one variant as a student gets it, and its key."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from grader.base.files import atomic_writer
from grader.exam.assignment import PaperOwner, form_codes, variant_codes
from grader.exam.blueprint import Blueprint
from grader.exam.composition import compose, compose_for
from grader.exam.folders import EXAM_FILE, LOCK_FILE, make_private_folder
from grader.exam.paper import Paper
from grader.exam.pools import draw_questions
from grader.publishing.exam_folder import BuildError
from grader.publishing.keys import key_pdf
from grader.publishing.paper_formats import PAPER_FORMATS


def write_preview(paper: Paper, folder: Path, formats: Sequence[str]) -> tuple[Path, ...]:
    """Write a variant of an exam and its key into a folder; return the paths.

    Nothing there can be handed out or graded: a preview has neither a record nor a lock.
    Raises `BuildError` if the folder holds an exam.
    """
    if (folder / EXAM_FILE).exists() or (folder / LOCK_FILE).exists():
        raise BuildError(f"{folder} contains an exam", "name another folder for the preview")
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
    """Return the first form that a build makes, or else a paper of no student, as hard as all others.

    Raises as `build_exam` does if a question cannot be made.
    """
    plans, secret = blueprint.questions, blueprint.secret
    if blueprint.forms is not None:
        code = form_codes(1)[0]
        numbers = draw_questions(blueprint, PaperOwner("form", code))
        questions = [next(compose(plans[number], number, secret, 1)) for number in numbers]
    else:
        owner = PaperOwner("preview", "")
        code = variant_codes(secret, [owner])[owner]
        numbers = draw_questions(blueprint, owner)
        questions = [compose_for(plans[number], number, secret, owner) for number in numbers]
    labelled = (replace(question, label=f"{label}") for label, question in enumerate(questions, 1))
    return Paper(blueprint.heading, code, tuple(labelled))
