"""The file of `gametree statistics` on the command line."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from grader.cli.shared.parameters import option
from grader.cli.shared.refusals import refusing

if TYPE_CHECKING:
    from grader.exam.answer_statistics import AnswerStatistics

STATISTICS_FILE = Path("statistics.json")
"""The file unless an option says otherwise."""

StatisticsFile = Annotated[
    Path | None,
    option(
        "Take how common misconceptions are from this file of `gametree statistics`, and assume nothing.",
        "--statistics",
        metavar="FILE",
    ),
]


def open_statistics(path: Path) -> "AnswerStatistics":
    """Read the file, or refuse it with its name."""
    from grader.exam.answer_statistics import StatisticsError, read_statistics

    with (
        refusing(f"{path} cannot be read", OSError),
        refusing(f"{path} cannot be used", StatisticsError),
    ):
        return read_statistics(path)
