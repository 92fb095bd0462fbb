"""Bugs planted into the text of the solvers: the laws see every one of them, the root's value few."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from inspect import getsource
from random import Random
from types import ModuleType

import pytest

from grader.base.numbers import Bound, Number
from grader.solvers.alphabeta import value_test, window_test
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.star1 import star1
from grader.solvers.trace import Cut, Search
from grader.solvers.visited_nodes import pruned_branches
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree
from tests.solvers.definition import is_visited_with_chance, visited_paths
from tests.solvers.transformations import mirrored, negated
from tests.strategies import random_tree

CUT = Rules()
KEEP = Rules(ties="keep")
HARD = Rules(returns="hard")
BOUNDED = Rules(bounds=(-2, 3))


@dataclass(frozen=True, slots=True)
class Bug:
    """One place in the text of a solver changed, and whether the root's value shows it on the trees below.

    `place` counts the occurrences of `original` in the text of the module, from 0.
    """

    solver: str
    title: str
    original: str
    replacement: str
    place: int = 0
    root_shows_it: bool = False


BUGS = (
    Bug("value_test", "ties are kept under `cut` at MIN", "(ge, le) if", "(ge, lt) if"),
    Bug("value_test", "ties are cut under `keep` at MAX", "else (gt, lt)", "else (ge, lt)"),
    Bug("value_test", "alpha is never raised", "alpha = value\n", "pass\n"),
    Bug("value_test", "beta is never lowered", "beta = value\n", "pass\n"),
    Bug(
        "value_test", "beta stops at the parent", "visit(child, alpha, beta)", "visit(child, alpha, INFINITY)"
    ),
    Bug(
        "value_test",
        "alpha stops at the parent",
        "visit(child, alpha, beta)",
        "visit(child, -INFINITY, beta)",
        place=1,
    ),
    Bug(
        "value_test",
        "MIN cuts at its own bound",
        "falls_to(value, alpha)",
        "reaches(value, beta)",
        root_shows_it=True,
    ),
    Bug(
        "value_test",
        "MAX cuts at its own bound",
        "reaches(value, beta)",
        "falls_to(value, alpha)",
        root_shows_it=True,
    ),
    Bug(
        "value_test",
        "the latest value, not the best",
        "max(value, visit(child, alpha, beta))",
        "visit(child, alpha, beta)",
        root_shows_it=True,
    ),
    Bug("value_test", "alpha falls again", "if value > alpha:", "if value != alpha:"),
    Bug(
        "value_test",
        "the running value starts at 0",
        "value: Bound = -INFINITY",
        "value: Bound = 0",
        root_shows_it=True,
    ),
    Bug("value_test", "the bound is returned under `soft`", "return beta if hard else value", "return beta"),
    Bug(
        "value_test",
        "the running value is returned under `hard`",
        "return alpha if hard else value",
        "return value",
    ),
    Bug("value_test", "the child that cut counts as skipped", "children[place + 1 :]", "children[place:]"),
    Bug("value_test", "the order is ignored at MIN", "rules.order", '"left-to-right"', place=1),
    Bug("window_test", "ties are kept under `cut`", "meets = ge if", "meets = gt if"),
    Bug("window_test", "MIN forgets to lower beta", "beta = value\n", "pass\n", place=1),
    Bug(
        "window_test",
        "the window is tested the wrong way round",
        "meets(alpha, beta)",
        "meets(beta, alpha)",
        root_shows_it=True,
    ),
    Bug(
        "window_test", "MAX cuts one child late", "if meets(alpha, beta):", "if place and meets(alpha, beta):"
    ),
    Bug(
        "star1",
        "alpha goes through chance unchanged",
        "required_value(alpha, ceiling, share)",
        "alpha",
        root_shows_it=True,
    ),
    Bug(
        "star1",
        "what was gathered is forgotten",
        "expectation_with_rest_at(total, low, remaining)",
        "expectation_with_rest_at(0, low, remaining)",
        place=1,
    ),
    Bug("star1", "an outcome in sight counts as still to come", "remaining - share", "remaining"),
    Bug(
        "star1",
        "alpha is slid by the lower bound",
        "required_value(alpha, ceiling, share)",
        "required_value(alpha, floor, share)",
        root_shows_it=True,
    ),
    Bug(
        "star1",
        "the window is not divided by the share",
        "Fraction(bound - elsewhere) / share",
        "Fraction(bound - elsewhere)",
        root_shows_it=True,
    ),
    Bug("star1", "a low expectation never cuts", "if falls_to(ceiling, alpha):", "if False:"),
    Bug(
        "star1",
        "the window is not cut to the bounds",
        "max(low, required_value(alpha, ceiling, share))",
        "required_value(alpha, ceiling, share)",
    ),
    Bug("sweep", "ties are kept under `cut`", "lt if rules.ties", "le if rules.ties"),
    Bug(
        "sweep",
        "beta is handed down without elders",
        "betas[child] = alpha, beta",
        "betas[child] = alpha, betas[node]",
        place=1,
    ),
    Bug("sweep", "the order is always from the left", '"right-to-left"', '"left-to-right"'),
)


Run = Callable[[Tree, Rules], Search]


def _module(solver: str) -> ModuleType:
    return import_module(f"grader.solvers.{'alphabeta' if solver.endswith('_test') else solver}")


def _run(solver: str, bug: Bug | None = None) -> Run:
    """The solver as it is, or with a bug planted into the text of its module."""
    text = getsource(_module(solver))
    if bug is not None:
        pieces = text.split(bug.original)
        assert len(pieces) > bug.place + 1, "the text the bug replaces is gone"
        text = (
            bug.original.join(pieces[: bug.place + 1])
            + bug.replacement
            + bug.original.join(pieces[bug.place + 1 :])
        )
    space: dict[str, object] = {"__name__": _module(solver).__name__}
    exec(compile(text, solver, "exec"), space)
    run: Run = _as_search(space["sweep"]) if solver == "sweep" else space[solver]
    return cache(run)  # every law asks for the same searches


def _as_search(sweep: Callable) -> Run:
    """Return a sweep as a search: windows and values at the nodes that it visits."""

    def run(tree: Tree, rules: Rules) -> Search:
        swept = sweep(tree, rules)

        def where_visited(column: tuple[Bound, ...]) -> tuple[Bound | None, ...]:
            return tuple(entry if seen else None for entry, seen in zip(column, swept.visited, strict=True))

        return Search(
            *map(where_visited, (swept.alphas, swept.betas, swept.values)),
            trace=value_test(tree, rules).trace,
        )

    return run


@cache
def _trees(chance: bool) -> tuple[Tree, ...]:
    random = Random(11)
    payoffs = (-2, -1, 0, 1, 2, 3)
    if not chance:
        return tuple(random_tree(random, leaves=16, payoffs=payoffs) for _ in range(150))
    found: list[Tree] = []
    while len(found) < 100:
        tree = random_tree(random, plies=4, leaves=7, payoffs=payoffs, chance=True)
        if _is_cut_below_chance(tree):
            found.append(tree)
    return tuple(found)


@cache
def _values(chance: bool) -> tuple[Number, ...]:
    """The exact value of every tree."""
    return tuple(expectiminimax(tree)[0] for tree in _trees(chance))


@cache
def _mirrored(chance: bool) -> tuple[tuple[Tree, tuple[int, ...]], ...]:
    """The mirror image of every tree, and which node of the tree each of its nodes is."""
    return tuple(map(mirrored, _trees(chance)))


@cache
def _negated(chance: bool) -> tuple[Tree, ...]:
    """Every tree as the other player sees it."""
    return tuple(map(negated, _trees(chance)))


@cache
def _searched(form: Run, rules: Rules) -> tuple[Search, ...]:
    """Return the search of every tree without chance by an unchanged solver."""
    return tuple(form(tree, rules) for tree in _trees(False))


def _is_cut_below_chance(tree: Tree) -> bool:
    """Whether a window that came through a chance node cuts: elsewhere Star1 is only alpha-beta."""
    return any(
        isinstance(event, Cut)
        and any(tree.players[node] is Player.CHANCE for node in tree.ancestors(event.skipped[0]))
        for event in star1(tree, BOUNDED).trace
    )


@cache
def _defined(tree: int, chance: bool, ties: str, bounded: bool) -> tuple[int, ...]:
    """The leaf numbers the definition calls visited, for the tree with this number."""
    subject = _trees(chance)[tree]
    if not chance:
        return visited_paths(subject, "left-to-right", ties)
    bounds = BOUNDED.bounds if bounded else None
    return tuple(
        path
        for path, leaf in enumerate(subject.leaves, 1)
        if is_visited_with_chance(subject, leaf, bounds, "left-to-right", ties)
    )


def _conventions(solver: str) -> Iterator[tuple[bool, Rules]]:
    for rules in (CUT, KEEP):
        yield False, rules
    if solver == "star1":
        yield from ((True, rules) for rules in (CUT, BOUNDED))


def root_is_minimax(solver: str, run: Run) -> bool:
    """The root returns its exact value."""
    return all(
        run(tree, rules).returned[0] == value
        for chance, rules in (*_conventions(solver), (False, HARD))
        for tree, value in zip(_trees(chance), _values(chance), strict=True)
    )


def pruned_is_defined(solver: str, run: Run) -> bool:
    """The visited leaves are those of the definition."""
    return all(
        tuple(tree.paths[leaf] for leaf in tree.leaves if visited[leaf])
        == _defined(number, chance, rules.ties, rules.bounds is not None)
        for chance, rules in _conventions(solver)
        for number, tree in enumerate(_trees(chance)[:30])
        for visited in (run(tree, rules).visited,)
    )


def forms_agree(solver: str, run: Run) -> bool:
    """Without chance every form enters the same windows; searches return the same values."""
    other = window_test if solver == "value_test" else value_test

    def same(mine: Search, yours: Search) -> bool:
        values_agree = solver == "sweep" or mine.returned == yours.returned
        return (mine.alphas, mine.betas) == (yours.alphas, yours.betas) and values_agree

    return all(
        same(run(tree, rules), yours)
        for rules in (CUT, KEEP, HARD)
        for tree, yours in zip(_trees(False), _searched(other, rules), strict=True)
    )


def mirror_image_is_the_same(solver: str, run: Run) -> bool:
    """The mirror image in the other order is visited in the mirror."""

    def same(tree: Tree, image: Tree, nodes: tuple[int, ...], rules: Rules) -> bool:
        seen = run(image, Rules("right-to-left", rules.ties, bounds=rules.bounds)).alphas
        found = run(tree, rules).alphas
        return seen == tuple(found[node] for node in nodes)

    return all(
        same(tree, *image, rules)
        for chance, rules in _conventions(solver)
        for tree, image in zip(_trees(chance), _mirrored(chance), strict=True)
    )


def negation_is_the_same(solver: str, run: Run) -> bool:
    """The other player's view visits the same nodes."""

    def same(tree: Tree, other: Tree, rules: Rules) -> bool:
        bounds = None if rules.bounds is None else (-rules.bounds[1], -rules.bounds[0])
        return run(other, Rules(ties=rules.ties, bounds=bounds)).visited == run(tree, rules).visited

    return all(
        same(tree, other, rules)
        for chance, rules in _conventions(solver)
        for tree, other in zip(_trees(chance), _negated(chance), strict=True)
    )


def cuts_skip_pruned_branches(solver: str, run: Run) -> bool:
    """The children that cuts skip are the pruned branches."""

    def same(tree: Tree, rules: Rules) -> bool:
        found = run(tree, rules)
        skipped = {child for event in found.trace if isinstance(event, Cut) for child in event.skipped}
        impossible = {node for node in range(len(tree)) if tree.probabilities[node] == 0}
        branches = set(pruned_branches(tree, found.visited))
        return skipped <= branches <= skipped | impossible

    return all(same(tree, rules) for chance, rules in _conventions(solver) for tree in _trees(chance))


def hard_values_are_bounds(solver: str, run: Run) -> bool:
    """A node that is cut returns the bound under `hard`."""
    return solver == "sweep" or all(
        found.returned[event.node] == (event.beta if tree.players[event.node] is Player.MAX else event.alpha)
        for tree, right in zip(_trees(False), _searched(value_test, HARD), strict=True)
        for found in (run(tree, HARD),)
        for event in right.trace
        if isinstance(event, Cut)
    )


LAWS = (
    pruned_is_defined,
    forms_agree,
    mirror_image_is_the_same,
    negation_is_the_same,
    cuts_skip_pruned_branches,
    hard_values_are_bounds,
)


def _holds(law: Callable[[str, Run], bool], solver: str, run: Run) -> bool:
    """Whether a law holds; a solver that fails altogether breaks it."""
    try:
        return law(solver, run)
    except (ArithmeticError, AssertionError, LookupError, TypeError, RecursionError):
        return False


@pytest.mark.parametrize(
    "solver", ["value_test", "window_test", pytest.param("star1", marks=pytest.mark.slow), "sweep"]
)
def test_the_laws_hold_without_bugs(solver: str) -> None:
    """Every unchanged solver obeys every law, so a broken law below is due to a bug."""
    run = _run(solver)
    assert root_is_minimax(solver, run)
    assert [law.__name__ for law in LAWS if not law(solver, run)] == []


@pytest.mark.sampled(15)
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: f"{bug.solver}: {bug.title}")
def test_every_bug_breaks_a_law(bug: Bug) -> None:
    """A planted bug breaks at least one law, and changes the root's value only if the table says so."""
    run = _run(bug.solver, bug)
    assert not all(_holds(law, bug.solver, run) for law in LAWS)
    assert _holds(root_is_minimax, bug.solver, run) != bug.root_shows_it


def test_the_root_shows_few_bugs() -> None:
    """Comparing only the value of the root would miss more than half of at least fifteen bugs."""
    assert len(BUGS) >= 15
    assert sum(not bug.root_shows_it for bug in BUGS) > len(BUGS) / 2
