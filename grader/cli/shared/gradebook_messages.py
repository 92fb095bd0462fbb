"""Format marks and changes of marks, as text and as JSON."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.base.numbers import format_count, write_number
from grader.base.phrases import ENGLISH
from grader.base.suggest import first_of_many
from grader.cli.shared.terminal import note, printable, report, report_few, say

if TYPE_CHECKING:
    from grader.base.phrases import Language
    from grader.exam.manifest import MissingPolicy
    from grader.grading.exam_keys import ExamKeys
    from grader.grading.records import Entry, OddRow, Standing, Submission
    from grader.grading.regrading import MarkChange, Regrade
    from grader.publishing.feedback_formats import FeedbackResult

MAX_NAMED_ABSENT = 12
"""Of more students than these only the count is given."""


def format_points_or_state(entry: "Entry", language: "Language") -> str:
    """The points of a mark, or its state if it has none."""
    if entry.points is None:
        return entry.state.value
    return f"{language.points(entry.points)} of {language.points(entry.maximum)}"


def odd_record(row: "OddRow") -> dict[str, Any]:
    """A row that did not simply count, as JSON."""
    return {
        "place": row.place,
        "said": row.as_written,
        "student": row.student,
        "fate": row.fate,
        "why": row.why,
    }


def submission_record(submission: "Submission") -> dict[str, Any]:
    """A reply as JSON."""
    return {
        "id": submission.identity,
        "question": submission.question,
        "reply": submission.reply,
        "place": submission.place,
        "time": submission.time,
        "late": submission.late,
        "contested": submission.contested,
        "aside": submission.aside,
    }


def say_history(
    submissions: "Sequence[Submission]", entries: "Sequence[Entry]", language: "Language"
) -> None:
    """Print the replies and the marks of a student."""
    for each in submissions:
        reply = "withdrawn" if each.withdrawn else repr(printable(each.reply, 80))
        if each.aside:
            reply += " is set aside"
        elif each.contested:
            reply += f", {printable(each.contested)}"
        time = f", handed in {printable(each.time, 40)}{' (late)' if each.late else ''}" if each.time else ""
        say(f"reply {each.identity} to {each.question}: {reply} ({printable(each.place)}{time})")
    for entry in entries:
        reason = f": {printable(entry.reason, 300)}" if entry.reason else ""
        result = f"{format_points_or_state(entry, language)} by {entry.maker}"
        if entry.maker == "withdrawn":
            result = "the mark set by hand is withdrawn"
        say(
            f"{entry.at} {entry.question}: {result}{reason} [reply {entry.submission or '-'}, "
            f"key {entry.key[:8]}, policy {entry.policy[:8]}, "
            f"program {entry.program}]"
        )


def entry_record(entry: "Entry") -> dict[str, Any]:
    """A mark as JSON."""
    return {
        "id": entry.identity,
        "at": entry.at,
        "question": entry.question,
        "state": entry.state.value,
        "points": None if entry.points is None else write_number(entry.points),
        "maximum": write_number(entry.maximum),
        "maker": entry.maker,
        "reason": entry.reason,
        "submission": entry.submission,
        "basis": entry.basis,
        "key": entry.key,
        "policy": entry.policy,
        "program": entry.program,
    }


def _change_record(change: "MarkChange") -> dict[str, Any]:
    """A change of a mark as JSON."""
    return {
        "student": change.new.student,
        "question": change.new.question,
        "from": entry_record(change.old),
        "to": entry_record(change.final_entry),
        "made": entry_record(change.new),
        "why": list(change.reasons),
    }


def regrade_record(
    regrade: "Regrade", moves: "list[MarkChange]", exam_keys: "ExamKeys", applied: bool, appended: int
) -> dict[str, Any]:
    """A regrade as JSON."""
    return {
        "schema": 1,
        "applied": applied,
        "appended": appended,
        "maximum": write_number(exam_keys.points),
        "dropped": [part.name for part in exam_keys.parts if part.is_dropped],
        "moves": list(map(_change_record, moves)),
        "kept": [_change_record(change) for change in regrade.changes if change.kept is not None],
        "same": regrade.unchanged_count,
        "overridden": len(regrade.overridden),
        "overriddenOfOtherPoints": [
            {"student": entry.student, "question": entry.question} for entry, _ in regrade.outdated_overrides
        ],
    }


def say_regrade(
    regrade: "Regrade",
    moves: "list[MarkChange]",
    earlier_keys: "ExamKeys",
    exam_keys: "ExamKeys",
    applied: bool,
    appended: int,
) -> None:
    """Print the parts that are dropped, marks that move and that stay, and whether the new ones hold.

    `earlier_keys` are those by which the exam was marked before.
    """
    language, terms_change = exam_keys.language, exam_keys.parts != earlier_keys.parts
    for change in moves:
        say(
            f"{printable(change.new.student, 60)} {change.new.question}: "
            f"{format_points_or_state(change.old, language)} -> "
            f"{format_points_or_state(change.final_entry, language)} ({change.state_reason()})"
        )
    for part in exam_keys.parts:
        if part.is_dropped:
            say(f"{part.name}: dropped, 0 of 0 points for everybody")
    if exam_keys.points != earlier_keys.points:
        before, after = language.number(earlier_keys.points), language.number(exam_keys.points)
        say(f"full mark of the exam: {before} -> {after}")
    protected = [change for change in regrade.changes if change.kept is not None and not change.is_visible]
    rest = len(regrade.changes) - len(moves) - len(protected)
    say(
        f"{format_count(len(moves), 'mark changes', 'marks change')}. Of the others, "
        f"{regrade.unchanged_count} do not depend on the change, {rest} have the same result again, and "
        f"{len(regrade.overridden)} were set by hand and stay."
    )
    for entry, full in regrade.outdated_overrides:
        say(
            f"{printable(entry.student, 60)} {entry.question}: set by hand to "
            f"{format_points_or_state(entry, language)}, where the full mark is {language.number(full)} now; "
            "`gametree gradebook override` sets it again"
        )
    if protected:
        earlier = sum(change.old.maker == "kept" for change in protected)
        remark = (
            f" ({earlier} kept by an earlier --never-lower; --lower-kept lowers those)" if earlier else ""
        )
        say(
            f"{format_count(len(protected), 'mark')} would be lower and "
            f"{'stays' if len(protected) == 1 else 'stay'}{remark}"
        )
    if applied:
        say(f"{format_count(appended, 'mark')} appended")
    elif terms_change or any(change.needs_entry for change in regrade.changes):
        say("Nothing was changed; --apply appends the new marks.")


def report_unresolved(cells: "list[tuple[str, Standing]]") -> None:
    """Report why nothing was exported: the first cells without points, those of one reason in one line."""
    from grader.exercises.marking import State

    parts_by_reason: dict[tuple[str, str, str], list[str]] = {}
    for student, standing in cells:
        reason = student, standing.state_label, standing.message
        parts_by_reason.setdefault(reason, []).append(standing.question)

    def describe(group: tuple[tuple[str, str, str], list[str]]) -> str:
        (student, state_label, message), parts = group
        return f"{printable(student, 60)} {ENGLISH.join_and(parts)}: {state_label}: {printable(message)}"

    report_few([*parts_by_reason.items()], describe, 20)
    report(f"Not exported: {format_count(len(cells), 'cell')} unresolved.")
    if any(standing.state is State.MISSING for _, standing in cells):
        report("Hint: correct a row that does not count, and grade its file again with --replaces.")
    if any(standing.state is not State.MISSING for _, standing in cells):
        report("Hint: `gametree review` and `gametree gradebook todo` resolve replies in groups.")
    report("Hint: --leave-empty exports the others.")


def report_absent(count: int, missing: "MissingPolicy") -> None:
    """Report in one line how many students handed in nothing, and what they have."""
    if count:
        cells = "empty cells" if missing == "empty" else "0 points"
        report(f"{format_count(count, 'student')} without a reply: {cells}.")


def say_feedback(written: "FeedbackResult", place: Path, folder: Path) -> None:
    """Print how many students have a page and who has none; warn about missing points."""
    summary = f"{format_count(written.count, 'student')}: pages in {place}"
    if written.absent:
        count = len(written.absent)
        names = first_of_many([printable(each, 60) for each in written.absent], MAX_NAMED_ABSENT)
        summary += f"; {count} {'has' if count == 1 else 'have'} handed in nothing: {names}"
    say(summary)
    parts, students = written.unresolved
    if parts:
        report(
            f"Warning: {format_count(parts, 'part')} of {format_count(students, 'student')} "
            f"{'has' if parts == 1 else 'have'} no points yet; "
            f"`gametree gradebook show {folder} --unresolved` says why."
        )
    for warning in written.notes:
        note(f"{warning}.")
