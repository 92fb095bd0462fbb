"""Builds the folder of an exam, in processes; a build that was stopped goes on where it was."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import astuple, dataclass
from hashlib import sha256
from math import ceil
from pathlib import Path
from typing import Any

from grader.exam.assigning import assigned, codes, derived, stem_of
from grader.exam.blueprint import Blueprint, QuestionPlan
from grader.exam.composing import compose, doubts
from grader.exam.folders import (
    ASSIGNMENT,
    EXAM,
    INSTRUCTOR,
    JOURNAL,
    KEYS,
    LOCK,
    PAPERS,
    PLAN,
    PRINT,
    PUBLISH,
    digest_of,
    files_of,
)
from grader.exam.manifest import (
    Exam,
    Origin,
    Seat,
    open_exam,
    read_paper,
    write_exam,
    write_question,
    write_variant,
)
from grader.exam.paper import Heading
from grader.exam.roster import Roster, roster_digest
from grader.exercise import canonical
from grader.notation.diagnostics import Diagnostics
from grader.publishing.exam_folder import BuildError, alone, prepare, write_to, writing_to
from grader.publishing.joining import Joined, page_count
from grader.publishing.keys import key_pdf
from grader.publishing.pages import FORMATS
from grader.publishing.parallel import Progress, Run, batches, workers
from grader.publishing.platforms import exports_named, write_exports
from grader.publishing.sealing import Lock, seal, write_lock
from grader.publishing.sheet import plain
from grader.publishing.typesetting import typeset
from grader.tables.formulas import guarded

SHARD = 10
"""The variants that a process sets in one go: enough to be worth the way, few enough to lose little."""

COVERS = 50
"""The cover sheets that are set in one go."""


@dataclass(frozen=True, slots=True)
class Built:
    """What was built: how many variants, students and files, and how many pages go to the printer.

    `notes` are no faults: what there is to doubt about the trees that the blueprint gives.
    """

    variants: int
    students: int
    files: int
    pages: int
    notes: tuple[str, ...] = ()


def build(
    blueprint: Blueprint,
    roster: Roster | None,
    folder: Path,
    *,
    formats: Sequence[str] = ("pdf", "html"),
    exports: Sequence[str] | None = None,
    jobs: int = 1,
    force: bool = False,
    progress: Progress = lambda _stage, _done, _total: None,
) -> Built:
    """Build an exam into a folder, or finish what was begun there; without a class list it is for anybody.

    The bytes depend on the blueprint, the roster, the formats, the exports and the version of this
    program, not on `jobs`. Raises `BuildError` when the folder holds something else (with `force`:
    anything but an exam without marks), when another build is at work in it, when a process is ended from
    outside, and when there is no class list for several variants; `grader.exercise.ExerciseError` when a
    tree cannot be asked about; `grader.generation.selection.ExhaustedError` when a recipe asks for too much.
    """
    if roster is None and blueprint.forms != 1:
        many = "a variant for every student" if blueprint.forms is None else f"{blueprint.forms} variants"
        hint = "add --roster, or write `forms = 1` into the blueprint of a quiz that is open to anybody"
        raise BuildError(f"this blueprint makes {many}, and no class list says who gets which", hint)
    origin = Origin(blueprint.digest, "" if roster is None else roster_digest(roster))
    wanted = tuple(known.name for known in FORMATS if known.name in formats)
    chosen = tuple(export.name for export in exports_named(exports))
    plan = sha256(
        canonical([origin.blueprint, origin.roster, origin.program, wanted, chosen]).encode()
    ).hexdigest()
    with alone(folder):
        prepare(folder, plan, force)
        seating = _seated(blueprint, roster)
        with _working(jobs) as run:
            _grow_all(blueprint, folder, len(seating.codes), run, progress)
            grown = _grown(folder, seating.codes, len(blueprint.questions))
            with writing_to(folder, EXAM, lasting=True) as file:
                for line in write_exam(Exam(origin, blueprint.heading, seating.seats, grown)):
                    file.write(line.encode())
            exam = open_exam(folder / EXAM)
            if isinstance(exam, Diagnostics):
                raise AssertionError(f"the exam that was just written cannot be read: {exam}")
            write_to(folder, ASSIGNMENT, assignment(seating.seats))
            papers = _set(exam, folder, seating, wanted, run, progress)
            printed = "pdf" in wanted and roster is not None
            pages = _print(blueprint, folder, seating.seats, papers, run, progress) if printed else 0
            _export(exam, folder, chosen, len(papers), run, progress)
        progress("sealing", 0, 1)
        variants = {code: (papers[code].checksum, papers[code].key) for code in seating.codes}
        files = {name: digest_of(folder / name) for name in files_of(folder)}
        lock = Lock(origin, plan, wanted, chosen, variants, files)
        write_to(folder, LOCK, write_lock(seal(lock, blueprint.secret)).encode(), lasting=True)
        (folder / PLAN).unlink()
        progress("sealing", 1, 1)
        notes = [note for number, plan in enumerate(blueprint.questions) for note in doubts(plan, number)]
        return Built(len(papers), len(seating.seats), len(lock.files) + 1, pages, tuple(notes))


@contextmanager
def _working(jobs: int) -> Iterator[Run]:
    """Processes, as `workers` starts them. Raises `BuildError` when one is ended from outside."""
    try:
        with workers(jobs) as run:
            yield run
    except BrokenExecutor:
        hint = "run it again; it goes on where it was"
        raise BuildError("a process was ended from outside", hint) from None


def assignment(seats: Iterable[Seat]) -> bytes:
    """Who has which variant, as CSV for spreadsheets: UTF-8 with a mark, text that is text."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(("Identifier", "Name", "Email", "Section", "Variant", "File"))
    for seat in seats:
        student = seat.student
        row = (student.identifier, student.name, student.email, student.section, seat.code, seat.file)
        writer.writerow(map(guarded, row))
    return file.getvalue().encode("utf-8-sig")


# Who sits where -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Seating:
    """The codes of all variants, the names of their files without endings, and who gets which."""

    codes: tuple[str, ...]
    stems: tuple[str, ...]
    seats: tuple[Seat, ...]


def _seated(blueprint: Blueprint, roster: Roster | None) -> _Seating:
    secret, forms = blueprint.secret, blueprint.forms
    students = () if roster is None else roster.students
    names = codes(secret, forms, len(students))
    if forms is None:
        stems = tuple(stem_of(secret, student) for student in students)
    else:
        stems = tuple(f"form-{name.lower()}-{derived(secret, 'form', name).hex()[:10]}" for name in names)
    turns = assigned(secret, forms, len(students))
    seats = tuple(
        Seat(student, names[turn], stems[turn]) for student, turn in zip(students, turns, strict=True)
    )
    return _Seating(names, stems, seats)


# Growing ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Growth:
    plan: QuestionPlan
    number: int
    secret: str
    count: int
    folder: str


def _grow(growth: _Growth) -> None:
    """Write the variants of one question into the journal, a line for each."""
    questions = compose(growth.plan, growth.number, growth.secret, growth.count)
    with writing_to(Path(growth.folder), _grown_as(growth.number)) as file:
        for question in questions:
            file.write(f"{write_question(question)}\n".encode())


def _grown_as(number: int) -> str:
    """Where the variants of a question are, while the exam is built."""
    return f"{JOURNAL}/question-{number + 1}"


def _is_grown(journal: Path, count: int) -> bool:
    """Whether all variants of a question are there."""
    if not journal.is_file():
        return False
    with journal.open("rb") as file:
        return sum(1 for _ in file) == count


def _grow_all(blueprint: Blueprint, folder: Path, count: int, run: Run, progress: Progress) -> None:
    """Grow so many variants of every question that was not grown before the build was stopped."""
    missing = [
        _Growth(plan, number, blueprint.secret, count, str(folder))
        for number, plan in enumerate(blueprint.questions)
        if not _is_grown(folder / _grown_as(number), count)
    ]
    total = len(blueprint.questions)
    progress("growing questions", total - len(missing), total)
    for done, _ in enumerate(run(_grow, missing), total - len(missing) + 1):
        progress("growing questions", done, total)


def _grown(folder: Path, names: Sequence[str], questions: int) -> Iterator[str]:
    """Every variant, as `write_variant` writes it."""
    with ExitStack() as stack:
        columns = [
            stack.enter_context((folder / _grown_as(number)).open(encoding="utf-8", newline="\n"))
            for number in range(questions)
        ]
        for name, *row in zip(names, *columns, strict=True):
            yield write_variant(name, (line.removesuffix("\n") for line in row))


# Setting ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Shard:
    """Some variants as lines of `exam.json`, and where their files go."""

    folder: str
    number: int
    heading: Heading
    variants: tuple[str, ...]
    stems: tuple[str, ...]
    formats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Set:
    """A paper that was set: its two hashes as in the lock, and how many pages it has (0 without PDF)."""

    checksum: str
    key: str
    pages: int


def _set_shard(shard: _Shard) -> dict[str, _Set]:
    """Set the papers and keys of some variants, by code. The journal says which files that made."""
    folder = Path(shard.folder)
    chosen = [known for known in FORMATS if known.name in shard.formats]
    papers: dict[str, _Set] = {}
    digests: dict[str, str] = {}
    for line, stem in zip(shard.variants, shard.stems, strict=True):
        paper = read_paper(line, shard.heading)
        public = paper.public
        files = {f"{PAPERS}/{stem}{known.suffix}": known.write(public) for known in chosen}
        pages = page_count(files[f"{PAPERS}/{stem}.pdf"]) if "pdf" in shard.formats else 0
        files[f"{KEYS}/{paper.code}.pdf"] = key_pdf(paper)
        for name, data in files.items():
            write_to(folder, name, data)
            digests[name] = sha256(data).hexdigest()
        papers[paper.code] = _Set(public.checksum, sha256(line.encode()).hexdigest(), pages)
    record = {"papers": {code: astuple(made) for code, made in papers.items()}, "files": digests}
    write_to(folder, f"{JOURNAL}/shard-{shard.number}", canonical(record).encode())
    return papers


def _set_before(folder: Path, number: int) -> dict[str, _Set] | None:
    """What a shard made before the build was stopped; None unless all its files are still as they were."""
    journal = folder / JOURNAL / f"shard-{number}"
    if not journal.is_file():
        return None
    record = json.loads(journal.read_text(encoding="utf-8"))
    for name, digest in record["files"].items():
        if not (folder / name).is_file() or digest_of(folder / name) != digest:
            return None
    return {code: _Set(*made) for code, made in record["papers"].items()}


def _set(
    exam: Exam, folder: Path, seating: _Seating, formats: tuple[str, ...], run: Run, progress: Progress
) -> dict[str, _Set]:
    """Set all papers and keys."""
    total = len(seating.codes)
    before = [_set_before(folder, number) for number in range(ceil(total / SHARD))]
    papers = {code: made for known in before if known is not None for code, made in known.items()}
    missing = (
        _Shard(str(folder), number, exam.heading, variants, stems, formats)
        for number, (variants, stems) in enumerate(
            zip(batches(exam.variants, SHARD), batches(seating.stems, SHARD), strict=True)
        )
        if before[number] is None
    )
    progress("setting papers", len(papers), total)
    for made in run(_set_shard, missing):
        papers |= made
        progress("setting papers", len(papers), total)
    return papers


# Printing -----------------------------------------------------------------------------------------


def _covers(data: dict[str, Any]) -> bytes:
    return typeset("cover", data)


def _print(
    blueprint: Blueprint,
    folder: Path,
    seats: Sequence[Seat],
    papers: dict[str, _Set],
    run: Run,
    progress: Progress,
) -> int:
    """Write one PDF for the printer: for every student a cover sheet and the paper; how many pages it has.

    Every student begins on a front side, whether or not both sides are printed.
    """
    heading = blueprint.heading
    batches = [seats[start : start + COVERS] for start in range(0, len(seats), COVERS)]
    data = (
        {
            "title": plain(heading.title),
            "course": plain(heading.course),
            "date": plain(heading.date),
            "language": heading.language_code,
            "size": heading.size,
            "words": {name: plain(word) for name, word in heading.words},
            "students": [
                {
                    "name": plain(seat.student.name),
                    "identifier": plain(seat.student.identifier),
                    "section": plain(seat.student.section),
                    "code": seat.code,
                    "checksum": papers[seat.code].checksum[:8],
                    "pages": papers[seat.code].pages,
                }
                for seat in batch
            ],
        }
        for batch in batches
    )
    (folder / PUBLISH).mkdir(exist_ok=True)
    beside = folder / JOURNAL / "print.pdf"
    with beside.open("wb") as file:
        joined = Joined(file, plain(heading.title))
        done = 0
        progress("printing", 0, len(seats))
        for batch, covers in zip(batches, run(_covers, data), strict=True):
            for place, seat in enumerate(batch):
                pages = joined.add(covers, (place,))
                pages += joined.add((folder / PAPERS / f"{seat.file}.pdf").read_bytes())
                if pages % 2:
                    joined.add_blank()
            done += len(batch)
            progress("printing", done, len(seats))
        pages = joined.close()
    beside.replace(folder / PRINT)
    return pages


# Exports ------------------------------------------------------------------------------------------


def _export(exam: Exam, folder: Path, names: Sequence[str], total: int, run: Run, progress: Progress) -> None:
    """Write what was asked for learning platforms."""
    chosen = exports_named(names)
    if chosen:
        write_exports(exam, chosen, folder / JOURNAL, total, run, progress)
    for export in chosen:
        (folder / JOURNAL / export.file).replace(folder / INSTRUCTOR / export.file)
