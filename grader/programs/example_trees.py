"""The trees that programs are tried on: from two leaves up, with ties, equal subtrees and depth limits."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import Any

from grader.generation.stream import Stream
from grader.programs.interface import Interface
from grader.solvers.depth_limit import truncate_at_depth
from grader.trees.tree import Attributes, Header, Payoff, Player, Tree
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
_PLAYERS: tuple[tuple[tuple[int, ...], int], ...] = (
    ((2,), 2),
    ((3,), 2),
    ((2, 2), 8),
    ((3, 2), 8),
    ((2, 2, 2), 20),
    ((3, 2, 1), 6),
    ((2, 1, 2), 6),
    ((1, 2, 2), 6),
    ((2, 2, 1, 2), 8),
    ((2, 1, 2, 2), 8),
    ((1, 2, 2, 2), 6),
    ((2, 2, 2, 2), 8),
)
_CHANCE: tuple[tuple[tuple[int, ...], int], ...] = (
    ((2,), 2),
    ((3,), 2),
    ((2, 2), 8),
    ((3, 2), 8),
    ((2, 2, 2), 50),
    ((3, 2, 1), 12),
    ((2, 3, 1), 10),
    ((1, 2, 2), 16),
    ((2, 1, 2), 10),
    ((1, 3, 2), 12),
    ((1, 2, 3), 16),
    ((3, 1, 3), 12),
    ((2, 2, 3), 8),
    ((2, 2, 1, 2), 20),
    ((1, 2, 1, 2, 2), 20),
    ((2, 1, 2, 2, 1), 12),
    ((1, 2, 2, 2, 1), 12),
    ((2, 2, 2, 2, 1), 8),
)
"""Branching on each level of trees in which a chance node comes after every move."""

_RARE_CHANCE: tuple[tuple[tuple[int, ...], int], ...] = (
    ((2, 2, 2), 20),
    ((2, 3, 1), 10),
    ((3, 2, 1), 10),
    ((1, 2, 2, 2), 20),
    ((2, 1, 2, 2), 20),
    ((1, 1, 2, 2, 2), 20),
    ((1, 1, 2, 2, 3), 10),
    ((1, 1, 2, 3, 2), 10),
    ((1, 2, 2, 2, 2), 6),
)
"""Branching where both players move before a chance node."""

_SHARES: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((8,),),
    2: ((4, 4), (2, 6), (6, 2), (1, 7)),
    3: ((4, 2, 2), (2, 2, 4), (1, 5, 2)),
}
"""Probabilities of so many outcomes in eighths, with which floating-point numbers are exact."""

CHANCE_BOUNDS = (-10, 10)
"""The bounds of payoffs in trees with chance nodes; no payoff reaches one."""

_TURNS: dict[str, tuple[Player, ...]] = {
    "chance": (Player.MAX, Player.MIN, Player.CHANCE),
    "dice": (Player.MAX, Player.CHANCE, Player.MIN, Player.CHANCE),
    "players": (Player.P1, Player.P2, Player.P3),
}
_LIMITED: tuple[tuple[int, ...], ...] = ((2, 2, 1, 1), (2, 2, 2, 1), (2, 1, 2, 1), (2, 2, 1, 2))
IRREGULAR_COUNT = 70
LIMITED_COUNT = 16
TWIN_COUNT = 6


@dataclass(frozen=True, slots=True)
class Example:
    """A tree to search: `whole` with what lies below a depth limit, `tree` as the reference sees it.

    `turns` has the players of a round, who move in turn; `is_uniform`: all leaves have the same depth.
    """

    whole: Tree
    tree: Tree
    turns: tuple[Player, ...]
    is_uniform: bool

    @property
    def agents(self) -> int:
        """The number of moves in a round."""
        return len(self.turns)

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
            "probabilities": [None if share is None else str(share) for share in whole.probabilities],
            "depths": list(whole.depths),
            "bounds": whole.header.bounds,
            "seats": whole.seats,
            "turns": list(self.turns),
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
    examples = (
        _plain_trees(shape, payoffs, roots, has_depth_limit)
        if shape not in _TURNS
        else _trees_of_players(payoffs)
        if shape == "players"
        else _chance_trees(payoffs, shape)
    )
    if depth is not None:
        examples = [each for each in examples if max(each.tree.depths) == depth]
    examples.sort(key=lambda each: (len(each.tree.leaves), len(each.whole)))
    return tuple(examples)


def _plain_trees(
    shape: str, payoffs: tuple[int, int], roots: tuple[str, ...], has_depth_limit: bool
) -> list[Example]:
    """Return trees of MAX and MIN."""
    stream = Stream("programs")
    examples = list[Example]()
    kinds = [_COMPLETE] if shape == "complete" else list(_ROUNDS.values()) if shape == "rounds" else [_LEVELS]
    for agents, table in zip((2, 3), kinds, strict=False):
        for levels, count in table:
            for number in range(count):
                turns = _turns(roots[number % len(roots)], agents)
                draw = _payoffs(stream.sub("payoffs", agents, *levels, number), payoffs, number)
                examples.append(_grow(levels, turns, draw))
        for number in range(0 if shape == "complete" else IRREGULAR_COUNT):
            draws = stream.sub("irregular", agents, number)
            draw = _payoffs(draws.sub("payoffs"), payoffs, number)
            examples.append(_grow_irregular(draws, _turns(roots[number % len(roots)], agents), draw))
        per_shape = LIMITED_COUNT // len(_LIMITED) if has_depth_limit else 0
        for levels, number in product(_LIMITED, range(per_shape)):
            draw = _payoffs(stream.sub("limited", agents, *levels, number), payoffs, number)
            whole_rounds = levels if agents == 2 else (*levels, 1, 1)
            examples.append(_grow(whole_rounds, _turns("MAX", agents), draw, limit=agents))
    if shape == "any" and payoffs[1] >= MAX_SMALL_LEAVES:
        for root in roots:
            examples += _trees_with_twins(_turns(root, 2))
    return examples


def _trees_with_twins(turns: tuple[Player, ...]) -> Iterator[Example]:
    """Yield trees in which a node with a cutoff occurs again where nothing of it may be pruned.

    Only there a stored bound is taken for a value that decides.
    """
    for number in range(TWIN_COUNT):
        stream = Stream("programs").sub("twins", number)
        low, cut, middle, high = sorted(stream.sample(range(-9, 10), 4))
        sign = 1 if turns[0] is Player.MAX else -1
        twin = [sign * cut, sign * high]
        yield _from_lists([[sign * low, twin], [twin, sign * middle]], turns)


def _trees_of_players(limits: tuple[int, int]) -> list[Example]:
    """Return trees of three players; no player gets the same at two leaves, so there are no ties."""
    examples = list[Example]()
    for levels, count in _PLAYERS:
        for number in range(count):
            stream = Stream("programs").sub("players", *levels, number)
            numbers = range(limits[0], limits[1] + 1)
            columns = [iter(stream.sub(seat).shuffle(numbers)) for seat in range(3)]
            draw = partial(_next_of_each, columns)
            examples.append(_grow(levels, _TURNS["players"], draw))
    return examples


def _next_of_each(columns: Sequence[Iterator[int]]) -> Payoff:
    return tuple(map(next, columns))


def _chance_trees(limits: tuple[int, int], shape: str) -> list[Example]:
    """Return trees with chance nodes; for `dice` chance comes after every move, and no outcome is a leaf."""
    tables = [(_TURNS["dice"], _CHANCE)]
    tables += [(_TURNS["chance"], _RARE_CHANCE)] if shape == "chance" else []
    examples = list[Example]()
    for turns, table in tables:
        for levels, count in table:
            for number in range(count if shape == "chance" or len(levels) % 2 else 0):
                stream = Stream("programs").sub("chance", *turns, *levels, number)
                draw = _payoffs(stream.sub("payoffs"), limits, number)
                examples.append(_grow(levels, turns, draw, chances=stream))
    return examples


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


def _turns(root: str, agents: int) -> tuple[Player, ...]:
    """Return who moves at each depth of a round: one player first, and then the other `agents` - 1 times."""
    first, other = (Player.MAX, Player.MIN) if root == "MAX" else (Player.MIN, Player.MAX)
    return (first, *[other] * (agents - 1))


def _grow(
    levels: Sequence[int],
    turns: tuple[Player, ...],
    draw: Callable[[], Payoff],
    limit: int | None = None,
    chances: Stream | None = None,
) -> Example:
    """Return a tree with this branching on each level; with a limit its inner nodes have evaluations.

    `chances` decides the probabilities, and which moves end the game before there is an outcome.
    """
    builder = TreeBuilder()

    def add(parent: int, depth: int, share: Fraction | None = None) -> None:
        player = turns[depth % len(turns)]
        is_early = chances is not None and player is Player.CHANCE and chances.below(4) == 0
        if depth == len(levels) or is_early:
            builder.add(parent, None, draw(), probability=share)
            return
        evaluation = draw() if limit is not None else None
        attributes = Attributes(evaluation=evaluation) if isinstance(evaluation, int) else None
        node = builder.add(parent, player, attributes=attributes, probability=share)
        shares: Sequence[Fraction | None] = [None] * levels[depth]
        if chances is not None and player is Player.CHANCE:
            choices = _SHARES[levels[depth]]
            shares = [Fraction(eighths, 8) for eighths in choices[chances.below(len(choices))]]
        for each in shares:
            add(node, depth + 1, each)

    add(-1, 0)
    bounds = None if chances is None else CHANCE_BOUNDS
    return _example(builder.tree(Header(depth=limit, bounds=bounds)), turns)


def _grow_irregular(stream: Stream, turns: tuple[Player, ...], draw: Callable[[], int]) -> Example:
    """Return a tree of at most nine leaves with leaves on several levels, and sometimes equal subtrees."""
    spare = [2 + stream.below(MAX_SMALL_LEAVES - 1)]
    most_plies = len(turns) * (1 + stream.below(3)) if len(turns) > 2 else 2 + stream.below(4)
    repeats = stream.below(3) == 0
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

    return _from_lists(shape(0), turns)


def _from_lists(items: Any, turns: tuple[Player, ...]) -> Example:
    """Return the tree of nested lists."""
    builder = TreeBuilder()

    def add(parent: int, item: Any, depth: int) -> None:
        if isinstance(item, int):
            builder.add(parent, None, item)
            return
        node = builder.add(parent, turns[depth % len(turns)])
        for child in item:
            add(node, child, depth + 1)

    add(-1, items, 0)
    return _example(builder.tree(), turns)


def _leaf_count(item: Any) -> int:
    return 1 if isinstance(item, int) else sum(map(_leaf_count, item))


def _example(tree: Tree, turns: tuple[Player, ...]) -> Example:
    whole = name_by_letters(tree)
    truncated = truncate_at_depth(whole, whole.header.depth)
    leaf_depths = {truncated.depths[leaf] for leaf in truncated.leaves}
    return Example(whole, truncated, turns, len(leaf_depths) == 1)
