"""The code on every page of a paper that is scanned: which exam, variant and page it is."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import groupby

from grader.base.canonical_json import canonical_json
from grader.exam.assignment import CODE_ALPHABET

HASH_LENGTH = 4
"""The characters of a hash."""

MAX_CODE_LENGTH = 29
"""The longest text of a 13 mm code that a pen may strike through and that stays readable."""

QR_MASK = 3
"""The mask of all codes; every mask is readable, and to look for the best takes as long as a page."""

_TEXT = re.compile(r"GT1:([0-9A-Z]{4}):([0-9A-Z]{1,6}):([0-9]{1,2}):([0-9]{1,2}):([0-9A-Z]{4})")


@dataclass(frozen=True, slots=True)
class PageCode:
    """The content of the code of a page.

    - `exam`, `build`: hashes of the exam, and of everything the page is set from.
    - `page`: from 1; page 0 is a cover sheet, on which there is nothing to read.
    """

    exam: str
    variant: str
    page: int
    pages: int
    build: str

    @property
    def text(self) -> str:
        """The text of the code, of characters that a small code can hold."""
        return f"GT1:{self.exam}:{self.variant}:{self.page}:{self.pages}:{self.build}"


def page_codes(exam: str, variant: str, pages: int, build: str) -> tuple[PageCode, ...]:
    """The codes of all pages of a paper; `build` is a hash of everything they are set from."""
    return tuple(
        PageCode(exam, variant, number, pages, short_hash(build, number)) for number in range(1, pages + 1)
    )


def read_code(text: str) -> PageCode | None:
    """Parse the text of a code; None if this program did not write it."""
    match = _TEXT.fullmatch(text) if len(text) <= MAX_CODE_LENGTH else None
    if match is None:
        return None
    exam, variant, page, pages, build = match.groups()
    return PageCode(exam, variant, int(page), int(pages), build)


def short_hash(*values: object) -> str:
    """Hash JSON values to `HASH_LENGTH` characters."""
    number = int.from_bytes(sha256(canonical_json(list(values)).encode()).digest())
    return "".join(
        CODE_ALPHABET[number // len(CODE_ALPHABET) ** digit % len(CODE_ALPHABET)]
        for digit in range(HASH_LENGTH)
    )


@lru_cache(maxsize=64)
def code_modules(text: str) -> tuple[tuple[bool, ...], ...]:
    """Return the modules of a code in rows, True for dark; all codes have the same size."""
    import segno

    code = segno.make(
        text, version=2, error="q", mode="alphanumeric", mask=QR_MASK, micro=False, boost_error=False
    )
    return tuple(tuple(map(bool, row)) for row in code.matrix)


def module_runs(rows: Sequence[Sequence[bool]]) -> Iterator[tuple[int, int, int]]:
    """Join dark modules to bars (x, y, width), so that they are drawn without seams."""
    for y, row in enumerate(rows):
        x = 0
        for dark, run in groupby(row):
            width = len(list(run))
            if dark:
                yield x, y, width
            x += width
