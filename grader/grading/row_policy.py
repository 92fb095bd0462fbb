"""What to do with rows that raise a question."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from grader.grading.attempts import (
    DuplicatePolicy,
)

LatePolicy: TypeAlias = Literal["flag", "refuse"]


@dataclass(frozen=True, slots=True)
class RowPolicy:
    """What to do with rows that raise a question.

    - `duplicates`: of one student with different replies and no times: `ask` makes them ambiguous.
    - `due`: rows after this time are late; `late` says whether they are flagged or not taken.
    - `ignored`: rows that are nobody's, as they name their student or by their places; the gradebook
      remembers them.
    - `replaces`: the name of a file taken in before for which these files stand, so that it counts no more.
    """

    duplicates: DuplicatePolicy = "ask"
    due: datetime | None = None
    late: LatePolicy = "flag"
    ignored: frozenset[str] = frozenset()
    replaces: str = ""
