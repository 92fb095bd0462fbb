"""Which encoding a file has: its byte order mark, else strict UTF-8, else Windows-1252 with a warning."""

import codecs
from functools import partial

from grader.tables.rows import InMemoryFile, Source, TableError

CHUNK_BYTES = 1 << 20

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def detect_encoding(source: Source) -> tuple[str, tuple[str, ...]]:
    """The encoding of a file, and a warning when it had to be guessed; the file is read in pieces.

    A file is still UTF-8 when at least half of its lines with other than ASCII characters are: what the rest
    holds is left to whoever reads the file with `errors="surrogateescape"`.
    Raises `TableError` when its bytes are no text, and `OSError` when it cannot be read.
    """
    with source.open("rb") as file:
        start = file.read(4)
    marked = next((encoding for mark, encoding in _MARKS if start.startswith(mark)), None)
    if marked is None and len(start) == 4:  # every second byte of UTF-16 is 0 where the text is ASCII
        marked = {(False, True): "utf-16-le", (True, False): "utf-16-be"}.get(
            (not any(start[::2]), not any(start[1::2]))
        )
    if marked is not None and not _decodes(source, marked):
        raise not_text_error(source.name)
    if marked is not None or _decodes(source, "utf-8") or _mostly_utf8(source):
        return marked or "utf-8", ()
    guess = f"{source.name} is not UTF-8; it was read as Windows-1252, so look whether the names are right"
    return "cp1252", (guess,)


def not_text_error(name: str) -> TableError:
    """That the bytes of a file are no text."""
    hint = "Save the table as CSV with the encoding UTF-8, or give the .xlsx file."
    return TableError(f"{name} is no text", hint, "encoding")


def decode(data: bytes, name: str) -> str:
    """The text of a file. Raises `TableError` when its bytes are none."""
    try:
        text = data.decode(detect_encoding(InMemoryFile(name, data))[0])
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise TableError(f"{name} is no text", "Save it as plain text with the encoding UTF-8.", "encoding")
    return text


def _mostly_utf8(source: Source) -> bool:
    good = bad = 0
    with source.open("rb") as file:
        while line := file.readline(CHUNK_BYTES):
            if not line.isascii():
                try:
                    line.decode()
                    good += 1
                except UnicodeDecodeError:
                    bad += 1
    return good >= bad > 0


def _decodes(source: Source, encoding: str) -> bool:
    with source.open("rb") as file:
        try:
            for _ in codecs.iterdecode(iter(partial(file.read, CHUNK_BYTES), b""), encoding):
                pass
        except UnicodeDecodeError:
            return False
    return True
