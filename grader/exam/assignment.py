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
"""The characters of codes: none is mistaken for another in handwriting."""

CODE_LENGTH = 6
"""The letters of a variant's code."""


@cache
def stretch_secret(secret: str) -> str:
    """Return the key that replaces a secret in all draws: 64 hex digits of scrypt.

    A student can try secrets until one gives the code of a paper; scrypt makes each try slow.
    """
    text = secret.encode("utf-8", "surrogateescape")
    return hashlib.scrypt(text, salt=b"gametree exam", n=2**15, r=8, p=1, maxmem=2**26, dklen=32).hex()


def derive_bytes(secret: str, *purpose: str | int) -> bytes:
    """Return 32 bytes for one purpose that cannot be computed without the secret: HMAC-SHA-256."""
    parts = [str(part).encode("utf-8", "surrogateescape") for part in purpose]
    message = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return hmac.new(secret.encode("utf-8", "surrogateescape"), message, sha256).digest()


def question_seed(secret: str, question: int) -> str:
    """Return the seed of the variants of a question, which is counted from 0."""
    return derive_bytes(secret, "question", question).hex()


def variant_codes(secret: str, forms: int | None, students: int) -> tuple[str, ...]:
    """Return the codes of all variants: `A`, `B`, ... for forms, else drawn with the secret (`K7QM3D`).

    A code depends only on the secret and its place, so it reveals nothing about questions or keys.
    """
    if forms is not None:
        return tuple(chr(ord("A") + number) for number in range(forms))
    stream = Stream(derive_bytes(secret, "codes").hex())
    codes: dict[str, None] = {}  # a dictionary drops duplicates and keeps the order
    while len(codes) < students:
        codes["".join(stream.choose(CODE_ALPHABET) for _ in range(CODE_LENGTH))] = None
    return tuple(codes)


def assign_variants(secret: str, forms: int | None, students: int) -> tuple[int, ...]:
    """Return the variant of every student, counted from 0: one each, or the forms dealt evenly at random."""
    if forms is None:
        return tuple(range(students))
    order = Stream(derive_bytes(secret, "seats").hex()).shuffle(range(students))
    dealt = [0] * students
    for turn, student in enumerate(order):
        dealt[student] = turn % forms
    return tuple(dealt)


def paper_stem(secret: str, student: Student) -> str:
    """Return the name of a student's files: readable, safe in every file system, and impossible to guess."""
    return f"{slug(student.name)}-{derive_bytes(secret, 'file', student.identifier).hex()[:10]}"


_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ħ": "h"}
)
"""Latin letters that do not decompose into a letter and an accent."""


def slug(words: str) -> str:
    """Return words as lower-case ASCII letters and digits joined by dashes; `paper` if none are left."""
    decomposed = unicodedata.normalize("NFKD", words.casefold().translate(_LETTERS))
    plain = decomposed.encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-") or "paper"
