"""The page as files for a course page, or as one file: the grader comes along and runs in the browser."""

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import jinja2
import markupsafe

from grader.base.phrases import Language
from grader.base.records import stamp
from grader.base.shipped import shipped_folder
from grader.publishing.lms.vendoring import library_source, package_source, program_source
from grader.publishing.lms.zip_package import zip_members
from grader.web.messages.page_startup import POOL_SCHEMA
from grader.web.pages import GraderConnection, PageKinds, page

PYODIDE_FILES: Mapping[str, str] = {
    "pyodide.mjs": "text/javascript",
    "pyodide.asm.mjs": "text/javascript",
    "pyodide.asm.wasm": "application/wasm",
    "python_stdlib.zip": "application/zip",
    "pyodide-lock.json": "application/json",
}
"""The files of Pyodide that a page needs, and what they are."""

LEFT_OUT = frozenset(("cli", "exam", "generation", "grading", "publishing", "scanning", "tables", "web"))
"""The rooms that the page in a browser does without: it asks and marks, but generates and grades nothing."""


def is_on_the_page(file: str) -> bool:
    """Whether a source file of the program is needed in a browser; of this room that is `messages/`."""
    return file.split("/")[1] not in LEFT_OUT or file.startswith(
        ("grader/web/__init__", "grader/web/messages/")
    )


PYODIDE_FOLDER = "pyodide"
"""The folder of Pyodide inside of a site."""

Pools = Mapping[str, Mapping[str, list[Mapping[str, Any]]]]
"""The exercises by kind and level."""


class PyodideError(ValueError):
    """A folder that is no Pyodide; the message says what lacks."""


@dataclass(frozen=True, slots=True)
class Pyodide:
    """Where Pyodide is: its files by name, which are copied, or the address that a page loads it from."""

    files: Mapping[str, bytes]
    address: str = ""

    @classmethod
    def at(cls, place: str) -> "Pyodide":
        """The one in a folder, or at an address. Raises `PyodideError` or `OSError`."""
        if place.startswith(("https://", "http://")):
            return cls({}, place if place.endswith("/") else f"{place}/")
        folder = Path(place)
        inside = folder / "node_modules" / "pyodide"
        folder = inside if inside.is_dir() else folder
        if not folder.is_dir():
            raise PyodideError(f"there is no folder {place}")
        lacking = [name for name in PYODIDE_FILES if not (folder / name).is_file()]
        if lacking:
            raise PyodideError(f"{place} holds no Pyodide: there is no {', '.join(lacking)}")
        return cls({name: (folder / name).read_bytes() for name in PYODIDE_FILES})


@dataclass(frozen=True, slots=True)
class SiteProgram:
    """What runs in the browser: the program with its libraries as a zip file, and the Python for it."""

    grader: bytes
    pyodide: Pyodide


def grader_archive(language: Language) -> bytes:
    """The program as a page needs it, with the libraries that draw and read, as a zip file."""
    own = {name: data for name, data in program_source(language).items() if is_on_the_page(name)}
    libraries = [
        library_source(),
        *(package_source(Path(str(each.__file__)).parent) for each in (jinja2, markupsafe)),
    ]
    drawing = shipped_folder("templates") / "svg" / "tree.svg.j2"
    own["grader/_shipped/templates/svg/tree.svg.j2"] = drawing.read_bytes()
    return zip_members({name: data for files in (own, *libraries) for name, data in files.items()})


def question_pool_file(pools: Pools) -> bytes:
    """The questions as a file."""
    record = {**stamp(POOL_SCHEMA), "questions": pools}
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()


def site_files(pools: Pools, code: SiteProgram, language: Language) -> dict[str, bytes]:
    """The files of a site by their paths; a page that was opened once works without a network."""
    files = {f"{PYODIDE_FOLDER}/{name}": data for name, data in code.pyodide.files.items()}
    files |= {
        "worker.js": _script("worker"),
        "grader.zip": code.grader,
        "pool.json": question_pool_file(pools),
    }
    way = GraderConnection("worker", code.pyodide.address or f"{PYODIDE_FOLDER}/")
    files["index.html"] = page(_kinds(pools), way, language).encode()
    names = ["./", *sorted(files)]
    version = _digest(files)
    kept = f"const VERSION = {json.dumps(version)};\nconst FILES = {json.dumps(names)};\n"
    files["offline.js"] = kept.encode() + _script("offline")
    return files


def single_file_page(pools: Pools, code: SiteProgram, language: Language) -> bytes:
    """The page with everything inside, as one file that opens by a double click."""
    files = [
        ("worker.js", "text/javascript", _script("worker")),
        ("grader.zip", "application/zip", code.grader),
        ("pool.json", "application/json", question_pool_file(pools)),
        *((name, PYODIDE_FILES[name], data) for name, data in code.pyodide.files.items()),
    ]
    inside = [(name, media, gzip.compress(data, mtime=0)) for name, media, data in files]
    return page(_kinds(pools), GraderConnection("worker", code.pyodide.address, inside), language).encode()


def _kinds(pools: Pools) -> PageKinds:
    """The kinds with the first question of each."""
    first = {kind: {level: found[0] for level, found in levels.items()} for kind, levels in pools.items()}
    return PageKinds(tuple(pools), first)


def _script(name: str) -> bytes:
    return (shipped_folder("templates") / "site" / f"{name}.js").read_bytes()


def _digest(files: Mapping[str, bytes]) -> str:
    digest = sha256()
    for name in sorted(files):
        digest.update(f"{name} {sha256(files[name]).hexdigest()}\n".encode())
    return digest.hexdigest()[:16]
