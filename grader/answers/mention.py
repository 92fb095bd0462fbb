"""One thing named in a reply, and what a form lets its numbers and names stand for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from grader.base.phrases import Saying
from grader.trees.tree import Tree

Way: TypeAlias = tuple[int, ...]
"""The nodes that one reading of a mention means, in order."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One thing in a reply, in every way it can be read; `place` is where it stands, `why` is the doubt.

    A way is a `Way`, or for an entry a node and what is said of it.
    """

    ways: tuple[Any, ...]
    place: int
    why: Saying | None = None


@dataclass(frozen=True, slots=True)
class Naming:
    """What the mentions of a form stand for.

    - `counted`: what numbers count: `leaf` for path numbers, `move` for the moves at the root.
    - `labels`: whether a move's label means the node it leads to.
    - `arrows`: whether an arrow only says "then", as in a sequence; else it goes down a branch.
    - `crossed`: whether what is crossed out is asked for, so that `pruned` says nothing new.
    - `one`: whether one thing is asked for, so that a bar says "or"; else it separates. Where the terms
      want every thing that is equally good, "or" names them all.
    """

    counted: str = "leaf"
    labels: bool = False
    arrows: bool = False
    crossed: bool = False
    one: bool = False

    def count(self, tree: Tree) -> Sequence[int]:
        """The nodes that numbers count, the first one being number 1."""
        return tree.leaves if self.counted == "leaf" else tree.children[0]
