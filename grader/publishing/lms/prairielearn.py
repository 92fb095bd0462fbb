"""PrairieLearn: a folder for every question, which draws a variant and marks it with this program."""

import json
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryFile
from typing import IO, Any, BinaryIO

from grader.base.canonical_json import canonical_json
from grader.base.phrases import Phrase, paragraph
from grader.base.shipped import shipped_folder
from grader.exam.assignment import slug
from grader.exam.manifest import Exam
from grader.exam.paper import Paper
from grader.publishing.lms.page import Page, PageTexts, drop_known_pages
from grader.publishing.lms.vendoring import library_source, program_source
from grader.publishing.lms.zip_package import Package
from grader.publishing.sheet import plain

FILE = "prairielearn.zip"

SCRIPTS = ("server.py", "question.html")
TOPIC = Phrase("Adversarial search")
UUID_NAMESPACE = uuid.UUID("5b1f3f3c-6f0e-5a55-9a54-6f6f0f6a7d11")
"""The namespace of the UUIDs by which PrairieLearn identifies questions."""


def make_pieces(paper: Paper, pages: Sequence[Page]) -> tuple[PageTexts, ...]:
    """Make the variants of a paper."""
    del paper
    return tuple(PageTexts.of(page, canonical_json(_variant(page)).encode()) for page in pages)


@contextmanager
def open_export(exam: Exam, file: BinaryIO) -> Iterator[Callable[[Sequence[PageTexts]], None]]:
    """Write one zip to unpack in the folder of a course, with the program on the course's Python path."""
    known = set[tuple[str, str]]()
    scripts = {
        script: (shipped_folder("templates") / "prairielearn" / script).read_bytes() for script in SCRIPTS
    }
    with Package(file, "w") as package, ExitStack() as stack:
        pools: dict[str, IO[bytes]] = {}

        def add(pieces: Sequence[PageTexts]) -> None:
            """Append the new pages to the pools of their questions; the first of a pool starts its folder."""
            for each in drop_known_pages(pieces, known):
                folder = f"questions/{slug(exam.heading.title)}-{each.label}"
                if folder not in pools:
                    pools[folder] = stack.enter_context(TemporaryFile())
                    package.add(f"{folder}/info.json", _about(exam, each))
                    for script, text in scripts.items():
                        package.add(f"{folder}/{script}", text)
                pools[folder].write(b",\n" if pools[folder].tell() else b"[\n")
                pools[folder].write(each.texts[0])

        yield add
        for folder, pool in pools.items():
            pool.write(b"\n]\n")
            pool.seek(0)
            package.add(f"{folder}/variants.json", pool)
        for path, data in (program_source(exam.heading.language(comma=False)) | library_source()).items():
            package.add(f"serverFilesCourse/{path}", data)


def _about(exam: Exam, variant: PageTexts) -> bytes:
    """Return the `info.json` of a question, from one of its variants."""
    about = {
        "uuid": str(uuid.uuid5(UUID_NAMESPACE, f"{exam.origin.blueprint} {variant.label}")),
        "title": variant.title or f"{plain(exam.heading.title)}, {variant.label}",
        "topic": exam.heading.language(comma=False).say(TOPIC),
        "type": "v3",
    }
    return json.dumps(about, indent=2, ensure_ascii=False).encode() + b"\n"


def _variant(page: Page) -> dict[str, Any]:
    """Return a variant: `params` for students to see, the rest for marking."""
    language = page.question.public.language
    parts = [
        {
            "name": f"part{sheet.letter or 'a'}",
            "lead": f"({sheet.letter}) " if sheet.letter else "",
            "label": f"({sheet.letter})" if sheet.letter else "",
            "spoken": language.say("Answer {part}", part=f"{page.question.label}{sheet.letter}"),
            "prompt": paragraph(sheet.question, sheet.how_to_answer, sheet.marking),
            "points": sheet.points,
        }
        for sheet in (part.sheet for part in page.parts)
    ]
    return {
        "params": {
            "conventions": list(page.conventions),
            "picture": page.picture.svg if page.picture else "",
            "parts": parts,
        },
        "follow_through": page.question.follow_through,
        "exercises": [part.to_json() for part in page.question.parts],
    }
