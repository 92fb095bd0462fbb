"""A typed tree as the whole answer of a student: the parts of the variant that it answers."""

from collections.abc import Iterable, Mapping

from grader.answers.form import MAX_REPLY_BYTES
from grader.exercises.tree_reply import UnusableDrawing, reply_from_tree, tree_in_reply
from grader.grading.exam_keys import PartKey
from grader.trees.notation.diagnostics import Diagnostics


def replies_from_tree(text: str, keys: Iterable[PartKey]) -> Mapping[str, str]:
    """Return the replies to the parts that ask about this tree; empty if none does.

    A reply is the whole text, as it is marked, or blank if nothing in the drawing can mean this part.
    """
    tree = tree_in_reply(text) if len(text) <= MAX_REPLY_BYTES else None
    if tree is None:
        return {}
    replies = {}
    for key in keys:
        exercise = key.read_exercise()
        if not isinstance(exercise, Diagnostics):
            reply = reply_from_tree(tree, exercise)
            if not isinstance(reply, UnusableDrawing) or reply.ambiguous:
                replies[key.part] = text if reply else ""
    return replies
