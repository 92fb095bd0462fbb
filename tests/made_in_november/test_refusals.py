"""Work that is older than version 0.1.0 is refused with its reason, and what people did by hand is saved."""

import gzip
import shutil
from pathlib import Path

import pytest

from grader.version import PROGRAM
from tests.cli.running import gametree
from tests.grading.classroom import build, student
from tests.publishing.test_building import contents

HERE = Path(__file__).resolve().parent


@pytest.fixture
def exam(tmp_path: Path) -> Path:
    """A copy of the exam with its gradebook."""
    folder = tmp_path / "exam"
    shutil.copytree(HERE / "exam", folder)
    packed = folder / "grades" / "gradebook.db.gz"
    packed.with_suffix("").write_bytes(gzip.decompress(packed.read_bytes()))
    packed.unlink()
    return folder


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (["exam", "verify"], f"{PROGRAM} cannot read variants[0].questions[0].parts[0] (language is missing"),
        (["grade", "{folder}", str(HERE / "replies.csv")], f"{PROGRAM} cannot read part 1 of variant 6EQ4PV"),
        (["gradebook", "show"], f"with schema 2, and {PROGRAM} reads schema 4 only"),
        (["gradebook", "export", "{folder}", "-o", "-"], f"with schema 2, and {PROGRAM} reads schema 4 only"),
        (["gradebook", "regrade"], f"with schema 2, and {PROGRAM} reads schema 4 only"),
        (["gradebook", "feedback"], f"with schema 2, and {PROGRAM} reads schema 4 only"),
        (["report"], f"with schema 2, and {PROGRAM} reads schema 4 only"),
    ],
    ids=" ".join,
)
def test_older_work_is_refused_with_its_reason(exam: Path, command: list[str], reason: str) -> None:
    """Every command names the version that made the file and what it cannot read, and changes nothing."""
    before = contents(exam)
    words = [word.replace("{folder}", str(exam)) for word in command]
    ran = gametree(*words, *([] if str(exam) in words else [str(exam)]))
    assert (ran.code, ran.out) == (2, "")
    assert "was made by gametree-grader 0.1.0" in ran.err
    assert reason in ran.err
    assert "use the version that made it" in ran.err
    assert contents(exam) == before


def test_marks_set_by_hand_are_saved(exam: Path, tmp_path: Path) -> None:
    """Marks that people set in a gradebook of an older schema become a table, which today's program takes."""
    marks, today = tmp_path / "marks.csv", tmp_path / "today"
    saved = gametree("gradebook", "overrides", str(exam), "-o", str(marks))
    assert (saved.code, saved.err) == (0, "2 marks were set by hand.\n")
    assert marks.read_text(encoding="utf-8-sig").splitlines() == [
        "student,question,points,reason",
        "7,1,1.5,said so aloud",
        "8,2,2,'=late",
    ]
    build(today, [student(7), student(8)])
    ids = {"7": student(7).identifier, "8": student(8).identifier}
    rows = (
        marks.read_text(encoding="utf-8-sig")
        .replace("7,1,", f"{ids['7']},1,")
        .replace("8,2,", f"{ids['8']},1,")
    )
    marks.write_text(rows, encoding="utf-8")
    (tmp_path / "none.csv").write_text("student,1\n", encoding="utf-8")
    gametree("grade", str(today), str(tmp_path / "none.csv"), "--executor", "here")
    assert gametree("gradebook", "override", str(today), "--table", str(marks)).code == 0
    again = gametree("gradebook", "overrides", str(today), "-o", "-")
    assert sorted(again.out.lstrip("\ufeff").splitlines()) == sorted(rows.splitlines())


def test_what_is_no_gradebook_is_no_older_one(exam: Path) -> None:
    """A damaged file is said to be damaged, whatever version it was of."""
    path = exam / "grades" / "gradebook.db"
    data = bytearray(path.read_bytes())
    data[100:] = bytes(len(data) - 100)
    path.write_bytes(data)
    ran = gametree("gradebook", "overrides", str(exam), "-o", "-")
    assert (ran.code, ran.out) == (2, "")
    assert "cannot be read" in ran.err
