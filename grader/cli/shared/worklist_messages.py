"""Print the replies that wait for a person, group by group, and say what to do about them."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.base.numbers import format_count, write_number
from grader.base.safe_text import safe_paragraph
from grader.base.suggest import first_of_many
from grader.cli.shared.terminal import printable, report, say
from grader.cli.shared.text_layout import shorten_line, terminal_width, wrap_text

if TYPE_CHECKING:
    from grader.base.phrases import Language
    from grader.grading.doubtful_replies import LikeReplies, ReplyGroup
    from grader.grading.records import Standing
    from grader.grading.results import StateCounts

MAX_SHOWN_ROWS = 3
"""Of more different replies in a group only the count is given."""

MAX_NAMED_STUDENTS = 6
"""Of more students only the count is given."""


def group_records(groups: "Sequence[ReplyGroup]") -> dict[str, Any]:
    """The groups as JSON."""
    return {
        "waiting": sum(group.count for group in groups),
        "groups": [
            {
                "questions": list(group.questions),
                "count": group.count,
                "why": group.reason,
                "replies": list(map(_row_record, group.rows)),
            }
            for group in groups
        ],
    }


def _row_record(row: "LikeReplies") -> dict[str, Any]:
    """Return a row of the worklist as JSON; its reply and reasons are those of its first student."""
    return {
        "key": row.key,
        "question": row.question,
        "count": len(row.members),
        "students": [each.student for each in row.members],
        "written": row.first.submission.reply,
        "state": row.first.standing.state_label,
        "understood": row.first.understood,
        "why": row.first.reason,
        "readings": [
            {
                "reply": each.reply,
                "from": each.source,
                "state": each.mark.state.value,
                "points": None if each.points is None else write_number(each.points),
                "maximum": write_number(each.mark.maximum),
            }
            for each in row.first.readings
        ],
    }


def say_groups(groups: "Sequence[ReplyGroup]", language: "Language") -> None:
    """Print every group: how many replies, why, and the most frequent ones with their readings."""
    for group in groups:
        head = f"{', '.join(group.questions)}  {format_count(group.count, 'reply', 'replies')}: "
        say("\n".join(wrap_text(safe_paragraph(group.reason, 300), head, "    ")))
        for row in group.rows[:MAX_SHOWN_ROWS]:
            count = f"{len(row.members)} x " if len(row.members) > 1 else ""
            count += f"{row.question}: " if len(group.questions) > 1 else ""
            say(f"    {count}{shorten_line(row.first.submission.reply, terminal_width() - 12)}")
            for number, each in enumerate(row.first.readings, 1):
                points = each.mark.state.value
                if each.points is not None:
                    points = f"{language.points(each.points)} of {language.points(each.mark.maximum)}"
                remark = f", {printable(row.first.remark(each), 60)}" if row.first.remark(each) else ""
                line = f"#{number} ({points}{remark}) {each.reply}"
                say(f"        {shorten_line(line, terminal_width() - 8)}")
        if len(group.rows) > MAX_SHOWN_ROWS:
            say(f"    and {len(group.rows) - MAX_SHOWN_ROWS} more different replies")


def say_other_unresolved(cells: "Iterable[tuple[str, Standing]]") -> None:
    """Print unresolved parts that no reading resolves: who, which, and why."""
    students_by_part: dict[tuple[str, str], list[str]] = {}
    for student, standing in cells:
        students_by_part.setdefault((standing.question, standing.message), []).append(student)
    parts_by_students: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for (part, message), students in students_by_part.items():
        parts_by_students.setdefault((tuple(students), message), []).append(part)
    for (identifiers, message), parts in parts_by_students.items():
        names = first_of_many([printable(each, 60) for each in identifiers], MAX_NAMED_STUDENTS)
        say(f"{names} {', '.join(parts)}: {printable(message, 300)}")


def report_todo(
    folder: Path,
    groups: "Sequence[ReplyGroup]",
    counts: "StateCounts",
    out: str | None = None,
    *,
    is_listed: bool = False,
) -> None:
    """Report what to do about the replies that wait, and about everything else that is unresolved.

    `is_listed` says that all that is unresolved has been listed.
    """
    waiting = sum(group.count for group in groups)
    unread = sum(counts.states[name] for name in ("UNPARSEABLE", "AMBIGUOUS", "ERROR")) - counts.scanned
    if groups:
        replies = format_count(waiting, "reply waits", "replies wait")
        report(f"{replies} for you, in {format_count(len(groups), 'group')}.")
    if out not in (None, "-"):
        report(
            "Hint: fill in the column reply with #1, #2, ... for the reading in that column, #0 if the "
            f"whole reply is empty, or the reply as you read it; "
            f"then gametree gradebook read {folder} --table {out}."
        )
    elif unread:
        report(
            f"Hint: gametree review {folder} decides them in the browser, and gametree gradebook todo "
            f"{folder} -o todo.xlsx writes a worklist."
        )
    if counts.waiting:
        replies = format_count(counts.waiting, "reply is", "replies are")
        report(f"Hint: {replies} not marked yet; gametree grade {folder} marks them.")
    if not is_listed and counts.unresolved > waiting + counts.waiting:
        report(f"Hint: gametree gradebook show {folder} --unresolved lists everything that is unresolved.")
