"""The boxes of every part of a paper by name, with the meaning of a cross in each."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from grader.answers.paper_boxes import NumberEntry, PaperBoxes
from grader.base.numbers import Number
from grader.exam.paper import PublicPaper, ScanMode
from grader.exercises.exercise import PublicExercise
from grader.questions import kind_by_code
from grader.trees.tree import Player


def part_marks(part: PublicExercise, scan: ScanMode) -> PaperBoxes:
    """Return the boxes of a part: those of its answer form, for the scan mode of the blueprint."""
    kind = kind_by_code(part.kind)
    return kind.form.paper_boxes(part.tree, part.terms, NumberEntry(scan or "written", _values(part)))


def marks_by_part(paper: PublicPaper) -> Mapping[str, tuple[PublicExercise, PaperBoxes]]:
    """Map the name of every part of a paper, such as `2a`, to the part and its boxes."""
    return {
        name: (part, part_marks(part, paper.heading.scan))
        for question in paper.questions
        for name, part in zip(question.part_names, question.parts, strict=True)
    }


def box_name(part: str, group: int, box: int) -> str:
    """Return the name of a box; the boxes of a group count from 0, column after column."""
    return f"{part}.{group}.{box}"


def _values(part: PublicExercise) -> tuple[Number, ...]:
    """Return the possible values of a number in the answer, ascending; empty if they are not known."""
    tree = part.tree
    if (
        not kind_by_code(part.kind).answers_are_payoffs
        or part.rules.depth is not None
        or Player.CHANCE in tree.players
    ):
        return ()
    payoffs = [tree.payoffs[leaf] for leaf in tree.leaves]
    numbers = {payoff for payoff in payoffs if isinstance(payoff, int | Fraction)}
    return tuple(sorted(numbers)) if len(numbers) == len(set(payoffs)) else ()


def marks_in_rows(marks: PaperBoxes) -> PaperBoxes:
    """Move the boxes out of the picture, below the question."""
    groups = (
        replace(group, place="row", nodes=()) if group.place in ("leaf", "branch") else group
        for group in marks.groups
    )
    return replace(marks, groups=tuple(groups))
