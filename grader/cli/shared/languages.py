"""The option for the language in which something is said to students."""

from typing import TYPE_CHECKING, Annotated

from grader.cli.shared.parameters import option
from grader.cli.shared.sources import read_input_bytes, require_readable
from grader.cli.shared.terminal import refuse, sentence

if TYPE_CHECKING:
    from grader.base.phrases import Language

LanguageCode = Annotated[
    str | None,
    option(
        "What students read is in this language: de, or FILE.po, a catalogue of your own.",
        "--language",
        metavar="CODE",
    ),
]


def require_language(said: str | None) -> "Language":
    """The language of the option; refuses one without sentences, and a catalogue that cannot be used."""
    from grader.base.catalogues import CatalogueError, has_catalogue, read_own_catalogue
    from grader.base.phrases import ENGLISH, Language

    if said is None:
        return ENGLISH
    if not said.endswith(".po"):
        if not has_catalogue(said):
            from grader.base.catalogues import missing_catalogue

            refuse(*map(sentence, missing_catalogue(said)))
        return Language.of(said)
    data = read_input_bytes(said, "a catalogue")
    try:
        own = read_own_catalogue(data)
    except CatalogueError as error:
        from grader.trees.notation.diagnostics import Diagnostic, Diagnostics

        lines = data.decode("utf-8-sig", "replace").split("\n")
        faults = (
            Diagnostic("catalogue", message, line, 1, lines[min(line, len(lines)) - 1].rstrip("\r"), hint)
            for line, message, hint in error.faults
        )
        require_readable(said, Diagnostics(tuple(faults)))
        raise AssertionError("what cannot be used is refused") from error
    return Language.of(own.code, own)
