"""`gametree kinds`: the catalogue of question kinds."""

import sys
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grader.base.phrases import ENGLISH
from grader.cli.shared.exercises import kind_of, terminal_width
from grader.cli.shared.options import Json
from grader.cli.shared.terminal import program, say, say_json

if TYPE_CHECKING:
    from grader.kinds.kind import AnyKind

app = program()


@app.command()
def kinds(
    names: Annotated[list[str] | None, typer.Argument(metavar="[KIND]...", help="Only these kinds.")] = None,
    json: Json = False,
) -> None:
    """List the kinds of questions.

    What is asked, how a reply looks, and which mistakes are recognised.

    Examples:
      gametree kinds
      gametree kinds pruned-paths windows
      gametree kinds --json
    """
    from grader.kinds import KINDS

    chosen = tuple(map(kind_of, names)) if names else KINDS
    if json:
        say_json({"schema": 1, "kinds": [_record(kind) for kind in chosen]})
        return
    width = terminal_width()

    def entry(label: str, text: str) -> str:
        head = f"    {label + ':':<10}"
        return fill(
            text, width, initial_indent=head, subsequent_indent=" " * len(head), break_on_hyphens=False
        )

    for number, kind in enumerate(chosen):
        say(("\n" if number else "") + kind.name)
        say(fill(question_of(kind), width, initial_indent="    ", subsequent_indent="    "))
        say(entry("reply", f"{kind.form.example}   ({kind.form.name})"))
        say(entry("mistakes", ", ".join(kind.recognised)))
        if names:
            _explain_beliefs(kind, width)


def question_of(kind: "AnyKind") -> str:
    """The question a kind asks, which is the docstring of its module."""
    return (sys.modules[f"grader.kinds.{kind.name.replace('-', '_')}"].__doc__ or "").strip()


def _explain_beliefs(kind: "AnyKind", width: int) -> None:
    from grader.kinds.beliefs import belief_named

    for name in kind.recognised:
        text = f"{name}: {belief_named(name).seems}"
        say(fill(text, width, initial_indent=" " * 8, subsequent_indent=" " * 12, break_on_hyphens=False))


def _record(kind: "AnyKind") -> dict[str, Any]:
    from grader.kinds.beliefs import belief_named

    return {
        "name": kind.name,
        "question": question_of(kind),
        "form": kind.form.name,
        "ask": kind.form.asked(ENGLISH),
        "example": kind.form.example,
        "beliefs": {
            name: {"seems": belief_named(name).seems, "instead": belief_named(name).instead}
            for name in kind.recognised
        },
    }
