"""The exam as it is kept: `exam.json` has everything needed to grade, a line for each student and variant."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import grader
from grader.exam.paper import Heading, Paper, Question
from grader.exam.roster import Student
from grader.exercise import Exercise, canonical, read_exercise
from grader.notation import Diagnostic, Diagnostics

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Seat:
    """One student, the code of the paper he or she gets, and the name of its files without their endings."""

    student: Student
    code: str
    file: str


@dataclass(frozen=True, slots=True)
class Origin:
    """What an exam was made from: the program, and SHA-256 of the blueprint and of the roster."""

    blueprint: str
    roster: str
    program: str = f"gametree-grader {grader.__version__}"


@dataclass(frozen=True, slots=True)
class Exam:
    """A whole exam with its answers, for the instructor only."""

    origin: Origin
    heading: Heading
    seats: tuple[Seat, ...]
    papers: tuple[Paper, ...]

    def paper(self, code: str) -> Paper:
        """The paper with this code. Raises `KeyError` when there is none."""
        for paper in self.papers:
            if paper.code == code:
                return paper
        raise KeyError(code)


def question_to_json(question: Question) -> dict[str, Any]:
    """A question with its answers, as a JSON object."""
    return {
        "label": question.label,
        "title": question.title,
        "follow_through": question.follow_through,
        "grown_for": question.grown_for,
        "alike": list(question.alike),
        "parts": [part.to_json() for part in question.parts],
    }


def heading_to_json(heading: Heading) -> dict[str, Any]:
    """A heading, as a JSON object."""
    return asdict(heading) | {"words": dict(heading.words)}


def seat_to_json(seat: Seat) -> dict[str, Any]:
    """A seat, as a JSON object."""
    return {**asdict(seat.student), "variant": seat.code, "file": seat.file}


def paper_to_json(paper: Paper) -> dict[str, Any]:
    """A variant with its answers, as a JSON object."""
    return {"code": paper.code, "questions": [question_to_json(question) for question in paper.questions]}


def exam_lines(
    origin: Origin, heading: Heading, seats: Iterable[Seat], variants: Iterable[str]
) -> Iterator[str]:
    """The lines of `exam.json`; `variants` are papers as canonical JSON, so no exam need be in memory."""
    head = canonical({"schema": SCHEMA, **asdict(origin), "heading": heading_to_json(heading)})
    yield f'{head[:-1]},"students":['
    yield from _separated(canonical(seat_to_json(seat)) for seat in seats)
    yield '],"variants":['
    yield from _separated(variants)
    yield "]}"


def _separated(lines: Iterable[str]) -> Iterator[str]:
    before = None
    for line in lines:
        if before is not None:
            yield f"{before},"
        before = line
    if before is not None:
        yield before


def write_exam(exam: Exam) -> str:
    """The text of `exam.json`."""
    variants = (canonical(paper_to_json(paper)) for paper in exam.papers)
    return "\n".join(exam_lines(exam.origin, exam.heading, exam.seats, variants)) + "\n"


class UnreadableError(Exception):
    """Something in the record that is not as this program writes it, with its place."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(message)
        self.place = place


def read_exam(text: str) -> Exam | Diagnostics:
    """Read `exam.json` back; every exercise is checked as `grader.exercise.read_exercise` does."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        return _fault("", f"this is not JSON: {error}")
    try:
        if not isinstance(record, dict) or record.get("schema") != SCHEMA:
            raise UnreadableError("schema", f"this is not an exam of schema {SCHEMA}")
        heading = read_heading(_get(record, "heading", dict))
        origin = Origin(*(_get(record, name, str) for name in ("blueprint", "roster", "program")))
        seats = tuple(
            _read_seat(seat, f"students[{place}]")
            for place, seat in enumerate(_get(record, "students", list))
        )
        papers = tuple(
            read_paper(variant, heading, f"variants[{place}]")
            for place, variant in enumerate(_get(record, "variants", list))
        )
    except UnreadableError as error:
        return _fault(error.place, str(error))
    known = {paper.code for paper in papers}
    if len(known) < len(papers):
        return _fault("variants", "two variants have the same code")
    for seat in seats:
        if seat.code not in known:
            return _fault(
                "students", f"{seat.student.identifier!r} has the variant {seat.code!r}, which is missing"
            )
    return Exam(origin, heading, seats, papers)


def read_heading(record: Mapping[str, Any]) -> Heading:
    """The heading of a record that this program wrote."""
    texts = {
        name: _get(record, name, str, "heading.")
        for name in ("title", "course", "date", "instructions", "language")
    }
    size = _get(record, "size", str, "heading.")
    words = _get(record, "words", dict, "heading.")
    if size not in ("a4", "us-letter") or not all(isinstance(word, str) for word in words.values()):
        raise UnreadableError("heading", "the size or the words are not as this program writes them")
    return Heading(**texts, size="a4" if size == "a4" else "us-letter", words=tuple(words.items()))


def read_paper(record: Any, heading: Heading, place: str = "") -> Paper:
    """The paper of a record that this program wrote, as `paper_to_json` made it."""
    if not isinstance(record, dict):
        raise UnreadableError(place, "this is no variant")
    questions = []
    for number, question in enumerate(_get(record, "questions", list, f"{place}.")):
        here = f"{place}.questions[{number}]"
        if not isinstance(question, dict):
            raise UnreadableError(here, "this is no question")
        parts = tuple(
            _read_part(part, f"{here}.parts[{at}]")
            for at, part in enumerate(_get(question, "parts", list, f"{here}."))
        )
        if not parts:
            raise UnreadableError(here, "a question without a part")
        questions.append(
            Question(
                label=_get(question, "label", str, f"{here}."),
                title=_get(question, "title", str, f"{here}."),
                parts=parts,
                follow_through=_get(question, "follow_through", bool, f"{here}."),
                grown_for=_read_part_number(question, len(parts), here),
                alike=tuple(map(str, _get(question, "alike", list, f"{here}."))),
            )
        )
    return Paper(heading, _get(record, "code", str, f"{place}."), tuple(questions))


def _read_part_number(record: Mapping[str, Any], parts: int, place: str) -> int | None:
    number = record.get("grown_for")
    if number is not None and (not isinstance(number, int) or not 0 <= number < parts):
        raise UnreadableError(f"{place}.grown_for", "this names no part")
    return number


def _read_part(record: Any, place: str) -> Exercise:
    exercise = read_exercise(canonical(record))
    if isinstance(exercise, Diagnostics):
        raise UnreadableError(place, exercise.items[0].message)
    return exercise


def _read_seat(record: Any, place: str) -> Seat:
    if not isinstance(record, dict):
        raise UnreadableError(place, "this is no student")
    names = ("identifier", "name", "email", "login", "section", "lms")
    student = Student(**{name: _get(record, name, str, f"{place}.") for name in names})
    return Seat(student, _get(record, "variant", str, f"{place}."), _get(record, "file", str, f"{place}."))


def _get(record: Mapping[str, Any], name: str, kind: type[Any], before: str = "") -> Any:
    value = record.get(name)
    if not isinstance(value, kind):
        raise UnreadableError(f"{before}{name}", f"{name} is missing or of the wrong type")
    return value


def _fault(place: str, message: str) -> Diagnostics:
    hint = "build the exam again with `gametree exam build`"
    return Diagnostics((Diagnostic("not-an-exam", message, 0, 0, place, hint),))
