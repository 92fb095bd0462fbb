"""The option that names several kinds of questions."""

from typing import Annotated

from grader.cli.shared.exercises import kind_of
from grader.cli.shared.parameters import option

KindNames = Annotated[
    str | None,
    option("Only these kinds, with commas between them; else all of them.", "--kinds", metavar="KIND,..."),
]


def kinds_of(names: str | None) -> tuple[str, ...]:
    """The codes of the kinds that are named; refuses any other."""
    from grader.questions import every_kind

    if names is None:
        return tuple(kind.code for kind in every_kind())
    return tuple(dict.fromkeys(kind_of(name.strip()).code for name in names.split(",")))
