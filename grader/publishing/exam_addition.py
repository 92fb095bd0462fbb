"""Add students to an exam that was built: their papers and keys; those of all others stay as they are."""

from collections.abc import Mapping, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from hmac import compare_digest
from itertools import chain
from pathlib import Path

from grader.base.files import atomic_writer
from grader.base.processes import worker_count
from grader.exam.amendment import amend_exam
from grader.exam.assignment import form_codes
from grader.exam.blueprint import Blueprint
from grader.exam.folders import (
    ALL_KEYS_FILE,
    AMENDED_EXAM_FILE,
    BUILD_FOLDER,
    BUILD_LOCK_FILE,
    ENTRY_FILE,
    EXAM_FILE,
    LOCK_FILE,
    PAPERS_FOLDER,
    PRINT_FILE,
    name_of_batch,
)
from grader.exam.manifest import Exam, ReiterableTexts, Seat, open_exam, read_paper, write_exam
from grader.exam.roster import Roster, roster_digest
from grader.publishing.entry_workbook import typed_boxes
from grader.publishing.exam_build import (
    QUESTION_SECONDS,
    DealtPapers,
    deal_own_papers,
    form_stem,
    plan_digest,
    write_boxes_file,
    write_entry_file,
    write_platform_files,
    write_record,
    write_sealed_lock,
)
from grader.publishing.exam_folder import BuildError, clear_folder, exclusive_build
from grader.publishing.exam_lock import Lock, read_lock, seal
from grader.publishing.paper_growing import grow_questions, variant_lines
from grader.publishing.paper_setting import TypesetPaper, typeset_papers
from grader.publishing.parallel import OnStageProgress, ParallelMap, worker_pool
from grader.publishing.pdf_merge import pdf_page_count
from grader.publishing.platforms import find_exports
from grader.publishing.print_file import join_keys, write_print_file
from grader.publishing.variant_likeness import check_paper, likeness_findings
from grader.scanning.places import CODE_OFFSET_MM, BoxLayout, layout_of, read_boxes
from grader.tables.student_directory import Student, identifier_key
from grader.trees.notation.diagnostics import Diagnostics

VERIFY_HINT = "`gametree exam verify` says what is wrong"


@dataclass(frozen=True, slots=True)
class Addition:
    """The result of an addition: the students, the number of pages for the printer, and the new files.

    `by_row` is whether the papers of the others were drawn by row, so that only additions leave them alone.
    """

    students: tuple[Student, ...]
    pages: int
    files: tuple[str, ...]
    by_row: bool


def add_students(
    folder: Path,
    blueprint: Blueprint,
    roster: Roster,
    *,
    amended: Blueprint | None = None,
    jobs: int | None = 1,
    progress: OnStageProgress = lambda _stage, _done, _total: None,
) -> Addition:
    """Add the students of a class list whom an exam does not have yet.

    1. Their papers, keys and files for the printer and for typing are new files.
    2. The record, the assignment, the boxes, the files for platforms and the lock are replaced: they have
       what they had, then the new students. So are the keys of a regrade, by its `amended` blueprint.

    An addition that is stopped is made again by the same call. Raises `BuildError` if there is no student to
    add, or none can be added, and what `build_exam` raises.
    """
    exam, lock = _open_exam_and_lock(folder, blueprint)
    exam = _require_finished(exam, lock)
    _require_locked(exam, lock)
    students = _new_students(exam, roster)
    _require_amendable(folder, amended)
    batch = 1 + max(seat.batch for seat in exam.seats)
    dealt = _deal(blueprint, exam, students, batch)
    processes = worker_count(jobs, len(dealt.stems) * blueprint.length * QUESTION_SECONDS)
    with exclusive_build(folder):
        clear_folder(folder / BUILD_FOLDER, BUILD_LOCK_FILE)
        try:
            with worker_pool(processes) as run:
                return _add(folder, exam, lock, dealt, (blueprint, amended), run, progress)
        except BrokenExecutor:
            raise BuildError("a process was stopped from outside", "run it again") from None


def _add(
    folder: Path,
    exam: Exam,
    lock: Lock,
    dealt: DealtPapers,
    blueprints: tuple[Blueprint, Blueprint | None],
    run: ParallelMap,
    progress: OnStageProgress,
) -> Addition:
    """Write everything that these papers add to an exam; the lock comes last."""
    (blueprint, amended), batch = blueprints, dealt.seats[0].batch
    lines: tuple[str, ...] = ()
    if dealt.stems:
        grow_questions(blueprint, folder, dealt.papers, run, progress)
        lines = tuple(variant_lines(folder, dealt.stems, blueprint.length))
        _require_same_level(exam, lines)
    new = typeset_papers(exam.heading, lines, folder, dealt.stems, lock.formats, run, progress)
    papers = _papers_of(exam, dealt, new, folder)
    seats = (*exam.seats, *dealt.seats)
    origin = replace(exam.origin, roster=roster_digest(Roster(tuple(seat.student for seat in seats))))
    variants = ReiterableTexts(partial(chain, exam.variants, lines))
    whole = replace(exam, origin=origin, seats=seats, variants=variants)
    files = [name_of_batch(name, batch) for name in (PRINT_FILE, ALL_KEYS_FILE, ENTRY_FILE)]
    print_file, keys_file, entry_file = files
    pages = 0
    if "pdf" in lock.formats:
        pages = write_print_file(exam.heading, dealt.seats, (), folder, print_file, papers, run, progress)
    join_keys(folder, keys_file, (seat.code for seat in dealt.seats), exam.heading.title)
    write_entry_file(folder, entry_file, exam.heading, dealt.seats, papers)
    if amended is not None:
        with atomic_writer(folder / AMENDED_EXAM_FILE, lasting=True) as file:
            for line in write_exam(amend_exam(whole, amended)):
                file.write(line.encode())
    _add_boxes(folder, exam, new)
    written = write_record(folder, whole)
    if dealt.stems:
        write_platform_files(
            written, find_exports(lock.exports), folder, len(lock.variants) + len(lines), run, progress
        )
    hashes = {code: (paper.checksum, paper.key) for code, paper in new.items()}
    lock = replace(
        lock,
        origin=origin,
        plan=plan_digest(origin, lock.formats, lock.exports),
        variants={**lock.variants, **hashes},
    )
    write_sealed_lock(folder, lock, blueprint.secret)
    new_files = tuple(file for file in files if (folder / file).is_file())
    by_row = exam.origin.drawn_by == "row"
    return Addition(tuple(seat.student for seat in dealt.seats), pages, new_files, by_row)


def _open_exam_and_lock(folder: Path, blueprint: Blueprint) -> tuple[Exam, Lock]:
    """Return the exam and its lock.

    Raises `BuildError` if they cannot be read, the blueprint is not the one they were built from, the lock
    was changed, or the exam is open to anybody.
    """
    lock, exam = read_lock(folder / LOCK_FILE), open_exam(folder)
    if lock is None or isinstance(exam, Diagnostics):
        raise BuildError(f"{folder} contains no exam that can be read", VERIFY_HINT)
    if blueprint.digest != lock.origin.blueprint:
        raise BuildError(
            f"{folder} was built from another blueprint",
            "name the blueprint that it was built from, with the files that it names, unchanged",
        )
    if not compare_digest(seal(lock, blueprint.secret).seal, lock.seal):
        raise BuildError(f"the lock of {folder} was changed", VERIFY_HINT)
    if not exam.seats:
        raise BuildError(f"{folder} is open to anybody", "it needs no further students")
    return exam, lock


def _require_finished(exam: Exam, lock: Lock) -> Exam:
    """Return the exam without students of an addition that was stopped before it was locked."""
    seats = tuple(
        seat
        for seat in exam.seats
        if not seat.batch or name_of_batch(ALL_KEYS_FILE, seat.batch) in lock.files
    )
    codes = {seat.code for seat in exam.seats} - {seat.code for seat in seats}
    if not codes:
        return replace(exam, seats=seats)
    lines = tuple(
        line
        for line, (code, _) in zip(exam.variants, exam.question_records, strict=True)
        if code not in codes
    )
    return replace(exam, seats=seats, variants=lines)


def _require_locked(exam: Exam, lock: Lock) -> None:
    """Raise `BuildError` if a variant is not as it was locked: the new lock would seal the change."""
    for line, (code, _) in zip(exam.variants, exam.question_records, strict=True):
        _, locked = lock.variants.get(code, ("", ""))
        if sha256(line.encode()).hexdigest() != locked:
            raise BuildError(
                f"variant {code} in {EXAM_FILE} was changed after the exam was locked", VERIFY_HINT
            )


def _new_students(exam: Exam, roster: Roster) -> tuple[Student, ...]:
    """Return the students of a class list who are not in the exam.

    Raises `BuildError` if there are none, or if one has the address of a student of the exam.
    """
    known = {identifier_key(seat.student.identifier) for seat in exam.seats}
    addresses = {seat.student.email.casefold(): seat.student for seat in exam.seats if seat.student.email}
    students = tuple(each for each in roster.students if identifier_key(each.identifier) not in known)
    for student in students:
        if (other := addresses.get(student.email.casefold())) is not None:
            raise BuildError(
                f"{student.identifier} has the address {student.email} of {other.identifier}",
                "are these two the same person?",
            )
    if not students:
        raise BuildError("everybody in the class list is in the exam", "there is nobody to add")
    return students


def _require_amendable(folder: Path, amended: Blueprint | None) -> None:
    """Raise `BuildError` unless the blueprint is given by which an exam is marked since a regrade."""
    if not (folder / AMENDED_EXAM_FILE).exists():
        if amended is not None:
            raise BuildError(f"{folder} was not regraded by a changed blueprint", "leave --amended out")
        return
    if amended is None:
        raise BuildError(
            f"{folder} is marked by a changed blueprint", "add --amended TOML, the blueprint of the regrade"
        )
    earlier = open_exam(folder, AMENDED_EXAM_FILE)
    if isinstance(earlier, Diagnostics) or earlier.origin.blueprint != amended.digest:
        raise BuildError(
            f"{folder} is marked by a different blueprint from that of --amended",
            "name the one of the last regrade",
        )


def _deal(blueprint: Blueprint, exam: Exam, students: Sequence[Student], batch: int) -> DealtPapers:
    """Return the papers of new students: their own, or the forms in turn after those that were dealt."""
    if blueprint.forms is None:
        used_codes = exam.files_by_variant.keys()
        return deal_own_papers(blueprint.secret, students, used_codes=used_codes, batch=batch)
    codes = form_codes(blueprint.forms)
    seats = []
    for turn, student in enumerate(students, len(exam.seats)):
        code = codes[turn % len(codes)]
        seats.append(Seat(student, code, form_stem(blueprint.secret, code), batch))
    return DealtPapers(0, {}, tuple(seats))


def _papers_of(
    exam: Exam, dealt: DealtPapers, new: Mapping[str, TypesetPaper], folder: Path
) -> Mapping[str, TypesetPaper]:
    """Return the papers of the new students; forms are as they were printed."""
    if dealt.stems:
        return new
    codes = {seat.code for seat in dealt.seats}
    printed = {}
    for paper in exam.papers:
        if paper.code in codes:
            file = folder / PAPERS_FOLDER / f"{exam.files_by_variant[paper.code]}.pdf"
            pages = pdf_page_count(file.read_bytes()) if file.exists() else 0
            public = paper.public
            printed[paper.code] = TypesetPaper(public.checksum, "", pages, typed_boxes(public))
    return printed


def _require_same_level(exam: Exam, lines: Sequence[str]) -> None:
    """Raise `BuildError` if new variants are not as hard as those of the exam, which another version drew."""
    first = next(iter(exam.papers))
    checks = [check_paper(first)]
    checks += [check_paper(read_paper(line, exam.heading)) for line in lines]
    faults = list(likeness_findings(checks, {check.code for check in checks}))
    if faults:
        raise BuildError(
            f"this version draws papers of another difficulty ({faults[0].place}: {faults[0].message})",
            f"use {exam.origin.program}, which built the exam",
        )


def _add_boxes(folder: Path, exam: Exam, new: Mapping[str, TypesetPaper]) -> None:
    """Replace `boxes.json` by one that also has the boxes of new papers, if papers are scanned.

    Raises `BuildError` if the version that built the exam prints codes in another place.
    """
    if not exam.heading.scan or not new:
        return
    boxes = read_boxes(folder)
    if boxes.code_offset != CODE_OFFSET_MM:
        raise BuildError(
            "this version prints the codes of papers that are scanned in another place",
            f"use {exam.origin.program}, which built the exam",
        )
    layouts: dict[str, tuple[Sequence[str], BoxLayout]]
    layouts = {code: (boxes.codes[code], layout) for code, layout in boxes.layouts.items() if code not in new}
    layouts |= {code: (paper.codes, layout_of(paper.layout)) for code, paper in new.items()}
    write_boxes_file(folder, exam.heading, layouts)
