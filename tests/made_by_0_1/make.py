"""Makes the data of this folder by version 0.1.0 of the program; nothing else may run it.

In a checkout of commit 2029f29a, with this folder anywhere:

    PYTHONPATH=CHECKOUT python make.py            # or only some: marks exercises recipes every_ask ...

It speaks to the program of that commit: it is not changed with the program, nor are names in it renamed.
"""

import gzip
import json
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

import grader
from grader.cli import app

HERE = Path(__file__).resolve().parent
CHECKOUT = Path(grader.__file__).resolve().parent.parent

COMPRESSED_FROM = 20_000
"""Files of at least this many bytes are compressed."""

WRONG_REPLIES = 30

POLICIES = {
    "paths": ("net", "each", "deduct:1/2", "exact"),
    "branches": ("net", "each", "deduct:1/2", "exact"),
    "table": ("players", "entries", "exact"),
    "windows": ("entries", "players", "exact"),
    "children-order": ("entries", "players", "exact"),
    "strategy": ("entries", "players", "exact"),
    "interval": ("limits", "exact"),
}
"""The policies of each form that has several."""

OWN_POLICIES = {
    "cut-reasons.cause": ("exact",),
    "belief-state.states": ("exact",),
    "belief-state.moves": ("exact",),
    "uct.visits": ("minus", "entries", "exact"),
    "uct.wins": ("minus", "entries", "exact"),
}
"""The policies of the kinds that have others than their form."""

LANGUAGES = ("de", "fr", "es", "it", "pt", "zh")

POINTS = ("4", "3", "5/2", "1")


def gametree(*arguments: object, codes: Sequence[int] = (0, 1), typed: str = "") -> str:
    """Run a command and return what it prints; it has to end with one of these codes."""
    ran = CliRunner().invoke(app, [str(each) for each in arguments], input=typed, prog_name="gametree")
    assert ran.exit_code in codes, (arguments, ran.exit_code, ran.stderr, ran.exception)
    return ran.stdout


def write(path: Path, data: str | bytes) -> None:
    """Write a file, compressed if it is large."""
    raw = data.encode() if isinstance(data, str) else data
    path.parent.mkdir(parents=True, exist_ok=True)
    if len(raw) >= COMPRESSED_FROM and path.suffix not in (".png", ".jpg"):
        path, raw = path.with_name(f"{path.name}.gz"), gzip.compress(raw, mtime=0)
    path.write_bytes(raw)


def keep(desk: Path, into: Path, names: Iterable[str]) -> None:
    """Copy files, or everything below folders, from the desk into the data."""
    for name in names:
        source = desk / name
        for path in sorted(source.rglob("*")) if source.is_dir() else [source]:
            if path.is_file():
                write(into / path.relative_to(desk), path.read_bytes())


def emptied(name: str) -> Path:
    """A folder of the data, without what was in it; tests lie elsewhere."""
    folder = HERE / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def results(exam: Path) -> str:
    """State, points and note codes of every student and question, as CSV."""
    shown = json.loads(gametree("gradebook", "show", exam, "--json"))
    rows = ["student,question,state,points,notes"]
    for student in shown["students"]:
        for each in student["questions"]:
            notes = " ".join(each["notes"])
            rows.append(f"{student['id']},{each['question']},{each['state']},{each['points'] or ''},{notes}")
    return "\n".join(rows) + "\n"


# Exercises and their replies ----------------------------------------------------------------------


def kinds() -> list[tuple[str, str]]:
    """The name and the form of every question."""
    return [(kind["name"], kind["form"]) for kind in json.loads(gametree("kinds", "--json"))["kinds"]]


def policies(code: str, form: str) -> tuple[str, ...]:
    """The policies of a question; none where it has only one way to be marked."""
    return OWN_POLICIES.get(code, POLICIES.get(form, ()))


def generated(code: str, form: str, number: int) -> dict[str, Any]:
    """The exercise of this number: the usual one, one on other terms, one in another language."""
    known = policies(code, form)
    options = ["--seed", f"frozen {number}"]
    if number:
        options += ["--points", POINTS[number]]
        options += ["--policy", known[-number]] if len(known) > number else []
    if number == 2:
        options += ["--language", LANGUAGES[sum(map(ord, code)) % len(LANGUAGES)]]
    record: dict[str, Any] = json.loads(gametree("generate", code, *options, codes=(0,)))
    return record


NONSENSE = (
    *("@@ ?? @@", "lorem ipsum", "42", "all of them", "true and false", "=1+1", "<script>alert(1)</script>"),
    *("1 2 3 4 5 6 7 8 9", "A=0 B=0 C=0 D=0", "x <= 0", "A", "none", "yes", "-inf", "B: C D E F"),
)

BLANK = ("", "  ", "n/a", "-", "no answer", "?", "I don't know")


def slip(text: str, dice: random.Random) -> str:
    """The text with one slip: a character is dropped, doubled, changed with its neighbour or replaced."""
    place = dice.randrange(len(text))
    here, following = text[place], text[place + 1 : place + 2]
    other = dice.choice("0123456789" if here.isdigit() else "ABCDEFGxo -=,")
    instead = dice.choice(("", here * 2, following + here, other, other))
    skipped = 2 if instead == following + here else 1
    return text[:place] + instead + text[place + skipped :]


def partial_lists(text: str) -> Iterator[str]:
    """Parts of a list, and the list turned round or written in another way."""
    words = text.split()
    yield " ".join(words[: len(words) // 2])
    yield " ".join(words[:-1])
    yield " ".join(words[1:])
    yield words[0]
    yield words[-1]
    yield " ".join(reversed(words))
    yield ", ".join(words)
    yield f"{text} {words[0]}"


def wrong_replies(record: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> list[str]:
    """Thirty different replies other than the key and those of the misconceptions, always the same ones."""
    key, known = record["key"]["reply"], {record["key"]["reply"], *record["beliefs"].values()}
    dice = random.Random(f"{record['id']} {key}")
    around = [
        *(other["key"]["reply"] for other in others),
        *(dice.choice(sorted(other["beliefs"].values())) for other in others if other["beliefs"]),
        *(f"Answer: {key}.", f"{key} because of pruning", key.lower(), f"not {key}", f"{key}?"),
        *partial_lists(key),
        *dice.sample(NONSENSE, 5),
        *dice.sample(BLANK, 3),
    ]
    found = dict.fromkeys(text for text in around if text not in known)
    texts = [key, *sorted(known)]
    while len(found) < WRONG_REPLIES:
        text = slip(dice.choice(texts), dice)
        if text not in known:
            found[text] = None
            texts += [text] if text else []
    return list(found)[:WRONG_REPLIES]


def marked(exercise: grader.Exercise, text: str) -> list[Any]:
    """A reply with its state, points and note codes."""
    mark = grader.mark(exercise, text)
    points = None if mark.points is None else str(mark.points)
    return [text, mark.state.value, points, [note.code for note in mark.notes]]


def make_marks() -> None:
    """Three exercises of every question; their keys, every misconception and thirty wrong replies, marked."""
    lines = []
    for code, form in kinds():
        records = [generated(code, form, number) for number in range(3)]
        for record in records:
            exercise = grader.read_exercise(record)
            assert isinstance(exercise, grader.Exercise), exercise
            others = [other for other in records if other is not record]
            replies = [
                record["key"]["reply"],
                *dict.fromkeys(record["beliefs"].values()),
                *wrong_replies(record, others),
            ]
            line = {"exercise": record, "replies": [marked(exercise, reply) for reply in replies]}
            lines.append(json.dumps(line, ensure_ascii=False))
    (HERE / "marks.jsonl.gz").write_bytes(gzip.compress(("\n".join(lines) + "\n").encode(), mtime=0))


def make_exercises() -> None:
    """A record of each kind as `generate -o` writes it, and what `mark --json` says of two replies."""
    folder = emptied("exercises")
    seen = set[str]()
    said = {}
    for code, form in kinds():
        name = code.partition(".")[0]
        if name not in seen:
            seen.add(name)
            with tempfile.TemporaryDirectory() as place:
                known = policies(code, form)
                options = ["--policy", known[-1]] if known else []
                gametree("generate", code, "--seed", "a file", *options, "-o", place, codes=(0,))
                for path in Path(place).glob("*.json"):
                    ending = ".public.json" if path.name.endswith(".public.json") else ".json"
                    (folder / f"{name}{ending}").write_bytes(path.read_bytes())
            path = folder / f"{name}.json"
            record = json.loads(path.read_text(encoding="utf-8"))
            replies = [record["key"]["reply"], *sorted(record["beliefs"].values())[:1]]
            said[name] = {
                reply: json.loads(gametree("mark", path, "--json", "-", typed=reply)) for reply in replies
            }
    write(folder / "said.json", json.dumps(said, indent=1) + "\n")


# Exams --------------------------------------------------------------------------------------------


def built(desk: Path, *options: object) -> Path:
    """The exam of the blueprint and the class list on the desk."""
    exam = desk / "exam"
    roster = desk / "class.csv"
    gametree(
        "exam", "build", desk / "exam.toml", "-r", roster, "-o", exam, "--lms", "none", *options, codes=(0,)
    )
    return exam


def parts(exam: Path) -> dict[str, dict[str, dict[str, Any]]]:
    """The records of the exercises of every student, by the labels of their questions."""
    record = json.loads((exam / "instructor" / "exam.json").read_text(encoding="utf-8"))
    variants = {variant["code"]: variant for variant in record["variants"]}
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for student in record["students"]:
        own = found[student["identifier"]] = {}
        for question in variants[student["variant"]]["questions"]:
            for number, part in enumerate(question["parts"]):
                letter = "abcdefgh"[number] if len(question["parts"]) > 1 else ""
                own[f"{question['label']}{letter}"] = part
    return found


def table(rows: Iterable[Sequence[str]]) -> str:
    """Rows as CSV."""
    return "".join(",".join('"' + cell.replace('"', '""') + '"' for cell in row) + "\n" for row in rows)


EXAM_FILES = ("exam/instructor/exam.json", "exam/instructor/exam.lock", "exam/instructor/assignment.csv")


CLASS_220 = HERE / "class_220"
"""A class that was invented, with an exam that version 0.1.0 built: only its results are made here."""


def make_class_220() -> None:
    """Grade the class of 220, whose blueprint, class list, exam and replies lie here."""
    with tempfile.TemporaryDirectory() as place:
        desk = Path(place)
        for path in CLASS_220.rglob("*"):
            if path.is_file():
                copy = desk / path.relative_to(CLASS_220)
                copy.parent.mkdir(parents=True, exist_ok=True)
                raw = path.read_bytes()
                copy.with_name(copy.name.removesuffix(".gz")).write_bytes(
                    gzip.decompress(raw) if path.suffix == ".gz" else raw
                )
        gametree("grade", desk / "exam", desk / "replies.csv")
        write(CLASS_220 / "results.csv", results(desk / "exam"))


def make_every_ask() -> None:
    """An exam with every question and, for every form, every policy; four students, four variants."""
    groups = defaultdict[tuple[str, tuple[str, ...]], list[str]](list)
    for code, form in kinds():
        groups[form, policies(code, form)].append(code)
    lines = ['title = "Every question"', 'secret = "frozen with version 0.1.0"', 'variants = "per-student"']
    asked = []
    for (_, known), codes in groups.items():
        for number in range(max(len(codes), len(known))):
            policy = known[number % len(known)] if known else ""
            asked += [(codes[number % len(codes)], policy)]
    for place, (code, policy) in enumerate(asked):
        points = ("4", "3", "2.5", "1")[place % 4]
        lines += ["", "[[question]]", f'kind = "{code}"', f"points = {points}"]
        lines += [f'policy = "{policy}"'] if policy else []
        lines += ["every = true"] if code in ("best-move", "best-path", "depth-limited.move") else []
        lines += ["decimal_comma = true"] if code in ("expected-values", "uct.mean") else []
        lines += ["digits = 1"] if code in ("uct.scores", "belief-state.expected") else []
    lines += ["", "[[question]]", "follow_through = true"]
    lines += ["recipe = {shape = {branching = 3}, require = {pruned = [5, 14]}}"]
    for code in ("node-values", "best-move", "pruned-paths"):
        lines += ["[[question.part]]", f'kind = "{code}"', "points = 2"]
    folder = emptied("every_ask")
    with tempfile.TemporaryDirectory() as place:
        desk = Path(place)
        (desk / "exam.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
        students = ("0017,Ada", "0018,Grace", "0019,Bo", "0020,Zoë")
        (desk / "class.csv").write_text("\n".join(("id,name", *students)) + "\n", encoding="utf-8")
        exam = built(desk, "--format", "text")
        given = parts(exam)
        labels = list(next(iter(given.values())))
        rows = [["id", *labels]]
        for number, (student, own) in enumerate(given.items()):
            others = [each for name, each in given.items() if name != student]
            cells = []
            for place_of, (label, part) in enumerate(own.items()):
                beliefs = sorted({*part["beliefs"].values()}) or [part["key"]["reply"]]
                wrong = wrong_replies(part, [other[label] for other in others])
                choices = (
                    part["key"]["reply"],
                    beliefs[place_of % len(beliefs)],
                    wrong[place_of % len(wrong)],
                    wrong[(7 * place_of + 3) % len(wrong)],
                )
                cells.append(choices[number])
            rows.append([student, *cells])
        (desk / "replies.csv").write_text(table(rows), encoding="utf-8")
        gametree("grade", exam, desk / "replies.csv")
        write(folder / "results.csv", results(exam))
        keep(desk, folder, ("exam.toml", "class.csv", "replies.csv", *EXAM_FILES))


CHANGED = (
    (
        'points = 4\n\n[[question.part]]\nkind = "best-move"',
        'points = 5\n\n[[question.part]]\nkind = "best-move"',
    ),
    ('policy = "net"', 'policy = "exact"'),
)
"""What the blueprint of the regrade changes: the points of the first part, the policy of the third."""


def make_gradebook() -> None:
    """The example midterm, graded, with readings, marks by hand and a regrade; and a run that was stopped."""
    folder = emptied("gradebook")
    with tempfile.TemporaryDirectory() as place:
        desk = Path(place)
        examples = CHECKOUT / "problems" / "exams"
        text = (examples / "midterm.toml").read_text(encoding="utf-8")
        for old, new in (("midterm.toml", "exam.toml"), ("class.csv", "class.csv")):
            shutil.copy(examples / old, desk / new)
        shutil.copy(examples / "responses.csv", desk / "replies.csv")
        for old, new in CHANGED:
            assert old in text
            text = text.replace(old, new, 1)
        (desk / "changed.toml").write_text(text, encoding="utf-8")
        exam = built(desk, "--format", "text")
        students = list(parts(exam))
        late = [["ID number", "1a", "3"], [students[0], "A is 3, I think; B is lower", "about nine"]]
        late += [[students[1], "", "about nine"], [students[2], "see the back of the page", "seven or nine"]]
        (desk / "late.csv").write_text(table(late), encoding="utf-8")
        stopped(exam, desk / "replies.csv", desk / "stopped.db")
        gametree("grade", exam, desk / "replies.csv")
        gametree("grade", exam, desk / "late.csv", "--duplicates", "last")
        write(folder / "results.csv", results(exam))
        gametree("gradebook", "read", exam, students[0], "3", "9", "--alike", codes=(0,))
        gametree(
            "gradebook", "override", exam, students[2], "1a", "1.5", "--reason", "said so aloud", codes=(0,)
        )
        by_hand = [["student", "question", "points", "reason"], [students[3], "2", "2/3", "a slip, ½ off"]]
        by_hand += [[students[4], "1c", "0", "left the room"]]
        (desk / "oral.csv").write_text(table(by_hand), encoding="utf-8")
        gametree("gradebook", "override", exam, "--table", desk / "oral.csv", codes=(0,))
        again = (
            "--blueprint",
            desk / "changed.toml",
            "--apply",
            "--never-lower",
            "--reason",
            "1a counts more",
        )
        gametree("gradebook", "regrade", exam, *again, codes=(0, 1))
        gametree("gradebook", "override", exam, students[2], "1a", "2", "--reason", "said more", codes=(0,))
        said = folder / "said"
        write(said / "show.json", gametree("gradebook", "show", exam, "--json"))
        for student in students[:5]:
            write(said / f"history-{student}.json", gametree("gradebook", "history", exam, student, "--json"))
        for name in ("csv", "moodle", "canvas", "gradescope", "json"):
            ending = "json" if name in ("gradescope", "json") else "csv"
            options = ("--format", name, "--leave-empty", "-o", "-")
            write(said / f"export-{name}.{ending}", gametree("gradebook", "export", exam, *options))
        files = (
            "exam.toml",
            "class.csv",
            "replies.csv",
            "changed.toml",
            "late.csv",
            "stopped.db",
            "exam/grades",
        )
        keep(desk, folder, (*files, *EXAM_FILES))


def stopped(exam: Path, replies: Path, into: Path) -> None:
    """Keep the gradebook of a run that was killed when all replies were taken in and none was marked."""
    book = exam / "grades" / "gradebook.db"

    def marks(event: int) -> int:
        """How many marks there are when the program is killed at this event."""
        shutil.rmtree(exam / "grades", ignore_errors=True)
        command = [sys.executable, "-m", "tests.grading.killed", str(event), "grade", str(exam), str(replies)]
        subprocess.run(command, cwd=CHECKOUT, capture_output=True, check=False)
        return count(book, "marks")

    least, most = 1, 2
    while not marks(most):
        least, most = most, 2 * most
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if marks(middle) else (middle, most)
    assert marks(least) == 0
    assert count(book, "submissions") > 0
    with sqlite3.connect(book) as connection, sqlite3.connect(into) as copy:
        connection.backup(copy)
    copy.close()
    connection.close()
    shutil.rmtree(exam / "grades")


def count(book: Path, name: str) -> int:
    """How many rows a table of a gradebook has; none where there is no table."""
    if not book.exists():
        return 0
    connection = sqlite3.connect(book)
    try:
        found: int = connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
    except sqlite3.OperationalError:
        found = 0
    finally:
        connection.close()
    return found


HOUSE_PO = """msgid ""
msgstr ""
"Language: nl\\n"

msgid "Student number"
msgstr "Studentnummer"

msgid "Question {label}"
msgstr "Opgave {label}"

msgid "{points} point"
msgid_plural "{points} points"
msgstr[0] "{points} punt"
msgstr[1] "{points} punten"

msgid "Which leaves does alpha-beta search never look at?"
msgstr "Welke bladeren bekijkt alfa-beta nooit?"

msgid "Write one number."
msgstr "Schrijf één getal."
"""

HOUSE_TOML = """# Dutch words in replies, as a teacher adds them.

[words]
none = "geen niets"
path = "blad bladeren"
and = "en"
yes = "ja"
inf = "oneindig"
filler = "het de een antwoord is denk ik"

[verdicts]
true = "waar juist"
false = "onwaar onjuist"

[unknown]
said = ["weet ik niet"]

[remarks]
"""

HOUSE_EXAM = """title = "Tentamen"
secret = "frozen with version 0.1.0"
language = "house.po"

[[question]]
kind = "pruned-paths"
points = 4
tree = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"

[[question]]
kind = "root-value"
points = 2

[[question]]
kind = "true-false.pruning"
points = 1
"""

HOUSE_REPLIES = (
    ("id", "1", "2", "3"),
    ("1", "blad 5 en 6", "het antwoord is {key}", "waar"),
    ("2", "geen", "oneindig", "onwaar"),
    ("3", "5, 6", "{key}", "weet ik niet"),
    ("4", "leaves 5 and 6", "", "true"),
)


def make_house() -> None:
    """An exam in a teacher's own catalogue, whose replies have words of a table that a teacher added.

    The words lie in the folder of the languages: the program that grades is a copy with this file in it.
    """
    folder = emptied("house")
    with tempfile.TemporaryDirectory() as place:
        desk = Path(place)
        (desk / "house.po").write_text(HOUSE_PO, encoding="utf-8")
        (desk / "nl.toml").write_text(HOUSE_TOML, encoding="utf-8")
        (desk / "exam.toml").write_text(HOUSE_EXAM, encoding="utf-8")
        (desk / "class.csv").write_text("id,name\n1,An\n2,Bo\n3,Cas\n4,Dirk\n", encoding="utf-8")
        exam = built(desk, "--format", "text")
        keys = {student: own["2"]["key"]["reply"] for student, own in parts(exam).items()}
        rows = [[cell.format(key=keys.get(row[0], "")) for cell in row] for row in HOUSE_REPLIES]
        (desk / "replies.csv").write_text(table(rows), encoding="utf-8")
        for name in ("grader", "problems"):
            shutil.copytree(CHECKOUT / name, desk / "copy" / name)
        shutil.copy(desk / "nl.toml", desk / "copy" / "problems" / "languages")
        command = [sys.executable, "-m", "grader", "grade", str(exam), str(desk / "replies.csv")]
        subprocess.run(command, cwd=desk / "copy", env={"PYTHONPATH": "."}, check=False, capture_output=True)
        write(folder / "results.csv", results(exam))
        files = (
            "exam.toml",
            "class.csv",
            "replies.csv",
            "house.po",
            "nl.toml",
            "exam/instructor/language.po",
        )
        keep(desk, folder, (*files, *EXAM_FILES))


RECIPES = {
    "deep-cuts": """kind = "pruned-paths"
[shape]
plies = 4
branching = [2, 2, 2, [2, 3]]
root = "MIN"
[payoffs]
range = [-9, 30]
distinct = true
[rules]
ties = "keep"
[require]
pruned = [3, 9]
deep_cuts = 1
one_optimal_move = true
[separate]
key = ["players-swapped", "shallow-only"]
each_other = "none"
most = "3/4"
average = "2/3"
[question]
points = 5
policy = "each"
""",
    "values-of-a-small-game": """kind = "node-values"
[shape]
plies = 2
branching = 3
[payoffs]
range = [0, 20]
step = 0.5
distinct = true
[separate]
key = "none"
each_other = "none"
most = 1
average = 1
[question]
points = "7/2"
policy = "entries"
""",
    "dice": """kind = "expected-values"
[shape]
plies = 3
branching = [2, 2, 2]
chance = [1]
probabilities = "simple"
names = "letters"
[payoffs]
range = [-10, 10]
[require]
places = 2
[separate]
key = ["plain-average"]
each_other = "none"
most = 1
average = 1
[question]
points = 4
decimal_comma = true
""",
    "a-move-from-the-right": """kind = "best-move"
cap = 50000
[shape]
plies = 3
branching = 2
[payoffs]
range = [-20, 20]
[rules]
order = "right-to-left"
[require]
one_optimal_move = true
best_leaf = "not-last-branch"
[separate]
key = ["players-swapped"]
each_other = "none"
[question]
points = 1
""",
    "time": """kind = "search-budget.nodes"
[question]
points = 2
""",
}


def make_recipes() -> None:
    """Recipes of a teacher, and an exercise that each of them grew."""
    folder = emptied("recipes")
    for name, text in RECIPES.items():
        path = folder / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        kind = text.split('"')[1]
        record = gametree("generate", kind, "--recipe", path, "--seed", "frozen", codes=(0,))
        write(folder / f"{name}.json", record)


SCANNED = """
title = "Scanned"
secret = "frozen with version 0.1.0"
scan = true
entry = "choice"

[[question]]
kind = "pruned-paths"
points = 4
recipe = {shape = {branching = 3}, require = {pruned = [5, 14]}}

[[question]]
tree = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"
[[question.part]]
kind = "node-values"
points = 2
[[question.part]]
kind = "best-move"
points = 1

[[question]]
kind = "expected-values"
points = 2
tree = "MAX A (CHANCE B (0.5: 3, 0.5: 12) CHANCE C (0.5: 2, 0.5: 4))"
"""


def make_scanned() -> None:
    """An exam whose papers were scanned: the pictures of six pages, what was read, decided and marked."""
    import numpy as np
    from PIL import Image

    from tests.scanning.desks import room
    from tests.scanning.simulator import DEVICES, HANDS, PENS, Page, filled, scanned

    folder = emptied("scanned")
    with tempfile.TemporaryDirectory() as place:
        desk = Path(place)
        papers = room(desk / "exam", ("Ada", "Bo", "Cy"), SCANNED)
        dice = np.random.default_rng(7)
        devices, pens, hands = [*DEVICES.values()], [*PENS.values()], [*HANDS.values()]
        number = 0
        for code, pages in papers.pages.items():
            for side, empty in enumerate(pages):
                page = Page(empty)
                for at, box in enumerate(papers.exam.layouts[code][side]):
                    if not box.written and dice.random() < 0.25:
                        page.draw(hands[number % len(hands)](dice, box), pens[number % len(pens)], dice)
                    elif at == 3 and not box.written and number % 2:
                        page.draw(filled(dice, box), PENS["felt"], dice)
                device = devices[number % len(devices)]
                picture = scanned(page, device, dice, number % 4)
                Image.fromarray(picture).save(desk / f"page-{number}.jpg", quality=45)
                number += 1
        pictures = sorted(desk.glob("page-*.jpg"))
        print(len(pictures), "pages")
        exam = desk / "exam"
        write(folder / "read.json", gametree("scan", exam, *pictures, "--json"))
        doubtful = [
            (f"{paper['variant']}/{each['box'].rpartition('/')[2]}", each["why"])
            for paper in json.loads(gametree("scan", exam, "--json"))["papers"]
            for each in paper["open"]
        ]
        crosses = [box for box, why in doubtful if "written" not in why]
        texts = [box for box, why in doubtful if "written" in why]
        for at, box in enumerate(crosses[:-4]):
            gametree("scan", exam, "--decide", f"{box}={('crossed', 'empty', 'empty')[at % 3]}")
        for at, box in enumerate(texts[:5]):
            gametree("scan", exam, "--decide", f"{box}={('7.5', '3', '15/2')[at % 3]}")
        write(folder / "decided.json", gametree("scan", exam, "--json"))
        gametree("grade", exam)
        write(folder / "results.csv", results(exam))
        keep(desk, folder, [each.name for each in pictures])
        keep(desk, folder, (*EXAM_FILES, "exam/instructor/boxes.json", "exam/grades"))


MAKE = {
    "marks": make_marks,
    "exercises": make_exercises,
    "recipes": make_recipes,
    "every_ask": make_every_ask,
    "class_220": make_class_220,
    "gradebook": make_gradebook,
    "house": make_house,
    "scanned": make_scanned,
}

if __name__ == "__main__":
    for chosen in sys.argv[1:] or MAKE:
        MAKE[chosen]()
