"""Build the folder of an exam, in parallel; a build that was stopped is resumed."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from grader.base.canonical_json import canonical_json
from grader.base.processes import worker_count
from grader.exam.assignment import (
    deal_forms,
    derive_bytes,
    form_codes,
    paper_stem,
    spare_owner,
    student_owner,
    variant_codes,
)
from grader.exam.blueprint import Blueprint
from grader.exam.composition import key_warnings, tree_warnings
from grader.exam.folders import (
    ALL_KEYS_FILE,
    ASSIGNMENT_FILE,
    BOXES_FILE,
    BUILD_FOLDER,
    BUILD_PLAN_FILE,
    CATALOGUE_FILE,
    ENTRY_FILE,
    EXAM_FILE,
    INSTRUCTOR_FOLDER,
    LOCK_FILE,
    PRINT_FILE,
    digest_of,
    exam_files,
)
from grader.exam.manifest import Exam, Origin, Seat, SparePaper, open_exam, write_exam
from grader.exam.paper import Heading
from grader.exam.pools import pool_faults, pool_notes
from grader.exam.roster import Roster, roster_digest
from grader.publishing.entry_workbook import entry_workbook
from grader.publishing.exam_folder import (
    BuildError,
    exclusive_build,
    open_exam_file,
    prepare_folder,
    write_exam_file,
)
from grader.publishing.exam_lock import Lock, seal, write_lock
from grader.publishing.missing_fonts import font_warnings
from grader.publishing.paper_formats import PAPER_FORMATS
from grader.publishing.paper_growing import Papers, grow_questions, paper_owners, variant_lines
from grader.publishing.paper_setting import TypesetPaper, typeset_papers
from grader.publishing.parallel import OnStageProgress, ParallelMap, worker_pool
from grader.publishing.platforms import Export, find_exports, write_exports
from grader.publishing.print_file import join_keys, write_print_file
from grader.scanning.places import BoxLayout, exam_hash, layout_of, write_box_places
from grader.tables.csv_writing import csv_bytes
from grader.tables.formulas import guard_formula
from grader.tables.student_directory import Student
from grader.trees.notation.diagnostics import Diagnostics

QUESTION_SECONDS = 0.025
"""The time one process needs for a question of a paper in the usual formats, with key and exports."""

FORCE_BUILD_HINT = "build with --force"
"""What to do after a missing font was installed."""


@dataclass(frozen=True, slots=True)
class BuildResult:
    """The size of the exam that was built: variants, students, files, and pages for the printer.

    `notes` are not faults: doubts about the trees that the blueprint gives, and names that
    cannot be printed on this machine.
    """

    variants: int
    students: int
    files: int
    pages: int
    notes: tuple[str, ...] = ()


def build_exam(
    blueprint: Blueprint,
    roster: Roster | None,
    folder: Path,
    *,
    formats: Sequence[str] = ("pdf", "html"),
    exports: Sequence[str] | None = None,
    jobs: int | None = 1,
    force: bool = False,
    progress: OnStageProgress = lambda _stage, _done, _total: None,
) -> BuildResult:
    """Build an exam into a folder, or resume a build there; without a class list it is for anybody.

    The bytes depend on the blueprint, the roster, the formats, the exports and the version of this
    program, not on `jobs`. Raises `BuildError` if the folder holds something else (with `force`:
    anything but an exam without marks), if another build is at work in it, if a process is killed from
    outside, and if there is no class list for several variants; `grader.exercises.exercise.ExerciseError`
    if a kind cannot ask about a tree; `grader.generation.selection.ExhaustedError` if a recipe asks for
    too much.
    """
    format_names = tuple(known.name for known in PAPER_FORMATS if known.name in formats)
    _require_fitting(blueprint, roster, format_names)
    for fault in pool_faults(blueprint):
        raise BuildError(fault, "choose others, or state a larger spread in the pool")
    origin = Origin(
        blueprint.digest,
        "" if roster is None else roster_digest(roster),
        drawn_by="row" if blueprint.forms is not None else "student",
    )
    platform_exports = find_exports(exports)
    names = tuple(export.name for export in platform_exports)
    plan = plan_digest(origin, format_names, names)
    with exclusive_build(folder):
        prepare_folder(folder, plan, force)
        dealt = _deal_papers(blueprint, () if roster is None else roster.students)
        processes = worker_count(jobs, len(dealt.stems) * blueprint.length * QUESTION_SECONDS)
        try:
            with worker_pool(processes) as run:
                notes = grow_questions(blueprint, folder, dealt.papers, run, progress)
                variants = variant_lines(folder, dealt.stems, blueprint.length)
                stated = blueprint.missing, blueprint.students
                exam = Exam(origin, blueprint.heading, dealt.seats, variants, *stated, dealt.spares)
                exam = write_record(folder, exam)
                papers = typeset_papers(
                    exam.heading, exam.variants, folder, dealt.stems, format_names, run, progress
                )
                if exam.heading.scan:
                    layouts = {code: (paper.codes, layout_of(paper.layout)) for code, paper in papers.items()}
                    write_boxes_file(folder, exam.heading, layouts)
                codes = (*(seat.code for seat in exam.seats), *papers)
                join_keys(folder, ALL_KEYS_FILE, codes, exam.heading.title)
                pages = 0
                if dealt.seats:
                    write_entry_file(folder, ENTRY_FILE, exam.heading, dealt.seats, papers)
                    if "pdf" in format_names:
                        pages = write_print_file(
                            exam.heading, dealt.seats, dealt.spares, folder, PRINT_FILE, papers, run, progress
                        )
                write_platform_files(exam, platform_exports, folder, len(papers), run, progress)
        except BrokenExecutor:
            hint = "run it again; it continues where it stopped"
            raise BuildError("a process was stopped from outside", hint) from None
        progress("sealing", 0, 1)
        hashes = {code: (papers[code].checksum, papers[code].key) for code in dealt.stems}
        files = write_sealed_lock(
            folder, Lock(origin, plan, format_names, names, hashes, {}), blueprint.secret
        )
        (folder / BUILD_PLAN_FILE).unlink()
        progress("sealing", 1, 1)
        notes += pool_notes(blueprint, paper_owners(dealt.papers))
        by_key_alone = [export.name for export in platform_exports if export.marks_by_key_alone]
        for number, question in enumerate(blueprint.questions):
            notes += tree_warnings(question, number)
            notes += key_warnings(question, number, by_key_alone)
        if pages:
            notes += font_warnings(blueprint, [seat.student for seat in dealt.seats], FORCE_BUILD_HINT)
        return BuildResult(len(papers), len(dealt.seats), files, pages, tuple(notes))


def plan_digest(origin: Origin, formats: Sequence[str], exports: Sequence[str]) -> str:
    """Return the hash of everything that an exam is built from; a build is resumed only with the same."""
    sources = [origin.blueprint, origin.roster, origin.program, formats, exports]
    return sha256(canonical_json(sources).encode()).hexdigest()


def _require_fitting(blueprint: Blueprint, roster: Roster | None, formats: Sequence[str]) -> None:
    """Raise `BuildError` if a blueprint lacks a class list, or papers for scanning lack the format PDF."""
    if roster is None and blueprint.forms != 1:
        many = "a variant for every student" if blueprint.forms is None else f"{blueprint.forms} variants"
        hint = "add --roster, or write `forms = 1` into the blueprint of a quiz that is open to anybody"
        raise BuildError(f"this blueprint makes {many}, but no class list says who gets which", hint)
    if blueprint.heading.scan and "pdf" not in formats:
        raise BuildError("papers that are scanned are PDF", "add --format pdf")


def write_record(folder: Path, exam: Exam) -> Exam:
    """Write the record of an exam and who has which paper; return the exam as read back.

    A teacher's own catalogue is written next to it.
    """
    if exam.heading.own_catalogue is not None:
        write_exam_file(folder, CATALOGUE_FILE, exam.heading.own_catalogue.data)
    with open_exam_file(folder, EXAM_FILE, lasting=True) as file:
        for line in write_exam(exam):
            file.write(line.encode())
    written = open_exam(folder)
    if isinstance(written, Diagnostics):
        raise AssertionError(f"the exam that was just written cannot be read: {written}")
    write_exam_file(folder, ASSIGNMENT_FILE, assignment_csv(exam.seats, exam.spares))
    return written


def write_boxes_file(
    folder: Path, heading: Heading, layouts: Mapping[str, tuple[Sequence[str], BoxLayout]]
) -> None:
    """Write `boxes.json` from the codes and boxes of every variant."""
    record = "".join(write_box_places(exam_hash(heading), heading.size, layouts))
    write_exam_file(folder, BOXES_FILE, record.encode())


def write_entry_file(
    folder: Path, name: str, heading: Heading, seats: Sequence[Seat], papers: Mapping[str, TypesetPaper]
) -> None:
    """Write the workbook to type the replies of these students into."""
    boxes = {code: paper.boxes for code, paper in papers.items()}
    write_exam_file(folder, name, entry_workbook(seats, boxes, heading.language(comma=False)))


def write_platform_files(
    exam: Exam,
    chosen: Sequence[Export],
    folder: Path,
    total: int,
    run: ParallelMap,
    progress: OnStageProgress,
) -> None:
    """Write the files for platforms, each complete or not at all; `total` is the number of papers."""
    if chosen:
        write_exports(exam, chosen, folder / BUILD_FOLDER, total, run, progress)
    for export in chosen:
        (folder / BUILD_FOLDER / export.file).replace(folder / INSTRUCTOR_FOLDER / export.file)


def write_sealed_lock(folder: Path, lock: Lock, secret: str) -> int:
    """Write the lock with the hashes of all files of the exam, sealed; return how many files it has."""
    files = {name: digest_of(folder / name) for name in exam_files(folder)}
    sealed = seal(replace(lock, files=files), secret)
    write_exam_file(folder, LOCK_FILE, write_lock(sealed).encode(), lasting=True)
    return len(files) + 1


def assignment_csv(seats: Iterable[Seat], spares: Iterable[SparePaper] = ()) -> bytes:
    """Return the assignment as CSV for spreadsheets; spare papers have a row without a student."""
    rows: list[Sequence[str]] = [("Identifier", "Name", "Email", "Section", "Variant", "File")]
    for seat in seats:
        student = seat.student
        row = (student.identifier, student.name, student.email, student.section, seat.code, seat.file)
        rows.append([*map(guard_formula, row)])
    rows += (("", "", "", "", spare.code, spare.file) for spare in spares)
    return csv_bytes(rows)


class DealtPapers(NamedTuple):
    """The papers of an exam: what grows, variant -> the name of its files without suffix, whose they are."""

    papers: Papers
    stems: dict[str, str]
    seats: tuple[Seat, ...]
    spares: tuple[SparePaper, ...] = ()


def _deal_papers(blueprint: Blueprint, students: Sequence[Student]) -> DealtPapers:
    """Return the papers of a new exam: one for each student and the spare ones, or the forms."""
    secret, forms = blueprint.secret, blueprint.forms
    if forms is None:
        return deal_own_papers(secret, students, spares=blueprint.spares)
    codes = form_codes(forms)
    stems = [form_stem(secret, code) for code in codes]
    turns = deal_forms(secret, forms, len(students))
    seats = (Seat(student, codes[turn], stems[turn]) for student, turn in zip(students, turns, strict=True))
    return DealtPapers(forms, dict(zip(codes, stems, strict=True)), tuple(seats))


def form_stem(secret: str, code: str) -> str:
    """Return the name of the files of a form: impossible to guess."""
    return f"form-{code.lower()}-{derive_bytes(secret, 'form', code).hex()[:10]}"


def deal_own_papers(
    secret: str,
    students: Sequence[Student],
    *,
    spares: int = 0,
    used_codes: Collection[str] = (),
    batch: int = 0,
) -> DealtPapers:
    """Return a paper for each of these students, and spare ones; none has one of the `used_codes`."""
    owners = [*map(student_owner, students), *map(spare_owner, range(1, spares + 1))]
    codes = tuple(variant_codes(secret, owners, used_codes).values())
    stems = [paper_stem(secret, student) for student in students]
    stems += [
        f"spare-{number}-{derive_bytes(secret, 'file', 'spare', number).hex()[:10]}"
        for number in range(1, spares + 1)
    ]
    own, spare = zip(students, codes, stems, strict=False), zip(codes, stems, strict=True)
    seats = tuple(Seat(*each, batch) for each in own)
    return DealtPapers(
        owners,
        dict(zip(codes, stems, strict=True)),
        seats,
        tuple(SparePaper(*each) for each in islice(spare, len(students), None)),
    )
