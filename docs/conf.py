"""Build the site: `pip install ".[docs]"`, then `sphinx-build -W docs build/site`.

Pages of the reference are written from the program: a remark such as `<!-- commands -->` stands for them.
"""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from typer.main import get_command
from typer.testing import CliRunner

import grader
from grader.cli import app as program

project = "gametree-grader"
author = "the gametree-grader authors"
version = release = grader.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"

html_theme = "furo"
html_title = f"gametree-grader {version}"
html_copy_source = False

DEMO = "practice.html"
DEMO_KINDS = "pruned-paths,node-values,windows,best-move"
DEMO_QUESTIONS_PER_KIND = "12"

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"

SHOWN = {
    "README.md": "first-exam",
    "CHANGELOG.md": "changelog",
    "CODE_OF_CONDUCT.md": "conduct",
    "CONTRIBUTING.md": "contributing",
    "SECURITY.md": "security",
    "tests/README.md": "tests",
}
"""Files outside this folder, and the pages on which they are shown."""


def printed(*words: str) -> str:
    """Return what a command prints, in a literal block."""
    result = CliRunner().invoke(program, list(words), prog_name="gametree", env={"COLUMNS": "100"})
    if result.exit_code:
        raise RuntimeError(f"gametree {' '.join(words)}: {result.output}")
    return f"````text\n{result.stdout.strip()}\n````\n"


def command_names() -> Iterator[tuple[str, ...]]:
    """Yield the words of every command, and of every command of a group."""
    for name in get_command(program).list_commands(None):
        yield (name,)
        below: dict[str, Any] = getattr(get_command(program).get_command(None, name), "commands", {})
        yield from ((name, word) for word in below)


def command_reference() -> str:
    """Return a section for every command with its help."""
    sections = (
        f"{'#' * (len(words) + 1)} gametree {' '.join(words)}\n\n{printed(*words, '--help')}"
        for words in command_names()
    )
    return "\n".join(sections)


def python_reference() -> str:
    """Return a section for every public name with its docstring."""
    sections = []
    for name in grader.__all__:
        is_class = isinstance(getattr(grader, name), type)
        directive = (
            f".. autoclass:: grader.{name}\n   :members:" if is_class else f".. autofunction:: grader.{name}"
        )
        sections.append(f"## {name}\n\n```{{eval-rst}}\n{directive}\n```\n")
    return "\n".join(sections)


def demo_link() -> str:
    """Return a link to the practice page, or what to do where the site has none."""
    if "PYODIDE" in os.environ:
        return f'<a href="{DEMO}">Open the practice page</a>'
    return "*This copy of the site has no practice page: it was built without `PYODIDE`.*"


WRITTEN: dict[str, Callable[[], str]] = {
    "<!-- commands -->": command_reference,
    "<!-- public names -->": python_reference,
    "<!-- demo -->": demo_link,
    **{
        f"<!-- help: {topic} -->": lambda topic=topic: printed("help", topic)
        for topic in ("notation", "blueprint", "recipe", "policies")
    },
}


def written_pages(_app: Sphinx, env: Any, *_changes: set[str]) -> list[str]:
    """Return the pages with parts from elsewhere, which change while their own files do not."""
    return [page for page in env.found_docs if "<!-- " in env.doc2path(page).read_text(encoding="utf-8")]


def write_parts(_app: Sphinx, page: str, source: list[str]) -> None:
    """Write the parts of a page that come from the program, and point its links at pages of the site."""
    for remark, write in WRITTEN.items():
        if remark in source[0]:
            source[0] = source[0].replace(remark, write())
    source[0] = relinked(source[0], DOCS / f"{page}.md", page)
    source[0] = re.sub(
        r"<!-- file: (\S+)(?: from (.+?) to (.+?))? -->", lambda part: shown(*part.groups(), page), source[0]
    )


def shown(name: str, start: str | None, end: str | None, page: str) -> str:
    """Return the text of a file outside this folder, or the part of it between two headings."""
    text = (ROOT / name).read_text(encoding="utf-8")
    if start and end:
        text = text[text.index(f"## {start}\n") : text.index(f"## {end}\n")]
    return relinked(text, ROOT / name, page)


def relinked(text: str, source: Path, page: str) -> str:
    """Point the links of a file at pages of the site; what has no page loses its link."""

    def relink(link: re.Match[str]) -> str:
        label, name, heading = link.groups(default="")
        target = (source.parent / name).resolve()
        place = (DOCS / page).parent
        if target.is_relative_to(DOCS):
            return f"[{label}]({os.path.relpath(target, place)}{heading})"
        known = SHOWN.get(target.relative_to(ROOT).as_posix())
        return f"[{label}]({os.path.relpath(DOCS / known, place)}.md{heading})" if known else label

    return re.sub(r"\[([^\]]*)\]\(([^)#:\s]+)(#[^)\s]*)?\)", relink, text)


def add_demo(app: Sphinx, error: Exception | None) -> None:
    """Write the page for practice into the site, if PYODIDE is the folder of `npm install pyodide`."""
    pyodide = os.environ.get("PYODIDE")
    if error is None and pyodide and app.builder.name == "html":
        out = str(Path(app.outdir) / DEMO)
        printed(
            *("site", out, "--single", "--pyodide", pyodide, "--seed", "site", "--force"),
            *("--kinds", DEMO_KINDS, "--number", DEMO_QUESTIONS_PER_KIND),
        )


def setup(app: Sphinx) -> None:
    """Connect what this file does to the build."""
    app.add_lexer("csv", TextLexer)  # Pygments has none of this name
    app.connect("env-get-outdated", written_pages)
    app.connect("source-read", write_parts)
    app.connect("build-finished", add_demo)
