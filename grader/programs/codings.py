"""The mistakes that a program may make, each in the several ways in which programs code it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Literal, TypeAlias

from grader.solvers.maxn_mistakes import MISTAKEN_CHOICES
from grader.solvers.mistaken_search import MISCONCEPTIONS, Mistake
from grader.trees.tree import Player

CutTest: TypeAlias = Literal["best", "child", "window", "head"]
"""The value that is compared with the bound: the best value so far or that of the child, both before the
window is updated, or the updated end of the window; `head` compares the latter before every child."""

OwnBound: TypeAlias = Literal["kept", "overwritten", "dropped"]
"""The fate of the bound of a node's own player: its best value replaces it, or it is infinite at first."""

MoveRule: TypeAlias = Literal["root", "latest", "deepest"]
"""Whose move is returned: the root's, the one found last at any node, or the last one of the best line."""

Cache: TypeAlias = Literal["off", "nodes", "leaves"]
"""Whether values are stored and found again by the content of a node: of internal nodes, or of leaves too."""

ChanceValue: TypeAlias = Literal["mean", "sum", "divided", "worst"]
"""The value of a chance node: its mean, the sum without weights, the mean divided by the number of outcomes,
or the smallest value."""

MAX_AND_MIN = frozenset({Player.MAX, Player.MIN})
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
    - `chance_value`: the value of a chance node.
    - `at`: the players at whose nodes the mistake is made, if not at all.
    - `own_bound`, `move_rule`, `cache`: as their types say; `caches_players`: together with whose turn it is.
    - `negated_for`: the player at whose turn a payoff changes its sign.
    """

    name: str
    mistake: Mistake = WITHOUT_MISTAKE
    cut_test: CutTest = "best"
    is_hard: bool = False
    ties_cut: frozenset[Player] = MAX_AND_MIN
    discards_extra: bool = False
    keeps_first_window: bool = False
    first_outcome_only: bool = False
    chance_value: ChanceValue = "mean"
    at: frozenset[Player] = MAX_AND_MIN
    own_bound: OwnBound = "kept"
    move_rule: MoveRule = "root"
    cache: Cache = "off"
    caches_players: bool = True
    negated_for: Player | None = None


_VALUE_MISTAKES = (
    "players-swapped",
    "ignores-opponent",
    "sign-overlooked",
    "second-best",
    "same-player-below-root",
)
_CHANCE_MISTAKES = ("most-likely", "plain-average")
_CHANCE_VALUES: dict[str, ChanceValue] = {
    "outcomes-summed": "sum",
    "divided-expectation": "divided",
    "worst-outcome": "worst",
}
_CHANCE_WINDOW_MISTAKES = ("window-through-chance", "no-chance-cuts")
PRUNING_MISTAKES = (
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
    "inherited-bound-lost",
)
"""The mistakes that show in the visited leaves."""

MOVE_MISTAKES = ("deeper-move", "false-tie")
"""The mistakes that show in the move alone."""

_ONE_PLAYER = (frozenset({Player.MAX}), frozenset({Player.MIN}))
_TIES = (MAX_AND_MIN, frozenset[Player](), *_ONE_PLAYER)
_TESTS: tuple[CutTest, ...] = ("best", "child", "window", "head")


@cache
def mistaken_codings(algorithm: str, has_chance: bool) -> tuple[Coding, ...]:
    """Return every coding of every mistake of an algorithm, except those about ties alone."""
    if algorithm == "max^n":
        return tuple(Coding(name, WITHOUT_CUTS) for name in MISTAKEN_CHOICES)
    if algorithm == "expectimax" or has_chance:
        return tuple(_chance_codings(with_cuts=algorithm == "alpha-beta"))
    return tuple(_codings(algorithm))


def _chance_codings(*, with_cuts: bool) -> Iterator[Coding]:
    """Yield the codings for trees with chance nodes."""
    for name in (*_VALUE_MISTAKES, *_CHANCE_MISTAKES):
        yield Coding(name, WITHOUT_CUTS)
        yield Coding(name, WITHOUT_CUTS, first_outcome_only=True)
    for name, value in _CHANCE_VALUES.items():
        yield Coding(name, WITHOUT_CUTS, chance_value=value)
    for player in sorted(MAX_AND_MIN):
        yield Coding("evaluates-for-mover", WITHOUT_CUTS, negated_for=player)
    if not with_cuts:
        return
    names = (
        *PRUNING_MISTAKES,
        *_CHANCE_WINDOW_MISTAKES,
        *_VALUE_MISTAKES,
        *_CHANCE_MISTAKES,
        "right-to-left",
        "false-tie",
    )
    for name in names:
        if name == "inherited-bound-lost":
            continue  # `grader.solvers.mistaken_search` does not have it
        mistake = MISCONCEPTIONS[name].mistake if name in MISCONCEPTIONS else WITHOUT_MISTAKE
        yield Coding(name, mistake)
        yield Coding(name, mistake, is_hard=True)
        yield Coding(name, mistake, ties_cut=frozenset())


def _codings(algorithm: str) -> Iterator[Coding]:
    """Yield the codings for trees of MAX and MIN."""
    for name in _VALUE_MISTAKES:
        yield Coding(name, WITHOUT_CUTS)
    for player in sorted(MAX_AND_MIN):
        yield Coding("evaluates-for-mover", WITHOUT_CUTS, negated_for=player)
    yield from _move_codings(Coding("deeper-move", WITHOUT_CUTS))
    for ties, is_hard in product(_TIES, (False, True)):
        right = Coding("", is_hard=is_hard, ties_cut=ties)
        for name in (*_VALUE_MISTAKES, "right-to-left", "false-tie"):
            yield replace(right, name=name)
        for player in sorted(MAX_AND_MIN):
            yield replace(right, name="evaluates-for-mover", negated_for=player)
        yield from _move_codings(replace(right, name="deeper-move"))
        caches: tuple[Cache, ...] = ("nodes", "leaves")
        for stored, with_players in product(caches, (True, False)):
            yield replace(right, name="cached-bound", cache=stored, caches_players=with_players)
    for name in PRUNING_MISTAKES if algorithm == "alpha-beta" else ("stops-at-tie",):
        mistake = MISCONCEPTIONS[name].mistake if name in MISCONCEPTIONS else WITHOUT_MISTAKE
        for cut_test, is_hard, ties in product(_TESTS, (False, True), _TIES):
            if name == "own-bound" and (cut_test == "head" or (cut_test == "window" and ties != MAX_AND_MIN)):
                continue  # a value is never below the bound that it has set: this prunes nothing
            coding = Coding(name, mistake, cut_test, is_hard, ties)
            if name == "inherited-bound-lost":
                yield replace(coding, own_bound="overwritten")
                for at in _ONE_PLAYER:  # dropped at the nodes of both, it is `shallow-only`
                    yield replace(coding, own_bound="overwritten", at=at)
                    yield replace(coding, own_bound="dropped", at=at)
                continue
            yield coding
            if name in ("leaves-only", "one-sibling-only", "one-late", "own-bound"):
                yield replace(coding, keeps_first_window=True)
            if name == "one-late":
                yield replace(coding, discards_extra=True)
            if name == "stops-at-tie":
                yield replace(coding, mistake=replace(mistake, cuts_at=frozenset()))


def _move_codings(coding: Coding) -> Iterator[Coding]:
    """Yield the ways in which the move of another node takes the place of the root's."""
    yield replace(coding, move_rule="latest")
    yield replace(coding, move_rule="latest", at=frozenset({Player.MAX}))
    yield replace(coding, move_rule="deepest")
