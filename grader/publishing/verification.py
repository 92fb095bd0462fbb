"""Checks the folder of an exam: every answer again by the second way, every byte against what it must be."""

import hmac
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from hashlib import sha256
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from grader.base.canonical_json import canonical_json
from grader.base.processes import worker_count
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
)
from grader.exam.manifest import Exam, RecordError, code_faults, open_exam, read_paper
from grader.exam.paper import Heading, Paper, PublicPaper, Question, part_letter
from grader.exam.roster import Roster, roster_digest
from grader.exercises.exercise import Exercise
from grader.publishing.exam_lock import Lock, read_lock, seal
from grader.publishing.paper_formats import PAPER_FORMATS
from grader.publishing.parallel import OnStageProgress, ParallelMap, batches, report_stage, worker_pool
from grader.publishing.pdf_merge import pdf_page_count
from grader.publishing.platforms import find_exports, write_exports
from grader.publishing.scan_sheet import codes_and_boxes
from grader.scanning.places import ScannedExam, read_boxes
from grader.tables.student_directory import identifier_key
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.tree import Tree

VARIANTS_PER_TASK = 10
"""The variants that a process checks in one go."""

PAPER_SECONDS = 0.1
"""How long one process takes to check a paper with its key and its exports."""

MIN_SEARCHED_KEY_LENGTH = 12
"""The fewest characters of a key that are looked for as they are: shorter ones occur everywhere."""

MIN_COMPARED_VARIANTS = 4
"""With fewer variants than this an answer is often given more than once, and nobody can tell."""

_STREAM = re.compile(rb"\nstream\r?\n(.*?)\nendstream", re.DOTALL)

_NUMBERS = re.compile(rb"\[[-+.\d\s]*\]")
"""A row of numbers, of which a PDF is full: parts of an element, widths, dashes. None of it is text."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: where, as a path or as variant and question, and what."""

    place: str
    message: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What the check of an exam found, how much it looked at, and what it could not look at.

    `notes` are no faults: answers that more than half of the papers have.
    """

    findings: tuple[Finding, ...]
    variants: int
    answers: int
    files: int
    unchecked: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionCheck:
    """What is kept of a question while all variants are checked, to be held against the others.

    - `grown`: whether every variant has one of its own.
    - `pattern`: a hash of the shape of its tree and the order of its payoffs; empty without payoffs.
    - `profile`: the fields in which all variants should agree.
    - `answers`: the keys of its parts, as they are printed.
    """

    label: str
    grown: bool
    pattern: str
    profile: Mapping[str, object]
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VariantCheck:
    """What is kept of a variant: its two hashes as in the lock, its questions, and what is wrong with it."""

    code: str
    checksum: str
    key: str
    questions: tuple[QuestionCheck, ...]
    findings: tuple[Finding, ...]


def verify_exam(
    folder: Path,
    *,
    blueprint: Blueprint | None = None,
    roster: Roster | None = None,
    jobs: int | None = 1,
    progress: OnStageProgress = lambda _stage, _done, _total: None,
) -> Verification:
    """Check an exam. The seal needs the blueprint, whose secret made it; the class list needs the roster.

    Raises `concurrent.futures.BrokenExecutor` when one of several processes is ended from outside.
    """
    lock = read_lock(folder / LOCK_FILE)
    if lock is None:
        return Verification((Finding(LOCK_FILE, "this is no lock of an exam, or it is missing"),), 0, 0, 0)
    try:
        exam = open_exam(folder)
    except OSError:
        return Verification((Finding(EXAM_FILE, "is missing"),), 0, 0, 0)
    if isinstance(exam, Diagnostics):
        return Verification(tuple(Finding(EXAM_FILE, str(fault)) for fault in exam), 0, 0, 0)
    findings = list(_files(folder, lock))
    intact = frozenset(lock.files) - {finding.place for finding in findings}
    if exam.origin != lock.origin:
        findings.append(Finding(EXAM_FILE, "names another origin than exam.lock"))
    findings += _pages(folder, exam, intact)
    unchecked = []
    if blueprint is None:
        unchecked.append("the seal, which needs --blueprint")
    else:
        findings += _sealed(lock, blueprint)
    if roster is not None:
        if roster_digest(roster) != lock.origin.roster:
            findings.append(Finding(EXAM_FILE, "the exam was built for another class list, or for none"))
    elif exam.seats:
        unchecked.append("the class list, which needs --roster")
    with worker_pool(worker_count(jobs, len(lock.variants) * PAPER_SECONDS)) as run:
        looks: list[VariantCheck] = []
        work = partial(_look, folder, exam.heading, _stems(exam, lock), lock.formats)
        made = run(work, enumerate(batches(exam.variants, VARIANTS_PER_TASK)))
        try:
            for some in report_stage(progress, "checking papers", len(lock.variants), made):
                looks += some
        except RecordError as error:
            return Verification(
                (*findings, Finding(EXAM_FILE, f"{error.place}: {error}")), 0, 0, len(lock.files) + 1
            )
        findings += [finding for look in looks for finding in look.findings]
        findings += [*_hashes(looks, lock), *_seats(exam, looks), *_doubles(looks)]
        findings += _exports(folder, exam, lock, len(looks), run, progress)
    answers = sum(len(question.answers) for look in looks for question in look.questions)
    return Verification(
        tuple(findings),
        len(looks),
        answers,
        len(lock.files) + 1,
        tuple(unchecked),
        tuple(common_answers(looks)),
    )


# Files and hashes ---------------------------------------------------------------------------------


def _files(folder: Path, lock: Lock) -> Iterator[Finding]:
    """What is missing, changed or too much in the folder."""
    here = set(exam_files(folder))
    for name in sorted(lock.files.keys() - here):
        yield Finding(name, "is missing")
    for name in sorted(here - lock.files.keys()):
        yield Finding(name, "is not part of the exam")
    for name in sorted(here & lock.files.keys()):
        if digest_of(folder / name) != lock.files[name]:
            yield Finding(name, "was changed after the exam was built")


def _hashes(looks: Sequence[VariantCheck], lock: Lock) -> Iterator[Finding]:
    """Whether papers and keys are those that were locked."""
    for code in sorted(lock.variants.keys() ^ {look.code for look in looks}):
        yield Finding(f"variant {code}", "is only in one of exam.json and exam.lock")
    for look in looks:
        checksum, key = lock.variants.get(look.code, (look.checksum, look.key))
        if look.checksum != checksum:
            yield Finding(f"variant {look.code}", "its questions are not those that were locked")
        if look.key != key:
            yield Finding(f"variant {look.code}", "its key is not the one that was locked")


def _sealed(lock: Lock, blueprint: Blueprint) -> Iterator[Finding]:
    if blueprint.digest != lock.origin.blueprint:
        yield Finding(LOCK_FILE, "the exam was built from another blueprint")
    if not hmac.compare_digest(seal(lock, blueprint.secret).seal, lock.seal):
        yield Finding(LOCK_FILE, "the seal is broken: the lock was changed, or made with another secret")


# Students -----------------------------------------------------------------------------------------


def _seats(exam: Exam, looks: Sequence[VariantCheck]) -> Iterator[Finding]:
    """Whether every student is there once and has a paper, and every variant has a reader."""
    codes = [look.code for look in looks]
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
    for code in sorted(set(codes) - {seat.code for seat in exam.seats}):
        if len(codes) <= len(exam.seats):
            yield Finding(f"variant {code}", "nobody has it")


def _pages(folder: Path, exam: Exam, intact: frozenset[str]) -> Iterator[Finding]:
    """Whether the file for the printer has the pages of all cover sheets and papers."""
    papers = {seat.file: f"{PAPERS_FOLDER}/{seat.file}.pdf" for seat in exam.seats}
    if PRINT_FILE not in intact or not intact.issuperset(papers.values()):
        return
    pages = {file: 1 + pdf_page_count((folder / name).read_bytes()) for file, name in papers.items()}
    # Everybody begins on a front side.
    wanted = sum(pages[seat.file] + pages[seat.file] % 2 for seat in exam.seats)
    if pdf_page_count((folder / PRINT_FILE).read_bytes()) != wanted:
        yield Finding(PRINT_FILE, f"has not the {wanted} pages that cover sheets and papers make")


# Variants against each other ----------------------------------------------------------------------


def _doubles(looks: Sequence[VariantCheck]) -> Iterator[Finding]:
    """Variants that are too much alike, or not alike enough."""
    patterns: dict[tuple[str, str], str] = {}
    profiles: dict[str, tuple[str, Mapping[str, object]]] = {}
    for look in looks:
        for question in look.questions:
            if not question.grown:
                continue
            place = f"variant {look.code}, question {question.label}"
            first = patterns.setdefault((question.label, question.pattern), look.code)
            if question.pattern and first != look.code:
                yield Finding(place, f"has the order of payoffs of variant {first}: whoever has one has both")
            code, other = profiles.setdefault(question.label, (look.code, question.profile))
            for field, value in question.profile.items():
                if value != other.get(field):
                    yield Finding(place, f"{field} is {value}, and {other.get(field)} in variant {code}")


def common_answers(looks: Sequence[VariantCheck]) -> Iterator[str]:
    """Every answer that more than half of the papers with questions of their own have: it can be guessed."""
    answers: dict[str, Counter[str]] = defaultdict(Counter)
    for look in looks:
        for question in look.questions:
            if question.grown:
                for place, answer in enumerate(question.answers):
                    answers[f"{question.label}{part_letter(place, len(question.answers))}"][answer] += 1
    for label, counted in answers.items():
        ((answer, count),) = counted.most_common(1)
        if counted.total() >= MIN_COMPARED_VARIANTS and 2 * count > counted.total():
            yield f"question {label} has the answer {answer} in {count} of {counted.total()} variants"


# Papers -------------------------------------------------------------------------------------------


def _stems(exam: Exam, lock: Lock) -> Mapping[str, str]:
    """The names of the files of variants, without their endings."""
    if exam.seats:
        return {seat.code: seat.file for seat in exam.seats}
    # A quiz for anybody has one variant, and so one paper.
    papers = (PurePosixPath(name) for name in lock.files)
    return {code: name.stem for code in lock.variants for name in papers if f"{name.parent}" == PAPERS_FOLDER}


def _look(
    folder: Path,
    heading: Heading,
    stems: Mapping[str, str],
    formats: Sequence[str],
    shard: tuple[int, Sequence[str]],
) -> list[VariantCheck]:
    """Solve the parts of some variants, lines of `exam.json`, again, and set their papers again."""
    looks = []
    boxes = _boxes(folder) if heading.scan else None
    for place, variant in enumerate(shard[1], shard[0] * VARIANTS_PER_TASK):
        paper = read_paper(variant, heading, f"variants[{place}]")
        found: list[Finding] = []
        for question in paper.questions:
            for part in question.parts:
                where = f"variant {paper.code}, question {question.label}, {part.public.kind}"
                found += [Finding(where, wrong) for wrong in find_wrong_answers(part)]
        if paper.code in stems:
            found += _published(folder, paper, stems[paper.code], formats)
        if boxes is not None:
            found += _misplaced(paper.public, boxes)
        looks.append(check_paper(paper, sha256(variant.encode()).hexdigest(), tuple(found)))
    return looks


def check_paper(paper: Paper, key: str = "", findings: tuple[Finding, ...] = ()) -> VariantCheck:
    """What is kept of a paper."""
    return VariantCheck(paper.code, paper.public.checksum, key, tuple(map(_asked, paper.questions)), findings)


def _asked(question: Question) -> QuestionCheck:
    place, tree = question.grown_for, question.public.tree
    part = question.parts[place or 0]
    pattern = sha256(repr((_pattern(tree), part.public.given)).encode()).hexdigest() if tree.leaves else ""
    profile = part.profile
    alike = {field: profile.get(field) for field in question.alike}
    answers = tuple(part.printed_key for part in question.parts)
    return QuestionCheck(question.label, place is not None, pattern, alike, answers)


def _pattern(tree: Tree) -> object:
    """The shape of a tree and the order of its payoffs."""
    payoffs = [tree.payoffs[leaf] for leaf in tree.leaves]
    numbers = sorted({payoff for payoff in payoffs if isinstance(payoff, int | Fraction)})
    order = tuple(
        numbers.index(payoff) if isinstance(payoff, int | Fraction) else payoff for payoff in payoffs
    )
    return tree.players, tree.parents, tree.probabilities, order


def find_wrong_answers(part: Exercise) -> Iterator[str]:
    """What is wrong with the answers of a part: both ways to the key are gone again."""
    kind, case, terms = part.kind, part.public.case, part.public.terms
    key = part.answer(part.key)
    for words in part.public.conventions:
        if words not in part.public.prompt:
            yield f"the question does not say: {words}"
    if kind.independent_key(case) != key:
        yield f"the key {part.key} is not what the second way to it gives"
    if kind.key(case) != key:
        yield f"the key {part.key} is not what solving gives"
    for code, reply in part.beliefs.items():
        if kind.form.credit(part.answer(reply), key, case.tree, terms).share == 1:
            yield f"{code} earns the full mark"


def _published(folder: Path, paper: Paper, stem: str, formats: Sequence[str]) -> Iterator[Finding]:
    """Whether the published papers are, byte for byte, what the public record makes; so no key is in them."""
    public = paper.public
    for known in PAPER_FORMATS:
        if known.name not in formats:
            continue
        name = f"{PAPERS_FOLDER}/{stem}{known.suffix}"
        try:
            data = (folder / name).read_bytes()
        except OSError:
            continue  # it was reported as missing
        if data != known.write(public):
            yield Finding(name, "is not what the questions of its variant make")
        for secret in find_leaks(data, paper):
            yield Finding(name, f"shows {secret}")


def _boxes(folder: Path) -> ScannedExam:
    """Where the record has the boxes of the exam; nowhere where it cannot be read."""
    try:
        found = read_boxes(folder)
    except (OSError, ValueError):
        found = None
    return found or ScannedExam("", "a4", {}, {})


def _misplaced(paper: PublicPaper, boxes: ScannedExam) -> Iterator[Finding]:
    """Whether the boxes of a variant are where the record has them."""
    codes, layout = codes_and_boxes(paper)
    if (boxes.codes.get(paper.code), boxes.layouts.get(paper.code)) != (codes, layout):
        yield Finding(
            BOXES_FILE, f"does not have the boxes of variant {paper.code} where they are on the paper"
        )


def find_leaks(data: bytes, paper: Paper) -> Iterator[str]:
    """What a published file shows of the key: seeds, note codes, and answers long enough to be told."""
    text = inflate_streams(data)
    said = canonical_json(paper.public.to_json()).encode()
    for question in paper.questions:
        for part in question.parts:
            hidden = [("a seed", part.seed or ""), *(("a note code", code) for code in part.beliefs)]
            replies = (part.key, *part.beliefs.values())
            printed = map(part.public.terms.language.reply, replies)
            hidden += [
                ("an answer", reply)
                for reply in dict.fromkeys((*replies, *printed))
                if len(reply) >= MIN_SEARCHED_KEY_LENGTH
            ]
            for name, secret in hidden:
                if secret and secret.encode() in text and secret.encode() not in said:
                    yield f"{name} of question {question.label}"


def inflate_streams(data: bytes) -> bytes:
    """The bytes of a file; of a PDF also those of its streams before compression, without rows of numbers."""
    if not data.startswith(b"%PDF"):
        return data
    parts = [data]
    for stream in _STREAM.findall(data):
        try:
            parts.append(zlib.decompress(stream))
        except zlib.error:
            parts.append(stream)
    return _NUMBERS.sub(b"", b"\n".join(parts))


def _exports(
    folder: Path, exam: Exam, lock: Lock, total: int, run: ParallelMap, progress: OnStageProgress
) -> Iterator[Finding]:
    """Whether the files for learning platforms are what the exam makes, and are well formed."""
    try:
        chosen = find_exports(lock.exports)
    except KeyError as error:
        yield Finding(LOCK_FILE, f"there is no export {error}")
        return
    if not chosen:
        return
    with TemporaryDirectory() as fresh:
        write_exports(exam, chosen, Path(fresh), total, run, progress)
        found = run(partial(_faults, folder, Path(fresh)), [export.name for export in chosen])
        yield from (finding for findings in found for finding in findings)


def _faults(folder: Path, fresh: Path, name: str) -> list[Finding]:
    """What is wrong with the file of an export: it is held to one that was made again."""
    (export,) = find_exports((name,))
    place, made = f"{INSTRUCTOR_FOLDER}/{export.file}", fresh / export.file
    same = (folder / place).is_file() and digest_of(folder / place) == digest_of(made)
    with made.open("rb") as file:
        faults = ([] if same else ["is not what the exam makes"]) + list(export.find_faults(file))
    return [Finding(place, fault) for fault in faults]
