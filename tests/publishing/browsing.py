"""Pages in Chromium: what axe finds in them, and what they become in print."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.web.driving import Browser, Page

_AXE = """
axe.run(document).then(found => JSON.stringify({
  passes: found.passes.length,
  violations: found.violations.map(each => [each.id, each.help, each.nodes.map(node => node.html)]),
}))
"""


@contextmanager
def shown(chromium: Browser, page: str | bytes) -> Iterator[Page]:
    """A page that was loaded from a file, in a tab of its own."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        path.write_bytes(page.encode() if isinstance(page, str) else page)
        tab = chromium.page()
        tab.open(path.as_uri())
        yield tab
        tab.send("Page.close")


def axe(chromium: Browser, page: str) -> dict[str, Any]:
    """What axe finds in a page, whatever scripts the page lets in."""
    found = find_spec("axe_core_python")
    assert found is not None
    assert found.origin is not None
    with shown(chromium, page) as tab:
        tab.run(Path(found.origin).with_name("axe.min.js").read_text(encoding="utf-8"))
        answer: dict[str, Any] = json.loads(tab.run(_AXE))
    return answer


def in_print(chromium: Browser, page: str | bytes) -> bytes:
    """A page as Chromium prints it, as PDF."""
    with shown(chromium, page) as tab:
        printed = tab.send("Page.printToPDF", printBackground=True, preferCSSPageSize=True)
    return base64.b64decode(printed["data"])
