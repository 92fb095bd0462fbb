"""Compile the code of a site in advance with its own Pyodide, if Node is installed."""

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.base.templating import raw_template
from grader.web.static_site import PYODIDE_FILES, SiteProgram

NODE = shutil.which("node")
"""The path of Node, which runs Pyodide outside of a browser, or None."""

MAX_COMPILE_SECONDS = 300
"""The timeout of the compilation, which usually takes ten seconds."""


def compile_site(code: SiteProgram) -> SiteProgram | None:
    """Return the compiled program, with which a page starts faster; None if it cannot be compiled here."""
    if NODE is None or not code.pyodide.files:
        return None
    with TemporaryDirectory() as scratch:
        pyodide, archive = Path(scratch) / "pyodide", Path(scratch) / "grader.zip"
        pyodide.mkdir()
        for name, data in code.pyodide.files.items():
            (pyodide / name).write_bytes(data)
        archive.write_bytes(code.grader)
        script = Path(scratch) / "compile.mjs"
        script.write_bytes(raw_template("site/compile.mjs").encode())
        try:
            command = [NODE, str(script), str(pyodide), str(archive)]
            subprocess.run(command, capture_output=True, timeout=MAX_COMPILE_SECONDS, check=True)
        except (subprocess.SubprocessError, OSError):
            return None
        files: Mapping[str, bytes] = {name: (pyodide / name).read_bytes() for name in PYODIDE_FILES}
        return SiteProgram(archive.read_bytes(), replace(code.pyodide, files=files))
