"""The mistakes that a program may make, each in the several ways in which programs code it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Literal, TypeAlias

from grader.base.numbers import INFINITY, Bound, Number
from grader.solvers.expectiminimax import expectation, probability
from grader.solvers.mistaken_search import MISCONCEPTIONS, Mistake
from grader.trees.rules import Order
from grader.trees.tree import Player, Tree

CutTest: TypeAlias = Literal["best", "child", "window", "head"]
"""The value that is compared with the bound: the best value so far or that of the child, both before the
window is updated, or the updated end of the window; `head` compares the latter before every child."""

BOTH = frozenset({Player.MAX, Player.MIN})
WITHOUT_MISTAKE = Mistake()
WITHOUT_CUTS = Mistake(cuts_at=frozenset())


@dataclass(frozen=True, slots=True)
class Coding:
    """One way to code alpha-beta search, right or with a mistake.

    - `name`: the mistake.
    - `cut_test`: the value that is compared with the bound.
    - `is_hard`: values are clamped to the window.
    - `ties_cut`: the players at whose nodes equality is enough to prune.
    - `discards_extra`: the values of children that are visited after a cutoff are thrown away.
    - `keeps_first_window`: the window stays as it is after a cutoff, and a node's own bound is the one that
      it was entered with.
    - `first_outcome_only`: a chance node visits only an outcome that is certain.
    """

    name: str
    mistake: Mistake = WITHOUT_MISTAKE
    cut_test: CutTest = "best"
    is_hard: bool = False
    ties_cut: frozenset[Player] = BOTH
    discards_extra: bool = False
    keeps_first_window: bool = False
    first_outcome_only: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a search: the root's value, the moves that have it, and the visited leaves in order."""

    value: Bound
    moves: frozenset[int]
    visits: tuple[int, ...]


_VALUE_MISTAKES = ("players-swapped", "ignores-opponent", "sign-overlooked", "second-best")
_CHANCE_MISTAKES = ("most-likely",)
_PRUNING_MISTAKES = (
    "never-prunes",
    "shallow-only",
    "only-at-min",
    "only-at-max",
    "leaves-only",
    "latest-not-best",
    "latest-in-window",
    "one-sibling-only",
    "root-alpha-forgotten",
    "own-bound",
    "one-late",
    "stops-at-tie",
)
_TIES = (BOTH, frozenset[Player](), frozenset({Player.MAX}), frozenset({Player.MIN}))


@cache
def mistaken_codings(algorithm: str) -> tuple[Coding, ...]:
    """Return every coding of every mistake of an algorithm, except those about ties alone."""
    return tuple(_codings(algorithm))


def _codings(algorithm: str) -> Iterator[Coding]:
    names = (*_VALUE_MISTAKES, *(_CHANCE_MISTAKES if algorithm == "expectimax" else ()))
    for name in names:
        yield Coding(name, WITHOUT_CUTS)
        if algorithm == "expectimax":
            yield Coding(name, WITHOUT_CUTS, first_outcome_only=True)
    if algorithm == "expectimax":
        return
    for name, ties, is_hard in product((*_VALUE_MISTAKES, "right-to-left"), _TIES, (False, True)):
        yield Coding(name, is_hard=is_hard, ties_cut=ties)
    for name in _PRUNING_MISTAKES if algorithm == "alpha-beta" else ("stops-at-tie",):
        mistake = MISCONCEPTIONS[name].mistake
        tests: tuple[CutTest, ...] = ("best", "child", "window", "head")
        for cut_test, is_hard, ties in product(tests, (False, True), _TIES):
            if name == "own-bound" and (cut_test == "head" or (cut_test == "window" and ties != BOTH)):
                continue  # a value is never below the bound that it has set: this prunes nothing
            coding = Coding(name, mistake, cut_test, is_hard, ties)
            yield coding
            if name in ("leaves-only", "one-sibling-only", "one-late", "own-bound"):
                yield replace(coding, keeps_first_window=True)
            if name == "one-late":
                yield replace(coding, discards_extra=True)
            if name == "stops-at-tie":
                yield replace(coding, mistake=replace(mistake, cuts_at=frozenset()))


@cache
def coded_search(tree: Tree, coding: Coding) -> Outcome:
    """Return the result of a coding on a tree of MAX, MIN and chance nodes with known payoffs."""
    misconception = MISCONCEPTIONS.get(coding.name)
    read = tree if misconception is None else misconception.misread_tree(tree)
    if coding.name == "ignores-opponent":  # as if the player at the root moved everywhere
        read = tree.with_players(tuple(player and tree.players[0] for player in tree.players))
    return Search(read, coding).outcome()


class Search:
    """One search of one tree by one coding; `below` has the children of every node in visiting order."""

    def __init__(self, tree: Tree, coding: Coding, below: tuple[tuple[int, ...], ...] | None = None) -> None:
        self.tree, self.coding, self.mistake = tree, coding, coding.mistake
        order: Order = "right-to-left" if coding.name == "right-to-left" else "left-to-right"
        self.below = tree.all_visiting(order) if below is None else below
        self.visits = list[int]()
        self.at_root = dict[int, Bound]()

    def outcome(self) -> Outcome:
        """Search the tree and return the result."""
        value = self.search(0, -INFINITY, INFINITY)
        choose = max if self.tree.players[0] is Player.MAX else min
        best = choose(self.at_root.values())
        moves = frozenset(child for child, returned in self.at_root.items() if returned == best)
        return Outcome(value, moves, tuple(self.visits))

    def search(self, node: int, alpha: Bound, beta: Bound) -> Bound:
        """Return the value that a node returns to its parent."""
        player = self.tree.players[node]
        if player is None:
            self.visits.append(node)
            payoff = self.tree.payoffs[node]
            assert isinstance(payoff, int | Fraction)
            return payoff
        if player is Player.CHANCE:
            return self.chance_value(node)
        return self.player_value(node, alpha, beta)

    def chance_value(self, node: int) -> Number:
        """Return the expectation at a chance node, whose outcomes are searched with the widest window."""
        children = self.below[node]
        if self.coding.first_outcome_only:
            children = tuple(child for child in children if probability(self.tree, child)) or children
        values = [self.search(child, -INFINITY, INFINITY) for child in children]
        numbers = [value for value in values if isinstance(value, int | Fraction)]
        return expectation([probability(self.tree, child) for child in children], numbers)

    def player_value(self, node: int, alpha: Bound, beta: Bound) -> Bound:
        """Return the value of a MAX or MIN node; a MIN node is searched as the mirror image of a MAX node."""
        mistake, coding = self.mistake, self.coding
        player = self.tree.players[node]
        sign = 1 if player is Player.MAX else -1
        # From here on the player maximises: `low` is the own bound, `high` the other player's.
        low, high = (alpha, beta) if sign == 1 else (-beta, -alpha)
        own, passed = low, low if mistake.inherits_bounds else -INFINITY
        passed_high = high if mistake.inherits_bounds else INFINITY
        narrows = node != 0 or not mistake.resets_at_root
        best: Bound = -INFINITY
        since_cut: int | None = None
        for child in self.below[node]:
            if coding.cut_test == "head" and since_cut is None:
                since_cut = 0 if self.is_cut(player, own, (low, own, own), high) else None
            if since_cut is not None:
                since_cut += 1
                place = since_cut - 1
                is_crossed = place >= mistake.extra_visits and (
                    mistake.crosses_all or place == mistake.extra_visits
                )
                if is_crossed and (mistake.crosses_subtrees or self.tree.players[child] is None):
                    continue
            window = (passed, passed_high) if sign == 1 else (-passed_high, -passed)
            value = sign * self.search(child, *window)
            if since_cut is not None and coding.discards_extra:
                continue
            if node == 0:
                self.at_root[child] = sign * value
            is_tie, best, before = value == best, max(best, value), own
            if since_cut is not None and coding.keeps_first_window:
                continue
            if mistake.uses_latest_value:
                own = max(low, value) if mistake.clamps_latest_value else value
                moved = own
            else:
                own, moved = max(own, value), max(passed, value)
            passed_before, passed = passed, moved if narrows else passed
            if since_cut is None:
                tested = {"best": best, "child": value, "window": own, "head": -INFINITY}[coding.cut_test]
                is_cut = coding.cut_test != "head" and self.is_cut(player, tested, (low, before, own), high)
                if is_cut or (mistake.stops_at_ties and is_tie):
                    since_cut = 0
                    passed = passed_before if coding.keeps_first_window else passed
        if coding.is_hard:
            best = min(high, own if mistake.uses_latest_value else max(low, best))
        return sign * best

    def is_cut(
        self, player: Player | None, tested: Bound, owns: tuple[Bound, Bound, Bound], high: Bound
    ) -> bool:
        """Return whether a value closes the node, seen from a player who maximises."""
        if player not in self.mistake.cuts_at:
            return False
        ties = player in self.coding.ties_cut
        if self.mistake.cuts_at_own_bound:
            low, before, own = owns
            bound = own if self.coding.cut_test == "window" else before
            bound = low if self.coding.keeps_first_window else bound
            return tested <= bound if ties else tested < bound
        return tested >= high if ties else tested > high
