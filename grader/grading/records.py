"""What a gradebook holds: replies, marks, rows that did not count, and where a student stands."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from grader.base.numbers import Number
from grader.exercises.marking import Mark, State, read_mark

Maker: TypeAlias = Literal["grading", "override", "regrade", "kept"]
"""How a mark came about; `kept` is by a regrade that was not to lower it."""

RowFate: TypeAlias = Literal[
    "same", "older", "contested", "alike", "unknown", "unfinished", "late", "broken", "ignored"
]
"""What became of a row that did not simply count."""


TURNED_INTO_DATE = "a spreadsheet has turned this reply into the date"
UNREADABLE_BLANK = "a blank cannot be read: "
UNKNOWN_VARIANT = "it cannot be told which variant this answers"
UNDECIDED_SCAN = "a person has to look at the scan: "
"""How the reason starts why a reply is contested with itself, and not with another one."""


READ_BY_PERSON = "read by a person"
"""Where a reply comes from that a person has read for the student; it follows the reply that was read."""


WITHDRAWN = "what was taken in had been misread"
"""Why a submission is contested that withdraws the one before it and says nothing itself."""


class Submission(NamedTuple):
    """One reply as it came; a named tuple, as is `Entry`: a million of them are made faster so.

    - `contested`: why it cannot be told what the student replied.
    - `aside`: another reply counts; this one is kept so that the same row raises no question again, and
      for the day on which the other is found to be misread.
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
        """Whether it says that what was taken in before had been misread, and nothing is there instead."""
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


class SubmissionColumns(NamedTuple):
    """Submissions that are not stored yet, with every field but their identity.

    - `constant_fields`: the fields that are the same in all of them.
    - `varying_fields`: a column for each of the others, among them `student`.
    """

    constant_fields: Mapping[str, str | int]
    varying_fields: Mapping[str, Sequence[str | int]]


def to_columns(submissions: Iterable[Submission]) -> SubmissionColumns:
    """The same submissions in columns."""
    own = dict(zip(SUBMISSION_COLUMNS, list(zip(*submissions, strict=True))[1:], strict=False))
    alike = {name: column[0] for name, column in own.items() if name != "student" and len({*column}) == 1}
    return SubmissionColumns(alike, {name: column for name, column in own.items() if name not in alike})


class Outcome(NamedTuple):
    """What a reply earned, whoever gave it, and what that was made from: the fields of an `Entry` for it.

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
"""The columns of a `Outcome` in a gradebook, in the order of its fields."""


_mark = lru_cache(maxsize=10_000)(read_mark)


class Entry(NamedTuple):
    """One mark of one student for one part, with what it was made from.

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
        """What was made of the reply."""
        return Outcome(*self[3:8])

    @property
    def mark(self) -> Mark:
        """The mark itself."""
        return _mark(self.content)

    @property
    def state(self) -> State:
        """How the marking ended."""
        return self.mark.state

    @property
    def points(self) -> Number | None:
        """The points; None unless it is GRADED."""
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
    """A row that did not simply count: whose it may be, what became of it, why, and in which reading."""

    place: str
    said: str
    student: str
    fate: RowFate
    why: str
    cells: Sequence[str] = ()
    reading: int = 0


ROW_COLUMNS = ("place", "said", "student", "fate", "why", "cells", "reading")
"""The columns of an `OddRow` in a gradebook, in the order of its fields."""


BlankPolicy: TypeAlias = Literal["zero", "empty"]
"""What a blank reply is worth: no points, or nothing that could be exported."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a student stands with one part: the last submission and the last mark; either may be missing.

    - `variant`: the one that was answered, which a platform may have drawn, or else that of the class list.
    - `state`: None while the last submission waits to be marked.
    - `message`: why there are no points.
    """

    question: str
    variant: str
    state: State | None
    submission: Submission | None
    entry: Entry | None
    message: str = ""

    @property
    def points(self) -> Number | None:
        """The points, or None where there are none."""
        return self.entry.points if self.entry is not None and self.state is State.GRADED else None

    @property
    def state_label(self) -> str:
        """The state in a word."""
        return "waiting" if self.state is None else self.state.value

    def points_under(self, blank: BlankPolicy) -> Number | None:
        """The points, or None where there are none; a blank reply may have none."""
        return 0 if self.state is State.BLANK and blank == "zero" else self.points
