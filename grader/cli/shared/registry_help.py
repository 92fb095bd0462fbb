"""Help that lists what registries hold, looked up when help is shown: no command loads them for it."""

import re
from importlib import import_module
from typing import Any

from typer.core import TyperCommand

_PLACE = re.compile(r"\{(\w+)\}")


_REGISTRIES = {
    "pictures": ("grader.pictures.outputs", "OUTPUTS", "suffix"),
    "papers": ("grader.publishing.paper_formats", "PAPER_FORMATS", "name"),
    "feedback": ("grader.publishing.feedback_formats", "FEEDBACK_FORMATS", "name"),
    "platforms": ("grader.publishing.platforms", "PLATFORM_EXPORTS", "name"),
    "gradebooks": ("grader.grading.gradebook_exports", "GRADEBOOK_FORMATS", "name"),
}
"""Where the things are that each place lists, and by which of their fields they go."""


def fill_help(text: str) -> str:
    """A text in which `{pictures}` is every form of a picture, as in `svg, png or pdf`, and so on."""

    def names(place: re.Match[str]) -> str:
        module, registry, field = _REGISTRIES[place[1]]
        things = getattr(import_module(module), registry)
        *others, last = (getattr(each, field).removeprefix(".") for each in things)
        return f"{', '.join(others)} or {last}"

    return _PLACE.sub(names, text)


class ListingCommand(TyperCommand):
    """A command whose help is filled in; what is off unless it is asked for has no `--no-`."""

    def __init__(self, *arguments: Any, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        each: Any
        for each in self.params:
            if each.default is False:
                each.secondary_opts = []

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        each: Any
        for each in (self, *self.params):
            each.help = fill_help(each.help or "")
        super().format_help(ctx, formatter)
