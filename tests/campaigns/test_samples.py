"""A sample of each campaign, and proof that it would find what is wrong."""

from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from grader.exercises.exercise_file import read_exercise
from grader.exercises.marking import State
from grader.scanning import box_states
from grader.solvers.sweep import Sweep, sweep
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from tests.campaigns import inputs, kills, scans, trees, windows
from tests.campaigns.arrays import unit, visited_nodes, visited_nodes_with_chance
from tests.solvers.definition import is_visited, is_visited_with_chance
from tests.strategies import random_tree


def test_trees() -> None:
    """Every search visits what the definition says on 600 trees: of two players, with chance, of several."""
    assert list(trees.wrong_trees("sample", 600, rows=20)) == []


def test_windows() -> None:
    """Every search visits what the definition says on 400 trees with known bounds and first windows."""
    assert list(windows.wrong_windows("sample", 400)) == []


@pytest.mark.parametrize("narrow", ["bounds", "window"])
def test_a_search_that_forgets_the_first_window_is_found(
    narrow: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search that starts with an open window where bounds or a window are given is told."""

    def forgetting(tree: Tree, rules: Rules) -> Sweep:
        return sweep(tree, replace(rules, **{narrow: None}))

    monkeypatch.setattr(windows, "sweep", forgetting)
    assert any("the sweep visits others" in line for line in windows.wrong_windows("sample", 100))


@pytest.mark.parametrize("ties", ["cut", "keep"])
def test_the_definition_in_arrays(ties: str) -> None:
    """Of many trees at once it is the definition of each; with chance, as an SMT solver says."""
    random = Random(f"arrays {ties}")
    for number in range(8):
        chance = number % 3 == 0
        tree = random_tree(random, plies=4, leaves=6, chance=chance)
        order = ("left-to-right", "right-to-left")[number % 2]
        payoffs = np.array([[random.randrange(4) for _ in tree.leaves] for _ in range(3)])
        bounds = random.choice((None, (0, 3), (-1, 5)))
        if chance and unit(tree) <= trees.LARGEST_UNIT:
            found = visited_nodes_with_chance(tree, payoffs.T, order, ties, bounds)
        elif not tree.has_chance:
            found = visited_nodes(tree, payoffs.T, order, ties)
        for place, row in enumerate(payoffs.tolist()):
            each = tree.with_payoffs(tuple(row))
            for leaf in tree.leaves:
                if tree.has_chance:
                    defined = is_visited_with_chance(each, leaf, bounds, order, ties)
                else:
                    defined = is_visited(each, leaf, order, ties)
                assert found[leaf, place] == defined


def other_ties(search: Any) -> Any:
    """A search that takes each tie rule for the other."""
    return lambda *given, **named: search(*given[:-1], given[-1].with_other_ties(), **named)


WRONG = {
    "sweep": (trees.two_players, other_ties),
    "lockstep": (trees.two_players, other_ties),
    "value_test": (trees.two_players, other_ties),
    "window_test": (trees.two_players, other_ties),
    "star1": (trees.with_chance, other_ties),
    "lockstep_search_with_mistakes": (
        trees.with_chance,
        lambda search: lambda tree, payoffs, rules, held: search(tree, -payoffs, rules, held),
    ),
    "expectiminimax": (trees.with_chance, lambda _: lambda tree: [0] * len(tree)),
    "maxn": (trees.several_players, lambda search: lambda tree: search(tree)[::-1]),
}
"""Searches, the game in which they are tried, and what makes wrong ones of them."""


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_search_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search with a mistake planted in it is told by its name."""
    game, mistaken = WRONG[name]
    monkeypatch.setattr(trees, name, mistaken(getattr(trees, name)))
    random = Random("wrong")
    assert any(name in line for _ in range(30) for line in game(random, 10))


@pytest.mark.parametrize("count", [75, pytest.param(300, marks=pytest.mark.slow)])
def test_inputs(count: int) -> None:
    """Nothing is raised at any door by the first of the hostile inputs."""
    assert list(inputs.wrong_inputs("sample", count)) == []


def test_an_exception_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a door raises, and where, is told."""

    def door(random: Random) -> None:
        raise KeyError(random.random())

    monkeypatch.setattr(inputs, "DOORS", (door,))
    assert "door: KeyError at test_samples.py" in next(inputs.wrong_inputs("wrong", 1))


@pytest.mark.parametrize(
    "text",
    [
        "7" * 5_000 + "!",
        "7" * 5_000 + ". 5",
        "1-" + "7" * 5_000,
        "7" * 5_000 + ", to B",
        "move 1, to B",
        "pull (to B)",
    ],
)
def test_replies_that_raised_are_marked(text: str) -> None:
    """Numbers too long for Python, and a move where there is no tree, are marked in every kind."""
    for marker in inputs.markers():
        assert marker.mark(text).state is not State.ERROR


def test_whatever_else_is_given_is_refused() -> None:
    """A record in which anything that is given is exchanged for something of another sort raises nothing."""
    for exercise in inputs.exercises():
        record = exercise.to_json()
        for given in exchanged(record.get("given", {})):
            read_exercise({**record, "given": given})


def exchanged(content: object) -> Iterator[Any]:
    """A JSON value with each part of it exchanged for things of other sorts."""
    yield from (None, -1, "x", [], {})
    parts = dict(enumerate(content)) if isinstance(content, list) else content
    for name, part in parts.items() if isinstance(parts, dict) else ():
        for other in exchanged(part):
            changed = copy(content)
            changed[name] = other
            yield changed


def test_scans() -> None:
    """No box and no answer is read wrongly on a sheet with each accident, and on as many ordinary ones."""
    assert list(scans.wrong_scans("sample", 2 * len(scans.ACCIDENTS))) == []


@pytest.mark.parametrize(
    ("seed", "number"),
    [("2026-11-28-paper 0", 15), ("2026-11-28-thin-paper 1", 0), ("2026-11-28-sloping-lines 2", 14)],
)
def test_sheets_that_were_read_wrongly(seed: str, number: int) -> None:
    """Sheets that campaigns found are read rightly: pencil over a cross of the back, a slope, a blob."""
    assert list(scans.judge(scans.sheet(seed, number, True), scans.Figures())) == []


GUARDS: dict[str, dict[tuple[ModuleType, str], object]] = {
    "struck": {(box_states, "are_flanked"): lambda around, *_: np.zeros(len(around), bool)},
    "circled": {(box_states, "are_circled"): lambda around, *_: np.zeros(len(around), bool)},
    "cover foot": {(box_states, "MIN_FRAME_DARKNESS"): 0.0},
}
"""What keeps sheets with an accident from being read wrongly, and what takes its place when it is missing."""


@pytest.mark.parametrize("accident", GUARDS)
def test_a_wrong_reading_is_found(accident: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the check that is made for an accident, a sheet that had it is read wrongly and told."""
    for (module, name), planted in GUARDS[accident].items():
        monkeypatch.setattr(module, name, planted)
    place, step = scans.ACCIDENTS.index(accident), len(scans.ACCIDENTS)
    sheets = (scans.sheet("planted", place + step * number, True) for number in range(16))
    assert any(line for sheet in sheets for line in scans.judge(sheet, scans.Figures()))


def test_kills() -> None:
    """Nothing is lost by the first two of the kills."""
    assert list(kills.wrong_kills("sample", 2)) == []


def test_a_loss_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exports that are others after a kill are told, and marks that are gone."""
    monkeypatch.setattr(kills, "exported", lambda folder: folder.name)
    assert "the exports are others" in next(kills.wrong_kills("wrong", 1))
    marks = iter(({1, 2}, {2}, {2}))
    monkeypatch.setattr(kills, "acknowledged", lambda _folder: next(marks))
    assert "1 marks are gone" in next(kills.wrong_kills("wrong", 1))
