"""The trees that programs are tried on: from two leaves up, with ties, equal subtrees and depth limits."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import Any

from grader.generation.stream import Stream
from grader.programs.interface import Interface
from grader.programs.tree_shapes import (
    ANY_LEVELS,
    CHANCE_BOUNDS,
    CHANCE_LEVELS,
    COMPLETE_LEVELS,
    EIGHTHS,
    LEVELS_OF_PLAYERS,
    LEVELS_OF_ROUNDS,
    LIMITED_LEVELS,
    RARE_CHANCE_LEVELS,
    TURNS,
)
from grader.solvers.depth_limit import truncate_at_depth
from grader.trees.annotations import Attributes, Header
from grader.trees.tree import Payoff, Player, Tree
from grader.trees.tree_builder import TreeBuilder, name_by_letters

MAX_SMALL_LEAVES = 9
"""The most leaves of the trees that are tried first, and shown."""

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

    With `depth`, only those that are searched to exactly this depth, perhaps none.
    """
    if shape == "players":
        examples = _trees_of_players(payoffs)
    elif shape in TURNS:
        examples = _chance_trees(payoffs, shape)
    else:
        examples = _plain_trees(shape, payoffs, roots, has_depth_limit)
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
    tables = {"complete": (COMPLETE_LEVELS,), "rounds": tuple(LEVELS_OF_ROUNDS.values())}
    kinds = tables.get(shape, (ANY_LEVELS,))
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
        per_shape = LIMITED_COUNT // len(LIMITED_LEVELS) if has_depth_limit else 0
        for levels, number in product(LIMITED_LEVELS, range(per_shape)):
            draw = _payoffs(stream.sub("limited", agents, *levels, number), payoffs, number)
            whole_rounds = levels if agents == 2 else (*levels, 1, 1)
            examples.append(_grow(whole_rounds, _turns("MAX", agents), draw, limit=agents))
    if shape == "any" and payoffs[1] >= MAX_SMALL_LEAVES:
        for root in roots:
            examples += _trees_with_twins(_turns(root, 2))
    return examples


def _trees_with_twins(turns: tuple[Player, ...]) -> Iterator[Example]:
    """Yield trees in which a node with a cutoff occurs again where all of it has to be visited.

    Only these trees show that a program stores bounds as values.
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
    for levels, count in LEVELS_OF_PLAYERS:
        for number in range(count):
            stream = Stream("programs").sub("players", *levels, number)
            numbers = range(limits[0], limits[1] + 1)
            columns = [iter(stream.sub(seat).shuffle(numbers)) for seat in range(3)]
            draw = partial(_next_of_each, columns)
            examples.append(_grow(levels, TURNS["players"], draw))
    return examples


def _next_of_each(columns: Sequence[Iterator[int]]) -> Payoff:
    return tuple(map(next, columns))


def _chance_trees(limits: tuple[int, int], shape: str) -> list[Example]:
    """Return trees with chance nodes; for `dice` chance comes after every move, and no outcome is a leaf."""
    tables = [(TURNS["dice"], CHANCE_LEVELS)]
    tables += [(TURNS["chance"], RARE_CHANCE_LEVELS)] if shape == "chance" else []
    examples = list[Example]()
    for turns, table in tables:
        for levels, count in table:
            for number in range(count if shape == "chance" or len(levels) % 2 else 0):
                stream = Stream("programs").sub("chance", *turns, *levels, number)
                draw = _payoffs(stream.sub("payoffs"), limits, number)
                examples.append(_grow(levels, turns, draw, chances=stream))
    return examples


def examples_for(interface: Interface, depth: int | None = None) -> tuple[Example, ...]:
    """Return the trees for an interface; with a `depth`, only those of this depth, perhaps none."""
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
        """Add a node and all nodes below it: a leaf after the last level, or where chance ends the game."""
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
            choices = EIGHTHS[levels[depth]]
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
        """Return a payoff, or a list of shapes, taking its leaves beyond the first from `spare`."""
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
        """Add the node of an item, a payoff or a list, and everything below it."""
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
    """Return a tree, named by letters, with its truncation at the depth limit."""
    whole = name_by_letters(tree)
    truncated = truncate_at_depth(whole, whole.header.depth)
    leaf_depths = {truncated.depths[leaf] for leaf in truncated.leaves}
    return Example(whole, truncated, turns, len(leaf_depths) == 1)
