"""When something was handed in, as the LMS writes it; a date that can be read in two ways is no date."""

import re
from datetime import UTC, datetime, timedelta, timezone

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)

_CLOCK = (
    r"(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?\s*([AP]M)?)?"
    r"\s*(Z|UTC|GMT|(?:GMT|UTC)?[+-]\d{1,2}(?::?\d{2})?)?"
)
_YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})" + _CLOCK, re.ASCII | re.IGNORECASE)
_YEAR_LAST = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})" + _CLOCK, re.ASCII | re.IGNORECASE)
_NAMED_MONTH = re.compile(
    r"(?:[A-Za-z]+,\s+)?(\d{1,2})\s+([A-Za-z]{3,9})\s+(\d{4}),?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([AP]M)?",
    re.ASCII | re.IGNORECASE,
)


def read_time(text: str) -> datetime | None:
    """The time that a text says, with its time zone if it names one; None when it says none clearly.

    Read are `2026-01-31T09:05`, `2026/01/31 9:05:00 AM GMT+1`, `2026-01-31 09:05:00 UTC`,
    `31 January 2026, 9:05 AM` and `1/31/2026 9:05:00`; `1/2/2026` is January to some and February to others.
    """
    text = " ".join(text.replace("\u202f", " ").split())
    if len(text) > 60:
        return None
    if found := _YEAR_FIRST.fullmatch(text):
        year, month, day, hour, minute, second, half, zone = found.groups()
        return _time(year, int(month), day, hour or "0", minute or "0", second, half, zone)
    if found := _YEAR_LAST.fullmatch(text):
        one, other, year, hour, minute, second, half, zone = found.groups()
        dates = {(int(month), int(day)) for month, day in ((one, other), (other, one)) if int(month) <= 12}
        if len(dates) != 1:
            return None
        ((number, date),) = dates
        return _time(year, number, str(date), hour or "0", minute or "0", second, half, zone)
    if found := _NAMED_MONTH.fullmatch(text):
        day, name, year, hour, minute, second, half = found.groups()
        named = [number for number, month in enumerate(_MONTHS, 1) if month.startswith(name.lower())]
        return _time(year, named[0], day, hour, minute, second, half, None) if len(named) == 1 else None
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


class Deadline:
    """When replies were due; it keeps in mind which times it could not be compared with."""

    def __init__(self, due: datetime | None) -> None:
        self._due = due
        self._untold: dict[str, tuple[int, str]] = {}

    def is_past(self, said: str) -> bool:
        """Whether a time, as a row says it, is after it; what cannot be told is not late."""
        if self._due is None:
            return False
        time = read_time(said)
        after = None if time is None else later(time, self._due)
        if after is None:
            count, example = self._untold.get(why := self._why(said, time), (0, said))
            self._untold[why] = count + 1, example
        return after is True

    def _why(self, said: str, time: datetime | None) -> str:
        if not said:
            return "no time is there"
        if time is None:
            return "in the file a time has to be 2026-01-31 12:00, for example"
        if time.tzinfo is None:
            return "it names no time zone; name none either: --due 2026-01-31T12:00"
        return "it names its time zone; name one, too: --due 2026-01-31T12:00+01:00"

    def warnings(self) -> tuple[str, ...]:
        """What could not be compared: how many rows, one of their times, and what to do."""
        return tuple(
            f"{count} row{'s' * (count != 1)} may be late and {'are' if count != 1 else 'is'} not called so:"
            f" --due cannot be compared with {example[:60]!r}; {why}"
            for why, (count, example) in self._untold.items()
        )
