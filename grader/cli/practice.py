"""`gametree practice`: questions in the terminal, each marked and explained."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count, islice
from typing import TYPE_CHECKING, Annotated

from grader.base.numbers import normalize_number
from grader.base.phrases import Language
from grader.cli.generate import MAX_EXERCISES, SeedOption, choose_seed, refuse_exhausted
from grader.cli.mark import format_earned, mark_lines
from grader.cli.shared import practice_messages as words
from grader.cli.shared.exercises import KindName, exercise_text_picture, require_kind
from grader.cli.shared.languages import LanguageCode, require_language
from grader.cli.shared.options import takes
from grader.cli.shared.parameters import option
from grader.cli.shared.recipes import RecipeOptions
from grader.cli.shared.terminal import CommandApp, paint, say
from grader.cli.shared.text_layout import wrap_text

if TYPE_CHECKING:
    from grader.exercises.exercise import Exercise
    from grader.exercises.marking import Mark
    from grader.generation.recipe import Recipe
    from grader.questions.kind import AnyKind

app = CommandApp()

PROMPT = "> "

MAX_ECHOED_LENGTH = 200
"""Longer lines are cut when they are echoed."""

_COMMANDS = {"q": "quit", "exit": "quit", "hint": "?", "help": "?"}
_COMMANDS |= {command: command for command in ("?", "answer", "skip", "quit")}
"""The words that are commands and not replies, and the command that each stands for."""


@app.command()
@takes(RecipeOptions)
def practice(
    kind: KindName,
    options: RecipeOptions,
    number: Annotated[
        int | None, option("Stop after N questions.", "-n", "--number", metavar="N", min=1, max=MAX_EXERCISES)
    ] = None,
    seed: SeedOption = None,
    language: LanguageCode = None,
) -> None:
    """Ask questions in the terminal, mark the replies and explain.

    All are of one kind. The tree is shown, and mistakes are explained.

    Examples:
      gametree practice best-move
      gametree practice pruned-paths --seed monday -n 5
      gametree practice node-values --plies 2

    While a question is open:
      ?        a hint; each further ? tells the next step of the solution
      answer   the answer, with all its steps; the question then counts as not answered
      skip     the next question
      quit     stop; so do Ctrl-D and Ctrl-C
    """
    from grader.questions import catalogue_question

    chosen_kind = require_kind(kind)
    recipe = options.recipe_of(kind).in_language(require_language(language))
    seed = choose_seed(seed)
    chosen_language = recipe.question.language
    say(f"{paint(chosen_language.say(catalogue_question(chosen_kind)), 'bold')}\n\n")
    say(chosen_language.say(words.COMMANDS))
    session = Session(chosen_kind, number, chosen_language)
    try:
        for exercise in islice(_endless(recipe, seed), number):
            if not session.ask(exercise):
                break
    except KeyboardInterrupt:
        say("")
        session.sum_up()
        raise
    session.sum_up()


def _endless(recipe: "Recipe", seed: str) -> "Iterator[Exercise]":
    """Yield exercises without end; when a recipe has no more, they repeat in another order."""
    from grader.generation.grower import grow_many
    from grader.generation.selection import ExhaustedError

    for cycle in count(1):
        is_empty = True
        try:
            for exercise in grow_many(recipe, seed if cycle == 1 else f"{seed}/{cycle}", MAX_EXERCISES):
                yield exercise
                is_empty = False
        except ExhaustedError as error:
            if is_empty:
                refuse_exhausted(error, recipe, 0, 1)


@dataclass
class Session:
    """The questions of one run of the command, and their marks."""

    kind: "AnyKind"
    number: int | None
    language: Language
    prompt: str = ""
    question_count: int = 0
    marks: "list[Mark]" = field(default_factory=list)

    def ask(self, exercise: "Exercise") -> bool:
        """Ask one question until it is marked, skipped or given up; return whether to ask another."""
        from grader.exercises.feedback import Feedback
        from grader.exercises.marking import Marker, State
        from grader.questions import catalogue_question

        self.question_count += 1
        heading = words.QUESTION_OF if self.number else words.QUESTION
        head = self.language.say(heading, number=self.question_count, count=self.number)
        say(f"\n{paint(head, 'bold')}\n\n")
        is_repeated = exercise.public.prompt == self.prompt
        prompt = self.language.say(catalogue_question(self.kind)) if is_repeated else exercise.public.prompt
        say("\n".join(wrap_text(prompt)))
        self.prompt = exercise.public.prompt
        if len(exercise.public.tree):
            say(f"\n{exercise_text_picture(exercise.public)}\n\n")
        feedback, marker, hints = Feedback(exercise), Marker(exercise), _hint_lines(exercise)
        if self.kind.form.is_multiline:
            say(self.language.say(words.LINES))
        while (reply := self._reply()) is not None:
            match _COMMANDS.get(reply.strip().lower(), reply.strip()):
                case "quit":
                    return False
                case "skip":
                    return True
                case "answer":
                    say("\n".join(line for text in _answer_lines(exercise) for line in wrap_text(text, "  ")))
                    return True
                case "":
                    say(self.language.say(words.WANTED))
                case "?":
                    say("\n".join(wrap_text(next(hints, self.language.say(words.LAST)), "  ")))
                case _:
                    mark = marker.mark(reply)
                    say("\n".join(mark_lines(mark, feedback)))
                    if mark.state is State.GRADED:
                        self.marks.append(mark)
                        if mark.points != mark.maximum:
                            answer = self.language.say(words.ANSWER, answer=exercise.printed_key)
                            say("\n" + "\n".join(wrap_text(answer)))
                        return True
                    say(self.language.say(words.AGAIN))
        return False

    def _reply(self) -> str | None:
        """Read a reply, or a command, which discards the lines before it; None at the end of the input."""
        line = _read_line()
        if line is None or not self.kind.form.is_multiline or line.strip().lower() in _COMMANDS:
            return line
        lines = [line]
        while lines[-1].strip() and (more := _read_line()) is not None:
            if more.strip().lower() in _COMMANDS:
                return more
            lines.append(more)
        return "\n".join(lines)

    def sum_up(self) -> None:
        """Print the points of all questions, and the most frequent mistake."""
        if not self.marks:
            say(f"\n{self.language.say(words.NOBODY)}")
            return
        points = normalize_number(sum(mark.points or 0 for mark in self.marks))
        points_text = format_earned(
            points, normalize_number(sum(mark.maximum for mark in self.marks)), self.language
        )
        right = sum(mark.points == mark.maximum for mark in self.marks)
        summary = self.language.say(*words.SUM, len(self.marks), right=right, earned=points_text)
        say(f"\n{summary}")
        notes = Counter(note.code for mark in self.marks for note in mark.notes)
        if notes:
            from grader.questions.beliefs import BELIEFS

            code, times = notes.most_common(1)[0]
            instead = self.language.say(BELIEFS[code.rpartition(".")[2]].correction)
            say("\n".join(wrap_text(self.language.say(*words.REMEMBER, times, code=code, instead=instead))))


def _hint_lines(exercise: "Exercise") -> Iterator[str]:
    """Yield how to write the answer, and then every step of the solution."""
    form, language = exercise.kind.form, exercise.public.terms.language
    yield f"{form.instruction(language)} {language.say(words.EXAMPLE, reply=language.reply(form.example))}"
    yield from exercise.kind.worked_solution.steps(exercise.solved())


def _answer_lines(exercise: "Exercise") -> Iterator[str]:
    """Yield the answer and the steps that decide it: the cutoffs of a search, or the value of every node."""
    yield exercise.public.terms.language.say(words.ANSWER, answer=exercise.printed_key)
    yield from exercise.kind.worked_solution.deciding_steps(exercise.solved())


def _read_line() -> str | None:
    """Read one line, None at the end of the input; a line that does not come from a terminal is echoed."""
    sys.stdout.flush()
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401 - lets the line be edited
        try:
            return input(PROMPT)
        except EOFError:
            say("")
            return None
    data = sys.stdin.buffer.readline()
    if not data:
        return None
    line = data.decode("utf-8", "replace").rstrip("\r\n")
    say(f"{PROMPT}{line if len(line) <= MAX_ECHOED_LENGTH else line[:MAX_ECHOED_LENGTH] + '...'}")
    return line
