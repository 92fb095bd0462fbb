"""The candidate pools that come with the recipes, and what their exercises are worth."""

from dataclasses import replace
from fractions import Fraction

import pytest

from grader.base.shipped import shipped_folder
from grader.generation.candidate_pool import build_candidate_pool, load_candidate_pool, pool_record
from grader.generation.candidate_pool_file import StoredPool, read_stored_pool, shipped_pool
from grader.generation.grower import grow_many
from grader.generation.recipe_file import default_recipe, with_changes
from grader.generation.selection import answers_by_belief
from grader.questions import all_kinds
from grader.trees.notation.diagnostics import Diagnostics
from tests.conftest import Golden

FOLDER = shipped_folder("problems")
NAMES = sorted(kind.code for kind in all_kinds() if kind.needs_tree)


def write_known(known: StoredPool) -> str:
    """The pool as JSON, with a line for each tree."""
    lines = (f"  [{skeleton}, [{', '.join(map(str, row))}]]" for skeleton, row in known.trees)
    return f'{{"slack": {known.slack}, "trees": [\n' + ",\n".join(lines) + "\n]}\n"


def test_every_recipe_comes_with_trees() -> None:
    """There is a file of trees for every recipe that needs some, and no other; it reads back as itself."""
    files = sorted((FOLDER / "stock").iterdir())
    assert [path.name for path in files] == [f"{name}.json" for name in NAMES]
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert write_known(read_stored_pool(text)) == text


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NAMES)
def test_a_stored_pool_was_built_for_its_recipe(name: str, golden: Golden) -> None:
    """The file of a recipe has the pool that is built for it: it only saves the time."""
    recipe = default_recipe(name)
    golden.hold(
        FOLDER / "stock" / f"{name}.json", write_known(pool_record(recipe, build_candidate_pool(recipe)))
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NAMES)
def test_a_stored_pool_is_restored(name: str) -> None:
    """The pool of a recipe has every tree of its file once, in the stratum that fits its measures."""
    recipe = default_recipe(name)
    known = shipped_pool(recipe)
    assert known is not None
    assert pool_record(recipe, load_candidate_pool(recipe)) == known


def test_trees_are_for_one_recipe() -> None:
    """Another demand on the trees needs other trees; the points and the language of a question do not."""
    recipe = default_recipe("pruned-paths")
    other = with_changes(recipe, {"require.pruned": [8, 20]})
    assert not isinstance(other, Diagnostics)
    assert shipped_pool(other) is None
    asked = replace(recipe.question, points=7, language_code="de", decimal_comma=True)
    assert shipped_pool(replace(recipe, question=asked)) == shipped_pool(recipe)
    exact = with_changes(recipe, {"question.policy": "exact"})
    assert not isinstance(exact, Diagnostics)
    assert shipped_pool(exact) is None


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NAMES)
def test_a_share_without_texts_is_that_of_the_mark(name: str) -> None:
    """What a belief earns is the best that crediting with all texts finds."""
    for exercise in grow_many(default_recipe(name), "shares", 3):
        kind, public = exercise.kind, exercise.public
        key = exercise.answer(exercise.key)
        for answer in answers_by_belief(kind, public.case).values():
            found = kind.credit(public.case, answer, key, public.terms)
            best = kind.earned_share(public.case, answer, key, public.terms)
            assert best == max(credit.share for credit in found)
            enough = Fraction(3, 10)
            least = kind.earned_share(public.case, answer, key, public.terms, enough)
            assert least == best if least > enough else least <= best <= 2 * enough
