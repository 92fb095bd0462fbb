"""The exam as it is kept: `exam.json` has everything needed to grade, a line for each student and variant."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from grader.exam.paper import Heading, Paper, Question
from grader.exam.roster import Student
from grader.exercise import Exercise, canonical, read_exercise
from grader.notation import Diagnostic, Diagnostics
from grader.version import PROGRAM

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Seat:
    """One student, the code of the paper he or she gets, and the name of its files without their endings."""

    student: Student
    code: str
    file: str


@dataclass(frozen=True, slots=True)
class Origin:
    """What an exam was made from: the program, and SHA-256 of the blueprint and of the roster, if any."""

    blueprint: str
    roster: str
    program: str = PROGRAM


@dataclass(frozen=True, slots=True)
class Exam:
    """A whole exam with its answers, for the instructor only; without seats its one variant is for anybody.

    `variants` are the papers as `write_variant` writes them, to be gone over as often as one likes. Those of
    a file are read from it each time, so that an exam of any size fits into memory.
    """

    origin: Origin
    heading: Heading
    seats: tuple[Seat, ...]
    variants: Iterable[str]

    @property
    def papers(self) -> Iterator[Paper]:
        """The papers, read one by one. Raises `UnreadableError` at one that cannot be read."""
        for place, variant in enumerate(self.variants):
            yield read_paper(variant, self.heading, f"variants[{place}]")


def write_question(question: Question) -> str:
    """A question with its answers, as one line of JSON."""
    return canonical(
        {
            "label": question.label,
            "title": question.title,
            "follow_through": question.follow_through,
            "grown_for": question.grown_for,
            "alike": list(question.alike),
            "parts": [part.to_json() for part in question.parts],
        }
    )


def write_variant(code: str, questions: Iterable[str]) -> str:
    """A variant, as one line of JSON; its questions are as `write_question` writes them."""
    return f'{{"code":{canonical(code)},"questions":[{",".join(questions)}]}}'


def _heading_to_json(heading: Heading) -> dict[str, Any]:
    """A heading, as a JSON object."""
    record = asdict(heading) | {"words": dict(heading.words)}
    return {("language" if name == "language_code" else name): value for name, value in record.items()}


def _seat_to_json(seat: Seat) -> dict[str, Any]:
    """A seat, as a JSON object."""
    return {**asdict(seat.student), "variant": seat.code, "file": seat.file}


_MIDDLE = '],"variants":['
_END = "]}"


def write_exam(exam: Exam) -> Iterator[str]:
    """The lines of `exam.json`, one by one: no exam need be in memory."""
    head = canonical({"schema": SCHEMA, **asdict(exam.origin), "heading": _heading_to_json(exam.heading)})
    yield f'{head[:-1]},"students":[\n'
    yield from _separated(canonical(_seat_to_json(seat)) for seat in exam.seats)
    yield f"{_MIDDLE}\n"
    yield from _separated(exam.variants)
    yield f"{_END}\n"


def _separated(items: Iterable[str]) -> Iterator[str]:
    before = None
    for item in items:
        if before is not None:
            yield f"{before},\n"
        before = item
    if before is not None:
        yield f"{before}\n"


class UnreadableError(Exception):
    """Something in the record that is not as this program writes it, with its place."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(place, message)  # both, so that a worker process can send a copy
        self.place, self.message = place, message

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class _Lines:
    """The lines of a file, read anew each time they are gone over."""

    path: Path

    def __iter__(self) -> Iterator[str]:
        with self.path.open(encoding="utf-8", errors="replace", newline="\n") as file:
            yield from file


@dataclass(frozen=True, slots=True)
class _Variants:
    """The variants among the lines of `exam.json`."""

    lines: Iterable[str]

    def __iter__(self) -> Iterator[str]:
        lines = (line.removesuffix("\n") for line in self.lines)
        for line in lines:
            if line == _MIDDLE:
                break
        for line in lines:
            if line == _END:
                break
            yield line.removesuffix(",")
        else:
            raise UnreadableError("variants", "the record breaks off")
        if any(lines):
            raise UnreadableError("variants", "something stands behind the end of the record")


def open_exam(path: Path) -> Exam | Diagnostics:
    """The exam in a file, as `read_exam` reads it. Raises `OSError` when there is no such file."""
    return read_exam(_Lines(path))


def read_exam(lines: Iterable[str]) -> Exam | Diagnostics:
    """Read `exam.json` back as far as the variants, which are read when they are asked for.

    `lines` are gone over again whenever the variants are.
    """
    head = []
    for line in lines:
        head.append(line.removesuffix("\n"))
        if head[-1] == _MIDDLE:
            head.append(_END)
            break
    try:
        record = json.loads("\n".join(head))
    except (ValueError, RecursionError) as error:
        return _fault("", f"this is not JSON: {error}")
    try:
        if not isinstance(record, dict) or record.get("schema") != SCHEMA:
            raise UnreadableError("schema", f"this is not an exam of schema {SCHEMA}")
        if head[-2:] != [_MIDDLE, _END]:
            raise UnreadableError("variants", "the lines are not as this program writes them")
        heading = _read_heading(_get(record, "heading", dict))
        origin = Origin(*(_get(record, name, str) for name in ("blueprint", "roster", "program")))
        seats = tuple(
            _read_seat(seat, f"students[{place}]")
            for place, seat in enumerate(_get(record, "students", list))
        )
    except UnreadableError as error:
        return _fault(error.place, error.message)
    return Exam(origin, heading, seats, _Variants(lines))


def unmatched(seats: Sequence[Seat], codes: Iterable[str]) -> Iterator[str]:
    """What is wrong with the codes: one that is there twice, or not for a student, or nobody's choice."""
    counted = Counter(codes)
    if not seats and len(counted) > 1:
        yield "there are several variants, and no students who have one"
    yield from (f"{count} variants have the code {code!r}" for code, count in counted.items() if count > 1)
    for seat in seats:
        if seat.code not in counted:
            yield f"{seat.student.identifier!r} has the variant {seat.code!r}, which is missing"


def _read_heading(record: Mapping[str, Any]) -> Heading:
    """The heading of a record that this program wrote."""
    texts = {
        name: _get(record, name, str, "heading.") for name in ("title", "course", "date", "instructions")
    }
    language = _get(record, "language", str, "heading.")
    size = _get(record, "size", str, "heading.")
    words = _get(record, "words", dict, "heading.")
    if size not in ("a4", "us-letter") or not all(isinstance(word, str) for word in words.values()):
        raise UnreadableError("heading", "the size or the words are not as this program writes them")
    return Heading(
        **texts,
        language_code=language,
        size="a4" if size == "a4" else "us-letter",
        words=tuple(words.items()),
    )


def read_paper(text: str, heading: Heading, place: str = "") -> Paper:
    """The paper of a variant that `write_variant` wrote; every exercise is checked as `read_exercise` does.

    Raises `UnreadableError`, its places below `place`.
    """
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(place, f"this is not JSON: {error}") from None
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
        fault = exercise.items[0]
        raise UnreadableError(place, f"{fault.message} ({fault.hint})" if fault.hint else fault.message)
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
