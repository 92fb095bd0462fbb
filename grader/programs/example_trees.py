"""The trees that programs are tried on: from two leaves up, with ties, equal subtrees and depth limits."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from grader.generation.stream import Stream
from grader.programs.interface import Interface
from grader.solvers.depth_limit import truncate_at_depth
from grader.trees.tree import Attributes, Header, Player, Tree
from grader.trees.tree_builder import TreeBuilder, name_by_letters

MAX_SMALL_LEAVES = 9
"""The most leaves of the trees that are tried first, and shown."""

_LEVELS: tuple[tuple[tuple[int, ...], int], ...] = (
    ((2,), 1),
    ((3,), 2),
    ((1, 2), 1),
    ((2, 1), 1),
    ((2, 2), 10),
    ((2, 3), 8),
    ((3, 2), 20),
    ((4, 2), 16),
    ((1, 3, 2), 12),
    ((2, 3, 1), 8),
    ((3, 2, 1), 6),
    ((3, 3), 10),
    ((2, 2, 1), 8),
    ((1, 2, 2), 4),
    ((2, 2, 2), 24),
    ((2, 1, 2, 2), 14),
    ((2, 2, 1, 2), 10),
    ((1, 2, 2, 2), 6),
    ((2, 1, 1, 2), 4),
    ((1, 2, 1, 1, 2), 8),
    ((1, 2, 1, 2, 2), 6),
    ((2, 1, 2, 1, 2), 8),
    ((4, 4), 2),
    ((2, 2, 2, 2), 14),
    ((3, 3, 3), 6),
    ((2, 2, 2, 2, 2), 4),
    ((2, 2, 2, 2, 2, 2), 2),
)
"""Branching on each level, and how many trees there are of each."""

_COMPLETE: tuple[tuple[tuple[int, ...], int], ...] = tuple(
    ((2,) * plies, count) for plies, count in ((1, 3), (2, 30), (3, 60), (4, 40), (5, 6))
)
_ROUNDS: dict[int, tuple[tuple[tuple[int, ...], int], ...]] = {
    2: tuple((levels, count) for levels, count in _LEVELS if len(levels) % 2 == 0),
    3: (
        ((2, 1, 2), 6),
        ((2, 2, 1), 6),
        ((2, 2, 2), 20),
        ((1, 2, 2, 2, 2, 1), 6),
        ((2, 1, 1, 2, 2, 1), 6),
        ((3, 2, 2), 6),
    ),
}
_LIMITED: tuple[tuple[int, ...], ...] = ((2, 2, 1, 1), (2, 2, 2, 1), (2, 1, 2, 1), (2, 2, 1, 2))
IRREGULAR_COUNT = 70
LIMITED_COUNT = 16


@dataclass(frozen=True, slots=True)
class Example:
    """A tree to search: `whole` with what lies below a depth limit, `tree` as the reference sees it.

    `agents` is the number of players who move in turn; `is_uniform`: all leaves have the same depth;
    `nodes`: for every node of `tree`, its index in `whole`.
    """

    whole: Tree
    tree: Tree
    agents: int
    is_uniform: bool

    @property
    def limit(self) -> int | None:
        """The depth limit, if there is one."""
        return self.whole.header.depth

    @property
    def nodes(self) -> tuple[int, ...]:
        """For every node of `tree`, its index in `whole`."""
        limit = self.limit
        return tuple(
            node for node in range(len(self.whole)) if limit is None or self.whole.depths[node] <= limit
        )

    def to_job(self) -> dict[str, Any]:
        """Return the tree as a program's process gets it."""
        whole = self.whole
        payoffs = [
            payoff if attributes is None else attributes.evaluation
            for payoff, attributes in zip(whole.payoffs, whole.attributes, strict=True)
        ]
        return {
            "players": list(whole.players),
            "children": [list(children) for children in whole.children],
            "payoffs": payoffs,
            "depths": list(whole.depths),
            "agents": self.agents,
            "plies": max(self.tree.depths),
            "is_limited": self.limit is not None,
        }


@cache
def example_trees(
    shape: str, payoffs: tuple[int, int], roots: tuple[str, ...], has_depth_limit: bool, depth: int | None
) -> tuple[Example, ...]:
    """Return the trees for an interface, those with few leaves first; always the same ones.

    With `depth`, all trees have this depth limit and go on below it, where the interface allows it.
    """
    stream = Stream("programs")
    examples = list[Example]()
    kinds = [_COMPLETE] if shape == "complete" else list(_ROUNDS.values()) if shape == "rounds" else [_LEVELS]
    for agents, table in zip((2, 3), kinds, strict=False):
        for levels, count in table:
            for number in range(count):
                root = roots[number % len(roots)]
                draw = _payoffs(stream.sub("payoffs", agents, *levels, number), payoffs, number)
                examples.append(_grow(levels, root, agents, draw))
        for number in range(0 if shape == "complete" else IRREGULAR_COUNT):
            draws = stream.sub("irregular", agents, number)
            draw = _payoffs(draws.sub("payoffs"), payoffs, number)
            examples.append(_grow_irregular(draws, roots[number % len(roots)], agents, draw))
        per_shape = LIMITED_COUNT // len(_LIMITED) if has_depth_limit else 0
        for levels, number in product(_LIMITED, range(per_shape)):
            draw = _payoffs(stream.sub("limited", agents, *levels, number), payoffs, number)
            whole_rounds = levels if agents == 2 else (*levels, 1, 1)
            examples.append(_grow(whole_rounds, "MAX", agents, draw, limit=agents))
    if depth is not None:
        examples = [each for each in examples if max(each.tree.depths) == depth]
    examples.sort(key=lambda each: (len(each.tree.leaves), len(each.whole)))
    return tuple(examples)


def examples_for(interface: Interface, depth: int | None = None) -> tuple[Example, ...]:
    """Return the trees for an interface."""
    return example_trees(
        interface.shape, interface.payoffs, interface.roots, interface.has_depth_limit, depth
    )


def _payoffs(stream: Stream, limits: tuple[int, int], number: int) -> Callable[[], int]:
    """Return a source of payoffs: by turns with many ties, small, all negative, all positive, wide."""
    low, high = limits
    if high - low > 9:
        low, high = ((0, 3), (-9, 9), (low, -1), (1, high), limits, (-3, 2))[number % 6]
    return lambda: low + stream.below(high - low + 1)


def _player(root: str, depth: int, agents: int) -> Player:
    turn = depth % agents
    first, other = (Player.MAX, Player.MIN) if root == "MAX" else (Player.MIN, Player.MAX)
    return first if turn == 0 else other


def _grow(
    levels: Sequence[int], root: str, agents: int, draw: Callable[[], int], limit: int | None = None
) -> Example:
    """Return a tree with this branching on each level; with a limit its inner nodes have evaluations."""
    builder = TreeBuilder()

    def add(parent: int, depth: int) -> None:
        if depth == len(levels):
            builder.add(parent, None, draw())
            return
        attributes = None if limit is None else Attributes(evaluation=draw())
        node = builder.add(parent, _player(root, depth, agents), attributes=attributes)
        for _ in range(levels[depth]):
            add(node, depth + 1)

    add(-1, 0)
    return _example(builder.tree(Header(depth=limit)), agents)


def _grow_irregular(stream: Stream, root: str, agents: int, draw: Callable[[], int]) -> Example:
    """Return a tree of at most nine leaves with leaves on several levels, and sometimes equal subtrees."""
    spare = [2 + stream.below(MAX_SMALL_LEAVES - 1)]
    most_plies = agents * (1 + stream.below(3)) if agents > 2 else 2 + stream.below(4)
    repeats = stream.below(3) == 0
    builder = TreeBuilder()
    shapes: list[Any] = []

    def shape(depth: int) -> Any:
        if depth == most_plies or spare[0] <= 1 or (depth > 1 and stream.below(3) == 0):
            return draw()
        if repeats and depth > 0 and shapes and stream.below(3) == 0:
            level, copy = shapes[stream.below(len(shapes))]
            if level == depth and _leaf_count(copy) - 1 < spare[0]:
                spare[0] -= _leaf_count(copy) - 1
                return copy
        count = min(spare[0], 1 + stream.below(3) if depth else 2 + stream.below(2))
        spare[0] -= count - 1
        children = [shape(depth + 1) for _ in range(count)]
        shapes.append((depth, children))
        return children

    def add(parent: int, item: Any, depth: int) -> None:
        if isinstance(item, int):
            builder.add(parent, None, item)
            return
        node = builder.add(parent, _player(root, depth, agents))
        for child in item:
            add(node, child, depth + 1)

    add(-1, shape(0), 0)
    return _example(builder.tree(), agents)


def _leaf_count(item: Any) -> int:
    return 1 if isinstance(item, int) else sum(map(_leaf_count, item))


def _example(tree: Tree, agents: int) -> Example:
    whole = name_by_letters(tree)
    truncated = truncate_at_depth(whole, whole.header.depth)
    leaf_depths = {truncated.depths[leaf] for leaf in truncated.leaves}
    return Example(whole, truncated, agents, len(leaf_depths) == 1)
