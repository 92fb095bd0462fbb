"""The record of an exam: `exam.json` has all that grading needs, a line for each student and variant."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain, pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from grader.base.canonical_json import canonical_json, parse_json
from grader.base.catalogues import CatalogueError, OwnCatalogue, find_own_catalogue, read_own_catalogue
from grader.base.json_records import OPTIONAL, JsonRecord, RecordError, read_field
from grader.base.records import require_schema
from grader.exam.folders import CATALOGUE_FILE, EXAM_FILE, REBUILD_ADVICE
from grader.exam.paper import Heading, Paper, Question, TreeLayout
from grader.exam.population import USUAL_STUDENTS, Population
from grader.exercises.exercise import Exercise
from grader.exercises.exercise_file import read_exercise
from grader.tables.student_directory import Student
from grader.trees.notation.diagnostics import Diagnostic, Diagnostics
from grader.version import PROGRAM

SCHEMA = 1

MissingPolicy: TypeAlias = Literal["zero", "empty"]
"""The points of a student who handed in nothing at all: zero, or an empty cell in exports."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One student, the code of the paper he or she gets, and the name of its files without their endings.

    `batch` is 0 for the students of the build, else the number of the addition that they came with.
    """

    student: Student
    code: str
    file: str
    batch: int = 0

    def to_json(self) -> dict[str, Any]:
        """The seat, as a JSON object."""
        record = {**self.student.to_json(), "variant": self.code, "file": self.file}
        return record | {"batch": self.batch} if self.batch else record


@dataclass(frozen=True, slots=True)
class SparePaper(JsonRecord):
    """A paper printed without a student: its code, and the name of its files."""

    code: Annotated[str, "variant"]
    file: Annotated[str, "file"]


DrawnBy: TypeAlias = Literal["row", "student"]
"""What a paper depends on: the row of its student in the class list, as in version 0.1.0, or the student."""


@dataclass(frozen=True, slots=True)
class Origin(JsonRecord):
    """What an exam was made from: the program, and SHA-256 of the blueprint and of the roster, if any.

    `drawn_by` is what its papers depend on; records of version 0.1.0 do not say it.
    """

    blueprint: Annotated[str, "blueprint"]
    roster: Annotated[str, "roster"]
    program: Annotated[str, "program"] = PROGRAM
    drawn_by: Annotated[DrawnBy, "drawn_by", OPTIONAL] = "row"


@dataclass(frozen=True, slots=True)
class QuestionRecord(JsonRecord):
    """One question of a variant as recorded: its exercises are JSON objects.

    It has a `plan` if another question could be in its place. The parts in `dropped` do not count.
    """

    label: Annotated[str, "label"]
    title: Annotated[str, "title"]
    parts: Annotated[tuple[Mapping[str, Any], ...], "parts"]
    follow_through: Annotated[bool, "follow_through"]
    grown_for: Annotated[int | None, "grown_for"]
    alike: Annotated[tuple[str, ...], "alike"]
    layout: Annotated[TreeLayout, "layout", OPTIONAL] = "auto"
    plan: Annotated[int | None, "plan", OPTIONAL] = None
    dropped: Annotated[tuple[int, ...], "dropped", OPTIONAL] = ()


@dataclass(frozen=True, slots=True)
class Exam:
    """A whole exam with its answers, for the instructor only; without seats its one variant is for anybody.

    `spares` are its papers without a student; `grader.exam.spares` assigns them.
    `variants` are the papers as `write_variant` writes them; they can be iterated repeatedly. Those of a file
    are read from it each time, so that an exam of any size fits into memory. `missing` is what students who
    handed in nothing earn, and `population` what the blueprint assumes of students.
    """

    origin: Origin
    heading: Heading
    seats: tuple[Seat, ...]
    variants: Iterable[str]
    missing: MissingPolicy = "empty"
    population: Population = USUAL_STUDENTS
    spares: tuple[SparePaper, ...] = ()

    @property
    def files_by_variant(self) -> dict[str, str]:
        """Variant -> the name of its files without their endings; empty if it is for anybody."""
        files = {seat.code: seat.file for seat in self.seats}
        return files | {spare.code: spare.file for spare in self.spares}

    @property
    def question_records(self) -> Iterator[tuple[str, tuple[QuestionRecord, ...]]]:
        """The codes and questions, one variant after another. Raises `RecordError` as `papers` does."""
        for place, variant in enumerate(self.variants):
            yield _read_variant(variant, f"variants[{place}]")

    @property
    def papers(self) -> Iterator[Paper]:
        """The papers, read one by one. Raises `RecordError` at one that cannot be read."""
        for place, variant in enumerate(self.variants):
            yield read_paper(variant, self.heading, f"variants[{place}]")


def write_question(question: Question) -> str:
    """Write a question with its answers as one line of JSON."""
    record = QuestionRecord(
        label=question.label,
        title=question.title,
        parts=tuple(part.to_json() for part in question.parts),
        follow_through=question.follow_through,
        grown_for=question.grown_for,
        alike=question.alike,
        layout=question.layout,
        plan=question.plan,
        dropped=question.dropped,
    )
    return canonical_json(record.to_json())


def write_variant(code: str, questions: Iterable[str]) -> str:
    """Write a variant as one line of JSON; its questions are as `write_question` writes them."""
    return f'{{"code":{canonical_json(code)},"questions":[{",".join(questions)}]}}'


_MIDDLE = '],"variants":['
_END = "]}"


def write_exam(exam: Exam) -> Iterator[str]:
    """Yield the lines of `exam.json` one by one, so that no exam need be in memory."""
    record = {"schema": SCHEMA, **exam.origin.to_json(), "heading": exam.heading.to_json()}
    # An exam whose blueprint does not say it omits the key, as records of version 0.1.0 do.
    if exam.missing != "empty":
        record["missing"] = exam.missing
    if exam.population != USUAL_STUDENTS:
        record["population"] = exam.population.to_json()
    if exam.spares:
        record["spares"] = [spare.to_json() for spare in exam.spares]
    yield f'{canonical_json(record)[:-1]},"students":[\n'
    yield from _separated(canonical_json(seat.to_json()) for seat in exam.seats)
    yield f"{_MIDDLE}\n"
    yield from _separated(exam.variants)
    yield f"{_END}\n"


def _separated(items: Iterable[str]) -> Iterator[str]:
    for item, following in pairwise(chain(items, (None,))):
        yield f"{item}\n" if following is None else f"{item},\n"


@dataclass(frozen=True, slots=True)
class ReiterableTexts:
    """Texts that are made or read again on every iteration, so that an exam of any size fits into memory.

    `open` starts an iteration.
    """

    open: Callable[[], Iterator[str]]

    def __iter__(self) -> Iterator[str]:
        return self.open()


def _lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file. Raises `RecordError` if it is not text."""
    with path.open(encoding="utf-8-sig", newline="\n") as file:
        try:
            yield from file
        except UnicodeDecodeError:
            raise RecordError("", "it is damaged: it has bytes that are not text") from None


def _variants(record: Iterable[str]) -> Iterator[str]:
    """Yield the variants among the lines of `exam.json`.

    Raises `RecordError` if it breaks off, or goes on after its end.
    """
    lines = (line.removesuffix("\n") for line in record)
    for line in lines:
        if line == _MIDDLE:
            break
    for line in lines:
        if line == _END:
            break
        if _END.startswith(line):
            raise RecordError("variants", "the record breaks off")
        yield line.removesuffix(",")
    else:
        raise RecordError("variants", "the record breaks off")
    if any(lines):
        raise RecordError("variants", "there is text after the end of the record")


def open_exam(folder: Path, name: str = EXAM_FILE) -> Exam | Diagnostics:
    """Open the exam in a folder as `read_exam` reads it, with the teacher's catalogue that is sealed with it.

    Raises `OSError` when there is no file of this name, `SchemaError` as `read_exam` does.
    """
    catalogue = folder / CATALOGUE_FILE
    lines = ReiterableTexts(partial(_lines, folder / name))
    return read_exam(lines, catalogue.read_bytes() if catalogue.exists() else None, str(folder / name))


def read_exam(
    lines: Iterable[str], catalogue: bytes | None = None, name: str = EXAM_FILE
) -> Exam | Diagnostics:
    """Read `exam.json` back as far as the variants, which are read when they are asked for.

    `lines` are iterated again whenever the variants are. A record that was edited by hand and saved with
    other line breaks is read as a whole. `catalogue` is the teacher's own that is sealed with it, if any.
    Raises `SchemaError`, which names the file by `name`, for a record of another schema.
    """
    head = []
    try:
        for line in lines:
            head.append(line.removesuffix("\n"))
            if head[-1] == _MIDDLE:
                head.append(_END)
                break
        record = _read_json("\n".join(head), "")
        if not isinstance(record, dict) or "schema" not in record:
            raise RecordError("schema", f"this is not an exam of schema {SCHEMA}")
        require_schema(record, SCHEMA, name)
        heading = _read_heading(read_field(record, "heading", dict), catalogue)
        origin = Origin.from_json(record)
        missing = read_field(record, "missing", MissingPolicy, default="empty")
        seats = tuple(
            _read_seat(seat, f"students[{place}]")
            for place, seat in enumerate(read_field(record, "students", list))
        )
        population = USUAL_STUDENTS
        if "population" in record:
            population = Population.from_json(record["population"], "population")
        spares = tuple(
            SparePaper.from_json(spare, f"spares[{place}]")
            for place, spare in enumerate(read_field(record, "spares", list, default=[]))
        )
        variants: Iterable[str] = (
            ReiterableTexts(partial(_variants, lines))
            if head[-2:] == [_MIDDLE, _END]
            else tuple(map(canonical_json, read_field(record, "variants", list)))
        )
        return Exam(origin, heading, seats, variants, missing, population, spares)
    except RecordError as error:
        return _no_exam(error)


def open_whole_exam(folder: Path) -> Exam | Diagnostics:
    """Open an exam as `open_exam` does, and check that all its variants can be read."""
    exam = open_exam(folder)
    if isinstance(exam, Exam):
        try:
            deque(exam.question_records, maxlen=0)
        except RecordError as error:
            return _no_exam(error)
    return exam


def _no_exam(error: RecordError) -> Diagnostics:
    return Diagnostics((Diagnostic("not-an-exam", error.message, 0, 0, error.place, REBUILD_ADVICE),))


def _read_json(text: str, place: str) -> Any:
    """Read JSON. Raises `RecordError`."""
    try:
        return parse_json(text)
    except ValueError as error:
        raise RecordError(place, f"this is not JSON: {error}") from None


def code_faults(seats: Sequence[Seat], codes: Iterable[str]) -> Iterator[str]:
    """Yield the faults of the codes: duplicates, a student without a variant, variants without students."""
    counts = Counter(codes)
    if not seats and len(counts) > 1:
        yield "there are several variants, but no students who have one"
    yield from (f"{count} variants have the code {code!r}" for code, count in counts.items() if count > 1)
    for seat in seats:
        if seat.code not in counts:
            yield f"{seat.student.identifier!r} has the variant {seat.code!r}, which is missing"


def _read_heading(record: Any, catalogue: bytes | None) -> Heading:
    """Read the heading of a record that this program wrote.

    Raises `RecordError` also if the catalogue that it names is missing or another one.
    """
    heading = Heading.from_json(record, "heading")
    own, wanted = None, record.get("catalogue")
    if wanted is not None:
        try:
            own = find_own_catalogue(heading.language_code, str(wanted))
            if own is None and catalogue is not None:
                own = read_own_catalogue(catalogue, may_be_older=True)
        except CatalogueError as error:
            raise RecordError("heading", f"{CATALOGUE_FILE} cannot be used: {error}") from None
        if own is None or own.digest != wanted:
            raise RecordError("heading", f"{CATALOGUE_FILE} is missing, or not the one used for the papers")
    return replace(heading, own_catalogue=own)


def read_paper(text: str, heading: Heading, place: str = "") -> Paper:
    """Read the paper of a variant that `write_variant` wrote; exercises are checked as by `read_exercise`.

    Raises `RecordError`, its places below `place`.
    """
    code, written = _read_variant(text, place)
    questions = []
    for number, question in enumerate(written):
        parts_place = f"{place}.questions[{number}].parts"
        parts = tuple(
            _read_part(part, f"{parts_place}[{index}]", heading.own_catalogue)
            for index, part in enumerate(question.parts)
        )
        questions.append(
            Question(
                label=question.label,
                title=question.title,
                parts=parts,
                follow_through=question.follow_through,
                grown_for=question.grown_for,
                alike=question.alike,
                layout=question.layout,
                plan=question.plan,
                dropped=question.dropped,
            )
        )
    return Paper(heading, code, tuple(questions))


def _read_variant(text: str, place: str) -> tuple[str, tuple[QuestionRecord, ...]]:
    """Read the code and the questions of a variant that `write_variant` wrote. Raises `RecordError`."""
    record = _read_json(text, place)
    if not isinstance(record, dict):
        raise RecordError(place, "this is not an object")
    before = f"{place}." if place else ""
    questions = tuple(
        _read_question(question, f"{place}.questions[{number}]")
        for number, question in enumerate(read_field(record, "questions", list, before))
    )
    return read_field(record, "code", str, before), questions


def _read_question(record: Any, place: str) -> QuestionRecord:
    """Read the record of a question. Raises `RecordError`, with its place below `place`."""
    question = QuestionRecord.from_json(record, place)
    if not question.parts:
        raise RecordError(place, "a question without a part")
    if question.grown_for is not None and not 0 <= question.grown_for < len(question.parts):
        raise RecordError(f"{place}.grown_for", "this names no part")
    return question


_read_repeated_exercise = lru_cache(maxsize=32)(read_exercise)
"""Reads an exercise; few are kept, those that all papers have, so a check of unique papers stays small."""


def _read_part(record: Any, place: str, own: OwnCatalogue | None) -> Exercise:
    """Read the exercise of a part. Raises `RecordError` with the first fault."""
    exercise = _read_repeated_exercise(canonical_json(record), own)
    if isinstance(exercise, Diagnostics):
        fault = exercise.items[0]
        raise RecordError(place, f"{fault.message} ({fault.hint})" if fault.hint else fault.message)
    return exercise


def _read_seat(record: Any, place: str) -> Seat:
    """Read the seat of a student. Raises `RecordError` with its place."""
    student = Student.from_json(record, place)
    code, file = (read_field(record, key, str, f"{place}.") for key in ("variant", "file"))
    return Seat(student, code, file, read_field(record, "batch", int, f"{place}.", default=0))
