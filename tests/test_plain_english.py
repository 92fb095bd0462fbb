"""The code speaks plain English: what makes it foreign may only become less."""

import tomllib
from pathlib import Path

import pytest

from tests.plain_english import DATA, HABITS, counts, places

BUDGETS = tomllib.loads(DATA.read_text("utf-8"))["rooms"]


def test_foreign_habits_only_become_less() -> None:
    """No room has more places of a habit than `plain_english.toml` allows."""
    found = counts()
    assert sorted(BUDGETS) == sorted(found)
    over = [
        f"{room}: {found[room][habit]} {habit}, {BUDGETS[room][habit]} allowed; "
        f"`python -m tests.plain_english {habit}` lists them"
        for room in found
        for habit in HABITS
        if found[room][habit] > BUDGETS[room][habit]
    ]
    assert over == []


def test_budgets_follow_what_was_improved() -> None:
    """A room that has become better keeps no room for going back: its budget is what it has today."""
    assert counts() == BUDGETS, "write what `python -m tests.plain_english` prints into plain_english.toml"


@pytest.mark.parametrize(
    ("code", "habit"),
    [
        ("def told(x):\n    pass", "names"),
        ("def f(said):\n    pass", "names"),
        ("LONGEST = 3", "constants"),
        ('def f():\n    """Whether it is so."""', "docstrings"),
        ("x = 1  # a row that is nobody's", "phrases"),
    ],
)
def test_a_habit_is_seen(code: str, habit: str, tmp_path: Path) -> None:
    """Each habit is recognised where it is."""
    path = tmp_path / "module.py"
    path.write_text(code + "\n", encoding="utf-8")
    assert [found for found, _, _ in places(path)] == [habit]
