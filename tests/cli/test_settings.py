"""Every ordinary setting of the generator works, or says at once what cannot be and what can."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from time import process_time

import pytest

from grader.questions import KIND_NAMES
from tests.cli.running import Ran, gametree

pytestmark = pytest.mark.slow

SETTINGS = 120
"""How many are tried: each two values of two options together in one of them at least."""

EXERCISES = 30
WORKS, REFUSES = 10.0, 5.0
"""Within how many seconds of processor time there are thirty exercises, or a message."""

LARGE_WORKS = LARGE_REFUSES = 25.0
"""The same for larger trees; of 24 settings the slowest took 11 seconds, and none was refused."""

USUAL, LARGE = 81, 256
"""The most leaves for which ten and five seconds are promised, and for which settings are tried."""

OPTIONS: Sequence[Sequence[str]] = (
    KIND_NAMES[: KIND_NAMES.index("chance-cuts") + 1],
    ("2", "3", "4", "5"),
    ("2", "3", "4", "1-3", "2-3", "2-4"),
    ("MAX", "MIN"),
    ("cut", "keep"),
    ("same", "different", "any"),
)
"""The kinds, plies, branching, who moves first, the tie rule, and what the other tie rule prunes."""


def _leaves(row: Sequence[str]) -> int:
    """The most leaves of a tree of this setting."""
    _, plies, branching, *_ = row
    return int(branching[-1]) ** int(plies)


def _pairs(row: Sequence[str]) -> set[tuple[object, ...]]:
    return {(one, row[one], two, row[two]) for one, two in combinations(range(len(row)), 2)}


def _settings() -> Iterator[tuple[str, ...]]:
    """The settings that have most pairs not yet tried, one after the other, then others from all over."""
    every = {row: _pairs(row) for row in product(*OPTIONS) if _leaves(row) <= LARGE}
    left = set[tuple[object, ...]]().union(*every.values())
    chosen = list[tuple[str, ...]]()
    while left:
        best = max(every, key=lambda row: len(every[row] & left))
        chosen.append(best)
        left -= every[best]
    rows = list(every)
    others = (rows[97 * number % len(rows)] for number in range(len(rows)))
    chosen += [row for row in dict.fromkeys(others) if row not in chosen]
    yield from chosen[:SETTINGS]


def _grown(row: Sequence[str], *options: str) -> tuple[Ran, float]:
    kind, plies, branching, root, ties, other = row
    shape = ("--plies", plies, "--branching", branching, "--root", root, "--ties", ties)
    start = process_time()
    ran = gametree(
        "generate",
        kind,
        "-n",
        str(EXERCISES),
        "--seed",
        "pairs",
        *shape,
        "--set",
        f"require.ties={other}",
        *options,
    )
    return ran, process_time() - start


@pytest.mark.parametrize("row", tuple(_settings()), ids=" ".join)
def test_a_setting_works_or_says_why(row: tuple[str, ...]) -> None:
    """Thirty exercises come within ten seconds of processor time, or within five a change that works.

    Trees of 82 to 256 leaves have 25 seconds for either.
    """
    ran, seconds = _grown(row)
    usual = _leaves(row) <= USUAL
    if ran.code == 0:
        assert len(ran.out.splitlines()) == EXERCISES
        assert seconds <= (WORKS if usual else LARGE_WORKS)
        return
    assert ran.code == 2
    assert ran.err.count("Error:") == 1
    assert seconds <= (REFUSES if usual else LARGE_REFUSES), ran.err
    changes = re.findall(r"--set '([^']*)'", ran.err)
    assert changes, ran.err
    again, _ = _grown(row, *(part for change in changes for part in ("--set", change)))
    assert again.code == 0, again.err
