"""Hostile inputs: whatever is handed in at any door, there is an answer or a sentence, never an exception."""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time
from traceback import extract_tb
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile

from PIL import Image

from grader.answers.form import Terms
from grader.base.canonical_json import canonical_json
from grader.base.records import SchemaError, stamp
from grader.base.shipped import shipped_folder
from grader.exam.answer_statistics import STATISTICS_SCHEMA, StatisticsError, read_statistics
from grader.exam.blueprint_file import read_blueprint
from grader.exam.folders import ASSIGNED_FILE
from grader.exam.manifest import Exam, SparePaper, open_exam, read_exam
from grader.exam.roster import read_roster
from grader.exam.spares import SparePapers
from grader.exercises.exercise import Exercise
from grader.exercises.exercise_file import read_exercise
from grader.exercises.marking import Marker, State
from grader.generation.grower import grow
from grader.generation.recipe_file import default_recipe, read_recipe
from grader.grading.exam_keys import read_exam_keys
from grader.grading.gradebook_store import Gradebook
from grader.grading.intake import append_tables
from grader.programs.child import run_job
from grader.programs.example_trees import Example, examples_for
from grader.programs.interface import Interface, load_interface
from grader.programs.records import verdict_record
from grader.programs.run_reports import collect_run, read_reports
from grader.programs.sentences import sentence_of
from grader.programs.submissions import read_programs
from grader.programs.verdict import judge_run
from grader.questions import all_kinds
from grader.scanning.journal import PAGES_FILE, Journal
from grader.scanning.page_reading import PageReading
from grader.scanning.rasters import Raster, ScanError, page_count, rasters
from grader.tables.columns import match_columns
from grader.tables.readers import read_submissions
from grader.tables.rows import TableError
from grader.trees.games import GAMES
from grader.trees.games.game_definition import PositionError
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.notation.exchange_efg import read_efg, write_efg
from grader.trees.notation.exchange_json import read_json, write_json
from grader.web.classroom import VIEWS, Classroom
from grader.web.classroom_pages import ClassDesk, phone_desk, teacher_desk, wall_desk
from grader.web.messages.handler import HANDLERS, MessageHandler
from grader.web.question_pool import EXAM, QuestionPool
from tests.answers.every_form import FORMS
from tests.answers.test_hostile import TREES, judged
from tests.answers.test_hostile import damaged as damaged_reply
from tests.campaigns.damage import (
    MOST,
    changed_bytes,
    damaged,
    damaged_bytes,
    damaged_json,
    damaged_record,
)
from tests.grading.classroom import build, student
from tests.strategies import random_tree
from tests.trees.notation.test_fuzz import fuzzed, judge

PART = 1_000
"""So many inputs a seed stands for."""

SLOWEST = 5.0
"""So many seconds of processor time no input of these sizes may take."""

Door = Callable[[Random], None]


def wrong_inputs(seed: str, count: int = PART) -> Iterator[str]:
    """What was wrong with so many inputs, each at one of the doors."""
    random = Random(seed)
    exercises()  # are grown once, which is no input's time
    for number in range(count):
        door = random.choice(DOORS)
        before, started = random.getstate(), process_time()
        try:
            door(random)
        except Exception as error:  # whatever a door raises is what is looked for
            place = extract_tb(error.__traceback__)[-1]
            where = f"{Path(place.filename).name}:{place.lineno}"
            yield f"input {number}, {door.__name__}: {type(error).__name__} at {where}: {str(error)[:300]!r}"
        if process_time() - started > SLOWEST:
            yield f"input {number}, {door.__name__}: took {process_time() - started:.0f} s"
        assert random.getstate() != before, "an input is drawn"


@cache
def exercises() -> tuple[Exercise, ...]:
    """One exercise of each kind and ask."""
    return tuple(grow(default_recipe(kind.code), "hostile") for kind in all_kinds())


@cache
def markers() -> tuple[Marker, ...]:
    """What marks replies to them."""
    return tuple(map(Marker, exercises()))


@cache
def content(folder: str, pattern: str) -> tuple[str, ...]:
    """The files of the content that comes with us."""
    return tuple(
        path.read_text(encoding="utf-8")
        for path in sorted((shipped_folder("problems") / folder).glob(pattern))
    )


@cache
def exam() -> tuple[TemporaryDirectory[str], Path]:
    """The folder of an exam of three students, gone when the program ends."""
    folder = TemporaryDirectory()
    build(Path(folder.name), [student(number) for number in range(3)])
    return folder, Path(folder.name)


@cache
def exam_with_a_spare_paper() -> Exam:
    """The same exam with one of its papers as a spare one."""
    found = open_exam(exam()[1])
    assert isinstance(found, Exam)
    return replace(found, spares=(SparePaper("A", "spare-1"),))


@cache
def classroom() -> tuple[Classroom, tuple[ClassDesk, ...]]:
    """A class with an open question, and what answers phones, the wall and the teacher."""
    room = Classroom(QuestionPool(1, "hostile"))
    room.start("root-value", EXAM, is_shared=True)
    return room, (phone_desk(room), wall_desk(room), teacher_desk(room))


@cache
def program() -> tuple[Interface, tuple[Example, ...], tuple[dict[str, Any], ...]]:
    """An interface with a few of its trees, and what a right program reports on them."""
    interface, records = load_interface("lists"), list[dict[str, Any]]()
    examples = tuple(examples_for(interface)[:6])
    source = (
        "def minimax(node, is_max=True):\n    if not isinstance(node, list): return node\n"
        "    return (max if is_max else min)(minimax(child, not is_max) for child in node)\n"
    )
    job = {"file": "/program/search.py", "source": source, "interface": "lists"}
    run_job({**job, "trees": [example.to_job() for example in examples]}, records.append)
    return interface, examples, tuple(records)


@cache
def scanned_pages() -> tuple[tuple[str, bytes], ...]:
    """A small page as a picture of each format, with the suffix of its name."""
    page, pages = Image.effect_noise((300, 300), 60), list[tuple[str, bytes]]()
    for suffix in (".png", ".jpg", ".webp", ".bmp", ".tif"):
        file, several = BytesIO(), {"save_all": True, "append_images": [page]} if suffix == ".tif" else {}
        page.save(file, Image.registered_extensions()[suffix], **several)
        pages.append((suffix, file.getvalue()))
    return tuple(pages)


def said(found: object) -> None:
    """Hold what is wrong with a text to have a sentence that can be shown."""
    if isinstance(found, Diagnostics):
        shown(str(found))


def shown(sentence: str) -> None:
    """Hold a sentence to say something, without what would steer a terminal or fit into no file."""
    assert sentence.strip()
    assert "\x1b" not in sentence
    assert sentence.encode("utf-8")


def trees_as_text(random: Random) -> None:
    """A tree in the notation."""
    judge(fuzzed(random))


def trees_as_json(random: Random) -> None:
    """A tree as JSON."""
    written = write_json(random_tree(random, plies=3, leaves=6, chance=random.random() < 0.5))
    if random.random() < 0.5:
        said(read_json(damaged(random, written)))
    else:
        said(read_json(json.dumps(damaged_record(random, json.loads(written)))))


def trees_as_efg(random: Random) -> None:
    """A tree of Gambit."""
    written = write_efg(random_tree(random, plies=3, leaves=6, chance=random.random() < 0.5))
    assert isinstance(written, str)
    said(read_efg(damaged(random, written)))


def replies(random: Random) -> None:
    """A reply to a form."""
    form, tree = random.choice(FORMS), random.choice(TREES)
    judged(form, damaged_reply(random), tree, Terms(decimal_comma=random.random() < 0.3))


def marks(random: Random) -> None:
    """A reply to an exercise: a damaged answer, or what was never meant for it."""
    marker = random.choice(markers())
    own = (marker.exercise.key, *marker.exercise.beliefs.values(), marker.exercise.kind.form.example)
    text = damaged_reply(random) if random.random() < 0.3 else damaged(random, random.choice(own), own[0])
    mark = marker.mark(text)
    assert mark.state is not State.ERROR, text
    assert mark.points is None or 0 <= mark.points <= marker.exercise.public.terms.points, text


def exercise_records(random: Random) -> None:
    """The record of an exercise."""
    record = random.choice(exercises()).to_json()
    if random.random() < 0.3:
        said(read_exercise(damaged(random, canonical_json(record))))
    else:
        said(read_exercise(json.dumps(damaged_record(random, record))))


def exam_records(random: Random) -> None:
    """The record of an exam, with all its variants."""
    _, folder = exam()
    text = (folder / "instructor" / "exam.json").read_text(encoding="utf-8")
    if random.random() < 0.5:
        place = random.randrange(len(text))
        text = text[:place] + damaged(random, text[place:], text) + text[place + MOST :]
    else:
        text = json.dumps(damaged_record(random, json.loads(text)))
    try:
        found = read_exam(text.splitlines(keepends=True))
    except SchemaError as refusal:  # the command line prints it as it is
        shown(str(refusal))
        return
    said(found)


def recipes(random: Random) -> None:
    """A recipe."""
    texts = content("recipes", "*.toml")
    said(read_recipe(damaged(random, random.choice(texts), random.choice(texts))))


def blueprints(random: Random) -> None:
    """The blueprint of an exam."""
    texts = content("exams", "*.toml")
    said(
        read_blueprint(
            damaged(random, random.choice(texts), random.choice(texts)), shipped_folder("problems") / "exams"
        )
    )


def class_lists(random: Random) -> None:
    """A class list."""
    (text,) = content("exams", "class.csv")
    if random.random() < 0.5:
        said(read_roster(damaged(random, text, text).encode("utf-8", "surrogatepass")))
    else:
        said(read_roster(damaged_bytes(random, text.encode(random.choice(("utf-8", "utf-16", "cp1252"))))))


def submissions(random: Random) -> None:
    """A file of replies, taken into a gradebook."""
    _, folder = exam()
    keys = read_exam_keys(folder)
    rows = [(f"{number:05d}", "3", "A=3, B=3, C=2, D=2", "B", "5, 6") for number in range(3)]
    match random.choice((".csv", ".jsonl", ".txt", ".tree")):
        case ".csv" as suffix:
            text = "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in [("id", *PARTS), *rows])
        case ".jsonl" as suffix:
            text = "".join(
                json.dumps(dict(zip(("id", *PARTS), row, strict=True)), ensure_ascii=False) + "\n"
                for row in rows
            )
        case ".txt" as suffix:
            text = "id: 00001\n1) 3\n2a) A=3, B=3, C=2, D=2\n2b) B\n3) 5, 6\n"
        case suffix:
            text = "MAX A=3 (MIN B=3 (3 12 8) MIN C=2 (2 ~4 ~6) MIN D=2 (14 5 2))"
    path = folder / f"00001{suffix}"
    path.write_bytes(damaged(random, text, text).encode("utf-8", "surrogatepass"))
    (folder / "book.db").unlink(missing_ok=True)
    try:
        table = read_submissions(path, keys.parts)
        columns = match_columns(table, keys.parts)
        with Gradebook.open(folder / "book.db", create=True) as book:
            counts = append_tables(book, keys, [(table, columns)]).counts
        assert counts["rows"] == sum(counts.values()) - counts["rows"]
    except TableError as error:
        shown(str(error))
    finally:
        path.unlink()


def positions(random: Random) -> None:
    """A position of a game."""
    game = random.choice(GAMES)
    start = random.choice([*game.starts.values()])
    text = damaged(random, game.write(start), "X.O/.X./..O 3 5 7")
    try:
        game.position(text)
    except PositionError as error:
        shown(str(error))


def messages(random: Random) -> None:
    """What a page asks of the grader."""
    exercise = random.choice(exercises())
    message = {
        "ask": random.choice((*HANDLERS, "mark", "check")),
        "exercise": exercise.to_json(),
        "reply": damaged_reply(random),
        "tree": fuzzed(random),
        "rules": {"ties": "keep", "order": "right-to-left"},
        "number": 1,
        "kind": exercise.public.kind,
        "level": "",
        "notes": [],
        "seen": [],
        "start": 0,
    }
    desk = MessageHandler(lambda *_: ())
    answer = desk.reply(json.dumps(message if random.random() < 0.3 else damaged_record(random, message)))
    assert isinstance(json.loads(answer), dict)


def phones(random: Random) -> None:
    """What a phone, the wall or the teacher's page asks of a class."""
    room, desks = classroom()
    state = room.state(0, all_counts=True)
    message = {
        "ask": random.choice(("look", "answer", "answer", "show", "close", "ask_again", "reveal", "explain")),
        "phone": str(random.randrange(9)),
        "known": 0,
        "number": state["number"],
        "attempt": state["attempt"],
        "reply": damaged_reply(random),
        "view": random.choice(VIEWS),
        "slide": 1,
        "tree": state["tree"],
    }
    sent = json.dumps(message if random.random() < 0.3 else damaged_record(random, message))
    assert isinstance(json.loads(random.choice(desks).reply(sent)), dict)


def statistics(random: Random) -> None:
    """The statistics of finished exams."""
    tally = {"exposed": 12, "alone": 1, "possible": 2, "expected": 1.5}
    question = {
        **dict.fromkeys(("exams", "full", "blank", "unexplained", "score", "discrimination", "weight"), 1),
        "kind": "root-value",
        "recipe": "",
        "plies": "2",
        "leaves": "9-27",
        "students": 12,
        "misconceptions": {"players-swapped": tally},
    }
    record = {"schema": STATISTICS_SCHEMA, "exams": ["a"], "questions": [question]}
    path = exam()[1] / "statistics.json"
    path.write_bytes(damaged_json(random, record))
    try:
        found = read_statistics(path)
        shares = found.shares([each.question_type for each in found.questions])
    except (StatisticsError, SchemaError) as error:
        shown(str(error))
    else:
        assert all(0 <= share <= 1 for share in shares.values())
        assert found.with_exam("b", found.questions).exams


def journals(random: Random) -> None:
    """A line of the journal of scans, and one of those that say whose spare papers are."""
    _, folder = exam()
    page = PageReading("scans.pdf", "00ff", 1, "read", "A", 1, states={"1.0.0": "empty"})
    spare = {"variant": "A", "student": student(1).to_json()}
    scans = Journal(folder, "0")
    for name, record in ((PAGES_FILE, page.to_json()), (ASSIGNED_FILE, spare)):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(damaged_json(random, {**record, **stamp(1)}))
    try:
        written = [each.to_json() for each in scans.pages()]
        owners = SparePapers(folder, exam_with_a_spare_paper()).owners()
        assert canonical_json([written, [each.to_json() for each in owners.values()]]).encode()
    except SchemaError as error:
        shown(str(error))


def reports(random: Random) -> None:
    """What a student's program writes into the pipe of its own reports."""
    interface, examples, records = program()
    lines = [canonical_json(each).encode() for each in records]
    place = random.randrange(len(lines))
    lines[place] = damaged_json(random, records[place])
    run = collect_run(read_reports(b"\n".join(lines)), random.choice(("exit", "crash", "time")), 10)
    verdict = judge_run("search.py", run, interface, examples, random.choice((None, "cut", "keep")))
    shown(sentence_of(verdict))
    assert json.dumps(verdict_record(verdict))


def archives(random: Random) -> None:
    """A zip of the sheets of students, or of their programs."""
    packed = BytesIO()
    with ZipFile(packed, "w", random.choice((ZIP_STORED, ZIP_DEFLATED, ZIP_BZIP2, ZIP_LZMA))) as package:
        package.writestr("Ada_12_assignsubmission_file_/a.txt", "1: 5\n2a: A=3\n")
        package.writestr("0042\u00e9.py", "def minimax(node):\n    return 3\n")
    path = exam()[1] / "sheets.zip"
    path.write_bytes(changed_bytes(random, packed.getvalue()))
    read: Callable[[], Iterable[object]] = random.choice(
        (lambda: read_submissions(path, read_exam_keys(exam()[1]).parts).rows(), lambda: read_programs(path))
    )
    try:
        deque(read(), maxlen=0)
    except TableError as error:
        shown(str(error))


def pictures(random: Random) -> None:
    """A scanned page as a picture."""
    suffix, whole = random.choice(scanned_pages())
    path = exam()[1] / f"page{suffix}"
    path.write_bytes(changed_bytes(random, whole))
    try:
        found = list(rasters(path, range(min(2, page_count(path)))))
    except ScanError as error:
        shown(str(error))
    else:
        assert all(isinstance(each, Raster | ScanError) for each in found)


PARTS = ("1", "2a", "2b", "3")

DOORS: tuple[Door, ...] = (
    *(trees_as_text, trees_as_json, trees_as_efg, replies, replies, marks, marks, exercise_records),
    *(exam_records, recipes, blueprints, class_lists, submissions, positions, messages),
    *(phones, statistics, journals, reports, archives, pictures),
)
"""Where something is handed in. Replies and marks come twice as often: so many people hand them in."""
