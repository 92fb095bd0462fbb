"""The laws of dealing out variants: evenly, the same every time, and telling nothing."""

from hypothesis import given
from hypothesis import strategies as st

from grader.exam.assignment import (
    CODE_ALPHABET,
    assign_variants,
    paper_stem,
    question_seed,
    slug,
    variant_codes,
)
from grader.tables.student_directory import Student

SECRETS = st.text(min_size=8, max_size=20)


@given(SECRETS, st.integers(1, 8), st.integers(1, 60))
def test_forms_are_dealt_evenly(secret: str, forms: int, count: int) -> None:
    """No form is given out more than once oftener than another, and the same secret deals the same way."""
    dealt = assign_variants(secret, forms, count)
    counts = [dealt.count(form) for form in range(forms)]
    assert sum(counts) == count
    assert max(counts) - min(counts) <= 1
    assert dealt == assign_variants(secret, forms, count)


@given(SECRETS, st.integers(1, 300))
def test_codes_are_unique_and_readable(secret: str, count: int) -> None:
    """Every variant has a code of its own, without letters that look alike; more variants keep the codes."""
    names = variant_codes(secret, None, count)
    assert len(set(names)) == count
    assert all(set(name) <= set(CODE_ALPHABET) and len(name) == 6 for name in names)
    assert variant_codes(secret, None, count + 5)[:count] == names
    assert variant_codes(secret, 3, count) == ("A", "B", "C")


@given(SECRETS, SECRETS)
def test_nothing_is_the_same_under_another_secret(one: str, other: str) -> None:
    """Codes, seeds and file names all depend on the secret."""
    if one == other:
        return
    student = Student("7", "Ada Lovelace")
    assert variant_codes(one, None, 3) != variant_codes(other, None, 3)
    assert question_seed(one, 0) != question_seed(other, 0)
    assert question_seed(one, 0) != question_seed(one, 1)
    assert paper_stem(one, student) != paper_stem(other, student)
    assert paper_stem(one, student) != paper_stem(one, Student("8", "Ada Lovelace"))


@given(st.text(max_size=80))
def test_file_names_are_harmless(name: str) -> None:
    """Whatever the name, the file's name has small letters, digits and dashes, and is not long."""
    made = slug(name)
    assert made
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert len(made) <= 40
    assert made[0] != "-"
