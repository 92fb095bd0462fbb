"""The certificate of fairness on the command line: worked out, in one line, in full and as JSON."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.base.json_records import RecordError
from grader.base.numbers import rounded_share
from grader.base.phrases import ENGLISH
from grader.cli.shared.exam_folders import open_exam_record, reporting_interrupt
from grader.cli.shared.progress_bar import stage_bars
from grader.cli.shared.refusals import REBUILD_HINT, refusing
from grader.cli.shared.statistics_files import open_statistics
from grader.exam.folders import EXAM_FILE

if TYPE_CHECKING:
    from grader.exam.fairness import Certificate


def certify_folder(folder: Path, jobs: int | None, statistics: Path | None = None) -> "Certificate":
    """Work out the expected points of the papers of a finished exam, and write them next to its keys.

    With a file of statistics, they are those of the students that it leads to expect.
    """
    from grader.grading.exam_keys import exam_keys_of
    from grader.grading.statistics_collection import question_types
    from grader.publishing.fairness_files import certify, write_certificate

    exam = open_exam_record(folder)
    if statistics is not None:
        types_by_part = question_types(exam_keys_of(exam, EXAM_FILE))
        types = {each for types_of_part in types_by_part.values() for each in types_of_part}
        exam = replace(exam, population=open_statistics(statistics).population(types))
    later_hint = f"The papers are finished; `gametree exam fairness {folder}` works out the expected scores."
    with (
        reporting_interrupt(later_hint),
        refusing(f"{folder / EXAM_FILE} cannot be read", RecordError, hint=REBUILD_HINT),
        refusing(f"{folder} cannot be written", OSError),
    ):
        with stage_bars() as progress:
            certificate = certify(exam, jobs=jobs, progress=progress)
        write_certificate(certificate, folder, exam.heading.language(comma=False))
    return certificate


def expected_line(certificate: "Certificate") -> str:
    """Summarize the expected scores of all papers in one line; papers that are alike have no range."""
    mean, lowest, highest = (
        ENGLISH.points(percent)
        for percent in (
            certificate.mean,
            certificate.percents[certificate.lowest],
            certificate.percents[certificate.highest],
        )
    )
    if lowest == highest:
        return f"{mean}% on average"
    deviation = f"standard deviation {certificate.deviation:.2f}"
    return f"{mean}% on average, from {lowest}% to {highest}% by paper ({deviation})"


def expected_fields(certificate: "Certificate") -> dict[str, str]:
    """The same as fields of a JSON document."""
    return {
        "mean": ENGLISH.points(certificate.mean),
        "deviation": f"{certificate.deviation:.4f}",
        "lowest": certificate.lowest,
        "highest": certificate.highest,
    }


def certificate_fields(certificate: "Certificate") -> dict[str, Any]:
    """The whole certificate as fields of a JSON document."""
    return {
        "students": _population_fields(certificate),
        "misconceptions": list(certificate.misconceptions),
        **expected_fields(certificate),
        "papers": {
            code: {
                "percent": ENGLISH.points(percent),
                "questions": list(map(ENGLISH.points, certificate.rows[code])),
            }
            for code, percent in certificate.percents.items()
        },
    }


def _population_fields(certificate: "Certificate") -> dict[str, Any]:
    """The students that are expected, with the share of each misconception if statistics have it."""
    population = certificate.population
    if not population.shares:
        return dict(population.to_json())
    others = (("slips", population.slips), ("blanks", population.blanks))
    shares, rest = (
        {name: rounded_share(share) for name, share in rows} for rows in (population.shares, others)
    )
    return rest | {"shares": shares}


def certificate_lines(certificate: "Certificate") -> Iterator[str]:
    """Yield the expected score, the assumptions, and the extreme papers with the causes of the difference."""
    from grader.exam.population import student_shares

    population, count = certificate.population, len(certificate.misconceptions)
    mistaken, slips, blanks = (
        ENGLISH.points(100 * Fraction(share))
        for share in (population.mistaken, population.slips, population.blanks)
    )
    yield f"expected score:  {expected_line(certificate)}"
    if population.shares:
        measured = 1 - dict(student_shares(population, certificate.misconceptions))[""]
        mistaken = ENGLISH.points(100 * measured)
    origin = "from earlier:" if population.shares else "assumed:"
    observed = "" if population.shares else " No student was observed."
    yield f"{origin:<17}{mistaken}% of students have one of {count} misconceptions each; of all answers"
    yield f"                 {slips}% are slips and {blanks}% blank.{observed}"
    for name, code in (("lowest", certificate.lowest), ("highest", certificate.highest)):
        yield f"{name + ':':<17}{code}, {ENGLISH.points(certificate.percents[code])}%"
        for cause in certificate.causes(code):
            group = cause.misconception or "students without a misconception"
            points, average = ENGLISH.points(cause.points), ENGLISH.points(cause.average)
            noun = "point" if cause.points == 1 else "points"
            yield f"                 question {cause.label}: {group}: {points} {noun}, {average} on average"
