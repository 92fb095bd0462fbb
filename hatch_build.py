"""Puts the tables of the parsers into a wheel, so that no command has to build them."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Tables(BuildHookInterface):  # type: ignore[type-arg]  # of which configuration plays no part
    """Adds the files that `grader.base.grammars.save_parser_tables` writes."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build every parser once; in an editable installation grammars change, and there are no tables."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from grader.answers.reply_grammar import save_tables

        self.scratch = tempfile.TemporaryDirectory()  # goes when the hook does
        folder = Path(self.scratch.name)
        for file in save_tables(folder):
            build_data["force_include"][str(file)] = f"grader/_shipped/grammars/{file.name}"
