"""The reliability campaigns, each as long as is asked for.

    python -m tests.campaigns trees 10_000_000
    python -m tests.campaigns windows 20_000
    python -m tests.campaigns inputs 1_000_000 --seed again
    python -m tests.campaigns scans 2_700
    python -m tests.campaigns kills 1_000
    python -m tests.campaigns signals 300
    python -m tests.campaigns classes 10_000

Whatever is wrong is printed with the seed that makes it again, and a row is added to the table in
`docs/reliability.md`: also where a run is stopped, for what it had done.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from os import times
from pathlib import Path
from platform import python_version
from signal import SIGTERM, signal
from subprocess import run

from tests.campaigns import classes, inputs, kills, scans, signals, trees, windows

HOME = Path(__file__).parents[2]
PAGE = HOME / "docs" / "reliability.md"


@dataclass(frozen=True, slots=True)
class Campaign:
    """What is tried: `wrong` of a seed and a count says what was wrong; a seed stands for at most `part`."""

    wrong: Callable[[str, int], Iterator[str]]
    part: int


CAMPAIGNS = {
    "trees": Campaign(trees.wrong_trees, trees.PART),
    "windows": Campaign(windows.wrong_windows, windows.PART),
    "inputs": Campaign(inputs.wrong_inputs, inputs.PART),
    "scans": Campaign(scans.wrong_scans, scans.PART),
    "kills": Campaign(kills.wrong_kills, kills.PART),
    "signals": Campaign(signals.wrong_signals, signals.PART),
    "classes": Campaign(classes.wrong_classes, classes.PART),
}


def tried(campaign: Campaign, count: int, seed: str) -> Iterator[tuple[int, list[str]]]:
    """How many were tried, and what was wrong with them, part by part."""
    for number, start in enumerate(range(0, count, campaign.part)):
        size = min(campaign.part, count - start)
        name = f"{seed} {number}"
        yield size, [f"seed {name!r} of {size}: {line}" for line in campaign.wrong(name, size)]


def commit() -> str:
    """What was tried, with a sign where the code is not as it was committed."""

    def git(*words: str) -> str:
        return run(
            ["git", "-C", str(HOME), *words], capture_output=True, text=True, check=True
        ).stdout.strip()

    changed = git("status", "--porcelain", "--", "grader", "tests")
    return git("rev-parse", "--short", "HEAD") + " and changes" * bool(changed)


def main() -> int:
    """Run a campaign; the exit code is 1 when anything was wrong."""
    parser = ArgumentParser(prog="python -m tests.campaigns", description="the reliability campaigns")
    parser.add_argument("campaign", choices=CAMPAIGNS)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", default="campaign")
    arguments = parser.parse_args()
    signal(SIGTERM, lambda *_: sys.exit("stopped"))
    done, wrong, state = 0, 0, commit()
    try:
        for size, lines in tried(CAMPAIGNS[arguments.campaign], arguments.count, arguments.seed):
            done, wrong = done + size, wrong + len(lines)
            print(*lines, f"{done:,} {arguments.campaign}, {wrong} wrong", sep="\n", flush=True)
    finally:
        row = (
            f"{datetime.now(UTC):%Y-%m-%d}",
            arguments.campaign,
            f"{done:,}",
            str(wrong),
            f"`{arguments.seed}`",
            f"`{state}`",
            python_version(),
            f"{sum(times()[:4]) / 60:.0f}",
        )
        with PAGE.open("a", encoding="utf-8") as page:
            page.write(f"| {' | '.join(row)} |\n")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
