"""The site is built from the pages and the program without a warning, and what people look for is found."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import grader
from grader.cli import COMMANDS

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site in the folder `SITE`, or built as `sphinx-build -W docs` does, which fails for a warning."""
    if "SITE" in os.environ:
        return Path(os.environ["SITE"])
    out = tmp_path_factory.mktemp("site")
    environment = {name: text for name, text in os.environ.items() if name != "PYODIDE"}
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-d", str(out / "kept"), str(DOCS), str(out)]
    built = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return out


def found(site: Path, query: str) -> set[str]:
    """The pages that have all words of a query, as the search of the site finds them."""
    text = (site / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text[text.index("(") + 1 : text.rindex(")")])
    pages: list[set[int]] = []
    for word in query.split():
        places: set[int] = set()
        for terms in (index["terms"], index["titleterms"]):
            for term, places_of_term in terms.items():
                if term == word or (len(word) > 2 and word.startswith(term)):
                    places |= {*(places_of_term if isinstance(places_of_term, list) else [places_of_term])}
        pages.append(places)
    return {index["docnames"][page] for page in set.intersection(*pages)}


@pytest.mark.parametrize(
    ("query", "page"),
    [("tie rule", "guides/conventions"), ("scan", "scanning"), ("late student", "guides/exam")],
)
def test_what_teachers_look_for_is_found(query: str, page: str, site: Path) -> None:
    """The search finds the page that answers a teacher's question."""
    assert page in found(site, query)


def test_links_lead_somewhere(site: Path) -> None:
    """Every link and picture of a page is a file of the site, and every anchor is there."""
    pages = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    broken = []
    for path, text in pages.items():
        for target in re.findall(r'(?:href|src)="([^"]*)"', text):
            name, _, anchor = target.partition("#")
            if re.match(r"[a-z]+:", name):
                continue
            file = (path.parent / name.partition("?")[0]).resolve() if name else path
            if not file.exists() or (anchor and f'id="{anchor}"' not in pages.get(file, "")):
                broken.append((path.name, target))
    assert broken == []


def test_the_reference_is_complete(site: Path) -> None:
    """The reference has every command and every public name."""
    commands = (site / "reference" / "commands.html").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"gametree {name}" not in commands] == []
    names = (site / "reference" / "python.html").read_text(encoding="utf-8")
    assert [name for name in grader.__all__ if f'id="grader.{name}"' not in names] == []
