"""The game tree: one immutable record of flat preorder tuples, in which a node is its index."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, TypeAlias

from grader.base.numbers import Number
from grader.trees.rules import Order, Returns, Rules, Test, Ties, rules_from_keys

Vector: TypeAlias = tuple[Number, ...]
"""One number for each player, first player first."""

Value: TypeAlias = Number | Vector
"""What a node is worth: a number, or a vector in a game of several players."""

Payoff: TypeAlias = Number | Vector | str
"""What a leaf carries: a value, or the name of an unknown."""

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

    __hash__ = str.__hash__  # as every text has, and not by way of the name

    @property
    def seat(self) -> int | None:
        """The place of `P1` to `P9` in a payoff vector, counted from 0; None for the others."""
        return int(self[1]) - 1 if len(self) == 2 else None


_STEMS = {player: player.capitalize() if player.seat is None else f"{player}_" for player in Player}
"""How the names of nodes begin that nobody gave."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The value someone wrote at a node: `=3`, `<=2` or `>=5`."""

    relation: Literal["=", "<=", ">="]
    value: Value


@dataclass(frozen=True, slots=True)
class Attributes:
    """What `{eval=4, f=[2,-1], n=10, w=6, board="X.O/.X./..O"}` says of a node.

    A `board` is shown as one: rows parted by `/`, a sign for every square, or words with blanks between.
    """

    evaluation: Number | None = None
    features: tuple[Number, ...] | None = None
    visits: int | None = None
    wins: Number | None = None
    board: str | None = None

    @property
    def by_key(self) -> dict[str, Any]:
        """What is said, under the keys of the notation."""
        values = {
            "eval": self.evaluation,
            "f": self.features,
            "n": self.visits,
            "w": self.wins,
            "board": self.board,
        }
        return {key: value for key, value in values.items() if value is not None}


ATTRIBUTES = ("eval", "f", "n", "w", "board")
"""The keys of the attributes of a node in the notation."""


@dataclass(frozen=True, slots=True)
class Header:
    """The `@` lines of a tree file; None where the file says nothing."""

    title: str | None = None
    source: str | None = None
    order: Order | None = None
    ties: Ties | None = None
    test: Test | None = None
    returns: Returns | None = None
    bounds: tuple[Number, Number] | None = None
    depth: int | None = None
    weights: tuple[Number, ...] | None = None

    @property
    def by_key(self) -> dict[str, Any]:
        """What the lines say, by their names."""
        values = {
            "title": self.title,
            "source": self.source,
            "order": self.order,
            "ties": self.ties,
            "test": self.test,
            "returns": self.returns,
            "bounds": self.bounds,
            "depth": self.depth,
            "weights": self.weights,
        }
        return {name: value for name, value in values.items() if value is not None}


_OF_PAYOFFS = frozenset({"seats", "unknowns", "known_payoffs", "_kinds", "_hash"})
"""The derived columns that other payoffs change."""

_OF_PLAYERS = frozenset({"names", "index", "movers", "has_chance", "_hash"})
"""Those that other players change."""

_OF_MARKS = frozenset({"crossed_out", "crossed_paths", "_hash"})
"""Those that what someone drew on the tree changes."""


# No slots: the derived columns below are computed once, on first use, and kept with the record.
@dataclass(frozen=True)
class Tree:
    """A game tree as aligned tuples in preorder: node 0 is the root, a node is its index.

    - `players`: who moves; None at a leaf.
    - `parents`: index of the parent; -1 at the root.
    - `payoffs`: a leaf's payoff; None at an internal node.
    - `given`: the name the author gave; None where the reader names the node (see `names`).
    - `moves`: the label of the branch above the node, if it has one.
    - `probabilities`: of the branch above, below a chance node (uniform ones too); else None.
    - `claims`: the value someone wrote at the node.
    - `crosses`: whether the branch above the node was crossed out as pruned.
    - `attributes`: static evaluation, features and visit counts.
    - `estimates`: the leaves that stand for nodes at a depth limit; their payoff is a static evaluation.

    Trees are put together with `Planting`; the laws a tree keeps are checked in `grader.trees.notation.laws`.
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
    header: Header = Header()
    estimates: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.parents)

    def __hash__(self) -> int:
        return self._hash

    def __getstate__(self) -> dict[str, Any]:
        """All but the hash: that of a text is another one in every process."""
        return {name: column for name, column in self.__dict__.items() if name != "_hash"}

    @cached_property
    def _hash(self) -> int:
        """Worked out once, for what is remembered of a tree is looked up again and again."""
        return hash((self.parents, self.payoffs))

    @cached_property
    def _numbers(self) -> tuple[int, ...]:
        """0 to the number of nodes: in a large tree these take room, so all columns share them."""
        return tuple(range(len(self) + 1))

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The children of every node, from left to right; empty at a leaf."""
        below: defaultdict[int, list[int]] = defaultdict(list)
        for node, parent in zip(self._numbers, self.parents, strict=False):
            below[parent].append(node)
        children: list[tuple[int, ...]] = [()] * len(self)
        for parent, found in below.items():
            if parent >= 0:
                children[parent] = tuple(found)
        return tuple(children)

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """One past the last node of every subtree: the subtree of `node` is `range(node, ends[node])`."""
        ends = list(self._numbers[1:])
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
        """The leaves from left to right: the leaf with path number `k` is `leaves[k - 1]`."""
        players = zip(self._numbers, self.players, strict=False)
        return tuple([node for node, player in players if player is None])

    @cached_property
    def paths(self) -> tuple[int, ...]:
        """The path number of every leaf, counted from 1 at the left; 0 at an internal node."""
        paths = [0] * len(self)
        for path, leaf in zip(self._numbers[1:], self.leaves, strict=False):
            paths[leaf] = path
        return tuple(paths)

    @cached_property
    def internal(self) -> tuple[int, ...]:
        """The nodes at which somebody moves, in preorder."""
        players = zip(self._numbers, self.players, strict=False)
        return tuple([node for node, player in players if player is not None])

    @cached_property
    def breadth_first(self) -> tuple[int, ...]:
        """All nodes level by level, each level from the left."""
        return tuple(sorted(range(len(self)), key=self.depths.__getitem__))

    @cached_property
    def by_level(self) -> tuple[int, ...]:
        """The nodes at which somebody moves, level by level: the order in which people list them."""
        return tuple(sorted(self.internal, key=self.depths.__getitem__))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of every node: the one given, or else the one a reader of the tree would use.

        The root is `root`, internal nodes are `Max1`, `Min1`, `Chance1`, ... (`P2_1` in a game of
        several players), counted per player in breadth-first order, leaves have their path number.
        A name that is already given to another node gets underscores until it is free.
        """
        names = [name or str(path or "") for name, path in zip(self.given, self.paths, strict=True)]
        taken = {name for name in self.given if name is not None}
        counts: Counter[Player] = Counter()
        for node in self.by_level:
            player = self.players[node]
            assert player is not None
            counts[player] += node > 0
            if not names[node]:
                names[node] = "root" if node == 0 else f"{_STEMS[player]}{counts[player]}"
                while names[node] in taken:
                    names[node] += "_"
        return tuple(names)

    @cached_property
    def index(self) -> dict[str, int]:
        """The node of every name; a name given by the author wins over a leaf's path number."""
        index = {name: node for node, name in enumerate(self.names)}
        index.update((name, node) for node, name in enumerate(self.given) if name is not None)
        return index

    @cached_property
    def crossed_out(self) -> tuple[bool, ...]:
        """Whether every node lies under a cross: a cross over a branch means everything below it."""
        out = list(self.crosses)
        for node in range(1, len(self)):
            out[node] = out[node] or out[self.parents[node]]
        return tuple(out)

    @cached_property
    def crossed_paths(self) -> tuple[int, ...]:
        """The path numbers of the leaves that lie under a cross, ascending."""
        return tuple(path for path, leaf in enumerate(self.leaves, 1) if self.crossed_out[leaf])

    @cached_property
    def movers(self) -> frozenset[Player]:
        """Everybody who moves somewhere in the tree."""
        return frozenset([player for player in {*self.players} if player is not None])

    @cached_property
    def has_chance(self) -> bool:
        """Whether chance moves anywhere in the tree."""
        return Player.CHANCE in self.movers

    @cached_property
    def seats(self) -> int:
        """The number of players whose payoffs the leaf vectors hold; 0 when payoffs are plain numbers."""
        if not any(issubclass(kind, tuple) for kind in self._kinds):
            return 0
        return next(len(payoff) for payoff in self.payoffs if isinstance(payoff, tuple))

    @cached_property
    def unknowns(self) -> tuple[int, ...]:
        """The leaves whose payoff is a word that stands for an unknown number."""
        if not any(issubclass(kind, str) for kind in self._kinds):
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
    def _kinds(self) -> set[type]:
        """What kinds of payoffs there are: all of a million leaves are asked at once."""
        return set(map(type, self.payoffs))

    def visiting(self, node: int, order: Order) -> tuple[int, ...]:
        """The children of a node in the order in which a search visits them."""
        return self.children[node] if order == "left-to-right" else self.children[node][::-1]

    def all_visiting(self, order: Order) -> tuple[tuple[int, ...], ...]:
        """The same for all nodes, aligned with them."""
        if order == "left-to-right":
            return self.children
        return tuple([children[::-1] for children in self.children])

    def subtree(self, node: int) -> "Tree":
        """The tree below a node, as a tree of its own; node `k` of it is node `node + k` of this one."""
        part = slice(node, self.ends[node])
        return Tree(
            players=self.players[part],
            parents=(-1, *(parent - node for parent in self.parents[part][1:])),
            payoffs=self.payoffs[part],
            given=self.given[part],
            moves=(None, *self.moves[part][1:]),
            probabilities=(None, *self.probabilities[part][1:]),
            claims=self.claims[part],
            crosses=(False, *self.crosses[part][1:]),
            attributes=self.attributes[part],
            header=self.header,
            estimates=frozenset(leaf - node for leaf in self.estimates if node <= leaf < self.ends[node]),
        )

    def ancestors(self, node: int) -> Iterator[int]:
        """The nodes above a node, its parent first, the root last."""
        while (node := self.parents[node]) >= 0:
            yield node

    def leaves_below(self, node: int) -> tuple[int, ...]:
        """The leaves of a subtree from left to right; the node itself when it is a leaf."""
        return tuple(below for below in range(node, self.ends[node]) if self.players[below] is None)

    def tops(self, chosen: Sequence[bool]) -> tuple[int, ...]:
        """The nodes that are chosen and whose parents are not, in preorder."""
        above = self.parents
        return tuple(
            [node for node, is_in in enumerate(chosen) if is_in and (node == 0 or not chosen[above[node]])]
        )

    def covering(self, paths: Set[int]) -> tuple[int, ...]:
        """The topmost nodes below the root all of whose leaves have these path numbers, in preorder."""
        whole = [path in paths for path in self.paths]
        for node in range(len(self) - 1, 0, -1):
            if self.children[node]:
                whole[node] = all(whole[child] for child in self.children[node])
        whole[:1] = [False] * len(whole[:1])
        return self.tops(whole)

    def rules(self, **options: Any) -> Rules:
        """The rules its header sets, overridden by the options that are not None.

        Raises `grader.trees.rules.RulesError` when they do not go together.
        """
        said = self.header.by_key | {name: option for name, option in options.items() if option is not None}
        return rules_from_keys(said)

    def bare(self) -> "Tree":
        """The same tree without claims and crosses: the question without what someone drew on it."""
        if not any(self.crosses) and not any(self.claims):
            return self
        return self._with(_OF_MARKS, claims=(None,) * len(self), crosses=(False,) * len(self))

    def as_asked(self) -> "Tree":
        """The same tree as a question has it: what it says of its rules and its source is no part of it."""
        return self.bare().with_header(Header(title=self.header.title, weights=self.header.weights))

    def with_header(self, header: Header) -> "Tree":
        """The same tree below other `@` lines."""
        if header == self.header:
            return self
        return self._with(frozenset({"_hash"}), header=header)

    def with_payoffs(self, payoffs: tuple[Payoff, ...]) -> "Tree":
        """The same tree with other payoffs, one for each leaf from left to right."""
        column: list[Payoff | None] = [None] * len(self)
        for leaf, payoff in zip(self.leaves, payoffs, strict=True):
            column[leaf] = payoff
        return self.with_column(tuple(column))

    def with_column(self, payoffs: tuple[Payoff | None, ...]) -> "Tree":
        """The same tree with other payoffs, aligned with the nodes; None at inner nodes."""
        return self._with(_OF_PAYOFFS, payoffs=payoffs)

    def with_players(self, players: tuple[Player | None, ...]) -> "Tree":
        """The same tree with others moving at its inner nodes."""
        return self._with(_OF_PLAYERS, players=players)

    def _with(self, changed: frozenset[str], **columns: Any) -> "Tree":
        """A tree of the same shape with some other columns, and with what was derived but for these."""
        other = object.__new__(Tree)
        other.__dict__.update(self.__dict__)
        for name in changed:
            other.__dict__.pop(name, None)
        other.__dict__.update(columns)
        return other


class TreeError(ValueError):
    """There is no tree; the message says what is there instead, such as everything wrong with a text."""


def require_tree(found: object) -> Tree:
    """What was found, when it is a tree; raises `TreeError` for a diagnosis, or whatever else it is."""
    if not isinstance(found, Tree):
        raise TreeError(f"this is no tree:\n{found}")
    return found


EMPTY = Tree((), (), (), (), (), (), (), (), ())
"""No tree: what a question asks about that does without one."""
