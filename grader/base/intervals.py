"""Sets of real numbers as unions of intervals with open and closed ends."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from grader.base.numbers import INFINITY, Bound, Number

Boundary: TypeAlias = tuple[Bound, bool]
"""A place between numbers: just below a number, or, if true, just above it."""


@dataclass(frozen=True, slots=True)
class Span:
    """All numbers from `low` to `high`; closed ends are included, infinite ends never are."""

    low: Bound
    low_closed: bool
    high: Bound
    high_closed: bool

    @property
    def start(self) -> Boundary:
        """The boundary where it begins; a span that begins after its end is empty."""
        return self.low, not self.low_closed

    @property
    def end(self) -> Boundary:
        """The boundary where it ends."""
        return self.high, self.high_closed


Spans: TypeAlias = tuple[Span, ...]
"""A set of numbers as spans in ascending order that neither touch nor overlap."""

EMPTY_SET: Spans = ()
ALL_NUMBERS: Spans = (Span(-INFINITY, False, INFINITY, False),)


def union(spans: Iterable[Span]) -> Spans:
    """Return the canonical form of spans that may touch, overlap or be empty."""
    merged: list[Span] = []
    for span in sorted((span for span in spans if span.start < span.end), key=lambda span: span.start):
        if not merged or span.start > merged[-1].end:
            merged.append(span)
        elif span.end > merged[-1].end:
            merged[-1] = replace(merged[-1], high=span.high, high_closed=span.high_closed)
    return tuple(merged)


def complement(spans: Spans) -> Spans:
    """Return the numbers that are in none of the spans."""
    starts = ((-INFINITY, True), *(span.end for span in spans))
    ends = (*(span.start for span in spans), (INFINITY, False))
    gaps = zip(starts, ends, strict=True)
    return union(Span(low, not above, high, closed) for (low, above), (high, closed) in gaps)


def intersection(one: Spans, two: Spans) -> Spans:
    """Return the numbers that are in both sets."""
    return complement(union((*complement(one), *complement(two))))


def numbers_related_to(relation: str, number: Bound) -> Spans:
    """Return the numbers x with `x relation number`."""
    match relation:
        case "=":
            return union((Span(number, True, number, True),)) if abs(number) != INFINITY else EMPTY_SET
        case "!=":
            return complement(numbers_related_to("=", number))
        case "<" | "<=":
            return union((Span(-INFINITY, False, number, relation == "<=" and number != INFINITY),))
    return union((Span(number, relation == ">=" and number != -INFINITY, INFINITY, False),))


def contains(spans: Spans, number: Number) -> bool:
    """Return whether a number is in one of the spans."""
    return any(span.start <= (number, False) and (number, True) <= span.end for span in spans)
