"""`gametree statistics`: how questions were answered in finished exams, over the years."""

from math import tanh
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from grader.base.numbers import format_count
from grader.base.statistics import correlation_interval, wilson_interval
from grader.cli.shared.exam_folders import ExamFolder, open_book, open_exam_keys
from grader.cli.shared.options import Json
from grader.cli.shared.parameters import option
from grader.cli.shared.refusals import refusing
from grader.cli.shared.statistics_files import STATISTICS_FILE, open_statistics
from grader.cli.shared.terminal import CommandApp, note, say, say_json

if TYPE_CHECKING:
    from grader.exam.answer_statistics import MisconceptionTally, QuestionStatistics

app = CommandApp(no_args_is_help=True)

File = Annotated[Path, option("The file of the statistics.", "--file", "-f", metavar="FILE")]


@app.callback()
def statistics() -> None:
    """Collect how questions were answered in finished exams.

    The file has counts of whole classes, and nothing about a student. `gametree stress` and
    `gametree exam fairness` can use it with --statistics.

    Examples:
      gametree statistics add midterm/
      gametree statistics show
    """


@app.command()
def add(folder: ExamFolder, file: File = STATISTICS_FILE) -> None:
    """Add a finished exam to the statistics.

    Add it when its marks are final: the same exam is not added twice. Questions that fewer than 10
    students answered are left out, because so few answers could be put down to people.

    Examples:
      gametree statistics add midterm/ -f all-years.json
    """
    from grader.exam.answer_statistics import AnswerStatistics, write_statistics
    from grader.grading.results import results
    from grader.grading.statistics_collection import collect_statistics, exam_fingerprint

    exam_keys = open_exam_keys(folder)
    collected = open_statistics(file) if file.exists() else AnswerStatistics()
    with open_book(folder, exam_keys) as book:
        questions, omitted = collect_statistics(exam_keys, results(book, exam_keys))
    collected = collected.with_exam(exam_fingerprint(exam_keys), questions)
    with refusing(f"{file} cannot be written", OSError):
        write_statistics(collected, file)
    if omitted:
        note(f"left out, because too few students answered: {', '.join(omitted)}.")
    say(f"{file}: {format_count(len(collected.exams), 'exam')}, {_type_count(len(collected.questions))}")


@app.command()
def show(file: File = STATISTICS_FILE, json: Json = False) -> None:
    """Show how each type of question was answered, with 95% intervals.

    Examples:
      gametree statistics show
      gametree statistics show -f all-years.json --json
    """
    collected = open_statistics(file)
    if json:
        questions = [each.to_json() | {"intervals": _intervals(each)} for each in collected.questions]
        say_json({"schema": 1, "exams": len(collected.exams), "questions": questions})
        return
    exams = format_count(len(collected.exams), "exam")
    say(f"{exams}, {_type_count(len(collected.questions))}; 95% intervals")
    for question in collected.questions:
        say("")
        for line in _question_lines(question):
            say(line)


def _type_count(count: int) -> str:
    return format_count(count, "type of question", "types of questions")


def _intervals(question: "QuestionStatistics") -> dict[str, Any]:
    """Return the intervals of the estimates."""
    intervals: dict[str, Any] = {
        "facility": wilson_interval(question.score / question.students, question.students),
        "misconceptions": {
            name: _misconception_interval(tally) for name, tally in question.misconceptions.items()
        },
    }
    if question.weight:
        mean = question.discrimination / question.weight
        intervals["discrimination"] = correlation_interval(mean, question.weight)
    return intervals


def _misconception_interval(tally: "MisconceptionTally") -> tuple[float, float]:
    """Return the interval of a share; it includes what answers of several misconceptions leave open."""
    low, _ = wilson_interval(min(1.0, tally.explained / tally.exposed), tally.exposed)
    _, high = wilson_interval(min(1.0, tally.possible / tally.exposed), tally.exposed)
    return low, high


def _question_lines(question: "QuestionStatistics") -> list[str]:
    """Describe one type of question: facility, discrimination, and the misconceptions that occurred."""
    intervals = _intervals(question)
    origin = f"recipe {question.recipe}" if question.recipe else "given tree"
    plies = "ply" if question.plies == "1" else "plies"
    size = f"{question.plies} {plies}, {question.leaves} leaves, {origin}"
    classes = f"{format_count(question.students, 'student')} in {format_count(question.exams, 'exam')}"
    lines = [
        f"{question.kind} ({size}): {classes}",
        f"  mean score      {_percent(question.score / question.students)} {_range(intervals['facility'])}",
    ]
    if question.weight:
        low, high = intervals["discrimination"]
        mean = tanh(question.discrimination / question.weight)
        lines.append(f"  discrimination  {mean:.2f} ({low:.2f} to {high:.2f})")
    lines.append(f"  blank           {_percent(question.blank / question.students)}")
    lines.append(f"  unexplained     {_percent(question.unexplained / question.students)}")
    rows = [
        (tally.expected / tally.exposed, name)
        for name, tally in question.misconceptions.items()
        if tally.possible
    ]
    for share, name in sorted(rows, key=lambda row: (-row[0], row[1])):
        lines.append(f"  {_percent(share):>7} {_range(intervals['misconceptions'][name]):<17} {name}")
    return lines


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def _range(interval: tuple[float, float]) -> str:
    return f"({_percent(interval[0])} to {_percent(interval[1])})"
