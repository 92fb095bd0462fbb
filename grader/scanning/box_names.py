"""The boxes of every part of a paper by name, with the meaning of a cross in each."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from grader.answers.paper_boxes import NumberEntry, PaperBoxes
from grader.base.numbers import Number
from grader.exam.paper import PublicPaper, ScanMode
from grader.exercises.exercise import PublicExercise
from grader.questions import kind_by_code
from grader.scanning.places import BoxesError, PlacedBox
from grader.trees.tree import Player


def part_marks(part: PublicExercise, scan: ScanMode) -> PaperBoxes:
    """Return the boxes of a part: those of its answer form, for the scan mode of the blueprint."""
    kind = kind_by_code(part.kind)
    values, bounds = _limits(part)
    return kind.form.paper_boxes(part.tree, part.terms, NumberEntry(scan or "written", values, bounds))


def marks_by_part(
    paper: PublicPaper, printed: Mapping[str, PlacedBox] | None = None
) -> Mapping[str, tuple[PublicExercise, PaperBoxes]]:
    """Map the name of every part of a paper, such as `2a`, to the part and its boxes.

    `printed` are the boxes on the paper by name: version 0.1.0 printed one room to write a number in, not a
    box for each digit.
    """
    return {
        name: (part, _as_printed(part_marks(part, paper.heading.scan), name, printed))
        for question in paper.questions
        for name, part in zip(question.part_names, question.parts, strict=True)
    }


def _as_printed(marks: PaperBoxes, part: str, printed: Mapping[str, PlacedBox] | None) -> PaperBoxes:
    """Replace the boxes to write digits in by the room that an earlier version printed."""
    if printed is None:
        return marks
    groups = (
        group
        if group.place != "cells" or _printed_box(printed, box_name(part, number, 0)).is_cell
        else replace(group, place="written", columns=(), texts=())
        for number, group in enumerate(marks.groups)
    )
    return replace(marks, groups=tuple(groups))


def _printed_box(printed: Mapping[str, PlacedBox], name: str) -> PlacedBox:
    if name not in printed:
        raise BoxesError(f"it has no box {name}")
    return printed[name]


def box_name(part: str, group: int, box: int) -> str:
    """Return the name of a box; the boxes of a group count from 0, column after column."""
    return f"{part}.{group}.{box}"


def _limits(part: PublicExercise) -> tuple[tuple[Number, ...], tuple[Number, Number] | None]:
    """Return what a number in the answer can be: its values, ascending, or its bounds below chance nodes."""
    tree = part.tree
    payoffs = [tree.payoffs[leaf] for leaf in tree.leaves]
    numbers = sorted({payoff for payoff in payoffs if isinstance(payoff, int | Fraction)})
    is_limited = kind_by_code(part.kind).answers_are_payoffs and part.rules.depth is None
    if not is_limited or not numbers or len(numbers) < len(set(payoffs)):
        return (), None
    if Player.CHANCE in tree.players:
        return (), (numbers[0], numbers[-1])
    return tuple(numbers), None


def marks_in_rows(marks: PaperBoxes) -> PaperBoxes:
    """Move the boxes out of the picture, below the question."""
    groups = (
        replace(group, place="row", nodes=()) if group.place in ("leaf", "branch") else group
        for group in marks.groups
    )
    return replace(marks, groups=tuple(groups))
