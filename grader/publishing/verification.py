"""Verify the folder of an exam: solve every answer again a second way, and make every file again."""

import hmac
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from grader.base.json_records import RecordError
from grader.base.processes import worker_count
from grader.base.records import unreadable_record
from grader.base.safe_text import safe_line
from grader.base.suggest import first_of_many
from grader.exam.blueprint import Blueprint
from grader.exam.folders import (
    BOXES_FILE,
    EXAM_FILE,
    INSTRUCTOR_FOLDER,
    LOCK_FILE,
    PAPERS_FOLDER,
    PRINT_FILE,
    digest_of,
    exam_files,
    name_of_batch,
)
from grader.exam.manifest import Exam, code_faults, open_exam, read_paper
from grader.exam.paper import Heading, Paper, PublicPaper
from grader.exam.roster import Roster
from grader.exercises.exercise import Exercise
from grader.publishing.exam_lock import Lock, read_lock, seal
from grader.publishing.key_leaks import find_leaks
from grader.publishing.paper_formats import PAPER_FORMATS, Format
from grader.publishing.parallel import OnStageProgress, ParallelMap, batches, report_stage, worker_pool
from grader.publishing.pdf_merge import pdf_page_count
from grader.publishing.platforms import find_exports, write_exports
from grader.publishing.scan_sheet import codes_and_boxes
from grader.publishing.variant_likeness import (
    Finding,
    VariantCheck,
    check_paper,
    codes_drawn_alone,
    common_answers,
    likeness_findings,
    shared_orders,
)
from grader.scanning.places import BoxesError, ScannedExam, read_boxes
from grader.tables.student_directory import identifier_key
from grader.trees.notation.diagnostics import Diagnostics
from grader.version import PROGRAM

MAX_NAMED_STUDENTS = 12
"""Of more students than these only the number is named."""

VARIANTS_PER_TASK = 10
"""The variants in one task of a process."""

CHECK_SECONDS = 0.1
"""The time one process needs to check a paper with its key and its exports."""


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of a verification: the faults, how much was checked, and what could not be checked.

    `notes` are not faults: answers that more than half of the papers share, and files that another version
    set and this one sets otherwise.
    """

    findings: tuple[Finding, ...]
    variants: int
    answers: int
    files: int
    unchecked: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def has_damage(self) -> bool:
        """Whether a file is missing or not as it was built."""
        return any(finding.message.startswith(_DAMAGE) for finding in self.findings)


_MISSING, _CHANGED, _DAMAGED = "is missing", "was changed after the exam was built", "is damaged: "
_DAMAGE = (_MISSING, _CHANGED, _DAMAGED)


def verify_exam(
    folder: Path,
    *,
    blueprint: Blueprint | None = None,
    roster: Roster | None = None,
    jobs: int | None = 1,
    progress: OnStageProgress = lambda _stage, _done, _total: None,
) -> Verification:
    """Verify an exam. The seal is checked only with the blueprint, the class list only with the roster.

    Raises `SchemaError` if another version made the exam and this one cannot read its exercises, and
    `concurrent.futures.BrokenExecutor` if one of several processes is killed from outside.
    """
    lock = read_lock(folder / LOCK_FILE)
    if lock is None:
        is_there = (folder / LOCK_FILE).exists()
        finding = Finding(LOCK_FILE, f"{_DAMAGED}it is not the lock of an exam" if is_there else _MISSING)
        return Verification((finding,), 0, 0, 0)
    try:
        exam = open_exam(folder)
    except OSError:
        return Verification((Finding(EXAM_FILE, _MISSING),), 0, 0, 0)
    if isinstance(exam, Diagnostics):
        return Verification(tuple(Finding(EXAM_FILE, str(fault)) for fault in exam), 0, 0, 0)
    files = len(lock.files) + 1
    findings = list(_file_findings(folder, lock))
    intact = frozenset(lock.files) - {finding.place for finding in findings}
    if exam.origin != lock.origin:
        findings.append(Finding(EXAM_FILE, "names a different origin from exam.lock"))
    findings += _page_findings(folder, exam, intact)
    boxes = None
    if exam.heading.scan and (folder / BOXES_FILE).exists():  # else it was reported as missing
        try:
            boxes = read_boxes(folder)
        except (OSError, BoxesError) as error:
            findings.append(Finding(BOXES_FILE, f"{_DAMAGED}{error}"))
    unchecked = []
    if blueprint is None:
        unchecked.append("the seal, which needs --blueprint")
    else:
        findings += _seal_findings(lock, blueprint)
    if roster is not None:
        findings += _roster_findings(exam, roster)
    elif exam.seats:
        unchecked.append("the class list, which needs --roster")
    with worker_pool(worker_count(jobs, len(lock.variants) * CHECK_SECONDS)) as run:
        checks: list[VariantCheck] = []
        is_ours = exam.origin.program == PROGRAM
        work = partial(
            _check_variants, folder, exam.heading, boxes, _file_stems(exam, lock), lock.formats, is_ours
        )
        results = run(work, enumerate(batches(exam.variants, VARIANTS_PER_TASK)))
        try:
            for batch in report_stage(progress, "checking papers", len(lock.variants), results):
                checks += batch
        except RecordError as error:
            if not is_ours and EXAM_FILE in intact:
                raise unreadable_record(EXAM_FILE, exam.origin.program, error.place, str(error)) from None
            findings.append(Finding(EXAM_FILE, f"{error.place}: {error}"))
            return Verification(tuple(findings), 0, 0, files)
        for check in checks:
            findings += check.findings
        findings += _hash_findings(checks, lock)
        findings += _seat_findings(exam, checks)
        independent = codes_drawn_alone(exam)
        findings += likeness_findings(checks, independent)
        # Some exports contain the program, so another version makes others; the lock has their hashes.
        if is_ours:
            findings += _export_findings(folder, exam, lock, len(checks), run, progress)
        elif lock.exports:
            unchecked.append(f"the files for platforms, which {exam.origin.program} made, against new ones")
    answers = sum(len(question.answers) for check in checks for question in check.questions)
    # A file that was changed is a finding already.
    otherwise = intact & {name for check in checks for name in check.otherwise}
    notes = (
        *_otherwise_note(len(otherwise), exam.origin.program),
        *common_answers(checks),
        *shared_orders(checks, independent),
    )
    return Verification(tuple(findings), len(checks), answers, files, tuple(unchecked), notes)


def _file_findings(folder: Path, lock: Lock) -> Iterator[Finding]:
    """Find files that are missing, changed or not part of the exam."""
    present = set(exam_files(folder))
    for name in sorted(lock.files.keys() - present):
        yield Finding(name, _MISSING)
    for name in sorted(present - lock.files.keys()):
        yield Finding(name, "is not part of the exam")
    for name in sorted(present & lock.files.keys()):
        if digest_of(folder / name) != lock.files[name]:
            yield Finding(name, _CHANGED)


def _hash_findings(checks: Sequence[VariantCheck], lock: Lock) -> Iterator[Finding]:
    """Compare papers and keys with the lock."""
    for code in sorted(lock.variants.keys() ^ {check.code for check in checks}):
        yield Finding(f"variant {code}", "is only in one of exam.json and exam.lock")
    for check in checks:
        checksum, key = lock.variants.get(check.code, (check.checksum, check.key))
        if check.checksum != checksum:
            yield Finding(f"variant {check.code}", "its questions are not those that were locked")
        if check.key != key:
            yield Finding(f"variant {check.code}", "its key is not the one that was locked")


def _roster_findings(exam: Exam, roster: Roster) -> Iterator[Finding]:
    """Check that the students of the exam are those of the class list."""
    listed, seated = set(roster.students), [seat.student for seat in exam.seats]
    added = [safe_line(student.identifier) for student in seated if student not in listed]
    if not seated or listed - set(seated):
        yield Finding(EXAM_FILE, "the exam was built for another class list, or for none")
    elif added:
        names = first_of_many(added, MAX_NAMED_STUDENTS)
        yield Finding(
            EXAM_FILE,
            f"has students who are not in this class list: {names}; "
            "after `gametree exam add`, the class list must also have the students who were added",
        )


def _seal_findings(lock: Lock, blueprint: Blueprint) -> Iterator[Finding]:
    """Check that the lock belongs to this blueprint, and that its seal is intact."""
    if blueprint.digest != lock.origin.blueprint:
        yield Finding(LOCK_FILE, "the exam was built from another blueprint")
    if not hmac.compare_digest(seal(lock, blueprint.secret).seal, lock.seal):
        yield Finding(LOCK_FILE, "the seal is broken: the lock was changed, or made with another secret")


def _seat_findings(exam: Exam, checks: Sequence[VariantCheck]) -> Iterator[Finding]:
    """Check that every student is listed once and has a paper, and that every variant is used."""
    codes = [check.code for check in checks]
    yield from (Finding(EXAM_FILE, wrong) for wrong in code_faults(exam.seats, codes))
    for field, values in (
        ("identifier", [identifier_key(seat.student.identifier) for seat in exam.seats]),
        ("address", [seat.student.email.casefold() for seat in exam.seats if seat.student.email]),
    ):
        for value, count in Counter(values).items():
            if count > 1:
                yield Finding(EXAM_FILE, f"{count} students have the {field} {value}")
    files = defaultdict(set)
    for seat in exam.seats:
        files[seat.file].add(seat.code)
    for file, sharing in files.items():
        if len(sharing) > 1:
            yield Finding(EXAM_FILE, f"the variants {', '.join(sorted(sharing))} share the file {file}")
    unused = set(codes) - {seat.code for seat in exam.seats} - {spare.code for spare in exam.spares}
    for code in sorted(unused):
        if len(codes) <= len(exam.seats):
            yield Finding(f"variant {code}", "nobody has it")


def _page_findings(folder: Path, exam: Exam, intact: frozenset[str]) -> Iterator[Finding]:
    """Check that every file for the printer has the pages of all its cover sheets and papers."""
    printed: dict[int, list[str]] = defaultdict(list)
    for seat in exam.seats:
        printed[seat.batch].append(seat.file)
    printed[0] += [spare.file for spare in exam.spares]
    for batch, files in printed.items():
        print_file = name_of_batch(PRINT_FILE, batch)
        papers = {file: f"{PAPERS_FOLDER}/{file}.pdf" for file in files}
        if print_file not in intact or not intact.issuperset(papers.values()):
            continue
        pages = {file: 1 + pdf_page_count((folder / name).read_bytes()) for file, name in papers.items()}
        # Every student starts on a front side.
        wanted = sum(pages[file] + pages[file] % 2 for file in files)
        if pdf_page_count((folder / print_file).read_bytes()) != wanted:
            yield Finding(print_file, f"does not have the {wanted} pages that cover sheets and papers make")


def _otherwise_note(count: int, program: str) -> Iterator[str]:
    """Say of files that are as they were built that another version set them."""
    if count:
        files, them = ("1 file was", "it") if count == 1 else (f"{count} files were", "them")
        yield f"{files} set by {safe_line(program, 60)}; {PROGRAM} sets {them} differently"


def _file_stems(exam: Exam, lock: Lock) -> Mapping[str, str]:
    """Map every variant to the name of its files, without suffix."""
    if exam.seats:
        return exam.files_by_variant
    # A quiz for anybody has one variant, and so one paper.
    papers = (PurePosixPath(name) for name in lock.files)
    return {code: name.stem for code in lock.variants for name in papers if f"{name.parent}" == PAPERS_FOLDER}


def _check_variants(
    folder: Path,
    heading: Heading,
    boxes: ScannedExam | None,
    stems: Mapping[str, str],
    formats: Sequence[str],
    is_ours: bool,
    shard: tuple[int, Sequence[str]],
) -> list[VariantCheck]:
    """Check some variants, lines of `exam.json`: solve their parts and typeset their papers again.

    `boxes` are those of papers that are scanned; None if there are none, or if they cannot be read.
    """
    checks = []
    for number, variant in enumerate(shard[1], shard[0] * VARIANTS_PER_TASK):
        paper = read_paper(variant, heading, f"variants[{number}]")
        findings: list[Finding] = []
        for question in paper.questions:
            for part in question.parts:
                place = f"variant {paper.code}, question {question.label}, {part.public.kind}"
                findings += [Finding(place, wrong) for wrong in find_wrong_answers(part)]
        otherwise: list[Finding] = []
        if paper.code in stems:
            otherwise += _published_findings(folder, paper, stems[paper.code], formats)
            findings += _leak_findings(folder, paper, stems[paper.code], formats)
        if boxes is not None:
            otherwise += _box_findings(paper.public, boxes)
        check = check_paper(paper, sha256(variant.encode()).hexdigest())
        if is_ours:
            checks.append(replace(check, findings=(*findings, *otherwise)))
        else:
            names = tuple(finding.place for finding in otherwise)
            checks.append(replace(check, findings=tuple(findings), otherwise=names))
    return checks


def find_wrong_answers(part: Exercise) -> Iterator[str]:
    """Find faults in the key of a part: it is computed again in both independent ways.

    Also find conventions that the question does not state, and beliefs that earn the full mark.
    """
    kind, case, terms = part.kind, part.public.case, part.public.terms
    key = part.answer(part.key)
    if part.public.generator == PROGRAM:  # another version may have said the same in other words
        for words in kind.prompt(case, terms.language).conventions:
            if words not in part.public.prompt:
                yield f"the question does not say: {words}"
    if kind.independent_key(case) != key:
        yield f"the key {part.key} is not what the second computation gives"
    if kind.key(case) != key:
        yield f"the key {part.key} is not what solving gives"
    for code, reply in part.beliefs.items():
        if kind.form.is_right(part.answer(reply), key, case.tree, terms):
            yield f"{code} earns the full mark"


def _published(
    folder: Path, stem: str, formats: Sequence[str]
) -> Iterator[tuple[str, bytes, Format[PublicPaper]]]:
    """Yield the name, the bytes and the format of every published paper of a variant."""
    for known in PAPER_FORMATS:
        name = f"{PAPERS_FOLDER}/{stem}{known.suffix}"
        if known.name in formats and (folder / name).is_file():  # else it was reported as missing
            yield name, (folder / name).read_bytes(), known


def _published_findings(folder: Path, paper: Paper, stem: str, formats: Sequence[str]) -> Iterator[Finding]:
    """Compare the published papers, byte for byte, with those of the public record, which has no key."""
    for name, data, known in _published(folder, stem, formats):
        if data != known.write(paper.public):
            yield Finding(name, "is not what the questions of its variant make")


def _leak_findings(folder: Path, paper: Paper, stem: str, formats: Sequence[str]) -> Iterator[Finding]:
    """Search the published papers for secrets."""
    for name, data, _ in _published(folder, stem, formats):
        for secret in find_leaks(data, paper):
            yield Finding(name, f"shows {secret}")


def _box_findings(paper: PublicPaper, boxes: ScannedExam) -> Iterator[Finding]:
    """Compare the boxes of a variant with the record."""
    codes, layout = codes_and_boxes(paper)
    if (boxes.codes.get(paper.code), boxes.layouts.get(paper.code)) != (codes, layout):
        yield Finding(
            BOXES_FILE, f"does not have the boxes of variant {paper.code} where they are on the paper"
        )


def _export_findings(
    folder: Path, exam: Exam, lock: Lock, total: int, run: ParallelMap, progress: OnStageProgress
) -> Iterator[Finding]:
    """Compare the files for learning platforms with new ones."""
    try:
        chosen = find_exports(lock.exports)
    except KeyError as error:
        yield Finding(LOCK_FILE, f"there is no export {error}")
        return
    if not chosen:
        return
    with TemporaryDirectory() as remade_folder:
        write_exports(exam, chosen, Path(remade_folder), total, run, progress)
        for export in chosen:
            place, remade = f"{INSTRUCTOR_FOLDER}/{export.file}", Path(remade_folder) / export.file
            if not (folder / place).is_file() or digest_of(folder / place) != digest_of(remade):
                yield Finding(place, "is not what the exam makes")
