"""The laws of reading an exam for grading: a sound record in any layout, one clear message for any other."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.exam.folders import EXAM_FILE
from grader.grading.exam_keys import ExamKeys, ExamKeysError, read_exam_keys
from grader.tables.student_directory import Student
from tests.grading.classroom import build


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ExamKeys, bytes]:
    """An exam in three variants, as grading reads it, and the bytes of its record."""
    folder = tmp_path_factory.mktemp("exam")
    exam = build(folder, [Student(str(number), f"Student {number}") for number in range(4)])
    return folder, exam, (folder / EXAM_FILE).read_bytes()


def refused(folder: Path, data: bytes) -> str:
    """What is said of a record that cannot be used."""
    (folder / EXAM_FILE).write_bytes(data)
    with pytest.raises(ExamKeysError) as told:
        read_exam_keys(folder)
    return str(told.value)


@pytest.mark.parametrize(
    "spell",
    [
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: json.dumps(json.loads(data)).encode(),
        lambda data: json.dumps(json.loads(data), indent=2).encode(),
    ],
    ids=["with-a-mark", "other-line-ends", "one-line", "many-lines"],
)
def test_any_layout_of_the_record_is_read(
    sound: tuple[Path, ExamKeys, bytes], spell: Callable[[bytes], bytes]
) -> None:
    """A record that was mended in an editor or by a script, and saved in its way, is the same exam."""
    folder, exam, data = sound
    (folder / EXAM_FILE).write_bytes(spell(data))
    assert read_exam_keys(folder) == exam


@pytest.mark.parametrize("data", [b"", b"null", b"[]", b"{}", b"PK\x03\x04", b'{"schema": 1}', b"[" * 99_999])
def test_a_foreign_file_is_refused(sound: tuple[Path, ExamKeys, bytes], data: bytes) -> None:
    """What is no exam is named as such, with the file it is in."""
    told = refused(sound[0], data)
    assert told.startswith(EXAM_FILE)
    assert "\n" not in told


def test_a_record_that_breaks_off_is_refused(sound: tuple[Path, ExamKeys, bytes]) -> None:
    """Wherever the file ends too early, grading says so and does not go on with fewer variants."""
    folder, _, data = sound
    ends = [*range(0, len(data) - 3, 997), *(at for at, sign in enumerate(data[:-3]) if sign == ord("\n"))]
    for end in ends:
        assert refused(folder, data[:end]).startswith(EXAM_FILE)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda record: record.pop("heading"), "heading is missing"),
        (lambda record: record["heading"].update(title=3), "title is missing or of the wrong type"),
        (lambda record: record["heading"].update(size="a5"), "heading.size: size is not as this program"),
        (lambda record: record["students"].append(7), "students[4]"),
        (lambda record: record["students"][1].update(variant="Z"), "'Z', which is missing"),
        (lambda record: record["students"].clear(), "several variants"),
        (lambda record: record["variants"].clear(), "which is missing"),
        (lambda record: record["variants"].append(record["variants"][0]), "2 variants have the code"),
        (lambda record: record["variants"][1].pop("questions"), "variants[1].questions"),
        (lambda record: record["variants"][1]["questions"][0].update(parts=[]), "without a part"),
        (lambda record: record["variants"][1]["questions"][0]["parts"][0].pop("key"), "variants[1]"),
        (lambda record: record["variants"][1]["questions"][0]["parts"][0].update(points="x"), "points"),
        (lambda record: record["variants"][1]["questions"][0]["parts"][0].update(points="7"), "same points"),
        (lambda record: record.update(variants={}), "variants is missing or of the wrong type"),
    ],
)
def test_damage_is_told_with_its_place(
    sound: tuple[Path, ExamKeys, bytes], damage: Callable[[Any], object], said: str
) -> None:
    """A field that is missing, of the wrong type, or at odds with another is told by its name or place."""
    folder, _, data = sound
    record = json.loads(data)
    damage(record)
    assert said in refused(folder, json.dumps(record).encode())


def test_bytes_that_are_no_text_are_refused(sound: tuple[Path, ExamKeys, bytes]) -> None:
    """A record in another encoding, in its head or in a variant, is not read as something else."""
    folder, _, data = sound
    for old, new in ((b"Midterm", b"Pr\xfcfung"), (b"Student 3", b"Ren\xe9")):
        assert "it is damaged" in refused(folder, data.replace(old, new))
    last = data.rindex(b'"label"')
    assert "it is damaged" in refused(folder, data[:last] + b"\xff" + data[last:])
