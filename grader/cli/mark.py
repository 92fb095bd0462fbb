"""`gametree mark`: one reply to an exercise, marked and explained."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from grader.base.numbers import Number
from grader.base.phrases import Language
from grader.cli.shared import practice_messages as words
from grader.cli.shared.exercises import read_exercise_file
from grader.cli.shared.languages import LanguageCode, require_language
from grader.cli.shared.options import Json
from grader.cli.shared.parameters import argument, option
from grader.cli.shared.terminal import Colour, CommandApp, paint, refuse, say, say_json
from grader.cli.shared.text_layout import wrap_text

if TYPE_CHECKING:
    from grader.exercises.exercise import Exercise
    from grader.exercises.feedback import Feedback, Remark
    from grader.exercises.marking import Mark

app = CommandApp()


@app.command(context_settings={"ignore_unknown_options": True})  # so that a reply such as -2 is not an option
def mark(
    exercise: Annotated[str, argument("EXERCISE", "An instructor's file, with the key; - for stdin.")],
    reply: Annotated[list[str], argument("REPLY...", "The reply as it was typed; - for stdin.")],
    language: LanguageCode = None,
    in_full: Annotated[
        bool, option("Give the reason of every mistake, not only of the first.", "--full")
    ] = False,
    json: Json = False,
) -> None:
    """Mark one reply to an exercise, with notes.

    The points, every incorrect entry with its reason, and the likely mistake.

    Examples:
      gametree generate pruned-paths --seed 7 > exercise.json
      gametree mark exercise.json "5 6 9"
      gametree mark exercise.json "5 6 9" --full
      gametree mark exercise.json none --json
      gametree mark exercise.json - < reply.txt
      gametree generate pruned-paths --tree bank:aima-fig-5-2 | gametree mark - 5 6

    Exit code 0 for the full mark, 1 for less or when the reply cannot be marked, 2 for an unusable exercise.
    """
    from grader.exercises.feedback import Feedback
    from grader.exercises.marking import State
    from grader.exercises.marking import mark as mark_reply
    from grader.web.messages.documents import mark_record

    if exercise == "-" and reply == ["-"]:
        refuse("The exercise and the reply cannot both come from standard input.", "Name a file for one.")
    for word in reply:
        if word.startswith("--"):
            refuse(f"There is no option {word}.", "A reply that begins with two dashes goes to stdin.")
    chosen_language = None if language is None else require_language(language)
    question = read_exercise_file(exercise, None if chosen_language is None else chosen_language.own)
    if chosen_language is not None:
        question = question.with_feedback_in(chosen_language)
    result = mark_reply(question, _typed(reply))
    feedback = Feedback(question)
    if json:
        say_json(mark_record(question, result, feedback))
    else:
        for line in mark_lines(result, feedback, in_full=in_full):
            say(line)
        if result.state is State.GRADED and not in_full and feedback.explanation(result).more:
            say("\n".join(["", *wrap_text(question.public.terms.language.say(words.MORE))]))
    full = result.state is State.GRADED and result.points == result.maximum
    raise typer.Exit(0 if full else 1)


def _typed(arguments: Sequence[str]) -> str:
    """The reply in the arguments or on standard input; bytes that are not UTF-8 become U+FFFD."""
    from grader.answers.form import MAX_REPLY_BYTES

    if list(arguments) == ["-"]:
        data = sys.stdin.buffer.read(MAX_REPLY_BYTES + 1)
    else:
        data = " ".join(arguments).encode("utf-8", "surrogateescape")
    return data.decode("utf-8-sig", "replace")


_COLOURS: dict[str, Colour] = {"right": "green", "follows": "green", "partly": "yellow"}


def mark_lines(mark: "Mark", feedback: "Feedback", *, in_full: bool = False) -> list[str]:
    """A mark as text: the verdict, the reply as understood, the remarks, the recognised mistakes.

    Without `in_full` only the first mistake has its reason.
    """
    from grader.exercises.marking import State

    language = feedback.exercise.public.terms.language
    read_as = language.say(words.UNDERSTOOD, reply=feedback.exercise.printed_entry(mark.understood))
    understood = wrap_text(read_as, "  ") if mark.understood else []
    if mark.state is State.BLANK:
        return [
            paint("BLANK", "yellow"),
            f"  {language.say(words.EMPTY, points=format_points(mark.maximum, language))}",
        ]
    if mark.state is not State.GRADED or mark.points is None:
        return [paint(f"{mark.state}", "yellow"), *wrap_text(mark.message, "  "), *understood]
    full = mark.points == mark.maximum
    verdict = paint("GRADED", "green" if full else "yellow" if mark.points else "red")
    lines = [f"{verdict}  {format_earned(mark.points, mark.maximum, language)}", *understood]
    if mark.follow_through:
        followed = language.points(mark.follow_through)
        lines.append(f"  {language.say(words.FOLLOWED, points=followed)}")
    explanation = feedback.explanation(mark)
    remarks = feedback.remarks(mark) if in_full else explanation.remarks
    if full and explanation.first:
        lines += ["", *wrap_text(explanation.first, "  ")]
    if not full or len(remarks) > 1:
        lines += ["", *(line for remark in remarks for line in _remark(remark, feedback.exercise))]
    if mark.notes:
        head, colon, rest = language.say(words.NOTES if len(mark.notes) > 1 else words.NOTE).partition(":")
        lines += ["", f"{paint(head, 'yellow')}{colon}{rest}"]
    for note, text in zip(mark.notes, feedback.diagnosis(mark), strict=True):
        lines += [f"  {note.code}", *wrap_text(text, "    ")]
    return lines


def format_points(number: Number, language: Language) -> str:
    """`1 point`, `2.5 points`."""
    return language.term(*words.POINTS, 1 if number == 1 else 2, points=language.points(number))


def format_earned(points: Number, maximum: Number, language: Language) -> str:
    """`0 of 1 point`, `2.5 of 4 points`."""
    values = {"points": language.points(points), "maximum": language.points(maximum)}
    return language.term(*words.EARNED, 1 if maximum == 1 else 2, **values)


def _remark(remark: "Remark", exercise: "Exercise") -> list[str]:
    """Return a remark as lines: its verdict, the entries in it, and the reason.

    The entries are left out before a reason, unless the verdict is "wrong".
    """
    entries = "  ".join(exercise.printed_entry(item.reply or item.right) for item in remark.items)
    language, text = exercise.public.terms.language, remark.text or entries
    if remark.text and remark.verdict == "wrong":
        text = f"{entries}.  {remark.text}"
    width = max(len(language.term(word)) for word in words.VERDICTS.values()) + 2
    head = language.term(words.VERDICTS[remark.verdict]).ljust(width)
    first, *rest = wrap_text(text, head, " " * len(head))
    return [paint(head, _COLOURS.get(remark.verdict, "red")) + first[len(head) :], *rest]
