"""Blueprints as commands are told them, and exams that are marked by a changed one."""

from pathlib import Path
from typing import TYPE_CHECKING

from grader.cli.shared.exam_folders import refuse_unfinished, refusing
from grader.cli.shared.sources import reading, text_of, usable
from grader.cli.shared.terminal import refuse
from grader.exam.folders import EXAM, MENDED, keep_private

if TYPE_CHECKING:
    from grader.exam.blueprint import Blueprint
    from grader.exam.manifest import Exam
    from grader.grading.exam_keys import ExamKeys


def blueprint_at(path: Path) -> "Blueprint":
    """The blueprint in a file; refuses what is none."""
    from grader.exam.blueprint_file import LARGEST, read_blueprint

    text = text_of(str(path), "a blueprint", most=LARGEST)
    return usable(str(path), read_blueprint(text, path.parent))


def mended_exam(folder: Path, path: Path) -> "tuple[Exam, ExamKeys]":
    """The exam in a folder as a changed blueprint has it marked, and its keys; refuses what does not fit."""
    from grader.exam.manifest import open_exam
    from grader.exam.mending import OtherExamError, mended
    from grader.grading.exam_keys import ExamKeysError, keys_of

    refuse_unfinished(folder)
    blueprint = blueprint_at(path)
    with reading(folder / EXAM, "DIR is what `gametree exam build` made."):
        exam = mended(usable(str(folder / EXAM), open_exam(folder)), blueprint)
    try:
        with refusing(ExamKeysError):
            return exam, keys_of(exam, EXAM)
    except OtherExamError as error:
        refuse(f"{path} is about another exam: {error}.", "Change what is marked, not what is asked.")


def write_mended(folder: Path, exam: "Exam") -> None:
    """Have marks made by a mended exam from now on."""
    from grader.base.files import writing
    from grader.exam.manifest import write_exam

    keep_private((folder / MENDED).parent)
    with writing(folder / MENDED, lasting=True) as file:
        for line in write_exam(exam):
            file.write(line.encode())
