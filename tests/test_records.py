"""The laws of what the program keeps: formats have names of their own, and a schema is checked first."""

import ast
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

import grader
from grader.base.json_records import JsonRecord, RecordError
from grader.base.records import SchemaError, require_schema, stamp
from grader.exam.folders import BOXES_FILE, BUILD_PLAN_FILE, EXAM_FILE, LOCK_FILE
from grader.exam.manifest import Origin, QuestionRecord, Seat, open_exam
from grader.exam.paper import Heading, Question
from grader.exercises.exercise import Exercise, PublicExercise
from grader.exercises.exercise_file import read_exercise
from grader.exercises.marking import Mark
from grader.generation.measures import Profile
from grader.grading.exam_keys import read_exam_keys, require_readable_exercises
from grader.grading.gradebook_store import Gradebook
from grader.grading.records import Entry, OddRow, Outcome, Submission
from grader.publishing.exam_folder import prepare_folder
from grader.publishing.exam_lock import Lock, read_lock
from grader.publishing.sheet import PartSheet, QuestionSheet, Sheet, Space
from grader.scanning.journal import DECISIONS_FILE, PAGES_FILE, SCANS_FOLDER, Journal
from grader.scanning.page_reading import PageReading
from grader.scanning.places import ScannedExam, read_boxes
from grader.tables.student_directory import Student
from grader.trees.annotations import Attributes, Header
from grader.trees.games.search_size import SearchExtent
from grader.trees.notation.diagnostics import Diagnostic, Diagnostics
from grader.trees.rules import Rules
from grader.version import PROGRAM
from tests.cli.running import gametree
from tests.grading.classroom import build, change_exam, student
from tests.test_architecture import modules, nodes
from tests.written_records import records

PACKAGE = Path(grader.__file__).parent

RECORDS: tuple[type[Any], ...] = (
    Attributes,
    Diagnostic,
    Entry,
    Exercise,
    Header,
    Heading,
    Lock,
    Outcome,
    Mark,
    OddRow,
    Origin,
    PageReading,
    PartSheet,
    Profile,
    PublicExercise,
    Question,
    QuestionSheet,
    Rules,
    ScannedExam,
    SearchExtent,
    Seat,
    Sheet,
    Space,
    Student,
    Submission,
)
"""The classes whose fields are written under a key: into files, for templates, or as JSON."""

SHARED = frozenset(
    {
        *("code", "column", "count", "date", "digest", "file", "files", "items", "key", "line", "match"),
        *("name", "names", "number", "size", "state", "states", "texts", "time", "title", "value", "weights"),
    }
)
"""Names that Python, libraries, templates or slots use too: renamed everywhere they would break those."""

NEWER = {"schema": 99, "program": "gametree-grader 9.9.0"}


def fields_of(record: type[Any]) -> tuple[str, ...]:
    """The fields of a dataclass or of a named tuple, as they are given when one is made."""
    if is_dataclass(record):
        return tuple(each.name for each in fields(record) if each.init)
    names: tuple[str, ...] = record._fields
    return names


# Names --------------------------------------------------------------------------------------------


def test_no_format_follows_from_names_of_attributes() -> None:
    """Nothing in the package makes keys of the names of attributes, or attributes of keys.

    `JsonRecord` looks at fields for the keys that are stated next to them. The programs that students hand in
    are no records: their functions are found by name, and their answers are read whatever they are.
    """
    found = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for _, path, tree in modules()
        for node in nodes(tree)
        if _is_forbidden(node)
    ]
    allowed = (
        "base/json_records.py",
        *(f"programs/{name}.py" for name in ("answer_encoding", "calling", "candidates", "child")),
    )
    assert [each for each in found if not each.startswith(allowed)] == []


def _is_forbidden(node: ast.AST) -> bool:
    """Whether it gets the names of all attributes of a record, or all values by these."""
    match node:
        case ast.ImportFrom(module="dataclasses", names=names):
            return not {each.name for each in names}.isdisjoint({"asdict", "astuple", "fields"})
        case ast.Attribute(attr="_asdict" | "_fields") | ast.Call(func=ast.Name(id="vars")):
            return True
    return False


def test_every_record_has_a_field_to_rename() -> None:
    """The list of shared names leaves some field of every record to be renamed."""
    assert [record.__name__ for record in RECORDS if SHARED.issuperset(fields_of(record))] == []


def test_a_renamed_field_changes_no_format(tmp_path: Path) -> None:
    """Records are the same bytes, and are read back, when the fields of all of them are called otherwise."""
    renamed = {name for record in RECORDS for name in fields_of(record)} - SHARED
    shutil.copytree(PACKAGE, tmp_path / "grader", ignore=shutil.ignore_patterns("__pycache__"))
    for path in (tmp_path / "grader").rglob("*.py"):
        path.write_text(with_renamed(path.read_text(encoding="utf-8"), renamed), encoding="utf-8")
    for folder in ("problems", "templates"):
        (tmp_path / folder).symlink_to(PACKAGE.parent / folder)
    script = Path(__file__).with_name("written_records.py")
    (tmp_path / script.name).write_text(with_renamed(script.read_text(encoding="utf-8"), renamed))
    ran = subprocess.run(
        [sys.executable, script.name],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    place = tmp_path / "here"
    place.mkdir()
    assert json.loads(ran.stdout) == records(place)


def with_renamed(source: str, names: set[str]) -> str:
    """The source of a module in which attributes of these names are called `NAME_renamed` everywhere.

    Renamed are the fields and methods of every class, what is got from an object by a dot, and the arguments
    of what makes or copies an object. Texts stay, and with them the keys of records.
    """
    data = source.encode()
    starts = [0, *(place.end() for place in re.finditer(b"\n", data))]
    wanted = {name.encode() for name in names}
    dotted = re.compile(rb"(?<=[\w)\]\"]\.)(" + b"|".join(sorted(wanted)) + rb")\b")
    edits: dict[int, tuple[int, bytes]] = {}
    for node in _outside_of_texts(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            start, end = (
                (starts[node.lineno - 1] + node.col_offset),
                (starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)),
            )
            inside = re.sub(
                rb"\{[^}]*\}", lambda found: dotted.sub(rb"\1_renamed", found[0]), data[start:end]
            )
            edits[start] = end, inside
        elif isinstance(node, ast.Attribute) and node.attr in names:
            end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            edits[end] = end, b"_renamed"
        for line, column, name in _named(node, names):
            found = re.compile(rb"\b" + name.encode() + rb"\b").search(data, starts[line - 1] + column)
            assert found is not None
            edits[found.end()] = found.end(), b"_renamed"
    for start, (end, text) in sorted(edits.items(), reverse=True):
        data = data[:start] + text + data[end:]
    return data.decode()


def _outside_of_texts(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node but those inside of f-strings, which have no places of their own before Python 3.12."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.JoinedStr):
            waiting += ast.iter_child_nodes(node)


def _named(node: ast.AST, names: set[str]) -> Iterator[tuple[int, int, str]]:
    """Where a name of an attribute stands without a dot: the line, a column not behind it, and the name."""
    match node:
        case ast.ClassDef():
            for each in node.body:
                match each:
                    case (
                        ast.AnnAssign(target=ast.Name(id=name))
                        | ast.Assign(targets=[ast.Name(id=name)])
                        | ast.FunctionDef(name=name)
                    ) if name in names:
                        yield each.lineno, each.col_offset, name
        case ast.Call(func=ast.Name(id=made) | ast.Attribute(attr=made)):
            if made[:1].isupper() or made in ("cls", "replace", "_replace", "form"):
                for keyword in node.keywords:
                    if keyword.arg in names:
                        yield keyword.lineno, keyword.col_offset, keyword.arg
        case ast.MatchClass():
            for name, pattern in zip(node.kwd_attrs, node.kwd_patterns, strict=True):
                if name in names:
                    yield pattern.lineno, pattern.col_offset - len(name) - 1, name


ORIGIN = Origin("0" * 64, "1" * 64)
WRITTEN: tuple[JsonRecord, ...] = (
    Student("007", "Ada", lms="31"),
    Lock(ORIGIN, "plan", ("pdf",), (), {"A": ("paper", "key")}, {"keys.pdf": "digest"}, "seal"),
    PageReading("scan.pdf", "d", 1, "read", "", "A", 1, {"1.0.0": "crossed"}, off=0.5),
    Sheet("Quiz", "", "", "en", "a4", (), "A", "c", "1", "1 point", ("x",), ("y",), (), {"name": "Name"}),
    QuestionRecord("1", "Cuts", ({"kind": "windows"},), True, None, ()),
    QuestionRecord("2", "", ({"kind": "windows"},), False, 0, (), "right", 3),
)


@pytest.mark.parametrize("record", WRITTEN, ids=lambda record: type(record).__name__)
def test_records_read_back(record: JsonRecord) -> None:
    """A record is read back from its JSON, and a value of another type is refused with its place."""
    written = json.loads(json.dumps(record.to_json()))
    assert type(record).from_json(written, "here") == record
    for key, value in written.items():
        for other in ({"x": 1}, [{}], "strange", True):
            if type(other) is not type(value):
                with pytest.raises(RecordError) as refused:
                    type(record).from_json({**written, key: other}, "here")
                assert refused.value.place == f"here.{key}"


# Schemas ------------------------------------------------------------------------------------------


def _exam(folder: Path) -> None:
    (folder / EXAM_FILE).write_text(json.dumps(NEWER), encoding="utf-8")
    open_exam(folder)


def _lock(folder: Path) -> None:
    (folder / LOCK_FILE).write_text(json.dumps(NEWER), encoding="utf-8")
    read_lock(folder / LOCK_FILE)


def _boxes(folder: Path) -> None:
    (folder / BOXES_FILE).write_text(json.dumps(NEWER), encoding="utf-8")
    read_boxes(folder)


def _plan(folder: Path) -> None:
    (folder / BUILD_PLAN_FILE).parent.mkdir()
    (folder / BUILD_PLAN_FILE).write_text(json.dumps(NEWER), encoding="utf-8")
    prepare_folder(folder, "another plan", force=False)


def _pages(folder: Path) -> None:
    _journal(folder, PAGES_FILE).scanned_pages()


def _decisions(folder: Path) -> None:
    _journal(folder, DECISIONS_FILE).decisions()


def _journal(folder: Path, name: str) -> Journal:
    (folder / SCANS_FOLDER).mkdir(parents=True)
    (folder / SCANS_FOLDER / name).write_text(json.dumps(NEWER) + "\n", encoding="utf-8")
    return Journal(folder / SCANS_FOLDER, "EXAM")


def _gradebook(folder: Path) -> None:
    path = folder / "gradebook.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE intakes (id INTEGER PRIMARY KEY, program TEXT)")
        connection.execute("INSERT INTO intakes VALUES (1, '9.9.0')")
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    Gradebook.open(path)


@pytest.mark.parametrize(
    ("read", "name"),
    [
        (_exam, "exam.json"),
        (_lock, "exam.lock"),
        (_boxes, "boxes.json"),
        (_plan, "plan"),
        (_pages, "pages.jsonl"),
        (_decisions, "decisions.jsonl"),
        (_gradebook, "gradebook.db"),
    ],
)
def test_a_newer_schema_is_refused_first(read: Callable[[Path], None], name: str, tmp_path: Path) -> None:
    """Of a record of a newer schema nothing else is used: a sentence says which, whose, and what to do."""
    (tmp_path / "instructor").mkdir()
    with pytest.raises(SchemaError) as told:
        read(tmp_path)
    said = str(told.value)
    assert f"{name} was made by gametree-grader 9.9.0 with schema 99" in said
    assert said.endswith(": update the program")


def test_a_newer_exercise_is_a_mistake_in_a_text() -> None:
    """An exercise of a newer schema is refused as every text is: by what is wrong with it, and no more."""
    read = read_exercise({"schema": 99, "generator": "gametree-grader 9.9.0"})
    assert isinstance(read, Diagnostics)
    (fault,) = read
    assert "this exercise was made by gametree-grader 9.9.0 with schema 99" in fault.message


def test_an_older_gradebook_is_not_to_be_updated_for(tmp_path: Path) -> None:
    """Of a gradebook that is too old the advice is another one than to update the program."""
    with sqlite3.connect(tmp_path / "gradebook.db") as connection:
        connection.execute("PRAGMA user_version = 2")
        connection.execute("CREATE TABLE marks (id INTEGER PRIMARY KEY)")
    connection.close()
    with pytest.raises(SchemaError, match=r"with schema 2, .* use the version that made it"):
        Gradebook.open(tmp_path / "gradebook.db")


def test_strange_schemas_are_refused() -> None:
    """Only the schema itself will do: no truth, no text, and no number beyond it."""
    require_schema({}, 1, "a file of version 0.1.0")
    require_schema(stamp(3), 3, "a file")
    for schema in (10**400, -1):
        with pytest.raises(SchemaError, match="a file was made by another version with schema"):
            require_schema({"schema": schema}, 1, "a file")
    for schema in (True, "1", None, [], 2.5):
        with pytest.raises(SchemaError, match=r"a file is damaged: .*; bring back a copy of it"):
            require_schema({"schema": schema}, 1, "a file")


def test_a_newer_exam_is_refused_by_every_command(tmp_path: Path) -> None:
    """Commands refuse a record of a newer schema with exit code 2 and one sentence, and make nothing."""
    folder = tmp_path / "exam"
    build(folder, [student(1)])
    shutil.rmtree(folder / "grades")
    (folder / EXAM_FILE).write_text(json.dumps(NEWER), encoding="utf-8")
    (tmp_path / "replies.csv").write_text("Identifier,1\n00001,3\n", encoding="utf-8")
    for command in (
        ("grade", str(folder), str(tmp_path / "replies.csv")),
        ("gradebook", "show", str(folder)),
        ("exam", "verify", str(folder)),
        ("report", str(folder), "-o", str(tmp_path / "report")),
    ):
        ran = gametree(*command)
        assert ran.code == 2
        assert ran.err == (
            f"Error: {folder / EXAM_FILE} was made by gametree-grader 9.9.0 with schema 99, "
            f"and {PROGRAM} reads schema 1 only: update the program.\n"
        )
    assert not (folder / "grades").exists()


def test_an_exam_that_cannot_be_read_is_not_marked(tmp_path: Path) -> None:
    """Where exercises of another version cannot be read the reason is told before a reply is taken in."""
    folder = tmp_path / "exam"
    build(folder, [student(1)])
    shutil.rmtree(folder / "grades")

    def as_it_was(record: Any) -> None:
        record["program"] = "gametree-grader 0.0.1"
        for variant in record["variants"]:
            del variant["questions"][0]["parts"][0]["prompt"]

    change_exam(folder, as_it_was)
    (tmp_path / "replies.csv").write_text("Identifier,1\n00001,3\n", encoding="utf-8")
    ran = gametree("grade", str(folder), str(tmp_path / "replies.csv"), "--executor", "here")
    assert ran.code == 2
    assert "was made by gametree-grader 0.0.1" in ran.err
    assert "(prompt is missing or not a text): use the version that made it" in ran.err
    assert not (folder / "grades").exists()
    change_exam(folder, lambda record: record.update(program=PROGRAM))
    require_readable_exercises(read_exam_keys(folder))


def test_files_of_the_first_version_are_read(tmp_path: Path) -> None:
    """Boxes and journals that state neither schema nor version are those of version 0.1.0."""
    made = records(tmp_path)
    for path in (
        tmp_path / BOXES_FILE,
        tmp_path / SCANS_FOLDER / PAGES_FILE,
        tmp_path / SCANS_FOLDER / DECISIONS_FILE,
    ):
        lines = path.read_text(encoding="utf-8")
        assert PROGRAM in lines
        path.write_text(re.sub(rf'"program":"{PROGRAM}",', "", lines), encoding="utf-8")
    for name in (PAGES_FILE, DECISIONS_FILE):
        path = tmp_path / SCANS_FOLDER / name
        path.write_text(path.read_text(encoding="utf-8").replace('"schema":1,', ""), encoding="utf-8")
    exam = read_boxes(tmp_path)
    journal = Journal.of(tmp_path, exam)
    assert [page.states for page in journal.pages()] == [{"1.0.0": "crossed"}]
    assert [[*place, says] for place, says in journal.decisions().items()] == json.loads(made["decided"])


@pytest.mark.parametrize("value", [None, 3, "three", [], {}, True, 0.5])
@pytest.mark.parametrize("field", ["file", "number", "fate", "page", "states", "flat", "off"])
def test_pages_of_another_type_are_not_read(field: str, value: object, tmp_path: Path) -> None:
    """A line of the journal in which a value is of another type is as good as none."""
    records(tmp_path) if not (tmp_path / SCANS_FOLDER).exists() else None
    path = tmp_path / SCANS_FOLDER / PAGES_FILE
    line = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    kind = type(line[field])
    path.write_text(json.dumps({**line, field: value}) + "\n", encoding="utf-8")
    (tmp_path / SCANS_FOLDER / DECISIONS_FILE).unlink()
    pages = Journal(tmp_path / SCANS_FOLDER, "EXAM").pages()
    fits = type(value) is kind or (kind is float and type(value) is int)
    assert bool(pages) == (fits and field != "fate")
