"""Blueprints as TOML: read with everything they name, and checked before anything is grown."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.base.catalogues import (
    CatalogueError,
    has_catalogue,
    missing_catalogue,
    read_own_catalogue,
    write_date,
)
from grader.base.phrases import Language
from grader.exam.assignment import stretch_secret
from grader.exam.blueprint import Blueprint, Pool, QuestionPlan
from grader.exam.blueprint_conflicts import find_conflicts
from grader.exam.blueprint_document import BlueprintDocument, StoppedError
from grader.exam.blueprint_fields import EXAMPLE_SECRET
from grader.exam.blueprint_questions import QuestionReader
from grader.exam.paper import Heading
from grader.exam.pools import USUAL_SPREAD
from grader.exam.population import Population
from grader.tables.toml import KeyPath
from grader.trees.notation.diagnostics import Diagnostics, clip

MIN_SECRET_LENGTH = 12
"""The fewest characters of a secret: with fewer it can be found by trying."""

_HEADING = {
    "title": "title",
    "course": "course",
    "date": "date",
    "instructions": "instructions",
    "paper": "size",
}
"""The fields of an exam that the heading of its papers takes over, with the attribute of each."""

MISSING_CATALOGUE_HINT = (
    'write language = "house.po", a file next to this one with "Language: en" in its header, '
    'and there msgid "Student ID", msgstr "Matriculation number"'
)
"""The replacement for the table `words` of earlier blueprints."""


def read_blueprint(text: str, folder: Path, *, may_drop: bool = False) -> Blueprint | Diagnostics:
    """Read a blueprint and check it; return the blueprint, or all mistakes in the text.

    Files that it names are looked for in `folder`, where the blueprint is. With `may_drop`, which is for
    exams that were held, 0 points drop a question or a part.
    """
    document = BlueprintDocument(text, folder)
    exam = document.values
    if document.faults and not document.raw:
        return document.diagnostics()
    document.faults[:] = [
        replace(fault, hint=MISSING_CATALOGUE_HINT) if fault.path == ("words",) else fault
        for fault in document.faults
    ]
    secret, language = "", Language()
    with suppress(StoppedError):
        secret = _read_secret(document)
    with suppress(StoppedError):
        language = _read_language(document, exam.get("language", "en"))
    population = Population(**exam.get("students", {}))
    for name, code, message, hint in find_conflicts(exam, population):
        document.fault((name,), code, message, hint)
    plans, pools = _read_questions(document, language)
    if may_drop:
        _refuse_to_drop_all(document, plans)
    else:
        _refuse_to_drop(document)
    if document.faults:
        return document.diagnostics()
    return Blueprint(
        _heading(exam, language),
        secret,
        exam.get("forms"),
        plans,
        document.digest.hexdigest(),
        exam.get("minutes"),
        exam.get("missing", "empty"),
        population,
        exam.get("spare", 0),
        pools,
    )


def _read_questions(
    document: BlueprintDocument, language: Language
) -> tuple[tuple[QuestionPlan, ...], tuple[Pool, ...]]:
    """Return the questions without a mistake, with those of pools one after the other, and the pools."""
    reader = QuestionReader(document, language)
    plans: tuple[QuestionPlan, ...] = ()
    pools: tuple[Pool, ...] = ()
    for number, fields in enumerate(document.values.get("question", ())):
        raw, path = document.raw["question"][number], ("question", number)
        if "alternative" in raw or "choose" in raw:
            alternatives = reader.alternatives(fields, raw, path)
            spread = Fraction(fields.get("spread", USUAL_SPREAD))
            pools += (Pool(len(plans), len(alternatives), fields.get("choose", 1), spread),)
            plans += tuple(plan for plan in alternatives if plan is not None)
        elif (plan := reader.question(fields, raw, path)) is not None:
            plans += (plan,)
    return plans, pools


def _refuse_to_drop(document: BlueprintDocument) -> None:
    """Add a fault for every question or part of 0 points."""
    for number, fields in enumerate(document.values.get("question", ())):
        for path in _zero_points(fields, ("question", number)):
            message = "points: 0 drops a question only when an exam is marked again"
            hint = "leave the question out, or after the exam use `gametree gradebook regrade --blueprint`"
            document.fault(path, "exam-value", message, hint)


def _refuse_to_drop_all(document: BlueprintDocument, plans: tuple[QuestionPlan, ...]) -> None:
    """Add a fault if no part of any question has points."""
    if plans and not any(part.terms.points for plan in plans for part in plan.parts):
        document.fault(("question",), "exam-value", "every question is worth 0 points", "keep one of them")


def _zero_points(fields: Mapping[str, Any], path: KeyPath) -> Iterator[KeyPath]:
    """Yield the paths of all points that are 0, of a question, its alternatives and parts."""
    if fields.get("points") == 0:
        yield (*path, "points")
    for name in ("alternative", "part"):
        for number, inner in enumerate(fields.get(name, ())):
            yield from _zero_points(inner, (*path, name, number))


def _heading(exam: Mapping[str, Any], language: Language) -> Heading:
    """Return the heading of the papers."""
    fields = {_HEADING[name]: exam[name] for name in _HEADING if name in exam}
    if exam.get("example"):
        fields["title"] = language.say("Example, not an exam: {title}", title=fields["title"])
    if not isinstance(fields.get("date", ""), str):
        fields["date"] = write_date(language.code, fields["date"])
    fields["scan"] = exam.get("entry", "written") if exam.get("scan") else ""
    return Heading(**fields, language_code=language.code, own_catalogue=language.own)


def _read_language(document: BlueprintDocument, name: str) -> Language:
    """Return the language with this code, or that of a teacher's own catalogue; stop if there is none."""
    if not name.endswith(".po"):
        if not has_catalogue(name):
            document.stop(("language",), "exam-language", *missing_catalogue(name))
        return Language.of(name)
    try:
        own = read_own_catalogue(document.file(name, ("language",)))
    except CatalogueError as error:
        for line, message, hint in error.faults:
            document.fault(
                ("language",), "exam-language", f"line {line} of {clip(name, 80)}: {message}", hint
            )
        raise StoppedError from None
    return Language.of(own.code, own)


def _read_secret(document: BlueprintDocument) -> str:
    """Return the secret, from the text or from its file, stretched unless the exam is an example.

    Stop if there is none or two, or if it is short or public.
    """
    exam = document.values
    if ("secret" in exam) == ("secret_file" in exam):
        message = "there are two secrets" if "secret" in exam else "the exam has no secret"
        hint = 'write secret = "..." or secret_file = "...", not both; keep it from students'
        document.stop(("secret_file",), "exam-secret", message, hint)
    if "secret" in exam:
        place, secret = "secret", str(exam["secret"])
    else:
        place = "secret_file"
        secret = document.file(exam[place], (place,)).decode("utf-8", "surrogateescape").strip()
    if exam.get("example"):
        return secret
    message = "" if secret != EXAMPLE_SECRET else "the secret of the example is public"
    if len(secret) < MIN_SECRET_LENGTH:
        message = f"the secret has fewer than {MIN_SECRET_LENGTH} characters"
    if message:
        hint = (
            "anybody who guesses the secret can grow the same exam; "
            "`gametree exam new` writes one that nobody knows"
        )
        document.stop((place,), "exam-secret", message, hint)
    return stretch_secret(secret)
