"""Fill registry entries into help texts, only when help is shown: commands do not load registries for it."""

import re
from importlib import import_module
from typing import Any

import typer
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


def _fill_help(text: str) -> str:
    """Replace each placeholder by a list: `{pictures}` becomes `svg, png or pdf`."""

    def names(placeholder: re.Match[str]) -> str:
        module, registry, field = _REGISTRIES[placeholder[1]]
        entries = getattr(import_module(module), registry)
        *others, last = (getattr(entry, field).removeprefix(".") for entry in entries)
        return f"{', '.join(others)} or {last}"

    return _PLACE.sub(names, text)


_PLACES = frozenset(
    {
        *("FILE", "DIR", "OUT", "PAGE", "PATH...", "BLUEPRINT", "EXERCISE", "TOML", "R.toml"),
        *("TABLE", "WORKSHEET", "[SCANS]...", "[SUBMISSIONS]..."),
    }
)
"""How help calls an argument, or the value of an option, that names a file or a folder."""


class ListingCommand(TyperCommand):
    """A command whose help is filled in, and for which an empty text names no file.

    A flag that is off by default has no `--no-` form.
    """

    def __init__(self, *arguments: Any, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        each: Any
        for each in self.params:
            if each.default is False:
                each.secondary_opts = []

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; refuse an empty file name, which Python reads as the current folder."""
        values, _, _ = self.make_parser(ctx).parse_args(list(args))
        each: Any
        for each in self.params:
            value = values.get(each.name)
            if each.metavar in _PLACES and "" in (value if isinstance(value, tuple | list) else (value,)):
                raise typer.BadParameter("The name of the file or folder is empty.", ctx, each)
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        each: Any
        for each in (self, *self.params):
            each.help = _fill_help(each.help or "")
        super().format_help(ctx, formatter)
