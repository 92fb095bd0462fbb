"""The laws of secrecy: what is published is a function of the public questions, and of nothing else."""

import inspect
import json
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.exam.composition import compose, compose_for
from grader.exam.folders import EXAM_FILE
from grader.exam.paper import PublicPaper, Question
from grader.exercises.exercise import Exercise
from grader.exercises.question_text import QuestionText
from grader.publishing import paper_growing
from grader.publishing.exam_build import build_exam
from grader.publishing.key_leaks import inflate_streams
from grader.publishing.paper_formats import PAPER_FORMATS
from tests.publishing.conftest import ALL, Site, example

CANARY = "79190277"
"""A number that no paper of the example has."""


def published(folder: Path) -> dict[str, bytes]:
    """Every published file with its bytes."""
    root = folder / "publish"
    return {
        str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()
    }


def other_key(part: Exercise) -> Exercise:
    """The same question with everything changed that a student may not see, canaries in every field.

    The key stays readable, so that nothing on the way can tell it from a real one.
    """
    beliefs = {f"{part.public.kind}.players-swapped": part.key}
    key = next((reply for reply in part.beliefs.values() if reply != part.key), part.key)
    return replace(
        part,
        key=key,
        details={"canary": f"details {CANARY}"},
        beliefs=beliefs,
        profile={name: int(CANARY) for name in part.profile} | {"canary": f"profile {CANARY}"},
        seed=f"seed {CANARY}",
    )


def spoiled(*arguments: Any) -> Question:
    """A question as `compose_for` gives it, with other keys."""
    question = compose_for(*arguments)
    return replace(
        question,
        parts=tuple(map(other_key, question.parts)),
        grown_for=None,
        alike=(f"alike {CANARY}",),
    )


@pytest.fixture(scope="module")
def other(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The exam of the site with other keys; not to be changed."""
    folder = tmp_path_factory.mktemp("other")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paper_growing, "compose_for", spoiled)
        build_exam(site.blueprint, site.roster, folder, formats=ALL, exports=())
    return folder


def test_other_keys_publish_the_same_bytes(site: Site, other: Path) -> None:
    """Two exams that differ only in keys, misconceptions, profiles and seeds publish the same bytes."""
    assert (other / EXAM_FILE).read_bytes() != (site.folder / EXAM_FILE).read_bytes()
    assert published(other) == published(site.folder)


def test_no_canary_is_published(other: Path) -> None:
    """A canary in every field of a key is in the instructor's files and in no published byte."""
    assert CANARY.encode() in (other / EXAM_FILE).read_bytes()
    for name, data in published(other).items():
        assert CANARY.encode() not in inflate_streams(data), name
        assert CANARY not in name
        utf_16 = CANARY.encode("utf-16-be")
        assert utf_16 not in inflate_streams(data), name


def test_the_canary_can_sing() -> None:
    """A canary in a public field is found in every format that has its text as bytes: a leak would be, too.

    A PDF has the numbers of glyphs.
    """
    blueprint, _ = example(1)
    (question,) = tuple(compose(blueprint.questions[0], 0, blueprint.secret, 1))
    (part, *_) = question.parts
    public = replace(part.public, wording=QuestionText(f"canary {CANARY}"))
    paper = PublicPaper(blueprint.heading, "A", (replace(question.public, parts=(public,)),))
    for known in PAPER_FORMATS:
        if known.name != "pdf":
            assert CANARY.encode() in inflate_streams(known.write(paper)), known.name


def test_secrets_and_seeds_stay_at_home(site: Site) -> None:
    """The secret is in no file at all, and no seed, note code or profile is in a published one."""
    record = json.loads((site.folder / EXAM_FILE).read_text(encoding="utf-8"))
    parts = [
        part
        for variant in record["variants"]
        for question in variant["questions"]
        for part in question["parts"]
    ]
    seeds = {part["seed"].partition(" ")[0] for part in parts if part["seed"]}
    codes = {code for part in parts for code in part["beliefs"]}
    assert seeds
    assert codes
    for path in sorted(site.folder.rglob("*")):
        if path.is_file():
            data = inflate_streams(path.read_bytes())
            assert site.blueprint.secret.encode() not in data, path
    for name, data in published(site.folder).items():
        text = inflate_streams(data)
        for secret in (*seeds, *codes):
            assert secret.encode() not in text, name


def test_rows_of_numbers_in_a_pdf_show_nothing() -> None:
    """Elements of a page have numbers in a row, which may be those of an answer; words are found."""
    body = zlib.compress(b"<</K[13 14 15 16 17 18]/W [500 -250.5]>> (13 14 15 16 17 18) Tj")
    data = b"%PDF-1.7\n1 0 obj\nstream\n" + body + b"\nendstream\n"
    assert inflate_streams(data).count(b"13 14 15 16 17 18") == 1
    assert b"500" not in inflate_streams(data)
    assert b"[13 14]" in inflate_streams(b"[13 14]")


def test_publishing_takes_public_papers_only() -> None:
    """Every format is a function of a public paper, by its signature and in fact."""
    for known in PAPER_FORMATS:
        (parameter,) = inspect.signature(known.write).parameters.values()
        assert parameter.annotation is PublicPaper
    assert set(PublicPaper.__dataclass_fields__) == {"heading", "code", "questions"}


def test_names_tell_nothing_of_keys(site: Site, other: Path) -> None:
    """Codes and file names are the same whatever the keys: they come from the secret and the student."""
    assert {path.name for path in (other / "instructor" / "keys").iterdir()} == {
        path.name for path in (site.folder / "instructor" / "keys").iterdir()
    }
