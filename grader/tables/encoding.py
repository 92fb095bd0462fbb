"""Encodings of files: by a byte order mark, else strict UTF-8, else Windows-1252 with a warning."""

import codecs
from functools import partial

from grader.tables.rows import InMemoryFile, Source, TableError

CHUNK_BYTES = 1 << 20

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def detect_encoding(source: Source) -> tuple[str, tuple[str, ...]]:
    """Detect the encoding of a file, with a warning if it is a guess; the file is read in pieces.

    A file counts as UTF-8 if at least half of its lines with characters outside ASCII do: read it with
    `errors="surrogateescape"`.
    Raises `TableError` if its bytes are not text, and `OSError` if it cannot be read.
    """
    with source.open("rb") as file:
        start = file.read(4)
    encoding = next((encoding for mark, encoding in _MARKS if start.startswith(mark)), None)
    if encoding is None and len(start) == 4:  # every second byte of ASCII text in UTF-16 is 0
        encoding = {(False, True): "utf-16-le", (True, False): "utf-16-be"}.get(
            (not any(start[::2]), not any(start[1::2]))
        )
    if encoding is not None and not _decodes(source, encoding):
        raise not_text_error(source.name)
    if encoding is not None or _decodes(source, "utf-8") or _is_damaged_utf8(source):
        return encoding or "utf-8", ()
    warning = (
        f"{source.name} is not UTF-8; it was read as Windows-1252, so check that the names are right. "
        f"If they are wrong, save it as UTF-8 (CSV UTF-8 in Excel)"
    )
    return "cp1252", (warning,)


def not_text_error(name: str) -> TableError:
    """Return the error for a file whose bytes are not text."""
    hint = "Save the table as CSV with the encoding UTF-8, or give the .xlsx file."
    return TableError(f"{name} is not text", hint, "encoding")


def decode(data: bytes, name: str) -> str:
    """Decode the content of a file. Raises `TableError` if its bytes are not text."""
    try:
        text = data.decode(detect_encoding(InMemoryFile(name, data))[0])
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise TableError(f"{name} is not text", "Save it as plain text with the encoding UTF-8.", "encoding")
    return text


def _is_damaged_utf8(source: Source) -> bool:
    """Return whether at least half of the non-ASCII lines are valid UTF-8, but not all of them."""
    valid = invalid = 0
    with source.open("rb") as file:
        while line := file.readline(CHUNK_BYTES):
            if not line.isascii():
                try:
                    line.decode()
                    valid += 1
                except UnicodeDecodeError:
                    invalid += 1
    return valid >= invalid > 0


def _decodes(source: Source, encoding: str) -> bool:
    """Return whether a whole file is valid in an encoding; it is read in chunks."""
    with source.open("rb") as file:
        try:
            for _ in codecs.iterdecode(iter(partial(file.read, CHUNK_BYTES), b""), encoding):
                pass
        except UnicodeDecodeError:
            return False
    return True
