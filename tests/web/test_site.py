"""The laws of the page as files: the grader that comes along is that of the commands."""

import gzip
import io
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice, zip_longest
from multiprocessing import active_children
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from markupsafe import escape

from grader.base.catalogues import shipped_languages
from grader.base.phrases import ENGLISH, Language
from grader.exercises.exercise import Exercise
from grader.exercises.exercise_file import read_exercise
from grader.publishing.lms.vendoring import program_source
from grader.questions import all_kinds
from grader.web.messages.handler import MessageHandler
from grader.web.messages.question_choice import next_question
from grader.web.pages import page_language_record
from grader.web.question_pool import LEVELS, QuestionPool, grow_pools
from grader.web.sentences import SENTENCES
from grader.web.site_compilation import NODE, compile_site
from grader.web.static_site import (
    LEFT_OUT,
    PYODIDE_FILES,
    Pools,
    Pyodide,
    SiteProgram,
    grader_archive,
    single_file_page,
    site_files,
)
from tests.cli.running import gametree
from tests.web.driving import CHROMIUM, MISSING, browser

PYODIDE = Path(os.environ.get("PYODIDE", Path.home() / "node_modules" / "pyodide"))
"""Where `npm install pyodide` put it."""

needs_pyodide = pytest.mark.skipif(
    not all((PYODIDE / name).is_file() for name in PYODIDE_FILES),
    reason=f"no Pyodide in {PYODIDE}: run npm install pyodide, and set PYODIDE to its folder",
)
needs_node = pytest.mark.skipif(
    NODE is None, reason="no Node on this machine (Debian: apt-get install nodejs)"
)
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason=MISSING)

FEW = (
    "root-value", "best-move", "best-path", "node-values", "pruned-paths", "pruned-branches", "windows",
    "visiting-order", "expected-values", "search-budget.depth",
)  # fmt: skip
"""The kinds of most tests."""

EMPTY = SiteProgram(grader_archive(ENGLISH), Pyodide(dict.fromkeys(PYODIDE_FILES, b"x")))
ELSEWHERE = SiteProgram(EMPTY.grader, Pyodide({}, "https://example.org/pyodide/"))


@pytest.fixture(scope="session")
def pools() -> Pools:
    """A few questions of kinds with every way to touch a tree, and of some without."""
    return grow_pools(4, "site", ((kind, "exam") for kind in FEW))


def exercise_of(record: Any) -> Exercise:
    """The exercise of a record."""
    exercise = read_exercise(record)
    assert isinstance(exercise, Exercise)
    return exercise


def replies(pools: Pools) -> Iterator[tuple[Exercise, str]]:
    """Replies of all sorts to the exercises of a pool: the keys first, then mistakes, then odd ones."""
    rounds = zip_longest(*(found for levels in pools.values() for found in levels.values()))
    exercises = [exercise_of(record) for found in rounds for record in found if record is not None]
    rows = [
        [
            each.key,
            *each.beliefs.values(),
            *(each.key[:cut] for cut in range(len(each.key) // 2)),
            "",
            "none",
            "?",
            "B=3, C: 2 <b>",
            "all of them",
            "12 7/3 −4",
            "leaves 2 and 3",
            "\u202e1",
        ]
        for each in exercises
    ]
    for place in range(max(map(len, rows))):
        for exercise, row in zip(exercises, rows, strict=True):
            if place < len(row) and row[place] != "-":  # which stands for standard input in a command
                yield exercise, row[place]


def test_the_files_are_what_they_say(pools: Pools) -> None:
    """The same questions give the same bytes; the grader is the core, which grows and grades nothing."""
    files = site_files(pools, EMPTY, ENGLISH)
    assert files == site_files(pools, EMPTY, ENGLISH)
    needed = {"index.html", "worker.js", "offline.js", "grader.zip", "manifest.webmanifest"}
    assert needed | {"pyodide/pyodide.mjs", "pyodide/pyodide.asm.wasm.gz"} <= set(files)
    names = set(zipfile.ZipFile(io.BytesIO(files["grader.zip"])).namelist())
    assert {"grader/exercises/marking.py", "lark/lark.py", "jinja2/environment.py"} <= names
    rooms = {name.split("/")[1] for name in names if name.startswith("grader/")}
    everything = {name.split("/")[1] for name in program_source(ENGLISH)}
    assert everything > LEFT_OUT
    assert rooms == everything - LEFT_OUT | {"web", "generation"}
    assert {name.split("/")[2] for name in names if name.startswith("grader/generation/")} == {
        "__init__.py",
        "stream.py",
    }
    assert {name.split("/")[2] for name in names if name.startswith("grader/web/")} == {
        "__init__.py",
        "messages",
    }


def unpacked(data: bytes) -> Any:
    """The JSON of a compressed file."""
    return json.loads(gzip.decompress(data))


def test_every_question_is_a_file_of_its_own(pools: Pools) -> None:
    """The questions of a pool are its files in order, and a summary chooses among them as the pool does.

    The page itself and what it keeps for later have none of them but the first, which is shown at once.
    """
    files = site_files(pools, EMPTY, ENGLISH)
    for kind in FEW:
        questions, folder = pools[kind]["exam"], f"questions/{kind}/exam"
        found = [unpacked(files[f"{folder}/{place}.json.gz"]) for place in range(len(questions))]
        assert [each["exercise"] for each in found] == questions
        assert [place for place, each in enumerate(found) if "question" in each] == [0]
        summary = unpacked(files[f"{folder}/index.json.gz"])
        message = {"ask": "choose", "pool": summary, "seen": [questions[0]["id"]], "start": 0}
        for belief in questions[1]["beliefs"]:
            chosen = json.loads(MessageHandler().reply(json.dumps(message | {"notes": [[belief]] * 3})))
            assert chosen["place"] == next_question(questions, [[belief]] * 3, message["seen"])
    later = [record["id"] for levels in pools.values() for found in levels.values() for record in found[1:]]
    assert not any(identity in files["index.html"].decode() for identity in later)
    assert b"questions/" not in files["offline.js"].partition(b"addEventListener")[0].replace(b"`", b"")


@pytest.mark.parametrize("code", [EMPTY, ELSEWHERE])
def test_a_site_loads_nothing_from_elsewhere(pools: Pools, code: SiteProgram) -> None:
    """The policy names no address but the one of Pyodide, where the teacher gave one."""
    for page in (site_files(pools, code, ENGLISH)["index.html"], single_file_page(pools, code, ENGLISH)):
        text = page.decode()
        policy = text.partition('http-equiv="Content-Security-Policy" content="')[2].partition('"')[0]
        assert policy.count("://") == (2 if code is ELSEWHERE else 0)
        assert ("https://example.org" in policy) == (code is ELSEWHERE)
        assert "unsafe-eval" not in policy.replace("wasm-unsafe-eval", "")


def test_a_site_speaks_its_language() -> None:
    """In another language the page says its own sentences in it, and brings its catalogue along."""
    german = Language.of("de")
    pools = grow_pools(2, "site", [("best-move", "exam")], german)
    code = SiteProgram(grader_archive(german), EMPTY.pyodide)
    files = site_files(pools, code, german)
    assert "Antwort bewerten" in files["index.html"].decode()
    assert "Wurzel" in files["index.html"].decode()
    names = zipfile.ZipFile(io.BytesIO(code.grader)).namelist()
    assert "grader/_shipped/problems/languages/de.mo" in names


def test_a_site_has_a_page_in_every_language(pools: Pools) -> None:
    """Every shipped language has a page with the same questions, and a file of its sentences for the grader.

    What the first page needs is no larger for it: other languages are fetched by those who choose them.
    """
    files = site_files(pools, EMPTY, ENGLISH)
    for code in shipped_languages()[1:]:
        text = files[f"{code}.html"].decode()
        assert Language.of(code).say(SENTENCES["mark"]) in text
        question = (
            exercise_of(pools[FEW[0]]["exam"][0]).in_language(Language.of(code)).public.wording.question
        )
        assert str(escape(question)) in text
        names = zipfile.ZipFile(io.BytesIO(files[f"languages/{code}.zip"])).namelist()
        assert names == [f"grader/_shipped/problems/languages/{code}.mo"]
        assert f"languages/{code}.zip" in text
        assert f'"{code}.html"' not in files["offline.js"].partition(b"addEventListener")[0].decode()
    assert "languages/" not in files["index.html"].decode()


def test_every_kind_has_questions_of_both_sizes() -> None:
    """Every kind has a question at every level, and a small tree has no more leaves than one of an exam."""
    pool = QuestionPool(1, "sizes")
    for kind in ("pruned-paths", "node-values", "best-move"):
        exam, small = (exercise_of(pool.questions(kind, level)[0]).public.tree for level in LEVELS)
        assert len(small.leaves) <= len(exam.leaves)
    assert pool.questions("best-move", "huge") == []


def test_the_command_writes_a_site(tmp_path: Path) -> None:
    """The command writes a folder or a file, says how much is in it, and again writes the same bytes."""
    home = tmp_path / "pyodide"
    home.mkdir()
    for name in PYODIDE_FILES:
        (home / name).write_bytes(b"x")
    common = ("--pyodide", str(home), "--kinds", "best-move,root-value", "--number", "4", "--seed", "a")
    ran = gametree("site", str(tmp_path / "out"), *common)
    assert (ran.code, ran.out) == (0, "")
    assert "Wrote 8 questions of 2 kinds" in ran.err
    first = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert gametree("site", str(tmp_path / "out"), *common).code == 0
    assert first == {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert gametree("site", str(tmp_path / "one.html"), "--single", *common).code == 0
    assert (tmp_path / "one.html").read_bytes().startswith(b"<!doctype html>")


def test_any_number_of_jobs_gives_the_same_site(tmp_path: Path) -> None:
    """Two processes grow the same questions as one, in the same order; nobody notices which."""
    common = (
        "--pyodide",
        "https://example.org/",
        "--kinds",
        "best-move,node-values,root-value",
        "-n",
        "5",
        "--seed",
        "a",
    )
    sites = []
    for jobs in ("1", "2"):
        assert gametree("site", str(tmp_path / jobs), *common, "--jobs", jobs).code == 0
        files = [path for path in (tmp_path / jobs).rglob("*") if path.is_file()]
        sites.append({str(path.relative_to(tmp_path / jobs)): path.read_bytes() for path in files})
    assert sites[0] == sites[1]


def test_a_dead_process_of_a_site_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a process that grows questions dies, the command says so and writes nothing."""

    @contextmanager
    def killing(_label: str, _count: int) -> Iterator[Callable[[int], None]]:
        def kill(_more: int) -> None:
            for worker in active_children():
                worker.kill()

        yield kill

    monkeypatch.setattr("grader.cli.site.count_bar", killing)
    common = (
        "--pyodide",
        "https://example.org/",
        "--kinds",
        "best-move,chance-cuts,deepening.visited",
        "-n",
        "30",
    )
    ran = gametree("site", str(tmp_path / "out"), *common, "--seed", "a", "--jobs", "2")
    assert (ran.code, "process was stopped from outside." in ran.err) == (2, True)
    assert not (tmp_path / "out").exists()


def test_what_is_no_place_for_a_site_is_refused(tmp_path: Path) -> None:
    """A folder of an exam, also above, and a folder without Pyodide are refused before anything is grown."""
    exam = tmp_path / "midterm" / "instructor"
    exam.mkdir(parents=True)
    (exam / "exam.json").write_text("{}", encoding="utf-8")
    for place in ("midterm", "midterm/practice", "midterm/publish/papers"):
        ran = gametree("site", str(tmp_path / place), "--pyodide", "https://example.org/")
        assert ran.code == 2
        assert "in the folder of an exam" in ran.err
    ran = gametree("site", str(tmp_path / "out"), "--pyodide", str(tmp_path))
    assert ran.code == 2
    assert "does not contain Pyodide: it lacks pyodide.mjs" in ran.err
    assert not (tmp_path / "out").exists()


@pytest.fixture(scope="session")
def ready_made() -> SiteProgram:
    """The code of a site, compiled."""
    code = compile_site(SiteProgram(EMPTY.grader, Pyodide.find(str(PYODIDE))))
    assert code is not None
    return code


@pytest.fixture(scope="session")
def written(pools: Pools, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A static site on the disk, its code as it is read."""
    place = tmp_path_factory.mktemp("site")
    return put(place, site_files(pools, SiteProgram(EMPTY.grader, Pyodide.find(str(PYODIDE))), ENGLISH))


@pytest.fixture(scope="session")
def quick(pools: Pools, ready_made: SiteProgram, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with compiled code, as the command writes it."""
    return put(tmp_path_factory.mktemp("quick"), site_files(pools, ready_made, ENGLISH))


def put(place: Path, files: dict[str, bytes]) -> Path:
    """Write files into a folder."""
    for name, data in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data)
    return place


@pytest.fixture(scope="session")
def every() -> Pools:
    """Two questions of every kind."""
    return grow_pools(2, "every", ((kind.code, "exam") for kind in all_kinds()))


def test_the_grader_of_a_site_needs_nothing_else(pools: Pools, tmp_path: Path) -> None:
    """With its own files alone the grader of a site gives for every reply the JSON of the command."""
    with zipfile.ZipFile(io.BytesIO(EMPTY.grader)) as package:
        package.extractall(tmp_path)
    same_marks([sys.executable, "-I", "-S", "-c", _ALONE, str(tmp_path)], pools, 40)


@needs_node
@needs_pyodide
@pytest.mark.slow
def test_a_site_marks_as_the_command_does(pools: Pools, written: Path) -> None:
    """In Node the grader of a site, read from its sources, gives the JSON of the command, byte for byte."""
    same_marks([str(NODE), str(ASK), str(written)], pools, 100)


@needs_node
@needs_pyodide
@pytest.mark.slow
def test_compiled_code_marks_every_kind_as_the_command_does(every: Pools, quick: Path) -> None:
    """So does compiled code, for a thousand replies to questions of all kinds."""
    same_marks([str(NODE), str(ASK), str(quick)], every, 1000)


_ALONE = """
import json, sys
sys.path.insert(0, sys.argv[1])
from grader.web.messages.page_startup import make_handler
made = make_handler(sys.argv[2])
print("started")
for line in sys.stdin:
    print(json.dumps(made.reply(line)))
"""
"""What `ask.mjs` does, by a Python that has no other libraries."""

ASK = Path(__file__).with_name("ask.mjs")


def same_marks(command: list[str], pools: Pools, number: int) -> None:
    """That many replies are marked by a program, and as by the command."""
    chosen = list(islice(replies(pools), number))
    assert len(chosen) == number
    assert len({exercise.public.kind for exercise, _ in chosen}) == len(pools)
    messages = "".join(_message(*each) + "\n" for each in chosen)
    command = [*command, json.dumps(page_language_record(ENGLISH))]
    run = subprocess.run(
        command, input=messages, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert run.returncode == 0, run.stderr[-1000:]
    _, *answers = run.stdout.splitlines()
    assert len(answers) == number
    for (exercise, reply), answer in zip(chosen, answers, strict=True):
        assert json.loads(answer) + "\n" == _printed(exercise, reply), (exercise.public.kind, reply)


@needs_node
@needs_pyodide
@pytest.mark.slow
def test_code_is_compiled_into_the_same_bytes(ready_made: SiteProgram) -> None:
    """The same code becomes the same bytes every time, and what a page imports is no source any more."""
    assert compile_site(SiteProgram(EMPTY.grader, Pyodide.find(str(PYODIDE)))) == ready_made
    names = zipfile.ZipFile(io.BytesIO(ready_made.grader)).namelist()
    assert {
        "grader/exercises/marking.pyc",
        "lark/lark.pyc",
        "grader/_shipped/grammars/tree-text.tables",
    } <= set(names)
    assert "grader/exercises/marking.py" not in names
    library = zipfile.ZipFile(io.BytesIO(ready_made.pyodide.files["python_stdlib.zip"])).namelist()
    assert "fractions.pyc" in library
    assert "fractions.py" not in library


@needs_browser
@needs_pyodide
@pytest.mark.slow
@pytest.mark.parametrize("form", ["folder", "file"])
def test_a_site_works_in_a_browser(
    form: str, pools: Pools, every: Pools, quick: Path, ready_made: SiteProgram, tmp_path: Path
) -> None:
    """A site from a server and a single file by itself start, mark as the command does, and ask nobody."""
    handler = partial(_Silent, directory=str(quick))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, browser() as driven:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        if form == "file":
            path = tmp_path / "page.html"
            path.write_bytes(single_file_page(pools, ready_made, ENGLISH))
            address = path.as_uri()
        page = driven.page()
        page.open(address)
        page.until("document.documentElement.dataset.usable")
        page.until("document.documentElement.dataset.ready")
        exercise = exercise_of(next(iter(pools.values()))["exam"][0])
        page.click("#reply")
        page.type(exercise.key)
        page.click("#mark")
        page.until("document.querySelector('#next').classList.contains('primary')")
        assert page.text("#verdict") == "Correct: 1 of 1."
        if form == "folder":
            # Every tenth of the replies that are marked in Node.
            chosen = list(islice(replies(every), 0, 1000, 10))
            told = page.run(_ASKED % json.dumps([_message(*each) for each in chosen]))
            for (asked, reply), answer in zip(chosen, told, strict=True):
                assert answer + "\n" == _printed(asked, reply), (asked.public.kind, reply)
        own = address.rpartition("/")[0]
        assert {each for each in page.requested() if not each.startswith((own, "blob:", "data:"))} == set()
        if form == "folder":
            page.until("navigator.serviceWorker.ready.then(() => true)")
            server.shutdown()
            server.server_close()
            page.send("Page.navigate", url=address)
            page.until("document.documentElement?.dataset.ready")
        else:
            server.shutdown()
        assert page.complaints() == []


@needs_browser
@needs_pyodide
@pytest.mark.slow
def test_a_site_in_another_language_speaks_no_english(tmp_path: Path) -> None:
    """Menus, question, mark, next question and the other parts of a German site are German in a browser."""
    place = tmp_path / "site"
    common = ("--language", "de", "--kinds", "pruned-paths,evaluation-scaling.why", "--number", "8")
    assert gametree("site", str(place), "--pyodide", str(PYODIDE), *common).code == 0
    handler = partial(_Silent, directory=str(place))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, browser() as driven:
        Thread(target=server.serve_forever, daemon=True).start()
        page = driven.page()
        page.open(f"http://127.0.0.1:{server.server_port}/")
        page.until("document.documentElement.dataset.ready")
        # The titles of the trees of the bank are English.
        page.run("document.querySelectorAll('[lang=en]').forEach(each => each.remove())")
        shown = [page.text("body")]
        first = page.run("document.querySelector('#prompt').dataset.exercise")
        page.click("#reply")
        page.type("1 2")
        page.click("#mark")
        page.until("document.querySelector('#next').classList.contains('primary')")
        page.until("document.querySelectorAll('#told li').length > 1")
        assert page.text("#verdict").startswith("Teilweise richtig: ")
        shown.append(page.text("body"))
        page.click("#next")
        page.until("document.querySelector('#verdict').textContent === ''")
        assert page.run("document.querySelector('#prompt').dataset.exercise") != first
        page.click("#hint")
        page.until("document.querySelectorAll('#told .step').length === 1")
        page.click("#answer")
        page.until("document.querySelector('#verdict').textContent.startsWith('Die Antwort ist')")
        shown.append(page.text("body"))
        for part in ("draw", "present"):
            page.run(f"location.hash = {part!r}")
            page.until(f"!document.querySelector('#{part}').hidden")
            shown.append(page.text(f"#{part}"))
        page.until("document.querySelector('#words').textContent !== ''")
        shown.append(page.text("#words"))
        shown.append(" ".join(page.run(_UNSEEN)))
        server.shutdown()
        assert page.complaints() == []
    assert all("Blätter" in text for text in shown[:3])
    assert _ENGLISH.findall(" ".join(shown)) == []


_UNSEEN = """
[...document.querySelectorAll("[aria-label], [placeholder]")]
  .map(each => `${each.getAttribute("aria-label") ?? ""} ${each.placeholder ?? ""}`)
"""
"""What is said, or stands in boxes that are empty."""

_ENGLISH = re.compile(
    r"\b(?:the|is|are|of|and|your|answer|leaf|write|each|question|which|node)\b", re.IGNORECASE
)
"""Words that every English sentence of a page has one of, and no German one."""

_ASKED = """
new Promise((resolve, reject) => {
  const messages = %s, answers = [];
  const worker = new Worker("worker.js", {type: "module"});
  worker.onerror = reject;
  worker.onmessage = ({data}) => {
    if (data.failed) reject(data.failed);
    if (data.loaded !== undefined) return;
    if (data.number) answers.push(data.answer);
    if (answers.length === messages.length) resolve(answers);
    else worker.postMessage({number: answers.length + 1, text: messages[answers.length]});
  };
  const speaking = {code: "en", comma: false, catalogue: ""};
  worker.postMessage({base: document.baseURI, inside: null, pyodide: "pyodide/", speaking});
})
"""
"""The answers of a worker of the page to messages, one after the other."""


def _message(exercise: Exercise, reply: str) -> str:
    """The message that has a reply marked."""
    return json.dumps({"ask": "mark", "exercise": exercise.to_json(), "reply": reply})


def _printed(exercise: Exercise, reply: str) -> str:
    """What the command prints of a reply."""
    record = json.dumps(exercise.to_json())
    return gametree("mark", "-", "--json", "--", reply, typed=record).out


class _Silent(SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, format: str, *words: object) -> None:  # noqa: A002 - the name of the signature
        """Nothing."""


@needs_node
@needs_pyodide
@pytest.mark.slow
def test_a_site_is_small_enough(every: Pools, ready_made: SiteProgram) -> None:
    """In one language and without questions it has at most nine megabytes, compressed as servers send it."""
    files = site_files(every, ready_made, ENGLISH)
    others = ("questions/", "languages/", *(f"{code}.html" for code in shipped_languages()))
    needed = [data for name, data in files.items() if not name.startswith(others)]
    assert sum(len(gzip.compress(data, 6)) for data in needed) < 9_000_000
