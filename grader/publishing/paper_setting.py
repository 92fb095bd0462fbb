"""Typeset the papers and keys of an exam in parallel, and record where their boxes are."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from grader.base.canonical_json import canonical_json, parse_json
from grader.base.records import require_schema, stamp
from grader.exam.folders import BUILD_FOLDER, KEYS_FOLDER, PAPERS_FOLDER, digest_of
from grader.exam.manifest import read_paper
from grader.exam.paper import Heading
from grader.publishing.entry_workbook import Boxes, typed_boxes
from grader.publishing.exam_folder import read_journal, write_exam_file, write_journal
from grader.publishing.keys import key_pdf
from grader.publishing.paper_formats import PAPER_FORMATS
from grader.publishing.parallel import OnStageProgress, ParallelMap, batches, report_stage
from grader.publishing.pdf_merge import pdf_page_count
from grader.publishing.scan_sheet import codes_and_boxes

VARIANTS_PER_TASK = 10
"""The variants in one task: enough to outweigh its overhead, few enough to lose little when stopped."""

SCHEMA = 1
"""The schema of a finished shard in the journal."""


class TypesetPaper(NamedTuple):
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
) -> dict[str, TypesetPaper]:
    """Typeset the papers and keys of a shard, which has lines of `exam.json`, each with its file name.

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
        papers[paper.code] = TypesetPaper(public.checksum, key, pages, typed_boxes(public), *marks)
    record = {**stamp(SCHEMA), "papers": papers, "files": digests}
    write_journal(folder, journal, [f"{canonical_json(record)}\n".encode()])
    return papers


def _finished_papers(folder: Path, journal: Path) -> dict[str, TypesetPaper]:
    """Return the papers of a shard that an earlier build has finished; empty if any file is damaged."""
    lines = read_journal(journal)
    if not lines:
        return {}
    record = parse_json(lines[0])
    require_schema(record, SCHEMA, str(journal))
    for name, digest in record["files"].items():
        if not (folder / name).is_file() or digest_of(folder / name) != digest:
            return {}
    return {code: TypesetPaper(*record_of_paper) for code, record_of_paper in record["papers"].items()}


def typeset_papers(
    heading: Heading,
    variants: Iterable[str],
    folder: Path,
    stems: Mapping[str, str],
    formats: tuple[str, ...],
    run: ParallelMap,
    progress: OnStageProgress,
) -> dict[str, TypesetPaper]:
    """Typeset the papers and keys of variants; return the typeset papers by the code of the variant.

    `variants` are their lines of `exam.json`, `stems` the names of their files by code, in the same order.
    The result has this order too. Papers from the journal come in another order, and files must
    not depend on what was interrupted.
    """
    papers: dict[str, TypesetPaper] = {}
    shards = enumerate(batches(zip(variants, stems.values(), strict=True), VARIANTS_PER_TASK))
    shard_results = run(partial(_typeset_shard, folder, heading, formats), shards)
    for shard in report_stage(progress, "setting papers", len(stems), shard_results):
        papers |= shard
    return {code: papers[code] for code in stems}
