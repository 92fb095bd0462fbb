"""Marking a class again after a key, a policy or the program has changed: preview, then append."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from grader.base.numbers import Number, write_number
from grader.base.phrases import ENGLISH
from grader.base.progress import OnProgress
from grader.exercises.marking import write_mark
from grader.grading.class_marking import mark_units
from grader.grading.exam_keys import ExamKeys, policy_hash
from grader.grading.executors import StartExecutor
from grader.grading.gradebook_store import Gradebook
from grader.grading.records import Entry, Maker
from grader.grading.student_units import group_units


@dataclass(frozen=True, slots=True)
class MarkChange:
    """The change of one mark by marking again.

    - `reasons`: the differences in the origin of both marks: key, points, policy, program, reply; `state` if
      there is none. `policy` is more than the points. Empty if the only reason is that the old mark was kept
      before.
    - `kept`: the mark that holds instead, because the new one would be lower; None if it may be lower.
    """

    old: Entry
    new: Entry
    reasons: tuple[str, ...]
    kept: Entry | None = None

    @property
    def final_entry(self) -> Entry:
        """The mark that finally holds."""
        return self.kept or self.new

    @property
    def is_visible(self) -> bool:
        """Whether the student sees a difference."""
        return (self.old.state, self.old.points) != (self.final_entry.state, self.final_entry.points)

    @property
    def needs_entry(self) -> bool:
        """Whether there is a mark to append: not if the same mark was kept before."""
        return self.kept is None or bool(self.reasons)

    def state_reason(self, because: str = "") -> str:
        """Return the reason of the new mark in words; `because` replaces the computed one."""
        because = because or (f"{' and '.join(self.reasons)} changed" if self.reasons else "no longer kept")
        return because if self.kept is None else f"{because}; {self.kept.reason}"


@dataclass(frozen=True, slots=True)
class Regrade:
    """The result of marking everything again.

    - `changes`: marks that differ in their result or their origin.
    - `unchanged_count`: the number of the other marks.
    - `overridden`: marks set by hand, which hold, with the full mark that their parts have now.
    """

    changes: tuple[MarkChange, ...]
    unchanged_count: int
    overridden: tuple[tuple[Entry, Number], ...]

    @property
    def outdated_overrides(self) -> list[tuple[Entry, Number]]:
        """The marks set by hand whose full mark is not the one that their parts have now."""
        return [(entry, full) for entry, full in self.overridden if entry.maximum != full]


def regrade(
    book: Gradebook,
    exam_keys: ExamKeys,
    start: StartExecutor,
    *,
    jobs: int = 1,
    never_lower: bool = False,
    lower_kept: bool = False,
    tell: OnProgress = lambda _marks: None,
) -> Regrade:
    """Mark the last submission of every student again and compare; the gradebook does not change.

    - `never_lower`: no student gets fewer points than before, up to the present full mark.
    - `lower_kept`: lower also the marks that an earlier regrade kept; otherwise they stay kept as long as the
      replies are the same.
    """
    overridden: list[tuple[Entry, Number]] = []
    compared: list[MarkChange | None] = []

    def compare(entries: list[Entry]) -> None:
        """Compare new marks with the gradebook's; marks set by hand are kept apart, new questions ignored."""
        for entry in entries:
            old = book.entries_of(entry.student).get(entry.question)
            if old is not None and old.maker == "override":
                overridden.append((old, entry.maximum))
            elif old is not None:
                only_points = _differs_in_points(old, entry, exam_keys)
                compared.append(_change(old, entry, never_lower, lower_kept, only_points=only_points))
        tell(len(entries))

    with Gradebook.open(book.path) as reading:
        units = group_units(reading.last_submissions(), exam_keys)
        mark_units(units, reading.submission_count(), exam_keys, start, compare, jobs)
    order = list(exam_keys.labels)
    changes = [change for change in compared if change is not None]
    changes.sort(key=lambda change: (change.new.student, order.index(change.new.question)))
    overridden.sort(key=lambda each: (each[0].student, order.index(each[0].question)))
    return Regrade(tuple(changes), compared.count(None), tuple(overridden))


def _differs_in_points(old: Entry, new: Entry, exam_keys: ExamKeys) -> bool:
    """Return whether the policy of a mark is another one because of the full mark alone."""
    variant = exam_keys.variant_of(new.student)
    if old.maximum == new.maximum or variant not in exam_keys.variants:
        return False
    question = exam_keys.question(variant, exam_keys.labels[new.question])
    part = json.loads(exam_keys.part_key(variant, new.question).exercise)
    earlier_part = part | {"points": write_number(old.maximum)}
    return policy_hash(earlier_part, follow_through=question.follow_through) == old.policy


def _change(
    old: Entry, new: Entry, never_lower: bool, lower_kept: bool, *, only_points: bool
) -> MarkChange | None:
    """Return how a mark changes and why; None if its points, state and origin stay the same.

    Of the policy `only_points` may have changed.

    The old mark may be kept if marks are never lowered, or if it was kept before and `lower_kept` is not set.
    """
    changed = {
        "key": old.key != new.key,
        "points": only_points,
        "policy": old.policy != new.policy and not only_points,
        "program": old.program != new.program,
        "reply": old.basis != new.basis,
    }
    reasons = tuple(name for name, is_changed in changed.items() if is_changed)
    if not reasons and (old.state, old.points) == (new.state, new.points):
        return None
    kept_before = old.maker == "kept" and old.basis == new.basis
    may_keep = never_lower or (kept_before and not lower_kept)
    return MarkChange(
        old,
        new,
        reasons if reasons or kept_before else ("state",),
        kept=_kept_mark(old, new) if may_keep else None,
    )


def _kept_mark(old: Entry, new: Entry) -> Entry | None:
    """Return the new mark with the old points, up to the full mark, or None if that is not more."""
    if old.points is None:
        return None
    points = min(old.points, new.maximum)
    if new.points is not None and new.points >= points:
        return None
    new_result = new.state.value if new.points is None else ENGLISH.points(new.points)
    reason = f"never lower: it would be {new_result}"
    if points < old.points:
        reason += f", and {ENGLISH.points(old.points)} is more than the full mark"
    follow_through = min(old.mark.follow_through, points)
    mark = replace(old.mark, points=points, maximum=new.maximum, follow_through=follow_through)
    return new._replace(reason=reason, content=write_mark(mark))


def append_changes(book: Gradebook, changes: Sequence[MarkChange], reason: str = "") -> int:
    """Append the new marks, all or none; return how many.

    The reason of a kept mark says what it would be now. A change is skipped if its old mark is no longer the
    last one, because another program has written in between.
    """
    with book.writing():
        entries = []
        for change in changes:
            last = book.entries_of(change.old.student).get(change.old.question)
            if change.needs_entry and last is not None and last.identity == change.old.identity:
                maker: Maker = "regrade" if change.kept is None else "kept"
                entries.append(change.final_entry._replace(maker=maker, reason=change.state_reason(reason)))
        return book.append_entries(entries)
