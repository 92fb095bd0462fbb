"""Checks the folder of an exam: every answer again by the second way, every byte against what it must be."""

import hmac
import json
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

from grader.exam.blueprint import Blueprint
from grader.exam.manifest import (
    Exam,
    heading_to_json,
    paper_to_json,
    read_exam,
    read_heading,
    read_paper,
)
from grader.exam.paper import Paper, Question, letter
from grader.exam.roster import Roster, alike
from grader.exercise import Exercise, canonical
from grader.notation import Diagnostics
from grader.publishing.building import Progress, roster_digest
from grader.publishing.exports import exports_named
from grader.publishing.folders import EXAM, INSTRUCTOR, LOCK, PAPERS, PRINT, digest_of, files_of
from grader.publishing.joining import page_count
from grader.publishing.pages import FORMATS
from grader.publishing.processes import workers
from grader.publishing.sealing import Lock, read_lock, seal
from grader.tree import Tree

SHARD = 10
"""The variants that a process checks in one go."""

TELLING = 12
"""The fewest characters of a key that are looked for as they are: shorter ones occur everywhere."""

FEW = 4
"""With fewer variants than this an answer is often given more than once, and nobody can tell."""

_STREAM = re.compile(rb"\nstream\r?\n(.*?)\nendstream", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: where, as a path or as variant and question, and what."""

    place: str
    message: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the check of an exam found, how much it looked at, and what it could not look at.

    `notes` are no faults: answers that more than half of the papers have.
    """

    findings: tuple[Finding, ...]
    variants: int
    answers: int
    files: int
    unchecked: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def verify(
    folder: Path,
    *,
    blueprint: Blueprint | None = None,
    roster: Roster | None = None,
    jobs: int = 1,
    progress: Progress = lambda _stage, _done, _total: None,
) -> Verdict:
    """Check an exam. The seal needs the blueprint, whose secret made it; the class list needs the roster."""
    lock = read_lock(_text(folder / LOCK))
    if lock is None:
        return Verdict((Finding(LOCK, "this is no lock of an exam, or it is missing"),), 0, 0, 0)
    exam = read_exam(_text(folder / EXAM))
    if isinstance(exam, Diagnostics):
        return Verdict(tuple(Finding(EXAM, str(fault)) for fault in exam), 0, 0, 0)
    findings = list(_files(folder, lock))
    intact = frozenset(lock.files) - {finding.place for finding in findings}
    findings += [*_hashes(exam, lock), *_seats(exam), *_pages(folder, exam, intact), *_doubles(exam)]
    unchecked = []
    if blueprint is None:
        unchecked.append("the seal, which needs --blueprint")
    else:
        findings += _sealed(lock, blueprint)
    if roster is None:
        unchecked.append("the class list, which needs --roster")
    elif roster_digest(roster) != lock.origin.roster:
        findings.append(Finding(EXAM, "the exam was built for another class list"))
    heading = canonical(heading_to_json(exam.heading))
    stems = {seat.code: seat.file for seat in exam.seats}
    shards = [
        _Shard(
            str(folder),
            heading,
            tuple(canonical(paper_to_json(paper)) for paper in exam.papers[start : start + SHARD]),
            tuple(stems.get(paper.code, "") for paper in exam.papers[start : start + SHARD]),
            lock.formats,
        )
        for start in range(0, len(exam.papers), SHARD)
    ]
    done = 0
    progress("checking papers", done, len(exam.papers))
    with workers(jobs) as run:
        for shard, found in zip(shards, run(_check, shards), strict=True):
            findings += found
            done += len(shard.variants)
            progress("checking papers", done, len(exam.papers))
    findings += _exports(folder, exam, lock)
    answers = sum(len(question.parts) for paper in exam.papers for question in paper.questions)
    return Verdict(
        tuple(findings), len(exam.papers), answers, len(lock.files) + 1, tuple(unchecked), tuple(common(exam))
    )


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


# Files and hashes ---------------------------------------------------------------------------------


def _files(folder: Path, lock: Lock) -> Iterator[Finding]:
    """What is missing, changed or too much in the folder."""
    here = set(files_of(folder))
    for name in sorted(lock.files.keys() - here):
        yield Finding(name, "is missing")
    for name in sorted(here - lock.files.keys()):
        yield Finding(name, "is not part of the exam")
    for name in sorted(here & lock.files.keys()):
        if digest_of(folder / name) != lock.files[name]:
            yield Finding(name, "was changed after the exam was built")


def _hashes(exam: Exam, lock: Lock) -> Iterator[Finding]:
    """Whether papers and keys are those that were locked."""
    if exam.origin != lock.origin:
        yield Finding(EXAM, "names another origin than exam.lock")
    codes = {paper.code for paper in exam.papers}
    for code in sorted(lock.variants.keys() ^ codes):
        yield Finding(f"variant {code}", "is only in one of exam.json and exam.lock")
    for paper in exam.papers:
        if paper.code not in lock.variants:
            continue
        checksum, key = lock.variants[paper.code]
        if paper.public.checksum != checksum:
            yield Finding(f"variant {paper.code}", "its questions are not those that were locked")
        if sha256(canonical(paper_to_json(paper)).encode()).hexdigest() != key:
            yield Finding(f"variant {paper.code}", "its key is not the one that was locked")


def _sealed(lock: Lock, blueprint: Blueprint) -> Iterator[Finding]:
    if blueprint.digest != lock.origin.blueprint:
        yield Finding(LOCK, "the exam was built from another blueprint")
    if not hmac.compare_digest(seal(lock, blueprint.secret).seal, lock.seal):
        yield Finding(LOCK, "the seal is broken: the lock was changed, or made with another secret")


# Students -----------------------------------------------------------------------------------------


def _seats(exam: Exam) -> Iterator[Finding]:
    """Whether every student is there once and has a paper, and every variant has a reader."""
    for field, values in (
        ("identifier", [alike(seat.student.identifier) for seat in exam.seats]),
        ("address", [seat.student.email.casefold() for seat in exam.seats if seat.student.email]),
    ):
        for value, count in Counter(values).items():
            if count > 1:
                yield Finding(EXAM, f"{count} students have the {field} {value}")
    files = defaultdict(set)
    for seat in exam.seats:
        files[seat.file].add(seat.code)
    for file, codes in files.items():
        if len(codes) > 1:
            yield Finding(EXAM, f"the variants {', '.join(sorted(codes))} share the file {file}")
    for code in sorted({paper.code for paper in exam.papers} - {seat.code for seat in exam.seats}):
        if len(exam.papers) <= len(exam.seats):
            yield Finding(f"variant {code}", "nobody has it")


def _pages(folder: Path, exam: Exam, intact: frozenset[str]) -> Iterator[Finding]:
    """Whether the file for the printer has the pages of all cover sheets and papers."""
    papers = {seat.file: f"{PAPERS}/{seat.file}.pdf" for seat in exam.seats}
    if PRINT not in intact or not intact.issuperset(papers.values()):
        return
    pages = {file: page_count((folder / name).read_bytes()) for file, name in papers.items()}
    wanted = sum(even(1 + pages[seat.file]) for seat in exam.seats)
    if page_count((folder / PRINT).read_bytes()) != wanted:
        yield Finding(PRINT, f"has not the {wanted} pages that cover sheets and papers make")


def even(pages: int) -> int:
    """The pages that are printed when everybody begins on a front side."""
    return pages + pages % 2


# Variants against each other ----------------------------------------------------------------------


def _doubles(exam: Exam) -> Iterator[Finding]:
    """Variants that are too much alike, or not alike enough."""
    patterns: dict[tuple[str, object], str] = {}
    profiles: dict[str, tuple[str, dict[str, object]]] = {}
    for paper in exam.papers:
        for question in paper.questions:
            if question.grown_for is None:
                continue
            place = f"variant {paper.code}, question {question.label}"
            pattern = (question.label, _pattern(question.public.tree))
            first = patterns.setdefault(pattern, paper.code)
            if first != paper.code:
                yield Finding(place, f"has the order of payoffs of variant {first}: whoever has one has both")
            profile = _profile(question)
            code, other = profiles.setdefault(question.label, (paper.code, profile))
            for field, value in profile.items():
                if value != other[field]:
                    yield Finding(place, f"{field} is {value}, and {other[field]} in variant {code}")


def common(exam: Exam) -> Iterator[str]:
    """Every answer that more than half of the papers with trees of their own have: it can be guessed."""
    answers: dict[str, Counter[str]] = defaultdict(Counter)
    for paper in exam.papers:
        for question in paper.questions:
            if question.grown_for is not None:
                for place, part in enumerate(question.parts):
                    answers[f"{question.label}{letter(place, len(question.parts))}"][part.key] += 1
    for label, counted in answers.items():
        ((answer, count),) = counted.most_common(1)
        if counted.total() >= FEW and 2 * count > counted.total():
            yield f"question {label} has the answer {answer} in {count} of {counted.total()} variants"


def _pattern(tree: Tree) -> object:
    """The shape of a tree and the order of its payoffs."""
    payoffs = [tree.payoffs[leaf] for leaf in tree.leaves]
    numbers = sorted({payoff for payoff in payoffs if isinstance(payoff, int | Fraction)})
    order = tuple(
        numbers.index(payoff) if isinstance(payoff, int | Fraction) else payoff for payoff in payoffs
    )
    return tree.players, tree.parents, tree.probabilities, order


def _profile(question: Question) -> dict[str, object]:
    part = question.parts[question.grown_for or 0]
    return {field: part.profile.get(field) for field in question.alike}


# Papers -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Shard:
    """Some variants as lines of `exam.json`, and where their files are."""

    folder: str
    heading: str
    variants: tuple[str, ...]
    stems: tuple[str, ...]
    formats: tuple[str, ...]


def _check(shard: _Shard) -> tuple[Finding, ...]:
    """Solve the parts of some variants again, and set their papers again."""
    heading = read_heading(json.loads(shard.heading))
    found: list[Finding] = []
    for line, stem in zip(shard.variants, shard.stems, strict=True):
        paper = read_paper(json.loads(line), heading)
        for question in paper.questions:
            for part in question.parts:
                place = f"variant {paper.code}, question {question.label}, {part.public.kind}"
                found += [Finding(place, wrong) for wrong in wrong_answers(part)]
        if stem:
            found += _published(Path(shard.folder), paper, stem, shard.formats)
    return tuple(found)


def wrong_answers(part: Exercise) -> Iterator[str]:
    """What is wrong with the answers of a part: both ways to the key are gone again."""
    kind, tree, rules, terms = part.kind, part.public.tree, part.public.rules, part.public.terms
    key = part.answer(part.key)
    if kind.second_way(tree, rules) != key:
        yield f"the key {part.key} is not what the second way to it gives"
    if kind.key(tree, rules) != key:
        yield f"the key {part.key} is not what solving gives"
    for code, reply in part.beliefs.items():
        if kind.form.credit(part.answer(reply), key, tree, terms, None).share == 1:
            yield f"{code} earns the full mark"


def _published(folder: Path, paper: Paper, stem: str, formats: Sequence[str]) -> Iterator[Finding]:
    """Whether the published papers are, byte for byte, what the public record makes; so no key is in them."""
    public = paper.public
    for known in FORMATS:
        if known.name not in formats:
            continue
        name = f"{PAPERS}/{stem}{known.suffix}"
        try:
            data = (folder / name).read_bytes()
        except OSError:
            continue  # it was reported as missing
        if data != known.write(public):
            yield Finding(name, "is not what the questions of its variant make")
        for secret in leaks(data, paper):
            yield Finding(name, f"shows {secret}")


def leaks(data: bytes, paper: Paper) -> Iterator[str]:
    """What a published file shows of the key: seeds, note codes, and answers long enough to be told."""
    text = inflated(data)
    said = canonical(paper.public.to_json()).encode()
    for question in paper.questions:
        for part in question.parts:
            hidden = [("a seed", part.seed or ""), *(("a note code", code) for code in part.beliefs)]
            hidden += [
                ("an answer", reply) for reply in (part.key, *part.beliefs.values()) if len(reply) >= TELLING
            ]
            for name, secret in hidden:
                if secret and secret.encode() in text and secret.encode() not in said:
                    yield f"{name} of question {question.label}"


def inflated(data: bytes) -> bytes:
    """The bytes of a file and, in a PDF, of its streams as they are before they are compressed."""
    if not data.startswith(b"%PDF"):
        return data
    parts = [data]
    for stream in _STREAM.findall(data):
        try:
            parts.append(zlib.decompress(stream))
        except zlib.error:
            parts.append(stream)
    return b"\n".join(parts)


def _exports(folder: Path, exam: Exam, lock: Lock) -> Iterator[Finding]:
    """Whether the files for learning platforms are what the exam makes, and are well formed."""
    try:
        chosen = exports_named(lock.exports)
    except KeyError as error:
        yield Finding(LOCK, f"there is no export {error}")
        return
    for export in chosen:
        for name, data in export.write(exam):
            path = folder / INSTRUCTOR / name
            if not path.is_file() or path.read_bytes() != data:
                yield Finding(f"{INSTRUCTOR}/{name}", "is not what the exam makes")
            for fault in export.faults(name, data):
                yield Finding(f"{INSTRUCTOR}/{name}", fault)
