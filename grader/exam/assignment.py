"""Who gets which variant, and the names of variants and files: all drawn with the secret of the exam."""

import hashlib
import hmac
import re
import unicodedata
from functools import cache
from hashlib import sha256

from grader.generation.stream import Stream
from grader.tables.student_directory import Student

CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""What codes are made of: nothing that looks like something else in handwriting."""

CODE_LENGTH = 6
"""The letters of a variant's code."""


@cache
def stretch_secret(secret: str) -> str:
    """What stands for a secret in everything that is drawn with it, as 64 hex digits of scrypt.

    Whoever holds a paper can try secrets until one gives its code; each of these tries now takes a while.
    """
    text = secret.encode("utf-8", "surrogateescape")
    return hashlib.scrypt(text, salt=b"gametree exam", n=2**15, r=8, p=1, maxmem=2**26, dklen=32).hex()


def derive_bytes(secret: str, *purpose: str | int) -> bytes:
    """32 bytes for one purpose that nobody can compute without the secret: HMAC-SHA-256."""
    parts = [str(part).encode("utf-8", "surrogateescape") for part in purpose]
    message = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return hmac.new(secret.encode("utf-8", "surrogateescape"), message, sha256).digest()


def question_seed(secret: str, question: int) -> str:
    """The seed from which the variants of a question grow, counted from 0."""
    return derive_bytes(secret, "question", question).hex()


def variant_codes(secret: str, forms: int | None, students: int) -> tuple[str, ...]:
    """The code of every variant: `A`, `B`, ... for forms, else drawn with the secret, such as `K7QM3D`.

    A code depends on the secret and the place alone, so it tells nothing of questions or keys.
    """
    if forms is not None:
        return tuple(chr(ord("A") + number) for number in range(forms))
    stream = Stream(derive_bytes(secret, "codes").hex())
    found: dict[str, None] = {}
    while len(found) < students:
        found["".join(stream.choose(CODE_ALPHABET) for _ in range(CODE_LENGTH))] = None
    return tuple(found)


def assign_variants(secret: str, forms: int | None, students: int) -> tuple[int, ...]:
    """The variant of every student, counted from 0: one each, or the forms dealt evenly in random order."""
    if forms is None:
        return tuple(range(students))
    order = Stream(derive_bytes(secret, "seats").hex()).shuffle(range(students))
    dealt = [0] * students
    for turn, student in enumerate(order):
        dealt[student] = turn % forms
    return tuple(dealt)


def paper_stem(secret: str, student: Student) -> str:
    """The name of a student's files: readable, safe in every file system, and not to be guessed."""
    return f"{slug(student.name)}-{derive_bytes(secret, 'file', student.identifier).hex()[:10]}"


_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ħ": "h"}
)
"""Latin letters that are no letter with an accent on it."""


def slug(words: str) -> str:
    """The words as small ASCII letters and digits with dashes between them; `paper` when none are left."""
    apart = unicodedata.normalize("NFKD", words.casefold().translate(_LETTERS))
    plain = apart.encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-") or "paper"
