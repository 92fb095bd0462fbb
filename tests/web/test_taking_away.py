"""The laws of what a page gives away: progress, pictures, links and print, with names of every script."""

import base64
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pypdfium2 import PdfDocument

from tests.web.conftest import Served
from tests.web.driving import Browser, Page
from tests.web.test_browser import asked, forget, handed_in, opened

HEBREW = "שחקן"
TREE = f'MAX "{HEBREW}"=3 (MIN B (3 12 8) MIN C (2 ~4 ~6))'


@pytest.fixture
def page(chromium: Browser, served: Served) -> Iterator[Page]:
    """The page, open and ready, with nothing kept; what it hands over as a file is caught."""
    page = chromium.page()
    page.look(1280)
    forget(page, served.address)
    opened(page, served.address)
    page.run("""(() => {
      window.caught = [];
      URL.createObjectURL = (blob) => { window.caught.push(blob); return "data:,"; };
    })()""")
    yield page
    assert page.complaints() == []
    page.send("Page.close")


def caught(page: Page) -> bytes:
    """The latest file that the page handed over."""
    page.until("window.caught.length > 0")
    text = page.run("""new Promise(resolve => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result);
      reader.readAsDataURL(window.caught.pop());
    })""")
    return base64.b64decode(text.partition(",")[2])


def drawn(page: Page, tree: str) -> None:
    """Show a tree in the editor, by a link."""
    page.run(f"location.hash = 'draw=' + encodeURIComponent({json.dumps(tree)})")
    page.until("document.querySelector('#judgement').textContent !== ''")


def test_progress_is_taken_away_and_brought_back(page: Page, served: Served, tmp_path: Path) -> None:
    """What was answered goes into a file, and back from it: once, however often the file is read."""
    asked(page, served, "best-move")
    page.click("#reply")
    page.type("1")
    handed_in(page)
    page.run("document.querySelector('.progress').open = true")
    page.click("#save-progress")
    file = tmp_path / "progress.json"
    file.write_bytes(caught(page))
    (entry,) = json.loads(file.read_bytes())["replies"]
    assert (entry["kind"], entry["reply"]) == ("best-move", "1")
    page.run("localStorage.clear()")
    page.run("dispatchEvent(new Event('storage'))")
    assert page.text("#streak") == ""
    page.send("DOM.enable")
    root = page.send("DOM.getDocument")["root"]["nodeId"]
    box = page.send("DOM.querySelector", nodeId=root, selector="#load-progress")["nodeId"]
    for told in ("from the file: 1", "from the file: 0"):
        page.send("DOM.setFileInputFiles", files=[str(file)], nodeId=box)
        page.until(f"document.querySelector('#progress-note').textContent.includes({told!r})")
    assert "100%" in page.text("#mastery") or "0%" in page.text("#mastery")
    assert page.run("document.querySelectorAll('#mastery .dots').length") > 0
    file.write_text('{"replies": 3}', encoding="utf-8")
    page.send("DOM.setFileInputFiles", files=[str(file)], nodeId=box)
    page.until("document.querySelector('#progress-note').textContent.includes('contains no progress')")


def test_a_tree_is_saved_as_text_and_as_pictures(page: Page) -> None:
    """The tree is saved as it was typed, as SVG, and as a PNG that has ink on it."""
    drawn(page, TREE)
    page.click("#save-tree")
    assert caught(page).decode() == f"{TREE}\n"
    page.click("#save-svg")
    assert caught(page).startswith(b"<svg")
    page.click("#save-png")
    picture = Image.open(io.BytesIO(caught(page)))
    assert picture.format == "PNG"
    assert min(picture.size) > 200
    assert len(picture.convert("L").getcolors() or ()) > 10


def test_a_link_carries_the_tree(page: Page, chromium: Browser, served: Served) -> None:
    """Whoever opens the link sees the same tree, judged, with names of every script.

    What this machine serves hands over only the end of a link: no address, and no token.
    """
    drawn(page, TREE)
    page.click("#link")
    page.until("document.querySelector('#judgement').textContent.includes('#draw=')")
    told = page.text("#judgement")
    assert "127.0.0.1" not in told
    assert served.address.rstrip("/").rpartition("/")[2] not in told
    link = page.run("location.href")
    assert link.isascii()
    assert page.run("document.documentElement.scrollWidth <= innerWidth")
    assert link.endswith(told.partition("#")[2])
    other = chromium.page()
    opened(other, link)
    other.until("document.querySelector('#notation').value !== ''")
    assert other.run("document.querySelector('#notation').value") == TREE
    other.until("document.querySelector('#judgement').textContent.includes('correct')")
    other.send("Page.close")


def test_names_that_run_leftwards_stay_names(page: Page) -> None:
    """A name of another direction is heard and read as it is, and a hidden sign is refused."""
    drawn(page, TREE)
    label = page.run("document.querySelector('#canvas [data-node=\"0\"]').getAttribute('aria-label')")
    assert HEBREW in label
    page.until("document.querySelector('#reasons li') !== null")
    assert HEBREW in page.text("#reasons")
    page.run("document.querySelector('#notation').value = 'MAX \"a\\u202eb\"=3 (3 2)'")
    page.run("document.querySelector('#notation').dispatchEvent(new Event('input'))")
    page.until("document.querySelector('#reasons').textContent.includes('U+202E')")
    assert page.run("!document.querySelector('#canvas, #reasons').textContent.includes('\\u202e')")


def test_who_wants_no_motion_sees_none(page: Page) -> None:
    """Nothing on the page moves or fades where the system asks for that."""
    page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    moving = page.run("""[...document.querySelectorAll("*")].filter(each => {
      const style = getComputedStyle(each);
      const moves = style.transitionDuration.split(", ").some(time => parseFloat(time));
      return moves || style.animationName !== "none";
    }).length""")
    assert moving == 0


def test_a_question_is_printed_without_the_controls(page: Page, served: Served) -> None:
    """On paper are the question, its tree on the same page, and the answer; no buttons and no menus."""
    exercise = asked(page, served, "pruned-paths")
    page.click("#reply")
    page.type("1 2")
    page.send("Emulation.setEmulatedMedia", media="print")
    shown = page.run(
        "[...document.querySelectorAll('button, select, nav')].filter(each => each.checkVisibility()).length"
    )
    assert shown == 0
    printed: Any = page.send("Page.printToPDF", printBackground=False)
    paper = PdfDocument(base64.b64decode(printed["data"]))
    text = paper[0].get_textpage().get_text_bounded()
    assert "Which leaves are pruned?" in " ".join(text.split())
    assert all(str(leaf) in text for leaf in range(1, len(exercise.public.tree.leaves) + 1))
    assert len(paper) <= 2


@pytest.mark.slow
def test_the_box_for_an_answer_is_printed_below_its_label(page: Page, served: Served) -> None:
    """However long a question is, no page ends between "Your answer" and its box."""
    asked(page, served, "best-move")
    together = []
    for height in range(200, 1000, 40):
        page.run(f"document.querySelector('#prompt').style.paddingBottom = '{height}px'")
        document = PdfDocument(base64.b64decode(page.send("Page.printToPDF")["data"]))
        texts = [sheet.get_textpage().get_text_bounded() for sheet in document]
        together.append([("Your answer" in text, "For example" in text) for text in texts])
    assert len({len(sheets) for sheets in together}) > 1
    assert all(label == box for sheets in together for label, box in sheets)


def test_a_question_without_a_tree_has_no_empty_picture(page: Page, served: Served) -> None:
    """Where there is no tree there is no stage for one; it is answered below, and marked."""
    asked(page, served, "search-budget.depth")
    assert not page.run("document.querySelector('#stage').checkVisibility()")
    assert not page.run("document.querySelector('#as-table').checkVisibility()")
    page.click("#reply")
    page.type("4")
    _, verdict = handed_in(page)
    assert verdict.endswith("of 1.")
