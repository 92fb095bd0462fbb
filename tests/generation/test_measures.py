"""Measures of candidates: one, many, searches and definitions agree, and a shape is what it says."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grader.base.numbers import read_number
from grader.generation.block_results import search_block
from grader.generation.candidate_result import CandidateResult
from grader.generation.candidates import ROTATIONS_PER_ROW, Block, draw_block
from grader.generation.measures import Measures, decimals_of
from grader.generation.mistake_credit import (
    FULL_MARK_WEIGHT,
    batch_measured_beliefs,
    excess_per_mille,
    mistake_shares,
)
from grader.generation.recipe import Recipe
from grader.generation.recipe_file import default_recipe, read_recipe, with_changes
from grader.generation.selection import REQUIREMENTS, active_requirements, measure_block
from grader.generation.shape import SIMPLE_ODDS, Shape, draw_skeleton
from grader.generation.stream import Stream
from grader.questions.case import Case
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree
from tests.generation.judging import candidate, judge_one
from tests.generation.oracle import cuts, deep, payoffs_of, pruned_by_definition, value
from tests.generation.searched import Searched
from tests.strategies import TIED, rules, trees

MEASURES = (
    "visited",
    "pruned",
    "alpha_cuts",
    "beta_cuts",
    "chance_cuts",
    "deep_cuts",
    "subtree_cuts",
    "load",
    "best_move",
    "best_leaf",
    "optimal_moves",
    "ties_differ",
    "places",
    "pruned_leaves",
)

RECIPES = {
    "exam": """
        kind = "pruned-paths"
        shape = {plies = 3, branching = 3}
        payoffs = {range = [0, 40]}
        require = {pruned = [6, 14], alpha_cuts = 1, beta_cuts = 1, subtree_cuts = 1}
    """,
    "deep, tied, drawn shape": """
        kind = "pruned-paths"
        shape = {plies = 4, branching = [2, [1, 3], 2, [2, 3]]}
        payoffs = {range = [0, 9], distinct = false}
        require = {deep_cuts = 1, one_optimal_move = false, ties = "different"}
    """,
    "MIN root, right to left, ties kept": """
        kind = "visiting-order"
        shape = {plies = 5, branching = 2, root = "MIN"}
        payoffs = {range = [0, 12], distinct = false, step = 0.5}
        rules = {order = "right-to-left", ties = "keep"}
        require = {ties = "any", best_leaf = "not-first-branch", places = 1}
    """,
    "values": """
        kind = "node-values"
        shape = {plies = 3, branching = [2, 1, 2]}
        payoffs = {range = [-1, 1], distinct = false, step = "1/3"}
        require = {ties = "same", one_optimal_move = false, best_leaf = "not-last-branch", places = 0}
    """,
}

SHALLOW = ("exam", "MIN root, right to left, ties kept", "values")
"""Those without deep cuts: three plies are too few for one, and where ties are kept none is counted here."""

NARROWED = {
    "known bounds": """
        kind = "pruned-paths"
        shape = {plies = 4, branching = 2}
        payoffs = {range = [0, 4], distinct = false, step = "1/2"}
        rules = {bounds = [0, "9/2"]}
        require = {pruned = [2, 8], deep_cuts = 1}
    """,
    "a given window, ties kept": """
        kind = "pruned-branches"
        shape = {plies = 4, branching = 2}
        payoffs = {range = [-3, 4], distinct = false}
        rules = {window = ["-1/3", 2], ties = "keep"}
        require = {pruned = [2, 12], ties = "same"}
    """,
}
"""Recipes whose searches start in a window."""

OF_CHANCE = {
    "chance, broken payoffs": """
        kind = "chance-cuts"
        shape = {plies = 4, branching = 2, chance = [1, 3], probabilities = "simple"}
        payoffs = {range = [-3, 4], distinct = false, step = "1/2"}
        rules = {bounds = [-3, "9/2"], ties = "keep"}
        require = {places = 2, chance_cuts = 1, ties = "same"}
    """,
    "chance without bounds": """
        kind = "chance-cuts"
        shape = {plies = 3, branching = [3, 3, 2], chance = [1]}
        payoffs = {range = [0, 9], distinct = false}
        require = {places = 1, ties = "different"}
    """,
}


def recipe_of(name: str) -> Recipe:
    """One of the recipes above."""
    recipe = read_recipe((RECIPES | NARROWED | OF_CHANCE)[name].replace("\n        ", "\n").strip())
    assert isinstance(recipe, Recipe), str(recipe)
    return recipe


def block_of(recipe: Recipe, purpose: str, number: int = 0) -> Block:
    """A block of a shape that is drawn for it."""
    stream = Stream(purpose).sub(number)
    return draw_block(recipe.payoffs, draw_skeleton(recipe.shape, stream.sub("shape")), stream)


@pytest.mark.parametrize("changes", [{}, {"payoffs.distinct": False}], ids=["distinct", "repeated"])
def test_a_block_has_each_row_in_every_rotation(changes: dict[str, bool]) -> None:
    """The rows that are drawn come first, then the same moved left by one leaf, by two and so on."""
    recipe = with_changes(default_recipe("root-value"), changes)
    assert isinstance(recipe, Recipe)
    rows = block_of(recipe, "rotated").places.tolist()
    count = len(rows) // ROTATIONS_PER_ROW
    assert rows[count:] == [[*row[1:], row[0]] for row in rows[:-count]]
    assert len({tuple(row) for row in rows[:count]}) == count
    assert {len(set(row)) == len(row) for row in rows} == {True} | ({False} if changes else set())


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", RECIPES | OF_CHANCE | NARROWED)
def test_one_and_many_measure_the_same(name: str) -> None:
    """Every measure of every candidate is the same alone as in a block, and so is the verdict."""
    recipe = recipe_of(name)
    verdicts = set()
    for number in range(2):
        block = block_of(recipe, "measures", number)
        many, off, met = measure_block(recipe, block)
        names = [*(requirement.name for requirement in active_requirements(recipe)), None]
        reasons = []
        for row in range(len(block.places)):
            one, reason = judge_one(recipe, candidate(block, row))
            reasons.append(reason)
            for measure in MEASURES:
                assert getattr(one, measure) == getattr(many, measure)[row], (measure, row)
            assert (reason is None) == (off[row] == 0)
        assert [names[place] for place in met.tolist()] == reasons
        verdicts |= set(reasons)
    assert None in verdicts
    assert len(verdicts) > 1


@given(trees(chance=True, payoffs=TIED), rules(), st.sampled_from((None, (-2, 3))), st.booleans())
def test_measures_are_what_a_search_does(
    tree: Tree, convention: Rules, bounds: tuple[int, int] | None, searching: bool
) -> None:
    """Every measure of any tree is what the trace of a search and exact values say, also with chance."""
    assume(len(tree) > 1)
    convention = replace(convention, bounds=bounds)
    measured = Measures(CandidateResult(tree, convention), searching=searching)
    searched = Searched(tree, convention, searching=searching)
    for measure in MEASURES:
        assert getattr(measured, measure) == getattr(searched, measure), measure


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    ("name", "policy"),
    [
        *product(
            ("pruned-paths", "pruned-branches", "chance-cuts"),
            ("net", "keep:1/2", "keep:3/5", "each", "exact", "deduct:1/3"),
        ),
        *product(("visiting-order",), ("net", "keep:1/2", "keep:2/3", "exact")),
        ("visited-count", ""),
    ],
)
def test_what_a_mistake_earns_is_measured_of_many_at_once(name: str, policy: str) -> None:
    """Measured of a block, every mistake gains what its answer earns, credited by the form."""
    chance, narrows = default_recipe(name).shape.chance, name != "visiting-order"
    changes: dict[str, object] = {"payoffs.range": [-20, 40]}
    changes |= {"rules.bounds": [-20, 40]} if chance or (policy == "net" and narrows) else {}
    changes |= {"rules.window": [-5, "61/2"]} if policy == "net" and narrows else {}
    changes |= {"question.policy": policy, "question.points": 5} if policy else {}
    recipe = with_changes(default_recipe(name), changes)
    assert isinstance(recipe, Recipe), str(recipe)
    names = batch_measured_beliefs(recipe)
    block = block_of(recipe, "earned")
    visited = search_block(block, recipe.rules).visited
    gain = mistake_shares(recipe, block, names, visited)
    beyond = excess_per_mille(recipe, names, gain, Fraction(1, 2))
    kind, seen = recipe.question_kind, set()
    for row in range(0, len(block.places), 3 if chance else 29):
        tree = candidate(block, row)
        key = kind.key(Case(tree, recipe.rules))
        for place, belief in enumerate(names):
            answer = kind.beliefs[belief](Case(tree, recipe.rules))
            if answer is None:
                continue
            earned = kind.earned_share(Case(tree, recipe.rules), answer, key, recipe.question)
            assert gain.shares[gain.places[place, row]] == earned, (belief, row)
            most = 1000 * max(Fraction(0), earned - Fraction(1, 2)) + FULL_MARK_WEIGHT * (earned == 1)
            assert most <= beyond[place, row] < most + 1
            seen.add(earned)
    assert 1 in seen
    assert len(seen) > (1 if policy in ("exact", "") else 2)


@pytest.mark.parametrize("name", RECIPES)
def test_measures_are_what_the_definitions_say(name: str) -> None:
    """Pruned leaves, cuts of every sort and the best moves follow from the definition of a pruned leaf."""
    recipe = recipe_of(name)
    order, ties = recipe.rules.order, recipe.rules.ties
    block = block_of(recipe, "definitions")
    seen_deep = 0
    for row in range(60):
        tree = candidate(block, row)
        one, _ = judge_one(recipe, tree)
        pruned = pruned_by_definition(tree, order, ties)
        assert one.pruned_leaves == sum(1 << path - 1 for path in pruned)
        assert one.pruned == len(pruned)
        assert one.visited == len(tree.leaves) - len(pruned)
        found = cuts(tree, pruned, order)
        assert one.alpha_cuts == sum(tree.players[node] is Player.MIN for node in found)
        assert one.beta_cuts == sum(tree.players[node] is Player.MAX for node in found)
        assert one.subtree_cuts == sum(
            len(tree.leaves_below(child)) > 1 for skipped in found.values() for child in skipped
        )
        if ties == "cut":
            expected = sum(deep(tree, node, skipped, order) for node, skipped in found.items())
            assert one.deep_cuts == expected
            seen_deep += expected
        other = pruned_by_definition(tree, order, "keep" if ties == "cut" else "cut")
        assert one.ties_differ == (other != pruned)
        payoffs = payoffs_of(tree)
        best = [value(tree, child, payoffs) for child in tree.children[0]]
        root = value(tree, 0, payoffs)
        assert one.optimal_moves == best.count(root)
        assert one.best_move == best.index(root)
    assert (seen_deep > 0) is (name not in SHALLOW)


def test_places_are_the_decimals_a_number_needs() -> None:
    """Whole numbers need none, halves one, quarters two, and thirds never end."""
    texts = {"3": 0, "-7": 0, "2.5": 1, "0.25": 2, "1/8": 3, "7/20": 2, "0.02": 2, "1/3": 99, "1/6": 99}
    assert {text: decimals_of(read_number(text)) for text in texts} == texts


def test_requirements_have_names_of_their_own() -> None:
    """No two requirements are reported under one name."""
    assert len({requirement.name for requirement in REQUIREMENTS}) == len(REQUIREMENTS)


def test_a_shape_is_what_it_says() -> None:
    """Children, movers and names of drawn trees are those the shape allows, and every width occurs."""
    shape = Shape(4, ((2, 2), (1, 3), (2, 3), (2, 2)), root=Player.MIN, chance=(1,), probabilities="simple")
    movers = (Player.MIN, Player.CHANCE, Player.MAX, Player.MIN)
    assert shape.movers == movers
    widths = set()
    for number in range(40):
        tree = draw_skeleton(shape, Stream("shape").sub(number))
        for node in range(len(tree)):
            depth = tree.depths[node]
            children = tree.children[node]
            if depth == 4:
                assert tree.players[node] is None
                continue
            assert tree.players[node] is movers[depth]
            low, high = shape.branching[depth]
            assert low <= len(children) <= high
            widths.add((depth, len(children)))
            if depth == 1:
                row = sorted((tree.probabilities[child] or 0 for child in children), reverse=True)
                assert tuple(row) in {
                    tuple(sorted(odds, reverse=True)) for odds in SIMPLE_ODDS[len(children)]
                }
        inner = [tree.given[node] for node in tree.breadth_first if tree.players[node] is not None]
        assert inner[:3] == ["A", "B", "C"]
        assert len(set(inner)) == len(inner)
        assert not set("IOV").intersection("".join(map(str, inner)))
    assert widths == {(0, 2), (1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 2)}


def test_simple_odds_sum_to_one() -> None:
    """Every row of simple probabilities is a distribution whose decimals end after two places."""
    for outcomes, rows in SIMPLE_ODDS.items():
        for row in rows:
            assert len(row) == outcomes
            assert sum(row) == 1
            assert max(map(decimals_of, row)) <= 2
            assert min(row) > 0
            assert len(set(row)) > 1 or outcomes == 1
