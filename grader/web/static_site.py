"""The page as a site or as one file, with the grader, which runs in the browser."""

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import jinja2
import markupsafe

from grader.base.phrases import Language
from grader.base.shipped import shipped_folder
from grader.base.templating import raw_template
from grader.publishing.lms.vendoring import catalogue_file, library_source, package_source, program_source
from grader.publishing.lms.zip_package import zip_members
from grader.web.messages.question_choice import question_summary
from grader.web.pages import ICON, GraderConnection, PageKinds, page, page_files, page_question
from grader.web.sentences import SENTENCES

PYODIDE_FILES: Mapping[str, str] = {
    "pyodide.mjs": "text/javascript",
    "pyodide.asm.mjs": "text/javascript",
    "pyodide.asm.wasm": "application/wasm",
    "python_stdlib.zip": "application/zip",
    "pyodide-lock.json": "application/json",
}
"""The files of Pyodide that a page needs -> their media types."""

LEFT_OUT = frozenset(("cli", "exam", "generation", "grading", "publishing", "scanning", "tables", "web"))
"""The rooms that a page in a browser does not need: it asks and marks, but generates and grades nothing."""


NEEDED_FILES = (
    *("grader/web/__init__", "grader/web/messages/"),
    *("grader/generation/__init__", "grader/generation/stream"),  # the trees that programs are tried on
)
"""The beginnings of the files from these rooms that a page needs all the same."""


def is_on_the_page(file: str) -> bool:
    """Return whether a page in a browser needs a source file."""
    return file.split("/")[1] not in LEFT_OUT or file.startswith(NEEDED_FILES)


PYODIDE_FOLDER = "pyodide"
"""The folder of Pyodide in a site."""

COMPRESSED_FILES = frozenset(("pyodide.asm.wasm", "pyodide-lock.json"))
"""The files of Pyodide that a site has compressed, since many servers compress nothing."""

LANGUAGE_FOLDER = "languages"
"""The folder of the sentences of other languages in a site."""

QUESTION_FOLDER = "questions"
"""The folder of the questions in a site."""

Pools = Mapping[str, Mapping[str, list[Mapping[str, Any]]]]
"""Kind -> level -> records of exercises."""


class PyodideError(ValueError):
    """A folder without Pyodide; the message says which files are missing."""


@dataclass(frozen=True, slots=True)
class Pyodide:
    """The files of Pyodide by name, which are copied, or the address from which a page loads it."""

    files: Mapping[str, bytes]
    address: str = ""

    @classmethod
    def find(cls, place: str) -> "Pyodide":
        """Find Pyodide in a folder, or at an address. Raises `PyodideError` or `OSError`."""
        if place.startswith(("https://", "http://")):
            return cls({}, place if place.endswith("/") else f"{place}/")
        folder = Path(place)
        package = folder / "node_modules" / "pyodide"
        folder = package if package.is_dir() else folder
        if not folder.is_dir():
            raise PyodideError(f"there is no folder {place}")
        missing = [name for name in PYODIDE_FILES if not (folder / name).is_file()]
        if missing:
            raise PyodideError(f"{place} does not contain Pyodide: it lacks {', '.join(missing)}")
        return cls({name: (folder / name).read_bytes() for name in PYODIDE_FILES})


@dataclass(frozen=True, slots=True)
class SiteProgram:
    """The program with its libraries as a zip file, and the Python that runs it in the browser."""

    grader: bytes
    pyodide: Pyodide


def grader_archive(language: Language) -> bytes:
    """Return a zip file of the modules and libraries that a page needs."""
    own = {name: data for name, data in program_source(language).items() if is_on_the_page(name)}
    libraries = [
        library_source(),
        *(package_source(Path(str(each.__file__)).parent) for each in (jinja2, markupsafe)),
    ]
    templates = shipped_folder("templates")
    for drawing in (templates / "svg" / "tree.svg.j2", *sorted((templates / "latex").glob("*.j2"))):
        own[f"grader/_shipped/templates/{drawing.parent.name}/{drawing.name}"] = drawing.read_bytes()
    return zip_members({name: data for files in (own, *libraries) for name, data in files.items()})


def language_archive(language: Language) -> bytes:
    """Return a zip file of the sentences of a language, which a page adds to the program."""
    return zip_members(catalogue_file(language))


def question_files(pools: Pools) -> dict[str, bytes]:
    """Return the files of the questions: one for each, and a summary of those of each kind and level.

    The first question of each kind and level has all that a page shows of it, so that it can be shown
    before the grader has started.
    """
    files: dict[str, Any] = {}
    for kind, levels in pools.items():
        for level, questions in levels.items():
            folder = f"{QUESTION_FOLDER}/{kind}/{level}"
            files[f"{folder}/index.json"] = [question_summary(each) for each in questions]
            for place, each in enumerate(questions):
                files[f"{folder}/{place}.json"] = (
                    page_question(each, Language.of(each["language"])) if place == 0 else {"exercise": each}
                )
    return {name: _compact_json(content) for name, content in files.items()}


def _compact_json(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def site_files(pools: Pools, code: SiteProgram, language: Language) -> dict[str, bytes]:
    """Return the files of a site by their paths; after the first visit it works without a network."""
    files = {"worker.js": raw_template("site/worker.js").encode(), "grader.zip": code.grader}
    for name, data in code.pyodide.files.items():
        if name in COMPRESSED_FILES:
            files[f"{PYODIDE_FOLDER}/{name}.gz"] = gzip.compress(data, mtime=0)
        else:
            files[f"{PYODIDE_FOLDER}/{name}"] = data
    size = sum(len(data) for data in files.values())
    address = code.pyodide.address or f"{PYODIDE_FOLDER}/"
    pages = page_files(language)
    connection = GraderConnection("worker", address, size=size, pages=pages)
    kinds = _page_kinds(pools)
    files["index.html"] = page(kinds, connection, language).encode()
    files["manifest.webmanifest"] = _compact_json(_manifest(language))
    # A browser keeps other files when they are asked for, and does not fetch thousands of questions ahead.
    names = ["./", *sorted(files)]
    for other in map(Language.of, pages):
        if other.code != language.code:
            catalogue = f"{LANGUAGE_FOLDER}/{other.code}.zip"
            files[catalogue] = language_archive(other)
            translated = replace(connection, catalogue=catalogue)
            files[pages[other.code]] = page(kinds, translated, other).encode()
    files |= {f"{name}.gz": gzip.compress(data, mtime=0) for name, data in question_files(pools).items()}
    constants = f"const VERSION = {json.dumps(_digest(files))};\nconst FILES = {json.dumps(names)};\n"
    files["offline.js"] = constants.encode() + raw_template("site/offline.js").encode()
    return files


def _manifest(language: Language) -> dict[str, Any]:
    """Return the manifest with which a browser offers to install the page."""
    return {
        "name": language.term(SENTENCES["title"]),
        "start_url": "./",
        "display": "standalone",
        "lang": language.code,
        "background_color": "#ffffff",
        "theme_color": "#1a4f8b",
        "icons": [{"src": ICON, "sizes": "any", "type": "image/svg+xml"}],
    }


def single_file_page(pools: Pools, code: SiteProgram, language: Language) -> bytes:
    """Return the page with all its files inside, as one file that opens with a double click."""
    questions = {name: json.loads(data) for name, data in question_files(pools).items()}
    files = [
        ("worker.js", "text/javascript", raw_template("site/worker.js").encode()),
        ("grader.zip", "application/zip", code.grader),
        ("questions.json", "application/json", _compact_json(questions)),
        *((name, PYODIDE_FILES[name], data) for name, data in code.pyodide.files.items()),
    ]
    embedded = [(name, media_type, gzip.compress(data, mtime=0)) for name, media_type, data in files]
    connection = GraderConnection("worker", code.pyodide.address, embedded)
    return page(_page_kinds(pools), connection, language).encode()


def _page_kinds(pools: Pools) -> PageKinds:
    """Return the kinds, with the first question of the first kind at every level."""
    start = next(iter(pools))
    return PageKinds(tuple(pools), {start: {level: found[0] for level, found in pools[start].items()}})


def _digest(files: Mapping[str, bytes]) -> str:
    """Return a version of the site: it changes with the name and the content of every file."""
    digest = sha256()
    for name in sorted(files):
        digest.update(f"{name} {sha256(files[name]).hexdigest()}\n".encode())
    return digest.hexdigest()[:16]
