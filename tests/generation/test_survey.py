"""The survey of a recipe: what variants have in common, and what mistakes earn of them."""

from collections.abc import Hashable
from dataclasses import replace
from fractions import Fraction

import pytest

from grader.generation import survey
from grader.generation.grower import grow_many
from grader.generation.level import CheckedTree, Shares, Survivor, find_level, mean_of_shares
from grader.generation.recipe_file import default_recipe, with_changes
from grader.generation.selection import ExhaustedError, answers_by_belief
from grader.generation.shape import Shape, draw_skeleton, has_frequent_leaves
from grader.generation.stream import Stream
from grader.generation.survey import SKELETON_COUNT, take_survey
from grader.questions import all_kinds
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.tree import EMPTY

NAMES = sorted(kind.code for kind in all_kinds() if kind.needs_tree)


def tree(shares: Shares, stratum: int = 0, answer: Hashable = None) -> CheckedTree:
    """A good tree of a survey, whose answer no other has unless it is given."""
    survivor = Survivor(EMPTY, (), (7,), stratum, 0, ())
    return CheckedTree(survivor, 0, object() if answer is None else answer, shares)


def test_a_kind_without_a_tree_that_cannot_be_asked_is_refused() -> None:
    """Without a single good case there is nothing to change the payoffs of, and the recipe is refused."""
    recipe = with_changes(default_recipe("board-position.pruned"), {"rules.window": [1, 5]})
    assert not isinstance(recipe, Diagnostics)
    with pytest.raises(ExhaustedError):
        take_survey(recipe)


def test_a_level_has_the_most_answers() -> None:
    """Shares are narrowed where most answers are, the average last; shares that are missing fit anywhere."""
    rows = [(500, 100)] * 20 + [(500, 900)] * 15 + [(None, 300)] * 5
    level = find_level([tree(row, place % 2) for place, row in enumerate(rows)], 250, 1000)
    assert level.shares == ((500, 750), (100, 350))
    assert (level.size, level.strata, level.shared_measures) == (25, (0, 1), (7,))
    assert level.includes((None, 300), object())
    assert not level.includes((500, 900), object())
    even = find_level([tree((share, 500 - share)) for share in range(0, 251, 10)], 250, 0)
    assert even.mean_share == (250, 250)
    assert even.size == 26


def test_a_level_is_no_narrower_than_leaves_enough_trees() -> None:
    """Where no narrow span has a dozen trees, the narrowest span that has them is taken."""
    level = find_level([tree((100 * place,)) for place in range(14)], 250, 1000)
    assert level.size == 6
    assert level.shares == ((0, 500),)


def test_answers_of_a_level_are_equally_long() -> None:
    """Answers of one level differ by two leaves or entries at most, where most of them are."""
    trees = [tree((), answer=frozenset(range(place))) for place in (1, *[4] * 9, 5, 6, 9)]
    level = find_level(trees, 250, 120)
    assert (level.answer_size, level.size) == ((4, 6), 11)
    assert level.includes((), frozenset(range(5)))
    assert not level.includes((), tuple(range(7)))


def test_a_rare_stratum_is_left_out() -> None:
    """A value of what is spread evenly is not waited for if one tree in a hundred has it."""
    level = find_level([tree((), min(place, 1)) for place in range(100)], 250, 120)
    assert level.strata == (1,)
    assert level.skeletons == (EMPTY,)


def test_the_average_is_that_of_mistakes_with_an_answer() -> None:
    """Mistakes that lead to no answer do not count; without any the average is 0."""
    assert mean_of_shares((500, None, 101)) == 300
    assert mean_of_shares((None,)) == mean_of_shares(()) == 0


@pytest.mark.parametrize("name", ["board-position.move", "imperfect-opponent.gain"])
def test_a_survey_is_the_same_in_every_language(name: str) -> None:
    """A survey taken in Chinese has the levels of the one that all languages share, whatever labels say."""
    recipe = default_recipe(name)
    chinese = replace(recipe, question=replace(recipe.question, language_code="zh"))
    own = survey._survey(chinese, lambda _done: None, SKELETON_COUNT)
    shared = take_survey(recipe)
    assert own == shared
    assert take_survey(chinese) is shared


def test_a_survey_depends_on_its_arguments_alone() -> None:
    """A survey on few skeletons, taken for a trial, is not the survey that is drawn from later."""
    recipe = replace(default_recipe("visited-count"), cap=4_000)
    trial = take_survey(recipe, skeletons=2)
    assert len(trial.levels[0].skeletons) <= 2 < len(take_survey(recipe).levels[0].skeletons)
    assert take_survey(recipe, skeletons=2) == trial


@pytest.mark.parametrize("name", ["pruned-paths", "node-values", "windows.own-values"])
def test_variants_are_of_one_level(name: str) -> None:
    """What a mistake earns, and what all earn on average, stays within the spreads of the recipe."""
    recipe = default_recipe(name)
    (level, *_) = take_survey(recipe).levels
    rows = []
    for exercise in grow_many(recipe, "level", 12):
        kind, public = exercise.kind, exercise.public
        key = exercise.answer(exercise.key)
        rows.append(
            {
                belief: kind.earned_share(public.case, answer, key, public.terms)
                for belief, answer in answers_by_belief(kind, public.case).items()
            }
        )
    assert level.shares
    for belief in {belief for row in rows for belief in row}:
        shares = [row[belief] for row in rows if belief in row]
        assert max(shares) - min(shares) <= recipe.separate.spread + Fraction(1, 1000)


def test_drawn_trees_have_as_many_leaves_as_asked_for() -> None:
    """All numbers of leaves between the limits are drawn and no other, in many shapes."""
    shape = Shape(3, ((2, 3),) * 3, leaves=(13, 15))
    drawn = [draw_skeleton(shape, Stream(seed)) for seed in range(200)]
    assert {len(tree.leaves) for tree in drawn} == {13, 14, 15}
    assert {len(below) for tree in drawn for below in tree.children} == {0, 2, 3}
    assert len({tree.parents for tree in drawn}) > 80
    assert shape.max_leaves() == 15


def test_rare_numbers_of_leaves_are_refused() -> None:
    """Only one tree in eight thousand has three children everywhere, and none has seven leaves."""
    assert has_frequent_leaves(Shape(3, ((2, 3),) * 3, leaves=(10, 10)))
    for leaves in (7, 27):
        recipe = with_changes(
            default_recipe("root-value"), {"shape.branching": [[2, 3]] * 3, "shape.leaves": [leaves, leaves]}
        )
        assert isinstance(recipe, Diagnostics)
        assert "hardly any tree" in str(recipe)


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
