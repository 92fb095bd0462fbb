"""A model of the gradebook: taking in, grading, overriding, mending keys, regrading, in any order."""

import shutil
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from grader.grading.attempts import DuplicatePolicy
from grader.grading.class_marking import mark_pending
from grader.grading.decisions import Decision
from grader.grading.executors import executor_named
from grader.grading.gradebook_exports import Rounding, csv_export
from grader.grading.gradebook_store import Gradebook
from grader.grading.intake import append_tables
from grader.grading.overrides import override_marks
from grader.grading.regrading import append_changes, regrade
from grader.grading.results import results, state_counts
from grader.grading.row_policy import RowPolicy
from grader.tables.columns import match_columns
from grader.tables.readers import read_submissions
from tests.conftest import a_part
from tests.grading.classroom import build, change_exam, student

COUNT = 4
HERE = executor_named("here", 1)
people = st.integers(0, COUNT - 1)
values = st.sampled_from(("3", "6", "7", "", "what?"))


class Book(RuleBasedStateMachine):
    """Question 1 is worth two points for its key; the model is a few dictionaries."""

    @initialize()
    def start(self) -> None:
        """An exam of four students with the same variant."""
        self.folder = Path(tempfile.mkdtemp())
        self.exam_keys = build(self.folder, [student(number) for number in range(COUNT)], codes=("A",))
        self.book = Gradebook.open(self.folder / "book.db", create=True)
        self.key = "3"
        self.replies: dict[int, str] = {}
        self.said: dict[int, list[str]] = {}
        self.marks: dict[int, tuple[str, Fraction | None]] = {}
        self.overridden: dict[int, Fraction] = {}
        self.waiting: set[int] = set()
        self.appended = 0

    def teardown(self) -> None:
        """Remove the folder."""
        if hasattr(self, "book"):
            self.book.connection.close()
            shutil.rmtree(self.folder)

    def worth(self, number: int) -> tuple[str, Fraction | None]:
        """The mark of the last reply under the key of today."""
        reply = self.replies[number]
        if reply == "?":
            return "AMBIGUOUS", None
        if reply in ("", "what?"):
            return ("BLANK" if not reply else "UNPARSEABLE"), None
        return "GRADED", Fraction(2 if reply == self.key else 0)

    @rule(
        rows=st.dictionaries(people, values, min_size=1), duplicates=st.sampled_from(("ask", "first", "last"))
    )
    def take(self, rows: dict[int, str], duplicates: DuplicatePolicy) -> None:
        """A file with the replies of some students comes in."""
        lines = [f"{student(number).identifier},{reply}" for number, reply in rows.items()]
        (self.folder / "r.csv").write_text("id,1\n" + "\n".join(lines) + "\n")
        sheet = read_submissions(self.folder / "r.csv", self.exam_keys.parts)
        columns = match_columns(sheet, self.exam_keys.parts)
        intake = append_tables(self.book, self.exam_keys, [(sheet, columns)], policy=RowPolicy(duplicates))
        news, contested = set(), set()
        for number, reply in rows.items():
            said, before = self.said.setdefault(number, []), self.replies.get(number)
            now = reply
            if not reply:
                now = before or ""
            elif duplicates == "ask" and said:
                now = "?" if reply not in said else before or ""
            elif duplicates == "first":
                now = (*said, reply)[0]
            if now == "?" and reply:
                contested.add(number)
            if now != before or (now == "?" and reply and reply not in said):
                news.add(number)
            if reply and reply not in said:
                said.append(reply)
            self.replies[number] = now
        assert intake.counts["contested"] == len(contested)
        assert intake.counts["taken"] <= len(news - contested)
        self.waiting |= news - set(self.overridden)

    @rule()
    def mark(self) -> None:
        """Grade what waits."""
        run = mark_pending(self.book, self.exam_keys, HERE)
        assert sum(run.counts.values()) == len(self.waiting)
        self.marks |= {number: self.worth(number) for number in self.waiting}
        self.waiting.clear()

    @rule(number=people, halves=st.integers(0, 4))
    def override(self, number: int, halves: int) -> None:
        """A teacher sets a mark by hand."""
        points = Fraction(halves, 2)
        override_marks(
            self.book, self.exam_keys, [Decision(student(number).identifier, "1", str(points), "seen")]
        )
        self.overridden[number] = points
        self.waiting.discard(number)

    @rule(key=st.sampled_from(("3", "6", "7")))
    def mend(self, key: str) -> None:
        """The key changes; marks stay until they are regraded."""

        def change(record: Any) -> None:
            record["variants"][0]["questions"][0]["parts"][0]["key"]["reply"] = key

        self.key = key
        self.exam_keys = change_exam(self.folder, change)

    @rule(never_lower=st.booleans(), really=st.booleans())
    def again(self, never_lower: bool, really: bool) -> None:
        """Everything is marked again, and applied or not."""
        found = regrade(self.book, self.exam_keys, HERE, never_lower=never_lower, lower_kept=not never_lower)
        due = {number for number in self.marks if number not in self.overridden}
        expected = {}
        for number in due:
            new, old = self.worth(number), self.marks[number]
            lower = old[1] is not None and (new[1] is None or new[1] < old[1])
            expected[number] = old if never_lower and lower else new
        moving = {number for number in due if expected[number] != self.marks[number]}
        assert {change.new.student for change in found.changes if change.is_visible} == {
            student(number).identifier for number in moving
        }
        if really:
            append_changes(self.book, found.changes)
            self.marks |= expected
            self.waiting -= due

    @invariant()
    def marks_are_the_model(self) -> None:
        """Everybody has the state and points of the model, and the conservation law holds."""
        if not hasattr(self, "book"):
            return
        states = {}
        for number, result in enumerate(results(self.book, self.exam_keys)):
            standing = result.standings[0]
            state = None if standing.state is None else standing.state.value
            if number in self.overridden:
                expected: tuple[str | None, Fraction | None] = ("GRADED", self.overridden[number])
            elif number in self.waiting:
                expected = (None, None)
            elif number in self.replies:
                expected = self.marks[number]
            else:
                expected = ("MISSING", None)
            assert (state, standing.points) == expected
            states[number] = state
        now = state_counts(results(self.book, self.exam_keys), self.exam_keys)
        assert sum(now.states.values()) + now.waiting == COUNT * 4
        assert now.waiting == len(self.waiting)

    @invariant()
    def marks_only_grow(self) -> None:
        """No mark ever disappears, and an export twice in a row gives the same bytes."""
        if not hasattr(self, "book"):
            return
        count = sum(len(self.book.history(student(number).identifier)) for number in range(COUNT))
        assert count >= self.appended
        self.appended = count
        exports = [
            csv_export(self.exam_keys, results(self.book, self.exam_keys), Rounding()) for _ in range(2)
        ]
        assert exports[0] == exports[1]


TestBook = Book.TestCase
TestBook.settings = settings(a_part(3), stateful_step_count=12, suppress_health_check=list(HealthCheck))
