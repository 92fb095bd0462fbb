"""Fill registry entries into help texts, only when help is shown: commands do not load registries for it."""

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
"""For each placeholder the module, the registry in it, and the field of an entry that is listed."""


def fill_help(text: str) -> str:
    """Replace each placeholder by a list: `{pictures}` becomes `svg, png or pdf`."""

    def names(placeholder: re.Match[str]) -> str:
        module, registry, field = _REGISTRIES[placeholder[1]]
        entries = getattr(import_module(module), registry)
        *others, last = (getattr(entry, field).removeprefix(".") for entry in entries)
        return f"{', '.join(others)} or {last}"

    return _PLACE.sub(names, text)


class ListingCommand(TyperCommand):
    """A command whose help is filled in; a flag that is off by default has no `--no-` form."""

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
