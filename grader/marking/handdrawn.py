"""A hand-typed tree as a reply: the values and crosses drawn on it, as an answer to the question asked."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grader.answers.numeral import Numeral
from grader.exercise import Exercise
from grader.marking.drawn import crossed_out
from grader.notation import Diagnostics, read_tree
from grader.tree import Tree

_TREE = re.compile(r"\s*(?:@\w|[△▽○]|(?:MAX|MIN|CHANCE|P[1-9])\b|\(\s*[(\[]|\[\s*\[)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Misdrawn:
    """A typed tree that answers nothing, and why."""

    message: str


def drawn_reply(text: str, exercise: Exercise) -> str | Misdrawn | None:
    """What a typed tree says to an exercise, as reply text; None when the text is no tree.

    The text is empty when nothing that is asked for is drawn. The tree has to be the exercise's own;
    claims at its nodes are values, crossed branches are pruned.
    """
    if _TREE.match(text) is None:
        return None
    tree = read_tree(text)
    if isinstance(tree, Diagnostics) or len(tree) == 1:
        return None
    own = exercise.public.tree
    if _shape(tree) != _shape(own):
        return Misdrawn("this is not the tree of the question")
    answer = _drawn(tree, exercise)
    if answer is None or isinstance(answer, Misdrawn):
        return answer or ""
    return exercise.kind.form.write(answer, own)


def _shape(tree: Tree) -> str:
    """The tree without names, moves, claims, crosses and header: what has to agree."""
    plain = tree.bare()
    return " ".join(
        f"{player}{parent}:{'' if payoff is None else payoff}:{probability}"
        for player, parent, payoff, probability in zip(
            plain.players, plain.parents, plain.payoffs, plain.probabilities, strict=True
        )
    )


def _drawn(tree: Tree, exercise: Exercise) -> Any:
    """The answer that is drawn, None when nothing is, and Misdrawn when this is nothing to draw."""
    named = {
        node: Numeral(claim.value)
        for node, claim in enumerate(tree.claims)
        if claim is not None and claim.relation == "=" and isinstance(claim.value, int | Fraction)
    }
    match exercise.kind.form.name:
        case "table":
            values = tuple((node, value) for node, value in named.items() if tree.children[node])
            return values or None
        case "paths" if any(tree.crosses):
            crossed = crossed_out(tree)
            return frozenset(tree.paths[leaf] for leaf in tree.leaves if crossed[leaf])
        case "branches" if any(tree.crosses):
            above = crossed_out(tree)
            return frozenset(
                node for node in range(1, len(tree)) if tree.crosses[node] and not above[tree.parents[node]]
            )
        case "number":
            return named.get(0)
        case "paths" | "branches":
            return None
        case _:
            return Misdrawn("what is drawn on a tree does not answer this question")
