"""How long exercises take: an estimate that grows with what there is to read, to work out and to write."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from grader import Exercise, tree_of
from grader.base.phrases import Language, count_words
from grader.exercises.exercise import with_wording
from grader.exercises.minutes import SECONDS_PER_VISIT, estimate_seconds, to_minutes
from grader.generation.grower import exercise_on_tree, grow
from grader.generation.recipe_file import default_recipe, with_changes
from grader.questions import kind_by_code
from grader.trees.rules import Rules
from tests.cli.running import gametree

BOOK = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"


def asked(kind: str, text: str = BOOK) -> Exercise:
    """An exercise of a kind about a tree."""
    return exercise_on_tree(tree_of(text), kind_by_code(kind), Rules())


def test_an_estimate_is_the_sum_of_its_parts() -> None:
    """Of the tree in the textbook seven leaves are visited, and two path numbers written down."""
    exercise = with_wording(asked("pruned-paths"), "Which?")
    words = len(exercise.public.prompt.split())
    assert estimate_seconds([exercise]) == round(7 * SECONDS_PER_VISIT + 2 * 3 + words * 0.4)


def test_more_to_visit_takes_longer() -> None:
    """Every visited leaf more takes as long again; leaves that are pruned take nothing."""
    less = asked("visited-count", "MAX A (MIN B (5 6 7) MIN C (4 8 9))")
    more = asked("visited-count", "MAX A (MIN B (5 6 7) MIN C (8 4 9))")
    assert less.profile["visited"] + 1 == more.profile["visited"]
    assert estimate_seconds([more]) - estimate_seconds([less]) == SECONDS_PER_VISIT


def test_what_is_known_is_read_once() -> None:
    """Conventions that two questions share are read in the first one only."""
    values, leaves = asked("node-values"), asked("pruned-paths")
    together = estimate_seconds([values, leaves])
    assert together < estimate_seconds([values]) + estimate_seconds([leaves])
    assert estimate_seconds([leaves, values]) == pytest.approx(together, abs=1)


def test_an_old_record_has_an_estimate_too() -> None:
    """Without a profile every leaf counts as visited."""
    exercise = replace(asked("pruned-paths"), profile={})
    assert estimate_seconds([exercise]) - estimate_seconds([asked("pruned-paths")]) == 2 * SECONDS_PER_VISIT


@pytest.mark.parametrize(
    ("text", "words"),
    [("", 0), ("Which leaves are pruned?", 4), ("哪些叶子被剪枝", 4), ("叶子5和6", 4), ("值是 −3", 2)],
)
def test_two_chinese_characters_are_a_word(text: str, words: int) -> None:
    """Words are what stands between blanks, and every two Chinese characters in a row, or the last one."""
    assert count_words(text) == words


def test_chinese_takes_about_as_long() -> None:
    """Two Chinese characters count as a word, so that a language without blanks is not read at once."""
    recipe = default_recipe("pruned-paths")
    english, chinese = (estimate_seconds([grow(recipe.in_language(code), 1)]) for code in languages())
    assert 0.8 * english < chinese < 1.2 * english


def languages() -> Iterator[Language]:
    """English and Chinese."""
    return map(Language.of, ("en", "zh"))


def test_exam_trees_take_two_to_four_minutes() -> None:
    """Trees of the size that exams set take the two to four minutes that exams give, today's default more."""
    small = with_changes(
        default_recipe("pruned-paths"),
        {"shape.branching": [3, 2, 2], "require.pruned": [3, 5], "separate.key": "none"},
    )
    for seed in range(5):
        assert 120 <= estimate_seconds([grow(small, seed)]) <= 240  # type: ignore[arg-type]  # it is a recipe


@pytest.mark.parametrize(
    ("seconds", "minutes"), [(0, "1/2"), (44, "1/2"), (46, "1"), (60, "1"), (80, "3/2"), (110, "2")]
)
def test_minutes_are_told_to_a_half(seconds: int, minutes: str) -> None:
    """An estimate is rounded to half a minute, and is never nothing."""
    assert to_minutes(seconds) == Fraction(minutes)


def test_commands_tell_how_long_it_takes(tmp_path: Path) -> None:
    """`generate`, `stress` and `kinds` tell it, and `exam build` says when the exam is too short."""
    assert "A student takes about" in gametree("generate", "root-value", "--seed", "1").err
    assert "A student takes about" in gametree("stress", "root-value", "--seeds", "3").out
    assert '"minutes": ' in gametree("stress", "root-value", "--seeds", "3", "--json").out
    assert "time:     about" in gametree("kinds", "root-value").out
    assert '"minutes": null' not in gametree("kinds", "root-value", "--json").out
    plan = 'title = "Quiz"\nsecret = "long enough to be a secret"\nforms = 1\nminutes = {}\n[[question]]\n'
    for minutes, told in ((1, True), (30, False)):
        (tmp_path / "quiz.toml").write_text(f'{plan.format(minutes)}kind = "node-values"\ntree = "{BOOK}"\n')
        command = "exam", "build", str(tmp_path / "quiz.toml"), "-o", str(tmp_path / f"quiz-{minutes}")
        ran = gametree(*command, "--format", "text", "--lms", "none")
        assert ran.code == 0, ran.err
        assert "for a student:   about 2" in ran.out
        assert (f"and the exam has {minutes}: take fewer questions" in ran.err) is told
