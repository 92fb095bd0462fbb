"""PrairieLearn: a folder for every question that draws a variant and marks it with this program."""

import ast
import json
import uuid
import zipfile
from collections.abc import Iterator
from typing import Any

from grader.exam.assigning import slug
from grader.exam.manifest import Exam
from grader.exam.paper import Paper, Question
from grader.exercise import canonical
from grader.publishing.lms.packing import packed, unpacked
from grader.publishing.lms.page import distinct, page_of
from grader.publishing.lms.vendoring import library, program
from grader.publishing.sheet import plain
from grader.shipped import shipped

FILE = "prairielearn.zip"

SCRIPTS = ("server.py", "question.html")
TOPIC = "Adversarial search"
SPACE = uuid.UUID("5b1f3f3c-6f0e-5a55-9a54-6f6f0f6a7d11")
"""Where the names of questions are made unique: PrairieLearn tells questions apart by a UUID."""


def write(exam: Exam) -> Iterator[tuple[str, bytes]]:
    """One zip to unpack in the folder of a course; the program goes where the course's Python looks."""
    members: dict[str, bytes] = {}
    scripts = {script: (shipped("templates") / "prairielearn" / script).read_bytes() for script in SCRIPTS}
    questions = exam.papers[0].questions if exam.papers else ()
    for place, first in enumerate(questions):
        folder = f"questions/{slug(exam.heading.title)}-{first.label}"
        about = {
            "uuid": str(uuid.uuid5(SPACE, f"{exam.origin.blueprint} {first.label}")),
            "title": plain(first.title) or f"{plain(exam.heading.title)}, {first.label}",
            "topic": TOPIC,
            "type": "v3",
        }
        variants = [_variant(paper, question) for paper, question in distinct(exam, place)]
        members[f"{folder}/info.json"] = json.dumps(about, indent=2, ensure_ascii=False).encode() + b"\n"
        members[f"{folder}/variants.json"] = canonical(variants).encode()
        members |= {f"{folder}/{script}": text for script, text in scripts.items()}
    code = program() | library()
    members |= {f"serverFilesCourse/{path}": data for path, data in code.items()}
    yield FILE, packed(members)


def _variant(paper: Paper, question: Question) -> dict[str, Any]:
    """A variant: under `params` what students see, beside it what marks them."""
    page = page_of(paper, question)
    parts = [
        {
            "name": f"part{part.letter or 'a'}",
            "lead": f"({part.letter}) " if part.letter else "",
            "label": f"({part.letter})" if part.letter else "",
            "spoken": f"Answer {page.label}{part.letter}",
            "prompt": f"{part.prompt} {part.ask}".strip(),
            "points": part.points,
        }
        for part in page.parts
    ]
    return {
        "params": {"conventions": list(page.conventions), "picture": page.picture.svg, "parts": parts},
        "follow_through": question.follow_through,
        "exercises": [part.to_json() for part in question.parts],
    }


def faults(name: str, data: bytes) -> tuple[str, ...]:
    """What would keep PrairieLearn from using the questions."""
    del name
    try:
        return tuple(_faults(unpacked(data)))
    except zipfile.BadZipFile as error:
        return (f"is no zip file: {error}",)


def _faults(members: dict[str, bytes]) -> Iterator[str]:
    folders = sorted(
        {"/".join(member.split("/")[:2]) for member in members if member.startswith("questions/")}
    )
    if not folders:
        yield "there is no question"
    for folder in folders:
        for file in (*SCRIPTS, "info.json", "variants.json"):
            if f"{folder}/{file}" not in members:
                yield f"{folder}/{file} is missing"
    for member, content in members.items():
        try:
            if member.endswith(".json"):
                record = json.loads(content)
                if member.endswith("variants.json") and not record:
                    yield f"{member} has no variant"
            elif member.endswith(".py"):
                ast.parse(content)
        except (ValueError, SyntaxError) as error:
            yield f"{member} cannot be read: {error}"
