"""Marks and changes of marks as the commands about the gradebook say them, and as JSON."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.cli.shared.terminal import format_count, note, printable, report, report_few, say

if TYPE_CHECKING:
    from grader.base.phrases import Language
    from grader.grading.records import Entry, OddRow, Standing, Submission
    from grader.grading.regrading import MarkChange, Regrade
    from grader.publishing.feedback_formats import FeedbackResult

MAX_NAMED_STUDENTS = 12
"""The most students that are named one by one."""


def format_points_or_state(entry: "Entry", language: "Language") -> str:
    """The points of a mark, or the state of one that has none."""
    if entry.points is None:
        return entry.state.value
    return f"{language.points(entry.points)} of {language.points(entry.maximum)}"


def odd_record(row: "OddRow") -> dict[str, Any]:
    """A row that did not simply count as JSON."""
    return {
        "place": row.place,
        "said": row.said,
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


def entry_record(entry: "Entry") -> dict[str, Any]:
    """A mark as JSON."""
    from grader.base.numbers import write_number

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
    found: "Regrade", moving: "list[MarkChange]", applied: bool, appended: int
) -> dict[str, Any]:
    """A regrade as JSON."""
    return {
        "schema": 1,
        "applied": applied,
        "appended": appended,
        "moves": list(map(_change_record, moving)),
        "kept": [_change_record(change) for change in found.changes if change.kept is not None],
        "same": found.unchanged_count,
        "overridden": len(found.overridden),
        "overriddenOfOtherPoints": [
            {"student": entry.student, "question": entry.question} for entry, _ in found.outdated_overrides
        ],
    }


def say_regrade(
    found: "Regrade", moving: "list[MarkChange]", language: "Language", applied: bool, appended: int
) -> None:
    """Say who moves, who stays, and what was done about it."""
    for change in moving:
        say(
            f"{printable(change.new.student, 60)} {change.new.question}: "
            f"{format_points_or_state(change.old, language)} -> "
            f"{format_points_or_state(change.final_entry, language)} ({change.state_reason()})"
        )
    stay = [change for change in found.changes if change.kept is not None and not change.is_visible]
    rest = len(found.changes) - len(moving) - len(stay)
    say(
        f"{format_count(len(moving), 'mark moves', 'marks move')}, {rest} made anew without a difference, "
        f"{found.unchanged_count} the same, {len(found.overridden)} set by hand stand"
    )
    for entry, full in found.outdated_overrides:
        say(
            f"{printable(entry.student, 60)} {entry.question}: set by hand to "
            f"{format_points_or_state(entry, language)}, where the full mark is {language.number(full)} now; "
            "`gametree gradebook override` sets it anew"
        )
    if stay:
        before = sum(change.old.maker == "kept" for change in stay)
        said = f" ({before} kept by an earlier --never-lower; --lower-kept lowers those)" if before else ""
        say(
            f"{format_count(len(stay), 'mark')} would be lower and "
            f"{'stays' if len(stay) == 1 else 'stay'}{said}"
        )
    if applied:
        say(f"{format_count(appended, 'mark')} appended")
    elif any(change.needs_entry for change in found.changes):
        say("Nothing was changed; --apply appends the new marks.")


def report_unresolved(cells: "list[tuple[str, Standing]]") -> None:
    """Say why nothing was exported: the first cells of students that have no points yet."""

    def said(cell: "tuple[str, Standing]") -> str:
        student, standing = cell
        why = printable(standing.message)
        return f"{printable(student, 60)} {standing.question}: {standing.state_label}: {why}"

    report_few(cells, said, 20)
    report(f"Not exported: {format_count(len(cells), 'cell')} unresolved.")
    report("Hint: resolve them with `gametree gradebook override`, or add --leave-empty.")


def say_feedback(written: "FeedbackResult", place: Path, folder: Path) -> None:
    """Say who has a page and who has none, and warn where points are lacking."""
    said = f"{format_count(written.count, 'student')}: pages in {place}"
    if written.absent:
        count, names = (
            len(written.absent),
            ", ".join(printable(each, 60) for each in written.absent[:MAX_NAMED_STUDENTS]),
        )
        more = f" and {count - MAX_NAMED_STUDENTS} more" if count > MAX_NAMED_STUDENTS else ""
        said += f"; {count} {'has' if count == 1 else 'have'} handed in nothing: {names}{more}"
    say(said)
    parts, lacking = written.unresolved
    if parts:
        report(
            f"Warning: {format_count(parts, 'part')} of {format_count(lacking, 'student')} "
            f"{'has' if parts == 1 else 'have'} no points yet; "
            f"`gametree gradebook show {folder} --unresolved` says why."
        )
    for doubt in written.notes:
        note(f"{doubt}.")
