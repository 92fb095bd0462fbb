"""The option for the language of what students read."""

from typing import TYPE_CHECKING, Annotated

from grader.cli.shared.parameters import option
from grader.cli.shared.sources import read_input_bytes, require_parsed
from grader.cli.shared.terminal import refuse, sentence

if TYPE_CHECKING:
    from grader.base.phrases import Language

LanguageCode = Annotated[
    str | None,
    option(
        "The language of what students read: de, or FILE.po for your own catalogue.",
        "--language",
        metavar="CODE",
    ),
]

ReviewLanguage = Annotated[
    str | None,
    option(
        "The language of the review page: de, or FILE.po for your own catalogue. Default: that of the exam.",
        "--language",
        metavar="CODE",
    ),
]


def require_language(code: str | None) -> "Language":
    """Return the language of a code, or of a teacher's own `.po` file; English for None.

    Refuse a code without a catalogue, and an unusable file.
    """
    from grader.base.catalogues import CatalogueError, has_catalogue, missing_catalogue, read_own_catalogue
    from grader.base.phrases import ENGLISH, Language

    if code is None:
        return ENGLISH
    if not code.endswith(".po"):
        if not has_catalogue(code):
            refuse(*map(sentence, missing_catalogue(code)))
        return Language.of(code)
    data = read_input_bytes(code, "a catalogue")
    try:
        catalogue = read_own_catalogue(data)
    except CatalogueError as error:
        from grader.trees.notation.diagnostics import Diagnostic, Diagnostics

        lines = data.decode("utf-8-sig", "replace").split("\n")
        faults = (
            Diagnostic("catalogue", message, line, 1, lines[min(line, len(lines)) - 1].rstrip("\r"), hint)
            for line, message, hint in error.faults
        )
        return require_parsed(code, Diagnostics(tuple(faults)))
    return Language.of(catalogue.code, catalogue)
