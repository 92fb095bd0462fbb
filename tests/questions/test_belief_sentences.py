"""The sentence of a misconception is true of its answer: what it says is done again in a second way."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from grader.answers.form import Terms
from grader.answers.numeral import Numeral
from grader.base.numbers import normalize_number
from grader.exercises.exercise import Exercise
from grader.generation.grower import grow_many
from grader.generation.recipe_file import default_recipe
from grader.generation.selection import ExhaustedError
from grader.questions import kind_by_code
from grader.questions.board_position.boards import board_of, two_ply_tree
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.kind import AnyKind
from grader.questions.value_answers import root_moves, value_table
from grader.solvers.expectiminimax import expectiminimax
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree
from tests.questions.planted_search import PLANTED, visited_nodes
from tests.questions.test_conformance import each_kind

FEW, MANY = 2, 200
"""How many exercises of an ask are tried in the suite, and in the campaign."""

Way = Callable[[AnyKind, Case], Any]
"""Does what a sentence says, and returns the answer; None if there is none."""


def _in_tree(change: Callable[[Tree], Tree]) -> Way:
    """The correct answer in another tree."""
    return lambda kind, case: _again(kind, replace(case, tree=change(case.tree)))


def _by_rules(change: Callable[[Rules], Rules]) -> Way:
    """The correct answer by other rules."""
    return lambda kind, case: _again(kind, replace(case, rules=change(case.rules)))


def _again(kind: AnyKind, case: Case) -> Any:
    """The correct answer by the second way; None where there is no such question."""
    return kind.independent_key(case) if kind.objection(case) is None else None


def _players(mapping: dict[Player, Player]) -> Callable[[Tree], Tree]:
    """Return a function that gives the nodes of some players to others."""
    return lambda tree: tree.with_players(
        tuple(None if player is None else mapping.get(player, player) for player in tree.players)
    )


SWAPPED = _players({Player.MAX: Player.MIN, Player.MIN: Player.MAX})
FOR_MAX = _players({Player.MIN: Player.MAX})


def _without_signs(tree: Tree) -> Tree:
    return tree.with_payoffs(tuple(abs(tree.payoffs[leaf]) for leaf in tree.leaves))  # type: ignore[arg-type]


def _evenly(tree: Tree) -> Tree:
    """Make all outcomes of each chance node equally likely."""
    return replace(
        tree,
        probabilities=tuple(
            None if share is None else Fraction(1, len(tree.children[tree.parents[node]]))
            for node, share in enumerate(tree.probabilities)
        ),
    )


def _likeliest(tree: Tree) -> Tree:
    """Give the most likely outcome of each chance node (the first of several) the probability 1."""
    shares = list(tree.probabilities)
    for node in tree.internal:
        if tree.players[node] is Player.CHANCE:
            outcomes = tree.children[node]
            chosen = max(outcomes, key=lambda child: Fraction(shares[child] or 0))
            for child in outcomes:
                shares[child] = int(child == chosen)
    return replace(tree, probabilities=tuple(shares))


def _pruned_leaves(tree: Tree, visited: list[int]) -> frozenset[int]:
    return frozenset(tree.paths[leaf] for leaf in tree.leaves if leaf not in visited)


def _pruned_branches(tree: Tree, visited: list[int]) -> frozenset[int]:
    return frozenset(
        node for node in range(1, len(tree)) if node not in visited and tree.parents[node] in visited
    )


def _visited_leaves(tree: Tree, visited: list[int]) -> tuple[int, ...]:
    return tuple(tree.paths[node] for node in visited if not tree.children[node])


VISITS: dict[str, Callable[[Tree, list[int]], Any]] = {
    "pruned-paths": _pruned_leaves,
    "pruned-branches": _pruned_branches,
    "visiting-order": _visited_leaves,
    "visited-count": lambda tree, visited: Numeral(len(_visited_leaves(tree, visited))),
}
"""What the kinds about a search ask, given the nodes in the order in which they were visited."""


def _planted(answer: Callable[[Tree, list[int]], Any], mistake: str) -> Way:
    """What another search visits that makes this mistake."""
    return lambda _kind, case: answer(case.tree, visited_nodes(case.tree, case.rules, mistake))


def _play_out(case: Case, of_max: Callable[..., int], of_min: Callable[..., int]) -> tuple[int, list[int]]:
    """Play a board game to its end if the players choose like this: its result, and that of each move."""
    board = board_of(case.given)
    choices = {Player.MAX: of_max, Player.MIN: of_min}

    @cache
    def result(position: Any) -> int:
        utility: int | None = board.game.utility(position)
        if utility is not None:
            return utility
        return choices[board.game.mover(position)](result(after) for _, after in board.game.moves(position))

    return result(board.position), [result(after) for _, after in board.game.moves(board.position)]


def _swapped_moves(_kind: AnyKind, case: Case) -> frozenset[int]:
    """The best moves on a board where MAX minimizes and MIN maximizes."""
    best, results = _play_out(case, min, max)
    return frozenset(place for place, result in enumerate(results) if result == best)


def _swapped_values(_kind: AnyKind, case: Case) -> Any:
    """The values of two plies on a board where MAX minimizes and MIN maximizes."""
    tree = two_ply_tree(board_of(case.given))
    return value_table(replace(case, tree=tree), expectiminimax(SWAPPED(tree)))


def _swapped_strategy(kind: AnyKind, case: Case) -> Any:
    """The strategy itself if it is optimal where all payoffs have the opposite sign, else None."""
    answer = kind.beliefs["players-swapped"](case)
    tree = case.tree.with_payoffs(tuple(-case.tree.payoffs[leaf] for leaf in case.tree.leaves))  # type: ignore[operator]
    is_optimal = kind_by_code("strategy.optimal").accepts
    assert is_optimal is not None
    return answer if is_optimal(replace(case, tree=tree), answer, Terms()) else None


def _other_end(kind: AnyKind, case: Case) -> Any:
    """The end of the set of the swapped game, which is open where that of the real game is not."""
    end = {"smallest": "largest", "largest": "smallest"}[case.given["end"]]
    given = Given({**case.given, "end": end})
    return _again(kind, replace(case, tree=SWAPPED(case.tree), given=given))


def _mean_utility(_kind: AnyKind, case: Case) -> Numeral:
    utilities = [Fraction(text) for text in case.given["utilities"]]
    return Numeral(normalize_number(sum(utilities) / len(utilities)))


def _value_of_all(_kind: AnyKind, case: Case) -> Numeral:
    """The minimax value of the whole tree, whatever the depth limit is."""
    return Numeral(expectiminimax(case.tree)[0])


def _leaves_without(case: Case, key: frozenset[int]) -> frozenset[int]:
    return frozenset(range(1, len(case.tree.leaves) + 1)) - key


def _at_depth(further: int) -> Way:
    """The correct answer of a search that looks further ahead."""

    def way(kind: AnyKind, case: Case) -> Any:
        depth = case.given["depth"] + further
        return _again(kind, replace(case, given=Given({**case.given, "depth": depth})))

    return way


def _shifted(by: int) -> Way:
    return lambda kind, case: Numeral(kind.independent_key(case).value + by)


def _negative(kind: AnyKind, case: Case) -> Any:
    return Numeral(-kind.independent_key(case).value)


WAYS: dict[str, Way] = {
    "players-swapped": _in_tree(SWAPPED),
    "ignores-opponent": _in_tree(FOR_MAX),
    "right-to-left": _by_rules(Rules.with_other_order),
    "ties-kept": _by_rules(lambda rules: replace(rules, ties="keep", returns="soft")),
    "ties-cut": _by_rules(lambda rules: replace(rules, ties="cut")),
    "returns-hard": _by_rules(lambda rules: replace(rules, returns="hard")),
    "returns-soft": _by_rules(lambda rules: replace(rules, returns="soft")),
    "sign-overlooked": _in_tree(_without_signs),
    "plain-average": _in_tree(_evenly),
    "most-likely": _in_tree(_likeliest),
    "lists-visited": lambda kind, case: _leaves_without(case, kind.independent_key(case)),
    "counts-pruned": lambda kind, case: Numeral(
        len(case.tree.leaves) - int(kind.independent_key(case).value)
    ),
    "one-iteration-early": _at_depth(-1),
    "one-ply-early": _at_depth(-1),
    "plays-unfinished": _at_depth(1),
    "before-the-change": _shifted(-1),
    "after-the-change": _shifted(1),
    "phase-before": _shifted(-1),
    "phase-after": _shifted(1),
    "one-ply-more": _shifted(1),
    "worth-to-min": _negative,
    "other-rule-of-actions": lambda kind, case: _again(
        kind,
        replace(
            case,
            given=Given(
                {
                    **case.given,
                    "legal": "union" if case.given.get("legal") != "union" else "intersection",
                }
            ),
        ),
    ),
}
"""The second way of what a sentence says, wherever the misconception occurs."""

SPECIAL: dict[str, Way] = {
    "board-position.value.players-swapped": lambda _kind, case: Numeral(_play_out(case, min, max)[0]),
    "board-position.value.ignores-opponent": lambda _kind, case: Numeral(_play_out(case, max, max)[0]),
    "board-position.value.ignores-max": lambda _kind, case: Numeral(_play_out(case, min, min)[0]),
    "board-position.move.players-swapped": _swapped_moves,
    "board-position.evaluation.side-of-o": _negative,
    "board-position.values.players-swapped": _swapped_values,
    "belief-state.best-move.players-swapped": lambda kind, case: kind.independent_key(
        replace(case, tree=SWAPPED(case.tree))
    ),
    "belief-state.strategy.players-swapped": _swapped_strategy,
    "depth-limited.category.plain-average": _mean_utility,
    "imperfect-opponent.best-move.ignores-opponent": lambda _kind, case: root_moves(
        case.tree, expectiminimax(FOR_MAX(case.tree))
    ),
    **{
        f"imperfect-opponent.{ask}.ignores-opponent": lambda _kind, case: Numeral(
            expectiminimax(FOR_MAX(case.tree))[0]
        )
        for ask in ("minimax-play", "best-reply")
    },
    "strategy.optimal.players-swapped": _swapped_strategy,
    "strategy.answers.players-swapped": _swapped_strategy,
    "strategy.never-lose.players-swapped": _swapped_strategy,
    "unknown-leaf.extreme.players-swapped": _other_end,
    **{
        f"{code}.{mistake}": _planted(answer, mistake)
        for code, answer in VISITS.items()
        for mistake in PLANTED
    },
    **{f"depth-limited.{ask}.whole-tree": _value_of_all for ask in ("value", "features")},
    "depth-limited.move.whole-tree": lambda _kind, case: root_moves(case.tree, expectiminimax(case.tree)),
    "depth-limited.category.most-likely": lambda _kind, case: Numeral(
        Fraction(case.given["utilities"][case.given["percent"].index(max(case.given["percent"]))])
    ),
    "search-budget.nodes.root-left-out": _shifted(-1),
    "search-budget.nodes.last-level-alone": lambda _kind, case: Numeral(
        case.given["branching"] ** case.given["depth"]
    ),
    "search-budget.nodes.branching-times-depth": lambda _kind, case: Numeral(
        1 + sum(case.given["branching"] for _level in range(case.given["depth"]))
    ),
}
"""The same of a misconception in one kind."""

READ = {"board-position.pruned.players-swapped", "board-position.pruned.right-to-left"}
"""Sentences that have a way in other kinds, but here only a person has read them."""


def _way(kind: AnyKind, name: str) -> Way | None:
    """Return the second way of a misconception of a kind, if there is one."""
    code = f"{kind.code}.{name}"
    return SPECIAL.get(code) or (None if code in READ else WAYS.get(name))


def _up_to(kind: AnyKind, count: int) -> Iterator[Exercise]:
    """Yield so many exercises of a kind, or all there are."""
    with suppress(ExhaustedError):
        yield from grow_many(default_recipe(kind.code), "sentences", count)


def _untrue(kind: AnyKind, count: int) -> list[str]:
    """Return the answers that are not what their sentence says."""
    ways = {name: way for name in kind.beliefs if (way := _way(kind, name)) is not None}
    untrue = []
    for exercise in _up_to(kind, count) if ways else ():
        case = exercise.public.case
        for name, way in ways.items():
            answer = kind.beliefs[name](case)
            if answer is not None and answer != (expected := way(kind, case)):
                untrue.append(f"{name}: {answer}, not {expected}: {exercise.public.tree} {case.given}")
    return untrue


@pytest.mark.sampled(8)
@each_kind
def test_what_is_said_of_a_wrong_answer_is_true(kind: AnyKind) -> None:
    """Whoever does what the sentence says comes to the answer by which the misconception is recognised."""
    assert not _untrue(kind, FEW)


@pytest.mark.slow
@each_kind
def test_what_is_said_of_many_wrong_answers_is_true(kind: AnyKind) -> None:
    """The same of many exercises of every ask."""
    assert not _untrue(kind, MANY)
