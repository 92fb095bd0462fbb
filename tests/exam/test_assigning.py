"""The laws of dealing out variants: evenly, the same every time, and telling nothing."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exam import assignment
from grader.exam.assignment import (
    CODE_ALPHABET,
    PaperOwner,
    deal_forms,
    form_codes,
    paper_stem,
    question_seed,
    slug,
    spare_owner,
    student_owner,
    variant_codes,
)
from grader.tables.student_directory import Student

SECRETS = st.text(min_size=8, max_size=20)


@given(SECRETS, st.integers(1, 8), st.integers(1, 60))
def test_forms_are_dealt_evenly(secret: str, forms: int, count: int) -> None:
    """No form is given out more than once oftener than another, and the same secret deals the same way."""
    dealt = deal_forms(secret, forms, count)
    counts = [dealt.count(form) for form in range(forms)]
    assert sum(counts) == count
    assert max(counts) - min(counts) <= 1
    assert dealt == deal_forms(secret, forms, count)
    assert form_codes(forms) == tuple("ABCDEFGH"[:forms])


def owners(count: int) -> list[PaperOwner]:
    """So many students."""
    return [student_owner(Student(f"{number}", "Ada")) for number in range(count)]


@given(SECRETS, st.integers(1, 100), st.randoms(use_true_random=False))
def test_codes_are_unique_and_readable(secret: str, count: int, random: Random) -> None:
    """Every paper has a code of its own, without letters that look alike, whoever else is in the class."""
    codes = variant_codes(secret, owners(count))
    assert len(set(codes.values())) == count
    assert all(set(name) <= set(CODE_ALPHABET) and len(name) == 6 for name in codes.values())
    others = random.sample(owners(count + 5), count // 2)
    assert all(
        variant_codes(secret, others)[owner] == codes.get(owner, "") for owner in others if owner in codes
    )


def test_equal_draws_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where two students draw one code the order of the class list does not say who keeps it."""
    monkeypatch.setattr(assignment, "CODE_LENGTH", 1)
    forwards = variant_codes("a secret", owners(20))
    backwards = variant_codes("a secret", owners(20)[::-1])
    assert len(set(forwards.values())) == 20
    assert forwards == backwards
    late = student_owner(Student("late", "Ada"))
    assert variant_codes("a secret", [late], set(forwards.values()))[late] not in forwards.values()


@given(SECRETS, SECRETS)
def test_nothing_is_the_same_under_another_secret(one: str, other: str) -> None:
    """Codes, seeds and file names all depend on the secret."""
    if one == other:
        return
    student, (owner, neighbour) = Student("7", "Ada Lovelace"), owners(2)
    assert variant_codes(one, [owner]) != variant_codes(other, [owner])
    assert question_seed(one, 0) != question_seed(other, 0)
    assert len({question_seed(one, 0), question_seed(one, 1), question_seed(one, 0, owner)}) == 3
    assert question_seed(one, 0, owner) != question_seed(one, 0, neighbour)
    assert question_seed(one, 0, spare_owner(1)) != question_seed(one, 0, PaperOwner("student", "1"))
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
