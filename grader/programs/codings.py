"""The mistakes that a program may make, each in the several ways in which programs code it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Literal, TypeAlias

from grader.base.numbers import INFINITY, Bound
from grader.solvers.maxn_mistakes import MISTAKEN_CHOICES
from grader.solvers.mistaken_search import MISCONCEPTIONS, PRUNING_BELIEFS, Mistake
from grader.trees.tree import Player

CutTest: TypeAlias = Literal["best", "child", "window", "head"]
"""The value that is compared with the bound: the best value so far or that of the child, both before the
window is updated, or the updated end of the window; `head` compares the latter before every child."""

OwnBound: TypeAlias = Literal["kept", "overwritten", "dropped", "shared"]
"""The fate of the bound of a node's own player: its best value replaces it, it is infinite at first, or alpha
and beta are variables that all nodes share and none restores."""

PassedWindow: TypeAlias = Literal[
    "right", "swapped", "no-signs", "no-sign-of-alpha", "no-sign-of-beta", "unchanged"
]
"""How children get the window: right, with its ends swapped, or as in negamax with a sign left out.

`unchanged`: children get the own bound of the node as their own, and the other bound as the other."""

LostNegation: TypeAlias = Literal["no", "values", "payoffs"]
"""Whether negamax forgets to negate the values of children; `payoffs`: payoffs are those of MAX too."""

MoveRule: TypeAlias = Literal["root", "latest", "deepest"]
"""Whose move is returned: the root's, the one found last at any node, or the last one of the best line."""

Cache: TypeAlias = Literal["off", "nodes", "leaves"]
"""Whether values are stored and found again by the content of a node: of internal nodes, or of leaves too."""

ChanceValue: TypeAlias = Literal["mean", "sum", "divided", "worst", "best"]
"""The value of a chance node: its mean, the sum without weights, the mean divided by the number of outcomes,
or the smallest or largest value."""

DepthOnly: TypeAlias = Literal["no", "plies", "rounds", "endless"]
"""Whether only the depth limit ends the search, and the limit of a whole tree: its plies, the same rounded up
to whole rounds, or none. A leaf above the limit has no children, and no value comes back from it."""

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
    - `negated_for`: the player at whose turn a payoff changes its sign; `lost_negation`: as its type says.
    - `first_best`: the best value before any child is searched, seen from a player who maximises;
      `updates_by_value`: then the window is updated by the value of a child, not by the best value.
    - `first_window`: alpha and beta of the root; `passed_window`: as its type says.
    - `is_reversed`: the comparison of the cutoff test is turned round.
    - `first_child_only`: a node returns after its first child; `returns_latest`: it returns the value of its
      latest child; `loses_cutoff`: the value that causes a cutoff is not among those that it returns.
    - `depth_only`: as its type says.
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
    lost_negation: LostNegation = "no"
    first_best: Bound = -INFINITY
    updates_by_value: bool = False
    first_window: tuple[Bound, Bound] = (-INFINITY, INFINITY)
    passed_window: PassedWindow = "right"
    is_reversed: bool = False
    first_child_only: bool = False
    returns_latest: bool = False
    loses_cutoff: bool = False
    depth_only: DepthOnly = "no"


_VALUE_MISTAKES = (
    "players-swapped",
    "ignores-opponent",
    "sign-overlooked",
    "second-best",
    "same-player-below-root",
    "min-after-min",
    "payoffs-negated",
)
_CHANCE_MISTAKES = ("most-likely", "plain-average")
_CHANCE_VALUES: dict[str, ChanceValue] = {
    "outcomes-summed": "sum",
    "divided-expectation": "divided",
    "worst-outcome": "worst",
    "best-outcome": "best",
}
_CHANCE_WINDOW_MISTAKES = ("window-through-chance", "no-chance-cuts")
PRUNING_MISTAKES = (
    "never-prunes",
    *PRUNING_BELIEFS,
    "inherited-bound-lost",
    "window-start",
    "window-swapped",
    "window-shared",
    "reversed-test",
)
"""The mistakes that show in the visited leaves."""

_ONLY_IN_PROGRAMS = tuple(name for name in PRUNING_MISTAKES if name not in MISCONCEPTIONS)
"""Those that `grader.solvers.mistaken_search` does not have."""

MOVE_MISTAKES = ("deeper-move", "false-tie")
"""The mistakes that show in the move alone."""

_ONE_PLAYER = (frozenset({Player.MAX}), frozenset({Player.MIN}))
_TIES = (MAX_AND_MIN, frozenset[Player](), *_ONE_PLAYER)
_LIMITS: tuple[DepthOnly, ...] = ("plies", "rounds", "endless")
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
    """Yield the codings for trees with chance nodes; `with_cuts` adds those of searches that prune."""
    for name in (*_VALUE_MISTAKES, *_CHANCE_MISTAKES):
        yield Coding(name, WITHOUT_CUTS)
        yield Coding(name, WITHOUT_CUTS, first_outcome_only=True)
    for name, value in _CHANCE_VALUES.items():
        yield Coding(name, WITHOUT_CUTS, chance_value=value)
    for player in sorted(MAX_AND_MIN):
        yield Coding("evaluates-for-mover", WITHOUT_CUTS, negated_for=player)
    yield from _loop_codings(Coding("", WITHOUT_CUTS))
    yield from (Coding("no-leaf-test", WITHOUT_CUTS, depth_only=limit) for limit in _LIMITS)
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
        if name in _ONLY_IN_PROGRAMS:
            continue
        mistake = MISCONCEPTIONS[name].mistake if name in MISCONCEPTIONS else WITHOUT_MISTAKE
        yield Coding(name, mistake)
        yield Coding(name, mistake, is_hard=True)
        yield Coding(name, mistake, ties_cut=frozenset())


def _codings(algorithm: str) -> Iterator[Coding]:
    """Yield the codings for trees of MAX and MIN."""
    yield from _codings_of_any_search(Coding("", WITHOUT_CUTS))
    caches: tuple[Cache, ...] = ("nodes", "leaves")
    for ties, is_hard in product(_TIES, (False, True)):
        right = Coding("", is_hard=is_hard, ties_cut=ties)
        yield from _codings_of_any_search(right)
        for name in ("right-to-left", "false-tie"):
            yield replace(right, name=name)
        for stored, with_players in product(caches, (True, False)):
            yield replace(right, name="cached-bound", cache=stored, caches_players=with_players)
    if algorithm == "alpha-beta":
        for test, is_hard, ties in product(_TESTS, (False, True), _TIES):
            yield from _window_codings(Coding("", WITHOUT_MISTAKE, test, is_hard, ties))
    known = tuple(name for name in PRUNING_MISTAKES if name not in _ONLY_IN_PROGRAMS)
    for name in known if algorithm == "alpha-beta" else ("stops-at-tie",):
        mistake = MISCONCEPTIONS[name].mistake
        for cut_test, is_hard, ties in product(_TESTS, (False, True), _TIES):
            if name == "own-bound" and cut_test in ("head", "window"):
                continue  # a value is never below the bound that it has set: this prunes nothing
            coding = Coding(name, mistake, cut_test, is_hard, ties)
            yield coding
            if name in ("leaves-only", "one-sibling-only", "one-late", "own-bound"):
                yield replace(coding, keeps_first_window=True)
            if name == "one-late":
                yield replace(coding, discards_extra=True)
            if name == "stops-at-tie":
                yield replace(coding, mistake=replace(mistake, cuts_at=frozenset()))


def _codings_of_any_search(right: Coding) -> Iterator[Coding]:
    """Yield the codings of mistakes that change values and moves, in a search that has no other mistake."""
    for name in _VALUE_MISTAKES:
        yield replace(right, name=name)
    for player in sorted(MAX_AND_MIN):
        yield replace(right, name="evaluates-for-mover", negated_for=player)
    negations: tuple[LostNegation, ...] = ("values", "payoffs")
    windows: tuple[PassedWindow, ...] = ("right", "unchanged")
    for lost, passed in product(negations, windows if right.mistake.cuts_at else windows[:1]):
        yield replace(right, name="not-negated", lost_negation=lost, passed_window=passed)
    yield from _move_codings(replace(right, name="deeper-move"))
    yield from _loop_codings(right)
    yield from (replace(right, name="no-leaf-test", depth_only=limit) for limit in _LIMITS)


def _loop_codings(right: Coding) -> Iterator[Coding]:
    """Yield the codings of mistakes at the beginning and the end of the loop over children."""
    tests = _TESTS if right.mistake.cuts_at else _TESTS[:1]
    for at in (MAX_AND_MIN, *_ONE_PLAYER):
        for test, by_value in product(tests, (False, True)):
            start = replace(right, name="best-start", first_best=0, at=at, cut_test=test)
            yield replace(start, updates_by_value=by_value)
            yield replace(start, name="infinity-returned", first_best=INFINITY, updates_by_value=by_value)
        for test in tests:
            yield replace(right, name="returns-latest", returns_latest=True, at=at, cut_test=test)
        if not right.mistake.cuts_at:  # without a second child there is nothing to prune
            yield replace(right, name="first-child-only", first_child_only=True, at=at)


def _window_codings(right: Coding) -> Iterator[Coding]:
    """Yield the codings of mistakes with alpha and beta that no answer to a question shows."""
    lost = replace(right, name="inherited-bound-lost")
    swapped = replace(right, name="window-swapped")
    yield replace(lost, own_bound="overwritten")
    for at in _ONE_PLAYER:  # dropped at the nodes of both, it is `shallow-only`
        yield replace(lost, own_bound="overwritten", at=at)
        yield replace(lost, own_bound="dropped", at=at)
    for at in (MAX_AND_MIN, *_ONE_PLAYER):
        yield replace(right, name="reversed-test", is_reversed=True, at=at)
        yield replace(swapped, passed_window="swapped", at=at)
        if right.cut_test == "child":
            yield replace(right, name="cutoff-lost", loses_cutoff=True, at=at)
    missing_signs: tuple[PassedWindow, ...] = (
        "no-signs",
        "no-sign-of-alpha",
        "no-sign-of-beta",
        "unchanged",
    )
    for passed in missing_signs:
        yield replace(swapped, passed_window=passed)
    for window in ((0, INFINITY), (-INFINITY, 0), (0, 0), (INFINITY, -INFINITY)):
        yield replace(right, name="window-start", first_window=window)
    yield replace(right, name="window-shared", own_bound="shared")


def _move_codings(coding: Coding) -> Iterator[Coding]:
    """Yield the ways in which the move of another node takes the place of the root's."""
    yield replace(coding, move_rule="latest")
    yield replace(coding, move_rule="latest", at=frozenset({Player.MAX}))
    yield replace(coding, move_rule="deepest")
