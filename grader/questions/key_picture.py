"""The picture of a key: the requested numbers in addition to the picture of the question."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from grader.questions.reasons import SolvedExercise
from grader.solvers.value_intervals import Interval, proved_intervals
from grader.solvers.visited_nodes import pruned_branches
from grader.trees.tree import Player, Tree, Value


@dataclass(frozen=True, slots=True)
class KeyPicture:
    """The tree of a key.

    - `tree`: with evaluations in place of unknown payoffs, and counts as they are afterwards.
    - `caption`: a whole sentence; empty for that of any solved tree.
    - `shows_backed_up_values`: whether inner nodes show their values, and pruned branches are crossed out.
    - `values`: the values of inner nodes, if they differ from those of the solved tree.
    - `ranges`: the ranges of nodes whose values are not known.
    - `cuts`: the nodes whose branches are crossed out, if they differ from those of the search.
    - `notes`: lines of text at nodes.
    - `line`: the nodes whose branches are drawn thick, if they do not follow from the values.
    """

    tree: Tree
    caption: str = ""
    shows_backed_up_values: bool = True
    values: Mapping[int, Value] = field(default_factory=dict)
    ranges: Mapping[int, Interval] = field(default_factory=dict)
    cuts: Collection[int] = ()
    notes: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    line: Collection[int] = ()


KeyPictureBuilder: TypeAlias = Callable[[SolvedExercise], KeyPicture | None]
"""What the picture of a key shows of a solved exercise; None for the solved tree of the question."""


def picture_of_values(
    tree: Tree, values: Sequence[Value | None], caption: str, line: Collection[int]
) -> KeyPicture:
    """A tree whose nodes are worth other values than by best play down to its leaves; None for no value."""
    worth = {node: value for node, value in enumerate(values) if value is not None}
    return KeyPicture(tree, caption, shows_backed_up_values=False, values=worth, line=line)


def picture_of_search(tree: Tree, visited: Sequence[bool], caption: str, line: Collection[int]) -> KeyPicture:
    """A tree with what the leaves prove that some search visited, and with what it cut."""
    return KeyPicture(
        tree,
        caption,
        shows_backed_up_values=False,
        ranges={
            node: ends for node, ends in enumerate(proved_intervals(tree, visited, None)) if ends is not None
        },
        cuts=pruned_branches(tree, tuple(visited)),
        line=line,
    )


def line_of_play(
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


def new_order_notes(
    tree: Tree, before: Sequence[tuple[int, ...]], after: Sequence[tuple[int, ...]]
) -> dict[int, tuple[str, ...]]:
    """At every node whose children have another order than before: their names in the new one."""
    return {
        node: (" ".join(tree.names[child] for child in after[node]),)
        for node in tree.internal
        if after[node] != before[node]
    }
