"""The option that names several kinds of questions."""

from typing import Annotated

from grader.cli.shared.exercises import require_kind
from grader.cli.shared.parameters import option

KindNames = Annotated[
    str | None,
    option("Only these kinds, with commas between them; else all of them.", "--kinds", metavar="KIND,..."),
]


def require_kinds(names: str | None) -> tuple[str, ...]:
    """The codes of the kinds that are named; refuses any other."""
    from grader.questions import all_kinds

    if names is None:
        return tuple(kind.code for kind in all_kinds())
    return tuple(dict.fromkeys(require_kind(name.strip()).code for name in names.split(",")))
