"""The figures that the exercises of the recipes keep to: their size, fairness, and what copying brings."""

from collections import Counter
from collections.abc import Sequence

import pytest

from grader.exercises.exercise import Exercise
from grader.generation.earnings import Earnings, measure_earnings
from grader.generation.grower import grow_many
from grader.generation.limits import moot_beliefs
from grader.generation.recipe_file import default_recipe
from grader.generation.survey import has_partial_credit
from grader.questions import all_kinds

pytestmark = pytest.mark.slow

FIRST_ELEVEN = (
    "root-value",
    "best-move",
    "best-path",
    "node-values",
    "pruned-paths",
    "pruned-branches",
    "visited-count",
    "windows",
    "windows.own-values",
    "visiting-order",
    "expected-values",
)

COUNT, FEWER = 200, 40
"""How many variants of the first eleven kinds, and of all others."""

MAX_LEAVES, MAX_VISITED, MAX_VISITED_SPREAD = 18, 12, 2
"""The size of a question in an exam; the spread is that of a kind that does not ask for the count."""

MAX_NEIGHBOUR, MAX_TEMPTED, MAX_SAME_KEY, MAX_SIMILAR = 0.20, 0.10, 0.03, 0.02
"""What copying may bring where answers have parts: on average, from some other key, by shared entries."""

MAX_MILD_AVERAGE, MAX_MILD_SHARE = 0.91, 0.95
"""The most that mild mistakes earn, which may earn more than the others: their recipes give the reason."""

TEMPTING = {"board-position.values": 0.35}
"""Where more keys earn 3/4: of four values in a table of connect four three are often alike."""

FEW_KEYS = {"board-position.pruned": 0.06}
"""Where more students share a key: few sets of positions are pruned in tic-tac-toe with five signs."""

EVEN = 0.04
"""By how much one text may earn more than one of the possible answers does."""

MIN_ANSWERS, MAX_RARE_TEXT = 7, 0.10
"""Where nobody can count the answers so many come at least, and one text may earn so much on average."""

MAX_HALF_CORRELATION = 0.4
"""How far two halves of a class may agree on which variants are hard."""

NAMES = [kind.code for kind in all_kinds()]


@pytest.fixture(scope="module", params=NAMES)
def run(request: pytest.FixtureRequest) -> list[Exercise]:
    """The exercises of one run."""
    count = COUNT if request.param in FIRST_ELEVEN else FEWER
    return list(grow_many(default_recipe(request.param), "figures", count))


def test_what_is_had_without_knowing(run: list[Exercise]) -> None:
    """Mistakes, one text for all, what a neighbour has, and shared keys stay within their limits."""
    earnings = measure_earnings(run)
    hold_mistakes(run[0].kind.code, earnings)
    hold_texts(run, earnings)
    assert earnings.half_correlation is None or earnings.half_correlation <= MAX_HALF_CORRELATION


def hold_mistakes(name: str, earnings: Earnings) -> None:
    """No mistake earns the full mark, or more than the recipe allows; papers are equally hard."""
    recipe = default_recipe(name)
    for belief, earned in earnings.mistakes:
        if belief in moot_beliefs(recipe):
            continue
        if has_partial_credit(recipe.question_kind):
            mild = belief in recipe.separate.mild
            average = MAX_MILD_AVERAGE if mild else recipe.max_average
            most = MAX_MILD_SHARE if mild else recipe.max_share
            assert earned.average <= average, (belief, float(earned.average))
            assert earned.maximum <= most, (belief, float(earned.maximum))
            assert earned.spread <= recipe.separate.spread, (belief, float(earned.spread))
        assert earned.maximum < 1, belief
    if has_partial_credit(recipe.question_kind):
        assert earnings.mixture.spread <= recipe.separate.mean_spread


def hold_texts(run: Sequence[Exercise], earnings: Earnings) -> None:
    """Tables, sets and orders hardly share a key; of the answers that are possible each comes as often."""
    kind, keys = run[0].kind, {exercise.key for exercise in run}
    if has_partial_credit(kind):
        assert earnings.tempting_keys <= TEMPTING.get(kind.code, MAX_TEMPTED)
    if earnings.guess is None and has_partial_credit(kind):
        assert earnings.fixed_text.average <= 0.30
        assert earnings.neighbour.average <= MAX_NEIGHBOUR
        assert earnings.same_key_pairs <= FEW_KEYS.get(kind.code, MAX_SAME_KEY)
        assert earnings.similar_tables <= MAX_SIMILAR
    else:
        if earnings.guess is None:
            assert len(keys) >= MIN_ANSWERS
            limit = max(MAX_RARE_TEXT, 1 / len(keys) + EVEN)
        else:
            limit = earnings.guess + EVEN
        assert earnings.fixed_text.average <= limit, float(earnings.fixed_text.average)
        assert earnings.neighbour.average <= limit, float(earnings.neighbour.average)
        if kind.form.set_of:
            assert earnings.same_key_pairs <= max(EVEN, limit - EVEN + 0.01)


def test_questions_have_the_size_of_exams(run: list[Exercise]) -> None:
    """No tree has more than 18 leaves, no search visits more than 12, and variants differ by 2 at most."""
    trees = [exercise.public.tree for exercise in run]
    if run[0].kind.code == "strategy.never-lose":
        return  # the tree is the rest of a game
    assert max(len(tree.leaves) for tree in trees) <= MAX_LEAVES
    if not run[0].kind.visits_shown or not run[0].kind.needs_tree:
        return
    visited = [exercise.profile["visited"] for exercise in run]
    if run[0].kind.visits_shown != "count":
        assert max(visited) <= MAX_VISITED
        assert max(visited) - min(visited) <= MAX_VISITED_SPREAD


def test_shapes_are_drawn_for_every_student() -> None:
    """Of forty variants no more than three have the same shape."""
    for name in ("pruned-paths", "pruned-branches", "visiting-order"):
        shapes = Counter(
            exercise.public.tree.parents for exercise in grow_many(default_recipe(name), "shapes", 40)
        )
        assert max(shapes.values()) <= 3
