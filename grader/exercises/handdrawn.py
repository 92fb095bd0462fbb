"""A hand-typed tree as a reply: the values and crosses drawn on it, as an answer to the question asked."""

import re
from dataclasses import dataclass
from operator import attrgetter

from grader.exercises.exercise import Exercise
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.notation.reading import read_tree
from grader.trees.tree import Tree

_TREE = re.compile(r"\s*(?:@\w|[△▽○]|(?:MAX|MIN|CHANCE|P[1-9])\b|\(\s*[(\[]|\[\s*\[)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Misdrawn:
    """A typed tree that answers nothing, or is `ambiguous`, and why, in the language of the question."""

    message: str
    ambiguous: bool = False


_shape = attrgetter("players", "parents", "payoffs", "probabilities")
"""The tree without names, moves, claims, crosses and header: what has to agree."""


def drawn_reply(text: str, exercise: Exercise) -> str | Misdrawn | None:
    """What a typed tree says to an exercise, as reply text; None when the text is no tree."""
    tree = drawn_tree(text)
    return None if tree is None else reply_on(tree, exercise)


def drawn_tree(text: str) -> Tree | None:
    """The tree that somebody has typed; None when the text is none."""
    if _TREE.match(text) is None:
        return None
    tree = read_tree(text)
    return None if isinstance(tree, Diagnostics) or len(tree) == 1 else tree


def reply_on(tree: Tree, exercise: Exercise) -> str | Misdrawn:
    """What a drawn tree says to an exercise, as reply text, empty when nothing that is asked for is drawn.

    The tree has to be the exercise's own; claims at its nodes are values, crossed branches are pruned.
    Values without crosses may mean that nothing is pruned, or that nobody came to the crosses.
    """
    own, term = exercise.public.tree, exercise.public.terms.language.term
    if _shape(tree) != _shape(own):
        return Misdrawn(term("this is not the tree of the question"))
    form = exercise.kind.form
    if form.drawn is None:
        return Misdrawn(term("what is drawn on a tree does not answer this question"))
    answer = form.drawn(tree)
    if answer is None and form.shown == "crosses" and any(tree.claims):
        return Misdrawn(
            term("values are drawn and no crosses: nothing is pruned, or that is left open"), True
        )
    return "" if answer is None else form.write(answer, own)
