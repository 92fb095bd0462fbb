"""Sets of real numbers as unions of intervals with open and closed ends."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from grader.base.numbers import INFINITY, Bound, Number


@dataclass(frozen=True, slots=True)
class Span:
    """All numbers from `low` to `high`; the ends belong to it where they are closed."""

    low: Bound
    low_closed: bool
    high: Bound
    high_closed: bool


Spans: TypeAlias = tuple[Span, ...]
"""A set of numbers as spans in ascending order that neither meet nor overlap."""

NEVER: Spans = ()
ALWAYS: Spans = (Span(-INFINITY, False, INFINITY, False),)


def union(spans: Iterable[Span]) -> Spans:
    """The canonical form of spans that may meet, overlap or be empty."""
    kept: list[Span] = []
    full = [
        span
        for span in spans
        if span.low < span.high or (span.low == span.high and span.low_closed and span.high_closed)
    ]
    for span in sorted(full, key=lambda span: (span.low, not span.low_closed)):
        last = kept[-1] if kept else None
        if (
            last is None
            or span.low > last.high
            or (span.low == last.high and not (span.low_closed or last.high_closed))
        ):
            kept.append(span)
        elif (span.high, span.high_closed) > (last.high, last.high_closed):
            kept[-1] = Span(last.low, last.low_closed, span.high, span.high_closed)
    return tuple(kept)


def complement(spans: Spans) -> Spans:
    """Every number that is in none of the spans."""
    gaps: list[Span] = []
    low: Bound = -INFINITY
    closed = False
    for span in spans:
        gaps.append(Span(low, closed, span.low, not span.low_closed))
        low, closed = span.high, not span.high_closed
    gaps.append(Span(low, closed, INFINITY, False))
    return union(
        Span(
            gap.low,
            gap.low_closed and gap.low != -INFINITY,
            gap.high,
            gap.high_closed and gap.high != INFINITY,
        )
        for gap in gaps
    )


def intersection(one: Spans, two: Spans) -> Spans:
    """Every number that is in both."""
    return complement(union((*complement(one), *complement(two))))


def related(relation: str, number: Bound) -> Spans:
    """The numbers x with `x relation number`."""
    match relation:
        case "=":
            return union((Span(number, True, number, True),)) if abs(number) != INFINITY else NEVER
        case "!=":
            return complement(related("=", number))
        case "<" | "<=":
            return union((Span(-INFINITY, False, number, relation == "<=" and number != INFINITY),))
    return union((Span(number, relation == ">=" and number != -INFINITY, INFINITY, False),))


def contains(spans: Spans, number: Number) -> bool:
    """Whether a number is in one of the spans."""
    return any(
        (span.low < number or (span.low == number and span.low_closed))
        and (number < span.high or (number == span.high and span.high_closed))
        for span in spans
    )


def least(spans: Spans) -> Number | None:
    """The smallest number of the set; None where there is none, or none is the smallest."""
    if not spans or not spans[0].low_closed or isinstance(spans[0].low, float):
        return None
    return spans[0].low


def greatest(spans: Spans) -> Number | None:
    """The largest number of the set; None where there is none, or none is the largest."""
    if not spans or not spans[-1].high_closed or isinstance(spans[-1].high, float):
        return None
    return spans[-1].high
