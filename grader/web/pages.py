"""The page on which people practise, draw and present: its markup, its script and what it may load."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from markupsafe import Markup

from grader.base.catalogues import SOURCE
from grader.base.phrases import Language
from grader.base.shipped import shipped
from grader.base.templating import as_it_is, hash_of, markup
from grader.exercises.exercise import Exercise
from grader.exercises.exercise_file import read_exercise
from grader.pictures.svg import svg
from grader.pictures.view import View
from grader.questions.titles import TITLES
from grader.trees.notation.diagnostics import Diagnostics
from grader.web.messages.choosing import Asked
from grader.web.messages.questions import question_record
from grader.web.pool import LEVELS
from grader.web.sentences import sentences

SCRIPTS = (
    "words", "tree", "reply", "marker", "progress", "practise", "draw", "present", "main",
)  # fmt: skip
"""The modules of the script, each after those it imports from."""

EXAMPLE = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"
"""The tree that is presented when no other was drawn: the one of the textbook."""


@dataclass(frozen=True, slots=True)
class Kinds:
    """The kinds of a page by their codes, and the first questions of some at every level."""

    codes: Sequence[str]
    first: Mapping[str, Mapping[str, Asked]]


@dataclass(frozen=True, slots=True)
class Way:
    """How a page comes to the grader.

    - `name`: `server`, or `worker` for a page that brings the grader along.
    - `pyodide`: the address that Pyodide is loaded from, in a worker.
    - `inside`: (name, media type, content) of every file that the page holds in itself, compressed.
    """

    name: str
    pyodide: str = ""
    inside: Sequence[tuple[str, str, bytes]] = ()


def script(modules: Sequence[str] = SCRIPTS) -> str:
    """Some modules as one script: without their imports and exports, which lead to each other only."""
    folder = shipped("templates") / "site"
    texts = [(folder / f"{name}.js").read_text(encoding="utf-8") for name in modules]
    joined = "\n".join(
        re.sub(r"^export (?!\{)", "", re.sub(r"^import .*\n", "", text, flags=re.M), flags=re.M)
        for text in texts
    )
    return f'(() => {{\n"use strict";\n{joined}}})();\n'


def page(kinds: Kinds, way: Way, language: Language) -> str:
    """The page as HTML; everything it needs to show the first question is in it."""
    start = next(iter(kinds.first))
    titles = {code: language.term(TITLES[code]) for code in kinds.codes}
    first = _exercise(next(iter(kinds.first[start].values())))
    own = first.public
    picture = svg(own.tree, view=View.question(own.tree, language), names="all") if len(own.tree) else ""
    setup = {
        "way": way.name,
        "pyodide": way.pyodide,
        "inside": bool(way.inside),
        "worker": way.name == "worker" and not way.inside,  # a file beside the page works without a network
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
        "speaking": speaking(language),
    }
    template = markup().get_template("site/page.html.j2")
    return template.render(
        language=language.code,
        words=sentences(language),
        kinds=titles,
        levels={level: language.term(said) for level, said in LEVELS.items()},
        prompt=own.prompt,
        picture=Markup(picture),
        setup=Markup(data(setup)),
        script=Markup(script()),
        style=as_it_is("site/page.css"),
        policy=policy_of(way),
        inside=way.inside,
    )


def policy_of(way: Way, code: str | None = None) -> str:
    """What a page with this script may load: nothing but its own, and Pyodide from where the teacher says."""
    address = urlsplit(way.pyodide)
    elsewhere = f" {address.scheme}://{address.netloc}" if address.scheme in ("http", "https") else ""
    own = f"'sha256-{hash_of(script() if code is None else code)}'"
    local = " blob:" if way.inside else " 'self'"
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


def speaking(language: Language) -> dict[str, Any]:
    """A language as `grader.web.messages.starting.desk` reads it."""
    own = "" if language.own is None else language.own.digest
    return {"code": language.code or SOURCE, "comma": language.comma, "catalogue": own}


def _exercise(record: Asked) -> Exercise:
    """An exercise of the pool. Raises `ValueError` for a record that was changed."""
    exercise = read_exercise(record)
    if isinstance(exercise, Diagnostics):
        raise ValueError(str(exercise))
    return exercise


def data(content: Any) -> str:
    """JSON that can stand inside of a script element: no sign of it begins or ends an element."""
    text = json.dumps(content, ensure_ascii=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
