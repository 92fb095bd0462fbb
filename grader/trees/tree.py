"""The game tree: one immutable record of flat preorder tuples, in which a node is its index."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, TypeAlias

from grader.base.numbers import Number
from grader.trees.annotations import NO_HEADER, Attributes, Header
from grader.trees.rules import Order, Rules, rules_from_keys

Vector: TypeAlias = tuple[Number, ...]
"""One number for each player, first player first."""

Value: TypeAlias = Number | Vector
"""The value of a node: a number, or a vector in a game of several players."""

Payoff: TypeAlias = Number | Vector | str
"""The payoff of a leaf: a value, or the name of an unknown."""

MAX_SUPPORTED_PLIES = 256
"""The most moves between the root and a leaf."""

MAX_SUPPORTED_LEAVES = 2_000_000
"""The most leaves a tree may have."""


class Player(StrEnum):
    """Who moves at an internal node."""

    MAX = "MAX"
    MIN = "MIN"
    CHANCE = "CHANCE"
    P1 = "P1"
    P2 = "P2"
    P3 = "P3"
    P4 = "P4"
    P5 = "P5"
    P6 = "P6"
    P7 = "P7"
    P8 = "P8"
    P9 = "P9"

    __hash__ = str.__hash__  # faster than that of `Enum`, and equal for equal texts

    @property
    def seat(self) -> int | None:
        """The place of `P1` to `P9` in a payoff vector, counted from 0; None for the others."""
        return int(self[1]) - 1 if len(self) == 2 else None


_STEMS = {player: player.capitalize() if player.seat is None else f"{player}_" for player in Player}
"""The prefixes of the names of nodes without a given name."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A value written at a node: `=3`, `<=2` or `>=5`."""

    relation: Literal["=", "<=", ">="]
    value: Value


_DERIVED_FROM_PAYOFFS = frozenset({"seats", "unknowns", "known_payoffs", "_payoff_types", "_hash"})
"""The derived columns that depend on the payoffs."""

_DERIVED_FROM_PLAYERS = frozenset({"names", "index", "movers", "has_chance", "_hash"})
"""Those that depend on the players."""

_DERIVED_FROM_MARKS = frozenset({"crossed_out", "crossed_paths", "_hash"})
"""Those that depend on the marks drawn on the tree."""


# No slots: the derived columns are computed on first use and cached in the record.
@dataclass(frozen=True)
class Tree:
    """A game tree as aligned tuples in preorder: node 0 is the root, a node is its index.

    - `players`: who moves; None at a leaf.
    - `parents`: index of the parent; -1 at the root.
    - `payoffs`: a leaf's payoff; None at an internal node.
    - `given`: the name the author gave, or None (see `names`).
    - `moves`: the label of the branch above the node, if it has one.
    - `probabilities`: of the branch above, below a chance node (uniform ones too); else None.
    - `claims`: the value written at the node.
    - `crosses`: True if the branch above the node was crossed out as pruned.
    - `attributes`: static evaluation, features and visit counts.
    - `estimates`: the leaves at a depth limit, whose payoff is a static evaluation.

    `TreeBuilder` builds trees; `grader.trees.notation.laws` checks them.
    """

    players: tuple[Player | None, ...]
    parents: tuple[int, ...]
    payoffs: tuple[Payoff | None, ...]
    given: tuple[str | None, ...]
    moves: tuple[str | None, ...]
    probabilities: tuple[Number | None, ...]
    claims: tuple[Claim | None, ...]
    crosses: tuple[bool, ...]
    attributes: tuple[Attributes | None, ...]
    header: Header = NO_HEADER
    estimates: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.parents)

    def __hash__(self) -> int:
        return self._hash

    def __getstate__(self) -> dict[str, Any]:
        """Return all but the hash: the hash of a text differs between processes."""
        return {name: column for name, column in self.__dict__.items() if name != "_hash"}

    @cached_property
    def _hash(self) -> int:
        """The hash; cached, because trees are keys of caches."""
        return hash((self.parents, self.payoffs))

    @cached_property
    def _node_numbers(self) -> tuple[int, ...]:
        """0 to the number of nodes; all columns share these objects to save memory."""
        return tuple(range(len(self) + 1))

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The children of every node, from left to right; empty at a leaf."""
        below: defaultdict[int, list[int]] = defaultdict(list)
        for node, parent in zip(self._node_numbers, self.parents, strict=False):
            below[parent].append(node)
        children: list[tuple[int, ...]] = [()] * len(self)
        for parent, nodes in below.items():
            if parent >= 0:
                children[parent] = tuple(nodes)
        return tuple(children)

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """One past the last node of every subtree: the subtree of `node` is `range(node, ends[node])`."""
        ends = list(self._node_numbers[1:])
        for node in range(len(self) - 1, 0, -1):
            parent = self.parents[node]
            if ends[node] > ends[parent]:
                ends[parent] = ends[node]
        return tuple(ends)

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """The number of moves between the root and every node."""
        depths: list[int] = []
        for parent in self.parents:
            depths.append(0 if parent < 0 else depths[parent] + 1)
        return tuple(depths)

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        """The leaves from left to right: the leaf with number `k` is `leaves[k - 1]`."""
        players = zip(self._node_numbers, self.players, strict=False)
        return tuple([node for node, player in players if player is None])

    @cached_property
    def paths(self) -> tuple[int, ...]:
        """The number of every leaf, counted from 1 at the left; 0 at an internal node."""
        paths = [0] * len(self)
        for path, leaf in zip(self._node_numbers[1:], self.leaves, strict=False):
            paths[leaf] = path
        return tuple(paths)

    @cached_property
    def internal(self) -> tuple[int, ...]:
        """The internal nodes in preorder."""
        players = zip(self._node_numbers, self.players, strict=False)
        return tuple([node for node, player in players if player is not None])

    @cached_property
    def breadth_first(self) -> tuple[int, ...]:
        """All nodes level by level, each level from the left."""
        return tuple(sorted(range(len(self)), key=self.depths.__getitem__))

    @cached_property
    def by_level(self) -> tuple[int, ...]:
        """The internal nodes level by level, each level from the left."""
        return tuple(sorted(self.internal, key=self.depths.__getitem__))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of every node: the given one, or else a default.

        The root is `root`, internal nodes are `Max1`, `Min1`, `Chance1`, ... (`P2_1` in a game of
        several players), counted per player in breadth-first order; leaves have their leaf number.
        A default that is already given to another node gets underscores until it is unique.
        """
        names = [name or str(path or "") for name, path in zip(self.given, self.paths, strict=True)]
        given_names = {name for name in self.given if name is not None}
        counts: Counter[Player] = Counter()
        for node in self.by_level:
            player = self.players[node]
            assert player is not None
            counts[player] += node > 0
            if not names[node]:
                names[node] = "root" if node == 0 else f"{_STEMS[player]}{counts[player]}"
                while names[node] in given_names:
                    names[node] += "_"
        return tuple(names)

    @cached_property
    def index(self) -> dict[str, int]:
        """The node of every name; a given name takes precedence over a leaf number."""
        index = {name: node for node, name in enumerate(self.names)}
        index.update((name, node) for node, name in enumerate(self.given) if name is not None)
        return index

    @cached_property
    def crossed_out(self) -> tuple[bool, ...]:
        """True for every node below a crossed-out branch."""
        is_crossed = list(self.crosses)
        for node in range(1, len(self)):
            is_crossed[node] = is_crossed[node] or is_crossed[self.parents[node]]
        return tuple(is_crossed)

    @cached_property
    def crossed_paths(self) -> tuple[int, ...]:
        """The numbers of the leaves below a crossed-out branch, ascending."""
        return tuple(path for path, leaf in enumerate(self.leaves, 1) if self.crossed_out[leaf])

    @cached_property
    def movers(self) -> frozenset[Player]:
        """All players who move in the tree."""
        return frozenset([player for player in {*self.players} if player is not None])

    @cached_property
    def has_chance(self) -> bool:
        """True if the tree has a chance node."""
        return Player.CHANCE in self.movers

    @cached_property
    def seats(self) -> int:
        """The length of the payoff vectors; 0 if payoffs are plain numbers."""
        if not any(issubclass(kind, tuple) for kind in self._payoff_types):
            return 0
        return next(len(payoff) for payoff in self.payoffs if isinstance(payoff, tuple))

    @cached_property
    def unknowns(self) -> tuple[int, ...]:
        """The leaves whose payoff is the name of an unknown number."""
        if not any(issubclass(kind, str) for kind in self._payoff_types):
            return ()
        return tuple(leaf for leaf in self.leaves if isinstance(self.payoffs[leaf], str))

    @cached_property
    def known_payoffs(self) -> tuple[Number | None, ...]:
        """The payoffs that are numbers; None at all other nodes."""
        known: list[Number | None] = [None] * len(self)
        for leaf in self.leaves:
            payoff = self.payoffs[leaf]
            if isinstance(payoff, int | Fraction):
                known[leaf] = payoff
        return tuple(known)

    @cached_property
    def _payoff_types(self) -> set[type]:
        """The types of payoffs in the tree; one pass over a million leaves."""
        return set(map(type, self.payoffs))

    def visiting(self, node: int, order: Order) -> tuple[int, ...]:
        """Return the children of a node in the order in which a search visits them."""
        return self.children[node] if order == "left-to-right" else self.children[node][::-1]

    def all_visiting(self, order: Order) -> tuple[tuple[int, ...], ...]:
        """Return the children of every node in the order in which a search visits them."""
        if order == "left-to-right":
            return self.children
        return tuple([children[::-1] for children in self.children])

    def subtree(self, node: int) -> "Tree":
        """Return the subtree of a node as a tree; its node `k` is node `node + k` of this tree."""
        nodes = slice(node, self.ends[node])
        return Tree(
            players=self.players[nodes],
            parents=(-1, *(parent - node for parent in self.parents[nodes][1:])),
            payoffs=self.payoffs[nodes],
            given=self.given[nodes],
            moves=(None, *self.moves[nodes][1:]),
            probabilities=(None, *self.probabilities[nodes][1:]),
            claims=self.claims[nodes],
            crosses=(False, *self.crosses[nodes][1:]),
            attributes=self.attributes[nodes],
            header=self.header,
            estimates=frozenset(leaf - node for leaf in self.estimates if node <= leaf < self.ends[node]),
        )

    def ancestors(self, node: int) -> Iterator[int]:
        """Yield the nodes above a node, its parent first, the root last."""
        while (node := self.parents[node]) >= 0:
            yield node

    def leaves_below(self, node: int) -> tuple[int, ...]:
        """Return the leaves of a subtree from left to right; the node itself if it is a leaf."""
        return tuple(below for below in range(node, self.ends[node]) if self.players[below] is None)

    def tops(self, chosen: Sequence[bool]) -> tuple[int, ...]:
        """Return the chosen nodes whose parents are not chosen, in preorder."""
        parents = self.parents
        return tuple(
            [node for node, is_in in enumerate(chosen) if is_in and (node == 0 or not chosen[parents[node]])]
        )

    def covering(self, paths: Set[int]) -> tuple[int, ...]:
        """Return the topmost nodes below the root with only leaves of these leaf numbers, in preorder."""
        is_covered = [path in paths for path in self.paths]
        for node in range(len(self) - 1, 0, -1):
            if self.children[node]:
                is_covered[node] = all(is_covered[child] for child in self.children[node])
        is_covered[:1] = [False] * len(is_covered[:1])
        return self.tops(is_covered)

    def rules(self, **options: Any) -> Rules:
        """Return the rules of the header, overridden by the options that are not None.

        Raises `grader.trees.rules.RulesError` if they contradict each other.
        """
        values = self.header.by_key | {name: option for name, option in options.items() if option is not None}
        return rules_from_keys(values)

    def bare(self) -> "Tree":
        """Return the tree without claims and crosses: the question without the marks of a solution."""
        if not any(self.crosses) and not any(self.claims):
            return self
        return self._with(_DERIVED_FROM_MARKS, claims=(None,) * len(self), crosses=(False,) * len(self))

    def as_asked(self) -> "Tree":
        """Return the tree as printed in a question: without claims, crosses, source and rules."""
        header = self.header
        header = Header(title=header.title, weights=header.weights, numbers=header.numbers)
        return self.bare().with_header(header)

    def with_header(self, header: Header) -> "Tree":
        """Return the tree with another header."""
        if header == self.header:
            return self
        return self._with(frozenset({"_hash"}), header=header)

    def with_payoffs(self, payoffs: tuple[Payoff, ...]) -> "Tree":
        """Return the tree with other payoffs, one for each leaf from left to right."""
        column: list[Payoff | None] = [None] * len(self)
        for leaf, payoff in zip(self.leaves, payoffs, strict=True):
            column[leaf] = payoff
        return self.with_column(tuple(column))

    def with_column(self, payoffs: tuple[Payoff | None, ...]) -> "Tree":
        """Return the tree with other payoffs, aligned with the nodes; None at internal nodes."""
        return self._with(_DERIVED_FROM_PAYOFFS, payoffs=payoffs)

    def with_players(self, players: tuple[Player | None, ...]) -> "Tree":
        """Return the tree with other players at its internal nodes."""
        return self._with(_DERIVED_FROM_PLAYERS, players=players)

    def _with(self, changed: frozenset[str], **columns: Any) -> "Tree":
        """Return the tree with other `columns`, keeping all derived columns except those in `changed`."""
        other = object.__new__(Tree)
        other.__dict__.update(self.__dict__)
        for name in changed:
            other.__dict__.pop(name, None)
        other.__dict__.update(columns)
        return other


class TreeError(ValueError):
    """A text or object is not a tree; the message is its diagnosis."""


def require_tree(candidate: object) -> Tree:
    """Return the argument if it is a tree; raise `TreeError` for diagnostics or any other object."""
    if not isinstance(candidate, Tree):
        raise TreeError(f"this is not a tree:\n{candidate}")
    return candidate


EMPTY = Tree((), (), (), (), (), (), (), (), ())
"""The tree of a question that needs none."""
