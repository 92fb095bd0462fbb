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
"""The signs of a hash."""

MAX_CODE_LENGTH = 29
"""The most signs of a code of 13 mm that can still be read when a pen struck it through."""

QR_MASK = 3
"""The mask of all codes; any can be read, and to try which is best takes as long as a page."""

_TEXT = re.compile(r"GT1:([0-9A-Z]{4}):([0-9A-Z]{1,6}):([0-9]{1,2}):([0-9]{1,2}):([0-9A-Z]{4})")


@dataclass(frozen=True, slots=True)
class PageCode:
    """What stands in the code of a page: hashes of the exam and of all it is set from, and which it is.

    `page` counts from 1; page 0 is a cover sheet, on which nothing is to be read.
    """

    exam: str
    variant: str
    page: int
    pages: int
    build: str

    @property
    def text(self) -> str:
        """The text of the code, in letters and digits that make a small one."""
        return f"GT1:{self.exam}:{self.variant}:{self.page}:{self.pages}:{self.build}"


def page_codes(exam: str, variant: str, pages: int, build: str) -> tuple[PageCode, ...]:
    """The codes of a paper of so many pages; `build` stands for all that they are set from."""
    return tuple(
        PageCode(exam, variant, number, pages, short_hash(build, number)) for number in range(1, pages + 1)
    )


def read_code(text: str) -> PageCode | None:
    """What a code says, or None when it is none of ours."""
    found = _TEXT.fullmatch(text) if len(text) <= MAX_CODE_LENGTH else None
    if found is None:
        return None
    exam, variant, page, pages, build = found.groups()
    return PageCode(exam, variant, int(page), int(pages), build)


def short_hash(*told: object) -> str:
    """Four signs that stand for what is told."""
    number = int.from_bytes(sha256(canonical_json(list(told)).encode()).digest())
    return "".join(
        CODE_ALPHABET[number // len(CODE_ALPHABET) ** place % len(CODE_ALPHABET)]
        for place in range(HASH_LENGTH)
    )


@lru_cache(maxsize=64)
def code_modules(text: str) -> tuple[tuple[bool, ...], ...]:
    """The dark modules of a code, in rows; all codes have the same size."""
    import segno

    made = segno.make(
        text, version=2, error="q", mode="alphanumeric", mask=QR_MASK, micro=False, boost_error=False
    )
    return tuple(tuple(map(bool, row)) for row in made.matrix)


def module_runs(rows: Sequence[Sequence[bool]]) -> Iterator[tuple[int, int, int]]:
    """The dark modules as (x, y, width) of bars, so that they are drawn without seams."""
    for y, row in enumerate(rows):
        x = 0
        for dark, run in groupby(row):
            width = len(list(run))
            if dark:
                yield x, y, width
            x += width
