"""When something was handed in, as the LMS writes it; a date that can be read in two ways is no date."""

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
    """The time that a text says, with its time zone if it names one; None when it says none clearly.

    Read are `2026-01-31T09:05`, `2026/01/31 9:05:00 AM GMT+1`, `2026-01-31 09:05:00 UTC`,
    `31 January 2026, 9:05 AM`, `31. Januar 2026 09:05`, `31.1.2026 09:05` and `1/31/2026 9:05:00`; `1/2/2026`
    is January to some and February to others.
    """
    text = " ".join(text.replace("\u202f", " ").split())
    if len(text) > 60:
        return None
    if found := _YEAR_FIRST.fullmatch(text):
        dates = {(int(found["month"]), int(found["day"]))}
    elif found := _YEAR_LAST.fullmatch(text):
        one, other = int(found["month"]), int(found["day"])
        dates = {(month, day) for month, day in ((one, other), (other, one)) if month <= 12}
    elif found := _DAY_FIRST.fullmatch(text):
        dates = {(int(found["month"]), int(found["day"]))}
    elif found := _NAMED_MONTH.fullmatch(text):
        name, day = found["month"].lower(), int(found["day"])
        dates = {
            (month, day)
            for month, names in enumerate(_MONTHS, 1)
            if any(each.startswith(name) for each in names)
        }
    if found is None or len(dates) != 1:
        return None
    ((month, day),) = dates
    hour = int(found["hour"] or 0)
    if found["half"] is not None:
        hour = hour % 12 + 12 * (found["half"].upper() == "PM") if 1 <= hour <= 12 else 99
    clock = hour, int(found["minute"] or 0), int(found["second"] or 0)
    try:
        return datetime(int(found["year"]), month, day, *clock, tzinfo=_zone(found))
    except ValueError:
        return None


def _zone(found: re.Match[str]) -> timezone | None:
    """The time zone of a time; None when it names none. Raises `ValueError` for one that there is not."""
    if found["zone"] is None:
        return None
    shift = timedelta(hours=int(found["hours"] or 0), minutes=int(found["minutes"] or 0))
    return timezone(-shift if found["sign"] == "-" else shift)


def is_later(time: datetime, other: datetime) -> bool | None:
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
        after = None if time is None else is_later(time, self._due)
        if not said:
            why = "no time is there"
        elif time is None:
            why = "in the file a time has to be 2026-01-31 12:00, for example"
        elif time.tzinfo is None:
            why = "it names no time zone; name none either: --due 2026-01-31T12:00"
        else:
            why = "it names its time zone; name one, too: --due 2026-01-31T12:00+01:00"
        if after is None:
            count, example = self._untold.get(why, (0, said))
            self._untold[why] = count + 1, example
        return after is True

    def warnings(self) -> tuple[str, ...]:
        """What could not be compared: how many rows, one of their times, and what to do."""
        return tuple(
            f"{count} row{'s' * (count != 1)} may be late and {'are' if count != 1 else 'is'} not called so:"
            f" --due cannot be compared with {example[:60]!r}; {why}"
            for why, (count, example) in self._untold.items()
        )
