"""What a tree tells apart: judged by marking what beliefs and guesses would write."""

from dataclasses import replace
from random import Random

import pytest

from grader.exercise import Exercise, make_exercise
from grader.generation.limits import moot
from grader.generation.recipe import Recipe, Separate
from grader.generation.separation import share, unseparated
from grader.kinds.given import NOTHING
from grader.marking import Marker
from grader.tree import Tree
from tests.generation.test_growing import changed, tree_of
from tests.strategies import random_tree

KINDS = (
    *("pruned-paths", "pruned-branches", "visiting-order", "node-values", "visited-count", "windows"),
    *("best-move", "best-path"),
)


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
    marker, full, beliefs = Marker(exercise), exercise.public.terms.points, recipe.asked.beliefs
    pointless = moot(recipe)

    def chosen(names: tuple[str, ...] | None) -> list[str]:
        return [name for name in (tuple(beliefs) if names is None else names) if name not in pointless]

    tree, rules, form = exercise.public.tree, exercise.public.rules, recipe.asked.form
    answers = {name: belief(tree, rules, NOTHING) for name, belief in beliefs.items()}
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


@pytest.mark.parametrize("order", ["left-to-right", "right-to-left"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_told_apart(kind: str, order: str) -> None:
    """A tree is refused for a belief or guess that earns the full mark, and for two beliefs of one answer."""
    random = Random(5)
    default = changed(kind, rules__order=order)
    names = tuple(default.asked.beliefs)
    seen = set()
    for _ in range(60):
        tree = random_tree(
            random, plies=3, leaves=7, payoffs=tuple(range(4 if kind.startswith("best") else 12))
        )
        wishes = (tuple(random.sample(names, min(len(names), random.randrange(4)))) for _ in range(2))
        recipe = replace(default, separate=Separate(*wishes))
        if recipe.asked.suits(tree, recipe.rules, NOTHING) is not None:
            continue
        exercise = make_exercise(recipe.asked, tree, recipe.rules, recipe.question)
        told = unseparated(recipe, tree, NOTHING, recipe.asked.key(tree, recipe.rules, NOTHING))
        # The first fault is told: keys before pairs, and pairs before guesses.
        first = next((found for found in faults(recipe, exercise) if found), {None})
        assert told in first
        seen.add(told and told.split()[0])
    assert {None, "belief", "beliefs"} <= seen
    assert ("reply" in seen) == bool(guesses(kind, tree_of("MAX A (MIN B (1 2) 3)"), False))


@pytest.mark.parametrize("kind", KINDS)
def test_a_share_is_the_mark(kind: str) -> None:
    """What a mistaken answer is said to earn is what it gets when it is marked, follow-through included."""
    random = Random(7)
    recipe = changed(kind)
    for _ in range(12):
        tree = random_tree(random, plies=3, leaves=9, payoffs=tuple(range(12)))
        rules, terms = recipe.rules, recipe.question
        if recipe.asked.suits(tree, rules, NOTHING) is not None:
            continue
        marker = Marker(make_exercise(recipe.asked, tree, rules, terms))
        key = recipe.asked.key(tree, rules, NOTHING)
        for belief in recipe.asked.beliefs.values():
            answer = belief(tree, rules, NOTHING)
            if answer is not None:
                points = marker.mark(recipe.asked.form.write(answer, tree)).points
                earned = share(recipe.asked, tree, rules, NOTHING, terms, answer, key)
                assert points == earned * terms.points
