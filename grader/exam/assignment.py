"""Who gets which variant, and the names of variants and files: all drawn with the secret of the exam."""

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import NamedTuple

from grader.generation.stream import Stream
from grader.tables.student_directory import Student, identifier_key

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


class PaperOwner(NamedTuple):
    """The owner of a paper that is drawn: in the role of a student, or a spare paper by its number.

    A paper depends on the secret and its owner alone; only forms are dealt by the rows of the class list.
    """

    role: str
    name: str


def student_owner(student: Student) -> PaperOwner:
    """Return the owner of a student's paper: the identifier as it is compared, and nothing else."""
    return PaperOwner("student", identifier_key(student.identifier))


def spare_owner(number: int) -> PaperOwner:
    """Return the owner of a spare paper, counted from 1."""
    return PaperOwner("spare", str(number))


def question_seed(secret: str, question: int, owner: PaperOwner | None = None) -> str:
    """Return the seed of a question, counted from 0: of all variants, or of those of one owner."""
    return derive_bytes(secret, "question", question, *(owner or ())).hex()


def form_codes(forms: int) -> tuple[str, ...]:
    """Return the codes of forms: `A`, `B`, ..."""
    return tuple(chr(ord("A") + number) for number in range(forms))


def variant_codes(
    secret: str, owners: Sequence[PaperOwner], used: Collection[str] = ()
) -> Mapping[PaperOwner, str]:
    """Return the code of every owner's paper, drawn with the secret (`K7QM3D`) and none of those `used`.

    A code depends only on the secret and its owner, so it reveals nothing about questions or keys. Where two
    owners draw the same one (once in 20,000 exams of 300 students), the later one by another draw gets its
    next one, so that the order of the class list does not matter.
    """
    codes: dict[PaperOwner, str] = {}
    unavailable = set(used)
    for owner in sorted(owners, key=lambda owner: derive_bytes(secret, "order", *owner)):
        stream = Stream(derive_bytes(secret, "code", *owner).hex())
        while (code := "".join(stream.choose(CODE_ALPHABET) for _ in range(CODE_LENGTH))) in unavailable:
            pass
        unavailable.add(code)
        codes[owner] = code
    return {owner: codes[owner] for owner in owners}


def deal_forms(secret: str, forms: int, students: int) -> tuple[int, ...]:
    """Return the form of every student, counted from 0: dealt by row, evenly and at random."""
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
