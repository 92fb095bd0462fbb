"""What is suggested in place of a misspelt name can have been meant."""

import pytest

from grader.base.suggest import close_matches
from grader.tables.column_names import ROLE_BY_NAME


@pytest.mark.parametrize(
    ("name", "names", "meant"),
    [
        ("nmae", ("id", "name", "email"), ["name"]),
        ("mail", ("id", "email"), ["email"]),
        ("matrikel", ("id", "email"), []),
        ("matrikl", ("id", "email"), []),
        ("pruned", ("pruned-paths", "windows"), ["pruned-paths"]),
        ("Root-Value", ("root-value",), ["root-value"]),
    ],
)
def test_names_that_are_alike(name: str, names: tuple[str, ...], meant: list[str]) -> None:
    """A slip is recognised, and what is alike by chance is not."""
    assert close_matches(name, names) == meant


def test_slips_are_recognised() -> None:
    """Whoever exchanges two letters of a column's name, or forgets one, is told the name."""
    for name in (name for name in ROLE_BY_NAME if len(name) >= 6):
        for place in range(1, 5):
            exchanged = name[:place] + name[place + 1] + name[place] + name[place + 2 :]
            forgotten = name[: place - 1] + name[place:]
            assert close_matches(exchanged, (name, "id")) == close_matches(forgotten, (name, "id")) == [name]
