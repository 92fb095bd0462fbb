"""The page on which people practise, draw and present: its markup, its script and what it may load."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from markupsafe import Markup

from grader.base.catalogues import SOURCE_LANGUAGE
from grader.base.phrases import Language
from grader.base.shipped import shipped_folder
from grader.base.templating import csp_hash, html_environment, raw_template
from grader.exercises.exercise import Exercise
from grader.exercises.exercise_file import read_exercise
from grader.pictures.svg import svg
from grader.pictures.view import View
from grader.questions.titles import TITLES
from grader.trees.notation.diagnostics import Diagnostics
from grader.web.messages.question_choice import PageQuestion
from grader.web.messages.question_records import question_record
from grader.web.question_pool import LEVELS
from grader.web.sentences import sentences

SCRIPTS = (
    "words", "tree", "reply", "marker", "progress", "practise", "draw", "present", "main",
)  # fmt: skip
"""The modules of the script, each after those it imports from."""

EXAMPLE = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"
"""The tree that is presented when no other was drawn: the one of the textbook."""


@dataclass(frozen=True, slots=True)
class PageKinds:
    """The kinds of a page by their codes, and the first questions of some at every level."""

    codes: Sequence[str]
    first: Mapping[str, Mapping[str, PageQuestion]]


@dataclass(frozen=True, slots=True)
class GraderConnection:
    """How a page comes to the grader.

    - `name`: `server`, or `worker` for a page that brings the grader along.
    - `pyodide`: the address that Pyodide is loaded from, in a worker.
    - `embedded_files`: (name, media type, content) of every file that the page holds in itself, compressed.
    """

    name: str
    pyodide: str = ""
    embedded_files: Sequence[tuple[str, str, bytes]] = ()


def script(modules: Sequence[str] = SCRIPTS) -> str:
    """Some modules as one script: without their imports and exports, which lead to each other only."""
    folder = shipped_folder("templates") / "site"
    texts = [(folder / f"{name}.js").read_text(encoding="utf-8") for name in modules]
    joined = "\n".join(
        re.sub(r"^export (?!\{)", "", re.sub(r"^import .*\n", "", text, flags=re.M), flags=re.M)
        for text in texts
    )
    return f'(() => {{\n"use strict";\n{joined}}})();\n'


def page(kinds: PageKinds, way: GraderConnection, language: Language) -> str:
    """The page as HTML; everything it needs to show the first question is in it."""
    start = next(iter(kinds.first))
    titles = {code: language.term(TITLES[code]) for code in kinds.codes}
    first = _exercise(next(iter(kinds.first[start].values())))
    own = first.public
    picture = svg(own.tree, view=View.question(own.tree, language), names="all") if len(own.tree) else ""
    setup = {
        "way": way.name,
        "pyodide": way.pyodide,
        "inside": bool(way.embedded_files),
        "worker": way.name == "worker"
        and not way.embedded_files,  # a file beside the page works without a network
        "words": sentences(language),
        "kinds": [{"code": code, "title": title} for code, title in titles.items()],
        "levels": list(LEVELS),
        "start": start,
        "first": {
            kind: {
                level: {"exercise": dict(record), "question": question_record(_exercise(record))}
                for level, record in levels.items()
            }
            for kind, levels in kinds.first.items()
        },
        "example": EXAMPLE,
        "speaking": page_language_record(language),
    }
    template = html_environment().get_template("site/page.html.j2")
    return template.render(
        language=language.code,
        words=sentences(language),
        kinds=titles,
        levels={level: language.term(said) for level, said in LEVELS.items()},
        prompt=own.prompt,
        picture=Markup(picture),
        setup=Markup(script_json(setup)),
        script=Markup(script()),
        style=raw_template("site/page.css"),
        policy=content_security_policy(way),
        inside=way.embedded_files,
    )


def content_security_policy(way: GraderConnection, code: str | None = None) -> str:
    """What a page with this script may load: nothing but its own, and Pyodide from where the teacher says."""
    address = urlsplit(way.pyodide)
    elsewhere = f" {address.scheme}://{address.netloc}" if address.scheme in ("http", "https") else ""
    own = f"'sha256-{csp_hash(script() if code is None else code)}'"
    local = " blob:" if way.embedded_files else " 'self'"
    wasm = "" if way.name == "server" else " 'wasm-unsafe-eval'"
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {own}{wasm}{'' if way.name == 'server' else local}{elsewhere}",
            f"worker-src{local}" if way.name != "server" else "worker-src 'none'",
            f"connect-src{local}{elsewhere}",
            "style-src 'unsafe-inline'",
            "img-src data: blob:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def page_language_record(language: Language) -> dict[str, Any]:
    """A language as `grader.web.messages.page_startup.make_handler` reads it."""
    own = "" if language.own is None else language.own.digest
    return {"code": language.code or SOURCE_LANGUAGE, "comma": language.comma, "catalogue": own}


def _exercise(record: PageQuestion) -> Exercise:
    """An exercise of the pool. Raises `ValueError` for a record that was changed."""
    exercise = read_exercise(record)
    if isinstance(exercise, Diagnostics):
        raise ValueError(str(exercise))
    return exercise


def script_json(content: Any) -> str:
    """JSON that can stand inside of a script element: no sign of it begins or ends an element."""
    text = json.dumps(content, ensure_ascii=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
