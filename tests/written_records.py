"""A small record of every sort that the program writes, as text: what a renamed field must not change.

Runs as a script too, in a copy of the package, and prints the records as JSON.
"""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from typer.testing import CliRunner

from grader.cli import app
from grader.cli.shared.gradebook_messages import entry_record, odd_record, submission_record
from grader.exam.manifest import Exam, Origin, Seat, open_exam, write_exam, write_question, write_variant
from grader.exam.paper import Heading, Paper, Question
from grader.exam.roster import Roster, roster_digest
from grader.exercises.exercise import Exercise, make_exercise
from grader.exercises.exercise_file import read_exercise
from grader.exercises.feedback import Feedback
from grader.exercises.marking import Mark, Marker, Note, State, read_mark, write_mark
from grader.generation.measures import profile_of
from grader.grading.exam_keys import exam_keys_of
from grader.grading.gradebook_store import Gradebook
from grader.grading.records import Entry, OddRow, Submission
from grader.publishing.exam_lock import Lock, read_lock, seal, write_lock
from grader.publishing.keys import key_data
from grader.publishing.scan_sheet import scanned_paper
from grader.publishing.sheet import sheet_as_drawn
from grader.questions import kind_by_code
from grader.scanning.journal import Journal
from grader.scanning.page_reading import PageReading
from grader.scanning.places import PlacedBox, read_boxes, write_box_places
from grader.tables.student_directory import Student
from grader.trees.notation.exchange_json import read_json, write_json
from grader.trees.notation.reading import read_tree
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from grader.web.messages.documents import mark_record, record_text
from grader.web.messages.handler import MessageHandler

TREE = '@title "Small"\nMAX A (MIN B {eval=4, n=10} (3 12 8) MIN C (2 4 6) MIN D (14 5 2))'
STUDENT = Student("007", "Ada", email="ada@example.org", login="ada", section="2", lms="31")


def records(folder: Path) -> dict[str, str]:
    """Every record by its name; files are written into a folder and read back before they are shown."""
    exercise = _exercise()
    return {
        "exercise": json.dumps(_again(exercise).to_json()),
        "tree": write_json(_tree()),
        **_exam(folder, exercise),
        **_scans(folder),
        **_gradebook(folder),
        **_messages(exercise),
        **_sheets(exercise),
    }


def _tree() -> Tree:
    tree = read_tree(TREE)
    assert isinstance(tree, Tree), str(tree)
    back = read_json(write_json(tree))
    assert isinstance(back, Tree), str(back)
    return back


def _exercise() -> Exercise:
    tree, rules = _tree(), Rules(ties="keep", bounds=(0, 20))
    profile = profile_of(tree, rules, searching=True).to_json()
    return make_exercise(kind_by_code("pruned-paths"), tree, rules, profile=profile, seed="a seed")


def _again(exercise: Exercise) -> Exercise:
    read = read_exercise(exercise.to_json())
    assert isinstance(read, Exercise), str(read)
    return read


def _exam(folder: Path, exercise: Exercise) -> dict[str, str]:
    """`exam.json` and `exam.lock`."""
    heading = Heading("Quiz", "AI", "1 May", "Read.\n\nWrite.", scan="choice")
    question = Question("1", "Cuts", (exercise,), follow_through=True, grown_for=0, alike=("visited",))
    variant = write_variant("A", [write_question(question)])
    origin = Origin("0" * 64, roster_digest(Roster((STUDENT,))))
    exam = Exam(origin, heading, (Seat(STUDENT, "A", "ada-1"),), (variant,))
    (folder / "instructor").mkdir()
    (folder / "instructor" / "exam.json").write_text("".join(write_exam(exam)), encoding="utf-8")
    back = open_exam(folder)
    assert isinstance(back, Exam), str(back)
    variants = [write_variant(paper.code, map(write_question, paper.questions)) for paper in back.papers]
    assert variants == [variant]
    lock = Lock(origin, "plan", ("pdf",), ("moodle",), {"A": ("paper", "key")}, {"keys.pdf": "digest"})
    path = folder / "instructor" / "exam.lock"
    path.write_text(write_lock(seal(lock, "a secret")), encoding="utf-8")
    locked = read_lock(path)
    assert locked is not None
    (paper,) = back.papers
    keys = exam_keys_of(back, "exam.json")
    return {
        "exam.json": "".join(write_exam(back)),
        "exam.lock": write_lock(locked),
        "paper": json.dumps(paper.public.to_json()),
        "keys": json.dumps([[key.part, key.reply, key.key, key.policy] for key in keys.part_keys("A")]),
    }


def _scans(folder: Path) -> dict[str, str]:
    """`boxes.json` and both files of the journal."""
    layout = ((PlacedBox("1.0.0", 10.0, 20.0, 4.0, 4.0),),)
    text = "".join(write_box_places("EXAM", "a4", {"A": (("CODE",), layout)}))
    (folder / "instructor" / "boxes.json").write_text(text, encoding="utf-8")
    exam = read_boxes(folder)
    journal = Journal.of(folder, exam)
    page = PageReading(
        "scan.pdf", "d" * 16, 1, "read", variant="A", page=1, states={"1.0.0": "crossed"}, image="a.jpg"
    )
    journal.append_pages([page])
    journal.name_page(page, page)
    journal.decide([(("A", 1, "1.0.0"), "empty")])
    journal.append_pages(journal.pages())
    decided = journal.decisions()
    boxes = "".join(write_box_places(exam.exam, exam.size, {"A": (exam.codes["A"], exam.layouts["A"])}))
    return {
        "boxes.json": boxes,
        "decided": json.dumps([[*place, says] for place, says in decided.items()]),
        **{name: (journal.folder / name).read_text() for name in ("pages.jsonl", "decisions.jsonl")},
    }


def _gradebook(folder: Path) -> dict[str, str]:
    """The tables of a gradebook but for its times, and what is told of its rows."""
    mark = Mark(State.GRADED, 1, 2, (Note("pruned-paths.one", "equal"),), "5 6", (), 1, "")
    assert read_mark(write_mark(mark)) == mark
    entry = Entry("007", "1", 1, write_mark(mark), "basis", "key", "policy", "0", reason="so")
    row = OddRow("file, row 2", "Adda", "", "alike", "nearly", ("a", "b"), 1)
    submission = Submission(
        0, "007", "1", "A", "5 6", time="10:00", place="file, row 1", reading=1, late=True
    )
    with Gradebook.open(folder / "gradebook.db", create=True) as book:
        with book.writing():
            book.append_intake("0", [], {"read": 2})
            book.append_rows(1, [row])
            book.append_submissions(1, [submission])
            book.append_entries([entry])
        tables = "".join(
            line
            for line in book.connection.iterdump()
            if not line.startswith(('INSERT INTO "marks"', 'INSERT INTO "intakes"'))
        )
        (marked,), (handed_in,), (odd,) = book.history("007"), book.all_submissions_of("007"), book.odd_rows()
    told = [entry_record(marked) | {"at": ""}, submission_record(handed_in), odd_record(odd)]
    return {"gradebook.db": tables, "gradebook --json": json.dumps(told)}


def _messages(exercise: Exercise) -> dict[str, str]:
    """What commands and pages are told."""
    marker, desk = Marker(exercise), MessageHandler(lambda _kind, _level: ())
    wrong = json.dumps({"ask": "tree", "tree": "MAX (3"})
    game = CliRunner().invoke(app, ["game", "nim", "2 1", "--count", "--json"])
    return {
        "mark --json": record_text(mark_record(exercise, marker.mark("5"), Feedback(exercise))),
        "solve --json": desk.reply(json.dumps({"ask": "solve", "tree": TREE, "rules": {"ties": "keep"}})),
        "check --json": desk.reply(json.dumps({"ask": "check", "tree": "MAX (MIN B=3 (3 12) ~4)"})),
        "a mistake": desk.reply(wrong),
        "game --json": game.stdout,
    }


def _sheets(exercise: Exercise) -> dict[str, str]:
    """The data of templates."""
    paper = Paper(Heading("Quiz", scan="choice"), "A", (Question("1", "Cuts", (exercise,)),))
    made = scanned_paper(paper.public)
    return {
        "paper.typ": json.dumps(sheet_as_drawn(paper.public).to_json()),
        "codes": json.dumps([code.text for code in made.codes]),
        "boxes": json.dumps(made.layout),
        "key.typ": json.dumps(key_data(paper)),
    }


def main() -> None:
    """Print the records."""
    with TemporaryDirectory() as folder:
        json.dump(records(Path(folder)), sys.stdout)


if __name__ == "__main__":
    main()
