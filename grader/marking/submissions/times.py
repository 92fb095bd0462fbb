"""When something was handed in, as the LMS writes it; a date that can be read in two ways is no date."""

import re
from datetime import UTC, datetime, timedelta, timezone

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)

_YEAR_FIRST = re.compile(
    r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?\s*([AP]M)?)?"
    r"\s*(Z|UTC|GMT|(?:GMT|UTC)?[+-]\d{1,2}(?::?\d{2})?)?",
    re.ASCII | re.IGNORECASE,
)
_NAMED_MONTH = re.compile(
    r"(?:[A-Za-z]+,\s+)?(\d{1,2})\s+([A-Za-z]{3,9})\s+(\d{4}),?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([AP]M)?",
    re.ASCII | re.IGNORECASE,
)


def read_time(text: str) -> datetime | None:
    """The time that a text says, with its time zone if it names one; None when it says none clearly.

    Read are `2026-01-31T09:05`, `2026/01/31 9:05:00 AM GMT+1`, `2026-01-31 09:05:00 UTC` and
    `31 January 2026, 9:05 AM`; `1/2/2026` is January to some and February to others.
    """
    text = " ".join(text.replace("\u202f", " ").split())
    if len(text) > 60:
        return None
    if found := _YEAR_FIRST.fullmatch(text):
        year, month, day, hour, minute, second, half, zone = found.groups()
        return _time(year, int(month), day, hour or "0", minute or "0", second, half, zone)
    if found := _NAMED_MONTH.fullmatch(text):
        day, name, year, hour, minute, second, half = found.groups()
        months = [number for number, month in enumerate(_MONTHS, 1) if month.startswith(name.lower())]
        return _time(year, months[0], day, hour, minute, second, half, None) if len(months) == 1 else None
    return None


def _time(
    year: str,
    month: int,
    day: str,
    hour: str,
    minute: str,
    second: str | None,
    half: str | None,
    zone: str | None,
) -> datetime | None:
    hours = int(hour)
    if half is not None:
        if not 1 <= hours <= 12:
            return None
        hours = hours % 12 + 12 * (half.upper() == "PM")
    try:
        return datetime(int(year), month, int(day), hours, int(minute), int(second or 0), tzinfo=_zone(zone))
    except ValueError:
        return None


def _zone(text: str | None) -> timezone | None:
    """The time zone a text names; None when it names none. Raises `ValueError` for one that is not known."""
    if text is None:
        return None
    offset = re.fullmatch(r"(?:GMT|UTC|Z)?(?:([+-])(\d{1,2}):?(\d{2})?)?", text, re.IGNORECASE)
    if offset is None:
        raise ValueError("this time zone is not known")
    sign, hours, minutes = offset.groups()
    if sign is None:
        return UTC
    shift = timedelta(hours=int(hours), minutes=int(minutes or 0))
    return timezone(-shift if sign == "-" else shift)


def later(time: datetime, other: datetime) -> bool | None:
    """Whether a time is after another one; None when only one of them has a time zone."""
    if (time.tzinfo is None) != (other.tzinfo is None):
        return None
    return time > other
