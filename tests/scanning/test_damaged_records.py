"""Our own files, damaged in type and not in syntax: a sentence with the file, and never a traceback."""

import copy
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.cli.running import gametree
from tests.made_by_0_1.frozen import unpacked
from tests.scanning.desks import room

VALUES: tuple[Any, ...] = (None, True, -1, 99, 10**400, float("nan"), "", "x", [], [1], {"a": 1})
"""What is put in the place of a value."""

BOXES, PAGES, DECISIONS = (
    "instructor/boxes.json",
    "grades/scans/pages.jsonl",
    "grades/scans/decisions.jsonl",
)

SAMPLE = 25
"""So many changes of each file are tried; all of them were, once."""


@pytest.fixture
def exam(tmp_path: Path) -> Path:
    """An exam with scans and decisions."""
    return unpacked("scanned", tmp_path) / "exam"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An exam of this version for two students, of which nothing was scanned yet; not to be changed."""
    folder = room(tmp_path_factory.mktemp("built") / "exam", ("Ada", "Bo")).folder
    assert gametree("scan", str(folder)).code == 0
    return folder


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value; of long lists and objects the first two."""
    yield path
    children: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        children = [*value.items()][: 14 if len(value) < 14 else 2]
    elif isinstance(value, list):
        children = [*enumerate(value)][:2]
    for name, child in children:
        yield from places(child, (*path, name))


def changed(record: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A record with another value in one place."""
    if not path:
        return value
    new = copy.deepcopy(record)
    inner = new
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    return new


@pytest.mark.parametrize("name", [BOXES, PAGES, DECISIONS])
def test_a_value_of_another_type(exam: Path, name: str) -> None:
    """Whatever stands in the place of a value, `scan` reads on or refuses the file by its name."""
    text = (exam / name).read_text(encoding="utf-8")
    first, *rest = [text] if name == BOXES else text.splitlines()
    record, random = json.loads(first), Random(name)
    refused = 0
    pairs = [(path, value) for path in places(record) for value in VALUES]
    for path, value in random.sample(pairs, SAMPLE):
        lines = [json.dumps(changed(record, path, value)), *rest]
        (exam / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        ran = gametree("scan", str(exam), "--json")
        assert ran.code in (0, 1, 2), (path, value)
        if ran.code == 2:
            refused += 1
            assert Path(name).name in ran.err, (path, value, ran.err)
    assert refused or name != BOXES


@pytest.mark.parametrize(
    "line", [b"[" * 100_000, b'{"says": "\\ud800", "schema": 1}', b'{"says": NaN}', b"\xff"]
)
@pytest.mark.parametrize("name", [PAGES, DECISIONS])
def test_a_line_that_no_program_writes(exam: Path, name: str, line: bytes) -> None:
    """A line of a journal that is not JSON of our own is left out, and told; all others are read."""
    before = gametree("scan", str(exam), "--json")
    (exam / name).write_bytes((exam / name).read_bytes() + line + b"\n")
    after = gametree("scan", str(exam), "--json")
    assert (after.code, after.out, before.err) == (before.code, before.out, "")
    assert after.err.startswith(f"Note: 1 line of {exam / name} cannot be read and is left out")


def test_a_byte_order_mark_hides_no_line(exam: Path) -> None:
    """A journal that an editor saved with a byte order mark keeps its first line."""
    before = gametree("scan", str(exam), "--json")
    (exam / PAGES).write_bytes(b"\xef\xbb\xbf" + (exam / PAGES).read_bytes())
    assert gametree("scan", str(exam), "--json") == before


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("layouts", 0, 0, 0, 1), 10**400, "layouts[0][0][0][1] is too large a number"),
        (("layouts", 0, 0, 0, 0), "", "it has no box 1.0.0"),
        (("layouts", 0, 0), [], "it has no box 1.0.0"),
        (("layouts", 0), [], "does not have one code for each page"),
        (("variants",), {}, "it has no boxes of variant"),
        (("variants", "MP4NHA", "layout"), 7, "there is no layout 7"),
        (("size",), "a9", "size: size is not as this program writes it"),
    ],
)
def test_boxes_that_are_not_on_the_papers(exam: Path, path: tuple[Any, ...], value: Any, told: str) -> None:
    """A record of boxes that lacks one, or has one nowhere, is refused with the place."""
    record = json.loads((exam / BOXES).read_text(encoding="utf-8"))
    (exam / BOXES).write_text(json.dumps(changed(record, path, value)), encoding="utf-8")
    ran = gametree("scan", str(exam), "--json")
    assert ran.code == 2
    assert "boxes.json cannot be used" in ran.err
    assert told in ran.err


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda _data: None, "it is missing"),
        (lambda _data: b"", "it is empty"),
        (lambda _data: b"[]", "it is not the record of the boxes"),
        (lambda data: data[: len(data) // 2], "it breaks off in line "),
        (lambda data: data.replace(b":", b"=", 1), "it is damaged in line 1, column "),
        (lambda data: data.replace(b":", b"\xff", 1), "it is damaged at byte "),
    ],
)
def test_a_damaged_file_of_boxes(
    built: Path, tmp_path: Path, damage: Callable[[bytes], bytes | None], told: str
) -> None:
    """Verifying names the fault of the file once, not once a paper; whoever needs it names fault and cure."""
    exam = shutil.copytree(built, tmp_path / "exam")
    data = damage((exam / BOXES).read_bytes())
    (exam / BOXES).unlink()
    if data is not None:
        (exam / BOXES).write_bytes(data)
    verified = gametree("exam", "verify", str(exam), "--jobs", "1")
    faults = [line for line in verified.out.splitlines() if line.startswith(f"wrong  {BOXES}")]
    assert verified.code == 1
    assert len(faults) == (1 if data is None else 2), faults
    assert faults[-1].startswith(f"wrong  {BOXES}: {'is missing' if data is None else f'is damaged: {told}'}")
    assert "Hint: Restore a copy of the file;" in verified.err
    for command in ("scan", "grade"):
        ran = gametree(command, str(exam))
        assert ran.code == 2
        assert f"{BOXES} cannot be used: {told}" in ran.err
        assert "Hint: Restore a copy of the file;" in ran.err


LARGE = b"\xff\xd8\xff\xc0\x00\x0b\x08\xff\xff\xff\xff\x01\x01\x11\x00"
"""The first bytes of a JPEG of four billion pixels."""


@pytest.mark.parametrize("data", [b"", b"x", LARGE, None])
@pytest.mark.parametrize("command", [("scan", "--annotate"), ("gradebook", "feedback", "--jobs", "1")])
def test_a_damaged_picture(exam: Path, data: bytes | None, command: tuple[str, ...]) -> None:
    """A stored page that is damaged is named; nothing ends with a traceback."""
    picture = sorted((exam / "grades/scans/pages").iterdir())[0]
    picture.write_bytes(picture.read_bytes()[:2000] if data is None else data)
    ran = gametree(*command, str(exam))
    if command[0] == "scan":
        assert ran.code == 2
        assert "this stored page is damaged" in ran.err
    else:
        assert ran.code in (0, 1, 2)
