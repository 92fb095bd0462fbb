"""Hostile inputs: whatever is handed in at any door, there is an answer or a sentence, never an exception."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time
from traceback import extract_tb

from grader.answers.form import Terms
from grader.base.canonical_json import canonical_json
from grader.base.records import SchemaError
from grader.base.shipped import shipped_folder
from grader.exam.blueprint_file import read_blueprint
from grader.exam.manifest import read_exam
from grader.exam.roster import read_roster
from grader.exercises.exercise import Exercise
from grader.exercises.exercise_file import read_exercise
from grader.exercises.marking import Marker, State
from grader.generation.grower import grow
from grader.generation.recipe_file import default_recipe, read_recipe
from grader.grading.exam_keys import read_exam_keys
from grader.grading.gradebook_store import Gradebook
from grader.grading.intake import append_tables
from grader.questions import all_kinds
from grader.tables.columns import match_columns
from grader.tables.readers import read_submissions
from grader.tables.rows import TableError
from grader.trees.games import GAMES
from grader.trees.games.game_definition import PositionError
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.notation.exchange_efg import read_efg, write_efg
from grader.trees.notation.exchange_json import read_json, write_json
from grader.web.messages.handler import HANDLERS, MessageHandler
from tests.answers.every_form import FORMS
from tests.answers.test_hostile import HOSTILE, TREES, judged
from tests.answers.test_hostile import damaged as damaged_reply
from tests.grading.classroom import build, student
from tests.strategies import random_tree
from tests.trees.notation.test_fuzz import LETTERS, fuzzed, judge

PART = 1_000
"""So many inputs a seed stands for."""

SLOWEST = 5.0
"""So many seconds of processor time no input of these sizes may take."""

MOST = 4_000
"""Good files are damaged in so many of their first characters: all of them are short."""

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


def damaged(random: Random, text: str, other: str = "") -> str:
    """A text with a few edits: pieces left out, doubled, taken from another, hostile pieces put in."""
    text = text[:MOST]
    for _ in range(random.randint(1, 6)):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice((0, 1, 1, 2, 8, 40)))
        begin = random.randrange(len(other) + 1)
        pieces = (
            "",
            random.choice(LETTERS),
            text[start:end] * 2,
            other[begin : begin + random.randrange(60)],
            random.choice(HOSTILE)[: random.choice((3, 30, 300))],
            str(random.choice((0, -1, 10**9, 1.5, 10**40))),
        )
        text = text[:start] + random.choice(pieces) + text[end:]
    return text


def damaged_bytes(random: Random, content: bytes) -> bytes:
    """Bytes of which some are others, left out or doubled."""
    changed = bytearray(content)
    for _ in range(random.randint(1, 8)):
        place = random.randrange(len(changed) + 1)
        match random.randrange(4):
            case 0:
                changed[place : place + 1] = random.randbytes(random.choice((1, 1, 4)))
            case 1:
                del changed[place : place + random.choice((1, 8, 200))]
            case 2:
                changed[place:place] = changed[place : place + 30]
            case _:
                del changed[place + 1 :]
                changed += random.randbytes(random.randrange(40))
    return bytes(changed)


def damaged_record(random: Random, record: object) -> object:
    """A JSON document with something in it exchanged for something else."""
    others = (None, True, 0, -1, 2.5, 10**40, "", "x", "\x1b", "\ud800", "9" * 300, [], {}, [[]], {"": 0})
    if isinstance(record, dict) and record and random.random() < 0.9:
        name = random.choice(list(record))
        if random.random() < 0.1:
            return {key: value for key, value in record.items() if key != name}
        return {**record, name: damaged_record(random, record[name])}
    if isinstance(record, list) and record and random.random() < 0.9:
        place = random.randrange(len(record))
        return [*record[:place], damaged_record(random, record[place]), *record[place + 1 :]]
    if isinstance(record, str) and random.random() < 0.5:
        return damaged(random, record, record[::-1])
    return random.choice(others)


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


PARTS = ("1", "2a", "2b", "3")

DOORS: tuple[Door, ...] = (
    *(trees_as_text, trees_as_json, trees_as_efg, replies, replies, marks, marks, exercise_records),
    *(exam_records, recipes, blueprints, class_lists, submissions, positions, messages),
)
"""Where something is handed in. Replies and marks come twice as often: so many people hand them in."""
