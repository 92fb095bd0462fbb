"""A table as CSV that spreadsheets open with a double click."""

import csv
import io
from collections.abc import Iterable, Sequence


def csv_bytes(rows: Iterable[Sequence[object]]) -> bytes:
    """Return rows as CSV in UTF-8 with a byte order mark; nothing is guarded from being a formula here."""
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode("utf-8-sig")
