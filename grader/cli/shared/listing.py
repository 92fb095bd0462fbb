"""Help that lists what registries hold, looked up when help is shown: no command loads them for it."""

import re
from collections.abc import Iterable
from typing import Any

from typer.core import TyperCommand

_PLACE = re.compile(r"\{(\w+)\}")


def _registry(name: str) -> Iterable[str]:
    """The names in a registry."""
    match name:
        case "pictures":
            from grader.pictures.outputs import OUTPUTS

            return (output.suffix.removeprefix(".") for output in OUTPUTS)
        case "papers":
            from grader.publishing.pages import FORMATS

            return (form.name for form in FORMATS)
        case "feedback":
            from grader.publishing.feedback_formats import FORMATS as FEEDBACK

            return (form.name for form in FEEDBACK)
        case "platforms":
            from grader.publishing.platforms import PLATFORM_EXPORTS

            return (export.name for export in PLATFORM_EXPORTS)
        case "gradebooks":
            from grader.grading.gradebook_exports import POINT_EXPORTS

            return (export.name for export in POINT_EXPORTS)
    raise KeyError(name)


def filled(text: str) -> str:
    """A text in which `{pictures}` is every form of a picture, as in `svg, png or pdf`, and so on."""

    def names(place: re.Match[str]) -> str:
        *others, last = _registry(place[1])
        return f"{', '.join(others)} or {last}"

    return _PLACE.sub(names, text)


class Listing(TyperCommand):
    """A command whose help is filled in."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        each: Any
        for each in (self, *self.params):
            each.help = filled(each.help or "")
        super().format_help(ctx, formatter)
