"""One thing named in a reply, and what a form lets its numbers and names stand for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from grader.base.phrases import BoundPhrase
from grader.trees.tree import Tree

NodeReading: TypeAlias = tuple[int, ...]
"""The nodes that one reading of a mention means, in order."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One thing in a reply, in every way it can be read; `place` is where it stands, `doubt` is the doubt.

    Those with the same `group`, which is not 0, are all read in their first way, or all in their last.

    A way is a `NodeReading`, or for an entry a node and what is said of it.
    """

    readings: tuple[Any, ...]
    place: int
    doubt: BoundPhrase | None = None
    group: int = 0


@dataclass(frozen=True, slots=True)
class MentionRules:
    """What the mentions of a form stand for.

    - `number_target`: what numbers count: `leaf` for leaf numbers, `move` for the moves at the root.
    - `accepts_labels`: whether a move's label means the node it leads to.
    - `arrows_mean_then`: whether an arrow only says "then", as in a sequence; else it goes down a branch.
    - `asks_for_pruned`: whether what is crossed out is asked for, so that `pruned` says nothing new.
    - `wants_one`: whether one thing is asked for, so that a bar says "or"; else it separates. Where the terms
      want every thing that is equally good, "or" names them all.
    """

    number_target: str = "leaf"
    accepts_labels: bool = False
    arrows_mean_then: bool = False
    asks_for_pruned: bool = False
    wants_one: bool = False

    def numbered_nodes(self, tree: Tree) -> Sequence[int]:
        """The nodes that numbers count, the first one being number 1."""
        return tree.leaves if self.number_target == "leaf" else tree.children[0]
