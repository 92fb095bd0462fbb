"""Settings of a whole exam in a blueprint that contradict each other."""

from collections.abc import Iterator, Mapping
from typing import Any

from grader.exam.population import Population


def find_conflicts(exam: Mapping[str, Any], population: Population) -> Iterator[tuple[str, str, str, str]]:
    """Yield the conflicts among the values of an exam: the field, a code, the message, and a hint."""
    if "forms" in exam and "variants" in exam:
        message = "forms and variants both say how many variants there are"
        yield "variants", "exam-variants", message, "keep one of them"
    if exam.get("spare") and "forms" in exam:
        message = "spare papers are for exams with a variant for every student"
        yield "spare", "exam-variants", message, "print more copies of the forms, or leave forms out"
    if "entry" in exam and not exam.get("scan"):
        message = "entry says how numbers are entered on papers that are scanned, and these are not"
        yield "entry", "exam-scan", message, "write scan = true as well"
    if exam.get("scan") and "forms" in exam:
        message = "a code names a variant, and papers that are scanned need one for every student"
        yield "forms", "exam-scan", message, 'write variants = "per-student" in place of forms'
    if population.slips + population.blanks > 1:
        message = "slips and blanks together are more than all answers"
        yield "students", "exam-value", message, "the sum of their shares is at most 1"
