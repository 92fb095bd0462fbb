"""How fast exercises grow: candidates judged in lockstep against one at a time, and whole exercises."""

from collections.abc import Callable
from itertools import islice
from statistics import mean, median
from time import perf_counter, process_time

import numpy
import pytest

from grader.generation.candidates import Block, draw_block
from grader.generation.growing import Grower, grow_many
from grader.generation.recipe import Recipe
from grader.generation.recipe_file import default_recipe, with_changes
from grader.generation.requirements import judge_many
from grader.generation.stream import Stream
from grader.kinds import every_kind
from tests.benchmarks.textbook import textbook_search
from tests.generation.judging import candidate, judge_one

pytestmark = pytest.mark.benchmark


def best(work: Callable[[], object], times: int = 7, clock: Callable[[], float] = perf_counter) -> float:
    """The shortest time that some work takes, in seconds."""
    durations = []
    for _ in range(times):
        start = clock()
        work()
        durations.append(clock() - start)
    return min(durations)


def test_lockstep_judges_a_hundred_times_as_fast_as_search() -> None:
    """Three plies by three branches: three million candidates a second, a hundred times one at a time."""
    recipe = with_changes(default_recipe("pruned-paths"), {"shape.branching": 3, "require.pruned": [5, 14]})
    assert isinstance(recipe, Recipe)
    blocks = [draw_block(recipe, Stream("benchmark"), number) for number in range(16)]
    many = Block(blocks[0].skeleton, recipe.payoffs, numpy.concatenate([block.places for block in blocks]))
    trees = [candidate(many, row) for row in range(200)]
    together = best(lambda: judge_many(recipe, many)) / len(many.places)
    alone = best(lambda: [judge_one(recipe, tree) for tree in trees], 3) / len(trees)
    print(
        f"\n{1 / together:,.0f} candidates a second in lockstep, {alone / together:,.0f} times one at a time"
    )
    assert 1 / together >= 3_000_000
    assert alone / together >= 100


def test_drawing_keeps_up_with_judging() -> None:
    """Candidates are drawn in bulk, at three hundred thousand a second or more."""
    recipe = default_recipe("pruned-paths")
    numbers = iter(range(1000))
    drawing = best(lambda: draw_block(recipe, Stream("benchmark"), next(numbers)), 20) / 1024
    print(f"\n{1 / drawing:,.0f} candidates drawn a second")
    assert 1 / drawing >= 300_000


RATE = 94
"""So many candidates of 27 leaves are drawn and judged, or more, in the time of one textbook search."""


def test_candidates_drawn_and_judged() -> None:
    """Both together, 16 blocks drawn and judged at once, held each time against searches beside it."""
    recipe = with_changes(default_recipe("pruned-paths"), {"shape.branching": 3, "require.pruned": [5, 14]})
    assert isinstance(recipe, Recipe)
    numbers = iter(range(10_000))

    def drawn_and_judged() -> None:
        judge_many(recipe, draw_block(recipe, Stream("benchmark"), *islice(numbers, 16)))

    drawn_and_judged()
    ours = [best(drawn_and_judged, 1, process_time) / (16 * 1024 * textbook_search(20)) for _ in range(40)]
    print(f"\n{1 / median(ours):.0f} candidates in a textbook search")
    assert 1 / median(ours) >= RATE


IN_A_RUN = {
    "chance-cuts": (106, 319, 225),
    "windows": (85, 210, 125),
    "pruned-paths": (64, 75, 90),
    "root-value": (64, 110, 64),
    "best-path": (64, 64, 64),
    "pruned-branches": (64, 80, 92),
    "visiting-order": (64, 75, 85),
    "node-values": (64, 100, 75),
    "best-move": (64, 120, 64),
    "expected-values": (64, 105, 75),
}
"""The most textbook searches of 27 leaves that an exercise may take: its median, one in ten, and the mean."""


@pytest.mark.parametrize("name", IN_A_RUN)
def test_one_more_exercise(name: str) -> None:
    """In a run of forty each takes as long as some searches beside it; each in the median of five times.

    Litters are judged together, so that now and then one exercise waits for those of many: of that the mean
    tells.
    """
    recipe = default_recipe(name)
    next(Grower(recipe, "first").exercises(1))
    times: list[list[float]] = [[] for _ in range(40)]
    for _ in range(5):
        run = grow_many(recipe, "run", len(times))
        for durations in times:
            search = textbook_search(15)
            start = process_time()
            next(run)
            durations.append((process_time() - start) / search)
    searches = sorted(map(median, times))
    taken = [round(found) for found in (median(searches), searches[-len(searches) // 10], mean(searches))]
    print(f"\n{name}: {taken[0]} searches, one in ten above {taken[1]}, {taken[2]} on average")
    assert all(most >= each for most, each in zip(IN_A_RUN[name], taken, strict=True))


SEARCHES = 1_060
"""As many textbook searches of 27 leaves as an exercise may take: 50 ms where one takes 47 microseconds."""


@pytest.mark.parametrize("name", [kind.code for kind in every_kind()])
def test_a_finished_exercise_takes_as_long_as_a_thousand_searches(name: str) -> None:
    """By every recipe, alone and in a run: solved twice, compared with all mistakes and read back.

    The median over fifty seeds, after the survey of the recipe; each against textbook searches beside it.
    """
    recipe, variants = default_recipe(name), Grower(default_recipe(name), "run")
    alone, together = list[float](), list[float]()
    for seed in range(50):
        for grower, taken in ((Grower(recipe, seed), alone), (variants, together)):
            search = textbook_search(15)
            start = process_time()
            next(grower.exercises(1))
            taken.append((process_time() - start) / search)
    print(f"\n{name}: {median(alone):,.0f} searches for one, {median(together):,.0f} in a run")
    assert max(median(alone), median(together)) <= SEARCHES


def test_a_thousand_variants_take_ten_seconds() -> None:
    """A thousand different parallel variants of one exam question in ten seconds of one processor."""
    recipe = default_recipe("pruned-paths")
    start = process_time()
    patterns = {exercise.public.tree.payoffs for exercise in grow_many(recipe, "thousand", 1000)}
    duration = process_time() - start
    print(f"\n1,000 variants in {duration:.1f} s")
    assert len(patterns) == 1000
    assert duration <= 10
