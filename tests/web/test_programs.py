"""The part of the page that checks programs: the same verdict as the command, in a worker of its own."""

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.request import urlopen

import pytest

from grader.base.phrases import ENGLISH
from grader.programs.records import verdict_record
from grader.web.messages.program_check import ProgramChecker
from grader.web.pages import page_language_record
from grader.web.question_pool import grow_pools
from grader.web.static_site import Pyodide, SiteProgram, grader_archive, site_files
from tests.programs.chance_programs import RIGHT as CHANCE_PROGRAMS
from tests.programs.checks import check
from tests.programs.hostile_programs import HOSTILE_PROGRAMS
from tests.programs.odd_programs import ODD_PROGRAMS
from tests.programs.planting import program
from tests.web.conftest import Served
from tests.web.driving import Page, browser
from tests.web.test_site import PYODIDE, _Silent, needs_browser, needs_pyodide

MODULE_ENDS = (
    "not Python",
    "Python 2",
    "only a stub",
    "two functions",
    "exit at import",
    "endless recursion",
)

PROGRAMS = {
    **{name: text for name, (_, text) in ODD_PROGRAMS.items() if "NumPy" not in name},
    **{
        f"{name}: {mistake}": program(name, "flag", mistake)
        for name, mistake in (
            ("lists", "only-at-min"),
            ("nodes", "shallow-only"),
            ("pacman", "never-prunes"),
            ("cs50", "players-swapped"),
        )
    },
    **{name: text for name, (_, text) in CHANCE_PROGRAMS.items()},
    **{name: HOSTILE_PROGRAMS[name][0] for name in MODULE_ENDS},
}


SPEAKING = page_language_record(ENGLISH)


def expected(text: str) -> dict[str, Any]:
    """Return the record of the command."""
    return verdict_record(check(text))


def test_a_program_gets_no_modules_of_the_course_before() -> None:
    """Programs are checked one after another in one process; what `utils` contains is up to the course."""
    checker = ProgramChecker()
    source = "from utils import infinity\nassert infinity > 0\n" + program("aima", "flag")
    lists = json.loads(checker.reply(json.dumps({"source": "import utils\n", "interface": "lists"})))
    aima = json.loads(checker.reply(json.dumps({"source": source, "interface": "aima"})))
    assert [each["program"]["verdict"] for each in (lists, aima)] == ["unfinished", "right"]


@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_the_worker_says_what_the_command_says(step: int, tmp_path: Path) -> None:
    """The files of a page, in a Python without other libraries, give the record of the command."""
    with zipfile.ZipFile(io.BytesIO(grader_archive(ENGLISH))) as package:
        package.extractall(tmp_path)
    names = list(PROGRAMS)[::step]
    messages = "".join(json.dumps({"source": PROGRAMS[name]}) + "\n" for name in names)
    command = [sys.executable, "-I", "-S", "-c", _ALONE, str(tmp_path), json.dumps(SPEAKING)]
    ran = subprocess.run(command, input=messages, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-1000:]
    answers = ran.stdout.splitlines()
    for name, answer in zip(names, answers, strict=True):
        assert json.loads(answer)["program"] == expected(PROGRAMS[name]), name
        assert len(json.loads(answer)["pictures"]) in (0, 2)


_ALONE = """
import sys
sys.path.insert(0, sys.argv[1])
from grader.web.messages.page_startup import make_checker
checker, out = make_checker(sys.argv[2]), sys.stdout
sys.stdout = sys.stderr
for line in sys.stdin:
    print(checker.reply(line), file=out)
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A site with Pyodide in a browser, at the part that checks programs."""
    place = tmp_path_factory.mktemp("site")
    code = SiteProgram(grader_archive(ENGLISH), Pyodide.find(str(PYODIDE)))
    for name, data in site_files(grow_pools(4, "site", [("best-move", "exam")]), code, ENGLISH).items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data)
    handler = partial(_Silent, directory=str(place))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, browser() as driven:
        Thread(target=server.serve_forever, daemon=True).start()
        opened = driven.page()
        opened.open(f"http://127.0.0.1:{server.server_port}/#code")
        opened.until("document.documentElement.dataset.usable")
        yield opened
        server.shutdown()


def on_the_page(page: Page, text: str) -> tuple[str, dict[str, Any] | None]:
    """Run a program on the page; return what is said, and the record, if it ended in time."""
    page.run(f"document.querySelector('#program').value = {json.dumps(text)}")
    page.click("#run")
    page.until("!document.querySelector('#run').disabled")
    record = page.run("document.querySelector('#program-verdict').dataset.verdict")
    return page.text("#program-verdict"), json.loads(record) if record else None


@needs_browser
@needs_pyodide
@pytest.mark.slow
def test_the_page_says_what_the_command_says(page: Page) -> None:
    """Every program that ends in time gets the verdict of the command, and the next one starts afresh."""
    for name in (*MODULE_ENDS[:4], "lists: only-at-min", "a memo by content", "pacman: never-prunes"):
        sentence, record = on_the_page(page, PROGRAMS[name])
        if record is None and name.startswith("pacman"):  # it has most trees; a busy machine takes too long
            assert sentence.endswith("within 5 seconds.")
            continue
        assert record == expected(PROGRAMS[name]), name
        assert sentence == record["sentence"]
    assert page.complaints() == []


@needs_browser
@needs_pyodide
@pytest.mark.slow
def test_a_program_that_does_not_end_is_ended(page: Page) -> None:
    """A loop without end is ended with its worker after five seconds, and the page goes on."""
    sentence, record = on_the_page(page, HOSTILE_PROGRAMS["loop in the search"][0])
    assert (sentence, record) == ("The program did not finish within 5 seconds.", None)
    _, record = on_the_page(page, PROGRAMS["lists: only-at-min"])
    assert record is not None
    assert record["mistakes"] == ["only-at-min"]
    assert page.run("document.querySelectorAll('#program-details img').length") == 2


def test_without_a_worker_there_is_no_such_part(served: Served) -> None:
    """A page that asks a server has no part that runs programs: they would run on that machine."""
    with urlopen(served.address) as answer:
        assert b'id="practise"' in (text := answer.read())
    assert b'id="program"' not in text
