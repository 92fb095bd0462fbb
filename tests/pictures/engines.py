"""The engines of LaTeX on this machine, and how they compile a document."""

import shutil
import subprocess
from pathlib import Path

import pytest

ENGINES = [
    pytest.param(
        engine,
        marks=[pytest.mark.skipif(shutil.which(engine) is None, reason=f"no {engine} on this machine")],
    )
    for engine in ("pdflatex", "lualatex", "xelatex")
]
"""Those that are not installed are told as skipped: TeX is a gigabyte, and which letter is set how is tested
without it as well."""


def compiled(engine: str, document: str, folder: Path) -> str:
    """The log of a document that an engine compiles to `tested.pdf`."""
    folder.joinpath("tested.tex").write_text(document, encoding="utf-8")
    ran = subprocess.run(
        [engine, "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "tested.tex"],
        cwd=folder,
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout.decode(errors="replace")[-2000:]
    return folder.joinpath("tested.log").read_text(encoding="utf-8", errors="replace")
