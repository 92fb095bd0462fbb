"""The records of a gradebook: replies, marks, rows that did not count, and the standing of a student."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from grader.base.numbers import Number
from grader.exercises.marking import Mark, State, read_mark

Maker: TypeAlias = Literal["grading", "override", "regrade", "kept", "withdrawn"]
"""The origin of a mark; `kept` is made by a regrade that must not lower it, and `withdrawn` takes back the
marks before it, which were set by hand."""

RowFate: TypeAlias = Literal[
    "same", "older", "contested", "alike", "unknown", "unfinished", "late", "broken", "ignored"
]
"""The fate of a row that did not simply count."""


TURNED_INTO_DATE = "a spreadsheet has turned this reply into the date"
UNREADABLE_BLANK = "a blank cannot be read: "
UNKNOWN_VARIANT = "it cannot be told which variant this answers"
UNDECIDED_SCAN = "a person has to look at the scan: "
"""The beginnings of reasons for which a reply is contested by itself, and not because another differs."""

OTHER_VARIANT = f"{UNKNOWN_VARIANT}: the row says variant "
"""The beginning of this reason if a row says another variant than its student has."""


READ_BY_PERSON = "read by a person"
"""The place of a reply that a person has read for the student; it follows the original reply."""


WITHDRAWN = "what was taken in had been misread"
"""The reason of a submission without a reply, which withdraws the one before it."""


class Submission(NamedTuple):
    """One reply as it was handed in. A named tuple, like `Entry`: a million of them are made.

    - `contested`: why the student's reply is unknown; empty for most.
    - `aside`: another reply counts; this one is kept so that the same row raises no question again, and
      in case the other one turns out to be misread.
    - `reading`: the number of the reading of the file that it is from, see `grader.grading.file_readings`.
    """

    identity: int
    student: str
    question: str
    variant: str
    reply: str
    contested: str = ""
    time: str = ""
    place: str = ""
    reading: int = 0
    late: bool = False
    aside: bool = False

    @property
    def withdrawn(self) -> bool:
        """Whether it withdraws the reply before it, which had been misread, without another one."""
        return self.contested == WITHDRAWN


SUBMISSION_COLUMNS = (
    "student",
    "question",
    "variant",
    "reply",
    "contested",
    "time",
    "place",
    "reading",
    "late",
    "aside",
)
"""The columns of a `Submission` in a gradebook: its fields in their order, without the identity."""


class Outcome(NamedTuple):
    """The mark of a reply and its origin, the same for every student who gave this reply.

    - `content`: the mark itself as JSON text, see `write_mark`.
    - `basis`: a hash of the reply, and of the replies to earlier parts where they count.
    - `key`, `policy`, `program`: hashes of the key and of the policy, and the program's version.
    """

    content: str
    basis: str
    key: str
    policy: str
    program: str


MADE_COLUMNS = ("content", "basis", "key", "policy", "program")
"""The columns of an `Outcome` in a gradebook, in the order of its fields."""


_mark = lru_cache(maxsize=10_000)(read_mark)


class Entry(NamedTuple):
    """One mark of one student for one part, with its origin.

    - `submission`: the submission that was marked; None for an override without one.
    - `content` to `program`: see `Outcome`.
    """

    student: str
    question: str
    submission: int | None
    content: str
    basis: str
    key: str
    policy: str
    program: str
    maker: Maker = "grading"
    reason: str = ""
    at: str = ""
    identity: int = 0

    @property
    def outcome(self) -> Outcome:
        """The fields that all equal replies share."""
        return Outcome(*self[3:8])

    @property
    def mark(self) -> Mark:
        """The mark itself."""
        return _mark(self.content)

    @property
    def state(self) -> State:
        """The state in which the marking ended."""
        return self.mark.state

    @property
    def points(self) -> Number | None:
        """The points; None unless the state is GRADED."""
        return self.mark.points

    @property
    def maximum(self) -> Number:
        """The full mark."""
        return self.mark.maximum


ENTRY_COLUMNS = (
    "student",
    "question",
    "submission",
    *MADE_COLUMNS,
    "maker",
    "reason",
    "at",
    "identity",
)
"""The columns of an `Entry` as a gradebook gives it, in the order of its fields."""


class OddRow(NamedTuple):
    """A row that did not simply count: the student it may belong to, its fate and why, its reading.

    `as_written` is the ID or name that the row has; in a gradebook, its column is `said`.
    """

    place: str
    as_written: str
    student: str
    fate: RowFate
    why: str
    cells: Sequence[str] = ()
    reading: int = 0


ROW_COLUMNS = ("place", "said", "student", "fate", "why", "cells", "reading")
"""The columns of an `OddRow` in a gradebook, in the order of its fields."""


NOTHING_HANDED_IN = "nothing was handed in"
"""The message of a part to which no reply came, and that no page or row may still have."""


NOTHING_ENTERED = "nothing was entered"
"""Why a row for typing replies into is not finished if no reply was typed; students without it are absent."""


BlankPolicy: TypeAlias = Literal["zero", "empty"]
"""The points of a blank reply: zero, or an empty cell in exports."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The standing of a student in one part: the last submission and the last mark; either may be missing.

    - `variant`: the variant that was answered, which a platform may have drawn, or that of the class list.
    - `state`: None while the last submission waits to be marked.
    - `message`: why there are no points.
    - `original`: the reply as it was handed in, if a person has read it as another one, `submission`.
    - `is_dropped`: whether the part was dropped after the exam; then everybody has 0 points of 0.
    """

    question: str
    variant: str
    state: State | None
    submission: Submission | None
    entry: Entry | None
    message: str = ""
    original: Submission | None = None
    is_dropped: bool = False

    @property
    def points(self) -> Number | None:
        """The points, or None where there are none."""
        if self.is_dropped:
            return 0
        return self.entry.points if self.entry is not None and self.state is State.GRADED else None

    @property
    def state_label(self) -> str:
        """The state as a word."""
        return "waiting" if self.state is None else self.state.value

    def points_under(self, blank: BlankPolicy) -> Number | None:
        """Return the points, or None if there are none; `blank` says whether a blank reply has points."""
        return 0 if self.state is State.BLANK and blank == "zero" else self.points
