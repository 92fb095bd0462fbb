"""The certificate of fairness on the command line: worked out, in one line, in full and as JSON."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.base.phrases import ENGLISH
from grader.cli.shared.exam_folders import REBUILD_HINT
from grader.cli.shared.progress_bar import stage_bars
from grader.cli.shared.refusals import refusing
from grader.cli.shared.sources import require_readable

if TYPE_CHECKING:
    from grader.exam.fairness import Certificate


def certify_folder(folder: Path, jobs: int | None) -> "Certificate":
    """Work out the expected points of the papers of a finished exam, and write them beside its keys."""
    from grader.base.json_records import RecordError
    from grader.exam.manifest import open_exam
    from grader.publishing.fairness_files import certify, write_certificate

    exam = require_readable(str(folder), open_exam(folder))
    with (
        refusing(f"{folder} cannot be read", RecordError, hint=REBUILD_HINT),
        refusing(f"{folder} cannot be written", OSError),
    ):
        with stage_bars() as progress:
            certificate = certify(exam, jobs=jobs, progress=progress)
        write_certificate(certificate, folder, exam.heading.language(comma=False))
    return certificate


def expected_line(certificate: "Certificate") -> str:
    """Summarize the expected points of all papers in one line."""
    mean, least, most = (
        ENGLISH.points(percent)
        for percent in (
            certificate.mean,
            certificate.percents[certificate.lowest],
            certificate.percents[certificate.highest],
        )
    )
    deviation = f"standard deviation {certificate.deviation:.2f}"
    return f"{mean} of 100 on average, from {least} to {most} by paper ({deviation})"


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
        "students": certificate.population.to_json(),
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


def certificate_lines(certificate: "Certificate") -> Iterator[str]:
    """Yield what is expected and assumed, and the extreme papers with what makes them differ."""
    population, count = certificate.population, len(certificate.misconceptions)
    mistaken, slips, blanks = (
        ENGLISH.points(100 * Fraction(share))
        for share in (population.mistaken, population.slips, population.blanks)
    )
    yield f"expected points: {expected_line(certificate)}"
    yield f"assumed:         {mistaken} % of students have one of {count} misconceptions each; of all answers"
    yield f"                 {slips} % are slips and {blanks} % blank. No student was observed."
    for name, code in (("lowest", certificate.lowest), ("highest", certificate.highest)):
        yield f"{name + ':':<17}{code}, {ENGLISH.points(certificate.percents[code])} of 100"
        for cause in certificate.causes(code):
            whose = cause.misconception or "students without a misconception"
            earned, average = ENGLISH.points(cause.points), ENGLISH.points(cause.average)
            yield f"                 question {cause.label}: {whose}: {earned} points, {average} on average"
