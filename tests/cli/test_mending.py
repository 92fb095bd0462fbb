"""What a teacher mends afterwards: files that were corrected, rows that are nobody's, lists of decisions."""

from pathlib import Path

import pytest

from tests.cli.running import Ran, gametree
from tests.grading.classroom import build, student

CLASS = tuple(map(student, range(1, 9)))
HEADER = "id,1,2a,2b,3"


@pytest.fixture
def exam(tmp_path: Path) -> Path:
    """The folder of an exam of eight students."""
    build(tmp_path, CLASS, codes=("A",))
    return tmp_path


def grade(exam: Path, name: str, rows: tuple[str, ...], *options: str) -> Ran:
    """Grade a file of this name with these rows."""
    table = exam / name
    table.write_text("".join(f"{line}\n" for line in (HEADER, *rows)))
    return gametree("grade", str(exam), str(table), "--executor", "here", *options)


def shown(exam: Path) -> str:
    """The points of everybody, and what is left."""
    return gametree("gradebook", "show", str(exam)).out


def rows_of(first: str) -> tuple[str, ...]:
    """A row for everybody, with this answer to the first question."""
    return tuple(f"{each.identifier},{first},A=3 B=3 C=2 D=2,B,5 6" for each in CLASS)


def test_a_corrected_file_replaces_the_old(exam: Path) -> None:
    """A corrected file contests what was taken in, until it is said to replace it; then only it counts."""
    assert grade(exam, "responses.csv", rows_of("2")).code == 0
    contested = grade(exam, "responses.csv", rows_of("3"))
    assert contested.code == 1
    assert "--replaces OLD" in contested.err
    replaced = grade(exam, "responses.csv", rows_of("3"), "--replaces", "responses.csv")
    assert replaced.code == 0, replaced.err
    assert "responses.csv is replaced by responses.csv, which counts no more" in replaced.err
    again = grade(exam, "responses.csv", rows_of("3"))
    assert again.code == 0, again.err
    alone = exam / "alone"
    build(alone, CLASS, codes=("A",))
    assert grade(alone, "responses.csv", rows_of("3")).code == 0
    assert shown(exam) == shown(alone)


def test_who_is_missing_in_the_corrected_file(exam: Path) -> None:
    """Somebody who stood only in the file that was replaced has handed in nothing."""
    assert grade(exam, "old.csv", rows_of("3")).code == 0
    ran = grade(exam, "new.csv", rows_of("3")[1:], "--replaces", "old.csv")
    assert "4 MISSING" in ran.out
    assert ran.code == 1
    back = grade(exam, "old.csv", rows_of("3"))
    assert back.code == 2
    assert "counts no more: new.csv was taken in to replace it" in back.err


def test_what_is_replaced_was_taken_in(exam: Path) -> None:
    """A name that nothing was taken in from is refused, with the names that there are; so are two files."""
    assert grade(exam, "old.csv", rows_of("3")).code == 0
    ran = grade(exam, "new.csv", rows_of("2"), "--replaces", "older.csv")
    assert ran.code == 2
    assert "no file 'older.csv'" in ran.err
    assert "old.csv" in ran.err
    two = gametree("grade", str(exam), str(exam / "old.csv"), str(exam / "new.csv"), "--replaces", "old.csv")
    assert two.code == 2
    assert "one file" in two.err


def test_a_row_that_is_nobodys(exam: Path) -> None:
    """A row that is to be ignored, by its student or by its place, is no reason for an exit code of 1."""
    rows = (*rows_of("3"), "teststudent,1,,,", ",5,,,")
    assert grade(exam, "r.csv", rows).code == 1
    ran = grade(exam, "r.csv", rows, "--ignore", "teststudent", "--ignore", "r.csv, line 11")
    assert ran.code == 0, ran.err
    assert "2 ignored" in ran.out
    assert grade(exam, "r.csv", rows).code == 0
    assert grade(exam, "s.csv", ("teststudent,1,,,",)).code == 0
    wrong = grade(exam, "r.csv", rows, "--ignore", "teststudnet")
    assert wrong.code == 2
    assert "Did you mean 'teststudent'?" in wrong.err


def test_an_ignored_row_of_a_student(exam: Path) -> None:
    """What was taken from a row counts no more when the row is ignored later."""
    assert grade(exam, "r.csv", rows_of("3")).code == 0
    ran = grade(exam, "r.csv", rows_of("3"), "--ignore", CLASS[0].identifier)
    assert "4 MISSING" in ran.out
    assert ran.code == 1
