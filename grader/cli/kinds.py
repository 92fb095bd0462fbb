"""`gametree kinds`: the catalogue of question kinds."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from grader.base.numbers import write_number
from grader.base.phrases import ENGLISH
from grader.cli.shared.exercises import CATALOGUE_HINT, kinds_named, minutes_text, require_kind
from grader.cli.shared.name_lookup import refuse_names
from grader.cli.shared.options import Json
from grader.cli.shared.parameters import argument, option
from grader.cli.shared.terminal import CommandApp, refuse, say, say_json
from grader.cli.shared.text_layout import wrap_text

if TYPE_CHECKING:
    from grader.questions.kind import AnyKind

app = CommandApp()


@app.command()
def kinds(
    names: Annotated[list[str] | None, argument("[KIND]...", "Only these kinds.")] = None,
    recipe: Annotated[bool, option("Print the recipe of a kind, every field of it, as TOML.")] = False,
    json: Json = False,
) -> None:
    """List the kinds of questions.

    The question, the form of a reply, the facts given in addition to the tree, and the recognized
    mistakes; with KIND also the minutes that a student takes, and what each mistake looks like.

    Examples:
      gametree kinds
      gametree kinds pruned-paths windows
      gametree kinds belief-state
      gametree kinds pruned-paths --recipe > mine.toml
      gametree kinds --json
    """
    from grader.questions import all_kinds, find_kind

    if recipe:
        from grader.generation.recipe_file import default_recipe, write_recipe

        if json or names is None or len(names) != 1:
            refuse("--recipe prints the recipe of one kind, and nothing else.", "Name one kind with it.")
        say(write_recipe(default_recipe(require_kind(names[0]).code)).rstrip())
        return
    unknown = [name for name in names or () if not kinds_named(name) and find_kind(name) is None]
    if len(unknown) == 1:
        require_kind(unknown[0])
    if unknown:
        refuse_names(tuple(kind.code for kind in all_kinds()), unknown, "kind", CATALOGUE_HINT)
    chosen = (
        tuple(kind for name in names for kind in kinds_named(name) or (require_kind(name),))
        if names
        else all_kinds()
    )
    if json:
        say_json({"schema": 1, "kinds": [_record(kind, explained=bool(names)) for kind in chosen]})
        return
    say("\n\n".join("\n".join(_catalogue_lines(kind, explained=bool(names))) for kind in chosen))


def _catalogue_lines(kind: "AnyKind", explained: bool) -> Iterator[str]:
    """Yield the lines about a kind; with `explained` also its usual time and what each mistake looks like."""
    from grader.questions import catalogue_question
    from grader.questions.beliefs import BELIEFS

    indent = " " * 14
    yield kind.code
    yield from wrap_text(catalogue_question(kind), "    ")
    yield from wrap_text(f"{kind.form.example}   ({kind.form.name})", "    reply:    ", indent)
    if kind.given_names:
        yield from wrap_text(", ".join(kind.given_names), "    given:    ", indent)
    yield from wrap_text(", ".join(kind.recognised_beliefs), "    mistakes: ", indent)
    if explained:
        yield f"    time:     {minutes_text(_usual_seconds(kind))} by its own recipe"
    for name in kind.recognised_beliefs if explained else ():
        yield from wrap_text(f"{name}: {BELIEFS[name].symptom}", " " * 8, " " * 12)


def _usual_seconds(kind: "AnyKind") -> int:
    """Estimate how long an exercise of the default recipe takes a student."""
    from grader.exercises.minutes import estimate_seconds
    from grader.generation.grower import grow
    from grader.generation.recipe_file import default_recipe

    return estimate_seconds([grow(default_recipe(kind.code), "minutes")])


def _record(kind: "AnyKind", explained: bool) -> dict[str, Any]:
    """Return a kind as JSON; its minutes are null unless `explained`, because they take time to find out."""
    from grader.exercises.minutes import to_minutes
    from grader.questions import catalogue_question
    from grader.questions.beliefs import BELIEFS

    return {
        "name": kind.code,
        "question": catalogue_question(kind),
        "form": kind.form.name,
        "ask": kind.form.instruction(ENGLISH),
        "example": kind.form.example,
        "minutes": write_number(to_minutes(_usual_seconds(kind))) if explained else None,
        "gives": list(kind.given_names),
        "beliefs": {
            name: {"seems": BELIEFS[name].symptom, "instead": BELIEFS[name].correction}
            for name in kind.recognised_beliefs
        },
    }
