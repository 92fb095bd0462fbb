"""What a tree tells apart: judged by marking what beliefs and guesses would write."""

from dataclasses import replace
from fractions import Fraction
from math import ceil
from random import Random

import pytest

from grader.exercises.exercise import Exercise, make_exercise
from grader.exercises.marking import Marker
from grader.generation.grower import grow
from grader.generation.limits import beliefs_apart_from_key, moot_beliefs
from grader.generation.mistake_credit import batch_measured_beliefs
from grader.generation.recipe import Recipe, Separate
from grader.generation.recipe_file import default_recipe
from grader.generation.selection import answers_by_belief, separation_penalty
from grader.questions.case import Case
from grader.trees.tree import Tree
from tests.generation.test_growing import changed, tree_of
from tests.strategies import random_tree

KINDS = ("pruned-paths", "pruned-branches", "visiting-order", "node-values", "visited-count", "windows")


def guesses(kind: str, tree: Tree, mirrored: bool) -> dict[str, str]:
    """What somebody writes who knows only the shape of the tree and the order."""
    paths = [str(path) for path in range(1, len(tree.leaves) + 1)]
    children = tree.children[0]
    last = children[0] if mirrored else children[-1]

    def below(node: int) -> str:
        return " ".join(str(tree.paths[leaf]) for leaf in tree.leaves_below(node))

    def branch(node: int) -> str:
        return str(tree.paths[node]) if tree.players[node] is None else tree.names[node]

    if kind == "visiting-order":
        return {"everything": " ".join(reversed(paths) if mirrored else paths)}
    if kind == "pruned-paths":
        return {"everything": " ".join(paths), "nothing": "none", "last branch": below(last)}
    if kind == "pruned-branches":
        found = {"nothing": "none", "last branch": branch(last)}
        if tree.children[last]:
            found["last branch's children"] = " ".join(map(branch, tree.children[last]))
        return found
    return {}


def faults(recipe: Recipe, exercise: Exercise) -> tuple[set[str], set[str], set[str]]:
    """What is not told apart: beliefs from the key, beliefs from each other, guesses from the key."""
    marker, full, beliefs = Marker(exercise), exercise.public.terms.points, recipe.question_kind.beliefs
    pointless = moot_beliefs(recipe)

    def chosen(names: tuple[str, ...] | None) -> list[str]:
        return [name for name in (tuple(beliefs) if names is None else names) if name not in pointless]

    tree, rules, form = exercise.public.tree, exercise.public.rules, recipe.question_kind.form
    answers = {name: belief(exercise.public.case) for name, belief in beliefs.items()}
    written = {name: form.write(answer, tree) for name, answer in answers.items() if answer is not None}
    key = {
        f"belief {name}"
        for name in chosen(recipe.separate.key)
        if name in written and marker.mark(written[name]).points == full
    }
    apart = [name for name in chosen(recipe.separate.each_other) if name in written]
    pairs = {
        f"beliefs {one} and {other}"
        for place, one in enumerate(apart)
        for other in apart[place + 1 :]
        if written[one] == written[other]
    }
    replies = {
        f"reply {name}"
        for name, text in guesses(recipe.kind, tree, rules.order == "right-to-left").items()
        if marker.mark(text).points == full
    }
    return key, pairs, replies


@pytest.mark.sampled(5)
@pytest.mark.parametrize("order", ["left-to-right", "right-to-left"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_told_apart(kind: str, order: str) -> None:
    """A tree is refused for a belief or guess that earns the full mark, and for two beliefs of one answer.

    All is counted that is not more than enough, and of what is more, so much that it is more.
    """
    random = Random(5)
    default = changed(kind, rules__order=order)
    names = tuple(default.question_kind.beliefs)
    seen = set()
    for _ in range(60):
        tree = random_tree(random, plies=3, leaves=7, payoffs=tuple(range(12)))
        wishes = (tuple(random.sample(names, min(len(names), random.randrange(4)))) for _ in range(2))
        recipe = replace(default, separate=Separate(*wishes, most=1))
        case = Case(tree, recipe.rules)
        if recipe.question_kind.objection(case) is not None:
            continue
        exercise = make_exercise(recipe.question_kind, tree, recipe.rules, recipe.question)
        answers = answers_by_belief(recipe.question_kind, case)
        key = recipe.question_kind.key(case)
        total, told = separation_penalty(recipe, case, key, answers.get, recipe.max_share)
        # The worst fault is told: pairs before keys, and keys before guesses.
        of_key, pairs, replies = faults(recipe, exercise)
        of_key = {
            fault for fault in of_key if fault.removeprefix("belief ") not in batch_measured_beliefs(recipe)
        }
        assert told in next((found for found in (pairs, of_key, replies) if found), {""})
        assert (total == 0) == (told == "")
        for enough in (0, total // 2, total):
            heard, _ = separation_penalty(recipe, case, key, answers.get, recipe.max_share, enough)
            assert heard == total if total <= enough else enough < heard <= total
        seen.add(told.split()[0] if told else None)
    assert {None, "beliefs"} <= seen
    assert "belief" in seen or batch_measured_beliefs(default)
    assert ("reply" in seen) == bool(guesses(kind, tree_of("MAX A (MIN B (1 2) 3)"), False))


def test_what_a_mistake_earns_too_much_is_counted_in_thousandths() -> None:
    """Rounded up; mild mistakes may earn what they like."""
    recipe = default_recipe("windows")
    exercise = grow(recipe, 1)
    public, kind = exercise.public, recipe.question_kind
    key = exercise.answer(exercise.key)
    answers = {"returns-hard": key[:-1]}
    earned = kind.earned_share(public.case, key[:-1], key, recipe.question)
    strict = replace(recipe, separate=replace(recipe.separate, key=None, mild=()))
    mild = replace(strict, separate=replace(strict.separate, mild=("returns-hard",)))
    assert Fraction(1, 7) < earned < 1
    told = (public.case, key, answers.get)
    assert separation_penalty(strict, *told, Fraction(1, 7)) == (
        ceil(1000 * (earned - Fraction(1, 7))),
        "belief returns-hard",
    )
    assert separation_penalty(mild, *told, Fraction(1, 7))[0] == 0
    assert separation_penalty(strict, *told, earned)[0] == 0
    none = Fraction(0)
    assert separation_penalty(strict, *told, none)[0] == ceil(1000 * earned)
    both = (*told[:-1], (answers | {"returns-soft": key[:-1]}).get)
    assert separation_penalty(strict, *both, none)[0] == 2 * ceil(1000 * earned)
    assert separation_penalty(strict, *both, none, ceil(1000 * earned) - 1)[0] == ceil(1000 * earned)


def test_beliefs_are_looked_at_where_they_are_not_measured() -> None:
    """Searches are measured of many trees at once, other beliefs are looked at tree by tree."""
    asked: dict[str, set[str]] = {}
    for name in ("pruned-paths", "windows"):
        recipe, exercise = default_recipe(name), grow(default_recipe(name), 1)
        public, names = exercise.public, asked.setdefault(name, set())
        key = exercise.answer(exercise.key)
        separation_penalty(recipe, public.case, key, names.add, recipe.max_share)
        assert names == {*beliefs_apart_from_key(recipe)} - {*batch_measured_beliefs(recipe)}
    assert batch_measured_beliefs(default_recipe("pruned-paths"))
    assert asked["windows"]
