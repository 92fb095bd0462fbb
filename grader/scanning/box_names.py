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

    `printed` are the boxes on the paper by name: version 0.1.0 printed one box to write a number in, where
    later versions print a box for each digit.
    """
    return {
        name: (part, _as_printed(part_marks(part, paper.heading.scan), name, printed))
        for question in paper.questions
        for name, part in zip(question.part_names, question.parts, strict=True)
    }


def _as_printed(marks: PaperBoxes, part: str, printed: Mapping[str, PlacedBox] | None) -> PaperBoxes:
    """Return the boxes that are on the paper: one for the whole number where version 0.1.0 printed that.

    Without `printed` nothing changes. Raises `BoxesError` if it lacks the box for the first digit.
    """
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
    """Return a printed box by its name. Raises `BoxesError` if the paper does not have it."""
    if name not in printed:
        raise BoxesError(f"it has no box {name}")
    return printed[name]


def box_name(part: str, group: int, box: int) -> str:
    """Return the name of a box; the boxes of a group count from 0, column after column."""
    return f"{part}.{group}.{box}"


def _limits(part: PublicExercise) -> tuple[tuple[Number, ...], tuple[Number, Number] | None]:
    """Return the values that a number in the answer can have, ascending, and its bounds, for `NumberEntry`.

    1. Neither if they are unknown: the answer is not made of payoffs (counts, say), a depth limit puts
       evaluations in their place, or some payoff is not a number.
    2. The least and the greatest payoff as bounds if there are chance nodes, because means lie between.
    3. Otherwise the payoffs as values.
    """
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
