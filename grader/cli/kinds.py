"""`gametree kinds`: the catalogue of question kinds."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from grader.base.phrases import ENGLISH
from grader.cli.shared.by_name import none_of
from grader.cli.shared.exercises import asks_of, kind_of, wrapped
from grader.cli.shared.options import Json
from grader.cli.shared.parameters import argument, option
from grader.cli.shared.terminal import program, refuse, say, say_json

if TYPE_CHECKING:
    from grader.questions.kind import AnyKind

app = program()


@app.command()
def kinds(
    names: Annotated[list[str] | None, argument("[KIND]...", "Only these kinds.")] = None,
    recipe: Annotated[bool, option("Print the recipe of a kind, every field of it, as TOML.")] = False,
    json: Json = False,
) -> None:
    """List the kinds of questions.

    What is asked, how a reply looks, what is given beside the tree, and which mistakes are recognised.

    Examples:
      gametree kinds
      gametree kinds pruned-paths windows
      gametree kinds belief-state
      gametree kinds pruned-paths --recipe > mine.toml
      gametree kinds --json
    """
    from grader.questions import every_kind, kind_named

    if recipe:
        if json or len(names or ()) != 1:
            refuse("--recipe prints the recipe of one kind, and nothing else.", "Name one kind with it.")
        say(_recipe(*names or ()))
        return
    wrong = [name for name in names or () if not asks_of(name) and kind_named(name) is None]
    if wrong:
        none_of({kind.code: kind for kind in every_kind()}, wrong, "kind", "`gametree kinds` lists them.")
    chosen = (
        tuple(kind for name in names for kind in asks_of(name) or (kind_of(name),)) if names else every_kind()
    )
    if json:
        say_json({"schema": 1, "kinds": [_record(kind) for kind in chosen]})
        return
    say("\n\n".join("\n".join(_told(kind, explained=bool(names))) for kind in chosen))


def _recipe(name: str) -> str:
    """What a good exercise of a kind looks like, as whoever wants another writes it."""
    from grader.generation.recipe_file import default_recipe, write_recipe

    return write_recipe(default_recipe(kind_of(name).code)).rstrip()


def _told(kind: "AnyKind", explained: bool) -> Iterator[str]:
    from grader.questions import question_of
    from grader.questions.beliefs import BELIEFS

    indent = " " * 14
    yield kind.code
    yield from wrapped(question_of(kind), "    ")
    yield from wrapped(f"{kind.form.example}   ({kind.form.name})", "    reply:    ", indent)
    if kind.gives:
        yield from wrapped(", ".join(kind.gives), "    given:    ", indent)
    yield from wrapped(", ".join(kind.recognised), "    mistakes: ", indent)
    for name in kind.recognised if explained else ():
        yield from wrapped(f"{name}: {BELIEFS[name].seems}", " " * 8, " " * 12)


def _record(kind: "AnyKind") -> dict[str, Any]:
    from grader.questions import question_of
    from grader.questions.beliefs import BELIEFS

    return {
        "name": kind.code,
        "question": question_of(kind),
        "form": kind.form.name,
        "ask": kind.form.asked(ENGLISH),
        "example": kind.form.example,
        "gives": list(kind.gives),
        "beliefs": {
            name: {"seems": BELIEFS[name].seems, "instead": BELIEFS[name].instead} for name in kind.recognised
        },
    }
