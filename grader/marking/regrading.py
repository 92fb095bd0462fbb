"""Marking a class again after a key, a policy or the program has changed: first who would move, and why."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.marking.entries import Entry
from grader.marking.executors import Start
from grader.marking.gradebook import Gradebook
from grader.marking.grading import all_shards, run_shards
from grader.marking.mark import State
from grader.marking.sitting import Sitting
from grader.numerals import write_number


@dataclass(frozen=True, slots=True)
class Change:
    """What marking again does to one mark.

    - `why`: what the old and the new mark were made from differs in: key, policy, program, reply.
    - `kept`: the new mark would be lower, and marks are never to be lowered.
    """

    old: Entry
    new: Entry
    why: tuple[str, ...]
    kept: bool = False

    @property
    def moves(self) -> bool:
        """Whether the student sees a difference."""
        return not self.kept and (self.old.state, self.old.points) != (self.new.state, self.new.points)


@dataclass(frozen=True, slots=True)
class Regrade:
    """What marking everything again gave.

    - `changes`: marks that come out different or were made from something else.
    - `same`: how many come out the same from the same.
    - `overridden`: marks set by hand, which stand.
    """

    changes: tuple[Change, ...]
    same: int
    overridden: tuple[Entry, ...]


def regrade(
    book: Gradebook,
    sitting: Sitting,
    start: Start,
    *,
    jobs: int = 1,
    never_lower: bool = False,
    tell: Callable[[int], None] = lambda _marks: None,
) -> Regrade:
    """Mark the last submission of everybody again and compare; the gradebook stays as it is."""
    changes: list[Change] = []
    overridden: list[Entry] = []
    same = 0
    with Gradebook.open(book.path) as reading:

        def compare(entries: list[Entry]) -> None:
            nonlocal same
            for entry in entries:
                old = book.entries_of(entry.student).get(entry.question)
                if old is None:
                    continue
                if old.maker == "override":
                    overridden.append(old)
                    continue
                change = _change(old, entry, never_lower)
                if change is None:
                    same += 1
                else:
                    changes.append(change)
            tell(len(entries))

        shards = all_shards(reading, sitting, jobs)
        run_shards(shards, book, start, compare, jobs)
    order = {part.name: place for place, part in enumerate(sitting.parts)}
    changes.sort(key=lambda change: (change.new.student, order[change.new.question]))
    overridden.sort(key=lambda entry: (entry.student, order[entry.question]))
    return Regrade(tuple(changes), same, tuple(overridden))


def _change(old: Entry, new: Entry, never_lower: bool) -> Change | None:
    reasons = {
        "key": old.key != new.key,
        "policy": old.policy != new.policy,
        "program": old.program != new.program,
        "reply": old.basis != new.basis,
    }
    why = tuple(reason for reason, differs in reasons.items() if differs)
    moved = (old.state, old.points) != (new.state, new.points)
    if not why and not moved:
        return None
    lower = old.state is State.GRADED and (
        new.points is None or (old.points is not None and new.points < old.points)
    )
    return Change(old, new, why or ("state",), kept=never_lower and lower)


def apply(book: Gradebook, changes: Sequence[Change], reason: str = "") -> int:
    """Append the new marks, all or none; returns how many.

    A mark that is kept is appended as it was, with a note of what it would be now. Left out is one whose
    old mark is no longer the last one, because somebody else has written in between.
    """
    with book.writing():
        entries = []
        for change in changes:
            last = book.entries_of(change.old.student).get(change.old.question)
            if last is not None and last.identity == change.old.identity:
                entries.append(_applied(change, reason))
        return book.append_entries(entries)


def _applied(change: Change, reason: str) -> Entry:
    because = reason or f"{' and '.join(change.why)} changed"
    if not change.kept:
        return change.new._replace(maker="regrade", reason=because)
    now = change.new.state.value if change.new.points is None else write_number(change.new.points)
    return change.new._replace(
        maker="regrade",
        reason=f"{because}; never lower: it would be {now}",
        state=change.old.state,
        points=change.old.points,
        maximum=change.old.maximum,
        content=change.old.content,
    )
