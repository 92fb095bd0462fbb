"""Puts the tables of the parser into a wheel, so that no command has to build it."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Tables(BuildHookInterface):  # type: ignore[type-arg]  # of which configuration plays no part
    """Adds the file that `grader.base.grammars.save_parser_tables` writes."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the parser once; in an editable installation the grammar changes, and there are no tables."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from grader.trees.notation.parsing import save_tables

        self.scratch = tempfile.TemporaryDirectory()  # goes when the hook does
        file = save_tables(Path(self.scratch.name))
        build_data["force_include"][str(file)] = f"grader/_shipped/grammars/{file.name}"
