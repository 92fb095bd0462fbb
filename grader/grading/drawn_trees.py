"""A hand-typed tree that is all somebody handed in: which parts of their variant it answers."""

from collections.abc import Mapping, Sequence

from grader.answers.form import LONGEST
from grader.exercise import Exercise, read_exercise
from grader.grading.exam_keys import ExamKeys
from grader.handdrawn import drawn_tree, reply_on
from grader.notation.diagnostics import Diagnostics


class Drawings:
    """Reads the trees of one exam; the exercises of a variant are read once."""

    def __init__(self, exam_keys: ExamKeys) -> None:
        self._exam_keys = exam_keys
        self._exercises: dict[str, Mapping[str, Exercise]] = {}

    def read(self, text: str, parts: Sequence[str], variant: str) -> Mapping[str, str]:
        """The replies to those of some parts that ask about this tree; empty when none does.

        A reply is the whole text, as it is marked, or blank where nothing that is asked for is drawn.
        """
        tree = drawn_tree(text) if len(text) <= LONGEST else None
        if tree is None:
            return {}
        found = {
            name: reply_on(tree, exercise) for name, exercise in self._of(variant).items() if name in parts
        }
        return {name: text if said else "" for name, said in found.items() if isinstance(said, str)}

    def _of(self, variant: str) -> Mapping[str, Exercise]:
        """The exercises of a variant by their parts, without those whose record is damaged."""
        if variant not in self._exercises:
            keys = [key for question in self._exam_keys.variants[variant] for key in question.parts]
            read = {key.part: read_exercise(key.exercise) for key in keys}
            self._exercises[variant] = {
                name: exercise for name, exercise in read.items() if not isinstance(exercise, Diagnostics)
            }
        return self._exercises[variant]
