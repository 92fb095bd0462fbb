"""The generator: same seed, same exercises; what a recipe asks for; what variants share."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import numpy
import pytest

from grader.exercises.exercise import Exercise, ExerciseError
from grader.exercises.exercise_file import read_exercise
from grader.generation.block_results import search_block
from grader.generation.candidates import Block
from grader.generation.grower import (
    Grower,
    exercise_on_tree,
    grow,
    grow_many,
)
from grader.generation.limits import moot_beliefs
from grader.generation.measures import has_profile, shared_fields
from grader.generation.mistake_credit import mistake_shares
from grader.generation.recipe import Payoffs, Recipe
from grader.generation.recipe_file import default_recipe, with_changes
from grader.generation.repeats import bottom_node_pattern, payoff_ranks
from grader.generation.selection import ExhaustedError
from grader.generation.shape import fixed_skeleton
from grader.generation.survey import take_survey
from grader.questions import all_kinds, find_kind
from grader.questions.case import Case
from grader.solvers.mistaken_search import MISCONCEPTIONS
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.notation.reading import read_tree
from grader.trees.notation.writing import write_tree
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree
from tests.conftest import Golden
from tests.generation.oracle import cuts, deep, payoffs_of, pruned_by_definition, value

NAMES = tuple(kind.code for kind in all_kinds())


def changed(kind: str, **changes: object) -> Recipe:
    """The default recipe of a kind with some fields changed; two underscores stand for the point."""
    recipe = with_changes(
        default_recipe(kind), {name.replace("__", "."): value for name, value in changes.items()}
    )
    assert isinstance(recipe, Recipe), str(recipe)
    return recipe


def written(exercise: Exercise) -> str:
    """The bytes of an exercise, as text."""
    return json.dumps(exercise.to_json(), ensure_ascii=False, sort_keys=True)


def tree_of(text: str) -> Tree:
    """A tree that can be read."""
    tree = read_tree(text)
    assert isinstance(tree, Tree)
    return tree


def assert_as_asked(recipe: Recipe, exercise: Exercise) -> None:
    """Everything the recipe demands and the profile claims, worked out anew from the definitions."""
    tree, rules, require = exercise.public.tree, exercise.public.rules, recipe.require
    assert rules == recipe.rules
    if not has_profile(tree) or not recipe.question_kind.needs_tree:
        assert has_profile(tree) or not exercise.profile
        return  # what is asked about is not the tree that was grown
    payoffs = payoffs_of(tree)
    numbers = list(payoffs.values())
    drawn = {recipe.payoffs.payoff_at(place) for place in range(recipe.payoffs.size)}
    if not any(
        each and each.visits is not None for each in tree.attributes
    ):  # else they are shares of playouts
        assert set(numbers) <= drawn
        assert len(set(numbers)) == len(numbers) or not recipe.payoffs.distinct
    assert tuple(tree.players[tree.breadth_first[0]] or "" for _ in range(1)) == (recipe.shape.movers[0],)
    for node in range(len(tree)):
        level = tree.depths[node]
        if level < recipe.shape.plies:
            low, high = recipe.shape.branching[level]
            assert low <= len(tree.children[node]) <= high
            assert tree.players[node] is recipe.shape.movers[level]
    best = [value(tree, child, payoffs) for child in tree.children[0]]
    root = value(tree, 0, payoffs)
    profile = exercise.profile
    if require.one_optimal_move and tree.players[0] is not Player.CHANCE:
        assert best.count(root) == 1
    assert profile["optimal_moves"] == best.count(root)
    assert profile["leaves"] == len(tree.leaves)
    if require.places is not None:
        for node in tree.internal:
            assert (value(tree, node, payoffs) * 10**require.places).denominator == 1
    if tree.has_chance:
        return
    pruned = pruned_by_definition(tree, rules.order, rules.ties)
    found = cuts(tree, pruned, rules.order)
    claims = {
        "visited": len(tree.leaves) - len(pruned),
        "alpha_cuts": sum(tree.players[node] is Player.MIN for node in found),
        "beta_cuts": sum(tree.players[node] is Player.MAX for node in found),
        "deep_cuts": sum(deep(tree, node, skipped, rules.order) for node, skipped in found.items()),
        "subtree_cuts": sum(len(tree.leaves_below(child)) > 1 for each in found.values() for child in each),
        "chance_cuts": 0,
    }
    assert {name: profile[name] for name in claims} == claims
    low, high = require.pruned or (0, len(tree.leaves))
    assert low <= len(pruned) <= high
    uniform = {width for width, _ in recipe.shape.branching}
    if recipe.shape.is_fixed and len(uniform) == 1:
        branching, plies = uniform.pop(), recipe.shape.plies
        fewest = branching ** (-(-plies // 2)) + branching ** (plies // 2) - 1
        assert claims["visited"] >= fewest
    for name in ("alpha_cuts", "beta_cuts", "deep_cuts", "subtree_cuts"):
        assert claims[name] >= getattr(require, name)
    other = pruned_by_definition(tree, rules.order, "keep" if rules.ties == "cut" else "cut")
    assert require.ties == "any" or (other == pruned) == (require.ties == "same")


def assert_separated(recipe: Recipe, exercise: Exercise) -> None:
    """The key earns everything; every belief that is not moot, and every guess, is wrong and earns less."""
    kind, tree, rules = exercise.kind, exercise.public.tree, exercise.public.rules
    given = exercise.public.given
    terms, form = exercise.public.terms, exercise.kind.form

    def earned(reply: object) -> object:
        return max(credit.share for credit in kind.credit(Case(tree, rules, given), reply, key, terms))

    key = exercise.answer(exercise.key)
    assert key == kind.key(Case(tree, rules, given)) == kind.independent_key(Case(tree, rules, given))
    assert form.credit(key, key, tree, terms).share == 1
    for name, believed in kind.beliefs.items():
        answer = believed(Case(tree, rules, given))
        if answer is None or name in moot_beliefs(recipe):
            assert answer is None or answer == key, f"{name} is not moot"
            continue
        assert answer != key, name
        assert earned(answer) != 1, name
        if form.has_alternatives and not terms.every:
            assert key.isdisjoint(answer), f"{name} names a right one with luck"
        reply = exercise.answer(exercise.beliefs[f"{kind.code}.{name}"])
        assert reply == answer
    if not len(tree):
        return  # nothing of a tree can be guessed
    paths = range(1, len(tree.leaves) + 1)
    moves = tree.children[0] if len(tree) else ()
    last = frozenset(tree.paths[leaf] for child in moves[-1:] for leaf in tree.leaves_below(child))
    # Below a question's own tree stand things by name: each set of them comes as often as any other.
    one = () if kind.annotates_tree else (frozenset(moves[-1:]),)
    guesses: dict[str, tuple[object, ...]] = {
        "paths": (frozenset(paths), frozenset[int](), last),
        "branches": (frozenset(range(1, len(tree))), frozenset[int](), *one),
        "order": (tuple(paths),),
    }
    for guess in guesses.get(form.name, ()):
        assert earned(guess) != 1


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", NAMES)
def test_every_default_recipe_gives_what_it_says(name: str) -> None:
    """The exercises of twelve seeds fulfil their recipe, claim the right profile, and separate."""
    recipe = default_recipe(name)
    for seed in range(12):
        exercise = grow(recipe, seed)
        assert_as_asked(recipe, exercise)
        assert_separated(recipe, exercise)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_default_recipe_separates_always(name: str) -> None:
    """The exercises of five hundred seeds fulfil their recipe and separate every belief that can differ."""
    recipe = default_recipe(name)
    for seed in range(500):
        exercise = grow(recipe, seed)
        assert_as_asked(recipe, exercise)
        assert_separated(recipe, exercise)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", NAMES)
def test_a_seed_stands_for_one_exercise(name: str, golden: Golden) -> None:
    """The tree and the key that a seed gives are written down, and stay what they are."""
    lines = []
    for exercise in grow_many(default_recipe(name), "golden", 3):
        lines += [write_tree(exercise.public.tree), exercise.key, ""]
    golden.hold(Path(__file__).parent / "golden" / f"{name}.txt", "\n".join(lines))


def test_a_seed_does_not_depend_on_where_it_is_used() -> None:
    """Hash seed, locale and time zone, which are others in another process, change no byte of an exercise."""
    kinds = ("pruned-paths", "expected-values", "best-path", "windows")
    code = (
        "import json\n"
        "from grader.generation.grower import grow_many\n"
        "from grader.generation.recipe_file import default_recipe\n"
        f"for kind in {kinds}:\n"
        "    for exercise in grow_many(default_recipe(kind), 'midterm', 2):\n"
        "        print(json.dumps(exercise.to_json()))\n"
    )
    surrounding = {"PYTHONHASHSEED": "1", "LC_ALL": "tr_TR.UTF-8", "TZ": "Pacific/Chatham"}
    printed = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | surrounding, capture_output=True, check=True, text=True
    ).stdout
    here = [exercise for kind in kinds for exercise in grow_many(default_recipe(kind), "midterm", 2)]
    assert printed.splitlines() == [json.dumps(exercise.to_json()) for exercise in here]


@pytest.mark.parametrize("name", ["pruned-paths", "best-move", "chance-cuts"])
def test_more_variants_begin_with_the_same_ones(name: str) -> None:
    """How many variants are asked for does not change the first ones, and one is the first of many."""
    recipe = default_recipe(name)
    many = [written(exercise) for exercise in grow_many(recipe, "prefix", 7)]
    assert many[:3] == [written(exercise) for exercise in grow_many(recipe, "prefix", 3)]
    assert many[0] == written(grow(recipe, "prefix"))
    assert many[0] != written(grow(recipe, "another"))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", NAMES)
def test_variants_are_equally_hard_and_different(name: str) -> None:
    """Variants share the profile the recipe names, no two have the same order pattern, and keys differ."""
    recipe = default_recipe(name)
    variants = list(grow_many(recipe, "class", 15))
    for field in shared_fields(recipe) if recipe.question_kind.needs_tree else ():
        assert len({variant.profile[field] for variant in variants}) == 1, field
    patterns = set()
    for variant in variants:
        tree = variant.public.tree
        row = [tree.payoffs[leaf] for leaf in tree.leaves]
        ordered = sorted({payoff for payoff in row if not isinstance(payoff, str)})
        pattern = tuple(payoff if isinstance(payoff, str) else ordered.index(payoff) for payoff in row)
        patterns.add((tree.parents, tree.probabilities, pattern, variant.public.given))
    assert len(patterns) == len(variants)
    keys = [variant.key for variant in variants]
    assert len(set(keys)) > (1 if recipe.question_kind.form.name == "truth" else 2)
    if name in ("pruned-paths", "pruned-branches", "node-values", "windows", "expected-values"):
        assert len(set(keys)) > 10
    if name == "best-move":
        assert {keys.count(key) for key in keys} == {5}
    if name == "best-path":
        assert len(set(keys[:12])) == 12


def test_ranks_are_what_is_left_of_payoffs_when_only_their_order_counts() -> None:
    """Increasing changes of the numbers keep the ranks; exchanging two different ones does not."""
    first, same, other = (
        payoff_ranks(tree_of(f"MAX (MIN ({row}) MIN (10))").payoffs)
        for row in ("30 10 20", "3 -1 2.5", "30 20 15")
    )
    assert first == (None, None, 2, 0, 1, None, 0)
    assert payoff_ranks(tree_of("MAX (MIN (3 -1 2.5) MIN (-1))").payoffs) == first
    assert same != first != other
    assert payoff_ranks(tree_of("MAX (MIN (30 x) MIN (10))").payoffs) == (None, None, 1, "x", None, 0)


def test_numbers_next_to_an_unknown_payoff_are_compared_themselves() -> None:
    """Trees with an unknown payoff have one pattern of bottom nodes only if their numbers are the same."""
    one, other, same = (tree_of(f"MAX (MIN ({number} x) MIN (10))") for number in ("30", "20", "30"))
    assert bottom_node_pattern(one) == bottom_node_pattern(same) != bottom_node_pattern(other)


def test_bottom_nodes_in_another_order_are_the_same_exercise() -> None:
    """Where a bottom node stands does not count, how often does, and so does what is in it."""
    text = "MAX (MIN (MAX (3 12) MAX (8 2)) MIN (MAX (4 6) MAX (14 5)))"
    pattern = bottom_node_pattern(tree_of(text))
    assert pattern == bottom_node_pattern(
        tree_of("MAX (MIN (MAX (14 5) MAX (8 2)) MIN (MAX (3 12) MAX (4 6)))")
    )
    assert pattern == bottom_node_pattern(
        tree_of("MAX (MIN (MAX (40 60) MAX (80 20)) MIN (MAX (90 50) MAX (30 85)))")
    )
    assert pattern != bottom_node_pattern(
        tree_of("MAX (MIN (MAX (12 3) MAX (8 2)) MIN (MAX (4 6) MAX (14 5)))")
    )
    assert pattern != bottom_node_pattern(
        tree_of("MIN (MAX (MIN (3 12) MIN (8 2)) MAX (MIN (4 6) MIN (14 5)))")
    )
    assert bottom_node_pattern(tree_of("MAX (1 MIN (2 3))")) != bottom_node_pattern(
        tree_of("MAX (1 MIN (2 3) MIN (2 3))")
    )
    likely = [tree_of(f"MAX (CHANCE ({odds}: 1, 1/2: 2) 3)") for odds in ("1/2", "0.5")]
    assert bottom_node_pattern(likely[0]) == bottom_node_pattern(likely[1])
    assert bottom_node_pattern(tree_of("MAX (CHANCE (1/4: 1, 3/4: 2) 3)")) != bottom_node_pattern(likely[0])


def test_a_record_reads_back() -> None:
    """What is written of a grown exercise reads back as the same exercise."""
    exercise = grow(default_recipe("pruned-paths"), "record")
    again = read_exercise(json.dumps(exercise.to_json()))
    assert not isinstance(again, Diagnostics)
    assert again.to_json() == exercise.to_json()


def test_the_terms_of_a_recipe_reach_the_exercise() -> None:
    """Points, policy and digits in the recipe are those of the exercise."""
    recipe = changed("pruned-paths", question__points=5, question__policy="deduct:1/2", question__digits=1)
    terms = grow(recipe, 1).public.terms
    assert terms == recipe.question
    assert (terms.points, terms.policy.name, terms.digits) == (5, "deduct", 1)


def test_a_recipe_that_yields_nothing_says_what_refused_how_many() -> None:
    """When the cap is reached the error names the requirements and how many candidates each refused."""
    recipe = changed(
        "pruned-paths",
        shape__branching=3,
        separate__most=1,
        require__pruned=[16, 16],
        require__beta_cuts=3,
        cap=2000,
    )
    with pytest.raises(ExhaustedError) as caught:
        grow(recipe, 1)
    refused = caught.value.report.refused
    assert refused["pruned"] > 1500
    assert caught.value.report.candidates == sum(refused.values()) >= 2000
    assert "pruned" in str(caught.value)
    assert str(refused["pruned"]) in str(caught.value)


def test_beliefs_that_cannot_be_told_apart_exhaust_the_cap() -> None:
    """A belief that always agrees with another one cannot be separated from it, and the report says so."""
    recipe = changed("best-path", separate__each_other=["players-swapped", "ignores-opponent"], cap=3000)
    grown = grow(recipe, 1)
    assert grown.beliefs["best-path.players-swapped"] != grown.beliefs["best-path.ignores-opponent"]
    narrow = changed(
        "best-move",
        shape__branching=[2, 2, 2],
        separate__key=["players-swapped", "ignores-opponent"],
        separate__each_other=["players-swapped", "ignores-opponent"],
        cap=3000,
    )
    with pytest.raises(ExhaustedError, match="beliefs players-swapped and ignores-opponent"):
        grow(narrow, 1)


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("pruned-paths", {"rules__ties": "keep", "payoffs__distinct": False, "require__ties": "any"}),
        ("pruned-paths", {"require__ties": "different", "payoffs__distinct": False}),
        ("pruned-paths", {"rules__order": "right-to-left"}),
        pytest.param("pruned-paths", {"shape__root": "MIN"}, marks=pytest.mark.slow),
        pytest.param(
            "pruned-paths",
            {"shape__branching": [3, [2, 3], [2, 4]], "require__pruned": [4, 14]},
            marks=pytest.mark.slow,
        ),
        pytest.param("best-move", {"require__best_leaf": "not-first-branch"}, marks=pytest.mark.slow),
        ("best-path", {"payoffs__step": "1/2", "shape__root": "MIN"}),
        ("expected-values", {"shape__probabilities": "uniform", "require__places": 2}),
        ("expected-values", {"shape__chance": [0]}),
        ("pruned-branches", {"separate__key": ["own-bound"], "variants__same": []}),
        ("visiting-order", {"variants__evenly": "none"}),
    ],
    ids=str,
)
def test_changed_recipes_give_what_they_say(kind: str, changes: dict[str, object]) -> None:
    """Recipes far from the default are fulfilled as well, under either tie rule, order and root."""
    recipe = changed(kind, **changes)
    for exercise in grow_many(recipe, "changed", 3):
        assert_as_asked_but_deep(recipe, exercise)
        if recipe.separate.key is None:
            assert_separated(recipe, exercise)


def assert_as_asked_but_deep(recipe: Recipe, exercise: Exercise) -> None:
    """As `assert_as_asked`; the oracle for deep cuts knows the rule that ties cut only."""
    assert recipe.rules.ties == "cut" or recipe.shape.plies < 4
    assert_as_asked(recipe, exercise)


def test_a_survey_has_several_levels() -> None:
    """Different seeds take different levels of a survey, each of which allows several answers."""
    recipe = changed("best-move", variants__same=["visited"])
    levels = take_survey(recipe).levels
    assert all(len(level.strata) > 1 for level in levels)
    assert len({level.shared_measures for level in levels}) > 1
    visited = {grow(recipe, seed).profile["visited"] for seed in range(12)}
    assert len(visited) > 1


def test_the_grower_goes_on_where_it_stopped() -> None:
    """Asking a grower twice gives the same variants as asking once."""
    recipe = default_recipe("best-path")
    grower = Grower(recipe, "on")
    twice = [written(each) for count in (2, 3) for each in grower.exercises(count)]
    assert twice == [written(each) for each in grow_many(recipe, "on", 5)]


TEXTBOOK = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", NAMES)
def test_a_given_tree_becomes_an_exercise_or_is_refused_with_the_reason(name: str) -> None:
    """A kind asks about the textbook tree, or says that it needs chance or something beside the tree."""
    kind = find_kind(name)
    assert kind is not None
    tree = tree_of(TEXTBOOK)
    why_not = kind.objection(Case(tree, Rules()))
    if why_not is not None:
        assert kind.draw is not None or "chance" in why_not
        with pytest.raises(ExerciseError, match=re.escape(why_not)):
            exercise_on_tree(tree, kind, Rules())
        return
    exercise = exercise_on_tree(tree, kind, Rules())
    assert exercise.seed is None
    assert exercise.profile["visited"] == 7
    assert exercise.answer(exercise.key) == kind.key(Case(tree, Rules()))


def test_a_given_tree_with_chance_nodes_is_refused_by_plain_pruning() -> None:
    """The reason names the kind that fits."""
    kind = find_kind("pruned-paths")
    assert kind is not None
    with pytest.raises(ExerciseError, match="chance-cuts"):
        exercise_on_tree(tree_of("MAX (CHANCE (1 2) CHANCE (3 4))"), kind, Rules())


def test_the_kinds_about_searching_are_those_with_search_beliefs() -> None:
    """The generator counts the work of a search for exactly the kinds that ask about one."""
    assert all(kind.depends_on_search or "right-to-left" not in kind.beliefs for kind in all_kinds())


def test_a_small_shape_gives_all_its_answers() -> None:
    """On three plies of two only leaves 4, 7 and 8 can be pruned: each of five sets comes as often."""
    shape = {"shape__plies": 3, "shape__branching": 2, "require__pruned": [1, 3]}
    cuts = {f"require__{name}_cuts": 0 for name in ("alpha", "beta", "subtree")}
    keys = Counter(
        exercise.key for exercise in grow_many(changed("pruned-paths", **shape, **cuts), "class", 20)
    )
    assert keys == dict.fromkeys(("4", "8", "4 8", "7 8", "4 7 8"), 4)


def test_what_was_asked_comes_again_where_there_is_nothing_else() -> None:
    """Four payoffs on four leaves make 24 trees: none comes twice, and then the generator says so."""
    recipe = changed("root-value", shape__plies=2, shape__branching=2, payoffs__range=[1, 4])
    grower = Grower(recipe, "all")
    trees: list[Tree] = []
    with pytest.raises(ExhaustedError, match="question seen before"):
        trees.extend(exercise.public.tree for exercise in grower.exercises(100))
    assert 12 < len(trees) == len(set(trees)) <= 24


@pytest.mark.parametrize(("plies", "branching"), [(2, 2), (2, [2, 3]), (2, [3, 2]), (3, 2)])
def test_moot_beliefs_are_those_that_never_differ(plies: int, branching: object) -> None:
    """On every order of the payoffs of a small tree a belief is moot or differs from the search somewhere."""
    recipe = changed(
        "pruned-paths",
        shape__plies=plies,
        shape__branching=branching,
        require__pruned=[0, 3],
        **{f"require__{name}_cuts": 0 for name in ("alpha", "beta", "subtree")},
    )
    skeleton = fixed_skeleton(recipe.shape)
    leaves = list(skeleton.leaves)
    orders = numpy.array(list(permutations(range(len(leaves)))), numpy.int64)
    block = Block(skeleton, Payoffs(0, len(leaves) - 1), orders)
    names = tuple(name for name in recipe.question_kind.beliefs if name in MISCONCEPTIONS)
    earned = mistake_shares(recipe, block, names, search_block(block, recipe.rules).visited)
    always = {name for name, least in zip(names, earned.map(int).min(axis=1), strict=True) if least}
    assert always == {name for name in moot_beliefs(recipe) if name in names}


def test_growers_of_a_run_agree_and_hardly_repeat() -> None:
    """Exercises of many seeds of one run are equally hard, and share keys about as rarely as those of one.

    The key is drawn before the tree, although no grower sees the others.
    """
    recipe, count = default_recipe("pruned-branches"), 60
    one_seed = list(grow_many(recipe, "run", count))
    many_seeds = [next(grow_many(recipe, f"student {number}", 1, run="run")) for number in range(count)]
    shared = shared_fields(recipe)
    assert {tuple(each.profile[name] for name in shared) for each in (*one_seed, *many_seeds)} == {
        tuple(one_seed[0].profile[name] for name in shared)
    }
    assert len({each.public.tree for each in many_seeds}) == count
    assert _equal_pairs(many_seeds) <= 0.03 + _equal_pairs(one_seed)
    again = next(grow_many(recipe, "student 7", 1, run="run"))
    assert again.to_json() == many_seeds[7].to_json()


def _equal_pairs(exercises: Sequence[Exercise]) -> float:
    """The share of pairs with the same key."""
    counts = Counter(exercise.key for exercise in exercises).values()
    return sum(count * (count - 1) for count in counts) / (len(exercises) * (len(exercises) - 1))
