"""Which encoding a file has: its byte order mark, else strict UTF-8, else Windows-1252 with a warning."""

import codecs
from pathlib import Path

from grader.tables.sheet import SubmissionError

CHUNK = 1 << 20

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def encoding_of(path: Path) -> tuple[str, tuple[str, ...]]:
    """The encoding of a file, and a warning when it had to be guessed; the file is read in pieces.

    A file is still UTF-8 when at least half of its lines with other than ASCII characters are: what the rest
    holds is left to whoever reads the file with `errors="surrogateescape"`.
    Raises `SubmissionError` when its bytes are no text, and `OSError` when it cannot be read.
    """
    with path.open("rb") as file:
        start = file.read(4)
    marked = next((encoding for mark, encoding in _MARKS if start.startswith(mark)), None)
    if marked == "utf-16" and not _decodes(path, marked):
        raise SubmissionError(
            f"{path.name} is no text",
            "Save the table as CSV with the encoding UTF-8, or give the .xlsx file.",
        )
    encoding = marked or ("utf-8" if _decodes(path, "utf-8") or _mostly_utf8(path) else "cp1252")
    return encoding, _warnings(encoding, path.name)


def _mostly_utf8(path: Path) -> bool:
    good = bad = 0
    with path.open("rb") as file:
        while line := file.readline(CHUNK):
            if not line.isascii():
                try:
                    line.decode()
                    good += 1
                except UnicodeDecodeError:
                    bad += 1
    return good >= bad > 0


def decode(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """The text of some bytes, decided in the same way. Raises `SubmissionError` when they are no text."""
    marked = next((encoding for mark, encoding in _MARKS if data.startswith(mark)), None)
    for encoding in (marked,) if marked else ("utf-8", "cp1252"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text, _warnings(encoding, name)
    raise SubmissionError(f"{name} is no text", "Save it as plain text with the encoding UTF-8.")


def _decodes(path: Path, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    with path.open("rb") as file:
        try:
            while chunk := file.read(CHUNK):
                decoder.decode(chunk)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True


def _warnings(encoding: str, name: str) -> tuple[str, ...]:
    if encoding != "cp1252":
        return ()
    return (f"{name} is not UTF-8; it was read as Windows-1252, so look whether the names are right",)
