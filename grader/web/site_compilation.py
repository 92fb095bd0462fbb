"""The code of a site compiled before it is opened: by its own Pyodide, where Node is at hand."""

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.base.shipped import shipped_folder
from grader.web.static_site import PYODIDE_FILES, SiteProgram

NODE = shutil.which("node")
"""Node, with which Pyodide runs outside of a browser; whoever has npm has it."""

MAX_COMPILE_SECONDS = 300
"""So many seconds it may take; it takes ten."""


def compile_site(code: SiteProgram) -> SiteProgram | None:
    """The same code, compiled; None where that cannot be done here, and a page starts more slowly."""
    if NODE is None or not code.pyodide.files:
        return None
    with TemporaryDirectory() as scratch:
        home, own = Path(scratch) / "pyodide", Path(scratch) / "grader.zip"
        home.mkdir()
        for name, data in code.pyodide.files.items():
            (home / name).write_bytes(data)
        own.write_bytes(code.grader)
        script = Path(scratch) / "compile.mjs"
        script.write_bytes((shipped_folder("templates") / "site" / "compile.mjs").read_bytes())
        try:
            command = [NODE, str(script), str(home), str(own)]
            subprocess.run(command, capture_output=True, timeout=MAX_COMPILE_SECONDS, check=True)
        except (subprocess.SubprocessError, OSError):
            return None
        files: Mapping[str, bytes] = {name: (home / name).read_bytes() for name in PYODIDE_FILES}
        return SiteProgram(own.read_bytes(), replace(code.pyodide, files=files))
