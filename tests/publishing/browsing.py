"""Chromium without a window: what a page looks like to axe, and what it becomes in print."""

import html
import json
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
MISSING = (
    "no Chromium on this machine: pages are opened where there is one (Debian: apt-get install chromium)"
)

_AXE = """
axe.run(document).then(found => {
  const report = document.createElement("pre");
  report.id = "axe-report";
  report.textContent = JSON.stringify({
    passes: found.passes.length,
    violations: found.violations.map(each => [each.id, each.help, each.nodes.map(node => node.html)]),
  });
  document.body.appendChild(report);
});
"""


def chromium(*arguments: str) -> str:
    """What Chromium writes to standard output."""
    assert CHROMIUM is not None
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def axe(page: str, folder: Path) -> dict[str, Any]:
    """What axe finds in a page; its scripts are let in for that."""
    found = find_spec("axe_core_python")
    assert found is not None
    assert found.origin is not None
    source = Path(found.origin).with_name("axe.min.js").read_text(encoding="utf-8")
    page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    scripts = "".join(
        "<script>" + script.replace("</script", r"<\/script") + "</script>" for script in (source, _AXE)
    )
    path = folder / "axe.html"
    path.write_text(page.replace("</body>", f"{scripts}</body>"), encoding="utf-8")
    seen = chromium("--virtual-time-budget=20000", "--dump-dom", path.as_uri())
    report = re.search(r'<pre id="axe-report">(.*?)</pre>', seen, re.DOTALL)
    assert report is not None, "axe did not come to an end"
    answer: dict[str, Any] = json.loads(html.unescape(report[1]))
    return answer


def in_print(page: bytes) -> bytes:
    """A page as Chromium prints it, as PDF."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        path.write_bytes(page)
        chromium("--no-pdf-header-footer", f"--print-to-pdf={path.with_suffix('.pdf')}", path.as_uri())
        return path.with_suffix(".pdf").read_bytes()
