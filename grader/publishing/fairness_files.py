"""The certificate of fairness among the instructor's files: computed in parallel, as a table and a plot."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path

from grader.base.files import write_file
from grader.base.json_records import RecordError
from grader.base.numbers import normalize_number, write_number
from grader.base.phrases import Language
from grader.base.processes import worker_count
from grader.exam.fairness import Certificate, PaperPoints, measure_paper
from grader.exam.folders import FAIRNESS_PLOT_FILE, FAIRNESS_TABLE_FILE
from grader.exam.manifest import Exam, read_paper
from grader.exam.paper import Heading
from grader.exam.population import Population
from grader.publishing.parallel import OnStageProgress, batches, report_stage, worker_pool
from grader.publishing.plots import expected_scores, plot_svg
from grader.tables.csv_writing import csv_bytes

PAPER_SECONDS = 0.04
"""About how long a paper takes."""

PAPERS_PER_BATCH = 8
"""How many papers a worker gets at a time."""


def certify(
    exam: Exam,
    *,
    jobs: int | None = 1,
    progress: OnStageProgress = lambda _stage, _done, _total: None,
) -> Certificate:
    """Work out the expected points of every paper of an exam.

    Raises `grader.base.json_records.RecordError` if a variant cannot be read, or if there is none.
    """
    count = sum(1 for _ in exam.variants)
    if not count:
        raise RecordError("variants", "the exam has no variant")
    with worker_pool(worker_count(jobs, count * PAPER_SECONDS)) as run:
        measure = partial(_measure_batch, exam.heading, exam.population)
        measured = run(measure, batches(exam.variants, PAPERS_PER_BATCH))
        papers = report_stage(progress, "expecting points", count, measured)
        return Certificate(exam.population, tuple(paper for batch in papers for paper in batch))


def _measure_batch(
    heading: Heading, population: Population, variants: Sequence[str]
) -> tuple[PaperPoints, ...]:
    return tuple(measure_paper(read_paper(variant, heading), population) for variant in variants)


def write_certificate(certificate: Certificate, folder: Path, language: Language) -> tuple[Path, Path]:
    """Write table and plot into the folder of an exam, and return their paths. Raises `OSError`."""
    table, plot = folder / FAIRNESS_TABLE_FILE, folder / FAIRNESS_PLOT_FILE
    write_file(table, fairness_table(certificate))
    write_file(plot, fairness_plot(certificate, language))
    return table, plot


def fairness_table(certificate: Certificate) -> bytes:
    """Return a row for each paper as CSV: its expected points of 100, of the full mark and by question."""
    labels = [question.label for question in certificate.papers[0].questions]
    rows = [["Variant", "Expected percent", "Expected points", *(f"Question {name}" for name in labels)]]
    for code, row in certificate.rows.items():
        numbers = (certificate.percents[code], sum(row, Fraction(0)), *row)
        rows.append([code, *map(_decimals, numbers)])
    return csv_bytes(rows)


def _decimals(number: Fraction) -> str:
    return write_number(normalize_number(round(number, 3)))


def fairness_plot(certificate: Certificate, language: Language) -> bytes:
    """Return a plot of the number of papers by their expected points, as SVG."""
    percents = certificate.percents.values()
    words = language.say(
        "The papers are expected to give from {least} to {most} of 100 points.",
        least=language.points(min(percents)),
        most=language.points(max(percents)),
    )
    title = language.say("Expected points of the papers")
    return plot_svg(expected_scores(certificate, language), title, words)
