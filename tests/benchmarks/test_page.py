"""How soon a page can be used: its first question, its first mark, and every mark after it."""

import json
import os
import subprocess
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from threading import Thread

import pytest

from grader.base.phrases import ENGLISH
from grader.questions import all_kinds
from grader.web.pages import page_language_record
from grader.web.question_pool import grow_pools
from grader.web.site_compilation import NODE, compile_site
from grader.web.static_site import Pools, Pyodide, SiteProgram, grader_archive, site_files
from tests.web.driving import browser
from tests.web.test_site import PYODIDE, needs_browser, needs_node, needs_pyodide, put

pytestmark = [pytest.mark.benchmark, needs_node, needs_pyodide, needs_browser]

READY = 8.0
"""Seconds of processor time after which the marker is ready."""


@pytest.fixture(scope="module")
def pools() -> Pools:
    """A question of every kind."""
    return grow_pools(2, "speed", ((kind.code, "exam") for kind in all_kinds()))


@pytest.fixture(scope="module")
def site(pools: Pools, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with all kinds, as the command writes it."""
    code = compile_site(SiteProgram(grader_archive(ENGLISH), Pyodide.find(str(PYODIDE))))
    assert code is not None
    return put(tmp_path_factory.mktemp("site"), site_files(pools, code, ENGLISH))


def used(process: int) -> float:
    """The processor time of a process and of those it started, in seconds."""
    times: dict[int, tuple[int, float]] = {}
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            try:
                fields = (each / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            except OSError:
                continue  # it has just ended
            times[int(each.name)] = (
                int(fields[1]),
                (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"),
            )
    family = {process}
    while more := {each for each, (parent, _) in times.items() if parent in family} - family:
        family |= more
    return sum(time for each, (_, time) in times.items() if each in family)


def test_the_marker_is_ready_soon(site: Path) -> None:
    """Within a second the first question can be answered, within 8 seconds of processor time it is marked."""
    handler = partial(_Silent, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, browser() as driven:
        Thread(target=server.serve_forever, daemon=True).start()
        page = driven.page()
        before = used(os.getpid())
        page.send("Page.navigate", url=f"http://127.0.0.1:{server.server_port}/")
        page.until("document.documentElement?.dataset.usable")
        usable = used(os.getpid()) - before
        page.until("document.documentElement.dataset.ready")
        ready = used(os.getpid()) - before
        server.shutdown()
    print(f"usable after {usable:.2f} s, the marker ready after {ready:.2f} s of processor time")
    assert usable < 1
    assert ready < READY


class _Silent(SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, format: str, *words: object) -> None:  # noqa: A002 - the name of the signature
        """Nothing."""


def test_a_mark_comes_at_once(site: Path, pools: Pools) -> None:
    """A reply to a question that is shown is marked within a tenth of a second of processor time."""
    records = [found["exam"][0] for found in pools.values()]
    messages = [
        json.dumps({"ask": "mark", "exercise": record, "reply": reply})
        for record in records
        for reply in ("1", record["key"]["reply"], *list(record["beliefs"].values())[:1])
    ]
    command = [
        str(NODE),
        str(Path("tests/web/ask.mjs").absolute()),
        str(site),
        json.dumps(page_language_record(ENGLISH)),
        "timed",
    ]
    run = subprocess.run(
        command, input="\n".join(messages) + "\n", capture_output=True, text=True, check=True
    )
    start, *times = (float(line) for line in run.stdout.splitlines())
    later = [time for place, time in enumerate(times) if place % 3]
    print(f"start {start:.1f} s; a mark {1000 * median(later):.0f} ms, at most {1000 * max(later):.0f} ms")
    assert median(later) < 0.1
    assert sorted(later)[len(later) * 95 // 100] < 0.1
