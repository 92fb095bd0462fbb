"""Marking a class again after a key, a policy or the program has changed: first who would move, and why."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from grader.base.numbers import Number
from grader.base.phrases import ENGLISH
from grader.exercises.marking import write_mark
from grader.grading.class_marking import mark_units
from grader.grading.exam_keys import ExamKeys
from grader.grading.executors import StartExecutor
from grader.grading.gradebook_store import Gradebook
from grader.grading.records import Entry, Maker
from grader.grading.student_units import group_units


@dataclass(frozen=True, slots=True)
class MarkChange:
    """What marking again does to one mark.

    - `new`: what marking again gave.
    - `reasons`: what the old and the new mark were made from differs in: key, policy, program, reply; `state`
      where they were made from the same. Nothing where the old mark was kept before and only that counts.
    - `kept`: the mark that holds instead, because the new one would be lower; None when it may be.
    """

    old: Entry
    new: Entry
    reasons: tuple[str, ...]
    kept: Entry | None = None

    @property
    def final_entry(self) -> Entry:
        """The mark that holds in the end."""
        return self.kept or self.new

    @property
    def is_visible(self) -> bool:
        """Whether the student sees a difference."""
        return (self.old.state, self.old.points) != (self.final_entry.state, self.final_entry.points)

    @property
    def needs_entry(self) -> bool:
        """Whether there is a mark to append: not where it was kept before just as it is kept now."""
        return self.kept is None or bool(self.reasons)

    def state_reason(self, because: str = "") -> str:
        """Why the mark is made again, in words; `because` is what somebody says instead."""
        because = because or (f"{' and '.join(self.reasons)} changed" if self.reasons else "no longer kept")
        return because if self.kept is None else f"{because}; {self.kept.reason}"


@dataclass(frozen=True, slots=True)
class Regrade:
    """What marking everything again gave.

    - `changes`: marks that come out different or were made from something else.
    - `unchanged_count`: how many come out the same from the same.
    - `overridden`: marks set by hand, which stand, with the full mark that their parts have now.
    """

    changes: tuple[MarkChange, ...]
    unchanged_count: int
    overridden: tuple[tuple[Entry, Number], ...]

    @property
    def outdated_overrides(self) -> list[tuple[Entry, Number]]:
        """Those marks set by hand that are of another full mark than their parts have now."""
        return [(entry, full) for entry, full in self.overridden if entry.maximum != full]


def regrade(
    book: Gradebook,
    exam_keys: ExamKeys,
    start: StartExecutor,
    *,
    jobs: int = 1,
    never_lower: bool = False,
    lower_kept: bool = False,
    tell: Callable[[int], None] = lambda _marks: None,
) -> Regrade:
    """Mark the last submission of everybody again and compare; the gradebook stays as it is.

    With `never_lower` nobody gets fewer points than before, but no more than the full mark is now.
    Marks that were kept so stay kept, as long as the replies are the same, unless `lower_kept` is said.
    """
    overridden: list[tuple[Entry, Number]] = []
    compared: list[MarkChange | None] = []

    def compare(entries: list[Entry]) -> None:
        for entry in entries:
            old = book.entries_of(entry.student).get(entry.question)
            if old is not None and old.maker == "override":
                overridden.append((old, entry.maximum))
            elif old is not None:
                compared.append(_change(old, entry, never_lower, lower_kept))
        tell(len(entries))

    with Gradebook.open(book.path) as reading:
        found = group_units(reading.last_submissions(), exam_keys)
        mark_units(found, reading.submission_count(), book.path.parent, exam_keys, start, compare, jobs)
    order = list(exam_keys.labels)
    changes = [change for change in compared if change is not None]
    changes.sort(key=lambda change: (change.new.student, order.index(change.new.question)))
    overridden.sort(key=lambda each: (each[0].student, order.index(each[0].question)))
    return Regrade(tuple(changes), compared.count(None), tuple(overridden))


def _change(old: Entry, new: Entry, never_lower: bool, lower_kept: bool) -> MarkChange | None:
    changed = {
        "key": old.key != new.key,
        "policy": old.policy != new.policy,
        "program": old.program != new.program,
        "reply": old.basis != new.basis,
    }
    why = tuple(name for name, is_changed in changed.items() if is_changed)
    if not why and (old.state, old.points) == (new.state, new.points):
        return None
    kept_before = old.maker == "kept" and old.basis == new.basis
    may_keep = never_lower or (kept_before and not lower_kept)
    return MarkChange(
        old, new, why if why or kept_before else ("state",), kept=_kept(old, new) if may_keep else None
    )


def _kept(old: Entry, new: Entry) -> Entry | None:
    """The new mark with the points of the old one, up to the full mark; None where that gives no more."""
    if old.points is None:
        return None
    points = min(old.points, new.maximum)
    if new.points is not None and new.points >= points:
        return None
    now = new.state.value if new.points is None else ENGLISH.points(new.points)
    reason = f"never lower: it would be {now}"
    if points < old.points:
        reason += f", and {ENGLISH.points(old.points)} is more than the full mark"
    follow_through = min(old.mark.follow_through, points)
    mark = replace(old.mark, points=points, maximum=new.maximum, follow_through=follow_through)
    return new._replace(reason=reason, content=write_mark(mark))


def append_changes(book: Gradebook, changes: Sequence[MarkChange], reason: str = "") -> int:
    """Append the new marks, all or none; returns how many.

    A mark that is kept is appended with a note of what it would be now. Left out is one whose old mark
    is no longer the last one, because somebody else has written in between.
    """
    with book.writing():
        entries = []
        for change in changes:
            last = book.entries_of(change.old.student).get(change.old.question)
            if change.needs_entry and last is not None and last.identity == change.old.identity:
                maker: Maker = "regrade" if change.kept is None else "kept"
                entries.append(change.final_entry._replace(maker=maker, reason=change.state_reason(reason)))
        return book.append_entries(entries)
