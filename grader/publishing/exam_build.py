"""Build the folder of an exam, in parallel; a build that was stopped is resumed."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from grader.base.canonical_json import canonical_json
from grader.base.processes import worker_count
from grader.base.records import require_schema, stamp
from grader.exam.assignment import assign_variants, derive_bytes, paper_stem, variant_codes
from grader.exam.blueprint import Blueprint, QuestionPlan
from grader.exam.composition import (
    compose,
    key_warnings,
    shared_key_warnings,
    sharing_warning,
    tree_warnings,
)
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
    KEYS_FOLDER,
    LOCK_FILE,
    PAPERS_FOLDER,
    PRINT_FILE,
    digest_of,
    exam_files,
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
from grader.generation.earnings import MAX_COMPARED_EXERCISES
from grader.publishing.entry_workbook import Boxes, entry_workbook, typed_boxes
from grader.publishing.exam_folder import (
    BuildError,
    exclusive_build,
    open_exam_file,
    prepare_folder,
    write_exam_file,
)
from grader.publishing.exam_lock import Lock, seal, write_lock
from grader.publishing.keys import key_pdf
from grader.publishing.missing_fonts import font_warnings
from grader.publishing.paper_formats import PAPER_FORMATS
from grader.publishing.parallel import OnStageProgress, ParallelMap, batches, report_stage, worker_pool
from grader.publishing.pdf_merge import PdfMerger, pdf_page_count
from grader.publishing.platforms import find_exports, write_exports
from grader.publishing.scan_sheet import code_bars, codes_and_boxes
from grader.publishing.sheet import plain, sheet_words
from grader.publishing.typesetting import typeset
from grader.scanning.places import CODE_MM, CODE_OFFSET_MM, cover_code, exam_hash, layout_of, write_boxes
from grader.tables.formulas import guard_formula
from grader.tables.student_directory import Student
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.tree import Tree

VARIANTS_PER_TASK = 10
"""The variants in one task: enough to outweigh its overhead, few enough to lose little when stopped."""

SCHEMA = 1
"""The schema of a finished shard in the journal."""
QUESTION_SECONDS = 0.025
"""The time one process needs for a question of a paper in the usual formats, with key and exports."""

COVERS_PER_TASK = 5
"""The cover sheets in one PDF."""

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
    origin = Origin(blueprint.digest, "" if roster is None else roster_digest(roster))
    platform_exports = find_exports(exports)
    names = tuple(export.name for export in platform_exports)
    plan = sha256(
        canonical_json([origin.blueprint, origin.roster, origin.program, format_names, names]).encode()
    ).hexdigest()
    with exclusive_build(folder):
        prepare_folder(folder, plan, force)
        stems, seats = _assign_seats(blueprint, () if roster is None else roster.students)
        processes = worker_count(jobs, len(stems) * len(blueprint.questions) * QUESTION_SECONDS)
        try:
            with worker_pool(processes) as run:
                notes = _grow_all(blueprint, folder, len(stems), run, progress)
                variants = _variant_lines(folder, stems, len(blueprint.questions))
                exam = _write_record(
                    folder,
                    Exam(origin, blueprint.heading, seats, variants, blueprint.missing, blueprint.students),
                )
                write_exam_file(folder, ASSIGNMENT_FILE, assignment_csv(seats))
                papers = _typeset_papers(exam, folder, stems, format_names, run, progress)
                if exam.heading.scan:
                    write_exam_file(folder, BOXES_FILE, _boxes_record(exam.heading, papers))
                _join_keys(folder, papers, exam)
                pages = 0
                if seats:
                    boxes = {code: paper.boxes for code, paper in papers.items()}
                    workbook = entry_workbook(seats, boxes, exam.heading.language(comma=False))
                    write_exam_file(folder, ENTRY_FILE, workbook)
                    if "pdf" in format_names:
                        pages = _write_print_file(exam, folder, papers, run, progress)
                if platform_exports:
                    write_exports(exam, platform_exports, folder / BUILD_FOLDER, len(papers), run, progress)
                for export in platform_exports:
                    (folder / BUILD_FOLDER / export.file).replace(folder / INSTRUCTOR_FOLDER / export.file)
        except BrokenExecutor:
            hint = "run it again; it goes on where it was"
            raise BuildError("a process was ended from outside", hint) from None
        progress("sealing", 0, 1)
        hashes = {code: (papers[code].checksum, papers[code].key) for code in stems}
        files = {name: digest_of(folder / name) for name in exam_files(folder)}
        lock = Lock(origin, plan, format_names, names, hashes, files)
        write_exam_file(folder, LOCK_FILE, write_lock(seal(lock, blueprint.secret)).encode(), lasting=True)
        (folder / BUILD_PLAN_FILE).unlink()
        progress("sealing", 1, 1)
        by_key_alone = [export.name for export in platform_exports if export.marks_by_key_alone]
        for number, question in enumerate(blueprint.questions):
            notes += tree_warnings(question, number)
            notes += key_warnings(question, number, by_key_alone)
        if pages:
            notes += font_warnings(blueprint, [seat.student for seat in seats], FORCE_BUILD_HINT)
        return BuildResult(len(papers), len(seats), len(lock.files) + 1, pages, tuple(notes))


def _require_fitting(blueprint: Blueprint, roster: Roster | None, formats: Sequence[str]) -> None:
    """Raise `BuildError` if a blueprint lacks a class list, or papers for scanning lack the format PDF."""
    if roster is None and blueprint.forms != 1:
        many = "a variant for every student" if blueprint.forms is None else f"{blueprint.forms} variants"
        hint = "add --roster, or write `forms = 1` into the blueprint of a quiz that is open to anybody"
        raise BuildError(f"this blueprint makes {many}, and no class list says who gets which", hint)
    if blueprint.heading.scan and "pdf" not in formats:
        raise BuildError("papers that are scanned are PDF", "add --format pdf")


def _write_record(folder: Path, exam: Exam) -> Exam:
    """Write the record of an exam, with a teacher's own catalogue next to it, and return it as read back."""
    if exam.heading.own_catalogue is not None:
        write_exam_file(folder, CATALOGUE_FILE, exam.heading.own_catalogue.data)
    with open_exam_file(folder, EXAM_FILE, lasting=True) as file:
        for line in write_exam(exam):
            file.write(line.encode())
    written = open_exam(folder)
    if isinstance(written, Diagnostics):
        raise AssertionError(f"the exam that was just written cannot be read: {written}")
    return written


def assignment_csv(seats: Iterable[Seat]) -> bytes:
    """Return the assignment as CSV for spreadsheets: UTF-8 with a byte order mark, and no formulas."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(("Identifier", "Name", "Email", "Section", "Variant", "File"))
    for seat in seats:
        student = seat.student
        row = (student.identifier, student.name, student.email, student.section, seat.code, seat.file)
        writer.writerow(map(guard_formula, row))
    return file.getvalue().encode("utf-8-sig")


# Seats --------------------------------------------------------------------------------------------


def _assign_seats(
    blueprint: Blueprint, students: Sequence[Student]
) -> tuple[dict[str, str], tuple[Seat, ...]]:
    """Return variant -> the name of its files without suffix, and the seat of every student."""
    secret, forms = blueprint.secret, blueprint.forms
    names = variant_codes(secret, forms, len(students))
    if forms is None:
        stems = [paper_stem(secret, student) for student in students]
    else:
        stems = [f"form-{name.lower()}-{derive_bytes(secret, 'form', name).hex()[:10]}" for name in names]
    turns = assign_variants(secret, forms, len(students))
    seats = (Seat(student, names[turn], stems[turn]) for student, turn in zip(students, turns, strict=True))
    return dict(zip(names, stems, strict=True)), tuple(seats)


# Growing ------------------------------------------------------------------------------------------


def _grow(
    secret: str, heading: Heading, count: int, folder: Path, question: tuple[int, QuestionPlan]
) -> list[str]:
    """Write the variants of one question into the journal, one per line, unless all are there.

    Return what its author has to know about them.
    """
    number, plan = question
    journal = folder / _variants_path(number)
    if not journal.is_file() or len(journal.read_bytes().splitlines()) != count:
        _write_variants(secret, count, folder, question)
    if isinstance(plan.source, Tree):
        return []
    lines = journal.read_bytes().splitlines()
    variants = [
        read_paper(write_variant("", (line.decode(),)), heading).questions[0]
        for line in lines[:MAX_COMPARED_EXERCISES]
    ]
    notes = [sharing_warning(number, len(set(lines)), count), *shared_key_warnings(variants, number)]
    return [note for note in notes if note]


def _write_variants(secret: str, count: int, folder: Path, question: tuple[int, QuestionPlan]) -> None:
    number, plan = question
    with open_exam_file(folder, _variants_path(number)) as file:
        for question_record in compose(plan, number, secret, count):
            file.write(f"{write_question(question_record)}\n".encode())


def _variants_path(number: int) -> str:
    """Return the path of the variants of a question in the journal."""
    return f"{BUILD_FOLDER}/question-{number + 1}"


def _grow_all(
    blueprint: Blueprint, folder: Path, count: int, run: ParallelMap, progress: OnStageProgress
) -> list[str]:
    """Grow `count` variants of every question, except those that an earlier build has finished."""
    grow = partial(_grow, blueprint.secret, blueprint.heading, count, folder)
    composed = run(grow, enumerate(blueprint.questions))
    steps = report_stage(progress, "growing questions", len(blueprint.questions), zip(composed, strict=True))
    return [note for (notes,) in steps for note in notes]


def _variant_lines(folder: Path, names: Iterable[str], questions: int) -> Iterator[str]:
    """Read every variant from the journal, as the line that `write_variant` makes."""
    with ExitStack() as stack:
        columns = [
            stack.enter_context((folder / _variants_path(number)).open(encoding="utf-8", newline="\n"))
            for number in range(questions)
        ]
        for name, *row in zip(names, *columns, strict=True):
            yield write_variant(name, (line.removesuffix("\n") for line in row))


# Setting ------------------------------------------------------------------------------------------


class _TypesetPaper(NamedTuple):
    """A typeset paper: its hashes as in the lock, its pages (0 without PDF), its boxes in the workbook.

    `codes` and `layout` are the marks on a paper for scanning.
    """

    checksum: str
    key: str
    pages: int
    boxes: Boxes
    codes: Sequence[str] = ()
    layout: Any = ()


def _typeset_shard(
    folder: Path,
    heading: Heading,
    formats: tuple[str, ...],
    shard: tuple[int, Sequence[tuple[str, str]]],
) -> dict[str, _TypesetPaper]:
    """Typeset the papers and keys of a shard: lines of `exam.json`, each with the name of its files.

    The journal records the digests of the files, so that a resumed build can keep them.
    """
    number, variants = shard
    journal = f"{BUILD_FOLDER}/shard-{number}"
    papers = _finished_papers(folder, folder / journal)
    if papers:
        return papers
    digests: dict[str, str] = {}
    for line, stem in variants:
        paper = read_paper(line, heading)
        public = paper.public
        files = {
            f"{PAPERS_FOLDER}/{stem}{known.suffix}": known.write(public)
            for known in PAPER_FORMATS
            if known.name in formats
        }
        pages = pdf_page_count(files[f"{PAPERS_FOLDER}/{stem}.pdf"]) if "pdf" in formats else 0
        files[f"{KEYS_FOLDER}/{paper.code}.pdf"] = key_pdf(paper)
        for name, data in files.items():
            write_exam_file(folder, name, data)
            digests[name] = sha256(data).hexdigest()
        marks = codes_and_boxes(public) if "pdf" in formats else ((), ())
        key = sha256(line.encode()).hexdigest()
        papers[paper.code] = _TypesetPaper(public.checksum, key, pages, typed_boxes(public), *marks)
    write_exam_file(
        folder, journal, canonical_json({**stamp(SCHEMA), "papers": papers, "files": digests}).encode()
    )
    return papers


def _finished_papers(folder: Path, journal: Path) -> dict[str, _TypesetPaper]:
    """Return the papers of a shard that an earlier build has finished; empty if any file has changed."""
    if not journal.is_file():
        return {}
    record = json.loads(journal.read_text(encoding="utf-8"))
    require_schema(record, SCHEMA, str(journal))
    for name, digest in record["files"].items():
        if not (folder / name).is_file() or digest_of(folder / name) != digest:
            return {}
    return {code: _TypesetPaper(*record_of_paper) for code, record_of_paper in record["papers"].items()}


def _typeset_papers(
    exam: Exam,
    folder: Path,
    stems: Mapping[str, str],
    formats: tuple[str, ...],
    run: ParallelMap,
    progress: OnStageProgress,
) -> dict[str, _TypesetPaper]:
    """Typeset all papers and keys; return them in the order of the variants.

    Those from the journal come in another order, and files must not depend on what was interrupted.
    """
    papers: dict[str, _TypesetPaper] = {}
    shards = enumerate(batches(zip(exam.variants, stems.values(), strict=True), VARIANTS_PER_TASK))
    shard_results = run(partial(_typeset_shard, folder, exam.heading, formats), shards)
    for shard in report_stage(progress, "setting papers", len(stems), shard_results):
        papers |= shard
    return {code: papers[code] for code in stems}


def _boxes_record(heading: Heading, papers: Mapping[str, _TypesetPaper]) -> bytes:
    """Return `boxes.json`; in papers from the journal the layout is still plain lists."""
    layouts = {code: (paper.codes, layout_of(paper.layout)) for code, paper in papers.items()}
    return "".join(write_boxes(exam_hash(heading), heading.size, layouts)).encode()


# Printing -----------------------------------------------------------------------------------------


def _write_print_file(
    exam: Exam, folder: Path, papers: Mapping[str, _TypesetPaper], run: ParallelMap, progress: OnStageProgress
) -> int:
    """Write one PDF for the printer, with a cover sheet and the paper for every student; return its pages.

    Every student starts on a front side, whether or not both sides are printed; every page has the name.
    """
    heading_data = exam.heading.to_json()
    heading_data["words"] = sheet_words(exam.heading.language(comma=False))
    heading_data |= {name: plain(heading_data[name]) for name in ("title", "course", "date")}
    heading_data["marks"] = {"code": CODE_MM, "place": CODE_OFFSET_MM}
    groups = list(batches(exam.seats, COVERS_PER_TASK))
    covers = run(
        partial(typeset, "cover"),
        ({**heading_data, "students": _cover_data(exam.heading, seats, papers)} for seats in groups),
    )
    printing = report_stage(progress, "printing", len(exam.seats), groups)
    with open_exam_file(folder, PRINT_FILE) as file:
        merged = PdfMerger(file, heading_data["title"])
        for seats, cover in zip(printing, covers, strict=True):
            for place, seat in enumerate(seats):
                sheet, *names = range(3 * place, 3 * place + 3)
                merged.add(cover, (sheet,))
                merged.add((folder / PAPERS_FOLDER / f"{seat.file}.pdf").read_bytes(), under=(cover, names))
                merged.start_front_side()
        return merged.close()


def _join_keys(folder: Path, papers: Iterable[str], exam: Exam) -> None:
    """Write one PDF with every key once, in the order of the papers in the file for the printer."""
    with open_exam_file(folder, ALL_KEYS_FILE) as file:
        merged = PdfMerger(file, plain(exam.heading.title))
        for code in dict.fromkeys((*(seat.code for seat in exam.seats), *papers)):
            merged.add((folder / KEYS_FOLDER / f"{code}.pdf").read_bytes())
            merged.start_front_side()
        merged.close()


def _cover_data(
    heading: Heading, seats: Iterable[Seat], papers: Mapping[str, _TypesetPaper]
) -> list[dict[str, Any]]:
    """Return the data of the cover sheets of these students."""
    return [
        {name: plain(text) for name, text in seat.student.to_json().items()}
        | {"code": seat.code, "checksum": papers[seat.code].checksum[:8], "pages": papers[seat.code].pages}
        | {"bars": code_bars(cover_code(heading, seat.code).text) if heading.scan else []}
        for seat in seats
    ]
