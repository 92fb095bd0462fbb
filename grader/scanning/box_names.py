"""The boxes of every part of a paper, by name: what a cross in each of them says."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from grader.answers.paper_boxes import NumberEntry, PaperBoxes
from grader.base.numbers import Number
from grader.exam.paper import PublicPaper, ScanMode, part_letter
from grader.exercises.exercise import PublicExercise
from grader.questions import kind_by_code
from grader.trees.tree import Player


def part_marks(part: PublicExercise, scan: ScanMode) -> PaperBoxes:
    """The boxes of a part: those of its form; numbers are entered as the blueprint chooses."""
    kind = kind_by_code(part.kind)
    return kind.form.paper_boxes(part.tree, part.terms, NumberEntry(scan or "written", _values(part)))


def marks_by_part(paper: PublicPaper) -> Mapping[str, tuple[PublicExercise, PaperBoxes]]:
    """Every part of a paper by its name, `2a`, with its boxes."""
    return {
        f"{question.label}{part_letter(place, len(question.parts))}": (
            part,
            part_marks(part, paper.heading.scan),
        )
        for question in paper.questions
        for place, part in enumerate(question.parts)
    }


def box_name(part: str, group: int, box: int) -> str:
    """The name of a box: those of a group are counted from 0, column after column."""
    return f"{part}.{group}.{box}"


def _values(part: PublicExercise) -> tuple[Number, ...]:
    """All that a number in the answer can be, in ascending order; nothing where nobody can say."""
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
    """The same boxes below the question, where they do not go into the picture."""
    groups = (
        replace(group, place="row", nodes=()) if group.place in ("leaf", "branch") else group
        for group in marks.groups
    )
    return replace(marks, groups=tuple(groups))
