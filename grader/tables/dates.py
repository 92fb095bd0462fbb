"""Times of submissions as platforms write them; an ambiguous date is not read."""

import re
from datetime import datetime, timedelta, timezone

_MONTHS = tuple(
    names.split()
    for names in (
        "january januar janvier enero gennaio janeiro januari",
        "february februar février febrero febbraio fevereiro februari",
        "march märz mars marzo março maart",
        "april avril abril aprile",
        "may mai mayo maggio maio mei",
        "june juni juin junio giugno junho",
        "july juli juillet julio luglio julho",
        "august août agosto augustus",
        "september septembre septiembre settembre setembro",
        "october oktober octobre octubre ottobre outubro",
        "november novembre noviembre novembro",
        "december dezember décembre diciembre dicembre dezembro",
    )
)
"""The names of each month in the languages of platforms."""

_CLOCK = (
    r"(?:[T ,]+(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:\.[0-9]{1,9})?)?"
    r"\s*(?P<half>[AP]M)?)?\s*"
    r"(?P<zone>Z|UTC|GMT|(?:GMT|UTC)?(?P<sign>[+-])(?P<hours>[0-9]{1,2})(?::?(?P<minutes>[0-9]{2}))?)?"
)
_YEAR_FIRST, _YEAR_LAST, _DAY_FIRST, _NAMED_MONTH = (
    re.compile(date + _CLOCK, re.IGNORECASE)
    for date in (
        r"(?P<year>[0-9]{4})[-/.](?P<month>[0-9]{1,2})[-/.](?P<day>[0-9]{1,2})",
        r"(?P<month>[0-9]{1,2})[-/](?P<day>[0-9]{1,2})[-/](?P<year>[0-9]{4})",
        r"(?P<day>[0-9]{1,2})\.\s?(?P<month>[0-9]{1,2})\.\s?(?P<year>[0-9]{4})",
        r"(?:[^\W\d_]+,\s+)?(?P<day>[0-9]{1,2})\.?\s+(?:de\s+)?(?P<month>[^\W\d_]{3,10})\.?"
        r"\s+(?:de\s+)?(?P<year>[0-9]{4})",
    )
)


def read_time(text: str) -> datetime | None:
    """Read a time, with its time zone if it names one; return None if it is ambiguous or not a time.

    Read are `2026-01-31T09:05`, `2026/01/31 9:05:00 AM GMT+1`, `2026-01-31 09:05:00 UTC`,
    `31 January 2026, 9:05 AM`, `31. Januar 2026 09:05`, `31.1.2026 09:05` and `1/31/2026 9:05:00`, but not
    `1/2/2026`, which may be in January or in February.
    """
    text = " ".join(text.replace("\u202f", " ").split())
    if len(text) > 60:
        return None
    if match := _YEAR_FIRST.fullmatch(text) or _DAY_FIRST.fullmatch(text):
        dates = {(int(match["month"]), int(match["day"]))}
    elif match := _YEAR_LAST.fullmatch(text):
        one, other = int(match["month"]), int(match["day"])
        dates = {(month, day) for month, day in ((one, other), (other, one)) if month <= 12}
    elif match := _NAMED_MONTH.fullmatch(text):
        name, day = match["month"].lower(), int(match["day"])
        dates = {
            (month, day)
            for month, names in enumerate(_MONTHS, 1)
            if any(each.startswith(name) for each in names)
        }
    if match is None or len(dates) != 1:
        return None
    ((month, day),) = dates
    hour = int(match["hour"] or 0)
    if match["half"] is not None:
        hour = hour % 12 + 12 * (match["half"].upper() == "PM") if 1 <= hour <= 12 else 99
    clock = hour, int(match["minute"] or 0), int(match["second"] or 0)
    try:
        return datetime(int(match["year"]), month, day, *clock, tzinfo=_time_zone(match))
    except ValueError:
        return None


def _time_zone(match: re.Match[str]) -> timezone | None:
    """Return the time zone of a time, or None. Raises `ValueError` for an impossible one."""
    if match["zone"] is None:
        return None
    offset = timedelta(hours=int(match["hours"] or 0), minutes=int(match["minutes"] or 0))
    return timezone(-offset if match["sign"] == "-" else offset)


def is_later(time: datetime, other: datetime) -> bool | None:
    """Return whether a time is after another one; None if only one of them has a time zone."""
    if (time.tzinfo is None) != (other.tzinfo is None):
        return None
    return time > other


class Deadline:
    """The time when replies are due; it counts the times that it could not be compared with."""

    def __init__(self, due: datetime | None) -> None:
        self._due = due
        self._incomparable: dict[str, tuple[int, str]] = {}

    def is_late(self, text: str) -> bool:
        """Return whether the time in a row is late; count the time for `warnings` if that is unknown."""
        if self._due is None:
            return False
        time = read_time(text)
        late = None if time is None else is_later(time, self._due)
        if late is not None:
            return late
        if not text:
            reason = "there is no time"
        elif time is None:
            reason = "write times in the file as 2026-01-31 12:00"
        elif time.tzinfo is None:
            reason = "it has no time zone; leave it out of --due too: --due 2026-01-31T12:00"
        else:
            reason = "it has a time zone; give one too: --due 2026-01-31T12:00+01:00"
        count, example = self._incomparable.get(reason, (0, text))
        self._incomparable[reason] = count + 1, example
        return False

    def warnings(self) -> tuple[str, ...]:
        """Return a warning for each reason: the number of rows, one of their times, and the fix."""
        return tuple(
            f"{count} row{'s' * (count != 1)} could not be compared with --due and "
            f"count{'s' * (count == 1)} as on time, such as {example[:60]!r}: {reason}"
            for reason, (count, example) in self._incomparable.items()
        )
