"""What the picture of a key shows: the numbers that were asked for, beside what the question shows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from grader.kinds.why import Solved
from grader.tree import Tree


@dataclass(frozen=True, slots=True)
class Pictured:
    """The tree of a key.

    - `tree`: with evaluations where the question has unknown payoffs, and counts as they are afterwards.
    - `caption`: a whole sentence; empty for what is said of any solved tree.
    - `backed_up`: whether inner nodes show their values, and branches what a search cuts.
    - `notes`: lines of words at nodes.
    - `line`: the nodes of a path that is drawn thick, where values do not tell it.
    """

    tree: Tree
    caption: str = ""
    backed_up: bool = True
    notes: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    line: tuple[int, ...] = ()


Pictures: TypeAlias = Callable[[Solved], Pictured | None]
"""What the picture of a key shows of a solved exercise; None for the solved tree of the question."""
