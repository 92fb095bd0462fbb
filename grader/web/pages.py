"""The page to practise, draw and present: its markup, its script and its content security policy."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from markupsafe import Markup

from grader.base.catalogues import SOURCE_LANGUAGE, shipped_languages
from grader.base.phrases import Language, Phrase
from grader.base.shipped import bank_files
from grader.base.templating import csp_hash, html_environment, raw_template
from grader.pictures.svg import svg
from grader.pictures.view import View
from grader.programs.interfaces import INTERFACES
from grader.questions.titles import GROUPS, TITLES
from grader.web.messages.question_choice import PageQuestion
from grader.web.messages.question_labels import (
    ORDER_LABELS,
    RETURNS_LABELS,
    question_labels,
    unlabelled_conventions,
)
from grader.web.messages.question_records import question_record
from grader.web.question_pool import LEVELS, read_question
from grader.web.sentences import sentences

SCRIPTS = (
    "words", "layout", "tree", "reply", "marker", "progress", "kept", "boxes", "answer", "feedback",
    "practise", "draw", "present", "trace", "code", "main",
)  # fmt: skip
"""The modules of the script, each after those that it imports."""

EXAMPLE = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"
"""The tree to present if no other was drawn: that of Russell and Norvig."""


ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'%3E%3Crect width='64' "
    "height='64' rx='12' fill='%231a4f8b'/%3E%3Cpath d='M32 28 18 44M32 28 46 44' stroke='white' "
    "stroke-width='4'/%3E%3Cpath d='M32 10 43 30H21ZM8 42h20L18 58ZM36 42h20L46 58Z' fill='white'/%3E"
    "%3C/svg%3E"
)
"""The icon of the page, which needs no file: a MAX node and its two MIN nodes."""

BANK_TITLE = re.compile(r'^@title "(.*)"$', re.MULTILINE)
"""The title of a tree in its text."""

OWN_NAME = Phrase("English")
"""The name of a language in itself: `Deutsch` in German."""

FIRST_GROUP = Phrase("to begin with")
FIRST_KINDS = (
    "root-value", "best-move", "node-values", "pruned-paths", "visited-count", "windows", "visiting-order",
    "expected-values",
)  # fmt: skip
"""The kinds that a course usually begins with."""

GROUP_TITLES: Mapping[str, Phrase] = {
    "values and moves": Phrase("values and moves"),
    "alpha-beta search": Phrase("alpha-beta search"),
    "search with limits": Phrase("search with limits"),
    "games and what is known": Phrase("games and what is known"),
}


@dataclass(frozen=True, slots=True)
class PageKinds:
    """The codes of a page's kinds, and kind -> level -> first question, for some of them."""

    codes: Sequence[str]
    first: Mapping[str, Mapping[str, PageQuestion]]


@dataclass(frozen=True, slots=True)
class GraderConnection:
    """How a page reaches the grader.

    - `name`: `server`, or `worker` for a page that runs the grader in the browser.
    - `pyodide`: the address from which a worker loads Pyodide.
    - `embedded_files`: (name, media type, content) of every file inside the page, compressed.
    - `size`: the bytes that a worker loads before it can mark, if the page can know.
    - `pages`: the file names of the page in every language, by its code; empty if there is only one.
    - `catalogue`: the address of the sentences of the page, if they are not part of the grader.
    """

    name: str
    pyodide: str = ""
    embedded_files: Sequence[tuple[str, str, bytes]] = ()
    size: int = 0
    pages: Mapping[str, str] = field(default_factory=dict)
    catalogue: str = ""

    @property
    def is_site(self) -> bool:
        """Return whether the page is one of several files, which a service worker keeps."""
        return self.name == "worker" and not self.embedded_files


def script(modules: Sequence[str] = SCRIPTS) -> str:
    """Combine modules into one script, without imports and exports, which only connect these modules."""
    texts = (raw_template(f"site/{name}.js") for name in modules)
    body = "\n".join(
        re.sub(r"^export (?!\{)", "", re.sub(r"^import .*\n", "", text, flags=re.M), flags=re.M)
        for text in texts
    )
    return f'(() => {{\n"use strict";\n{body}}})();\n'


def page(kinds: PageKinds, connection: GraderConnection, language: Language) -> str:
    """Return the page as HTML, with everything that the first question needs."""
    start = next(iter(kinds.first))
    titles = {code: language.term(TITLES[code]) for code in kinds.codes}
    groups = kind_groups(titles, language)
    public = read_question(next(iter(kinds.first[start].values())), language).public
    tree = public.tree
    picture = svg(tree, view=View.question(tree, language), names="all") if len(tree) else ""
    setup = {
        "way": connection.name,
        "pyodide": connection.pyodide,
        "inside": bool(connection.embedded_files),
        # Only a site of several files has a service worker, which makes it work without a network.
        "worker": connection.is_site,
        "size": connection.size,
        "words": sentences(language),
        "groups": [
            {"title": title, "kinds": [{"code": code, "title": name} for code, name in found.items()]}
            for title, found in groups.items()
        ],
        "levels": list(LEVELS),
        "start": start,
        "first": {
            kind: {level: page_question(record, language) for level, record in levels.items()}
            for kind, levels in kinds.first.items()
        },
        "example": EXAMPLE,
        "bank": bank_trees(),
        "speaking": page_language_record(language),
        "pages": dict(connection.pages),
        "catalogue": connection.catalogue,
    }
    template = html_environment().get_template("site/page.html.j2")
    return template.render(
        language=language.code,
        words=sentences(language),
        tabs=("practise", "trace", "draw", "present", *(("code",) if connection.name == "worker" else ())),
        pages={
            code: (file, own_name(language if code == language.code else Language.of(code)))
            for code, file in connection.pages.items()
        },
        interfaces=INTERFACES,
        orders={rule: language.term(label) for rule, label in ORDER_LABELS.items()},
        returns={rule: language.term(label) for rule, label in RETURNS_LABELS.items()},
        groups=groups,
        labels=question_labels(public),
        special=unlabelled_conventions(public),
        icon=ICON,
        is_site=connection.is_site,
        levels={level: language.term(phrase) for level, phrase in LEVELS.items()},
        question=public.wording.question,
        picture=Markup(picture),
        setup=Markup(script_json(setup)),
        script=Markup(script()),
        style=raw_template("site/page.css"),
        policy=content_security_policy(connection),
        inside=connection.embedded_files,
    )


def served_page(
    template: str,
    styles: Sequence[str],
    modules: Sequence[str],
    phrases: Mapping[str, Phrase],
    language: Language,
    setup: Mapping[str, Any],
    **content: Any,
) -> tuple[str, str]:
    """Return another page that only a server has, as HTML, and its content security policy.

    - `styles`, `modules`: its style sheets, and the modules of its script.
    - `phrases`: its sentences, by the names that the script and the template use.
    - `setup`, `content`: what else the script, and what else the template gets.
    """
    code, words = script(modules), sentences(language, phrases)
    policy = content_security_policy(GraderConnection("server"), code)
    setup = {"way": "server", "words": words, "speaking": page_language_record(language), **setup}
    html = html_environment().get_template(template).render(
        language=language.code, words=words, policy=policy, setup=Markup(script_json(setup)),
        script=Markup(code), style=Markup().join(map(raw_template, styles)), **content,
    )  # fmt: skip
    return html, policy


def page_question(record: PageQuestion, language: Language) -> dict[str, Any]:
    """Return an exercise with all that a page shows of it."""
    return {"exercise": dict(record), "question": question_record(read_question(record, language))}


def kind_groups(titles: Mapping[str, str], language: Language) -> dict[str, dict[str, str]]:
    """Return the kinds in groups, as title -> code -> title: the first ones, then by what they are about.

    A group without kinds is left out, and so is the first one if there are few kinds.
    """
    groups: dict[str, Sequence[str]] = {}
    if len(titles) > len(FIRST_KINDS):
        groups[language.term(FIRST_GROUP)] = FIRST_KINDS
    groups |= {
        language.term(GROUP_TITLES[name]): [code for code in titles if code.partition(".")[0] in names]
        for name, names in GROUPS.items()
    }
    found = {
        title: {code: titles[code] for code in codes if code in titles} for title, codes in groups.items()
    }
    return {title: kinds for title, kinds in found.items() if kinds}


def content_security_policy(connection: GraderConnection, code: str | None = None) -> str:
    """Return the policy of a page: it runs only its own script, and loads only its own files and Pyodide.

    `code` is the script in the page, which the policy names by its hash; None for `script()`.
    """
    address = urlsplit(connection.pyodide)
    pyodide = f" {address.scheme}://{address.netloc}" if address.scheme in ("http", "https") else ""
    own = f"'sha256-{csp_hash(script() if code is None else code)}'"
    local = " blob:" if connection.embedded_files else " 'self'"
    wasm, worker, workers = "", "", " 'none'"
    if connection.name != "server":
        wasm, worker, workers = " 'wasm-unsafe-eval'", local, local
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {own}{wasm}{worker}{pyodide}",
            f"worker-src{workers}",
            f"connect-src{local}{pyodide}",
            f"manifest-src{local if connection.is_site else workers}",
            "style-src 'unsafe-inline'",
            "img-src data: blob:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


@cache
def bank_trees() -> dict[str, str]:
    """Return the trees that come with the program, as title -> text, in the order of their titles."""
    texts = [file.read_text(encoding="utf-8") for file in bank_files().values()]
    return dict(sorted((BANK_TITLE.findall(text)[0], text) for text in texts))


def own_name(language: Language) -> str:
    """Return the name of a language in itself, or its code if its catalogue does not have it."""
    name = language.term(OWN_NAME)
    return language.code if name == OWN_NAME and language.code != SOURCE_LANGUAGE else name


def translated_page(kinds: PageKinds, connection: GraderConnection, name: str) -> str | None:
    """Return the page of a connection that has this file name; None if no other language has it."""
    code = next((code for code, file in connection.pages.items() if file == name), None)
    return None if code is None else page(kinds, connection, Language.of(code))


def page_files(first: Language) -> dict[str, str]:
    """Return the address of the page in each language that comes with the program, next to the first one."""
    others = {code: f"{code}.html" for code in shipped_languages() if code != first.code}
    return {first.code: "./", **others}


def page_language_record(language: Language) -> dict[str, Any]:
    """Return a language for `grader.web.messages.page_startup.make_handler`."""
    own = "" if language.own is None else language.own.digest
    return {"code": language.code or SOURCE_LANGUAGE, "comma": language.comma, "catalogue": own}


def script_json(content: Any) -> str:
    """Return JSON for a script element, without characters that start or end an element."""
    text = json.dumps(content, ensure_ascii=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
