"""Builds the folder of an exam, in processes; a build that was stopped goes on where it was."""

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
from grader.exam.composition import compose, tree_warnings
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
from grader.exam.paper import Heading, part_letter
from grader.exam.roster import Roster, roster_digest
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
from grader.publishing.missing_fonts import sample_sentence, student_label, unprintable_warnings
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
"""The variants that a process sets in one go: enough to be worth the way, few enough to lose little."""

SCHEMA = 1
"""Of what the journal keeps of the papers that were set."""
QUESTION_SECONDS = 0.025
"""How long one process takes for a question of a paper in the usual formats, with its key and exports."""

COVERS_PER_TASK = 5
"""The cover sheets that are set in one go."""

FORCE_BUILD_HINT = "build with --force"
"""What to do when a font was missing and is there."""


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What was built: how many variants, students and files, and how many pages go to the printer.

    `notes` are no faults: what there is to doubt about the trees that the blueprint gives, and whose names
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
    """Build an exam into a folder, or finish what was begun there; without a class list it is for anybody.

    The bytes depend on the blueprint, the roster, the formats, the exports and the version of this
    program, not on `jobs`. Raises `BuildError` when the folder holds something else (with `force`:
    anything but an exam without marks), when another build is at work in it, when a process is ended from
    outside, and when there is no class list for several variants; `grader.exercises.exercise.ExerciseError`
    when a tree cannot be asked about; `grader.generation.selection.ExhaustedError` when a recipe asks for
    too much.
    """
    wanted = tuple(known.name for known in PAPER_FORMATS if known.name in formats)
    _refuse_unfit(blueprint, roster, wanted)
    origin = Origin(blueprint.digest, "" if roster is None else roster_digest(roster))
    chosen = find_exports(exports)
    names = tuple(export.name for export in chosen)
    plan = sha256(
        canonical_json([origin.blueprint, origin.roster, origin.program, wanted, names]).encode()
    ).hexdigest()
    with exclusive_build(folder):
        prepare_folder(folder, plan, force)
        stems, seats = _seated(blueprint, () if roster is None else roster.students)
        processes = worker_count(jobs, len(stems) * len(blueprint.questions) * QUESTION_SECONDS)
        try:
            with worker_pool(processes) as run:
                _grow_all(blueprint, folder, len(stems), run, progress)
                grown = _grown(folder, stems, len(blueprint.questions))
                exam = _recorded(folder, Exam(origin, blueprint.heading, seats, grown))
                write_exam_file(folder, ASSIGNMENT_FILE, assignment_csv(seats))
                papers = _set(exam, folder, stems, wanted, run, progress)
                if exam.heading.scan:
                    write_exam_file(folder, BOXES_FILE, "".join(_boxes(exam.heading, papers)).encode())
                _join_keys(folder, papers, exam)
                if seats:
                    boxes = {code: made.boxes for code, made in papers.items()}
                    write_exam_file(
                        folder, ENTRY_FILE, entry_workbook(seats, boxes, exam.heading.language(comma=False))
                    )
                pages = _print(exam, folder, papers, run, progress) if "pdf" in wanted and seats else 0
                if chosen:
                    write_exports(exam, chosen, folder / BUILD_FOLDER, len(papers), run, progress)
                for export in chosen:
                    (folder / BUILD_FOLDER / export.file).replace(folder / INSTRUCTOR_FOLDER / export.file)
        except BrokenExecutor:
            hint = "run it again; it goes on where it was"
            raise BuildError("a process was ended from outside", hint) from None
        progress("sealing", 0, 1)
        variants = {code: (papers[code].checksum, papers[code].key) for code in stems}
        files = {name: digest_of(folder / name) for name in exam_files(folder)}
        lock = Lock(origin, plan, wanted, names, variants, files)
        write_exam_file(folder, LOCK_FILE, write_lock(seal(lock, blueprint.secret)).encode(), lasting=True)
        (folder / BUILD_PLAN_FILE).unlink()
        progress("sealing", 1, 1)
        notes = [
            note for number, plan in enumerate(blueprint.questions) for note in tree_warnings(plan, number)
        ]
        notes += _known_by_one_key(blueprint, [export.name for export in chosen if export.marks_by_key_alone])
        notes += (
            (*unprintable_heading_warnings(blueprint.heading, blueprint.questions), *_boxed_names(seats))
            if pages
            else ()
        )
        return BuildResult(len(papers), len(seats), len(lock.files) + 1, pages, tuple(notes))


def _refuse_unfit(blueprint: Blueprint, roster: Roster | None, formats: Sequence[str]) -> None:
    """Raise `BuildError` where a blueprint lacks a class list, or scanned papers are no PDF."""
    if roster is None and blueprint.forms != 1:
        many = "a variant for every student" if blueprint.forms is None else f"{blueprint.forms} variants"
        hint = "add --roster, or write `forms = 1` into the blueprint of a quiz that is open to anybody"
        raise BuildError(f"this blueprint makes {many}, and no class list says who gets which", hint)
    if blueprint.heading.scan and "pdf" not in formats:
        raise BuildError("papers that are scanned are PDF", "add --format pdf")


def _recorded(folder: Path, exam: Exam) -> Exam:
    """The exam as it is read from its record, which is written, with a teacher's own catalogue beside it."""
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
    """Who has which variant, as CSV for spreadsheets: UTF-8 with a mark, text that is text."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(("Identifier", "Name", "Email", "Section", "Variant", "File"))
    for seat in seats:
        student = seat.student
        row = (student.identifier, student.name, student.email, student.section, seat.code, seat.file)
        writer.writerow(map(guard_formula, row))
    return file.getvalue().encode("utf-8-sig")


# Who sits where -----------------------------------------------------------------------------------


def _seated(blueprint: Blueprint, students: Sequence[Student]) -> tuple[dict[str, str], tuple[Seat, ...]]:
    """The code of every variant with the name of its files without endings, and who gets which."""
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


def _grow(secret: str, count: int, folder: Path, question: tuple[int, QuestionPlan]) -> None:
    """Write the variants of one question into the journal, a line for each, unless all are there."""
    number, plan = question
    journal = folder / _grown_as(number)
    if journal.is_file():
        with journal.open("rb") as lines:
            if sum(1 for _ in lines) == count:
                return
    with open_exam_file(folder, _grown_as(number)) as file:
        for made in compose(plan, number, secret, count):
            file.write(f"{write_question(made)}\n".encode())


def _grown_as(number: int) -> str:
    """Where the variants of a question are, while the exam is built."""
    return f"{BUILD_FOLDER}/question-{number + 1}"


def _grow_all(
    blueprint: Blueprint, folder: Path, count: int, run: ParallelMap, progress: OnStageProgress
) -> None:
    """Grow so many variants of every question that was not grown before the build was stopped."""
    made = run(partial(_grow, blueprint.secret, count, folder), enumerate(blueprint.questions))
    for _ in report_stage(progress, "growing questions", len(blueprint.questions), zip(made, strict=True)):
        pass


def _grown(folder: Path, names: Iterable[str], questions: int) -> Iterator[str]:
    """Every variant, as `write_variant` writes it."""
    with ExitStack() as stack:
        columns = [
            stack.enter_context((folder / _grown_as(number)).open(encoding="utf-8", newline="\n"))
            for number in range(questions)
        ]
        for name, *row in zip(names, *columns, strict=True):
            yield write_variant(name, (line.removesuffix("\n") for line in row))


# Setting ------------------------------------------------------------------------------------------


class _Set(NamedTuple):
    """A paper that was set: its hashes as in the lock, its pages (0 without PDF), its boxes to be typed into.

    `codes` and `layout` are what a scanner finds on its pages, if it is to be scanned.
    """

    checksum: str
    key: str
    pages: int
    boxes: Boxes
    codes: Sequence[str] = ()
    layout: Any = ()


def _set_shard(
    folder: Path,
    heading: Heading,
    formats: tuple[str, ...],
    shard: tuple[int, Sequence[tuple[str, str]]],
) -> dict[str, _Set]:
    """Set papers and keys, by code, of lines of `exam.json` with the names of their files.

    The journal says which files that made, so that what is still as it was is not made again.
    """
    number, variants = shard
    journal = f"{BUILD_FOLDER}/shard-{number}"
    papers = _set_before(folder, folder / journal)
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
        papers[paper.code] = _Set(public.checksum, key, pages, typed_boxes(paper), *marks)
    write_exam_file(
        folder, journal, canonical_json({**stamp(SCHEMA), "papers": papers, "files": digests}).encode()
    )
    return papers


def _set_before(folder: Path, journal: Path) -> dict[str, _Set]:
    """What a shard made before the build was stopped; nothing unless all its files are still as they were."""
    if not journal.is_file():
        return {}
    record = json.loads(journal.read_text(encoding="utf-8"))
    require_schema(record, SCHEMA, str(journal))
    for name, digest in record["files"].items():
        if not (folder / name).is_file() or digest_of(folder / name) != digest:
            return {}
    return {code: _Set(*made) for code, made in record["papers"].items()}


def _set(
    exam: Exam,
    folder: Path,
    stems: Mapping[str, str],
    formats: tuple[str, ...],
    run: ParallelMap,
    progress: OnStageProgress,
) -> dict[str, _Set]:
    """Set all papers and keys."""
    papers: dict[str, _Set] = {}
    shards = enumerate(batches(zip(exam.variants, stems.values(), strict=True), VARIANTS_PER_TASK))
    made = run(partial(_set_shard, folder, exam.heading, formats), shards)
    for shard in report_stage(progress, "setting papers", len(stems), made):
        papers |= shard
    return papers


def _boxes(heading: Heading, papers: Mapping[str, _Set]) -> Iterator[str]:
    """Where the boxes of all papers are; of papers that come from the journal they are lists."""
    layouts = {code: (each.codes, layout_of(each.layout)) for code, each in papers.items()}
    return write_boxes(exam_hash(heading), heading.size, layouts)


# Printing -----------------------------------------------------------------------------------------


def _print(
    exam: Exam, folder: Path, papers: Mapping[str, _Set], run: ParallelMap, progress: OnStageProgress
) -> int:
    """Write one PDF for the printer: for every student a cover sheet and the paper; how many pages it has.

    Every student begins on a front side, whether or not both sides are printed, and every page has the name.
    """
    above = exam.heading.to_json()
    above["words"] = sheet_words(exam.heading.language(comma=False))
    above |= {name: plain(above[name]) for name in ("title", "course", "date")}
    above["marks"] = {"code": CODE_MM, "place": CODE_OFFSET_MM}
    groups = list(batches(exam.seats, COVERS_PER_TASK))
    covers = run(
        partial(typeset, "cover"),
        ({**above, "students": _covers(exam.heading, seats, papers)} for seats in groups),
    )
    printing = report_stage(progress, "printing", len(exam.seats), groups)
    with open_exam_file(folder, PRINT_FILE) as file:
        joined = PdfMerger(file, above["title"])
        for seats, cover in zip(printing, covers, strict=True):
            for place, seat in enumerate(seats):
                sheet, *names = range(3 * place, 3 * place + 3)
                joined.add(cover, (sheet,))
                joined.add((folder / PAPERS_FOLDER / f"{seat.file}.pdf").read_bytes(), under=(cover, names))
                joined.start_front_side()
        return joined.close()


def unprintable_heading_warnings(heading: Heading, questions: Sequence[QuestionPlan] = ()) -> Iterator[str]:
    """Whether the heading, the language or a question has characters that are empty boxes in print."""
    return unprintable_warnings(
        {
            "the title": heading.title,
            "the course": heading.course,
            "the instructions": heading.instructions,
            "the language": sample_sentence(heading),
            **{f"question {number}": _written(each) for number, each in enumerate(questions, 1)},
        },
        FORCE_BUILD_HINT,
    )


def _written(question: QuestionPlan) -> str:
    """What a teacher wrote into a question: its title, its prompts, and the words in a tree of his own."""
    texts = [question.title, *(part.prompt or "" for part in question.parts)]
    if isinstance(question.source, Tree):
        tree = question.source
        texts += [each for each in (*tree.given, *tree.moves, *tree.payoffs) if isinstance(each, str)]
    return " ".join(texts)


def _known_by_one_key(blueprint: Blueprint, platforms: Sequence[str]) -> Iterator[str]:
    """Which parts have many right answers, of which platforms that mark by themselves know one."""
    for number, question in enumerate(blueprint.questions, 1):
        for place, part in enumerate(question.parts):
            if platforms and part.question_kind.has_several_answers:
                yield (
                    f"question {number}{part_letter(place, len(question.parts))} has many right answers, and"
                    f" {' and '.join(platforms)} only know the one in the key; have it marked here"
                )


def _boxed_names(seats: Sequence[Seat]) -> Iterator[str]:
    """Whose names have characters that are empty boxes in print, and what to do about it."""
    students = [seat.student for seat in seats]
    return unprintable_warnings({student_label(each): each.name for each in students}, FORCE_BUILD_HINT)


def _join_keys(folder: Path, papers: Iterable[str], exam: Exam) -> None:
    """Write one PDF with all keys, every one once, in the order of the papers in the printer's."""
    with open_exam_file(folder, ALL_KEYS_FILE) as file:
        joined = PdfMerger(file, plain(exam.heading.title))
        for code in dict.fromkeys((*(seat.code for seat in exam.seats), *papers)):
            joined.add((folder / KEYS_FOLDER / f"{code}.pdf").read_bytes())
            joined.start_front_side()
        joined.close()


def _covers(heading: Heading, seats: Iterable[Seat], papers: Mapping[str, _Set]) -> list[dict[str, Any]]:
    """What stands on the cover sheets of some students."""
    return [
        {name: plain(text) for name, text in seat.student.to_json().items()}
        | {"code": seat.code, "checksum": papers[seat.code].checksum[:8], "pages": papers[seat.code].pages}
        | {"bars": code_bars(cover_code(heading, seat.code).text) if heading.scan else []}
        for seat in seats
    ]
