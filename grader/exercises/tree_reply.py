"""Read a typed tree as a reply: its values and crosses are the answer to the question."""

import re
from dataclasses import dataclass
from operator import attrgetter

from grader.exercises.exercise import Exercise
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.notation.reading import read_tree
from grader.trees.tree import Tree

_TREE = re.compile(r"\s*(?:@\w|[△▽○]|(?:MAX|MIN|CHANCE|P[1-9])\b|\(\s*[(\[]|\[\s*\[)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class UnusableDrawing:
    """A typed tree that is not an answer, or is `ambiguous`; the message is in the question's language."""

    message: str
    ambiguous: bool = False


_shape = attrgetter("players", "parents", "payoffs", "probabilities")
"""The parts of a tree that have to agree: not names, moves, claims, crosses or header."""


def reply_from_text(text: str, exercise: Exercise) -> str | UnusableDrawing | None:
    """Convert a typed tree to reply text; None if the text is not a tree."""
    tree = tree_in_reply(text)
    return None if tree is None else reply_from_tree(tree, exercise)


def tree_in_reply(text: str) -> Tree | None:
    """Return the tree in a reply, or None if the text is not a tree or only one leaf."""
    if _TREE.match(text) is None:
        return None
    tree = read_tree(text)
    return None if isinstance(tree, Diagnostics) or len(tree) == 1 else tree


def reply_from_tree(tree: Tree, exercise: Exercise) -> str | UnusableDrawing:
    """Convert a drawn tree to reply text, empty if it has no marks that the question asks for.

    The tree has to be the exercise's own; claims at its nodes are values, crossed branches are pruned.
    Values without crosses may mean that nothing is pruned, or that the crosses were omitted; a tree without
    any mark may mean the same, or be blank.
    """
    own, term = exercise.public.tree, exercise.public.terms.language.term
    if _shape(tree) != _shape(own):
        return UnusableDrawing(term("this is not the tree given in the question"))
    form = exercise.kind.form
    if form.from_drawing is None:
        return UnusableDrawing(term("a drawing on a tree does not answer this question"))
    answer = form.from_drawing(tree)
    if answer is None and not any(tree.claims) and not any(tree.crosses):
        return UnusableDrawing(
            term("the tree is there without any value or cross: what does it answer?"), True
        )
    if answer is None and form.drawn_verdicts == "crosses" and any(tree.claims):
        return UnusableDrawing(
            term(
                "the drawing has values but no crosses; either nothing is pruned, or the crosses were omitted"
            ),
            True,
        )
    return "" if answer is None else form.write(answer, own)
