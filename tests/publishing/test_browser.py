"""The laws of HTML papers in a browser: accessible to everybody, and printed as a paper is."""

import json
import re
from itertools import pairwise

import pytest

from grader.base.shipped import shipped_folder
from grader.pictures.steps_page import steps_page
from grader.publishing.paper_formats import paper_html
from grader.solvers.explaining.steps import explain
from grader.solvers.solution import solve
from grader.trees.notation.reading import read_bytes
from grader.trees.tree import Tree
from tests.publishing.browsing import axe, in_print, shown
from tests.publishing.conftest import Site
from tests.publishing.papers import paper_in_words, paper_of, printed
from tests.web.driving import Browser


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["pruned-paths", "windows", "expected-values"])
def test_axe_finds_nothing(name: str, chromium: Browser) -> None:
    """A paper of every shape of answer box violates no rule of axe."""
    found = axe(chromium, paper_html(paper_of(name).public).decode())
    assert found["violations"] == []
    assert found["passes"] > 20


def test_axe_finds_nothing_in_a_page_of_steps(chromium: Browser) -> None:
    """The pages of steps of a lecture violate no rule of axe."""
    tree = read_bytes((shipped_folder("problems") / "bank" / "mit-deep-cut.tree").read_bytes())
    assert isinstance(tree, Tree)
    solution = solve(tree, tree.rules())
    found = axe(chromium, steps_page(solution, explain(solution)))
    assert found["violations"] == []
    assert found["passes"] > 10


def test_axe_finds_faults(chromium: Browser) -> None:
    """A page without a language is not let through: the check does check."""
    page = paper_html(paper_of("windows").public).decode().replace(' lang="en"', "")
    assert axe(chromium, page)["violations"]


def test_hostile_words_run_nothing(chromium: Browser) -> None:
    """Words that are scripts for HTML stay words: nothing runs, and the words can be read."""
    words = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"
    page = paper_html(paper_in_words(words, words).public).decode()
    with shown(chromium, page.replace("default-src 'none'", "default-src * 'unsafe-inline'")) as tab:
        assert tab.run("document.title") != "run"
        seen = tab.run("document.documentElement.outerHTML")
    assert "<img" not in seen
    assert "&lt;img src=x onerror=" in seen


def test_a_page_prints_as_a_paper(site: Site, chromium: Browser) -> None:
    """Printing a page keeps each picture with its question and prints code and number on each page."""
    source = sorted((site.folder / "publish" / "papers").glob("*.html"))[0].read_text(encoding="utf-8")
    pages = printed(in_print(chromium, source))
    assert 2 <= len(pages) <= 4
    for label, words in {"1": "Write the minimax value", "2": "Write the expected value"}.items():
        here = [page for page in pages if f"Question {label}." in page]
        assert len(here) == 1
        assert words in here[0]
    found = re.search(r"<footer><span>Variant <strong>(\w+)</strong>", source)
    assert found is not None
    assert all(found[1] in page for page in pages)
    assert all(f"{number} / {len(pages)}" in page for number, page in enumerate(pages, 1))


_NARROW = """
<iframe style="width: 390px; height: 5000px; border: 0"></iframe>
<pre id="seen"></pre>
<script>
const frame = document.querySelector("iframe");
frame.onload = () => {
  const page = frame.contentDocument;
  const sizes = [...page.querySelectorAll("svg text")].map(each => each.getBoundingClientRect().height);
  const broken = [...page.querySelectorAll("th")].filter(each => each.scrollWidth > each.clientWidth + 1);
  document.getElementById("seen").textContent =
    JSON.stringify([page.documentElement.scrollWidth, Math.min(...sizes), broken.length]);
};
frame.srcdoc = PAGE;
</script>
"""


@pytest.mark.parametrize("name", ["pruned-paths", "windows", "expected-values", "midterm"])
def test_papers_can_be_read_on_a_phone(name: str, site: Site, chromium: Browser) -> None:
    """At 390 px nothing is wider than the page, no word of a table is broken, and trees are not tiny."""
    if name == "midterm":
        page = sorted((site.folder / "publish" / "papers").glob("*.html"))[0].read_text(encoding="utf-8")
    else:
        page = paper_html(paper_of(name).public).decode()
    page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    narrow = _NARROW.replace("PAGE", json.dumps(page).replace("</", "<\\/"))
    with shown(chromium, narrow) as tab:
        wide, smallest, broken = json.loads(tab.until("document.getElementById('seen').textContent"))
    assert (wide, broken) == (390, 0)
    assert smallest >= 9


_FOCUSED = "document.activeElement.getAttribute('aria-label') || ''"


def test_trees_are_walked_by_arrow_keys(chromium: Browser) -> None:
    """Arrow keys lead from the root to every node, and the words of each node say which it is."""
    paper = paper_of("pruned-paths").public
    tree = paper.questions[0].tree
    with shown(chromium, paper_html(paper)) as tab:
        tab.run("document.querySelector('[role=treeitem][tabindex=\"0\"]').focus()")
        heard = [tab.run(_FOCUSED)]
        for before, node in pairwise(range(len(tree))):
            while before != tree.parents[node]:
                if tree.parents[before] == tree.parents[node]:
                    tab.press("ArrowDown")
                    break
                tab.press("ArrowLeft")
                before = tree.parents[before]
            else:
                tab.press("ArrowRight")
            heard.append(tab.run(_FOCUSED))
        assert len(set(heard)) == len(tree)
        for node, words in enumerate(heard):
            if tree.players[node] is None:
                assert words.endswith(f"(leaf {tree.names[node]})")
            else:
                assert words.startswith(f"{tree.players[node]} {tree.names[node]} leads to ")
        tab.press("ArrowRight")  # a leaf has no children
        assert tab.run(_FOCUSED) == heard[-1]
        tab.press("Home")
        assert tab.run(_FOCUSED) == heard[0]


def test_a_tree_has_a_table(chromium: Browser) -> None:
    """Every inner node is the head of a row, with all of its children."""
    paper = paper_of("pruned-paths").public
    tree = paper.questions[0].tree
    with shown(chromium, paper_html(paper)) as tab:
        cells = "[...row.cells].map(cell => cell.textContent)"
        rows = json.loads(
            tab.run(f"JSON.stringify([...document.querySelectorAll('details tbody tr')].map(row => {cells}))")
        )
    assert [label for label, _ in rows] == [
        f"{tree.players[node]} {tree.names[node]}" for node in tree.internal
    ]
    assert [len(outcomes.split(", ")) for _, outcomes in rows] == [
        len(tree.children[node]) for node in tree.internal
    ]
