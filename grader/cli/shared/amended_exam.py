"""Read blueprints, refuse those of new exams that cannot be built, and amend an exam by a changed one."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.base.files import atomic_writer
from grader.base.numbers import write_number
from grader.cli.shared.exam_folders import open_exam_record
from grader.cli.shared.refusals import refusing
from grader.cli.shared.sources import read_input_text, require_parsed
from grader.cli.shared.terminal import refuse
from grader.exam.folders import AMENDED_EXAM_FILE, EXAM_FILE, GRADES_FOLDER, make_private_folder

if TYPE_CHECKING:
    from grader.exam.blueprint import Blueprint
    from grader.exam.manifest import Exam
    from grader.grading.exam_keys import ExamKeys, PartKey


def read_blueprint_file(path: Path, *, may_drop: bool = False) -> "Blueprint":
    """The blueprint in a file; refuse an invalid one. With `may_drop`, 0 points drop a question."""
    from grader.exam.blueprint_document import MAX_FILE_BYTES
    from grader.exam.blueprint_file import read_blueprint

    text = read_input_text(str(path), "a blueprint", max_bytes=MAX_FILE_BYTES)
    return require_parsed(str(path), read_blueprint(text, path.parent, may_drop=may_drop))


def refuse_earlier_rules(blueprint: "Blueprint") -> None:
    """Refuse a blueprint of a new exam with policies or follow-through that only earlier exams have."""
    from grader.exercises.follow_through import earlier_sources
    from grader.generation.recipe_fields import earlier_policy_objection

    for number, question in enumerate(blueprint.questions, 1):
        kinds = [part.question_kind for part in question.parts]
        if question.follow_through and not [*earlier_sources(kinds)]:
            refuse(
                f"follow_through of question {number} changes nothing: no part takes over an earlier answer.",
                "Leave it out, or ask for example node-values before best-move.",
            )
        for part in question.parts:
            objection = earlier_policy_objection(part.question_kind, part.terms.policy)
            if objection is not None:
                refuse(f"Policy of question {number}: {objection[0]}.", f"{objection[1]}.")


def read_amended_exam(folder: Path, path: Path) -> "tuple[Exam, ExamKeys]":
    """The exam in a folder amended by a changed blueprint, and its keys; refuse another exam's blueprint."""
    from grader.exam.amendment import BlueprintMismatchError, amend_exam
    from grader.exam.spares import with_owners
    from grader.grading.exam_keys import exam_keys_of

    blueprint = read_blueprint_file(path, may_drop=True)
    exam = amend_exam(open_exam_record(folder), blueprint)
    hint = "Change points, policies or rules, and leave the questions as they are."
    with refusing(f"{path} is about another exam", BlueprintMismatchError, hint=hint):
        return exam, exam_keys_of(with_owners(folder, exam), EXAM_FILE)


def amended_parts(folder: Path, students: Sequence[str]) -> list[str]:
    """Describe the parts on the papers of these students that are marked in another way than is printed.

    Empty unless the exam in the folder was amended.
    """
    from grader.grading.exam_keys import exam_keys_of, read_exam_keys

    if not (folder / AMENDED_EXAM_FILE).exists():
        return []
    printed, marked = exam_keys_of(open_exam_record(folder), EXAM_FILE), read_exam_keys(folder)
    codes = {printed.assignment[student] for student in students}
    differences = []
    for before, after in zip(printed.parts, marked.parts, strict=True):
        changes = []
        if after.is_dropped:
            changes.append("does not count")
        elif before.points != after.points:
            changes.append(
                f"has a full mark of {write_number(after.points)}, not {write_number(before.points)}"
            )
        if any(
            _rule(printed.part_key(code, after.name)) != _rule(marked.part_key(code, after.name))
            for code in codes
        ):
            changes.append("is marked by another rule")
        if changes:
            differences.append(f"{after.name} {' and '.join(changes)}")
    return differences


def _rule(key: "PartKey") -> tuple[Any, ...]:
    """Return what decides how a part is marked, without its points."""
    record = json.loads(key.exercise)
    return key.key, *(record[name] for name in ("policy", "digits", "every"))


def write_amended_exam(folder: Path, exam: "Exam") -> None:
    """Write the amended exam into the folder; from now on it decides the marks."""
    from grader.exam.manifest import write_exam

    make_private_folder(folder, GRADES_FOLDER)
    with atomic_writer(folder / AMENDED_EXAM_FILE, lasting=True) as file:
        for line in write_exam(exam):
            file.write(line.encode())
