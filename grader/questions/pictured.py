"""What the picture of a key shows: the numbers that were asked for, beside what the question shows."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from grader.questions.why import Solved
from grader.solvers.unknowns import Interval, proved
from grader.solvers.visited import pruned_branches
from grader.trees.tree import Player, Tree, Value


@dataclass(frozen=True, slots=True)
class Pictured:
    """The tree of a key.

    - `tree`: with evaluations where the question has unknown payoffs, and counts as they are afterwards.
    - `caption`: a whole sentence; empty for what is said of any solved tree.
    - `backed_up`: whether inner nodes show their values, and branches what a search cuts.
    - `values`: what inner nodes are worth, where that is not as in any solved tree.
    - `ranges`: between which values they lie, where no more is known.
    - `cuts`: the nodes whose branches are crossed out, where these are not those of any search.
    - `notes`: lines of words at nodes.
    - `line`: the nodes whose branches are drawn thick, where values do not tell it.
    """

    tree: Tree
    caption: str = ""
    backed_up: bool = True
    values: Mapping[int, Value] = field(default_factory=dict)
    ranges: Mapping[int, Interval] = field(default_factory=dict)
    cuts: Collection[int] = ()
    notes: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    line: Collection[int] = ()


Pictures: TypeAlias = Callable[[Solved], Pictured | None]
"""What the picture of a key shows of a solved exercise; None for the solved tree of the question."""


def valued(tree: Tree, values: Sequence[Value | None], caption: str, line: Collection[int]) -> Pictured:
    """A tree whose nodes are worth other values than by best play down to its leaves; None for no value."""
    worth = {node: value for node, value in enumerate(values) if value is not None}
    return Pictured(tree, caption, backed_up=False, values=worth, line=line)


def searched(tree: Tree, visited: Sequence[bool], caption: str, line: Collection[int]) -> Pictured:
    """A tree with what the leaves prove that some search visited, and with what it cut."""
    return Pictured(
        tree,
        caption,
        backed_up=False,
        ranges={node: ends for node, ends in enumerate(proved(tree, visited, None)) if ends is not None},
        cuts=pruned_branches(tree, tuple(visited)),
        line=line,
    )


def line_of(
    tree: Tree, values: Sequence[object], orders: Sequence[tuple[int, ...]] | None = None
) -> tuple[int, ...]:
    """The line of play by some values: the first child that is worth as much, as far as somebody chooses."""
    line = [0]
    while tree.players[line[-1]] is not Player.CHANCE:
        children = (tree.children if orders is None else orders)[line[-1]]
        best = (child for child in children if values[child] == values[line[-1]])
        chosen = next(best, None)
        if chosen is None:
            break
        line.append(chosen)
    return tuple(line)


def moved(
    tree: Tree, before: Sequence[tuple[int, ...]], after: Sequence[tuple[int, ...]]
) -> dict[int, tuple[str, ...]]:
    """At every node whose children have another order than before: their names in the new one."""
    return {
        node: (" ".join(tree.names[child] for child in after[node]),)
        for node in tree.internal
        if after[node] != before[node]
    }
