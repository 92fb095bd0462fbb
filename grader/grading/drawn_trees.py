"""A hand-typed tree that is all somebody handed in: which parts of their variant it answers."""

from collections.abc import Iterable, Mapping

from grader.answers.form import MAX_REPLY_BYTES
from grader.exercises.tree_reply import UnusableDrawing, reply_from_tree, tree_in_reply
from grader.grading.exam_keys import PartKey, cached_exercise
from grader.trees.notation.diagnostics import Diagnostics


def replies_from_tree(text: str, keys: Iterable[PartKey]) -> Mapping[str, str]:
    """The replies to those of some parts that ask about this tree; empty when none does.

    A reply is the whole text, as it is marked, or blank where nothing is drawn that could mean it.
    """
    tree = tree_in_reply(text) if len(text) <= MAX_REPLY_BYTES else None
    if tree is None:
        return {}
    replies = {}
    for key in keys:
        exercise = cached_exercise(key.exercise, key.own)
        if not isinstance(exercise, Diagnostics):
            said = reply_from_tree(tree, exercise)
            if not isinstance(said, UnusableDrawing) or said.ambiguous:
                replies[key.part] = text if said else ""
    return replies
