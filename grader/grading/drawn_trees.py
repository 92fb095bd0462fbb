"""A hand-typed tree that is all somebody handed in: which parts of their variant it answers."""

from collections.abc import Iterable, Mapping

from grader.answers.form import LONGEST
from grader.exercises.handdrawn import Misdrawn, drawn_tree, reply_on
from grader.grading.exam_keys import PartKey, exercise_of
from grader.trees.notation.diagnostics import Diagnostics


def drawn_replies(text: str, keys: Iterable[PartKey]) -> Mapping[str, str]:
    """The replies to those of some parts that ask about this tree; empty when none does.

    A reply is the whole text, as it is marked, or blank where nothing is drawn that could mean it.
    """
    tree = drawn_tree(text) if len(text) <= LONGEST else None
    if tree is None:
        return {}
    replies = {}
    for key in keys:
        exercise = exercise_of(key.exercise, key.own)
        if not isinstance(exercise, Diagnostics):
            said = reply_on(tree, exercise)
            if not isinstance(said, Misdrawn) or said.ambiguous:
                replies[key.part] = text if said else ""
    return replies
