"""What to do with rows that raise a question."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from grader.grading.attempts import DuplicatePolicy

LatePolicy: TypeAlias = Literal["flag", "refuse"]


@dataclass(frozen=True, slots=True)
class RowPolicy:
    """What to do with rows that raise a question.

    - `duplicates`: for different replies of one student without times; `ask` makes them ambiguous.
    - `due`: rows after this time are late; `late` says whether they are flagged or refused.
    - `ignored`: rows that belong to no student, by the student they name or by their places; the gradebook
      remembers them.
    - `replaces`: the name of an earlier file that these files replace, so that it no longer counts.
    """

    duplicates: DuplicatePolicy = "ask"
    due: datetime | None = None
    late: LatePolicy = "flag"
    ignored: frozenset[str] = frozenset()
    replaces: str = ""
