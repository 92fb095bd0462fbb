"""The page of a search: the right picture at every step, and nothing from outside."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from grader.pictures.steps_page import overlay_pictures, step_views, steps_page
from grader.pictures.svg import pictures
from grader.solvers.explaining.steps import explain
from grader.solvers.solution import Solution, solve
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from tests.conftest import a_part
from tests.strategies import trees

SVG = "{http://www.w3.org/2000/svg}"

HOSTILE = """@title "</script><script>alert(1)</script>"
MAX "<img src=x onerror=alert(2)>" (MIN "&amp;</style>" (3 12) MIN C (2 4))
"""


def made(tree: Tree) -> tuple[Solution, str]:
    """A tree solved, and its page."""
    solution = solve(tree, Rules())
    return solution, steps_page(solution, explain(solution))


class Elements(HTMLParser):
    """All start tags of a page with their attributes, and the text of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside: dict[str, list[str]] = {"script": [], "style": [], "a": []}
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a tag."""
        self.tags.append((tag, dict(attrs)))
        self._open = tag

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 - the parser's signature
        """Nothing stays open."""
        self._open = ""

    def handle_data(self, data: str) -> None:
        """Keep the text of a script, style or link."""
        if self._open in self.inside:
            self.inside[self._open].append(data)


def seen(layer: ElementTree.Element, step: int) -> list[str]:
    """Return the elements of a layer that are visible at a step, without the attributes that make them so."""
    shown = []
    for element in layer:
        spans = [
            tuple(map(int, span.split("-"))) for span in element.get("data-steps", f"{step}-{step}").split()
        ]
        if any(first <= step <= last for first, last in spans):
            shown.append(plain(element))
    return shown


def plain(element: ElementTree.Element) -> str:
    """Return an element as text, without the attributes that only the page adds."""
    copy = ElementTree.fromstring(ElementTree.tostring(element))
    copy.attrib.pop("data-steps", None)
    copy.attrib.pop("display", None)
    copy.tail = None
    return ElementTree.tostring(copy, encoding="unicode")


@a_part(5)
@given(trees(leaves=10) | trees(leaves=8, chance=True) | trees(leaves=8, seats=3))
def test_every_step_shows_its_own_picture(tree: Tree) -> None:
    """At each step the one picture of the page shows exactly the elements of that step's own picture."""
    solution = solve(tree, Rules())
    shown = step_views(solution, explain(solution))
    steps = [step.svg for step in pictures(solution.tree, shown, "tree", names="all")]
    whole = ElementTree.fromstring(overlay_pictures(steps))
    for step, picture in enumerate(steps, 1):
        own = ElementTree.fromstring(picture).findall(f"{SVG}g")
        for layer, wanted in zip(whole.findall(f"{SVG}g"), own, strict=True):
            assert sorted(seen(layer, step)) == sorted(map(plain, wanted))


@a_part(5)
@given(trees(leaves=10))
def test_without_scripts_the_last_step_is_shown(tree: Tree) -> None:
    """The elements that are hidden at first are those that the last step does not show."""
    solution = solve(tree, Rules())
    shown = step_views(solution, explain(solution))
    steps = [step.svg for step in pictures(solution.tree, shown, "tree", names="all")]
    for layer in ElementTree.fromstring(overlay_pictures(steps)).findall(f"{SVG}g"):
        for element in layer:
            last = element.get("data-steps", f"1-{len(steps)}").split()[-1].split("-")[1]
            assert (element.get("display") == "none") == (int(last) < len(steps))


@a_part(5)
@given(trees(leaves=10, names=True, moves=True) | st.just(tree_of(HOSTILE)))
def test_the_policy_allows_the_page_s_own_script_only(tree: Tree) -> None:
    """The policy names the hashes of the one script and the one style sheet; nothing else is there."""
    _, text = made(tree)
    elements = Elements(text)
    (policy,) = (attributes["content"] for tag, attributes in elements.tags if "http-equiv" in attributes)
    assert policy is not None
    assert policy.startswith("default-src 'none';")
    for tag in ("script", "style"):
        (content,) = elements.inside[tag]
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    for _, attributes in elements.tags:
        assert not [name for name in attributes if name.startswith("on") or name in ("src", "style")]
        assert (attributes.get("href") or "#").startswith("#")
    assert set(re.findall(r"https?://[^\"'< ]+", text)) <= {"http://www.w3.org/2000/svg"}


def test_every_step_has_its_sentence() -> None:
    """The page lists the sentences of all steps in order, readable without scripts."""
    tree = tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))")
    solution, text = made(tree)
    assert Elements(text).inside["a"] == [step.words for step in explain(solution).steps]


def test_texts_of_the_tree_stay_text() -> None:
    """Markup in names and titles is shown, not obeyed."""
    _, text = made(tree_of(HOSTILE))
    tags = [tag for tag, _ in Elements(text).tags]
    assert (tags.count("script"), tags.count("style"), tags.count("img")) == (1, 1, 0)
    assert "&lt;/script&gt;&lt;script&gt;alert(1)" in text


def test_the_page_is_small() -> None:
    """A page costs little more than its union of pictures: under 40 kB for the textbook tree."""
    _, text = made(tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"))
    assert len(text.encode()) < 40_000
